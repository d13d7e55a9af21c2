"""Where blocking database work is done: never on the event loop.

There is one writer thread. It takes all the changes that have come meanwhile into one transaction, so that one wait
for the disk serves many moves; each is answered only when the disk has it.
"""

import asyncio
import queue
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, TypeVar

from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from metatac.store import Database
from metatac.store.database import told, trouble

T = TypeVar("T")
Work = Callable[[Session], T]
Task = tuple[Work[Any], "asyncio.Future[Any]"]
Answer = tuple[Any, Exception | None]
"""What a work came to, or what went wrong."""

READERS = 4
"""Threads, and so connections, of one worker; the writer has another."""
TOGETHER = 64
"""Changes that may share a transaction."""
SOON = "250ms"
"""How long they wait for a row of PostgreSQL's that somebody else has in hand; then that change waits by itself."""
ASIDE = 2
"""Threads in which such changes wait, as long as they may."""


class Desk:
    """Reads and writes of one worker."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._readers = ThreadPoolExecutor(READERS, "metatac read")
        self._writer = _Writer(database)

    async def read(self, work: Work[T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._read, work)

    async def write(self, work: Work[T], apart: bool = False) -> T:
        """What the work returns, once it is committed. It must leave nothing half done where it raises.

        What takes long or waits for other workers is done apart, so that no move waits for it. SQLite has one writer.
        """
        if apart and not self.database.is_sqlite:
            return await asyncio.get_running_loop().run_in_executor(self._readers, self._write, work)
        return await self._writer.submit(work)

    def close(self) -> None:
        self._readers.shutdown()
        self._writer.close()
        self.database.close()

    def _read(self, work: Work[T]) -> T:
        with told(self.database), self.database.read() as session:
            return work(session)

    def _write(self, work: Work[T]) -> T:
        with told(self.database), self.database.write() as session:
            return work(session)


class _Writer:
    """The thread that writes."""

    def __init__(self, database: Database) -> None:
        self._patient = database
        self._database = database if database.is_sqlite else Database(database.url, lock_wait=SOON)
        self._aside = ThreadPoolExecutor(ASIDE, "metatac aside")
        self._queue: queue.SimpleQueue[Task | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="metatac writer", daemon=True)
        self._thread.start()

    def submit(self, work: Work[T]) -> "asyncio.Future[T]":
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._queue.put((work, future))
        return future

    def close(self) -> None:
        self._queue.put(None)
        self._thread.join()
        self._aside.shutdown()
        self._database.close()

    def _run(self) -> None:
        ended = False
        while not ended:
            batch = []
            item = self._queue.get()
            while True:
                if item is None:
                    ended = True
                    break
                batch.append(item)
                if len(batch) == TOGETHER or self._queue.empty():
                    break
                item = self._queue.get()
            if batch:
                self._together(batch)

    def _together(self, batch: list[Task]) -> None:
        """Do them in one transaction; what spoils it is done by itself, and where it fails as a whole each is.

        Where PostgreSQL's connection broke, nobody knows whether they were saved: done again, they would seem too late.
        """
        answers: list[Answer] = []
        spoiler = None
        try:
            with self._database.write() as session:
                for task in batch:
                    spoiler = task
                    answers.append((task[0](session), None))
                spoiler = None
        except Exception as error:
            if _broke_off(error) and not self._database.is_sqlite:
                _answer(batch, [(None, trouble(self._database, error))] * len(batch))
                return
            others = [task for task in batch if task is not spoiler]
            if spoiler is None:
                for task in batch:
                    self._alone(task)
            else:
                self._aside.submit(self._alone, spoiler)
                if others:
                    self._together(others)
            return
        _answer(batch, answers)

    def _alone(self, task: Task) -> None:
        try:
            with told(self._patient), self._patient.write() as session:
                answer: Answer = task[0](session), None
        except Exception as error:  # it belongs to who asked
            answer = None, error
        _answer([task], [answer])


def _answer(batch: list[Task], answers: list[Answer]) -> None:
    """Tell all who wait, in one go: they wait in one loop. Who has gone away with it waits no more."""
    with suppress(RuntimeError):
        batch[0][1].get_loop().call_soon_threadsafe(_settle, batch, answers)


def _settle(batch: list[Task], answers: list[Answer]) -> None:
    for (_, future), (answer, error) in zip(batch, answers, strict=True):
        if future.done():  # nobody waits
            continue
        if error is None:
            future.set_result(answer)
        else:
            future.set_exception(error)


def _broke_off(error: Exception) -> bool:
    """Whether it was no answer of the database's that went wrong, but the way to it."""
    return isinstance(error, DBAPIError) and (
        error.connection_invalidated or getattr(error.orig, "sqlstate", None) is None
    )
