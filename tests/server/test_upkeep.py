"""Who counts as alive, and whose time is charged: workers in this process, and a clock that the tests set."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from metatac.game import start
from metatac.server.decisions import Wish
from metatac.server.engine_seats import EngineSeats
from metatac.server.house import House
from metatac.server.rooms import Socket
from metatac.server.settings import Settings
from metatac.server.studies import Studies
from metatac.server.upkeep import Upkeep
from metatac.store import open_database
from metatac.store.games import WebWorker, presence_in

Pass = Callable[[float], None]


@pytest.fixture
def passing(monkeypatch: pytest.MonkeyPatch) -> Pass:
    """The system's clock stands still but for what it is set on, or back, by this."""
    now = [time.time()]
    monkeypatch.setattr(time, "time", lambda: now[0])

    def set_on(seconds: float) -> None:
        now[0] += seconds

    return set_on


@contextlib.asynccontextmanager
async def worker(database: str) -> AsyncIterator[tuple[House, Upkeep]]:
    """A worker whose upkeep is done when the test says so."""
    house = House(Settings(database), open_database(database))
    try:
        yield house, Upkeep(house, EngineSeats(house), Studies(house))
    finally:
        await house.stop_tasks()
        house.close()


async def begun(house: House) -> str:
    """A game in which every move has twenty seconds."""
    wish = Wish(start("tic-tac-toe"), "tic-tac-toe", {}, "self", "X", "20/move", True)
    return (await house.create(wish, "ada"))[0].stored.id


async def left(house: House, id: str) -> float:
    """Seconds until the game's mover has overrun."""
    stored = (await house.game(id)).stored
    assert stored.phase == "running" and stored.deadline is not None, stored.reason
    return stored.deadline - time.time()


def test_a_worker_that_died_before_the_clock_went_back_is_dead(tmp_path: Path, passing: Pass) -> None:
    async def scene() -> None:
        async with worker(str(tmp_path / "games.db")) as (house, upkeep):
            await upkeep._beat(first=True)
            id = await begun(house)
        passing(-3600.0)
        async with worker(str(tmp_path / "games.db")) as (house, upkeep):
            await upkeep._beat(first=True)
            with house.desk.database.read() as session:
                assert [row.id for row in session.query(WebWorker)] == [house.worker]
            assert 0 < await left(house, id) <= 20

    asyncio.run(scene())


def test_of_two_workers_that_start_after_an_outage_none_judges_before_the_time_is_given_back(
    postgres: str, passing: Pass
) -> None:
    async def scene() -> None:
        async with worker(postgres) as (house, upkeep):
            await upkeep._beat(first=True)
            id = await begun(house)
        passing(60.0)
        async with worker(postgres) as (house, upkeep), worker(postgres) as (_, other):
            write = house.desk.write

            async def overtaken(work: Any) -> Any:
                """As soon as anything of the first is in the database, the second is at work."""
                house.desk.write = write  # type: ignore[method-assign]
                done = await write(work)
                await other._beat(first=True)
                await other._sweep()
                return done

            house.desk.write = overtaken  # type: ignore[method-assign,assignment]
            await upkeep._beat(first=True)
            assert 0 < await left(house, id) <= 20

    asyncio.run(scene())


def test_who_was_stopped_for_a_while_charges_nobody_for_it(database_url: str, passing: Pass) -> None:
    async def scene() -> None:
        async with worker(database_url) as (house, upkeep), worker(database_url) as (_, other):
            await upkeep._beat(first=True)
            id = await begun(house)
            passing(30.0)
            await house.judge_time(id)  # as its room does, before any sweep
            assert 0 < await left(house, id) <= 20
            passing(30.0)
            await upkeep._sweep()
            assert 0 < await left(house, id) <= 20
            if not house.desk.database.is_sqlite:
                passing(30.0)
                await other._beat()  # which gives back, and then counts as one who served
                await house.judge_time(id)
                assert 0 < await left(house, id) <= 20
            for _ in range(3):  # and who serves does charge
                passing(10.0)
                await upkeep._sweep()
            assert (await house.game(id)).stored.reason == "overrun"

    asyncio.run(scene())


def test_after_a_stall_of_the_database_nobody_who_is_here_counts_as_gone(database_url: str, passing: Pass) -> None:
    async def scene() -> None:
        async with worker(database_url) as (_, upkeep), worker(database_url) as (house, other):
            await upkeep._beat(first=True)
            await other._beat()
            id = await begun(house)
            await house.enter(id, Socket(None, "ada"))  # type: ignore[arg-type]

            async def here() -> bool:
                return (await house.desk.read(lambda session: presence_in(session, id)))["ada"].online

            passing(45.0)  # in which neither could say anything
            await upkeep._beat()
            assert await here()
            await other._beat()
            for _ in range(2):  # but who is silent while others speak is dead
                passing(10.0)
                await upkeep._beat()
            assert not await here()
            await other._beat()
            assert await here()

    asyncio.run(scene())
