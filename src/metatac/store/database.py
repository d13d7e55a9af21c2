"""Opening a database: a file of SQLite unless the URL says PostgreSQL, its tables brought up to date."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, func, select, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlalchemy.orm import Session

from metatac.errors import StoreError
from metatac.extras import need

BUSY_SECONDS = 30
"""How long a writer of SQLite waits for another one."""
IDLE = "10s"
"""How long a transaction of PostgreSQL's may lie still."""
LOCK_WAIT = "5s"
"""How long one waits for what another has in hand, who may have forgotten it; PostgreSQL would wait for ever."""
KEPT = 10
"""Connections to PostgreSQL that are kept, as many as have work at once: to make one costs more than a change."""
PATIENCE: dict[str, Any] = {
    "connect_timeout": 10,
    "keepalives_idle": 15,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
}
"""For PostgreSQL on a machine that is gone: otherwise nobody would notice for a quarter of an hour, and who only
listens never."""
LOCKED = "55P03"
"""PostgreSQL's word for a lock that was waited for in vain."""
_MEMORY = ":memory:"
"""SQLite's name for no file at all."""


class Database:
    """An open database. Any number of threads may use it, each in sessions of its own."""

    def __init__(self, url: str | os.PathLike[str] | URL, lock_wait: str | None = None) -> None:
        self.url = url if isinstance(url, URL) else url_of(url)
        self._lock_wait = lock_wait or LOCK_WAIT
        self.engine = self._engine()
        # In a transaction or not, PostgreSQL shows each query what is there by then; without one two round trips fewer.
        self._reading = self.engine if self.is_sqlite else self.engine.execution_options(isolation_level="AUTOCOMMIT")
        self._file: tuple[int, int] | None = None
        """Which file it is, once it has been opened."""

    @property
    def is_sqlite(self) -> bool:
        return self.url.get_backend_name() == "sqlite"

    @property
    def patience(self) -> dict[str, Any]:
        """How long to wait for PostgreSQL's machine, where the URL does not say so itself."""
        return {name: value for name, value in PATIENCE.items() if name not in self.url.query}

    @property
    def path(self) -> Path | None:
        """The file, where there is one."""
        name = self.url.database
        return Path(name) if self.is_sqlite and name else None

    @property
    def place(self) -> str:
        """Where it is, without the password."""
        return str(self.path or self.url.render_as_string())

    @contextmanager
    def read(self) -> Iterator[Session]:
        """A session that only reads."""
        with Session(self._reading, expire_on_commit=False) as session:
            yield session
            session.rollback()

    @contextmanager
    def write(self) -> Iterator[Session]:
        """A session that is committed at the end, or rolled back by an exception.

        On SQLite it has the database for itself from its beginning, so that what it reads stays true until it writes.
        """
        with Session(self.engine, expire_on_commit=False) as session, session.begin():
            if self.is_sqlite:
                session.connection(execution_options={"metatac_write": True})
            yield session
            self.check_file()

    def upgrade(self) -> None:
        """Bring the tables up to date; several processes may try at once."""
        from metatac.store.migrate import upgrade

        upgrade(self)

    def check_file(self) -> None:
        """SQLite goes on writing to a file that was deleted; whoever is told that it is saved would be deceived."""
        if self.path is None:
            return
        try:
            found = os.stat(self.path)
        except OSError as error:
            raise StoreError(f"{self.path}: the database is gone: {error.strerror}") from error
        known = self._file = self._file or (found.st_dev, found.st_ino)
        if known != (found.st_dev, found.st_ino):
            raise StoreError(f"{self.path}: another file has taken the database's place; start again")

    def close(self) -> None:
        self.engine.dispose()

    def _engine(self) -> Engine:
        if not self.is_sqlite:
            need("psycopg", extra="postgres")
            engine = create_engine(self.url, pool_pre_ping=True, pool_size=KEPT, connect_args=self.patience)
            event.listen(engine, "connect", self._on_postgres)
            return engine
        engine = create_engine(self.url, connect_args={"timeout": BUSY_SECONDS})
        event.listen(engine, "connect", _on_connect)
        event.listen(engine, "begin", _on_begin)
        return engine

    def _on_postgres(self, connection: Any, _record: Any) -> None:
        # Who is stopped in the middle of a change keeps others from the same rows no longer than this.
        connection.execute(f"SET idle_in_transaction_session_timeout = '{IDLE}'")
        connection.execute(f"SET lock_timeout = '{self._lock_wait}'")
        connection.commit()


