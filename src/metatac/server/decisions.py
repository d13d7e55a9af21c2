"""What may be done with a game, and what becomes of it: pure functions around the referee.

A ``Live`` game goes in, the next one comes out, or a ``Refusal`` says why not. Here nobody reads a clock or a database.
"""

import json
import random
from dataclasses import dataclass, replace
from math import ceil
from typing import Any, Literal, get_args

from metatac.errors import MatchError
from metatac.game import Position
from metatac.match import (
    AcceptDraw,
    AcceptTakeback,
    Action,
    Adjudicate,
    DeclineDraw,
    DeclineTakeback,
    Event,
    Forfeit,
    Match,
    MoveMade,
    OfferDraw,
    Offered,
    Pause,
    Refused,
    RequestTakeback,
    Resign,
    Resume,
    Seat,
    Start,
    new_match,
    step,
)
from metatac.match.result import other
from metatac.server.engines import QUEUE_SECONDS
from metatac.server.identity import hashed, new_id, new_token
from metatac.server.positions import title_of
from metatac.server.refusals import Refusal, not_yours, too_late
from metatac.store.games import Presence, StoredGame

Opponent = Literal["engine", "friend", "open", "self", "engines"]
OPPONENTS: tuple[str, ...] = get_args(Opponent)
SEATS: tuple[Seat, Seat] = ("X", "O")

GONE_WITH_CLOCK, GONE_WITHOUT = 30.0, 120.0
"""Seconds after which the one who stayed may claim the game."""


@dataclass(frozen=True, slots=True)
class Live:
    """A game with its match."""

    stored: StoredGame
    match: Match

    def seat_kind(self, seat: Seat) -> str:
        return self.stored.x_kind if seat == "X" else self.stored.o_kind

    def seats_of(self, visitor: str) -> list[Seat]:
        return [seat for seat in SEATS if self.stored.seats_of[seat] == visitor]

    @property
    def engine_to_move(self) -> bool:
        return self.stored.phase == "running" and self.seat_kind(self.match.turn) == "engine"

    @property
    def grace(self) -> float:
        """Seconds that the mover is not charged for: an engine may have been waiting for its turn at the engines."""
        return QUEUE_SECONDS if self.engine_to_move else 0.0


@dataclass(frozen=True, slots=True)
class Wish:
    """A game as somebody wants it."""

    start: Position
    name: str
    """The preset's name; rules of one's own have none."""
    options: dict[str, Any]
    opponent: str
    side: str
    time: str
    private: bool
    levels: tuple[str, str] = ("", "")
    """Of the engines at X and at O."""


def live(stored: StoredGame, known: Live | None = None) -> Live:
    """The game as it is stored; what is known of it need not be replayed."""
    return Live(stored, Match.from_dict(json.loads(stored.match), None if known is None else known.match))


# -- making and joining


def create(wish: Wish, visitor: str, name: str, now: float) -> tuple[Live, str | None]:
    """A new game, and the secret of its invitation where somebody else is to join."""
    match = new_match(wish.start, time=None if wish.time == "game" else wish.time)
    token = new_token() if wish.opponent == "friend" else None
    side: str = wish.side
    if side == "toss" and wish.opponent not in ("friend", "open"):
        side = random.SystemRandom().choice("XO")
    stored = StoredGame(
        id=new_id(),
        created=now,
        updated=now,
        phase="waiting",
        opponent=wish.opponent,
        private=wish.private,
        owner=visitor,
        game=wish.name[:64],
        title=title_of(match.rules),
        options=json.dumps(wish.options),
        match="",
        plies=0,
        turn=match.turn,
        x_kind="empty",
        o_kind="empty",
        invite=None if token is None else hashed(token),
    )
    for seat in SEATS:
        stored = _seated(stored, seat, *_first_sitter(wish, seat, side, visitor, name))
    if wish.opponent in ("friend", "open"):
        # Where the coin decides, the maker sits at X until somebody joins.
        stored = replace(stored, joiner="toss" if wish.side == "toss" else other(_seat(wish.side)))
        return _next(stored, match, now, fresh=True), token
    return _started(stored, match, now, fresh=True), None


