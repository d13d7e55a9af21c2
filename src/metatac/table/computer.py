"""A computer at the table: a player in a thread of its own, so that nobody waits for it who does not want to.

The thread dies with the process: compiled code hears no signals. What the player answers comes back in the thread
of the table's owner, unless nobody wants it any more.
"""

import queue
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from metatac.game import Move, Position
from metatac.match import Clock, Player, Result, Seat
from metatac.match.player import hook

if TYPE_CHECKING:
    from metatac.engine.results import SearchResult

Post = Callable[[Callable[[], object]], object]
"""Has a function called in the thread of the table's owner. It is used from other threads."""

NUDGE = 0.05
"""Seconds between two calls to answer at once: the first may come before the search has begun, and be lost."""
LAST_WORDS = 2.0
"""Seconds that a program in another process is given to go."""


@dataclass(slots=True, eq=False)
class _Job:
    """Something that the player is asked; ``answer`` is called with what it says, ``failed`` with what it raises."""

    work: Callable[[Player], Any]
    answer: Callable[[Any], None]
    failed: Callable[[BaseException], None]
    done: threading.Event = field(default_factory=threading.Event)
    hurried: bool = False
    dropped: bool = False
    """Nobody wants the answer any more."""


class Computer:
    """The player of a seat, asked one thing after the other. All methods are the owner's, and none of them waits."""

    def __init__(self, seat: Seat, make: Callable[[], Player], post: Post) -> None:
        self.seat = seat
        self.ready = False
        """Whether it could be asked for a move at once."""
        self.thought: SearchResult | None = None
        self._make, self._post = make, post
        self._player: Player | None = None
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._asked: list[_Job] = []
        """What it has not answered yet, in order."""
        self._running: _Job | None = None
        self._lock = threading.Lock()
        """Held while what runs changes, so that nobody is interrupted who is no longer meant."""
        self._thread = threading.Thread(target=self._run, name=f"metatac {seat}", daemon=True)
        self._thread.start()

    # -- what it is asked

    def prepare(
        self,
        position: Position,
        answer: Callable[[], None],
        failed: Callable[[BaseException], None],
        say: Callable[[str], object],
    ) -> None:
        """Have everything ready for a game that goes on from the position."""

        def work(player: Player) -> None:
            kernel = sys.modules.get("metatac.kernel.compiled")  # there already, if the player needs it
            if kernel is not None:
                kernel.report_to(lambda line, passing: self._post(lambda: say(line.strip())))
            begin = hook(player, "game_started")
            if begin is not None:
                begin(position, self.seat)

        def ready(_: object) -> None:
            self.ready = True
            answer()

        self.ready = False
        self._ask(_Job(work, ready, failed))

    def choose(
        self,
        position: Position,
        clock: Callable[[], Clock],
        news: list[tuple[Position, Move]],
        answer: Callable[[Any], None],
        failed: Callable[[BaseException], None],
        report: "Callable[[SearchResult], None]",
    ) -> None:
        """Ask for a move. It is first told the opponent's moves, on its own time."""

        def work(player: Player) -> Any:
            moved = hook(player, "opponent_moved")
            if moved is not None:
                for told in news:
                    moved(*told)
            if hasattr(player, "thinking"):
                player.thinking = lambda result: self._heard(job, result, report)
            return player.choose(position, clock())

        self.thought = None
        job = _Job(work, answer, failed)
        self._ask(job)

    def agrees(self, offer: str, position: Position, answer: Callable[[bool], None]) -> None:
        """Ask whether it agrees to a draw; one that cannot be asked does not."""

        def work(player: Player) -> bool:
            judge = hook(player, "agrees")
            return judge is not None and judge(offer, position) is True

        self._ask(_Job(work, answer, lambda error: answer(False)))

    def end(self, result: Result) -> None:
        """Tell it how the game ended. What it has to say to that is nobody's concern."""

        def work(player: Player) -> None:
            ended = hook(player, "game_ended")
            if ended is not None:
                ended(result)

        self._ask(_Job(work, lambda _: None, lambda error: None))

    # -- stopping

    @property
    def busy(self) -> bool:
        """Whether it has been asked something that it has not answered."""
        return bool(self._asked)

    def hurry(self) -> None:
        """Have it answer at once with what it has, if it can do that."""
        if self._asked and not self._asked[-1].hurried:
            self._asked[-1].hurried = True
            self._nudge_later(self._asked[-1])

    def cancel(self) -> None:
        """Nobody wants its answers any more. It has to get ready again before it is asked for another."""
        self.thought = None
        for job in self._asked:
            self.ready = False
            job.dropped = True
            self._nudge_later(job)
        self._asked = []

    def close(self) -> None:
        """Send it away. A program in another process is gone when this returns."""
        closes = hook(self._player, "close") is not None
        self.cancel()
        self._jobs.put(None)
        if closes:
            self._thread.join(LAST_WORDS)

    # -- in the player's thread

    def _ask(self, job: _Job) -> None:
        self._asked.append(job)
        self._jobs.put(job)

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            if not job.dropped:
                self._work(job)
            job.done.set()
        _close(self._player)

    def _work(self, job: _Job) -> None:
        answer: Any = None
        error: BaseException | None = None
        try:
            player = self._player or self._make()
            with self._lock:
                self._player, self._running = player, job
            answer = job.work(player)
        except BaseException as raised:  # a border: what it raises is its answer
            error = raised
        with self._lock:
            self._running = None
        self._tell(job, answer, error)

    def _tell(self, job: _Job, answer: Any, error: BaseException | None) -> None:
        def tell() -> None:
            if not job.dropped:
                self._asked.remove(job)
                if error is None:
                    job.answer(answer)
                else:
                    job.failed(error)

        self._post(tell)

    def _heard(self, job: _Job, result: "SearchResult", report: "Callable[[SearchResult], None]") -> None:
        """What the player has found so far; of several words that wait to be heard the last one counts."""
        if job.dropped:
            return
        self.thought = result

        def tell() -> None:
            if not job.dropped and self.thought is result:
                report(result)

        self._post(tell)

    # -- in a thread that stops it

    def _nudge_later(self, job: _Job) -> None:
        threading.Thread(target=self._nudge, args=(job,), daemon=True).start()

    def _nudge(self, job: _Job) -> None:
        """Interrupt the player until it has answered. One that cannot be interrupted is closed, if it is dropped."""
        while True:
            with self._lock:
                player = self._player if self._running is job else None
                interrupt = hook(player, "interrupt")
                if interrupt is not None:
                    interrupt()
                elif job.dropped and hook(player, "close") is not None:
                    self._player = None
                    break
            if job.done.wait(NUDGE):
                return
        _close(player)


def _close(player: Player | None) -> None:
    close = hook(player, "close")
    if close is not None:
        close()
