"""What can happen to a match, and what the referee answers: plain frozen values that travel as JSON."""

import math
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any, ClassVar, Literal, cast

from metatac.errors import MatchError
from metatac.game import Move
from metatac.match.result import LONGEST_DETAIL, OFFENCES, Result, Seat, seat_of

LONGEST_MOVE = 200
"""A move's text is cut to this many characters: enough for an error to quote, and never a flood."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened. ``kind`` names it in JSON."""

    kind: ClassVar[str] = ""

    def to_dict(self) -> dict[str, Any]:
        """``{"kind": …}`` and the fields that differ from their defaults."""
        data: dict[str, Any] = {"kind": self.kind}
        for field in fields(self):
            value = getattr(self, field.name)
            if field.default is MISSING or value != field.default:
                data[field.name] = list(value) if isinstance(value, tuple) else value
        return data


@dataclass(frozen=True, slots=True)
class SeatEvent(Event):
    """Something that one seat did."""

    seat: Seat

    def __post_init__(self) -> None:
        seat_of(self.seat)


@dataclass(frozen=True, slots=True)
class Start(Event):
    """Both are ready: the clock of who moves first starts."""

    kind = "start"


@dataclass(frozen=True, slots=True, init=False)
class MoveMade(Event):
    """A seat's move, as a Move or as the text that arrived; kept as text."""

    kind = "move"
    seat: Seat
    move: str
    lag: float = 0.0
    """Seconds of the way here that are not the seat's fault and are not charged."""

    def __init__(self, seat: Seat, move: "Move | str", lag: float = 0.0) -> None:
        object.__setattr__(self, "seat", seat_of(seat))
        object.__setattr__(self, "move", _move_text(move))
        object.__setattr__(self, "lag", _allowance(lag))


@dataclass(frozen=True, slots=True)
class Tick(Event):
    """Time has passed: has anyone overrun?"""

    kind = "tick"
    lag: float = 0.0
    """Seconds of grace for a move that may be on its way."""

    def __post_init__(self) -> None:
        _allowance(self.lag)


@dataclass(frozen=True, slots=True)
class Resign(SeatEvent):
    kind = "resign"


@dataclass(frozen=True, slots=True)
class OfferDraw(SeatEvent):
    """Offers a draw, or accepts the one that the opponent has offered."""

    kind = "offer draw"


@dataclass(frozen=True, slots=True)
class AcceptDraw(SeatEvent):
    kind = "accept draw"


@dataclass(frozen=True, slots=True)
class DeclineDraw(SeatEvent):
    """Declines the opponent's offer, or withdraws one's own."""

    kind = "decline draw"


@dataclass(frozen=True, slots=True)
class RequestTakeback(SeatEvent):
    """Asks to go back to the seat's own last decision."""

    kind = "request takeback"


@dataclass(frozen=True, slots=True)
class AcceptTakeback(SeatEvent):
    kind = "accept takeback"


@dataclass(frozen=True, slots=True)
class DeclineTakeback(SeatEvent):
    """Declines the opponent's request, or withdraws one's own."""

    kind = "decline takeback"


@dataclass(frozen=True, slots=True)
class Forfeit(Event):
    """The driver found an offence that the referee cannot see: a crash, garbage, too much memory, …"""

    kind = "forfeit"
    seat: Seat
    reason: str
    detail: str = ""

    def __post_init__(self) -> None:
        seat_of(self.seat)
        if self.reason not in OFFENCES:
            raise MatchError(f"{str(self.reason)[:40]!r} is no reason to forfeit; {', '.join(OFFENCES)} are")
        object.__setattr__(self, "detail", _words(self.detail))


@dataclass(frozen=True, slots=True)
class Adjudicate(Event):
    """The end is known (proven, say) and need not be played out; points where they are known too."""

    kind = "adjudicate"
    winner: Seat | None
    points: tuple[float, float] | None = None
    detail: str = ""

    def __post_init__(self) -> None:
        if self.winner is not None:
            seat_of(self.winner)
        if self.points is not None:
            object.__setattr__(self, "points", _points(self.points))
        object.__setattr__(self, "detail", _words(self.detail))


@dataclass(frozen=True, slots=True)
class Abort(Event):
    """The match is called off and does not count."""

    kind = "abort"
    detail: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "detail", _words(self.detail))