def _first_sitter(
    wish: Wish, seat: Seat, side: str, visitor: str, name: str
) -> tuple[str, str | None, str, str | None]:
    """Kind, visitor, name and level of who sits at a seat in the beginning."""
    level = wish.levels[SEATS.index(seat)]
    engine = ("engine", None, engine_name(level), level)
    if wish.opponent == "engines":
        return engine
    if wish.opponent == "self" or seat == ("X" if side == "toss" else side):
        return "person", visitor, name, None
    return engine if wish.opponent == "engine" else ("empty", None, "", None)


def engine_name(level: str) -> str:
    return "Engine" if level == "full" else f"Engine, level {level}"


def join(game: Live, visitor: str, name: str, token: str | None, coin: Seat, now: float) -> Live:
    """Take the free seat; ``coin`` is where the joiner sits if that is to be tossed."""
    stored = game.stored
    if visitor in (stored.x_visitor, stored.o_visitor):
        if stored.phase == "waiting":
            raise too_late("You sit at this game already; send the link to whom you want to play with.")
        return game
    if stored.invite is not None and (token is None or hashed(token) != stored.invite):
        raise not_yours("This invitation is not valid; ask for the link again.")
    if stored.phase != "waiting" or stored.joiner is None:
        raise too_late("Somebody else has taken this seat already.")
    seat = coin if stored.joiner == "toss" else _seat(stored.joiner)
    maker = other(seat)
    owner_name = stored.x_name if stored.x_kind == "person" else stored.o_name
    stored = _seated(stored, maker, "person", stored.owner, owner_name, None)
    stored = _seated(stored, seat, "person", visitor, name, None)
    return _started(replace(stored, joiner=None, invite=None), game.match, now)


def _seated(stored: StoredGame, seat: Seat, kind: str, visitor: str | None, name: str, level: str | None) -> StoredGame:
    if seat == "X":
        return replace(stored, x_kind=kind, x_visitor=visitor, x_name=name, x_level=level)
    return replace(stored, o_kind=kind, o_visitor=visitor, o_name=name, o_level=level)


def _started(stored: StoredGame, match: Match, now: float, fresh: bool = False) -> Live:
    match, _ = step(replace(match, names=(stored.x_name, stored.o_name)), Start(), now)
    return _next(stored, match, now, fresh=fresh)


def _next(stored: StoredGame, match: Match, now: float, fresh: bool = False, **changes: Any) -> Live:
    """The game with its match brought up to date, and everything that is searched for with it."""
    result = match.result
    version = stored.version if fresh else stored.version + 1
    phase = stored.phase if not match.started else "running"
    if result is not None:
        phase = "aborted" if result.reason == "aborted" else "over"
    plies = len(match.plies)
    return Live(
        replace(
            stored,
            version=version,
            moved=stored.moved if plies == stored.plies else version,
            updated=now,
            phase=phase,
            match=json.dumps(match.to_dict(), separators=(",", ":")),
            plies=plies,
            turn=match.turn,
            deadline=match.deadline,
            result=None if result is None else result.text,
            reason=None if result is None else result.reason[:32],
            engine_by=stored.engine_by if plies == stored.plies and phase == "running" else None,
            **changes,
        ),
        match,
    )


# -- playing


@dataclass(frozen=True, slots=True)
class Deed:
    """What somebody sent: the kind, for which seat, and what belongs to it."""

    kind: str
    seat: Seat | None = None
    move: str = ""
    version: int | None = None
    what: str = ""
    lag: float = 0.0


class IllegalDeed(Refusal):
    """A move that the rules refuse."""

    def __init__(self, message: str, move: str) -> None:
        super().__init__(message, "illegal_move", 422)
        self.move = move


