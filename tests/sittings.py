"""A table and its owner's thread, which is the test's."""

import queue
from collections.abc import Callable
from typing import Any

from metatac.table import News, Plan, Seats, Table, plan_game

PATIENCE = 240.0
"""Seconds after which what is waited for will not come."""


class Sitting:
    """A table whose news are kept."""

    def __init__(self, plan: Plan, **how: Any) -> None:
        self.calls: queue.Queue[Callable[[], object]] = queue.Queue()
        self.news: list[News] = []
        self.table = Table(plan, post=self.calls.put, listen=self.news.append, **how)
        self.table.begin()

    def wait(self, done: Callable[[], bool]) -> None:
        """Let news come in until it is done."""
        while not done():
            self.calls.get(timeout=PATIENCE)()

    def wait_for_person(self) -> None:
        self.wait(lambda: self.table.waiting not in ("computer", "ready"))

    def of(self, kind: type) -> list[Any]:
        return [news for news in self.news if isinstance(news, kind)]

    @property
    def moves(self) -> list[str]:
        return [str(move) for move in self.table.match.moves]


Sit = Callable[..., Sitting]
"""Makes a sitting: ``sit("ultimate", "human", "random", seed=1, time="5m", keep=False)``."""


def sitting(game: str | Plan, x: str = "human", o: str = "human", *, seed: int = 1, **how: Any) -> Sitting:
    told = {name: how.pop(name) for name in ("clock", "keep") if name in how}
    plan = game if isinstance(game, Plan) else plan_game(game, Seats(x, o, seed), **how)
    return Sitting(plan, **told)
