"""How workers hear of each other's changes: PostgreSQL's LISTEN and NOTIFY; with SQLite there is one worker only.

A message is a kind and an id. With it may come what has changed, for whoever knows how it was before; everybody else
reads the database.
"""

import asyncio
import contextlib
import json
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from sqlalchemy import event, text
from sqlalchemy.orm import Session

from metatac.store import Database
from metatac.store.database import reason_of
from metatac.store.games import life_key

CHANNEL = "metatac"
PAUSE = 1.0
"""Seconds before a lost connection is tried again."""

LONGEST = 7999
"""Bytes of a notification, at most."""

News = Mapping[str, dict[str, str]]
"""Of each kind (``game``, ``presence``, ``lobby``; ``lost`` where some may have been missed) the ids, and the last that
was said of each: JSON, or nothing."""
Hear = Callable[[News], Awaitable[None]]

_NOTES = "metatac_notes"
"""What a session has to tell when it is committed."""
_TELL = text("SELECT pg_notify(:channel, note) FROM json_array_elements_text(CAST(:notes AS json)) AS note")
_log = logging.getLogger(__name__)


class Bus:
    """The silent one, for a worker that is alone."""

    ready = True

    def tell(self, session: Session, kind: str, id: str, changed: Mapping[str, Any] | None = None) -> None:
        """Tell the other workers, when the session is committed."""

    async def start(self, hear: Hear) -> None:
        """Hear what others tell, from now on."""

    async def stop(self) -> None:
        """Hear no more."""


class PostgresBus(Bus):
    """One connection that listens, for as long as the worker lives; when it breaks it is made anew.

    It holds the lock by which others see that the worker is there: with the process the connection ends, and the lock.
    """

    def __init__(self, database: Database, worker: str) -> None:
        self._url = database.url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._patience, self._worker = database.patience, worker
        self._task: asyncio.Task[None] | None = None
        self._connected = asyncio.Event()
        self.ready = False

    def tell(self, session: Session, kind: str, id: str, changed: Mapping[str, Any] | None = None) -> None:
        if _NOTES not in session.info:
            session.info[_NOTES] = []
            event.listen(session, "before_commit", _tell_all)
        head = f"{self._worker} {kind} {id} "
        note = head + ("" if changed is None else json.dumps(changed, separators=(",", ":")))
        session.info[_NOTES].append(note if len(note) <= LONGEST else head)

    async def start(self, hear: Hear) -> None:
        self._task = asyncio.create_task(self._listen(hear))
        await self._connected.wait()

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def _listen(self, hear: Hear) -> None:
        import psycopg

        said = ""
        while True:
            try:
                connection = await psycopg.AsyncConnection.connect(self._url, autocommit=True, **self._patience)
                async with connection:
                    await connection.execute("SELECT pg_advisory_lock_shared(%s, %s)", life_key(self._worker))
                    await connection.execute(f"LISTEN {CHANNEL}")
                    if self._connected.is_set():
                        await hear({"lost": {"": ""}})
                    self._connected.set()
                    self.ready, said = True, ""
                    while True:
                        # All that has come meanwhile is heard at once: who falls behind catches up.
                        news: defaultdict[str, dict[str, str]] = defaultdict(dict)
                        async for note in connection.notifies(stop_after=1):
                            worker, kind, id, changed = note.payload.split(" ", 3)
                            if worker != self._worker:
                                news[kind][id] = changed
                        await hear(news)
            except Exception as error:  # while the database restarts, reading fails as well as listening
                if reason_of(error) != said:
                    said = reason_of(error)
                    _log.warning("the database's notifications broke off: %s", said)
            self.ready = False
            await asyncio.sleep(PAUSE)


def _tell_all(session: Session) -> None:
    notes = session.info.pop(_NOTES, [])
    session.execute(_TELL, {"channel": CHANNEL, "notes": json.dumps(notes)})


def bus_of(database: Database, worker: str) -> Bus:
    return Bus() if database.is_sqlite else PostgresBus(database, worker)
