"""The clock in compiled code: a search looks by itself whether its time is over.

A thread that tells it would have to be woken up, which on a busy machine takes longer than there is. Where the system
has no such clock (Windows) there is one nevertheless.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from numba import types as numba_types

from metatac.kernel.bits import Words
from metatac.kernel.compiled import inlined
from metatac.kernel.tables import Words as WordArray

types: Any = numba_types

NEVER = 1 << 62
"""A deadline is four words: when it is, in nanoseconds; two that the clock writes seconds and nanoseconds to; and where
those are."""
CLOCK: int | None = getattr(time, "CLOCK_MONOTONIC", None)
_BILLION = 1_000_000_000

if CLOCK is not None:
    _number, _read = CLOCK, types.ExternalFunction("clock_gettime", types.int32(types.int32, types.int64))

    @inlined
    def is_over(D: Words) -> bool:
        """Whether it is time to end."""
        if D[0] == NEVER:
            return False
        _read(_number, D[3])
        return D[1] * _BILLION + D[2] >= D[0]

else:  # pragma: no cover

    @inlined
    def is_over(D: Words) -> bool:
        """Whether it is time to end: somebody else says so."""
        return False


def set_deadline(words: WordArray, place: int, seconds: float | None) -> None:
    """Have a search end so many seconds from now. The words must stay where they are."""
    words[place] = NEVER
    words[place + 3] = words.ctypes.data + 8 * (place + 1)
    if CLOCK is not None and seconds is not None and seconds * _BILLION < NEVER // 2:
        words[place] = time.clock_gettime_ns(CLOCK) + int(seconds * _BILLION)


@contextmanager
def alarm(seconds: float | None, ring: Callable[[], Any]) -> Iterator[None]:
    """Ring when the time is over, where a search cannot see the clock."""
    if CLOCK is not None or seconds is None:
        yield
        return
    timer = threading.Timer(min(seconds, threading.TIMEOUT_MAX), ring)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
