"""Five hundred games at once on one machine, the generator beside the server: how long a move takes to be seen."""

import importlib.util
import json
from pathlib import Path

import pytest

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "web_load.py"


@pytest.mark.verify
def test_a_move_is_seen_within_a_tenth_of_a_second_by_99_of_100() -> None:
    spec = importlib.util.spec_from_file_location("web_load", BENCHMARK)
    assert spec is not None and spec.loader is not None
    web_load = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(web_load)
    found = web_load.measure(games=500, seconds=30.0, every=2.0)
    print(json.dumps(found, indent=2))
    assert found["lost"] == 0 and found["ms"]["p99"] < 100, found
