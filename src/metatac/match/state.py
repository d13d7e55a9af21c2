"""The state of a match: one frozen value that holds all of it, and its JSON."""

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, cast

from metatac.errors import MatchError, MetatacError
from metatac.game import Move, Position, position, start
from metatac.match.result import SEATS, Result, Seat, clean, other, seat_of
from metatac.match.time_control import DIGITS, Clock, TimeControl
from metatac.rules import RuleSet

VERSION = 1
"""Of the JSON form; a later one reads the earlier ones."""

LONGEST_NAME = 200
"""Names of players are cut to this many characters."""

Phase = Literal["ready", "running", "paused", "over"]


@dataclass(frozen=True, slots=True)
class Ply:
    """One move of the match and its time, in seconds."""

    move: Move
    seconds: float | None = None
    """What it took; None for a move of the opening that the match began with."""
    remaining: float | None = None
    """What its seat then had left of its total, if there is one."""


@dataclass(frozen=True, slots=True)
class Match:
    """Everything about a match at one moment. Only ``step`` makes the next one.

    Times are seconds on whatever clock the driver uses for ``now``. With a wall clock a match goes on in
    another process with its clocks right; after a clock that ends with its process, send ``Resume`` first.
    """

    start: Position
    time: TimeControl
    strict: bool = False
    """True among programs: what is no legal move forfeits. Among people it is refused with the reason."""
    names: tuple[str, str] = ("X", "O")
    plies: tuple[Ply, ...] = ()
    started: bool = False
    since: float | None = None
    """When the mover's clock was last started; None while no clock runs."""
    banked: float = 0.0
    """Seconds that the mover had used for this move before ``since``."""
    remaining: tuple[float, float] | None = None
    """What X and O had left of their totals when the present move began."""
    draw_offer: Seat | None = None
    takeback: Seat | None = None
    """Who asks for a takeback."""
    result: Result | None = None
    positions: tuple[Position, ...] = field(default=(), compare=False, repr=False)
    """From the start to the present one; follows from ``start`` and ``plies``, kept to replay nothing."""

    # -- the game

    @property
    def rules(self) -> RuleSet:
        return self.start.rules

    @property
    def position(self) -> Position:
        return self.positions[-1]

    @property
    def moves(self) -> tuple[Move, ...]:
        return tuple(ply.move for ply in self.plies)

    @property
    def last_move(self) -> Move | None:
        return self.plies[-1].move if self.plies else None

    @property
    def turn(self) -> Seat:
        """The seat that is to move."""
        return cast(Seat, self.position.turn)

    @property
    def phase(self) -> Phase:
        if self.result is not None:
            return "over"
        if not self.started:
            return "ready"
        return "paused" if self.since is None else "running"

    def decision_before(self, seat: Seat) -> int | None:
        """How many moves there were when the seat last had to decide, before now; None where it never has.

        A seat that is in the middle of a bonus goes back to the move that won it.
        """
        earlier = range(len(self.plies) - 1, -1, -1)
        return next((i for i in earlier if self.positions[i].turn == seat), None)

    # -- the clocks

    @property
    def limit(self) -> float | None:
        """The most that the present move may take, from its very beginning."""
        mover = self.turn
        first = self.time.first is not None and not any(
            ply.seconds is not None and before.turn == mover
            for ply, before in zip(self.plies, self.positions, strict=False)
        )
        limits = [self.time.move_limit(first)]
        if self.remaining is not None:
            limits.append(self.remaining[SEATS.index(mover)])
        return min((limit for limit in limits if limit is not None), default=None)

    @property
    def deadline(self) -> float | None:
        """The moment at which the mover has overrun: the driver should send a Tick then. None: never."""
        limit = self.limit
        return None if limit is None or self.since is None else self.since + (limit - self.banked)

    def spent(self, now: float, lag: float = 0.0) -> float:
        """Seconds charged to the present move so far. A clock that ran backwards charges nothing."""
        return self.banked if self.since is None else self.banked + max(0.0, now - self.since - lag)

    def remaining_at(self, now: float) -> tuple[float, float] | None:
        """What X and O have left of their totals, for showing."""
        if self.remaining is None or self.result is not None:
            return self.remaining
        return self.charged(self.spent(now))

    def charged(self, seconds: float, increment: float = 0.0) -> tuple[float, float] | None:
        """What both have left once the mover has used the seconds and been given the increment."""
        if self.remaining is None:
            return None
        x, o = self.remaining
        if self.turn == "X":
            return (round(max(0.0, x - seconds) + increment, DIGITS), o)
        return (x, round(max(0.0, o - seconds) + increment, DIGITS))

    def remaining_before(self, ply: int, now: float) -> tuple[float, float] | None:
        """What both have left if the moves from the ply on are taken back.

        The time that was thought stays thought, and what the moves brought goes with them: else a move that is
        made and taken back again and again would be time for nothing. It can be less than nothing.
        """
        left = self.charged(self.spent(now))
        if left is None:
            return None
        undone = zip(self.plies[ply:], self.positions[ply:], strict=False)
        movers = [before.turn for move, before in undone if move.seconds is not None]
        x, o = (self.time.increment * movers.count(seat) for seat in SEATS)
        return (left[0] - x, left[1] - o)

    def clock(self, now: float) -> Clock:
        """What the mover is told when asked for a move."""
        limit, left = self.limit, self.remaining_at(now)
        return Clock(
            limit=None if limit is None else max(0.0, limit - self.spent(now)),
            own=None if left is None else left[SEATS.index(self.turn)],
            opponent=None if left is None else left[SEATS.index(other(self.turn))],
            increment=self.time.increment,
        )

    # -- JSON

    def to_dict(self) -> dict[str, Any]:
        """Plain data from which ``from_dict`` makes an equal match, in this process or another."""
        return {
            "version": VERSION,
            "start": self.start.text,
            "time": str(self.time),
            **({"margin": self.time.margin} if self.time.margin else {}),
            "strict": self.strict,
            "names": list(self.names),
            "plies": [[str(ply.move), ply.seconds, ply.remaining] for ply in self.plies],
            "started": self.started,
            "since": self.since,
            "banked": self.banked,
            "remaining": None if self.remaining is None else list(self.remaining),
            "draw_offer": self.draw_offer,
            "takeback": self.takeback,
            "result": None if self.result is None else self.result.to_dict(),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], known: "Match | None" = None) -> "Match":
        """The match that ``to_dict`` wrote, its moves replayed and checked; MatchError if it is none.

        As far as its moves are those of a ``known`` match from the same start, they are taken from there.
        """
        try:
            if data["version"] != VERSION:
                raise MatchError(f"match data of version {data['version']!r:.40}; this metatac reads {VERSION}")
            return _from_checked(data, known)
        except MatchError:
            raise
        except MetatacError as error:
            raise MatchError(f"match data do not replay: {error}") from error
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise MatchError(f"no match data: {error!r}") from error


