"""The game of a table as it is kept: on disk while it is played, among the records when it is over."""

import shlex
from collections.abc import Callable
from pathlib import Path

from metatac.game import Move, Position
from metatac.match import Result, Seat
from metatac.table.computer import Post
from metatac.table.news import News, SavedAgain, Unsaved
from metatac.table.plans import Plan
from metatac.table.records import RecordFile
from metatac.table.saves import Keeper


class Kept:
    """A match with its seats and series, and what becomes of them on disk."""

    def __init__(self, plan: Plan, post: Post, listen: Callable[[News], object], keep: bool) -> None:
        self.listen, self._keeps, self._post = listen, keep, post
        self._closed = False
        self._put(plan)

    def _put(self, plan: Plan) -> None:
        """Put a game on the table."""
        self.match, self.seats, self.series = plan.match, plan.seats, plan.series
        self.redo_moves = plan.redo
        """Moves that were taken back and can be made again, the next one first."""
        self.kept = Path(plan.kept) if plan.kept else None
        """Where the record of the game is, once it is over."""
        self._trouble = False
        """Whether it has been told that the game is not saved."""
        self._records = RecordFile()
        self._keeper = Keeper(plan.file, lambda error: self._post_if_open(lambda: self._heard_of_save(error)))
        if self._keeps:
            self._keeper.take()

    def _post_if_open(self, call: Callable[[], object]) -> None:
        """Bring something from another thread, unless everybody has left meanwhile."""
        if not self._closed:
            self._post(lambda: None if self._closed else call())

    @property
    def plan(self) -> Plan:
        """All of it as one value, from which the same table can be set again."""
        kept = "" if self.kept is None else str(self.kept)
        return Plan(self.match, self.seats, self.series, self.redo_moves, self.saved, kept)

    @property
    def position(self) -> Position:
        return self.match.position

    @property
    def turn(self) -> Seat:
        return self.match.turn

    @property
    def last_move(self) -> Move | None:
        """The last move that left marks: a swap takes over the one before it."""
        return next((move for move in reversed(self.match.moves) if move), None)

    @property
    def result(self) -> Result | None:
        return self.match.result

    @property
    def verdict(self) -> str:
        """Who has won a game that is over, in words."""
        winner = None if self.result is None else self.result.winner
        return f"{winner} ({self.seats.name(winner)}) wins" if winner else "Nobody wins"

    @property
    def people(self) -> frozenset[Seat]:
        return self.seats.people

    # -- on disk

    @property
    def saved(self) -> str:
        """The file that the game is kept in while it is played; empty where there is none yet."""
        return "" if self._keeper.file is None else str(self._keeper.file)

    def save(self, name: str = "") -> Path:
        """Add the record of the game so far to a file, one in the user's data folder unless named.

        An OSError names the file and what is wrong.
        """
        return self._records.save(self.match, name)

    def flush(self) -> None:
        """Wait until the game, as it stands, is on disk."""
        self._keeper.flush()

    def _keep(self) -> None:
        if self._keeps:
            self._keeper.keep(self.plan)

    def _done_with(self) -> bool:
        """Whether the save is of no more use: the last game is over, and kept where it is to be."""
        return self.result is not None and self.series.over and (self.kept is not None or not self._keeps_record())

    def _keeps_record(self) -> bool:
        """Whether people have played it, and not only looked at it."""
        return self._keeps and bool(self.people) and any(ply.seconds is not None for ply in self.match.plies)

    def _finish(self) -> None:
        """Move the game, which is over, to where such games are kept."""
        if self._keeps_record() and self.kept is None:
            try:
                self.kept = self.save()
            except OSError as error:
                self._complain(error)
        if self._done_with():
            self._keeper.close(discard=True)
        else:
            self._keep()

    def _heard_of_save(self, error: OSError | None) -> None:
        if error is not None:
            self._complain(error)
        elif self._trouble:
            self._trouble = False
            self.listen(SavedAgain())

    def _complain(self, error: OSError) -> None:
        if not self._trouble:
            self._trouble = True
            self.listen(Unsaved(_reason(error)))

    def farewell(self) -> str:
        """What to say to people who leave: how to go on with the game, or where it is."""
        if self.result is not None and self.kept is not None:
            # Without a file it is the game kept last that is shown: a long path is told once only.
            analysis = f"metatac analyze --record {shlex.quote(str(self.kept))}"
            return f"The game is kept; to see it: metatac replay; to analyse it: {analysis}"
        if self._keeper.error is not None:
            moves = " ".join(map(str, self.match.moves))
            return f"The game is not saved: {_reason(self._keeper.error)}. Its moves: {moves}"
        if self.saved and self.match.plies and not self._done_with():
            return "The game is saved; to go on with it: metatac play --resume"
        return ""


def _reason(error: OSError) -> str:
    return f"{error.filename}: {error.strerror}"
