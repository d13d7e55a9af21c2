"""Who counts as alive, and whose time is charged: workers in this process, and a clock that the tests set."""

import asyncio
import contextlib
import time
from collections.abc import Callable
from typing import Any

import psycopg
import pytest
from serving import PATIENCE
from sqlalchemy.exc import DBAPIError
from workers import begun, nothing_is_taken, outage, until, worker

from metatac.errors import StoreError
from metatac.game import start
from metatac.match import MoveMade
from metatac.server import decisions
from metatac.server.decisions import Deed, Wish
from metatac.server.engine_seats import EngineSeats
from metatac.server.engines import QUEUE_SECONDS
from metatac.server.house import House
from metatac.server.refusals import Refusal
from metatac.server.rooms import Socket
from metatac.store import database, games, open_database
from metatac.store.games import WebWorker, presence_in, wait_for_roll

Pass = Callable[[float], None]


@pytest.fixture
def passing(monkeypatch: pytest.MonkeyPatch) -> Pass:
    """The system's clock stands still but for what it is set on, or back, by this."""
    now = [time.time()]
    monkeypatch.setattr(time, "time", lambda: now[0])

    def set_on(seconds: float) -> None:
        now[0] += seconds

    return set_on


async def left(house: House, id: str) -> float:
    """Seconds until the game's mover has overrun."""
    stored = (await house.game(id)).stored
    assert stored.phase == "running" and stored.deadline is not None, stored.reason
    return stored.deadline - time.time()


@pytest.mark.parametrize("step", [8.0, 3600.0, -3600.0], ids=["soon", "an hour later", "and the clock went back"])
def test_who_died_is_dead_at_once_for_who_starts_next(database_url: str, passing: Pass, step: float) -> None:
    async def scene() -> None:
        async with worker(database_url) as (house, upkeep):
            await upkeep._beat(first=True)
            id = await begun(house)
            passing(4.0)
            await upkeep._beat()
        passing(step)
        async with worker(database_url) as (house, upkeep):
            await upkeep._beat(first=True)
            with house.desk.database.read() as session:
                assert [row.id for row in session.query(WebWorker)] == [house.worker]
            assert await left(house, id) == pytest.approx(16.0, abs=0.01)

    asyncio.run(scene())


def test_who_starts_beside_one_that_serves_gives_nothing_back(postgres: str, passing: Pass) -> None:
    async def scene() -> None:
        async with worker(postgres) as (house, upkeep), worker(postgres) as (_, other):
            await upkeep._beat(first=True)
            id = await begun(house)
            passing(8.0)
            await other._beat(first=True)
            assert await left(house, id) == pytest.approx(12.0, abs=0.01)

    asyncio.run(scene())


def test_a_clock_that_goes_back_under_those_who_serve_gives_nobody_an_hour(database_url: str, passing: Pass) -> None:
    async def scene() -> None:
        async with worker(database_url) as (house, upkeep), worker(database_url) as (_, other):
            upkeeps = [upkeep] if house.desk.database.is_sqlite else [upkeep, other]
            for number, one in enumerate(upkeeps):
                await one._beat(first=not number)
            id = await begun(house)
            passing(5.0)
            for one in upkeeps:
                await one._sweep()
                await one._beat()
            passing(-3600.0)
            later = await begun(house)
            for one in upkeeps:
                await one._sweep()
                await one._beat()
            assert await left(house, id) == pytest.approx(15.0, abs=0.01)
            assert await left(house, later) == pytest.approx(20.0, abs=0.01)
            for _ in range(4):
                passing(5.0)
                for one in upkeeps:
                    await one._sweep()
            assert (await house.game(id)).stored.reason == "overrun"

    asyncio.run(scene())


def test_an_outage_of_the_database_is_charged_to_nobody(database_url: str, passing: Pass) -> None:
    async def scene() -> None:
        async with worker(database_url) as (house, upkeep):
            await upkeep._beat(first=True)
            id = await begun(house)
            with outage(database_url):
                for _ in range(8):
                    passing(5.0)
                    with pytest.raises(StoreError):
                        await upkeep._beat()
                    with contextlib.suppress(StoreError):
                        await upkeep._sweep()
            await upkeep._sweep()
            assert await left(house, id) == pytest.approx(20.0, abs=0.01)

    asyncio.run(scene())


def test_nobody_is_judged_while_the_database_is_stalled(postgres: str, passing: Pass) -> None:
    async def scene() -> None:
        async with worker(postgres) as (house, upkeep):
            await upkeep._beat(first=True)
            id = await begun(house)
            passing(10.0)
            await upkeep._sweep()
            with psycopg.connect(postgres) as stall, psycopg.connect(postgres, autocommit=True) as watch:
                stall.execute("LOCK web_games")
                passing(11.0)
                judging = asyncio.create_task(house.judge_time(id))  # as its room does, when the time is up
                await until(lambda: watch.execute("SELECT 1 FROM pg_locks WHERE NOT granted").fetchone())
                passing(30.0)
            await judging
            assert await left(house, id) == pytest.approx(10.0, abs=0.01)

    asyncio.run(scene())


def test_nobody_is_charged_while_the_database_only_answers(database_url: str, passing: Pass) -> None:
    async def scene() -> None:
        async with worker(database_url) as (house, upkeep):
            await upkeep._beat(first=True)
            id = await begun(house)
            with nothing_is_taken(database_url):
                waiting = [asyncio.create_task(upkeep._beat())]
                await until(lambda: not upkeep._heard)
                passing(14.0)
                await upkeep._sweep()
                passing(11.0)
                waiting.append(asyncio.create_task(upkeep._sweep()))
                await asyncio.sleep(0.1)  # so that it would be judged, if that were done
            await asyncio.gather(*waiting)
            assert await left(house, id) == pytest.approx(20.0, abs=0.01)

    asyncio.run(scene())


