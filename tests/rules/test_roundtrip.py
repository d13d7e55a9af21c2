"""A rule set is a value: printed, read again, compared, hashed."""

import pickle
import string
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import rule_sets

import metatac
from metatac.rules import load_spec
from metatac.rules.schema import KEYS


def assert_same(again: metatac.RuleSet, rules: metatac.RuleSet) -> None:
    assert again == rules
    assert hash(again) == hash(rules)
    assert again.digest == rules.digest
    assert again.keys == rules.keys
    assert (again.move_time, again.forfeit_points) == (rules.move_time, rules.forfeit_points)


@given(rule_sets())
@settings(max_examples=300, deadline=None)
def test_every_form_reads_back(rules: metatac.RuleSet) -> None:
    assert_same(metatac.parse_rules(rules.to_toml()), rules)
    assert_same(metatac.load_rules(rules.spec), rules)
    assert_same(load_spec(rules.spec), rules)
    assert load_spec(rules.spec).spec == rules.spec
    assert len(rules.spec.split()) == 1
    assert_same(pickle.loads(pickle.dumps(rules)), rules)


@pytest.mark.parametrize("name", metatac.preset_names())
def test_presets_read_back(name: str) -> None:
    rules = metatac.load_rules(name)
    assert rules.spec == name == rules.name == str(rules)
    assert metatac.load_rules(name) is rules
    assert_same(metatac.parse_rules(rules.to_toml()), rules)
    printed = metatac.parse_rules(rules.to_toml())
    assert (printed.title, printed.text) == (rules.title, rules.text)
    assert rules.title and rules.text
    assert "inherits" not in tomllib.loads(rules.to_toml())


@given(st.text(max_size=200), st.text(max_size=200))
@settings(deadline=None)
def test_any_title_and_text_survive_the_file(title: str, text: str) -> None:
    rules = metatac.load_rules("ultimate", title=title, text=text)
    again = metatac.parse_rules(rules.to_toml())
    assert (again.title, again.text) == (title, text)


@pytest.mark.parametrize(
    "text", ["a\nb\x01", "a\n'''b", "a\r\nb", "'\n'", "\n", "a\n\x7f", '"""\n\\', "\\\n", "\x85\n\u2028", "end'\n''"]
)
def test_awkward_texts_survive_the_file(text: str) -> None:
    assert metatac.parse_rules(metatac.load_rules("ultimate", text=text).to_toml()).text == text


@pytest.mark.parametrize("name", ["a b", "x=y", "{}", "été", "…", "swap", "a;b", "-"])
def test_any_file_name_makes_a_spec(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"{name}.toml"
    path.write_text('inherits = "ultimate"\nside = 2\n')
    rules = metatac.load_rules(path)
    assert rules.name == name
    assert_same(load_spec(rules.spec), rules)
    position = metatac.start(rules).play("aa")
    assert metatac.position(position.text) == position


def test_names_texts_and_times_do_not_count() -> None:
    plain = metatac.load_rules("ultimate")
    dressed = metatac.load_rules("ultimate", title="Other", text="Words", move_time=3, forfeit_points=7)
    assert plain == dressed
    assert hash(plain) == hash(dressed)
    assert plain.digest == dressed.digest
    assert metatac.load_rules(dressed.spec).move_time == 3


CHANGES = {
    "side": 2,
    "depth": 3,
    "patterns": ["rows"],
    "win_board": "tallies",
    "close_board": "full",
    "ban": True,
    "marks": 2,
    "bonus": True,
    "send": ["any"],
    "sent_to_decided": "end",
    "first": "center",
    "swap": True,
    "line": "loses",
    "boards_to_win": 5,
    "count": "boards",
    "most_wins": True,
    "komi": 0.5,
    "points": "count",
    "win_points": 2,
    "values": [2, 1, 1, 1, 1, 1, 1, 1, 1],
    "utility": "points",
}
BESIDE = {
    "count": {"count": "lines", "most_wins": True},
    "most_wins": {"count": "lines", "points": "count"},
    "komi": {"count": "boards", "most_wins": True},
    "points": {"count": "lines", "most_wins": True},
    "values": {"count": "boards", "points": "count"},
    "utility": {"count": "boards", "points": "count"},
}
"""What else must be said for a change to make sense."""


@pytest.mark.parametrize("key", CHANGES)
def test_every_key_of_the_game_counts(key: str) -> None:
    beside = BESIDE.get(key, {})
    plain = metatac.load_rules("ultimate", **beside)
    tallies = {"tallies": 2} if key == "win_board" else {}
    changed = metatac.load_rules("ultimate", **(beside | tallies | {key: CHANGES[key]}))
    assert changed != plain
    assert changed.digest != plain.digest
    assert metatac.load_rules(changed.spec) == changed
    assert metatac.parse_rules(changed.to_toml()) == changed


def test_the_changes_cover_every_key() -> None:
    assert set(CHANGES) | {"title", "text", "tallies", "move_time", "forfeit_points"} == set(KEYS)


def test_the_digest_is_the_same_on_every_machine() -> None:
    """Written down once; it changes only when the game does."""
    assert metatac.load_rules("tic-tac-toe").digest == "51329537ac0b2b3e"
    assert metatac.load_rules("ultimate").digest == "e13e1194c0ee1013"
    assert len({metatac.load_rules(name).digest for name in metatac.preset_names()}) == len(metatac.preset_names())


def test_different_ways_to_say_the_same() -> None:
    ultimate = metatac.load_rules("ultimate")
    assert metatac.load_rules("ultimate", send=["own"]) == ultimate
    assert metatac.load_rules("ultimate", patterns=["diagonals", "columns", "rows", [0, 1, 2]]) == ultimate
    assert metatac.load_rules("ultimate", patterns={"all": ["rows", "columns", "diagonals"]}) == ultimate
    assert metatac.load_rules("ultimate", values=[1] * 9, count="boards", points="count") == metatac.load_rules(
        "ultimate", count="boards", points="count"
    )
    assert metatac.load_rules("ultimate", komi=0.0, win_points=1.0) == ultimate
    assert metatac.load_rules("sudoku", first="e") == metatac.load_rules("sudoku", first="center")
    assert metatac.load_rules("sudoku", side=4, first="f") == metatac.load_rules("sudoku{side=4;first=center}")
    assert metatac.load_rules(ultimate) is ultimate
    assert metatac.load_rules(ultimate, side=2) == metatac.load_rules("ultimate", side=2)


def test_cells_have_names() -> None:
    assert "".join(string.ascii_letters) == metatac.rules.LETTERS


@pytest.mark.parametrize(
    ("name", "greatest"),
    [("ultimate", 1), ("intelligent", 16), ("extreme", 68), ("sudoku", 72), ("tic-tac-toe", 1), ("tic-tac-ku", 1)],
)
def test_a_forfeit_gives_the_most_points_there_are(name: str, greatest: int) -> None:
    assert metatac.load_rules(name).forfeit_points == greatest
    assert metatac.load_rules(name).move_time == {"intelligent": 15, "extreme": 16}.get(name, 0)