_EVENTS: dict[str, type[Event]] = {
    "resign": Resign,
    "offer_draw": OfferDraw,
    "accept_draw": AcceptDraw,
    "decline_draw": DeclineDraw,
    "request_takeback": RequestTakeback,
    "accept_takeback": AcceptTakeback,
    "decline_takeback": DeclineTakeback,
}
DEEDS = ("move", "claim", "rematch", *_EVENTS)


def seat_for(game: Live, visitor: str, deed: Deed) -> Seat:
    """The seat that a visitor acts for; a Refusal where there is none."""
    seats = game.seats_of(visitor)
    if not seats:
        raise not_yours("You watch this game; only its players can do that.")
    if deed.seat is not None:
        if deed.seat not in seats:
            raise not_yours(f"{deed.seat} is not your seat.")
        return deed.seat
    if len(seats) == 1:
        return seats[0]
    # Both are mine: a takeback is of the last move, an answer is the other one's, everything else whose turn it is.
    if deed.kind == "request_takeback" and game.match.plies:
        return _seat(game.match.positions[-2].turn)
    waiting = {"draw": game.match.draw_offer, "takeback": game.match.takeback}.get(deed.kind.rpartition("_")[2])
    return other(waiting) if waiting and not deed.kind.startswith(("offer", "request")) else game.match.turn


def act(game: Live, visitor: str, deed: Deed, presence: dict[str, Presence], now: float) -> Live:
    """The game after what a visitor did."""
    seat = seat_for(game, visitor, deed)
    if game.stored.phase == "waiting":
        raise too_late("The game has not begun: nobody sits opposite yet.")
    if deed.kind == "rematch":
        return offer_rematch(game, seat, now)
    if deed.kind == "move":
        if deed.version is not None and deed.version < game.stored.moved:
            raise IllegalDeed("The position has changed meanwhile.", deed.move)
        return _judged(game, MoveMade(seat, deed.move, deed.lag), now)
    if deed.kind == "claim":
        return _judged(game, _claim(game, seat, deed.what, presence, now), now)
    return _judged(game, _EVENTS[deed.kind](seat), now)  # type: ignore[call-arg]


def tick(game: Live, event: Event, now: float) -> Live:
    """The game after an event of the clock or of an engine; the same game if nothing happened."""
    return _judged(game, event, now)


def rested(game: Live, since: float, now: float) -> Live:
    """The game after a time in which nobody served: what was left on the clock then is left on it now.

    Where the system's clock went back meanwhile, ``since`` is later than ``now``, and as right.
    """
    match, since = game.match, since - game.grace
    if match.since is None:
        return game
    if match.deadline is not None and since > now and since >= match.deadline:
        since = now  # it would have been judged then: this game goes by another clock
    match, _ = step(match, Pause(), max(since, match.since))
    if match.result is None:
        match, _ = step(match, Resume(), now)
    return _next(game.stored, match, now)


def _judged(game: Live, event: Event, now: float) -> Live:
    try:
        match, actions = step(game.match, event, now)
        match = _answered(game, match, actions, now)
    except MatchError as error:
        raise too_late(_sentence(str(error))) from error
    for action in actions:
        if isinstance(action, Refused):
            raise IllegalDeed(_sentence(action.message), action.move)
    if match is game.match:
        return game
    return _next(game.stored, match, now)


def _answered(game: Live, match: Match, actions: tuple[Action, ...], now: float) -> Match:
    """An engine answers offers at once, and nobody needs to ask himself."""
    for action in actions:
        if isinstance(action, Offered) and match.result is None:
            judge = other(action.seat)
            alone = game.stored.seats_of["X"] is not None and game.stored.x_visitor == game.stored.o_visitor
            if action.offer == "takeback" and (alone or game.seat_kind(judge) == "engine"):
                match = _taken_back(game, match, judge, now)
            elif action.offer == "draw" and alone:
                match, _ = step(match, AcceptDraw(judge), now)
            elif action.offer == "draw" and game.seat_kind(judge) == "engine":
                match, _ = step(match, DeclineDraw(judge), now)
    return match


