"""How a database is reached."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from metatac.errors import StoreError
from metatac.store import Database, existing_database, open_database
from metatac.store.database import IDLE, LOCK_WAIT, told


def options(url: str) -> dict[str, Any]:
    database = Database(url)
    try:
        with database.engine.connect() as connection:
            driver: Any = connection.connection.driver_connection
            found: dict[str, Any] = driver.info.get_parameters()
            return found
    finally:
        database.close()


def test_a_machine_that_is_gone_is_noticed_unless_the_url_says_otherwise(postgres: str) -> None:
    found = options(postgres)
    assert int(found["connect_timeout"]) <= 30 and int(found["tcp_user_timeout"]) <= 60_000
    assert {"keepalives_idle", "keepalives_interval", "keepalives_count"} <= found.keys()
    assert options(f"{postgres}&connect_timeout=77")["connect_timeout"] == "77"


def test_a_transaction_that_lies_still_keeps_nobody_waiting_for_ever(postgres: str) -> None:
    database = open_database(postgres)
    for use in (database.read, database.write):
        with use() as session:
            assert session.scalar(text("SHOW idle_in_transaction_session_timeout")) == IDLE
            assert session.scalar(text("SHOW lock_timeout")) == LOCK_WAIT
    database.close()


def test_no_database_is_made_of_a_mistyped_name(tmp_path: Path) -> None:
    for name in (str(tmp_path / "none.db"), f"sqlite:///{tmp_path}/none.db"):
        with pytest.raises(StoreError, match=r"none\.db: there is no such file"):
            existing_database(name)
    assert not list(tmp_path.iterdir())


def test_the_reason_is_said_as_people_say_it_and_with_the_file(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError) as said:
        open_database(tmp_path / "file" / "new.db")
    assert "Errno" not in str(said.value) and str(said.value).startswith(f"{tmp_path}/file/new.db: ")
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorname = "SQLITE_IOERR_WRITE"
    database = Database(tmp_path / "cup.db")
    with pytest.raises(StoreError, match=r"cup\.db: disk I/O error; the disk may be full"), told(database):
        raise OperationalError("INSERT", None, error)
