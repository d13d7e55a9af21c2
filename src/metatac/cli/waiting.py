"""Long runs of compiled code, which Ctrl-C must be able to end, and compiling, which nobody should wait for."""

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from metatac.game import Move, Position
from metatac.match import UNLIMITED, Clock, Player
from metatac.match.player import hook

T = TypeVar("T")


def interruptible(work: Callable[[], T], meanwhile: Callable[[], object] | None = None) -> T:
    """What the work returns. It runs in a thread that dies with the process: compiled code hears no signals.

    ``meanwhile`` is called ten times a second as long as it runs.
    """
    results: list[T] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:  # raised again by the caller, whatever it is
            errors.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(0.1)
        if meanwhile is not None:
            meanwhile()
    if errors:
        raise errors[0]
    return results[0]


@contextmanager
def stop_on_interrupt() -> Iterator[threading.Event]:
    """An event that the first Ctrl-C sets, so that what was found is kept and shown; the second ends the program."""
    stop = threading.Event()
    before = signal.getsignal(signal.SIGINT)

    def note(*_: Any) -> None:
        stop.set()
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, note)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)


AT_ONCE, PATIENCE = 0.05, 0.5
"""Seconds that are waited at first, so that a player that refuses a game does so now; and that nobody is told about."""


class MadeReady:
    """A player that gets ready, and is compiled if need be, in the background: only its first answer waits for that."""

    def __init__(self, player: Player, tell: Callable[[str], object]) -> None:
        self._player, self._tell = player, tell
        self._thread: threading.Thread | None = None
        self._errors: list[BaseException] = []
        self._progress: list[str] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._player, name)

    @property
    def name(self) -> str:
        return self._player.name

    def game_started(self, position: Position, seat: str) -> None:
        self._wait()
        begin = hook(self._player, "game_started")
        if begin is not None:
            self._thread = threading.Thread(target=self._get_ready, args=(begin, position, seat), daemon=True)
            self._thread.start()
            self._thread.join(AT_ONCE)
            self._complain()

    def choose(self, position: Position, clock: Clock = UNLIMITED) -> Move:
        self._wait()
        return self._player.choose(position, clock)

    def _get_ready(self, begin: Callable[[Position, str], object], position: Position, seat: str) -> None:
        try:
            kernel = sys.modules.get("metatac.kernel.compiled")  # there already, if the player needs it
            if kernel is not None:
                kernel.report_to(lambda line, passing: self._progress.append(line.strip()))
            begin(position, seat)
        except BaseException as error:  # raised again by who waits, whatever it is
            self._errors.append(error)

    def _complain(self) -> None:
        if self._errors:
            raise self._errors.pop()

    def _wait(self) -> None:
        """Until it is ready; after a while, tell what is being done."""
        if self._thread is None:
            return
        self._thread.join(PATIENCE)
        if self._thread.is_alive():
            self._tell(f"{self.name} is getting ready …")
        told = 0
        while self._thread.is_alive():
            self._thread.join(0.1)
            for line in self._progress[told:]:
                self._tell(f"  {line}")
                told += 1
        self._thread = None
        self._complain()
