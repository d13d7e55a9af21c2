"""One game of a series: two fresh players, an opening, the referee."""

import contextlib
import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from metatac.arena.contestants import Contestant
from metatac.errors import ArenaError
from metatac.game import Move, Position, start
from metatac.match import (
    UNLIMITED,
    Adjudicate,
    Clock,
    Match,
    Player,
    Result,
    Seat,
    TimeControl,
    new_match,
    record_of,
    run,
)
from metatac.notation import Record
from metatac.rules import RuleSet

MARGIN = 0.1
"""Seconds beyond the time of a move before the referee calls it an overrun, unless one says otherwise."""

WARMUP = 0.1
"""Seconds that a player is given for the one move that loads and compiles what it needs."""

ADJUDICATION = 20_000
"""Nodes that the prover is given after a move where games are adjudicated, unless one says otherwise."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What all games of a series have in common."""

    rules: RuleSet
    contestants: tuple[Contestant, Contestant]
    seconds: float | None = None
    """For a move; None: no limit."""
    margin: float = MARGIN
    tags: tuple[tuple[str, str], ...] = ()
    """Of every record."""
    adjudicate: int | None = None
    """Nodes with which, after every move near the end, a proof is tried that ends the game; None: it is played out."""

    def __post_init__(self) -> None:
        if self.seconds is not None and not 0 < self.seconds <= 86_400:
            raise ArenaError(f"a move cannot have {self.seconds:g} seconds")
        if not 0 <= self.margin <= 60:
            raise ArenaError(f"a margin of {self.margin:g} seconds is none")
        if self.adjudicate is not None and self.adjudicate < 1:
            raise ArenaError(f"nothing is proved with {self.adjudicate} nodes")

    @property
    def time(self) -> TimeControl:
        return TimeControl() if self.seconds is None else TimeControl(move=round(self.seconds + self.margin, 6))


@dataclass(frozen=True, slots=True)
class Job:
    """A game to be played. In the game 0 of a pair the first contestant has X, in game 1 it has O."""

    pair: int
    game: int
    opening: tuple[Move, ...]
    seed: int

    @property
    def first_seat(self) -> Seat:
        return "O" if self.game else "X"


@dataclass(frozen=True, slots=True)
class Used:
    """The time that one contestant used in a game or in many, in seconds."""

    moves: int = 0
    total: float = 0.0
    longest: float = 0.0

    def __add__(self, other: "Used") -> "Used":
        return Used(self.moves + other.moves, self.total + other.total, max(self.longest, other.longest))


@dataclass(frozen=True, slots=True)
class Played:
    """A game that was played."""

    job: Job
    result: Result
    record: Record
    used: tuple[Used, Used]
    """By the first contestant and by the second."""


class Guest:
    """A contestant's player at one game: made before its clock starts, and told its time without the margin."""

    def __init__(self, contestant: Contestant, seed: int, margin: float) -> None:
        self.name = contestant.label
        self._load = partial(contestant.load, seed)
        self._margin = margin
        self._player: Player | None = None

    def game_started(self, position: Position, seat: Seat) -> None:
        self._player = self._load()
        started = getattr(self._player, "game_started", None)
        if callable(started):
            started(position, seat)

    def choose(self, position: Position, clock: Clock = UNLIMITED) -> Move:
        assert self._player is not None
        if clock.limit is not None:
            clock = replace(clock, limit=max(0.0, clock.limit - self._margin))
        return self._player.choose(position, clock)

    def __getattr__(self, name: str) -> Any:
        """The other methods that the referee looks for are the player's own, where it has them."""
        if name.startswith("_") or self._player is None:
            raise AttributeError(name)
        return getattr(self._player, name)


class Stopped(Exception):
    """A game was given up since nobody waits for it any more."""


class GameRoom:
    """Where games of a series are played one after the other; a process has one."""

    def __init__(self, setup: Setup, stopping: Callable[[], bool] = lambda: False) -> None:
        self.setup = setup
        self._stopping = stopping
        self._warm = setup.seconds is None
        self._adjudicate = None if setup.adjudicate is None else _adjudicator(setup.rules, setup.adjudicate)

    def play(self, job: Job) -> Played:
        """The game, played to its end. A player that fails forfeits it; only Stopped and Ctrl-C pass."""
        if not self._warm:
            self._warm_up()
        contestants = self.setup.contestants if job.first_seat == "X" else self.setup.contestants[::-1]
        labels = (contestants[0].label, contestants[1].label)
        guests = [Guest(contestant, _seed(job, contestant.label), self.setup.margin) for contestant in contestants]
        match = new_match(self.setup.rules, time=self.setup.time, strict=True, names=labels, opening=job.opening)
        match = run(match, (guests[0], guests[1]), watch=self._watch, adjudicate=self._adjudicate)
        assert match.result is not None
        tags = dict(self.setup.tags) | {"Round": f"{job.pair + 1}.{job.game + 1}", "Seed": str(job.seed)}
        used = _used(match, "X"), _used(match, "O")
        return Played(job, match.result, record_of(match, tags), used if job.first_seat == "X" else used[::-1])

    def _watch(self, *_: object) -> None:
        if self._stopping():
            raise Stopped

    def _warm_up(self) -> None:
        """One move of each player that nobody counts, so that no game is lost to loading and compiling."""
        self._warm = True
        limit = min(WARMUP, self.setup.seconds or WARMUP)
        position = start(self.setup.rules)
        for contestant in self.setup.contestants:
            guest = Guest(contestant, 0, 0.0)
            # Whatever goes wrong here goes wrong in the game too, where it has a name and a price.
            with contextlib.suppress(Exception):
                guest.game_started(position, "X")
                guest.choose(position, Clock(limit=limit))


def _adjudicator(rules: RuleSet, nodes: int) -> Callable[[Match], Adjudicate | None]:
    from metatac.arena.adjudicator import Adjudicator  # the engine is loaded only where it is asked for

    return Adjudicator(rules, nodes)


def _seed(job: Job, label: str) -> int:
    return random.Random(f"{job.seed}/{job.pair}/{job.game}/{label}").getrandbits(32)


def _used(match: Match, seat: Seat) -> Used:
    spent = [
        ply.seconds
        for ply, before in zip(match.plies, match.positions, strict=False)
        if before.turn == seat and ply.seconds is not None
    ]
    return Used(len(spent), sum(spent), max(spent, default=0.0))
