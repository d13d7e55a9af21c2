"""The course of a game: whose turn it is, the clock, and computers that are asked, judged and stopped."""

import time
from collections.abc import Callable
from functools import partial
from traceback import format_exception_only
from typing import TYPE_CHECKING, Any, Literal

from metatac.errors import InvalidMove, MetatacError
from metatac.game import Move, Position, check_move
from metatac.game.move import parse_move
from metatac.match import (
    AcceptDraw,
    Action,
    Clock,
    DeclineDraw,
    Ended,
    Event,
    Forfeit,
    Instead,
    MoveMade,
    Offence,
    OfferDraw,
    Offered,
    Pause,
    Played,
    Refused,
    Resign,
    Result,
    Resume,
    Seat,
    Start,
    Tick,
    step,
)
from metatac.match.result import SEATS, other
from metatac.table.advice import Advisor, default_analyst
from metatac.table.computer import Computer, Post
from metatac.table.history import has_clock
from metatac.table.kept import Kept
from metatac.table.news import Analysed, Asked, Failed, GettingReady, News, NotAnalysed, Ready, Thinking
from metatac.table.plans import Plan
from metatac.table.seats import make_player

if TYPE_CHECKING:
    from metatac.engine.results import Analysis, SearchResult

PATIENCE = 3
"""How often in one turn a program may do something else than move before that forfeits."""

Waiting = Literal["ready", "person", "computer", "paused", "over"]


