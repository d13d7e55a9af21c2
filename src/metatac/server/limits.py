"""How much one visitor or one address may ask for."""

import asyncio
import time
from collections import Counter, OrderedDict

KNOWN = 20_000
"""Buckets that are kept; the one that was used longest ago is full again anyway."""


class Rates:
    """Token buckets by key: so many a second, and a burst of some seconds' worth."""

    def __init__(self, per_second: float, burst: float = 5.0) -> None:
        self._rate, self._most = per_second, max(1.0, per_second * burst)
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, key: str, cost: float = 1.0) -> bool:
        """Whether there is so much left."""
        now = time.monotonic()
        left, since = self._buckets.pop(key, (self._most, now))
        left = min(self._most, left + (now - since) * self._rate)
        granted = left >= cost
        self._buckets[key] = (left - cost if granted else left, now)
        if len(self._buckets) > KNOWN:
            self._buckets.popitem(last=False)
        return granted


class Turns:
    """Work that keeps the processor: each one has one at a time, and all together have a few, so moves never wait.

    All the others go on as soon as the work is done; whoever it was for, once he has what came of it.
    """

    def __init__(self, together: int, waiting: int) -> None:
        self._together, self._waiting = asyncio.Semaphore(together), waiting
        self._own: dict[str, asyncio.Lock] = {}
        self._count: Counter[str] = Counter()

    async def take(self, key: str) -> bool:
        """Wait for one's turn; False where too many of the same wait already."""
        if self._count[key] > self._waiting:
            return False
        self._count[key] += 1
        own = self._own.setdefault(key, asyncio.Lock())
        try:
            await own.acquire()
            try:
                await self._together.acquire()
            except BaseException:
                own.release()
                raise
        except BaseException:
            self._forget(key)
            raise
        return True

    def done(self) -> None:
        """The work is done: others may go on."""
        self._together.release()

    def leave(self, key: str) -> None:
        """It was handed over: so may he whom it was for."""
        self._own[key].release()
        self._forget(key)

    def _forget(self, key: str) -> None:
        self._count[key] -= 1
        if not self._count[key]:
            del self._count[key], self._own[key]


class Sockets:
    """Open websockets by visitor and by address."""

    def __init__(self, per_visitor: int, per_address: int) -> None:
        self._per_visitor, self._per_address = per_visitor, per_address
        self._visitors: Counter[str] = Counter()
        self._addresses: Counter[str] = Counter()

    @property
    def open(self) -> int:
        return self._addresses.total()

    def enter(self, visitor: str, address: str) -> bool:
        if self._visitors[visitor] >= self._per_visitor or self._addresses[address] >= self._per_address:
            return False
        self._visitors[visitor] += 1
        self._addresses[address] += 1
        return True

    def leave(self, visitor: str, address: str) -> None:
        for counter, key in ((self._visitors, visitor), (self._addresses, address)):
            counter[key] -= 1
            if counter[key] <= 0:
                del counter[key]
