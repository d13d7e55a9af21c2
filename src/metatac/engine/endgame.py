"""What the prover finds out about a position and its moves while it is searched, a few nodes at a time."""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from metatac.engine import proof_search as at
from metatac.engine.prover import NO_LIMIT, Prover
from metatac.engine.results import MoveValue, SearchResult
from metatac.game import Move, Position
from metatac.kernel import entries
from metatac.kernel.layout import OVER, TURN
from metatac.kernel.moves import UNDO_HEADER
from metatac.kernel.state import code_of, move_of, words_of
from metatac.kernel.tables import Words

NEAR, NEAR_POINTS = 48, 24
"""A proof is tried when no game goes on for more plies than that; where points are counted there is more to prove."""
LEAST_TURN = 200
"""Fewer nodes are not worth the call."""
LINE_NODES = 20_000
"""What may be spent on each move of the line that is shown."""

Bounds = tuple[int, int]


class Endgame:
    """A position that is being proved. Bounds and values are in X's view unless they say otherwise."""

    def __init__(self, prover: Prover, position: Position, stopped: Callable[[], bool]) -> None:
        self.prover, self.position, self.stopped = prover, position, stopped
        self.words = words_of(position)
        self.sign = 1 if position.turn == "X" else -1
        self.low, self.high, plies = prover.limits(self.words)
        self.is_near = plies <= (NEAR_POINTS if position.rules.utility == "points" else NEAR)
        self.range = self.low, self.high
        self.nodes = 0
        self._target: int | None = None
        self._children: dict[Move, Bounds] = {}
        self._best: MoveValue | None = None

    @property
    def is_solved(self) -> bool:
        return self.low == self.high

    @property
    def is_won(self) -> bool:
        """Whether the player to move has a move that is proved to be as good as any can be here."""
        return self._best is not None and self.low == (self.range[1] if self.sign > 0 else self.range[0])

    # -- proving

    def prove(self, found: SearchResult, nodes: int, *, each_move: bool) -> None:
        """Spend so many nodes on the position and, where each is wanted, on the moves that were found."""
        last = self.nodes + nodes
        if not self.is_solved:
            if self._target is None:
                self._target = math.ceil(found.value_x)
            self._narrow(nodes // 2 if each_move else nodes)
        if each_move:
            self._prove_moves(found, last - self.nodes)
        if self.is_solved and (self._best is None or not self.is_won):
            self._choose(found)

    def _narrow(self, nodes: int) -> None:
        """Go on with the proof of the position."""
        control = self.prover.control
        if nodes >= LEAST_TURN and self._ask(self.words, self._target or 0, nodes):
            self.low, self.high = max(self.low, int(control[at.LOW])), min(self.high, int(control[at.HIGH]))
            self._target = int(control[at.TARGET])

    def _prove_moves(self, found: SearchResult, nodes: int) -> None:
        """Share nodes among the moves that are not proved yet, the best first; each gets what others left."""
        last = self.nodes + nodes
        waiting = [one for one in found.moves if not _is_point(self._bounds(one.move))]
        for number, one in enumerate(waiting):
            share = (last - self.nodes) // (len(waiting) - number)
            if share < LEAST_TURN or self.stopped():
                continue
            self._ask_child(one.move, math.ceil(one.value_x), share)
        if len(found.moves) == len(self.position.legal_moves):
            best = max if self.sign > 0 else min
            self.low = max(self.low, best(self._bounds(one.move)[0] for one in found.moves))
            self.high = min(self.high, best(self._bounds(one.move)[1] for one in found.moves))

    def _bounds(self, move: Move) -> Bounds:
        """What is known of a move: never more for its player than the position is worth."""
        low, high = self._children.get(move, self.range)
        return (low, min(high, self.high)) if self.sign > 0 else (max(low, self.low), high)

    def _ask_child(self, move: Move, target: int, nodes: int) -> None:
        """Find out more about a move."""
        words = self._after(self.words, move)
        low, high = self._children.get(move, self.range)
        if words[OVER]:
            low = high = int(entries.utility_of(self.prover.tables, words))
        elif self._ask(words, target, nodes):
            control = self.prover.control
            low, high = max(low, int(control[at.LOW])), min(high, int(control[at.HIGH]))
        self._children[move] = low, high

    def _after(self, words: Words, move: Move) -> Words:
        after = words.copy()
        undo = np.zeros(UNDO_HEADER + words.size, dtype=np.int64)
        entries.step(self.prover.tables, after, undo, code_of(self.position.rules, move))
        return after

    def _ask(self, words: Words, target: int, nodes: int, *, by_moves: bool = False) -> bool:
        """Put a question to the prover; False if there was no time for it."""
        low, high = self.prover.prepare(words)
        control = self.prover.control
        control[at.TARGET] = target if by_moves else max(low + 1, min(high, target))
        control[at.QUESTIONS], control[at.BY_MOVES] = (1, 1) if by_moves else (NO_LIMIT, 0)
        control[at.NODES], control[at.NODE_LIMIT] = 0, nodes
        if self.stopped():  # looked at after the control words were made ready: a stop from now on is in them
            return False
        if low < high or by_moves:
            self.prover.solve(words)
            self.nodes += int(control[at.NODES])
        return True

    # -- a move that keeps what was proved

    def _choose(self, found: SearchResult) -> None:
        """Find the best move, best by the search among those that keep the value of the position."""
        value, move = self.low, found.best.move
        lost = self.low == (self.range[0] if self.sign > 0 else self.range[1])
        if not lost and not _is_point(self._bounds(move)):
            self._ask_child(move, value if self.sign > 0 else value + 1, max(LINE_NODES, self.nodes))
        if not lost and self._bounds(move) != (value, value):
            kept = self._answer(self.words)
            if kept is None:
                return
            move = kept
        self._children[move] = value, value
        line = (move, *self.line(self._after(self.words, move)))
        self._best = MoveValue(move, float(value), found.best.nodes, line, proven=True)

    def _answer(self, words: Words) -> Move | None:
        """A move of a state that keeps the value of the position; None if it was not found in the time."""
        target = self.low if words[TURN] == 0 else self.low + 1
        control = self.prover.control
        if not self._ask(words, target, max(LINE_NODES, self.nodes), by_moves=True) or control[at.STATUS] != at.SOLVED:
            return None
        return move_of(self.position.rules, int(control[at.BEST]))

    def line(self, words: Words, most: int = NO_LIMIT) -> list[Move]:
        """The best play of both sides from a state, as far as it is soon found and before so many nodes are spent."""
        line: list[Move] = []
        while not words[OVER] and self.nodes < most:
            answer = self._answer(words)
            if answer is None:
                break
            line.append(answer)
            words = self._after(words, answer)
        return line

    # -- what it means for the search's result

    def judged(self, found: SearchResult) -> SearchResult:
        """The result of a search, with everything in it that was proved."""
        best = self._best
        moves = [self._judged_move(one) for one in found.moves if best is None or one.move != best.move]
        moves.sort(key=lambda one: -self.sign * one.value_x)
        if best is not None:
            moves = [best, *moves][: len(found.moves)]
        value = max(float(self.low), min(float(self.high), moves[0].value_x))
        proven = self.is_solved or (found.proven and value == found.value_x)
        return replace(found, value_x=value, moves=tuple(moves), proven=proven)

    def _judged_move(self, one: MoveValue) -> MoveValue:
        low, high = self._bounds(one.move)
        value = max(float(low), min(float(high), one.value_x))
        return replace(one, value_x=value, proven=low == high or (one.proven and value == one.value_x))


def proven_line(prover: Prover, position: Position, value: int, nodes: int) -> tuple[list[Move], int]:
    """The best play of both sides from a position that is proved to be worth so much in X's view; the nodes it took.

    It breaks off where about so many nodes do not suffice.
    """
    if position.outcome is not None:
        return [], 0
    endgame = Endgame(prover, position, lambda: False)
    endgame.low = endgame.high = value
    return endgame.line(endgame.words, nodes), endgame.nodes


def _is_point(bounds: Bounds) -> bool:
    return bounds[0] == bounds[1]
