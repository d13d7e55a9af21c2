"""The gate by itself, before an application that the tests play: who works, who waits, and for whom."""

import asyncio
from typing import Any

from metatac.server.gate import PIECE, UNTAKEN, Gate
from metatac.server.identity import COOKIE, Signer
from metatac.server.metrics import Metrics
from metatac.server.settings import Settings

SIGNER = Signer(b"k" * 32)
ADA, BOB = SIGNER.new_visitor(), SIGNER.new_visitor()


class Counter:
    """Behind the gate: answers whoever comes when it is told to, and knows how many have come."""

    def __init__(self, answer: bytes = b"{}") -> None:
        self.come, self.open, self.taken, self._body = 0, asyncio.Event(), asyncio.Event(), answer
        self.sent: list[Any] = []
        self.gate = Gate(self._answer, Settings("games.db"), SIGNER, Metrics())

    async def _answer(self, scope: Any, receive: Any, send: Any) -> None:
        self.come += 1
        await self.open.wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": self._body})

    def ask(self, path: str, visitor: str = ADA) -> "asyncio.Task[Any]":
        async def receive() -> Any:
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.body":
                await self.taken.wait()
            self.sent.append(message)

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
        counter.taken.set()
        await asyncio.gather(*searches)
        assert counter.come == 5

    asyncio.run(scene())


def test_who_has_not_taken_one_answer_waits_for_the_next_and_nobody_else_does() -> None:
    async def scene() -> None:
        counter = Counter()
        counter.open.set()
        two = [counter.ask("/api/rules") for _ in range(2)]
        await settle()
        assert counter.come == 1
        other = counter.ask("/api/rules", BOB)
        await settle()
        assert counter.come == 2
        counter.taken.set()
        await asyncio.gather(*two, other)
        assert counter.come == 3

    asyncio.run(scene())


def test_an_answer_goes_out_as_it_is_taken() -> None:
    async def scene() -> None:
        answer = bytes(range(251)) * (3 * PIECE // 251)
        counter = Counter(answer)
        counter.open.set()
        counter.taken.set()
        await counter.ask("/api/rules")
        parts = [message for message in counter.sent if message["type"] == "http.response.body"]
        assert max(len(part["body"]) for part in parts) == PIECE and b"".join(part["body"] for part in parts) == answer
        assert [part.get("more_body", False) for part in parts] == [True] * (len(parts) - 1) + [False]

    asyncio.run(scene())


def test_an_address_that_takes_nothing_has_no_more_made() -> None:
    async def scene() -> None:
        counter = Counter(bytes(UNTAKEN // 2 + 1))
        counter.open.set()
        held = [counter.ask("/api/rules", SIGNER.new_visitor()) for _ in range(3)]
        await settle()
        assert [part["status"] for part in counter.sent] == [200, 200, 429]
        counter.taken.set()
        await asyncio.gather(*held)
        counter.sent.clear()
        await counter.ask("/api/rules")
        assert counter.sent[0]["status"] == 200

    asyncio.run(scene())
