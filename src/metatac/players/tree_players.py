"""Monte-Carlo tree search as players: the textbook's, which never changes, and the keen one."""

import random
import time
from typing import ClassVar

from metatac.engine.budget import Budget
from metatac.engine.mcts import TreeSearch
from metatac.errors import UnknownPlayer
from metatac.game import Move, Position
from metatac.match import UNLIMITED, Clock
from metatac.players.thinking import Thinking

LEAST_HASH, MOST_HASH = 1, 1 << 20
REPORT = 0.2
"""Seconds between two words to whoever watches."""


class _TreePlayer:
    """Searches within a budget; a clock, if there is one, cuts it short."""

    kind: ClassVar[str]
    keen: ClassVar[bool]
    thinking: Thinking | None = None

    def __init__(self, budget: str = "1s", seed: int | None = None, hash: int = 256, c: float | None = None) -> None:
        if not LEAST_HASH <= hash <= MOST_HASH:
            raise UnknownPlayer(f"{self.kind}: hash is {LEAST_HASH} to {MOST_HASH} MB, not {hash}")
        if c is not None and not 0 <= c <= 100:
            raise UnknownPlayer(f"{self.kind}: c is a number from 0 to 100, not {c}")
        self.budget = Budget.parse(budget)
        self.name = f"{self.kind}:{self.budget}"
        self._hash, self._c = hash, c
        self._random = random.Random(seed)
        self._search: TreeSearch | None = None
        self._interrupted = False

    def choose(self, position: Position, clock: Clock = UNLIMITED) -> Move:
        return self._run(position, clock).best()

    def _run(self, position: Position, clock: Clock) -> TreeSearch:
        started = time.perf_counter()
        search, budget = self._of(position), self.budget.within(clock, position)
        search.set_position(position)
        ends = None if budget.seconds is None else started + budget.seconds
        if self.thinking is None:
            search.run(iterations=budget.nodes, seconds=_left(ends))
        else:
            self._run_watched(search, budget.nodes, ends, self.thinking)
        return search

    def _run_watched(self, search: TreeSearch, nodes: int | None, ends: float | None, thinking: Thinking) -> None:
        """The same search with words between: it goes on where it was, so the tree is the same."""
        self._interrupted = False
        while True:
            left = _left(ends)
            made = search.run(iterations=nodes, seconds=REPORT if left is None else min(REPORT, left))
            nodes = None if nodes is None else nodes - made
            if self._interrupted or search.proven or nodes == 0 or left == 0 or not made:
                return
            thinking(search.result())

    def _of(self, position: Position) -> TreeSearch:
        """The search for the position's rule set."""
        if self._search is None or self._search.rules != position.rules:
            self._search = None  # or there would be memory for two of them
            try:
                self._search = TreeSearch(
                    position.rules,
                    keen=self.keen,
                    seed=self._random.getrandbits(63),
                    hash_mb=self._hash,
                    c=self._c,
                )
            except MemoryError as error:
                raise UnknownPlayer(f"{self.kind}: there is no memory for hash={self._hash}: {error}") from error
        return self._search

    def game_started(self, position: Position, seat: str) -> None:
        """Forget the last game, and have everything ready before the clock starts."""
        self._of(position).clear()

    def interrupt(self) -> None:
        """Have ``choose``, in another thread, answer at once."""
        self._interrupted = True
        if self._search is not None:
            self._search.interrupt()

    def agrees(self, offer: str, position: Position) -> bool:
        """Takebacks are granted, draws are not: a program has time."""
        return offer == "takeback"


def _left(ends: float | None) -> float | None:
    return None if ends is None else max(0.0, ends - time.perf_counter())


class UctPlayer(_TreePlayer):
    """The plain textbook: UCB1 with its own constant, one random game and one node an iteration, most visited move."""

    kind, keen = "uct", False

    def __init__(self, budget: str = "1s", seed: int | None = None, hash: int = 256) -> None:
        super().__init__(budget, seed, hash)


class MctsPlayer(_TreePlayer):
    """UCT that proves results, plays win-or-block games from the leaves, and keeps its tree between moves."""

    kind, keen = "mcts", True
