"""Who asks for much waits for himself."""

import asyncio
from typing import Any

import pytest
from starlette.websockets import WebSocket

from metatac.game import start
from metatac.server import decisions
from metatac.server.decisions import Deed, Wish
from metatac.server.gate import Gate
from metatac.server.house import House
from metatac.server.identity import Signer
from metatac.server.limits import Rates, Turns
from metatac.server.metrics import Metrics
from metatac.server.refusals import Refusal
from metatac.server.rooms import MOST_WAITING, Socket
from metatac.server.settings import Settings
from metatac.store import open_database


def test_however_little_is_allowed_it_is_something() -> None:
    rates = Rates(0.01)
    assert rates.take("somebody") and not rates.take("somebody")


def test_every_worker_grants_its_share() -> None:
    async def nothing(*_: object) -> None:
        raise AssertionError

    settings = Settings("games.db", workers=4, sockets_per_visitor=10, sockets_per_address=12)
    sockets = Gate(nothing, settings, Signer(b"k" * 32), Metrics()).sockets
    assert [sockets.enter("ada", "home") for _ in range(4)] == [True, True, True, False]
    assert not sockets.enter("bob", "home") and sockets.enter("bob", "elsewhere")
    assert Settings.from_json(settings.to_json()) == settings


def test_one_has_one_at_a_time_and_all_together_a_few() -> None:
    async def scenario() -> None:
        turns = Turns(together=2, waiting=1)
        assert await turns.take("greedy")
        second = asyncio.create_task(turns.take("greedy"))
        await asyncio.sleep(0)
        assert not await turns.take("greedy")  # one works, one waits: that is enough
        assert await turns.take("modest")  # at once
        third = asyncio.create_task(turns.take("shy"))
        await asyncio.sleep(0)
        assert not second.done() and not third.done()
        turns.done()
        assert await third  # though the modest one has not left yet
        turns.leave("modest")
        third = asyncio.create_task(turns.take("late"))
        await asyncio.sleep(0)
        third.cancel()  # who goes away leaves nothing behind
        await asyncio.gather(third, return_exceptions=True)
        turns.done()
        turns.leave("shy")
        turns.done()
        await asyncio.sleep(0)
        assert not second.done()
        turns.leave("greedy")
        assert await second
        turns.done()
        turns.leave("greedy")
        assert await turns.take("late")

    asyncio.run(scenario())


def test_who_reads_too_slowly_is_asked_to_come_back() -> None:
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "websocket.connect"}

    async def send(message: Any) -> None:
        sent.append(message)

    async def scenario() -> None:
        websocket = WebSocket({"type": "websocket"}, receive, send)
        await websocket.accept()
        socket = Socket(websocket, "ada")
        for number in range(MOST_WAITING + 1):
            socket.tell(number=number)
        await socket.deliver()
        assert sent[-1]["type"] == "websocket.close" and sent[-1]["code"] == 1013  # try again: 1008 is for good

    asyncio.run(scenario())


def test_games_that_are_over_make_no_room_for_more_than_may_be_unfinished(database_url: str) -> None:
    async def scene(house: House) -> None:
        async def made(opponent: str) -> str:
            wish = Wish(start("tic-tac-toe"), "tic-tac-toe", {}, opponent, "X", "none", True)
            return (await house.create(wish, "ada"))[0].stored.id

        await made("open")
        done = await made("self")
        await house.change(done, lambda game, now: decisions.act(game, "ada", Deed("resign"), {}, now))
        await made("open")
        with pytest.raises(Refusal, match="unfinished"):
            await made("open")

    house = House(Settings(database_url, games_per_visitor=2), open_database(database_url))
    try:
        asyncio.run(scene(house))
    finally:
        house.close()
