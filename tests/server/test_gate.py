"""The gate by itself, before an application that the tests play: who works, who waits, and for whom."""

import asyncio
from typing import Any

from metatac.server.gate import Gate
from metatac.server.identity import COOKIE, Signer
from metatac.server.metrics import Metrics
from metatac.server.settings import Settings

SIGNER = Signer(b"k" * 32)


class Counter:
    """Behind the gate: answers whoever comes when it is told to, and knows how many have come."""

    def __init__(self) -> None:
        self.come, self.open = 0, asyncio.Event()
        self.gate = Gate(self._answer, Settings("games.db"), SIGNER, Metrics())

    async def _answer(self, scope: Any, receive: Any, send: Any) -> None:
        self.come += 1
        await self.open.wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"{}"})

    def ask(self, path: str, visitor: str = "ada") -> "asyncio.Task[Any]":
        async def receive() -> Any:
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            return None

        headers = [(b"host", b"localhost"), (b"cookie", f"{COOKIE}={SIGNER.cookie(visitor)}".encode())]
        scope = {"type": "http", "method": "GET", "path": path, "headers": headers, "client": ("home", 1)}
        return asyncio.create_task(self.gate(scope, receive, send))


async def settle() -> None:
    """Let everybody go as far as he can."""
    for _ in range(50):
        await asyncio.sleep(0)


def test_searches_of_the_archive_are_made_one_at_a_time() -> None:
    async def scene() -> None:
        counter = Counter()
        searches = [counter.ask("/api/archive") for _ in range(5)]
        await settle()
        assert counter.come == 1
        counter.open.set()
        await asyncio.gather(*searches)
        assert counter.come == 5

    asyncio.run(scene())
