"""A change is told and answered whatever becomes of who made it, and one game is nobody else's trouble."""

import asyncio
import json
import threading
import time
from itertools import pairwise
from typing import Any

import pytest
from serving import PATIENCE
from sqlalchemy import event, text
from sqlalchemy.orm import Session
from starlette.websockets import WebSocket, WebSocketDisconnect
from workers import begun, nothing_is_taken, outage, until, worker

from metatac.errors import StoreError
from metatac.server import bus, decisions, engine_seats, upkeep
from metatac.server.decisions import Deed, Live
from metatac.server.house import House
from metatac.server.refusals import Refusal
from metatac.server.rooms import Socket
from metatac.server.sockets import converse
from metatac.store.games import changes, presence_in


def watched(house: House) -> list[int]:
    """The plies of the games whose changes are made known, as they come."""
    seen: list[int] = []
    house.on_change = lambda game: seen.append(game.stored.plies)
    return seen


def moved(game: Live, now: float) -> Live:
    return decisions.act(game, "ada", Deed("move", None, "a", None, "win", 0.0), {}, now)


async def open_line(*messages: str) -> Socket:
    """A line that brings some messages, and that nothing can be sent on."""
    coming: list[dict[str, Any]] = [{"type": "websocket.connect"}]
    coming += [{"type": "websocket.receive", "text": message} for message in messages]

    async def receive() -> dict[str, Any]:
        return coming.pop(0) if coming else await asyncio.Future()

    async def send(message: Any) -> None:
        if message["type"] != "websocket.accept":
            raise WebSocketDisconnect

    websocket = WebSocket({"type": "websocket"}, receive, send)
    await websocket.accept()
    return Socket(websocket, "ada")


def test_a_move_whose_maker_is_cut_off_while_it_is_saved_is_told(database_url: str) -> None:
    async def scene() -> None:
        async with worker(database_url) as (house, _):
            id = await begun(house)
            seen = watched(house)
            socket = await open_line('{"type": "move"}')
            begin = asyncio.Event()

            async def handle(message: dict[str, Any]) -> None:
                begin.set()
                await house.change(id, moved)

            with nothing_is_taken(database_url):
                talk = asyncio.create_task(converse(socket, house, handle))
                await begin.wait()
                socket.ping()  # by which the dead line is noticed
                await asyncio.wait({talk}, timeout=0.5)
            async with asyncio.timeout(PATIENCE):
                await talk
            assert seen == [1]

    asyncio.run(scene())


def test_a_change_whose_answer_was_lost_is_told_as_soon_as_the_database_is_back(database_url: str) -> None:
    async def scene() -> None:
        async with worker(database_url) as (house, _):
            id = await begun(house)
            seen, write = watched(house), house.desk.write

            async def cut_off(work: Any, apart: bool = False) -> Any:
                house.desk.write = write  # type: ignore[method-assign]
                await write(work, apart)
                raise StoreError("the connection broke")

            house.desk.write = cut_off  # type: ignore[method-assign,assignment]
            with pytest.raises(StoreError, match="broke"):
                await house.change(id, moved)
            await until(lambda: seen == [1])

    asyncio.run(scene())


def spoil(house: House, id: str) -> None:
    with house.desk.database.write() as session:
        session.execute(text("UPDATE web_games SET match = :match WHERE id = :id"), {"match": "{}", "id": id})
    house._known.pop(id)


