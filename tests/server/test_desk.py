"""What waits for what at the database: changes share transactions, and nobody waits for the roll."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from sqlalchemy import text
from sqlalchemy.orm import Session

from metatac.errors import StoreError
from metatac.server.desk import Desk
from metatac.store import database, open_database
from metatac.store.games import name_of, set_name, wait_for_roll


@contextmanager
def desk_at(url: str) -> Iterator[Desk]:
    desk = Desk(open_database(url))
    try:
        yield desk
    finally:
        desk.close()


@pytest.fixture(autouse=True)
def lying_still(monkeypatch: pytest.MonkeyPatch) -> None:
    """Transactions do so here until another thread has had its turn."""
    monkeypatch.setattr(database, "IDLE", "300s")


VISITORS = ("ada", "bob")
RENAME = text("UPDATE web_visitors SET name = name || '+' WHERE id = :id")


def renamed(visitor: str) -> Callable[[Session], int]:
    return lambda session: session.execute(RENAME, {"id": visitor}).rowcount  # type: ignore[attr-defined, no-any-return]


@contextmanager
def held(url: str, visitor: str) -> Iterator[None]:
    """Somebody has changed a row, and forgotten about it."""
    with psycopg.connect(url) as connection:
        connection.execute("UPDATE web_visitors SET name = 'nobody' WHERE id = %s", [visitor])
        yield
        connection.rollback()



def names_there(url: str) -> list[str]:
    """The names as somebody else sees them."""
    with psycopg.connect(url) as connection:
        return [name for (name,) in connection.execute("SELECT name FROM web_visitors ORDER BY id")]


def names_in(desk: Desk) -> list[str | None]:
    return asyncio.run(desk.read(lambda session: [name_of(session, visitor) for visitor in VISITORS]))


def give_names(desk: Desk) -> None:
    def work(session: Session) -> None:
        for visitor in VISITORS:
            set_name(session, visitor, visitor, 0.0)

    asyncio.run(desk.write(work))


def transaction(session: Session) -> int:
    """Which one this is."""
    return int(session.scalar(text("SELECT pg_current_xact_id()::text::bigint")) or 0)


async def together(desk: Desk, *works: object) -> list[object]:
    """What the works come to that all came while the writer was busy."""
    busy = threading.Event()
    desk._writer.submit(lambda session: busy.wait(60))
    rest = [asyncio.ensure_future(desk.write(work)) for work in works]  # type: ignore[arg-type]
    await asyncio.sleep(0)  # now they are queued
    busy.set()
    return list(await asyncio.gather(*rest, return_exceptions=True))


def test_changes_that_came_meanwhile_share_a_transaction(postgres: str) -> None:
    with desk_at(postgres) as desk:
        asyncio.run(desk.write(lambda session: set_name(session, "ada", "Ada", 0.0)))
        one, other = asyncio.run(together(desk, transaction, transaction))
        assert one == other != 0


def test_one_that_fails_spoils_no_other(database_url: str) -> None:
    def spoilt(session: Session) -> None:
        session.execute(text("SELECT nothing"))

    with desk_at(database_url) as desk:
        kept, failed, also = asyncio.run(
            together(
                desk,
                lambda session: set_name(session, "ada", "Ada", 0.0),
                spoilt,
                lambda session: set_name(session, "bob", "Bob", 0.0),
            )
        )
        assert kept is None and also is None and "nothing" in str(failed)
        assert names_in(desk) == ["Ada", "Bob"]


def test_workers_whose_changes_wait_for_each_other_both_come_through(postgres: str) -> None:
    """Each has changed a row that the other wants next; PostgreSQL ends one of them, which then goes one by one."""
    both = threading.Barrier(2)
    met = set()

    def rename(desk: Desk, visitor: str) -> object:
        def work(session: Session) -> None:
            session.execute(RENAME, {"id": visitor})
            if desk not in met:
                met.add(desk)
                both.wait(60)

        return work

    async def scene(one: Desk, other: Desk) -> list[list[object]]:
        here = together(one, rename(one, "ada"), rename(one, "bob"))
        there = together(other, rename(other, "bob"), rename(other, "ada"))
        return list(await asyncio.gather(here, there))

    with desk_at(postgres) as one, desk_at(postgres) as other:
        give_names(one)
        assert asyncio.run(scene(one, other)) == [[None, None], [None, None]]
        assert names_in(one) == ["ada++", "bob++"]


def test_no_move_waits_for_who_calls_the_roll(postgres: str) -> None:
    called, done = threading.Event(), threading.Event()

    def roll(session: Session) -> None:
        wait_for_roll(session)
        called.set()
        assert done.wait(60)

    async def scene(desk: Desk, other: Desk) -> None:
        first = asyncio.ensure_future(other.write(roll, apart=True))
        await asyncio.to_thread(called.wait, 60)
        second = asyncio.ensure_future(desk.write(wait_for_roll, apart=True))
        try:
            await asyncio.wait_for(desk.write(lambda session: set_name(session, "ada", "Ada", 0.0)), 60)
            assert not second.done()
        finally:
            done.set()
            await asyncio.gather(first, second)

    with desk_at(postgres) as desk, desk_at(postgres) as other:
        asyncio.run(scene(desk, other))


def test_what_may_have_been_saved_is_not_done_again(postgres: str) -> None:
    """The connection breaks between a commit and its answer: everybody concerned hears so, and may look."""
    with desk_at(postgres) as desk:
        give_names(desk)
        dialect = desk._writer._database.engine.dialect
        commit = dialect.do_commit

        def broken(connection: Any) -> None:
            changed = connection.execute("SELECT 1 FROM web_visitors WHERE name LIKE '%+'").fetchone()
            commit(connection)
            if changed:
                dialect.do_commit = commit  # type: ignore[method-assign]
                connection.execute("SELECT pg_terminate_backend(pg_backend_pid())")

        dialect.do_commit = broken  # type: ignore[method-assign]
        answers = asyncio.run(together(desk, *map(renamed, VISITORS)))
        assert any(isinstance(answer, StoreError) for answer in answers)
        assert names_in(desk) == ["ada+", "bob+"]


def test_no_other_change_waits_for_a_row_that_somebody_holds(postgres: str) -> None:
    async def scene(desk: Desk) -> None:
        with held(postgres, "ada"):
            first = asyncio.ensure_future(together(desk, renamed("ada"), renamed("bob")))
            while names_there(postgres) != ["ada", "bob+"]:
                await asyncio.sleep(0.01)
            assert not first.done()
        assert await first == [1, 1]

    with desk_at(postgres) as desk:
        give_names(desk)
        asyncio.run(asyncio.wait_for(scene(desk), 60))
        assert names_in(desk) == ["ada+", "bob+"]


def test_a_row_that_somebody_holds_is_not_waited_for_for_ever(postgres: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "LOCK_WAIT", "1s")
    with desk_at(postgres) as desk:
        give_names(desk)
        with held(postgres, "ada"):
            refused, done = asyncio.run(together(desk, renamed("ada"), renamed("bob")))
        assert done == 1 and isinstance(refused, StoreError) and "somebody else has had in hand" in str(refused)
        assert names_in(desk) == ["ada", "bob+"]
