"""Five hundred games at once on one machine, the generator beside the server: how long a move takes to be seen."""

import importlib.util
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from postgres import fresh_database, server

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "web_load.py"
HOMES = ["sqlite", "postgresql"]
LOAD = {"games": 500, "every": 2.0}


@pytest.fixture(scope="module")
def durable_server() -> Iterator[str]:
    """A PostgreSQL server that waits for the disk, as one does that is in use."""
    with server(fsync=True) as url:
        yield url


def home(kind: str, request: pytest.FixtureRequest) -> dict[str, Any]:
    """Where the games are kept: SQLite with its one worker, or PostgreSQL with two."""
    if kind == "sqlite":
        return {}
    return {"database": fresh_database(request.getfixturevalue("durable_server")), "workers": 2}


@cache
def web_load() -> Any:
    spec = importlib.util.spec_from_file_location("web_load", BENCHMARK)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def measured(**wish: Any) -> dict[str, Any]:
    found: dict[str, Any] = web_load().measure(**LOAD | wish)
    print(json.dumps(found, indent=2))
    return found


@pytest.mark.verify
@pytest.mark.parametrize("kind", HOMES)
def test_a_move_is_seen_within_a_tenth_of_a_second_by_99_of_100(kind: str, request: pytest.FixtureRequest) -> None:
    found = measured(seconds=30.0, **home(kind, request))
    assert found["lost"] == 0 and found["missing"] == 0 and found["ms"]["p99"] < 100, found


@pytest.mark.verify
@pytest.mark.parametrize("kind", HOMES)
def test_no_acknowledged_move_is_lost_when_a_worker_is_killed(kind: str, request: pytest.FixtureRequest) -> None:
    """SQLite's only worker is started again; of PostgreSQL's two the other goes on, and people come back to it."""
    found = measured(seconds=40.0, kill_after=10.0, **home(kind, request))
    assert found["cut_off"] > 0 and found["lost"] == 0 and found["missing"] == 0, found
    assert found["acknowledged"] > 2000, found
