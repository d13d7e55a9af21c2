"""Monte-Carlo tree search as players: the textbook's, which never changes, and the keen one."""

import random
import time
from typing import ClassVar

from metatac.engine.budget import Budget
from metatac.engine.mcts import TreeSearch
from metatac.errors import UnknownPlayer
from metatac.game import Move, Position
from metatac.match import UNLIMITED, Clock

LEAST_HASH, MOST_HASH = 1, 1 << 20


class _TreePlayer:
    """Searches within a budget; a clock, if there is one, cuts it short."""

    kind: ClassVar[str]
    keen: ClassVar[bool]

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

    def choose(self, position: Position, clock: Clock = UNLIMITED) -> Move:
        return self._run(position, clock).best()

    def _run(self, position: Position, clock: Clock) -> TreeSearch:
        started = time.perf_counter()
        search, budget = self._of(position), self.budget.within(clock, position)
        search.set_position(position)
        seconds = None if budget.seconds is None else max(0.0, budget.seconds - (time.perf_counter() - started))
        search.run(iterations=budget.nodes, seconds=seconds)
        return search

    def _of(self, position: Position) -> TreeSearch:
        """The search for the position's rule set."""
        if self._search is None or self._search.rules != position.rules:
            self._search = TreeSearch(
                position.rules,
                keen=self.keen,
                seed=self._random.getrandbits(63),
                hash_mb=self._hash,
                c=self._c,
            )
        return self._search

    def game_started(self, position: Position, seat: str) -> None:
        """Forget the last game, and have everything ready before the clock starts."""
        self._of(position).clear()

    def interrupt(self) -> None:
        """Have ``choose``, in another thread, answer at once."""
        if self._search is not None:
            self._search.interrupt()

    def agrees(self, offer: str, position: Position) -> bool:
        """Takebacks are granted, draws are not: a program has time."""
        return offer == "takeback"


class UctPlayer(_TreePlayer):
    """The plain textbook: UCB1 with its own constant, one random game and one node an iteration, most visited move."""

    kind, keen = "uct", False

    def __init__(self, budget: str = "1s", seed: int | None = None, hash: int = 256) -> None:
        super().__init__(budget, seed, hash)


class MctsPlayer(_TreePlayer):
    """UCT that proves results, plays win-or-block games from the leaves, and keeps its tree between moves."""

    kind, keen = "mcts", True
