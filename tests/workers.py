"""Workers of the service in this process, and databases that do not do their part."""

import asyncio
import contextlib
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import psycopg
from serving import PATIENCE

from metatac.game import start
from metatac.server.decisions import Wish
from metatac.server.engine_seats import EngineSeats
from metatac.server.house import House
from metatac.server.settings import Settings
from metatac.server.studies import Studies
from metatac.server.upkeep import Upkeep
from metatac.store import games, open_database


@contextlib.asynccontextmanager
async def worker(database: str) -> AsyncIterator[tuple[House, Upkeep]]:
    """A worker whose upkeep is done when the test says so."""
    house = House(Settings(database), open_database(database))
    try:
        await house.bus.start(house.hear)
        yield house, Upkeep(house, EngineSeats(house), Studies(house))
    finally:
        await house.stop_tasks()
        await house.bus.stop()
        house.close()
        if "://" in database:  # its end of the connection is closed; PostgreSQL's soon will be
            with psycopg.connect(database, autocommit=True) as connection:
                held = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND (classid, objid) = (%s, %s)"
                await until(lambda: not connection.execute(held, games.life_key(house.worker)).fetchone())


@contextlib.contextmanager
def nothing_is_taken(database: str) -> Iterator[None]:
    """The database answers, but whoever wants to write waits."""
    if "://" in database:
        with psycopg.connect(database) as connection:
            connection.execute("LOCK web_workers, web_games IN EXCLUSIVE MODE")
            yield
        return
    with contextlib.closing(sqlite3.connect(database)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        yield


@contextlib.contextmanager
def outage(database: str) -> Iterator[None]:
    """The database takes nothing: SQLite's file is elsewhere, PostgreSQL's lets nobody in."""
    if "://" not in database:
        file = Path(database)
        away = file.rename(file.with_name("away.db"))
        yield
        away.rename(file)
        return
    name = database.partition("@/")[2].partition("?")[0]
    with psycopg.connect(database.replace(f"/{name}?", "/postgres?"), autocommit=True) as connection:
        connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name])
        yield
        connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.01)


async def begun(house: House, opponent: str = "self", time: str = "20/move") -> str:
    """A game in which every move has twenty seconds."""
    wish = Wish(start("tic-tac-toe"), "tic-tac-toe", {}, opponent, "O", time, True, ("1", "1"))
    return (await house.create(wish, "ada"))[0].stored.id