def test_a_game_that_cannot_be_read_holds_up_no_other(
    database_url: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def scene() -> None:
        async with worker(database_url) as (house, upkeep):
            spoilt, sound = await begun(house), await begun(house)
            orphan = await begun(house, opponent="engines")
            await house.stop_tasks()
            for id in (spoilt, orphan):
                spoil(house, id)
            now = time.time()
            monkeypatch.setattr(time, "time", lambda: now + 60)
            house.served = now + 60
            for _ in range(2):
                await upkeep._sweep()
            assert (await house.game(sound)).stored.reason == "overrun"
            await upkeep._engines.take_over(["somebody else"])
            with pytest.raises(Refusal, match="cannot be read"):
                await house.game(spoilt)

    asyncio.run(scene())
    assert len([record for record in caplog.records if "cannot be read" in record.message]) == 2


@pytest.mark.parametrize("opponent", ["self", "engines"])
def test_many_games_that_cannot_be_read_hide_no_other(
    database_url: str, opponent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are overdue, or wait for an engine, and stay so; more than are looked at in one go."""
    monkeypatch.setattr(upkeep, "SWEPT", 3)
    monkeypatch.setattr(engine_seats, "TAKEN", 3)

    async def scene() -> None:
        async with worker(database_url) as (house, clockwork):
            ids = [await begun(house, opponent) for _ in range(8)]
            await house.stop_tasks()
            for id in ids[:-1]:
                spoil(house, id)
            now = time.time()
            monkeypatch.setattr(time, "time", lambda: now + 60)
            house.served = now + 60
            for _ in range(4):
                await clockwork._sweep()
                await clockwork._engines.take_over(["somebody else"])
            last = (await house.game(ids[-1])).stored
            assert last.reason == "overrun" if opponent == "self" else last.version > 1

    asyncio.run(scene())


def test_of_many_who_leave_while_the_database_is_away_one_waits_for_it(database_url: str) -> None:
    async def scene() -> None:
        async with worker(database_url) as (house, _):
            id = await begun(house)
            tabs = [Socket(None, "ada") for _ in range(3)]  # type: ignore[arg-type]
            for tab in tabs:
                room = await house.enter(id, tab)
            with outage(database_url):
                waiting = [house.spawn(house.leave(id, room, tab)) for tab in tabs]
                await until(lambda: sum(task.done() for task in waiting) == 2)
            async with asyncio.timeout(PATIENCE):
                await asyncio.gather(*waiting)
            assert not (await house.desk.read(lambda session: presence_in(session, id)))["ada"].online
            assert id not in house.rooms

    asyncio.run(scene())


def test_who_leaves_two_workers_at_once_has_left(postgres: str) -> None:
    async def scene() -> None:
        async with worker(postgres) as (here, _), worker(postgres) as (there, _):
            id = await begun(here)
            tabs = [Socket(None, "ada") for _ in range(2)]  # type: ignore[arg-type]
            rooms = [await house.enter(id, tab) for house, tab in zip((here, there), tabs, strict=True)]
            await there.enter(id, Socket(None, "bob"))  # type: ignore[arg-type]
            written, committed, tell = threading.Event(), threading.Event(), there.bus.tell

            def told(session: Session, *words: Any) -> None:
                tell(session, *words)
                event.listen(session, "before_commit", lambda _: written.set())
                event.listen(session, "before_commit", lambda _: committed.wait(PATIENCE))

            there.bus.tell = told  # type: ignore[method-assign,assignment]
            leaving = there.spawn(there.leave(id, rooms[1], tabs[1]))
            await until(written.is_set)
            heard, refresh = asyncio.Event(), there.refresh_presence

            async def refreshed(ids: Any) -> None:
                await refresh(ids)
                heard.set()

            there.refresh_presence = refreshed  # type: ignore[method-assign]
            await here.leave(id, rooms[0], tabs[0])
            await until(heard.is_set)
            committed.set()
            await leaving
            assert rooms[1].presence["bob"].online and not rooms[1].presence["ada"].online

    asyncio.run(scene())


def test_an_old_answer_about_who_is_here_is_not_shown(database_url: str) -> None:
    async def scene() -> None:
        async with worker(database_url) as (house, _):
            id = await begun(house)
            ada, bob = (Socket(None, name) for name in ("ada", "bob"))  # type: ignore[arg-type]
            room = await house.enter(id, bob)
            await house.enter(id, ada)
            read, answered, go_on = house.desk.read, asyncio.Event(), asyncio.Event()

            async def held_up(work: Any) -> Any:
                house.desk.read = read  # type: ignore[method-assign]
                answer = await read(work)
                answered.set()
                await go_on.wait()
                return answer

            house.desk.read = held_up  # type: ignore[method-assign,assignment]
            old = house.spawn(house.refresh_presence([id]))
            await until(answered.is_set)
            await house.leave(id, room, ada)
            go_on.set()
            await old
            assert room.presence["bob"].online and not room.presence["ada"].online

    asyncio.run(scene())


def kinds(socket: Socket) -> list[str]:
    return [kind for kind, _ in socket._waiting]


def test_who_comes_is_told_of_the_game_and_nobody_else_again(database_url: str) -> None:
    async def scene() -> None:
        async with worker(database_url) as (house, _):
            id = await begun(house)
            ada, bob = (Socket(None, name) for name in ("ada", "bob"))  # type: ignore[arg-type]
            await house.enter(id, ada)
            assert "game" in kinds(ada)
            ada._waiting.clear()
            await house.enter(id, bob)
            assert "game" in kinds(bob) and "game" not in kinds(ada)
            await house.change(id, moved)
            assert "game" in kinds(ada)

    asyncio.run(scene())


def reads_of(house: House) -> list[object]:
    """What the house reads from now on."""
    reads: list[object] = []
    read = house.desk.read

    async def noted(work: Any) -> Any:
        reads.append(work)
        return await read(work)

    house.desk.read = noted  # type: ignore[assignment]
    return reads


def test_what_another_worker_tells_of_a_move_need_not_be_read(postgres: str) -> None:
    async def scene() -> None:
        async with worker(postgres) as (here, _), worker(postgres) as (there, _):
            id = await begun(here)
            room = await there.enter(id, Socket(None, "bob"))  # type: ignore[arg-type]
            reads = reads_of(there)
            made = await here.change(id, moved)
            await until(lambda: room.game.stored.version == made.stored.version)
            assert not reads and room.game == await there.game(id) == made

    asyncio.run(scene())


@pytest.mark.parametrize("all_of_it", [True, False])
def test_who_has_missed_a_change_reads(database_url: str, all_of_it: bool) -> None:
    async def scene() -> None:
        async with worker(database_url) as (house, _):
            id = await begun(house)
            room = await house.enter(id, Socket(None, "bob"))  # type: ignore[arg-type]
            states = [room.game]
            for cell in "ab":
                before, after = states[-1], decisions.act(states[-1], "ada", Deed("move", None, cell), {}, time.time())
                await house.desk.write(lambda session, a=after, b=before: house.save(session, a, b))  # type: ignore[misc]
                states.append(after)
            first, second = (json.dumps(changes(after.stored, before.stored)) for before, after in pairwise(states))
            reads = reads_of(house)
            for told in (second if all_of_it else "", first):
                await house.hear({"game": {id: told}})
                assert room.game == states[-1] and len(reads) == 1

    asyncio.run(scene())


def test_what_is_too_long_to_be_told_is_read(postgres: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bus, "LONGEST", 100)

    async def scene() -> None:
        async with worker(postgres) as (here, _), worker(postgres) as (there, _):
            id = await begun(here)
            room = await there.enter(id, Socket(None, "bob"))  # type: ignore[arg-type]
            made = await here.change(id, moved)
            await until(lambda: room.game == made)

    asyncio.run(scene())
