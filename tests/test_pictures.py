"""The pictures of docs/pictures are what the package draws now: `make pictures` draws them again."""

import re
import runpy
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"


@pytest.fixture(scope="module")
def made() -> dict[str, Any]:
    return runpy.run_path(str(FOLDER / "make.py"))


def test_the_pictures_are_up_to_date(made: dict[str, Any]) -> None:
    drawn = made["pictures"]()
    assert {"ultimate.svg", "extreme.svg", "sudoku.svg", "ultimate-ultimate.svg"} <= set(drawn)
    assert {file.name for file in FOLDER.glob("*.svg") if not file.name.startswith("terminal-")} == set(drawn)
    for name, text in drawn.items():
        assert (FOLDER / name).read_text("utf-8") == text, f"{name} is out of date: make pictures"


def words(svg: str) -> list[str]:
    """What is to be read in a picture of the terminal: how it is set differs between versions of Rich."""
    return re.findall(r"<text[^>]*>([^<]*)</text>", svg)


def test_the_screens_are_up_to_date(made: dict[str, Any]) -> None:
    kept = {file.name: words(file.read_text("utf-8")) for file in FOLDER.glob("terminal-*.svg")}
    for _ in range(20):  # on a busy machine a screen may have been looked at before it was laid out
        drawn = {name: words(text) for name, text in made["screens"]().items()}
        if drawn == kept:
            break
    assert set(drawn) == set(kept)
    for name, text in drawn.items():
        assert text == kept[name] != [], f"{name} is out of date: make pictures"