def open_database(url: str | os.PathLike[str]) -> Database:
    """The database at a URL or in a file, made if need be, with its tables up to date.

    StoreError, with the reason, where it cannot be opened.
    """
    database = Database(url)
    try:
        if database.path is not None:
            database.path.parent.mkdir(parents=True, exist_ok=True)
        database.upgrade()
    except (SQLAlchemyError, OSError) as error:
        database.close()
        raise trouble(database, error) from error
    except BaseException:
        database.close()
        raise
    return database


def existing_database(url: str | os.PathLike[str]) -> Database:
    """The database as ``open_database`` opens it, but none is made: a mistyped name is a StoreError."""
    path = Database(url).path
    if path is not None and not path.is_file():
        raise StoreError(f"{os.fspath(url)}: there is no such file")
    return open_database(url)


def url_of(source: str | os.PathLike[str]) -> URL:
    """``postgresql://…`` and ``sqlite:///…`` as they are; anything else is the path of a file."""
    text = os.fspath(source)
    if "://" not in text and text != _MEMORY:
        return URL.create("sqlite", database=os.path.abspath(os.path.expanduser(text)))
    try:
        url = make_url("sqlite://" if text == _MEMORY else text)
    except ArgumentError:
        raise StoreError(f"{text!r} is no database: give a file's path or postgresql://user@host/name") from None
    if url.get_backend_name() not in ("sqlite", "postgresql"):
        raise StoreError(f"{url.get_backend_name()} is not supported; sqlite and postgresql are")
    if url.get_backend_name() == "sqlite" and url.database in (None, "", _MEMORY):
        raise StoreError(f"{text!r} is no file, and nothing would be kept: give a file's path or postgresql://…")
    if url.drivername == "postgresql":
        url = url.set(drivername="postgresql+psycopg")
    return url


def _on_connect(connection: Any, _record: Any) -> None:
    # Transactions are begun below, not by the driver, which would begin them at the first write only.
    connection.isolation_level = None
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")
    # Its own knows ASCII's letters only.
    connection.create_function("lower", 1, lambda text: text and text.lower(), deterministic=True)


def _on_begin(connection: Any) -> None:
    write = connection.get_execution_options().get("metatac_write")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")


@contextmanager
def told(database: Database) -> Iterator[None]:
    """Whatever is wrong with the database is a StoreError that says so."""
    try:
        yield
    except SQLAlchemyError as error:
        raise trouble(database, error) from error


def trouble(database: Database, error: Exception) -> StoreError:
    return StoreError(f"{database.place}: {reason_of(error)}")


def wait_for(session: Session | Connection, lock: int) -> None:
    """Take an advisory lock of PostgreSQL's for the transaction; whoever has it works on it, and is waited for."""
    session.execute(text("SET LOCAL lock_timeout = 0"))
    session.execute(select(func.pg_advisory_xact_lock(lock)))
    session.execute(text(f"SET LOCAL lock_timeout = '{LOCK_WAIT}'"))


def reason_of(error: BaseException) -> str:
    """What a library or the system has to say, in one line."""
    cause = getattr(error, "orig", None) or error
    if getattr(cause, "sqlstate", None) == LOCKED:
        return f"somebody else has had in hand for {LOCK_WAIT} what was to be changed: {cause}".splitlines()[0]
    if isinstance(cause, OSError) and cause.strerror:
        return cause.strerror
    if str(getattr(cause, "sqlite_errorname", "")).startswith("SQLITE_IOERR"):
        return f"{cause}; the disk may be full"  # SQLite's word for it, where it was not simply a write that failed
    return str(cause).strip().splitlines()[0] if str(cause).strip() else type(cause).__name__