class Course(Kept):
    """A game that goes on by itself as far as it needs no person."""

    def __init__(
        self,
        plan: Plan,
        *,
        post: Post,
        listen: Callable[[News], object],
        clock: Callable[[], float] = time.monotonic,
        keep: bool = True,
    ) -> None:
        """``post`` brings news of other threads, ``listen`` is told all; ``keep`` False writes nothing to disk."""
        self.clock = clock
        self._computers: dict[Seat, Computer] = {}
        self._advisor = Advisor(self._post_if_open)
        self.analysis: Analysis | None = None
        """The latest word about the moves of the position."""
        super().__init__(plan, post, listen, keep)

    def _put(self, plan: Plan) -> None:
        super()._put(plan)
        self._halted = False
        self._asked = 0
        self._news: dict[Seat, list[tuple[Position, Move]]] = {"X": [], "O": []}
        self._seat_computers()

    def _seat_computers(self) -> None:
        for computer in self._computers.values():
            computer.close()
        stream = "" if self.series.number == 1 else f"/{self.series.number}"
        seats = self.seats
        self._computers = {
            seat: Computer(seat, partial(make_player, seats, seat, stream), self._post_if_open)
            for seat in SEATS
            if seat not in seats.people
        }

    # -- what is

    @property
    def waiting(self) -> Waiting:
        """What is waited for: a computer to get ready, a move of either kind, somebody to go on, or nothing."""
        if self.match.result is not None:
            return "over"
        if self._halted:
            return "paused"
        if self.match.phase != "running" and not self._gets_ready:
            return "ready"
        return "person" if self.turn in self.people else "computer"

    @property
    def _gets_ready(self) -> bool:
        """Whether the computer to move has been asked but is not ready; with a clock nobody is asked before all are."""
        computer = self._computers.get(self.turn)
        return self.match.phase == "paused" and not has_clock(self.match) and computer is not None and computer.busy

    @property
    def thought(self) -> "SearchResult | None":
        """What the computer that is to move has found so far."""
        return self._computers[self.turn].thought if self.turn in self._computers else None

    def is_ready(self, seat: Seat) -> bool:
        """Whether the seat's player could move at once; people always can."""
        return seat not in self._computers or self._computers[seat].ready

    @property
    def deadline(self) -> float | None:
        """When, on the table's clock, the player to move has overrun; call ``tick`` then."""
        return self.match.deadline

    def remaining(self) -> Clock:
        """What the player to move has left."""
        return self.match.clock(self.clock())

    def remaining_of(self, seat: Seat) -> float | None:
        """What a seat has left: of its total time, or else for this move; None without a clock."""
        left = self.match.remaining_at(self.clock())
        if left is not None:
            return left[SEATS.index(seat)]
        return self.remaining().limit if seat == self.turn else self.match.time.move

    # -- the course of the game

    def begin(self) -> None:
        """Let the game begin, or go on. With a clock it waits until every computer is ready."""
        if self.match.phase == "running":
            self._take(Resume())  # the time since it was saved is nobody's
        if self.match.result is not None:
            self._finish()
        self._proceed()

    def pause(self) -> None:
        """Stop everything where it stands; ``resume_play`` goes on."""
        self._halted = True
        self._cancel()
        if self.match.phase == "running":
            self._take(Pause())

    def resume_play(self) -> None:
        self._halted = False
        self._proceed()

    def tick(self) -> None:
        """Time has passed: whoever has overrun loses."""
        self._take(Tick())

    def move_now(self) -> None:
        """Have the computer that thinks answer at once with what it has."""
        if self.waiting == "computer":
            self._computers[self.turn].hurry()

    def close(self) -> None:
        """Leave: nobody thinks any more, programs are gone, and what is to be kept is on disk."""
        if not self._closed:
            self._closed = True
            self._leave()

    def _leave(self) -> None:
        self.stop_analysis()
        for computer in self._computers.values():
            computer.close()
        self._computers = {}
        self._keeper.close(discard=self._done_with() or (not self.match.plies and self.series.number == 1))

    def _proceed(self) -> None:
        """Get ready who is not, then start the clock and ask whoever is to move."""
        if self.result is not None or self._halted or self._closed:
            return
        for seat, computer in self._computers.items():
            if not computer.ready and not computer.busy:
                self._prepare(seat, computer)
        if has_clock(self.match) and not all(computer.ready for computer in self._computers.values()):
            if self.match.phase == "running":
                self._take(Pause())
            return
        if self.match.phase != "running":
            self._take(Start() if self.match.phase == "ready" else Resume())
        if self.result is None:
            self._ask()

    def _prepare(self, seat: Seat, computer: Computer) -> None:
        def ready() -> None:
            self.listen(Ready(seat))
            if self._gets_ready:
                if seat == self.turn:
                    self._take(Resume())
            elif self.match.phase != "running":
                self._proceed()

        def failed(error: BaseException) -> None:
            if isinstance(error, Offence):
                self._take(Forfeit(seat, error.reason, error.detail))
            else:
                self.pause()
                self.listen(Failed(seat, _words(error)))

        self._news[seat] = []
        computer.prepare(self.position, ready, failed, lambda line: self.listen(GettingReady(seat, line)))

    def _ask(self) -> None:
        """Ask whoever is to move."""
        seat = self.turn
        computer = self._computers.get(seat)
        if computer is not None:
            news, self._news[seat] = self._news[seat], []
            match, clock = self.match, self.clock

            def report(result: "SearchResult") -> None:
                self.listen(Thinking(seat, result))

            computer.choose(
                match.position,
                lambda: match.clock(clock()),
                news,
                lambda answer: self._chosen(seat, answer),
                lambda error: self._erred(seat, error),
                report,
            )
            if not computer.ready:
                self._take(Pause())  # what it takes to get ready, or to compile, is not the time of its move
        self.listen(Asked(seat))

    def _chosen(self, seat: Seat, answer: Any) -> None:
        """A computer's answer, which is a move or an offence."""
        try:
            rules = self.match.rules
            move = parse_move(rules, answer) if isinstance(answer, str) else check_move(rules, answer)
        except InvalidMove as error:
            self._blame(seat, "garbage", str(error))
            return
        for action in self._take(MoveMade(seat, move)):
            if isinstance(action, Refused):
                self._blame(seat, "illegal move", action.message)
        self._go_on()

    def _erred(self, seat: Seat, error: BaseException) -> None:
        """A computer raised: it wants something else than to move, or that is its end."""
        if isinstance(error, Instead) and self._asked < PATIENCE:
            self._asked += 1
            event = error.event(seat)
            if isinstance(event, Resign):
                self._take(event)
            elif isinstance(event, OfferDraw) and self.match.draw_offer != seat:
                self._offer(event)
            if self.result is None:
                self._ask()
        elif isinstance(error, Offence):
            self._blame(seat, error.reason, error.detail)
        else:
            self._blame(seat, "memory" if isinstance(error, MemoryError) else "crash", _words(error))

    def _blame(self, seat: Seat, reason: str, detail: str) -> None:
        """An offence; but a mover who has overrun as well has overrun first."""
        self._take(Tick())
        if self.result is None:
            self._take(Forfeit(seat, reason, detail))

    def _go_on(self) -> None:
        """After a move."""
        self._asked = 0
        if self.result is None and not self._halted:
            self._ask()

    def _take(self, event: Event) -> tuple[Action, ...]:
        """Step the match, keep it, and tell what came of it."""
        before = self.match
        self.match, actions = step(self.match, event, self.clock())
        for action in actions:
            if isinstance(action, Played):
                self._moved(action)
            elif isinstance(action, Ended):
                self._ended(action.result)
        if self.match.plies != before.plies or self.match.result is not before.result:
            self._keep()
        for action in actions:
            if isinstance(action, Ended):
                self._finish()
            if not isinstance(action, Refused):
                self._tell(action)
        return actions

    def _tell(self, action: Action) -> None:
        if isinstance(action, Played | Ended | Offered) or action.kind == "declined":
            self.listen(action)

    def _moved(self, action: Played) -> None:
        move = self.match.moves[-1]
        self._news[other(action.seat)].append((self.position, move))
        self.redo_moves = self.redo_moves[1:] if self.redo_moves[:1] == (move,) else ()
        self.stop_analysis()

    def _ended(self, result: Result) -> None:
        self.series = self.series.after(result)
        self._cancel()
        for computer in self._computers.values():
            if computer.ready:
                computer.end(result)

    def _offer(self, event: OfferDraw) -> None:
        judge = other(event.seat)
        self._take(event)
        computer = self._computers.get(judge)
        if computer is not None and self.result is None:
            computer.agrees("draw", self.position, self.answer)

    def answer(self, yes: bool) -> None:
        """Answer the offer of a draw that stands."""
        offer = self.match.draw_offer
        if offer is not None:
            self._take(AcceptDraw(other(offer)) if yes else DeclineDraw(other(offer)))

    def _cancel(self) -> None:
        for computer in self._computers.values():
            computer.cancel()

    def _running(self) -> None:
        """Have the referee take moves, though the players may not be ready."""
        if self.match.phase != "running":
            self._take(Start() if self.match.phase == "ready" else Resume())

    # -- advice

    def analyse(
        self,
        by: str | None = None,
        *,
        seconds: float | None = 1.0,
        lines: int | None = None,
        position: Position | None = None,
    ) -> None:
        """Have the moves valued: all, or the best few. The news say what is found, more and more of it."""
        position, self.analysis = position or self.position, None

        def tell(analysis: "Analysis", done: bool) -> None:
            self.analysis = analysis
            self.listen(Analysed(analysis, done))

        def failed(message: str) -> None:
            self.listen(NotAnalysed(message))

        def say(line: str) -> None:
            self.listen(GettingReady(None, line))

        analyst = by or default_analyst(position.rules)
        self._advisor.ask(position, analyst, seconds, lines, tell, failed, say)

    def stop_analysis(self) -> None:
        self._advisor.stop()
        self.analysis = None


def _words(error: BaseException) -> str:
    known = isinstance(error, MetatacError | Offence)
    return str(error) if known else "".join(format_exception_only(error)).strip()
