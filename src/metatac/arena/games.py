"""One game of a series: two fresh players, an opening, the referee."""

import contextlib
import random
import socket
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

from metatac.arena.contestants import Contestant
from metatac.errors import ArenaError, IsolationError
from metatac.game import Move, Position, start
from metatac.match import (
    OFFENCES,
    UNLIMITED,
    Abort,
    Adjudicate,
    Clock,
    Match,
    Offence,
    Player,
    Result,
    Seat,
    TimeControl,
    new_match,
    record_of,
    run,
    step,
)
from metatac.match.player import hook
from metatac.notation import Record
from metatac.rules import RuleSet

UNTIMED = TimeControl()

MARGIN = 0.1
"""Seconds beyond the time of a move before the referee calls it an overrun, unless one says otherwise."""

WARMUP = 0.1
"""Seconds that a player is given for the one move that loads and compiles what it needs."""

ADJUDICATION = 20_000
"""Nodes that the prover is given after a move where games are adjudicated, unless one says otherwise."""


AGAIN = (0.1, 1.0, 5.0, 20.0)
"""Seconds after which a game is begun again whose programs this machine could not start."""

Keep = Literal["game", "match"]
"""For how long a player lives: it is made anew for every game, or for every match of several games."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What all games of a series or a tournament have in common."""

    rules: RuleSet
    contestants: tuple[Contestant, ...]
    limits: TimeControl = UNTIMED
    """The time that the players are told of."""
    margin: float = MARGIN
    """Seconds beyond it before the referee calls an overrun: for every move, and once for the whole of a clock."""
    tags: tuple[tuple[str, str], ...] = ()
    """Of every record."""
    adjudicate: int | None = None
    """Nodes with which, after every move near the end, a proof is tried that ends the game; None: it is played out."""
    startup: float | None = None
    """Seconds that a player may take to get ready before its first move; None, or games without time: no limit."""
    keep: Keep = "game"

    def __post_init__(self) -> None:
        if not 0 <= self.margin <= 60:
            raise ArenaError(f"a margin of {self.margin:g} seconds is none")
        if self.adjudicate is not None and self.adjudicate < 1:
            raise ArenaError(f"nothing is proved with {self.adjudicate} nodes")
        if self.startup is not None and not self.startup > 0:
            raise ArenaError(f"nobody gets ready in {self.startup:g} seconds")

    @property
    def time(self) -> TimeControl:
        """The time that the referee goes by."""
        return self.limits.with_margin(self.margin)


@dataclass(frozen=True, slots=True)
class Job:
    """A game to be played. In the game 0 of a pair the first contestant has X, in game 1 it has O."""

    pair: int
    game: int
    opening: tuple[Move, ...]
    seed: int
    contestants: tuple[int, int] = (0, 1)
    """The first and the second, by their places in the setup."""

    @property
    def first_seat(self) -> Seat:
        return "O" if self.game else "X"

    @property
    def seats(self) -> tuple[int, int]:
        """Who has X and who has O."""
        first, second = self.contestants
        return (second, first) if self.game else (first, second)


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
    stderr: tuple[str, str] = ("", "")
    """What the programs behind X and O wrote about themselves, as far as it was kept."""
    tries: int = 1
    """How often the game was begun."""


class Guest:
    """A contestant's player at the games of a match: made before its clock starts, told its time without the margin."""

    def __init__(self, contestant: Contestant, seed: int, margin: float, startup: float | None = None) -> None:
        self.name = contestant.label
        self._load = partial(contestant.load, seed)
        self._margin, self._startup = margin, startup
        self._player: Player | None = None
        self._last_words = ""

    def game_started(self, position: Position, seat: Seat) -> None:
        if self._player is None:
            self._player = self._load()
        began = time.monotonic()  # what it takes to import a player of ours is nobody's time
        started = hook(self._player, "game_started")
        if started is not None:
            started(position, seat)
        own = hook(self._player, "close") is not None  # a program of its own sees to that without the machine's part
        if self._startup is not None and not own and time.monotonic() - began > self._startup + self._margin:
            raise Offence("overrun", f"not ready after {self._startup:g} s")

    def choose(self, position: Position, clock: Clock = UNLIMITED) -> Move:
        assert self._player is not None
        return self._player.choose(position, clock.without_margin(self._margin))

    def close(self) -> None:
        """Let the player go, with whatever it keeps running; the next game makes a new one."""
        close = hook(self._player, "close")
        if close is not None:
            close()
        self._last_words, self._player = self.stderr, None

    @property
    def stderr(self) -> str:
        """What the program behind the player, or behind the one that was let go last, wrote about itself."""
        return self._last_words if self._player is None else str(getattr(self._player, "stderr", ""))

    def __getattr__(self, name: str) -> Any:
        """The other methods that the referee looks for are the player's own, where it has them."""
        if name.startswith("_") or self._player is None:
            raise AttributeError(name)
        return getattr(self._player, name)