def test_an_engine_that_waits_for_its_turn_at_the_engines_is_not_late(database_url: str, passing: Pass) -> None:
    async def scene() -> None:
        async with worker(database_url) as (house, upkeep):
            house.on_change = lambda _: None  # nobody thinks here
            await upkeep._beat(first=True)
            id = await begun(house, "engine")

            async def after(seconds: float) -> str | None:
                for _ in range(round(seconds / 5)):
                    passing(5.0)
                    await upkeep._beat()
                    await upkeep._sweep()
                return (await house.game(id)).stored.reason

            assert await after(20 + QUEUE_SECONDS) is None
            assert await after(10) == "overrun"

    asyncio.run(scene())


async def seated(house: House) -> str:
    """A game of Ada's and Bob's without a clock."""
    wish = Wish(start("tic-tac-toe"), "tic-tac-toe", {}, "open", "X", "none", True)
    id = (await house.create(wish, "ada"))[0].stored.id
    await house.change(id, lambda game, now: decisions.join(game, "bob", "Bob", None, "O", now))
    return id


def test_who_leaves_in_an_outage_has_left(database_url: str, caplog: pytest.LogCaptureFixture) -> None:
    async def scene() -> None:
        async with worker(database_url) as (house, _):
            id, bob = await seated(house), Socket(None, "bob")  # type: ignore[arg-type]
            room = await house.enter(id, bob)
            with outage(database_url):
                leaving = asyncio.create_task(house.leave(id, room, bob))
                await until(lambda: any("tried again" in record.message for record in caplog.records))
            await leaving
            assert not (await house.desk.read(lambda session: presence_in(session, id)))["bob"].online

    asyncio.run(scene())


def test_whoever_finds_a_worker_dead_the_others_hear_of_it(postgres: str) -> None:
    async def scene() -> None:
        async with worker(postgres) as (house, upkeep):
            await upkeep._beat(first=True)
            id = await seated(house)
            room = await house.enter(id, Socket(None, "ada"))  # type: ignore[arg-type]

            async def until_bob_is(online: bool) -> None:
                await until(lambda: "bob" in room.presence and room.presence["bob"].online == online)

            async with worker(postgres) as (other, beside):
                await beside._beat(first=True)
                await other.enter(id, Socket(None, "bob"))  # type: ignore[arg-type]
                await until_bob_is(online=True)
            async with worker(postgres) as (_, next_one):
                await next_one._beat(first=True)
                await until_bob_is(online=False)

    asyncio.run(scene())


def test_a_move_that_an_engine_found_in_an_outage_is_made_after_it(
    database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def scene() -> None:
        async with worker(database_url) as (house, _):
            game = await house.game(await begun(house, "engine", "none"))
            seats = EngineSeats(house)
            house.on_change = lambda _: None  # nobody thinks here
            with outage(database_url):
                move = asyncio.create_task(seats._settle(game, MoveMade("X", "e")))
                await until(lambda: any("tried again" in record.message for record in caplog.records))
            await move
            assert (await house.game(game.stored.id)).stored.plies == 1

    asyncio.run(scene())


def test_who_stops_in_the_middle_of_the_roll_does_not_stop_the_others(
    postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "IDLE", "3s")

    async def scene() -> None:
        stopped = open_database(postgres)
        async with worker(postgres) as (_, upkeep):
            with contextlib.closing(stopped), pytest.raises(DBAPIError), stopped.write() as session:
                wait_for_roll(session)
                async with asyncio.timeout(PATIENCE):
                    await upkeep._beat(first=True)
                session.execute(games.select(1))

    asyncio.run(scene())


def test_while_everybody_is_shown_out_no_clock_runs(database_url: str, passing: Pass) -> None:
    async def scene() -> None:
        async with worker(database_url) as (house, upkeep):
            await upkeep._beat(first=True)
            id = await begun(house)
            passing(5.0)
            house.closed = time.time()
            for _ in range(3):
                passing(10.0)
                await upkeep._sweep()
            await upkeep.stop()
        async with worker(database_url) as (house, upkeep):
            await upkeep._beat(first=True)
            assert await left(house, id) == pytest.approx(15.0, abs=0.01)

    asyncio.run(scene())


def test_who_was_gone_when_we_were_stopped_is_not_gone_for_longer(database_url: str, passing: Pass) -> None:
    async def scene() -> None:
        async with worker(database_url) as (house, upkeep):
            await upkeep._beat(first=True)
            id = await seated(house)
            ada, bob = Socket(None, "ada"), Socket(None, "bob")  # type: ignore[arg-type]
            room = await house.enter(id, ada)
            await house.enter(id, bob)
            await house.leave(id, room, ada)
            claim = Deed("claim", what="win")

            async def claimed() -> None:
                await house.change(id, lambda game, now: decisions.act(game, "bob", claim, room.presence, now))

            for step in (3600.0, -3600.0):  # a lid that is closed; a clock that goes back
                passing(step)
                with pytest.raises(Refusal, match="wait 120 seconds"):
                    await claimed()
            for _ in range(12):
                passing(10.0)
                await upkeep._sweep()
            await claimed()
            assert (await house.game(id)).stored.reason == "left"

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

            async def overtaken(work: Any, apart: bool) -> Any:
                """As soon as anything of the first is in the database, the second is at work."""
                house.desk.write = write  # type: ignore[method-assign]
                done = await write(work, apart)
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
