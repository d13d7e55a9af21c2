"""Long runs of compiled code, which Ctrl-C must be able to end, and questions that time must be able to."""

import contextlib
import os
import queue
import select
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

T = TypeVar("T")

LATE = 0.02
"""Seconds that an alarm rings late: never before the moment that is meant."""
AGAIN = 0.25
"""Seconds after which it rings again."""


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
def stop_on_interrupt(prepare: Callable[[], object]) -> Iterator[threading.Event]:
    """An event that the first Ctrl-C sets, so that what was found is kept and shown; the second ends the program.

    While ``prepare`` runs before that, the first one ends it: nothing is found yet, and who compiles sees no event.
    """
    interruptible(prepare)
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


class Calls:
    """What other threads post to be called here; and, where a terminal is given, what is typed there meanwhile."""

    def __init__(self, terminal: int | None = None) -> None:
        self._queue: queue.SimpleQueue[Callable[[], object]] = queue.SimpleQueue()
        self._terminal = terminal
        self._bell = None if terminal is None else socket.socketpair()
        for end in self._bell or ():
            end.setblocking(False)

    def post(self, call: Callable[[], object]) -> None:
        self._queue.put(call)
        if self._bell is not None:
            with contextlib.suppress(OSError):  # it rings already, or nobody is there any more
                self._bell[0].send(b"!")

    @property
    def listens(self) -> bool:
        """Whether it is heard what is typed."""
        return self._terminal is not None

    def take(self, timeout: float | None) -> Callable[[], object] | list[str] | None:
        """The next call, or the lines that were typed; None where neither comes in time. EOFError is Ctrl-D's."""
        if self._terminal is not None and self._bell is not None and self._queue.empty():
            ready = select.select([self._terminal, self._bell[1].fileno()], [], [], timeout)[0]
            if self._bell[1].fileno() in ready:
                self._bell[1].recv(4096)
            if self._terminal in ready:
                return _typed(self._terminal)
            timeout = 0.0
        return self.posted(timeout)

    def posted(self, timeout: float | None = 0.0) -> Callable[[], object] | None:
        """The next call, whatever is typed."""
        try:
            return self._queue.get(timeout=timeout)
        except queue.Empty:
            return None

    def close(self) -> None:
        for end in self._bell or ():
            end.close()


def _typed(terminal: int) -> list[str]:
    """The lines that a terminal has; it hands out whole ones only."""
    data = os.read(terminal, 4096)
    if not data:
        raise EOFError
    return data.decode(errors="replace").splitlines()


class TimeUp(Exception):
    """The alarm has rung."""


@contextmanager
def alarm(seconds: float | None) -> Iterator[None]:
    """Raise TimeUp after so many seconds, even out of ``input``. Where there are no such signals, it never rings."""
    if seconds is None or not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(*_: Any) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        raise TimeUp

    before = signal.signal(signal.SIGALRM, ring)
    try:
        # It rings until it is heard: line editing does not notice a signal that comes while it begins.
        signal.setitimer(signal.ITIMER_REAL, max(seconds, 0.0) + LATE, AGAIN)
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
