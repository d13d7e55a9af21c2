"""The players of the tests, as registered ones."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from metatac.players import registry


@pytest.fixture(autouse=True)
def seated(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Register the players of seated.py, here and where other processes look for them."""
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    import seated

    monkeypatch.setattr(registry, "_ENTRIES", dict(registry._ENTRIES))
    for entry in seated.ENTRIES:
        registry.register(entry)
    yield
    sys.modules.pop("seated", None)
