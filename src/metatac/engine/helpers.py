"""Threads that help a search."""

import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress

PART, MOST = 0.05, 0.25
"""So much of a search's time, and so many seconds, may be spent on starting them."""


def start_helpers(jobs: Iterable[Callable[[], object]], seconds: float | None) -> list[threading.Thread]:
    """A thread for each job, or for some of them: fewer helpers are better than a search that begins too late.

    Each new thread is waited for until the processors, which may all be taken by those before it, come to it.
    """
    late = time.perf_counter() + (MOST if seconds is None else min(MOST, PART * seconds))
    helpers = list[threading.Thread]()
    for job in jobs:
        helper = threading.Thread(target=job, daemon=True)
        with suppress(RuntimeError):  # there are too many threads already
            helper.start()
            helpers.append(helper)
        if time.perf_counter() > late:
            break
    return helpers
