"""Threads that help a search."""

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress

PART, MOST = 0.05, 0.25
"""So much of a search's time, and so many seconds, may be spent on starting them."""


@contextmanager
def helped(
    jobs: Iterable[Callable[[], object]], seconds: float | None, stop: Callable[[], object]
) -> Iterator[list[threading.Thread]]:
    """Have threads do jobs meanwhile, or some of them: fewer helpers are better than a search that begins too late.

    Each new thread is waited for until the processors, which may all be taken by those before it, come to it. At the
    end, however it comes, ``stop`` is called, and all are waited for.
    """
    dismissed, helpers = threading.Event(), list[threading.Thread]()

    def do(job: Callable[[], object]) -> None:
        if not dismissed.is_set():
            job()

    late = time.perf_counter() + (MOST if seconds is None else min(MOST, PART * seconds))
    try:
        for job in jobs:
            helpers.append(threading.Thread(target=do, args=(job,), daemon=True))
            with suppress(RuntimeError):  # there are too many threads already
                helpers[-1].start()
            if time.perf_counter() > late:
                break
        yield helpers
    finally:
        dismissed.set()
        stop()
        for helper in helpers:
            if helper.ident is not None:  # else it was interrupted on its way, and will find that it is dismissed
                helper.join()
