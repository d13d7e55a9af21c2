"""What several rooms' tests share: databases, their order, Hypothesis without hurry, and who hears Ctrl-C."""

import signal
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from postgres import fresh_database, server

# How long an example takes says something about the machine, not about us.
settings.register_profile("unhurried", settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")


def pytest_configure() -> None:
    """Programs that tests start hear Ctrl-C, though a shell that runs the tests in the background has it ignored."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests in a browser come last, those that keep one for the whole session at the very end.

    As long as Playwright's driver runs, so does its event loop, and nobody else can start one in the same process.
    """
    items.sort(key=lambda item: _needs_browser(item.path))


@cache
def _needs_browser(file: Path) -> int:
    if "browser" in file.parts:
        return 2
    return int(b"chromium" in file.read_bytes())


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
