"""A match as a game record."""

from collections.abc import Mapping

from metatac.match.state import Match
from metatac.notation import Ply, Record


def record_of(match: Match, tags: Mapping[str, str] | None = None) -> Record:
    """The moves of a match with their times, who played, and how it ended or that it has not."""
    plies = [Ply(ply.move, clock=ply.remaining, spent=ply.seconds) for ply in match.plies]
    known = {"X": match.names[0], "O": match.names[1], "TimeControl": str(match.time)}
    result = match.result
    if result is None:
        return Record(match.start, tuple(plies), tags=known | dict(tags or {}))
    return Record(
        match.start,
        tuple(plies),
        result=result.text,
        points=None if result.text == "*" else result.points,
        termination=result.reason,
        tags=known | dict(tags or {}),
        comment=result.detail,
    )
