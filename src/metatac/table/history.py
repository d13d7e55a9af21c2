"""Going back and forth in a match, by the referee's own steps."""

from dataclasses import replace

from metatac.errors import MatchError
from metatac.match import AcceptTakeback, Match, MoveMade, RequestTakeback, Seat, Start, new_match, step
from metatac.match.result import other


def has_clock(match: Match) -> bool:
    return match.limit is not None or match.time.total is not None


def taken_back(match: Match, plies: int, now: float) -> Match:
    """The match without its last plies. One that is over goes on from there, unless it was played with a clock."""
    keep = max(0, len(match.plies) - plies)
    if match.result is not None:
        if has_clock(match):
            raise MatchError(f"the game is over and was played with a clock: {match.result}")
        return _played_again(match, keep, now)
    while match.result is None and len(match.plies) > keep:
        mover = match.positions[-2].turn
        asker: Seat = "X" if mover == "X" else "O"
        for event in (RequestTakeback(asker), AcceptTakeback(other(asker))):
            match, _ = step(match, event, now)
    return match


def _played_again(match: Match, keep: int, now: float) -> Match:
    """The first moves of a match made once more, each in the time that it took."""
    opening = [ply.move for ply in match.plies[:keep] if ply.seconds is None]
    plies = [(ply.move, ply.seconds) for ply in match.plies[:keep] if ply.seconds is not None]
    again = new_match(match.start, time=match.time, strict=match.strict, names=match.names, opening=opening)
    now -= sum(seconds for _, seconds in plies)
    again, _ = step(again, Start(), now)
    for move, seconds in plies:
        now += seconds
        again, _ = step(again, MoveMade(again.turn, move), now)
    return again


def decision_at(match: Match, seat: Seat, ply: int) -> int | None:
    """The latest moment up to the ply at which the seat had to decide; None where it never has."""
    return next((i for i in range(min(ply, len(match.plies)), -1, -1) if match.positions[i].turn == seat), None)


def reseated(match: Match, names: tuple[str, str], *, strict: bool) -> Match:
    """The same match with others at it."""
    return replace(match, names=names, strict=strict)
