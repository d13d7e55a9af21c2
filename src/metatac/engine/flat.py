"""Flat Monte Carlo: random games after each move, shared out equally."""

import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from metatac.engine.results import MoveValue, SearchResult
from metatac.errors import IllegalMove
from metatac.game import Move, Position
from metatac.kernel import entries, ready
from metatac.kernel import layout as at
from metatac.kernel.moves import UNDO_HEADER
from metatac.kernel.state import most_moves, move_of, words_of
from metatac.kernel.tables import state_size, tables

ROUND = 32
"""The most games after one move before it is another one's turn."""


class FlatSearch:
    """Random games from every child of a position; the clock and ``interrupt`` can end it between two pieces."""

    def __init__(self, *, clock: Callable[[], float] = time.perf_counter) -> None:
        self.clock, self.stopped = clock, False

    def interrupt(self) -> None:
        """Have a running search, in another thread, return after its present games."""
        self.stopped = True

    def run(self, position: Position, games: int, *, seed: int = 0, seconds: float | None = None) -> SearchResult:
        """So many games in all, one after each move at the least. The first moves get what is left over."""
        if position.outcome is not None:
            raise IllegalMove(f"there is no move to choose: {position.outcome} (position: {position.text})")
        ready()
        begin, rules, sign = self.clock(), position.rules, 1 if position.turn == "X" else -1
        R, scratch = tables(rules), np.zeros(2 * state_size(rules), dtype=np.int64)
        codes = np.zeros(most_moves(rules), dtype=np.int64)
        moves, states = children(position)
        each, over = divmod(games, len(moves))
        wanted = [max(1, each + (number < over)) for number in range(len(moves))]
        totals, played = np.zeros((len(moves), 6), dtype=np.int64), [0] * len(moves)
        chance = np.random.default_rng(seed % 2**64)
        order, size = chance.permutation(len(moves)), 1
        while any(have < want for have, want in zip(played, wanted, strict=True)):
            for i in order.tolist():
                piece, state = min(size, wanted[i] - played[i]), states[i]
                if piece > 0 and not state[at.OVER]:
                    from_here = int(chance.integers(-(2**63), 2**63))
                    entries.playouts(R, state, scratch, codes, from_here, piece, totals[i])
                played[i] += piece
                if self.stopped or (seconds is not None and self.clock() - begin >= seconds):
                    wanted = played
                    break
            size = min(2 * size, ROUND)
        self.stopped = False
        found = []
        for i, move in enumerate(moves):
            ended = bool(states[i][at.OVER])
            value = float(entries.utility_of(R, states[i])) if ended else int(totals[i][5]) / max(1, played[i])
            found.append(MoveValue(move, value, played[i], (move,), ended))
        found = [found[i] for i in order.tolist()]
        found.sort(key=lambda value: (value.visits_or_nodes == 0, -sign * value.value_x))
        return SearchResult(position.text, found[0].value_x, tuple(found), sum(played), self.clock() - begin)

def children(position: Position) -> tuple[list[Move], list[NDArray[np.int64]]]:
    """The legal moves, and the state after each."""
    rules = position.rules
    first, codes = words_of(position), np.zeros(most_moves(rules), dtype=np.int64)
    undo = np.zeros(UNDO_HEADER + first.size, dtype=np.int64)
    count = entries.legal_codes(tables(rules), first, codes)
    states = [first.copy() for _ in range(count)]
    for code, state in zip(codes[:count].tolist(), states, strict=True):
        entries.step(tables(rules), state, undo, code)
    return [move_of(rules, code) for code in codes[:count].tolist()], states