def _taken_back(game: Live, match: Match, judge: Seat, now: float) -> Match:
    """The match after a takeback, granted while the clock stands: it was stopped when the mover's grace began."""
    match, _ = step(match, Pause(), max(now - game.grace, match.since or now))
    for event in (AcceptTakeback(judge), Resume()):
        if match.result is None:
            match, _ = step(match, event, now)
    return match


def _claim(game: Live, seat: Seat, what: str, presence: dict[str, Presence], now: float) -> Event:
    left = claim_in(game, other(seat), presence, now)
    if left is None:
        raise too_late("The other one is still here.")
    if left > 0:
        raise too_late(f"The other one has only just left; wait {ceil(left)} seconds more.")
    if what == "draw":
        return Adjudicate(None, detail=f"{other(seat)} left, and {seat} wanted a draw")
    return Forfeit(other(seat), "left", f"{other(seat)} left the game")


def gone_for(game: Live, seat: Seat, presence: dict[str, Presence], now: float) -> float | None:
    """Seconds since a person left; None where he is here, or is no person."""
    visitor = game.stored.seats_of[seat]
    if game.seat_kind(seat) != "person" or visitor is None:
        return None
    seen = presence.get(visitor)
    if seen is not None and seen.online:
        return None
    since = game.stored.created if seen is None else seen.changed
    if seen is None and game.match.since is not None:
        since = max(since, game.match.since)
    return max(0.0, now - since)


def claim_in(game: Live, seat: Seat, presence: dict[str, Presence], now: float) -> float | None:
    """Seconds until the other may claim because this seat's player has left; None while he is here."""
    gone = gone_for(game, seat, presence, now)
    if gone is None or game.stored.phase != "running" or game.stored.x_visitor == game.stored.o_visitor:
        return None
    timed = game.match.time.total is not None or game.match.time.move is not None
    return max(0.0, (GONE_WITH_CLOCK if timed else GONE_WITHOUT) - gone)


# -- again


def offer_rematch(game: Live, seat: Seat, now: float) -> Live:
    """Offer another game, or accept the offer: then ``rematch_id`` names a game that is to be made with ``rematch``."""
    stored = game.stored
    if stored.phase != "over":
        raise too_late("A rematch comes after the game.")
    if stored.rematch_id is not None:
        return game
    alone = stored.opponent in ("engine", "self")
    if not alone and stored.rematch_offer == seat:
        raise too_late("You have offered a rematch already.")
    new = new_id() if alone or stored.rematch_offer is not None else None
    offer = None if new else seat
    return Live(
        replace(stored, version=stored.version + 1, updated=now, rematch_offer=offer, rematch_id=new), game.match
    )


def rematch(game: Live, now: float) -> Live:
    """The game that both have agreed to play again, with the seats swapped."""
    old = game.stored
    assert old.rematch_id is not None
    match = new_match(game.match.start, time=game.match.time)
    stored = StoredGame(
        id=old.rematch_id,
        created=now,
        updated=now,
        phase="waiting",
        opponent=old.opponent,
        private=old.private,
        owner=old.owner,
        game=old.game,
        title=old.title,
        options=old.options,
        match="",
        plies=0,
        turn=match.turn,
        x_kind=old.o_kind,
        x_visitor=old.o_visitor,
        x_name=old.o_name,
        x_level=old.o_level,
        o_kind=old.x_kind,
        o_visitor=old.x_visitor,
        o_name=old.x_name,
        o_level=old.x_level,
    )
    return _started(stored, match, now, fresh=True)


def _seat(text: str) -> Seat:
    return "X" if text == "X" else "O"


def _sentence(text: str) -> str:
    """An error of the referee as a sentence; the text of the position is for programs."""
    words = text.split(" (position: ")[0]
    return words[:1].upper() + words[1:] + ("" if words.endswith((".", "!", "?")) else ".")
