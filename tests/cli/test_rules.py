"""metatac rules list, show and new; and the GAME and --set that all commands share."""

import json
from pathlib import Path
from typing import Literal

import pytest
from typer.testing import CliRunner, Result

import metatac
from metatac.cli.app import app
from metatac.cli.arguments import rules_of
from metatac.cli.screen import reflowed
from metatac.errors import RulesError
from metatac.notation import Record, write_record


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["rules", *arguments])


def test_list_names_every_game() -> None:
    lines = run("list").output.splitlines()
    assert tuple(line.split()[0] for line in lines) == metatac.preset_names()
    listed = json.loads(run("list", "--json").output)
    assert [metatac.load_rules(game["spec"]).digest for game in listed] == [game["digest"] for game in listed]


@pytest.mark.parametrize("name", metatac.preset_names())
def test_show_as_toml_is_the_same_game_again(name: str) -> None:
    assert metatac.parse_rules(run("show", name, "--toml").output) == metatac.load_rules(name)


def test_show_takes_settings_and_says_so() -> None:
    output = run("show", "sudoku", "--set", "side=4", "--set", "first=center").output
    rules = metatac.load_rules("sudoku", side=4, first="center")
    assert rules.spec in output and rules.digest in output
    shown = json.loads(run("show", "sudoku", "--set", "side=4", "--json").output)
    assert shown["keys"]["side"] == 4 and shown["cells"] == 256


def test_show_prints_the_rules_for_people() -> None:
    text = metatac.load_rules("extreme").text
    assert text and " ".join(text.split()) in " ".join(run("show", "extreme").output.split())


@pytest.mark.parametrize(("columns", "widest"), [("40", 40), ("300", 100)])
@pytest.mark.parametrize("name", metatac.preset_names())
def test_the_rules_for_people_fit_the_terminal(
    monkeypatch: pytest.MonkeyPatch, name: str, columns: str, widest: int
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    text = run("show", name).output.partition("\nname  ")[0]
    assert max(map(len, text.splitlines())) <= widest


def test_paragraphs_are_set_anew_and_lists_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    text = "One\nparagraph.\n\nAnother:\n- an item that is too long for a line\n-5 is none\n  x | o\n"
    expected = "One paragraph.\n\nAnother:\n- an item that is too long for\na line -5 is none\n  x | o"
    assert reflowed(text) == expected


def test_show_lists_what_differs_from_a_text_that_is_inherited(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('inherits = "ultimate"\nside = 4\npatterns = ["rows"]\nswap = true\ntitle = "Mine"\n')
    assert 'differs from ultimate in: side = 4, patterns = ["rows"], swap = true\n' in run("show", str(file)).output
    assert "differs from sudoku in: first = " in run("show", "sudoku", "--set", "first=center").output
    file.write_text('inherits = "ultimate"\nside = 4\ntext = "Its own."\n')
    for game in (str(file), *metatac.preset_names()):
        assert "differs" not in run("show", game).output


def test_toml_and_json_exclude_each_other() -> None:
    assert run("show", "ultimate", "--toml", "--json").exit_code == 2


def test_new_writes_a_file_that_is_its_parent(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    assert run("new", str(file), "--inherits", "extreme").exit_code == 0
    rules = metatac.load_rules(file)
    assert rules == metatac.load_rules("extreme") and rules.name == rules.title == "mine"


def test_every_line_of_a_new_file_may_be_uncommented(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    run("new", str(file), "--inherits", "sudoku")
    stated = [line.removeprefix("# ") if " = " in line else line for line in file.read_text().splitlines()]
    file.write_text("\n".join(stated))
    assert metatac.load_rules(file) == metatac.load_rules("sudoku")


def test_new_overwrites_nothing(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("precious")
    assert isinstance(run("new", str(file)).exception, RulesError)
    assert file.read_text() == "precious"


def test_new_inherits_a_file_in_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "inner").mkdir()
    run("new", "parent.toml", "--inherits", "tic-tac-ku")
    assert run("new", "inner/child.toml", "--inherits", "parent.toml").exit_code == 0
    assert metatac.load_rules("inner/child.toml") == metatac.load_rules("tic-tac-ku")


def test_new_inherits_no_spec(tmp_path: Path) -> None:
    done = run("new", str(tmp_path / "mine.toml"), "--inherits", "sudoku{side=4}")
    assert isinstance(done.exception, RulesError)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("game", "settings", "reason"),
    [
        ("ultimat", [], "did you mean 'ultimate'"),
        ("nosuch.toml", [], "nosuch.toml"),
        ("ultimate", ["side"], "key=value is wanted"),
        ("ultimate", ["sid=4"], "^--set: 'sid' is no key of a rule set; did you mean 'side'"),
        ("ultimate", ["side=9"], "^--set: side: 9 is not allowed"),
        ("ultimate", ["side=four"], "side"),
    ],
)
def test_a_wrong_game_or_setting_says_what_is_wrong(game: str, settings: list[str], reason: str) -> None:
    with pytest.raises(RulesError, match=reason):
        rules_of(game, settings)


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_record_in_a_games_place_is_called_one(tmp_path: Path, form: Literal["text", "json"]) -> None:
    file = tmp_path / "games.txt"
    with file.open("w") as out:
        write_record(out, Record.from_game(metatac.Game("tic-tac-toe", ["a", "b"])), form=form)
    with pytest.raises(RulesError, match=r"games\.txt: this is a file of records.*analyze --record FILE"):
        rules_of(str(file), None)


def test_settings_have_their_types() -> None:
    rules = rules_of("sudoku", ["komi=0.5", "first=center", "side=5"])
    assert rules == metatac.load_rules("sudoku", komi=0.5, first="center", side=5)
    lines = [[0, 1, 2]]
    assert rules_of("ultimate", [f"patterns={lines}"]) == metatac.load_rules("ultimate", patterns=lines)
