"""Players for tests that wait, break, cheat or cannot be interrupted. What happens to them is noted in ``LOG``."""

import threading
from typing import Any

from metatac.game import Move, Position
from metatac.match import UNLIMITED, Clock, Instead, Offence, OfferDraw, Resign
from metatac.players import Entry, Option

LOG: list[str] = []
GATE = threading.Event()
"""What slow players wait for."""
LONG = 300.0


class Odd:
    """Plays the first legal move."""

    name = "odd"

    def __init__(self, **options: Any) -> None:
        self.options = options

    def choose(self, position: Position, clock: Clock = UNLIMITED) -> Move:
        return position.legal_moves[0]


class SlowToStart(Odd):
    """Is ready when the gate is opened."""

    def game_started(self, position: Position, seat: str) -> None:
        GATE.wait(LONG)
        LOG.append("ready")


class Deep(Odd):
    """Thinks until it is interrupted, then moves; a moment's interruption before it has begun is lost on it."""

    thinking: Any = None

    def __init__(self) -> None:
        self._stop = threading.Event()

    def choose(self, position: Position, clock: Clock = UNLIMITED) -> Move:
        self._stop.clear()
        LOG.append(f"thinks {len(position.cells) - position.cells.count('.')}")
        if self.thinking is not None:
            self.thinking("a word")
        if not self._stop.wait(LONG):
            LOG.append("nobody interrupted it")
        return position.legal_moves[-1]

    def interrupt(self) -> None:
        self._stop.set()


class Program(Odd):
    """Can only be closed, as a program in another process; then it answers with an offence."""

    def __init__(self) -> None:
        self._closed = threading.Event()

    def choose(self, position: Position, clock: Clock = UNLIMITED) -> Move:
        LOG.append("asked")
        self._closed.wait(LONG)
        raise Offence("crash", "it was closed")

    def close(self) -> None:
        LOG.append("closed")
        self._closed.set()


class StillBorn(Odd):
    """A program that dies before the game."""

    def game_started(self, position: Position, seat: str) -> None:
        raise Offence("crash", "exit status 1")


class Wrong(Odd):
    """Does what its option says in place of a move."""

    def choose(self, position: Position, clock: Clock = UNLIMITED) -> Any:
        what = self.options["what"]
        if what == "resign":
            raise Instead(Resign)
        if what == "draw":
            raise Instead(OfferDraw)
        if what == "offence":
            raise Offence("tampering", "it was seen")
        if what == "exit":
            raise SystemExit(3)
        if what == "memory":
            raise MemoryError
        return {"illegal": "aa", "garbage": "☃", "number": 7, "none": None}[what]


ENTRIES = (
    Entry("slow-to-start", "", "odd_players:SlowToStart"),
    Entry("still-born", "", "odd_players:StillBorn"),
    Entry("deep", "", "odd_players:Deep"),
    Entry("program", "", "odd_players:Program"),
    Entry("wrong", "", "odd_players:Wrong", (Option("what", "text", "", main=True),)),
)
