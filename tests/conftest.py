"""What tests of several rooms share: databases."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from postgres import fresh_database, server


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """A PostgreSQL server for all tests that ask for one; started for the first of them."""
    with server() as url:
        yield url


@pytest.fixture
def postgres(postgres_server: str) -> str:
    """The URL of an empty PostgreSQL database that no other test uses."""
    return fresh_database(postgres_server)


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of each kind, one after the other."""
    if request.param == "sqlite":
        return str(tmp_path / "test.db")
    url: str = request.getfixturevalue("postgres")
    return url
