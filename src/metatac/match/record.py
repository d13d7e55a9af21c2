"""A match as a game record, to keep and to replay."""

from collections.abc import Mapping

from metatac.match.state import Match
from metatac.match.time_control import DIGITS
from metatac.notation import Ply, Record

_LONGEST = 10_000_000.0
"""Seconds that a record can hold; a clock beyond (months) is left out."""


def record_of(match: Match, tags: Mapping[str, str] | None = None) -> Record:
    """The record of a match as it stands: players, moves with their times, and the result if there is one.

    Limits and clocks are those that players are told of: of a referee's margin it knows nothing.

    ``tags`` (Event, Date, Round, …) are added. What the referee had to say about the end beyond its reason
    goes to the tag TerminationDetail. A match that was aborted, or goes on, has the result ``*``, no points.
    """
    margin = match.time.margin
    plies = tuple(Ply(ply.move, clock=_told(ply.remaining, margin), spent=_kept(ply.seconds)) for ply in match.plies)
    found = {"X": match.names[0], "O": match.names[1], "TimeControl": str(match.time.told)}
    result = match.result
    if result is not None and result.detail:
        found["TerminationDetail"] = result.detail
    found |= tags or {}
    # A game that is over on the board ended as the board says, whatever happened to the match afterwards.
    if result is None or match.position.outcome is not None:
        return Record(match.start, plies, tags=found)
    points = None if result.text == "*" else result.points
    return Record(match.start, plies, result.text, points, result.reason, found)


def _kept(seconds: float | None) -> float | None:
    return None if seconds is None or seconds > _LONGEST else seconds


def _told(remaining: float | None, margin: float) -> float | None:
    return _kept(remaining if remaining is None or not margin else round(max(0.0, remaining - margin), DIGITS))
