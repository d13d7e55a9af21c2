"""Long runs of compiled code, which Ctrl-C must be able to end, and questions that time must be able to."""

import signal
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
