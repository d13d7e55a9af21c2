"""How a database is reached."""

from typing import Any

from metatac.store import Database


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