class Stopped(Exception):
    """A game was given up since nobody waits for it any more."""


class GameRoom:
    """Where games are played one after the other; a process has one."""

    def __init__(self, setup: Setup, stopping: Callable[[], bool] = lambda: False) -> None:
        self.setup = setup
        self._stopping = stopping
        self._warm: set[int] = set()
        self._adjudicate = None if setup.adjudicate is None else _adjudicator(setup.rules, setup.adjudicate)

    def play(self, jobs: tuple[Job, ...]) -> Iterator[Played]:
        """The games of a match, each played to its end; players live for a game or for all of them.

        A player that fails forfeits its game; only Stopped and Ctrl-C pass. A game whose programs this machine cannot
        start is begun again, a few times; after that IsolationError ends the run, which can go on another time.
        """
        guests: dict[int, Guest] = {}
        try:
            for job in jobs:
                for number in job.seats:
                    self._warm_up(number)
                    if number not in guests:
                        guests[number] = self._guest(number, job)
                yield self._play_one(job, (guests[job.seats[0]], guests[job.seats[1]]))
                if self.setup.keep == "game":
                    guests.clear()
        finally:
            for guest in guests.values():
                guest.close()

    def _guest(self, number: int, job: Job) -> Guest:
        contestant = self.setup.contestants[number]
        startup = None if self.setup.limits == UNTIMED else self.setup.startup
        return Guest(contestant, _seed(job, contestant.label), self.setup.margin, startup)

    def _play_one(self, job: Job, guests: tuple[Guest, Guest]) -> Played:
        tries = 1
        while True:
            try:
                return replace(self._play_once(job, guests), tries=tries)
            except IsolationError as error:
                for guest in guests:
                    guest.close()
                if tries > len(AGAIN):
                    where = f"on {socket.gethostname()}, tried {tries} times"
                    raise IsolationError(f"{error} ({where}); mend that, run it again, and it goes on") from None
            time.sleep(AGAIN[tries - 1])
            tries += 1

    def _play_once(self, job: Job, guests: tuple[Guest, Guest]) -> Played:
        match = run(_new_match(self.setup, job), guests, watch=self._watch, adjudicate=self._adjudicate)
        played = _played(self.setup, job, match)
        # One that forfeited may be in any state: it begins the next game anew.
        if self.setup.keep == "game" or played.result.reason in OFFENCES:
            for guest in guests:
                guest.close()
        return replace(played, stderr=(guests[0].stderr, guests[1].stderr))

    def _watch(self, *_: object) -> None:
        if self._stopping():
            raise Stopped

    def _warm_up(self, number: int) -> None:
        """One move of a player that nobody counts, so that no game is lost to loading and compiling.

        A program of its own (it can be closed) has its start-up time for that.
        """
        if number in self._warm or self.setup.limits == UNTIMED:
            return
        self._warm.add(number)
        position = start(self.setup.rules)
        # Whatever goes wrong here goes wrong in the game too, where it has a name and a price.
        with contextlib.suppress(Exception):
            player = self.setup.contestants[number].load(0)
            if hook(player, "close") is None:
                guest = Guest(self.setup.contestants[number], 0, 0.0)
                guest.game_started(position, "X")
                guest.choose(position, Clock(limit=min(WARMUP, self.setup.limits.move or WARMUP)))


def given_up(setup: Setup, job: Job, detail: str) -> Played:
    """The game as one that could not be played and counts for nobody."""
    match, _ = step(_new_match(setup, job), Abort(detail), 0.0)
    return _played(setup, job, match)


def _new_match(setup: Setup, job: Job) -> Match:
    x, o = (setup.contestants[number].label for number in job.seats)
    return new_match(setup.rules, time=setup.time, strict=True, names=(x, o), opening=job.opening)


def _played(setup: Setup, job: Job, match: Match) -> Played:
    assert match.result is not None
    tags = dict(setup.tags) | {"Round": f"{job.pair + 1}.{job.game + 1}", "Seed": str(job.seed)}
    used = _used(match, "X"), _used(match, "O")
    return Played(job, match.result, record_of(match, tags), used if job.first_seat == "X" else used[::-1])


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
