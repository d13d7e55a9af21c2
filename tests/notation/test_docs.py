"""Every example of docs/notation.md is what it says it is."""

import re
from pathlib import Path

import pytest

import metatac
import metatac.errors
from metatac.notation import foreign_forms, read_foreign, read_records, write_foreign

PAGE = (Path(__file__).parents[2] / "docs" / "notation.md").read_text("utf-8")


def blocks(kind):
    found = re.findall(rf"^```{kind}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert found, f"no example of {kind}"
    return found


def test_positions():
    for line in "".join(blocks("position")).splitlines():
        assert metatac.position(line).text == line


@pytest.mark.parametrize(("kind", "count"), [("pgn", 1), ("json", 2)])
def test_records(kind, count):
    for text in blocks(kind):
        records = list(read_records(text))
        assert len(records) == count
        written = [record.to_text() if kind == "pgn" else record.to_json() + "\n" for record in records]
        assert "".join(written).split() == text.split()


@pytest.mark.parametrize("form", foreign_forms())
def test_foreign_notations(form):
    for line in "".join(blocks(form)).splitlines():
        assert write_foreign(read_foreign(line), form) == line


def test_the_form_with_whole_rows_is_refused():
    row_form = re.search(r"`(9/9/9/9/9/9/9/9/X8 O 1)`", PAGE)[1]
    with pytest.raises(metatac.errors.InvalidPosition, match="not nine rows"):
        read_foreign(row_form)