@dataclass(frozen=True, slots=True)
class Pause(Event):
    """The clock stops; the time used for this move so far stays used."""

    kind = "pause"


@dataclass(frozen=True, slots=True)
class Resume(Event):
    """The clock runs from now. Where a process died without a Pause, the time in between is nobody's."""

    kind = "resume"


EVENTS: dict[str, type[Event]] = {
    event.kind: event
    for event in (
        Start,
        MoveMade,
        Tick,
        Resign,
        OfferDraw,
        AcceptDraw,
        DeclineDraw,
        RequestTakeback,
        AcceptTakeback,
        DeclineTakeback,
        Forfeit,
        Adjudicate,
        Abort,
        Pause,
        Resume,
    )
}


def event_from_dict(data: Mapping[str, Any]) -> Event:
    """The event that ``to_dict`` wrote; MatchError where the data are none."""
    rest = dict(data)
    kind = rest.pop("kind", None)
    event = EVENTS.get(kind) if isinstance(kind, str) else None
    if event is None:
        raise MatchError(f"{str(kind)[:40]!r} is no event of a match; {', '.join(EVENTS)} are")
    try:
        return event(**rest)
    except TypeError as error:
        raise MatchError(f"no {kind} event: {error}") from None


# -- what the referee answers


@dataclass(frozen=True, slots=True)
class Action:
    """Something for the driver to do or to tell."""

    kind: ClassVar[str] = ""

    def to_dict(self) -> dict[str, Any]:
        data: dict[str, Any] = {"kind": self.kind}
        for field in fields(self):
            value = getattr(self, field.name)
            data[field.name] = value.to_dict() if isinstance(value, Result) else value
        return data


@dataclass(frozen=True, slots=True)
class Ask(Action):
    """The seat is to move: ask its player."""

    kind = "ask"
    seat: Seat


@dataclass(frozen=True, slots=True)
class Played(Action):
    kind = "played"
    seat: Seat
    move: str


@dataclass(frozen=True, slots=True)
class Refused(Action):
    """The move was no move (among people): nothing has changed and the seat is still to move."""

    kind = "refused"
    seat: Seat
    move: str
    message: str


@dataclass(frozen=True, slots=True)
class Offered(Action):
    """A seat offers a draw or asks for a takeback: ask the other one."""

    kind = "offered"
    offer: Literal["draw", "takeback"]
    seat: Seat


@dataclass(frozen=True, slots=True)
class Declined(Action):
    """The seat declined the opponent's offer, or withdrew its own."""

    kind = "declined"
    offer: Literal["draw", "takeback"]
    seat: Seat


@dataclass(frozen=True, slots=True)
class TakenBack(Action):
    """The seat's request was granted and so many moves were undone."""

    kind = "taken back"
    seat: Seat
    moves: int


@dataclass(frozen=True, slots=True)
class Ended(Action):
    kind = "ended"
    result: Result


# -- the small checks


def _move_text(move: object) -> str:
    if not isinstance(move, str | Move):
        raise MatchError(f"a move is a Move or a text, not {type(move).__name__}")
    try:
        return str(move)[:LONGEST_MOVE]
    except (IndexError, TypeError):
        raise MatchError(f"{tuple(move)!r:.80} is no move of any game") from None


def _allowance(lag: object) -> float:
    if not isinstance(lag, int | float) or isinstance(lag, bool) or not math.isfinite(lag) or lag < 0:
        raise MatchError(f"a lag is a number of seconds from 0 up, not {str(lag)[:40]}")
    return float(lag)


def _words(detail: object) -> str:
    if not isinstance(detail, str):
        raise MatchError(f"a detail is a text, not {type(detail).__name__}")
    return detail[:LONGEST_DETAIL]


def _points(points: object) -> tuple[float, float]:
    pair = tuple(points) if isinstance(points, list | tuple) else ()
    numbers = [n for n in pair if isinstance(n, int | float) and not isinstance(n, bool) and math.isfinite(n)]
    if len(pair) != 2 or len(numbers) != 2:
        raise MatchError(f"points are two numbers, X's and O's, not {str(points)[:40]}")
    return cast(tuple[float, float], pair)
