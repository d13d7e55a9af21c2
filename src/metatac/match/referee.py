"""The one referee: a pure step from a match, an event and the time to the next match and what to do.

It reads no clock, talks to nobody and keeps nothing. An event that is out of place raises MatchError and has
changed nothing. The clock is judged when a move arrives, on a Tick, and when it is to be stopped or set anew.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from metatac.errors import IllegalMove, InvalidMove, MatchError
from metatac.match.events import (
    Abort,
    AcceptDraw,
    AcceptTakeback,
    Action,
    Adjudicate,
    Ask,
    Declined,
    DeclineDraw,
    DeclineTakeback,
    Ended,
    Event,
    Forfeit,
    MoveMade,
    OfferDraw,
    Offered,
    Pause,
    Played,
    Refused,
    RequestTakeback,
    Resign,
    Resume,
    Start,
    TakenBack,
    Tick,
)
from metatac.match.result import (
    SEATS,
    Result,
    Seat,
    by_abort,
    by_adjudication,
    by_agreement,
    by_forfeit,
    by_rules,
    other,
)
from metatac.match.state import Match, Ply
from metatac.match.time_control import DIGITS

Step = tuple[Match, tuple[Action, ...]]


def step(match: Match, event: Event, now: float) -> Step:
    """The match after the event at the time ``now``, and what follows from it for the driver."""
    rule = _RULES.get(type(event))
    if rule is None:
        raise MatchError(f"{type(event).__name__} is no event of a match")
    if not isinstance(now, int | float) or not -1e15 < now < 1e15:
        raise MatchError(f"{event.kind}: the time cannot be {now!r}")
    phases, handle = rule
    if match.phase not in phases:
        raise MatchError(f"{event.kind} is out of place: the match {_standing(match)}")
    return handle(match, event, float(now))


def replay(match: Match, events: Iterable[tuple[Event, float]]) -> Match:
    """The match after all the events, each with its time."""
    for event, now in events:
        match, _ = step(match, event, now)
    return match


# -- playing


def _start(match: Match, event: Start, now: float) -> Step:
    outcome = match.position.outcome
    if outcome is not None:
        return _end(replace(match, started=True), by_rules(match.rules, outcome), now)
    return replace(match, started=True, since=now), (Ask(match.turn),)


def _move(match: Match, event: MoveMade, now: float) -> Step:
    seat, position = event.seat, match.position
    if seat != match.turn:
        raise MatchError(f"{seat}'s move {event.move!r} is out of turn: {match.turn} is to move")
    if _overrun(match, now, event.lag):
        return _overrun_end(match, now, event.lag)
    try:
        move = position.parse(event.move)
        after = position.play(move)
    except (InvalidMove, IllegalMove) as error:
        if not match.strict:
            return match, (Refused(seat, event.move, str(error)),)
        reason = "illegal move" if isinstance(error, IllegalMove) else "garbage"
        return _end(match, by_forfeit(match.rules, seat, reason, str(error)), now)

    seconds = round(match.spent(now, event.lag), DIGITS)
    remaining = match.charged(seconds, match.time.increment)
    ply = Ply(move, seconds, None if remaining is None else remaining[SEATS.index(seat)])
    lapsed: list[Action] = []
    if match.draw_offer == other(seat):
        lapsed.append(Declined("draw", seat))
    if match.takeback is not None:
        lapsed.append(Declined("takeback", seat))
    match = replace(
        match,
        plies=(*match.plies, ply),
        positions=(*match.positions, after),
        since=now,
        banked=0.0,
        remaining=remaining,
        draw_offer=match.draw_offer if match.draw_offer == seat else None,
        takeback=None,
    )
    actions = (Played(seat, str(move)), *lapsed)
    if after.outcome is None:
        return match, (*actions, Ask(match.turn))
    match, ended = _end(match, by_rules(match.rules, after.outcome), now)
    return match, (*actions, *ended)


def _resign(match: Match, event: Resign, now: float) -> Step:
    return _end(match, by_forfeit(match.rules, event.seat, "resignation", ""), now)


# -- agreements


def _offer_draw(match: Match, event: OfferDraw, now: float) -> Step:
    if match.draw_offer == event.seat:
        raise MatchError(f"{event.seat} has offered a draw already")
    if match.draw_offer is not None:
        return _end(match, by_agreement(match.rules), now)
    return replace(match, draw_offer=event.seat), (Offered("draw", event.seat),)


def _accept_draw(match: Match, event: AcceptDraw, now: float) -> Step:
    if match.draw_offer != other(event.seat):
        raise MatchError(f"{event.seat} cannot accept a draw: {other(event.seat)} has offered none")
    return _end(match, by_agreement(match.rules), now)


def _decline_draw(match: Match, event: DeclineDraw, now: float) -> Step:
    if match.draw_offer is None:
        raise MatchError(f"{event.seat} cannot decline a draw: none is offered")
    return replace(match, draw_offer=None), (Declined("draw", event.seat),)


def _request_takeback(match: Match, event: RequestTakeback, now: float) -> Step:
    if match.takeback is not None:
        raise MatchError(f"{match.takeback} has asked for a takeback already; that is to be answered first")
    keep = match.decision_before(event.seat)
    if keep is None:
        raise MatchError(f"{event.seat} has made no move yet that could be taken back")
    if _used_up(match, keep, now, event.seat):
        raise MatchError(f"{event.seat} cannot take a move back: the {match.time.increment:g} s for it are used up")
    return replace(match, takeback=event.seat), (Offered("takeback", event.seat),)


def _accept_takeback(match: Match, event: AcceptTakeback, now: float) -> Step:
    asker = match.takeback
    if asker != other(event.seat):
        raise MatchError(f"{event.seat} cannot grant a takeback: {other(event.seat)} has asked for none")
    if _overrun(match, now):
        return _overrun_end(match, now)
    keep = match.decision_before(asker)
    if keep is None:
        raise MatchError(f"{asker} has made no move yet that could be taken back")
    if _used_up(match, keep, now, *SEATS):
        return _decline_takeback(match, DeclineTakeback(event.seat), now)
    undone = len(match.plies) - keep
    match = replace(
        match,
        plies=match.plies[:keep],
        positions=match.positions[: keep + 1],
        since=None if match.since is None else now,
        banked=0.0,
        remaining=match.remaining_before(keep, now),
        draw_offer=None,
        takeback=None,
    )
    ask = () if match.since is None else (Ask(match.turn),)
    return match, (TakenBack(asker, undone), *ask)


def _used_up(match: Match, keep: int, now: float, *seats: Seat) -> bool:
    """Whether one of them lives on the increment of a move that would be taken back: that would be his end."""
    left = match.remaining_before(keep, now)
    return left is not None and match.time.increment > 0 and any(left[SEATS.index(seat)] <= 0 for seat in seats)


def _decline_takeback(match: Match, event: DeclineTakeback, now: float) -> Step:
    if match.takeback is None:
        raise MatchError(f"{event.seat} cannot decline a takeback: none is asked for")
    return replace(match, takeback=None), (Declined("takeback", event.seat),)


# -- time


def _tick(match: Match, event: Tick, now: float) -> Step:
    return _overrun_end(match, now, event.lag) if _overrun(match, now, event.lag) else (match, ())


def _pause(match: Match, event: Pause, now: float) -> Step:
    if _overrun(match, now):
        return _overrun_end(match, now)
    return replace(match, since=None, banked=match.spent(now)), ()


def _resume(match: Match, event: Resume, now: float) -> Step:
    return replace(match, since=now), (Ask(match.turn),)


def _overrun(match: Match, now: float, lag: float = 0.0) -> bool:
    deadline = match.deadline if match.phase == "running" else None
    return deadline is not None and now - lag >= deadline


def _overrun_end(match: Match, now: float, lag: float = 0.0) -> Step:
    seconds, limit, margin = match.spent(now, lag), match.limit, match.time.margin
    assert limit is not None
    forgiven = f", and {margin:g} s that are forgiven" if margin else ""
    detail = f"{seconds:.3f} s of {max(0.0, limit - margin):.3f} s{forgiven}; time control {match.time.told}"
    return _end(match, by_forfeit(match.rules, match.turn, "overrun", detail), now)


# -- endings


def _forfeit(match: Match, event: Forfeit, now: float) -> Step:
    return _end(match, by_forfeit(match.rules, event.seat, event.reason, event.detail), now)


def _adjudicate(match: Match, event: Adjudicate, now: float) -> Step:
    return _end(match, by_adjudication(match.rules, event.winner, event.points, event.detail), now)


def _abort(match: Match, event: Abort, now: float) -> Step:
    return _end(match, by_abort(event.detail), now)


def _end(match: Match, result: Result, now: float) -> Step:
    match = replace(
        match,
        since=None,
        banked=0.0,
        remaining=match.charged(match.spent(now)),
        draw_offer=None,
        takeback=None,
        result=result,
    )
    return match, (Ended(result),)


def _standing(match: Match) -> str:
    if match.result is None:
        return {"ready": "has not started", "running": "is running", "paused": "is paused"}[match.phase]
    return f"is over: {match.result}"


_LIVE = ("running", "paused")
_UNFINISHED = ("ready", *_LIVE)

_RULES: dict[type[Event], tuple[tuple[str, ...], Callable[[Match, Any, float], Step]]] = {
    Start: (("ready",), _start),
    MoveMade: (("running",), _move),
    # A timer may fire when it no longer matters; that is nobody's mistake.
    Tick: ((*_UNFINISHED, "over"), _tick),
    Resign: (_LIVE, _resign),
    OfferDraw: (_LIVE, _offer_draw),
    AcceptDraw: (_LIVE, _accept_draw),
    DeclineDraw: (_LIVE, _decline_draw),
    RequestTakeback: (_LIVE, _request_takeback),
    AcceptTakeback: (_LIVE, _accept_takeback),
    DeclineTakeback: (_LIVE, _decline_takeback),
    Forfeit: (_UNFINISHED, _forfeit),
    Adjudicate: (_LIVE, _adjudicate),
    Abort: (_UNFINISHED, _abort),
    Pause: (("running",), _pause),
    Resume: (_LIVE, _resume),
}
"""For each event: when it is in place, and what it does."""
