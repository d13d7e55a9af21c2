"""How a match ended: who won, the points, and the named reason."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from metatac.errors import MatchError
from metatac.game import Outcome
from metatac.rules import RuleSet, tidy

Seat = Literal["X", "O"]
"""A seat is the mark it plays, for the whole match: a swap changes the colour of a mark, not of a seat."""

SEATS: tuple[Seat, Seat] = ("X", "O")

OFFENCES = (
    "illegal move",
    "garbage",
    "overrun",
    "crash",
    "memory",
    "forbidden call",
    "tampering",
    "resignation",
    "left",
)
"""Why a seat may lose by the referee's word. ``garbage`` is an answer that is no move at all."""

LONGEST_DETAIL = 2000
"""Words kept about a reason are cut to this many characters."""


@dataclass(frozen=True, slots=True)
class Result:
    """The end of a match. It never changes."""

    winner: Seat | None
    points: tuple[float, float]
    reason: str
    """An outcome's reason, one of OFFENCES, ``agreement``, ``adjudication`` or ``aborted``."""
    utility: int
    """The rule set's utility of this result, in X's view."""
    detail: str = ""
    """More words, where there are any: the bad move, the exception, the end of a bot's stderr."""

    @property
    def text(self) -> str:
        """``1-0``, ``0-1``, ``1/2-1/2``, or ``*`` for a match that was aborted."""
        if self.reason == "aborted":
            return "*"
        return {"X": "1-0", "O": "0-1", None: "1/2-1/2"}[self.winner]

    def __str__(self) -> str:
        x, o = self.points
        who = "nobody wins" if self.winner is None else f"{self.winner} wins"
        return f"{who} ({self.reason}), {x:g} to {o:g}"

    def to_dict(self) -> dict[str, Any]:
        return {
            "winner": self.winner,
            "points": list(self.points),
            "reason": self.reason,
            "utility": self.utility,
            "detail": self.detail,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Result":
        try:
            x, o = data["points"]
            result = cls(data["winner"], (x, o), data["reason"], data["utility"], data["detail"])
        except (KeyError, TypeError, ValueError) as error:
            raise MatchError(f"no result of a match: {error!r}") from None
        numbers = all(isinstance(n, int | float) for n in (x, o, result.utility))
        if result.winner not in ("X", "O", None) or not numbers or not isinstance(result.reason, str):
            raise MatchError(f"no result of a match: {str(data)[:200]}")
        return result


def clean(text: str) -> str:
    """The text with a ``?`` for every half of a character (lone surrogate), so that any file can hold it."""
    return text.encode("utf-8", "replace").decode()


def other(seat: Seat) -> Seat:
    return "O" if seat == "X" else "X"


def seat_of(value: object) -> Seat:
    """The value as a seat; MatchError where it is none."""
    if value not in SEATS:
        raise MatchError(f"a seat is 'X' or 'O', not {str(value)[:40]!r}")
    return value


def by_rules(rules: RuleSet, outcome: Outcome) -> Result:
    """The result of a game that was played to its end."""
    utility = rules.utility_of(outcome.winner, outcome.points)
    return Result(outcome.winner, outcome.points, outcome.reason, utility)


def by_forfeit(rules: RuleSet, offender: Seat, reason: str, detail: str) -> Result:
    """The opponent wins the rule set's forfeit points, the offender gets 0; a resignation is no different."""
    winner = other(offender)
    points = (rules.forfeit_points, 0) if winner == "X" else (0, rules.forfeit_points)
    return Result(winner, points, reason, rules.utility_of(winner, points), detail[:LONGEST_DETAIL])


def by_agreement(rules: RuleSet) -> Result:
    """A draw that both wanted: what a drawn game gives.

    Where the game counts points of its own, each gets half of what a forfeit gives: the same, however the
    count stands, since a draw that is worth more to one of them would be none.
    """
    points = rules.result_points(None)
    if rules.points == "count":
        half = tidy(rules.forfeit_points / 2)
        points = (half, half)
    return Result(None, points, "agreement", rules.utility_of(None, points))


def by_adjudication(rules: RuleSet, winner: Seat | None, points: tuple[float, float] | None, detail: str) -> Result:
    """What somebody who knows the end decided; without stated points a win or an agreed draw."""
    if points is None:
        like = by_agreement(rules) if winner is None else by_forfeit(rules, other(winner), "", "")
        points = like.points
    utility = rules.utility_of(winner, points)
    return Result(winner, points, "adjudication", utility, detail[:LONGEST_DETAIL])


def by_abort(detail: str) -> Result:
    """The match does not count: nobody won and there are no points."""
    return Result(None, (0, 0), "aborted", 0, detail[:LONGEST_DETAIL])
