"""A table: a game that goes on, and everything that people do at one beside moving.

Everything here is called by one thread, its owner's, and never waits; computers think in threads of their own.
"""

from dataclasses import replace

from metatac.errors import MatchError
from metatac.game import Move
from metatac.match import MoveMade, OfferDraw, Resign, Seat
from metatac.table.course import Course
from metatac.table.history import decision_at, has_clock, reseated, taken_back
from metatac.table.news import Changed
from metatac.table.plans import Plan, plan_from_file
from metatac.table.seats import Seats
from metatac.table.series import Series

NOT_STARTED = "the clock has not started: the opponent is getting ready"


class Table(Course):
    """A game and whatever people do to it. What cannot be done raises a MetatacError and has changed nothing."""

    # -- what people do

    def play(self, move: Move | str) -> None:
        """Make the move of the person who is to move."""
        self._check_going()
        if self.turn not in self.people:
            raise MatchError(f"it is {self.seats.name(self.turn)}'s turn ({self.turn})")
        if self._halted:
            self.resume_play()
        if self.match.phase != "running":
            raise MatchError(NOT_STARTED)
        checked = self.position.parse(str(move))
        self._take(MoveMade(self.turn, checked))
        self._go_on()

    def undo(self, moves: int = 1) -> int:
        """Take back so many of the person's moves, or of all where there are two people or none.

        Returns how many plies that were. Where nobody but computers play, the table is paused.
        """
        if self.series.games > 1 and self.result is not None:
            raise MatchError("a game of a series that is over stays as it is")
        plies = self._undone(moves)
        if not plies:
            raise MatchError("there is no move yet that could be taken back")
        self._go_to(len(self.match.plies) - plies)
        return plies

    def _undone(self, moves: int) -> int:
        """How many plies it takes to take back so many moves, or as many as there are."""
        there = len(self.match.plies)
        if len(self.people) != 1:
            return min(moves, there)
        (person,) = self.people
        keep = there
        for _ in range(min(moves, there)):
            earlier = decision_at(self.match, person, keep - 1)
            if earlier is None:
                break
            keep = earlier
        return there - keep

    def redo(self, moves: int = 1) -> int:
        """Make moves that were taken back again, up to the person's next decision; returns how many plies."""
        self._check_going()
        if not self.redo_moves:
            raise MatchError("there is no move that could be made again")
        self._cancel()
        made = 0
        for _ in range(moves):
            while self.redo_moves and self.result is None:
                self._running()
                self._take(MoveMade(self.turn, self.redo_moves[0]))
                made += 1
                if len(self.people) != 1 or self.turn in self.people:
                    break
        self._moved_about()
        return made

    def jump(self, ply: int) -> None:
        """Go to where so many moves stand; against a computer, to the person's decision at or before that."""
        there = len(self.match.plies)
        ply = max(0, min(ply, there + len(self.redo_moves)))
        if ply > there:
            self._check_going()
            self._cancel()
            while len(self.match.plies) < ply and self.result is None:
                self._running()
                self._take(MoveMade(self.turn, self.redo_moves[0]))
            self._moved_about()
        elif ply < there:
            (person,) = self.people if len(self.people) == 1 else (None,)
            at = None if person is None else decision_at(self.match, person, ply)
            self._go_to(ply if at is None else at)

    def _go_to(self, keep: int) -> None:
        before = self.match
        back = taken_back(before, len(before.plies) - keep, self.clock())
        self._cancel()
        if before.result is not None:
            self.series = Series()
        self.match = back
        self.redo_moves = before.moves[len(back.plies) :] + self.redo_moves
        self.kept = None
        self._moved_about()

    def _moved_about(self) -> None:
        """The board is another: computers get ready anew, and where nobody else plays they wait."""
        self._news = {"X": [], "O": []}
        for computer in self._computers.values():
            computer.ready = False
        self.stop_analysis()
        self._keep()
        self.listen(Changed())
        if not self.people and self.result is None:
            self.pause()
        self._proceed()

    def resign(self, seat: Seat | None = None) -> None:
        """Give up: the person who is to move unless another is named, or the only one."""
        self._check_going()
        self._running()
        self._take(Resign(seat or self._person()))

    def offer_draw(self) -> None:
        """The person who is to move offers a draw. A computer answers, another person by ``answer``."""
        self._check_going()
        if self.turn not in self.people:
            raise MatchError("a draw is offered when it is one's turn")
        self._running()
        self._offer(OfferDraw(self.turn))

    def swap_sides(self) -> None:
        """The two players change chairs; the board stays as it is."""
        self.set_seats(self.seats.swapped())

    def set_seats(self, seats: Seats) -> None:
        """Have others go on with the game."""
        if self.series.games > 1:
            raise MatchError("in a series the players change sides after each game, and only then")
        self._cancel()
        self.seats, self.match = seats, reseated(self.match, seats.names, strict=not seats.people)
        self._halted = False
        self._seat_computers()
        self._moved_about()

    def new_game(self, plan: Plan | None = None) -> None:
        """Put another game on the table; without one, the same again. One that is not over stays saved."""
        self.lay_out(plan or replace(self.plan.again(), series=Series(self.series.games), file=""))
        self.begin()

    def lay_out(self, plan: Plan) -> None:
        """Put another game on the table to be looked at: it does not begin."""
        self._leave()
        self._put(plan)
        self.listen(Changed())

    def next_game(self) -> None:
        """The next game of the series, with sides changed."""
        if self.result is None or self.series.over:
            raise MatchError("there is no next game of the series")
        plan = replace(self.plan, seats=self.seats.swapped()).again()
        self._leave()
        self._put(plan)
        self._keep()  # the score so far must not be lost, either
        self.listen(Changed())
        self.begin()

    def load(self, path: str, number: int | None = None) -> None:
        """Go on with a saved game, or from where a record ends, with the players who sit here."""
        self.new_game(plan_from_file(path, self.seats, number))

    def _check_going(self) -> None:
        if self.result is not None:
            raise MatchError(f"the game is over: {self.result}")

    def _person(self) -> Seat:
        if self.turn in self.people or not self.people:
            return self.turn
        return next(iter(self.people))

    @property
    def can_undo(self) -> bool:
        if self.match.result is not None and (has_clock(self.match) or self.series.games > 1):
            return False
        return bool(self._undone(1))

    @property
    def can_redo(self) -> bool:
        return bool(self.redo_moves)
