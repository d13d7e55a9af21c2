"""Servers for the tests of this room: one on each kind of database for all, and more for those that break them."""

from collections.abc import Iterator

import pytest
from postgres import fresh_database
from serving import Service, serving

from metatac.store import database

FAST = ("--requests-per-second", "1000", "--sockets-per-address", "300")


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test holds back is waited for, however slow the machine is."""
    monkeypatch.setattr(database, "LOCK_WAIT", "300s")


@pytest.fixture(scope="session", params=["sqlite", "postgresql"])
def service(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The service on SQLite, and then on PostgreSQL with two workers: whatever works on one must work on the other."""
    folder = tmp_path_factory.mktemp(request.param)
    if request.param == "sqlite":
        with serving(str(folder / "games.db"), folder, *FAST) as running:
            yield running
    else:
        database = fresh_database(request.getfixturevalue("postgres_server"))
        with serving(database, folder, *FAST, "--workers", "2") as running:
            yield running


@pytest.fixture(scope="session")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """One server on SQLite, for what does not depend on the database."""
    folder = tmp_path_factory.mktemp("alone")
    with serving(str(folder / "games.db"), folder, *FAST) as running:
        yield running
