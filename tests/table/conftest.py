"""Tables for tests, with a data folder of their own."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sittings import Sit, Sitting, sitting


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "data"
    monkeypatch.setenv("METATAC_DATA_DIR", str(folder))
    return folder


@pytest.fixture
def sit() -> Iterator[Sit]:
    """Makes tables, and closes them in the end."""
    made: list[Sitting] = []

    def make(*arguments: Any, **how: Any) -> Sitting:
        made.append(sitting(*arguments, **how))
        return made[-1]

    yield make
    for one in made:
        one.table.close()
