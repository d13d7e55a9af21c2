"""What is said between the players and the referee, in order.

A generator names each call to a player and is sent its answer. Drivers only perform the calls, so that
blocking and async play cannot differ.
"""

import logging
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from traceback import format_exception_only
from typing import Any

from metatac.errors import InvalidMove, IsolationError, MatchError
from metatac.game import Move, Position, check_move
from metatac.match.events import (
    AcceptDraw,
    AcceptTakeback,
    Action,
    Adjudicate,
    DeclineDraw,
    DeclineTakeback,
    Event,
    Forfeit,
    MoveMade,
    Offered,
    Pause,
    Played,
    Refused,
    Resume,
    Start,
    TakenBack,
    Tick,
)
from metatac.match.player import Instead, Offence
from metatac.match.referee import step
from metatac.match.result import SEATS, Seat, other
from metatac.match.state import Match

Watch = Callable[[Match, Event, tuple[Action, ...]], None]
"""Called after every step, to save, to show or to log."""

Judge = Callable[[Match], Adjudicate | None]
"""Asked after every move whether the end is known, while no clock runs."""

PATIENCE = 3
"""How often in one turn a program may do something else than move before that forfeits."""

CAUSES = ("memory", "forbidden call", "tampering")
"""Offences that are why a program is late: taking too much takes time, and so does seeing it."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Call:
    """A method of a seat's player to be called, and the moment after which its answer comes too late."""

    seat: Seat
    method: str
    arguments: tuple[Any, ...]
    deadline: float | None = None


@dataclass(frozen=True, slots=True)
class Said:
    """The method returned this; ``missing`` where the player has no such method."""

    value: object = None
    missing: bool = False


@dataclass(frozen=True, slots=True)
class Raised:
    error: BaseException


@dataclass(frozen=True, slots=True)
class Late:
    """The driver has stopped waiting."""


Answer = Said | Raised | Late
Talk = Generator[Call, Answer, None]


@dataclass(slots=True)
class Table:
    """A match being driven: the present state, and what each player has not been told yet."""

    match: Match
    clock: Callable[[], float]
    watch: Watch | None = None
    startup: float | None = None
    adjudicate: Judge | None = None
    resume: bool = True
    """Whether a match that runs already has its clock set anew: the time since it was last driven is nobody's."""
    news: dict[Seat, list[tuple[Position, Move]]] = field(default_factory=lambda: {"X": [], "O": []})

    def tell(self, event: Event, now: float | None = None) -> tuple[Action, ...]:
        """Step the match, at the present time unless another is given, and let it be watched."""
        return self.show(event, self.take(event, now))

    def take(self, event: Event, now: float | None = None) -> tuple[Action, ...]:
        self.match, actions = step(self.match, event, self.clock() if now is None else now)
        for action in actions:
            if isinstance(action, Played):
                self.news[other(action.seat)].append((self.match.position, self.match.moves[-1]))
            elif isinstance(action, TakenBack):
                self.news = {"X": [], "O": []}
        return actions

    def show(self, event: Event, actions: tuple[Action, ...]) -> tuple[Action, ...]:
        if self.watch is not None:
            self.watch(self.match, event, actions)
        return actions

    def over(self) -> bool:
        return self.match.result is not None

    def blame(self, seat: Seat, reason: str, detail: str) -> None:
        """A program's offence; but a mover who has overrun as well has overrun first, unless the one is why."""
        if seat == self.match.turn and reason not in CAUSES:
            self.tell(Tick())
        if not self.over():
            self.tell(Forfeit(seat, reason, detail))

    def blame_error(self, seat: Seat, error: BaseException) -> None:
        """A player raised: a program's offence forfeits; the rest does among programs, else the caller must know.

        That a program could not even be started is the fault of the machine, and the caller must know that always.
        """
        if isinstance(error, Offence):
            self.blame(seat, error.reason, error.detail)
            return
        if not self.match.strict or isinstance(error, IsolationError):
            raise error
        reason = "memory" if isinstance(error, MemoryError) else "crash"
        self.blame(seat, reason, "".join(format_exception_only(error)).strip())