def new_match(
    source: "Position | RuleSet | str | os.PathLike[str]",
    *,
    time: TimeControl | str | None = None,
    strict: bool = False,
    names: tuple[str, str] = ("X", "O"),
    opening: Iterable[Move | str] = (),
    **options: Any,
) -> Match:
    """A match about to start, from a position or from rules as ``metatac.start`` takes them.

    Without ``time`` each move has the rule set's own limit. ``opening`` is played, checked, at no cost.
    """
    first = source if isinstance(source, Position) else start(source, **options)
    if isinstance(source, Position) and options:
        raise MatchError(f"a position has its rules already: {', '.join(options)} cannot be changed")
    if time is None:
        time = TimeControl(move=first.rules.move_time or None)
    elif isinstance(time, str):
        time = TimeControl.parse(time)
    plies, positions = _replayed((first,), ((move, None, None) for move in opening))
    remaining = None if time.total is None else (time.total, time.total)
    return Match(first, time, strict, _names(names), tuple(plies), remaining=remaining, positions=tuple(positions))


def _replayed(
    positions: tuple[Position, ...], moves: Iterable[tuple[Move | str, float | None, float | None]]
) -> tuple[list[Ply], list[Position]]:
    """Further moves, and the positions with those that they lead to."""
    plies, line = [], list(positions)
    for text, seconds, remaining in moves:
        move = line[-1].parse(text) if isinstance(text, str) else text
        line.append(line[-1].play(move))
        plies.append(Ply(move, seconds, remaining))
    return plies, line


def _as_known(plies: Sequence[Any], known: Match) -> int:
    """How many of the plies, from the first on, are those of a known match."""
    pairs = enumerate(zip(plies, known.plies, strict=False))
    differs = (n for n, (one, ply) in pairs if one != [str(ply.move), ply.seconds, ply.remaining])
    return next(differs, min(len(plies), len(known.plies)))


def _from_checked(data: Mapping[str, Any], known: Match | None) -> Match:
    if known is None or known.start.text != data["start"]:
        first = position(data["start"])
        known = Match(first, TimeControl(), positions=(first,))
    kept = _as_known(data["plies"], known)
    moves = [(str(move), _number(seconds), _number(left)) for move, seconds, left in data["plies"][kept:]]
    plies, positions = _replayed(known.positions[: kept + 1], moves)
    remaining = data["remaining"]
    banked = _number(data["banked"])
    if banked is None or not isinstance(data["strict"], bool) or not isinstance(data["started"], bool):
        raise MatchError("no match data: strict and started are true or false, banked is a number")
    return Match(
        start=known.start,
        time=replace(TimeControl.parse(data["time"]), margin=_number(data.get("margin")) or 0.0),
        strict=data["strict"],
        names=_names(data["names"]),
        plies=(*known.plies[:kept], *plies),
        started=data["started"],
        since=_number(data["since"]),
        banked=banked,
        remaining=None if remaining is None else _pair(remaining),
        draw_offer=_maybe_seat(data["draw_offer"]),
        takeback=_maybe_seat(data["takeback"]),
        result=None if data["result"] is None else Result.from_dict(data["result"]),
        positions=tuple(positions),
    )


def _number(value: object) -> float | None:
    if value is None:
        return None
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise MatchError(f"no match data: {str(value)[:40]!r} stands where seconds are wanted")
    try:
        seconds = float(value)
    except OverflowError:
        seconds = math.inf
    if not math.isfinite(seconds):
        raise MatchError(f"no match data: {str(value)[:40]!r} is no number of seconds")
    return seconds


def _pair(value: Any) -> tuple[float, float]:
    x, o = (_number(item) for item in value)
    if x is None or o is None:
        raise MatchError("no match data: remaining time of one seat only")
    return (x, o)


def _maybe_seat(value: object) -> Seat | None:
    return None if value is None else seat_of(value)


def _names(value: Any) -> tuple[str, str]:
    x, o = value
    if not isinstance(x, str) or not isinstance(o, str):
        raise MatchError("the names of the players are two texts")
    return (clean(x[:LONGEST_NAME]), clean(o[:LONGEST_NAME]))
