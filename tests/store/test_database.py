"""How a database is reached."""

from typing import Any

from sqlalchemy import text

from metatac.store import Database, open_database
from metatac.store.database import IDLE, LOCK_WAIT


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