def conduct(table: Table) -> Talk:
    """The whole conversation of a match, from where it stands to its end."""
    if table.over():
        return
    for seat in SEATS:
        deadline = None if table.startup is None else table.clock() + table.startup
        answer = yield Call(seat, "game_started", (table.match.position, seat), deadline)
        if isinstance(answer, Late):
            table.tell(Forfeit(seat, "overrun", f"not ready after {table.startup} s"))
        elif isinstance(answer, Raised):
            table.blame_error(seat, answer.error)
        if table.over():
            break
    else:
        if table.match.phase == "ready":
            table.tell(Start())
        elif table.resume or table.match.phase == "paused":
            table.tell(Resume())
        else:
            table.tell(Tick())
    while not table.over():
        yield from _turn(table)
        _adjudicate(table)
    for seat in SEATS:
        answer = yield Call(seat, "game_ended", (table.match.result,), table.clock() + 1.0)
        if isinstance(answer, Raised):
            if not table.match.strict:
                raise answer.error
            _log.warning("%s raised after the match: %r", seat, answer.error)


def _adjudicate(table: Table) -> None:
    """Ask whoever may know the end. The clock stands as it stood after the move: the time for it is nobody's."""
    if table.adjudicate is None or table.over():
        return
    table.tell(Pause(), table.match.since)
    if not table.over():  # the next to move may have had no time left at all
        table.tell(table.adjudicate(table.match) or Resume())


def _turn(table: Table) -> Talk:
    """Ask the seat that is to move until it has moved or the match is over."""
    seat, asked = table.match.turn, 0
    # Told on its own time, just before it is asked: nobody's hook can run on the opponent's clock.
    news, table.news[seat] = table.news[seat], []
    for told in news:
        yield from _tell_player(table, Call(seat, "opponent_moved", told, table.match.deadline))
    plies = len(table.match.plies)
    while not table.over() and len(table.match.plies) == plies:
        if table.match.strict and asked == PATIENCE:
            table.blame(seat, "garbage", f"no move after {PATIENCE} answers")
            return
        asked += 1
        clock = table.match.clock(table.clock())
        answer = yield Call(seat, "choose", (table.match.position, clock), table.match.deadline)
        yield from _judge(table, seat, answer)


def _judge(table: Table, seat: Seat, answer: Answer) -> Talk:
    """Turn a player's answer to ``choose`` into events."""
    if isinstance(answer, Late):
        table.tell(Tick(), _at_deadline(table))
        return
    if isinstance(answer, Raised) and not isinstance(answer.error, Instead):
        table.blame_error(seat, answer.error)
        return
    try:
        event = _event_of(table, seat, answer)
        actions = table.take(event)
    except (InvalidMove, MatchError) as error:
        if table.match.strict:
            table.blame(seat, "garbage", str(error))
        else:
            yield from _refuse(table, seat, str(error))
        return
    for action in table.show(event, actions):
        if isinstance(action, Refused):
            yield from _refuse(table, seat, action.message)
        elif isinstance(action, Offered):
            yield from _offer(table, action)


def _event_of(table: Table, seat: Seat, answer: Said | Raised) -> Event:
    if isinstance(answer, Raised):
        assert isinstance(answer.error, Instead)
        return answer.error.event(seat)
    value = answer.value
    if isinstance(value, str):
        return MoveMade(seat, value)
    if isinstance(value, tuple):
        return MoveMade(seat, check_move(table.match.rules, value))
    raise MatchError(f"a move or its text is wanted, not an answer of type {type(value).__name__}")


def _refuse(table: Table, seat: Seat, message: str) -> Talk:
    answer = yield Call(seat, "refused", (message,), table.match.deadline)
    if isinstance(answer, Said) and answer.missing:
        raise MatchError(f"{seat}'s player cannot be asked again: {message}")
    if isinstance(answer, Raised):
        table.blame_error(seat, answer.error)


def _offer(table: Table, action: Offered) -> Talk:
    """Put an offer to the other player, who says yes or no."""
    judge = other(action.seat)
    answer = yield Call(judge, "agrees", (action.offer, table.match.position), table.match.deadline)
    if isinstance(answer, Raised):
        table.blame_error(judge, answer.error)
    elif isinstance(answer, Late):
        table.tell(Tick(), _at_deadline(table))
    else:
        yes, no = (AcceptDraw, DeclineDraw) if action.offer == "draw" else (AcceptTakeback, DeclineTakeback)
        table.tell(yes(judge) if answer.value is True else no(judge))


def _tell_player(table: Table, call: Call) -> Talk:
    if table.over():
        return
    answer = yield call
    if isinstance(answer, Raised):
        table.blame_error(call.seat, answer.error)
    elif isinstance(answer, Late):
        table.tell(Tick(), _at_deadline(table))


def _at_deadline(table: Table) -> float:
    """Now, and not before the deadline that the driver has waited for: its timer may be a hair early."""
    return max(table.clock(), table.match.deadline or 0.0)
