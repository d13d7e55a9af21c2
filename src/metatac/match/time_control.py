"""How much time the players have, as a value with a text: ``none``, ``16/move``, ``5m+3s``."""

import math
import re
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import lru_cache

from metatac.errors import MatchError

LONGEST = 366 * 86_400.0
"""No duration of a time control is longer than this many seconds."""

DIGITS = 6
"""Of seconds that are kept: a match is written at every move, and what a float has beyond them is the most of it."""

_UNITS = {"d": 86_400, "h": 3600, "m": 60, "s": 1}
_DURATION = re.compile(r"(?:\d+(?:\.\d+)?(?:d|h|ms?|s))+|\d+(?:\.\d+)?", re.ASCII)
_PIECE = re.compile(r"(\d+(?:\.\d+)?)(ms|[dhms]?)", re.ASCII)
_FORMS = "none, 16/move, 100ms/move,1s/first or 5m+3s (also together: 5m+3s,30/move)"


@dataclass(frozen=True, slots=True)
class TimeControl:
    """A limit for each move, a clock for the whole game with an increment, both, or neither (in seconds)."""

    move: float | None = None
    """The most that one move may take; every move, a bonus move too, starts with it afresh."""
    first: float | None = None
    """What stands for ``move`` on each seat's first move, for players that start slowly."""
    total: float | None = None
    """What each seat has for the whole game."""
    increment: float = 0.0
    """Given to the mover after each move."""
    margin: float = 0.0
    """How much of these times, but the increment, the referee forgives and nobody is told of; not in the text."""

    def __post_init__(self) -> None:
        for name in ("move", "first", "total"):
            seconds = getattr(self, name)
            if seconds is not None:
                _check(name, seconds, positive=True)
        for name in ("increment", "margin"):
            _check(name, getattr(self, name), positive=False)
        if self.first is not None and self.move is None:
            raise MatchError("a limit for the first move needs one for the other moves too")
        if self.increment and self.total is None:
            raise MatchError("an increment needs a total time that it is added to")

    @classmethod
    @lru_cache(256)
    def parse(cls, text: str) -> "TimeControl":
        """The time control that a text names; MatchError lists the forms."""
        found: dict[str, float] = {}
        for part in () if text.strip() == "none" else text.strip().split(","):
            for key, seconds in _parse_part(part.strip(), text):
                if key in found:
                    raise MatchError(f"time control {text[:80]!r} states {key} twice")
                found[key] = seconds
        return cls(**found)

    def __str__(self) -> str:
        parts = []
        if self.total is not None:
            parts.append(print_duration(self.total))
            if self.increment:
                parts[0] += f"+{print_duration(self.increment)}"
        if self.move is not None:
            parts.append(f"{_plain(self.move)}/move")
        if self.first is not None:
            parts.append(f"{_plain(self.first)}/first")
        return ",".join(parts) or "none"

    def with_margin(self, seconds: float) -> "TimeControl":
        """The control that a referee goes by who allows so much beyond what players are told."""
        longer = {name: round(time + seconds, DIGITS) for name, time in self._times().items()}
        return replace(self, margin=self.margin + seconds if longer else 0.0, **longer)

    @property
    def told(self) -> "TimeControl":
        """The control as it was set and as players are told: without the margin."""
        least = 10.0**-DIGITS
        shorter = {name: max(least, round(time - self.margin, DIGITS)) for name, time in self._times().items()}
        return replace(self, margin=0.0, **shorter) if self.margin else self

    def _times(self) -> dict[str, float]:
        times = {"move": self.move, "first": self.first, "total": self.total}
        return {name: time for name, time in times.items() if time is not None}

    def move_limit(self, first: bool) -> float | None:
        """The limit of a single move, be it the seat's first or a later one."""
        return self.first if first and self.first is not None else self.move


def parse_duration(text: str) -> float:
    """Seconds from ``16``, ``1.5s``, ``100ms``, ``5m``, ``1h30m`` or ``2d``; a bare number is seconds."""
    if len(text) > 40 or not _DURATION.fullmatch(text):
        raise MatchError(f"{text[:80]!r} is no duration; one looks like 16, 1.5s, 100ms, 5m, 1h30m or 2d")
    exact = sum(
        (Decimal(number) / 1000 if unit == "ms" else Decimal(number) * _UNITS[unit or "s"])
        for number, unit in _PIECE.findall(text)
    )
    return float(exact)


@lru_cache(256)
def print_duration(seconds: float) -> str:
    """The shortest text with units that ``parse_duration`` turns back into exactly these seconds."""
    rest, text = Decimal(repr(seconds)), ""
    for unit, size in _UNITS.items():
        if unit != "s":
            whole, rest = divmod(rest, size)
            text += f"{whole}{unit}" if whole else ""
    return text + (f"{_plain(rest)}s" if rest or not text else "")


def _parse_part(part: str, text: str) -> list[tuple[str, float]]:
    amount, slash, per = part.partition("/")
    if slash:
        if per not in ("move", "first"):
            raise MatchError(f"time control {text[:80]!r}: {part[:40]!r} is not one of: {_FORMS}")
        return [(per, parse_duration(amount))]
    total, plus, increment = part.partition("+")
    try:
        found = [("total", parse_duration(total))]
        return [*found, ("increment", parse_duration(increment))] if plus else found
    except MatchError as error:
        raise MatchError(f"time control {text[:80]!r}: {error}; a time control is one of: {_FORMS}") from None


def _check(name: str, seconds: float, *, positive: bool) -> None:
    number = isinstance(seconds, int | float) and not isinstance(seconds, bool) and math.isfinite(seconds)
    if not number or not 0 <= seconds <= LONGEST or (positive and not seconds):
        raise MatchError(f"a time control's {name} cannot be {seconds!r} seconds")


def _plain(seconds: float | Decimal) -> str:
    """A number without exponent and without a needless fraction."""
    text = format(Decimal(repr(seconds)) if isinstance(seconds, float) else Decimal(seconds), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


@dataclass(frozen=True, slots=True)
class Clock:
    """What a player is told about time when asked for a move, in seconds; None: no limit."""

    limit: float | None = None
    """The most that this move may take, everything considered."""
    own: float | None = None
    """What is left of the mover's total time."""
    opponent: float | None = None
    """What is left of the opponent's total time."""
    increment: float = 0.0
    """What the mover gets after this move."""
    margin: float = field(default=0.0, compare=False, repr=False)
    """What the referee forgives beyond these times; nobody is to count on it."""

    def without_margin(self, seconds: float) -> "Clock":
        """What a player is told by a referee who allows so much beyond it."""
        times = {name: getattr(self, name) for name in ("limit", "own", "opponent")}
        told = {name: max(0.0, time - seconds) for name, time in times.items() if time is not None}
        return replace(self, margin=self.margin + seconds, **told)


UNLIMITED = Clock()
