"""Flat Monte Carlo: random games after each move, shared out equally."""

import time
from collections.abc import Callable
from functools import lru_cache

import numpy as np

from metatac.engine.results import MoveValue, SearchResult
from metatac.errors import IllegalMove
from metatac.game import Position
from metatac.kernel import entries
from metatac.kernel import layout as at
from metatac.kernel.moves import UNDO_HEADER
from metatac.kernel.state import most_moves, move_of, ready_to_play_out, ready_to_step, words_of
from metatac.kernel.tables import tables

ROUND = 32
"""The most games after one move before it is another one's turn."""


@lru_cache(maxsize=1)
def flat_ready() -> float:
    """Have what random games need compiled or loaded; returns the seconds it took the first time."""
    return ready_to_step() + ready_to_play_out()


class FlatSearch:
    """Random games from every child of a position; the clock and ``interrupt`` can end it between two pieces."""

    def __init__(self, *, clock: Callable[[], float] = time.perf_counter) -> None:
        self.clock, self.stopped = clock, False

    def interrupt(self) -> None:
        """Have a running search, in another thread, return after its present games."""
        self.stopped = True

    def run(self, position: Position, games: int, *, seed: int = 0, seconds: float | None = None) -> SearchResult:
        """So many games in all; what cannot be shared out equally goes to some moves at random."""
        if position.outcome is not None:
            raise IllegalMove(f"there is no move to choose: {position.outcome} (position: {position.text})")
        flat_ready()
        begin, sign, chance = self.clock(), 1 if position.turn == "X" else -1, np.random.default_rng(seed % 2**64)
        family = _Family(position)
        order = chance.permutation(len(family.codes)).tolist()
        each, over = divmod(games, len(order))
        wanted = {i: each + (rank < over) for rank, i in enumerate(order) if each or rank < over}
        size, in_time = 1, True
        while in_time and any(family.played[i] < want for i, want in wanted.items()):
            for i, want in wanted.items():
                family.play(i, min(size, want - family.played[i]), int(chance.integers(-(2**63), 2**63)))
                in_time = not self.stopped and (seconds is None or self.clock() - begin < seconds)
                if not in_time:
                    break
            size = min(2 * size, ROUND)
        self.stopped = False
        found = [family.value(i) for i in order]
        found.sort(key=lambda value: (value.nodes == 0, -sign * value.value_x))
        nodes = sum(family.played)
        return SearchResult(position.text, found[0].value_x, tuple(found), nodes, self.clock() - begin)


class _Family:
    """The moves of a position, and the random games after each."""

    def __init__(self, position: Position) -> None:
        self.rules = position.rules
        self.first, self.codes = words_of(position), np.zeros(most_moves(self.rules), dtype=np.int64)
        self.tables, size = tables(self.rules), self.first.size
        self.codes = self.codes[: entries.legal_codes(self.tables, self.first, self.codes)]
        self.played = [0] * len(self.codes)
        self.totals: list[int] = [0] * len(self.codes)
        """Sums of utilities, in X's view."""
        self.ended: set[int] = set()
        """The moves after which the game is over."""
        self._undo, self._scratch = np.zeros(UNDO_HEADER + size, dtype=np.int64), np.zeros(2 * size, dtype=np.int64)
        self._room = np.zeros(most_moves(self.rules), dtype=np.int64)

    def play(self, i: int, games: int, seed: int) -> None:
        """So many games after a move."""
        if games <= 0:
            return
        state, totals = self.first.copy(), np.zeros(6, dtype=np.int64)
        entries.step(self.tables, state, self._undo, int(self.codes[i]))
        if state[at.OVER]:
            self.ended.add(i)
            totals[5] = games * entries.utility_of(self.tables, state)
        else:
            entries.playouts(self.tables, state, self._scratch, self._room, seed, games, totals)
        self.played[i] += games
        self.totals[i] += int(totals[5])

    def value(self, i: int) -> MoveValue:
        move, played = move_of(self.rules, int(self.codes[i])), self.played[i]
        return MoveValue(move, self.totals[i] / max(1, played), played, (move,), i in self.ended)
