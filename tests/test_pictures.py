"""The pictures of docs/pictures are what the package draws now: `make pictures` draws them again."""

import runpy
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"


def test_the_pictures_are_up_to_date() -> None:
    drawn = runpy.run_path(str(FOLDER / "make.py"))["pictures"]()
    assert {"ultimate.svg", "extreme.svg", "sudoku.svg", "ultimate-ultimate.svg"} <= set(drawn)
    assert {file.name for file in FOLDER.glob("*.svg")} == set(drawn)
    for name, text in drawn.items():
        assert (FOLDER / name).read_text("utf-8") == text, f"{name} is out of date: make pictures"
