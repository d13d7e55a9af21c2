"""docs/variants.md and examples/: every file loads, every key is described, every error is what it says."""

import json
import random
import re
from pathlib import Path

import pytest

import metatac
from metatac.errors import RulesError
from metatac.kernel.selfcheck import check_rules
from metatac.rules.schema import HINTS, KEYS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "variants.md").read_text("utf-8")
EXAMPLES = sorted((ROOT / "examples").glob("*.toml"))
ROWS = {row[1]: row for row in re.finditer(r"^\| `(\w+)` \| (.*?) \| (.*?) \| (.*) \|$", PAGE, re.MULTILINE)}
FILES = dict(re.findall(r"^```toml\n# (\S+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
ERRORS = re.findall(r"^```toml error\n(.*?)^```\n\n```text\n(.*?)\n```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The files of the page, side by side."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


def test_no_block_of_the_page_is_overlooked() -> None:
    assert PAGE.count("```toml\n") == len(FILES) >= 4
    assert PAGE.count("```toml error\n") == len(ERRORS) >= 4


@pytest.mark.parametrize("name", FILES)
def test_the_files_of_the_page_are_games(folder: Path, name: str) -> None:
    chance, position = random.Random(1), metatac.start(folder / name)
    assert position.rules.title and position.rules.text
    while position.legal_moves:
        position = position.play(chance.choice(position.legal_moves))
    assert position.outcome is not None


@pytest.mark.parametrize(("text", "message"), ERRORS)
def test_the_errors_of_the_page_are_those_one_gets(text: str, message: str) -> None:
    with pytest.raises(RulesError) as caught:
        metatac.parse_rules(text, file="mygame.toml")
    assert str(caught.value) == message


def test_every_key_is_described() -> None:
    assert list(ROWS) == list(KEYS)
    assert list(HINTS) == [key for key in KEYS if key not in ("title", "text")]


@pytest.mark.parametrize("key", KEYS)
def test_values_and_defaults_are_described_as_they_are(key: str) -> None:
    _, allowed, default, _ = ROWS[key].groups()
    if default != "see text":
        rules = metatac.parse_rules("")
        stated = rules.keys | rules.match_keys | {"tallies": rules.tallies, "values": list(rules.values)}
        assert json.loads(default.strip("`")) == stated[key]
    with pytest.raises(ValueError) as refused:
        KEYS[key](object())
    words = re.search(r"one of (.*) is$", str(refused.value))
    if words:
        assert re.findall(r'`"(\w+)"`', allowed) == words[1].split(", ")
        assert all(word in HINTS[key] for word in words[1].split(", "))


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_examples_pass_the_check(file: Path) -> None:
    rules = metatac.load_rules(file)
    assert rules.title and rules.text and f"examples/{file.name}" in PAGE
    report = check_rules(rules, games=3)
    assert report.passed, report.to_dict()["findings"]


def test_the_minefield_bans_squares_and_its_boards_are_won() -> None:
    chance, position = random.Random(3), metatac.start(ROOT / "examples" / "minefield.toml")
    while position.legal_moves:
        position = position.play(chance.choice(position.legal_moves))
    assert "#" in position.cells and set(position.owners[0]) & set("XO")


def test_the_tower_sends_by_board_and_cell_and_then_up() -> None:
    position = metatac.start(ROOT / "examples" / "tower.toml").play("aeb")
    assert position.send == (4, 1)
    won = position.owners[1][:37] + "X" + position.owners[1][38:]
    sent_to_won = metatac.start(position.rules).replaced(owners=(position.owners[0], won)).play("aeb")
    assert sent_to_won.send == (4,)
