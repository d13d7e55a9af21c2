"""metatac bot new and check, as their users meet them."""

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from metatac.cli.app import app
from metatac.match import MoveMade, Start, TimeControl, new_match, step
from metatac.players.bots import isolation
from metatac.players.bots.check import Trial, warnings

CHOOSE = "def choose(position, clock):\n    {}\n"


def bot(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["bot", *map(str, arguments)])


def check(*arguments: object) -> Result:
    return bot("check", *arguments, "--isolation", "none", "--game", "tic-tac-toe", "--time", "60/move")


def test_a_new_bot_is_fine_at_once(tmp_path: Path) -> None:
    made = bot("new", tmp_path / "mine")
    assert (made.exit_code, "mine/bot.py is written" in made.output) == (0, True)
    checked = check(tmp_path / "mine")
    assert checked.exit_code == 0, checked.output
    assert checked.output.startswith("mine: speaks python, plays tic-tac-toe at 60/move, isolation none\nok    X ag")
    assert checked.output.count("ok    ") == 4
    assert "mine is fine: 4 games by the rules" in checked.output


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("return 'a'", ["FAIL", "It made a move that is not allowed.", "'a' may not be played"]),
        ("return 7", ["FAIL", "What it said is no move.", "choose returned 7", "X begins anywhere."]),
        ("return [1][1.0]", ["FAIL", "It crashed.", "Traceback", "line 2, in choose", "Hint: in Python 3"]),
        ("print 'hello'", ["FAIL", "line 2: this is Python 2, which is not run"]),
    ],
)
def test_what_is_wrong_is_said_in_words(tmp_path: Path, body: str, words: list[str]) -> None:
    file = tmp_path / "mine.py"
    file.write_text(CHOOSE.format(body))
    checked = check(file)
    assert checked.exit_code == 1
    for word in words:
        assert word in checked.output


def test_a_slow_bot_is_told_its_times(tmp_path: Path) -> None:
    slow = "import time; time.sleep(1000 if '..' not in position.cells else 0); return position.legal_moves[-1]"
    (tmp_path / "slow.py").write_text(CHOOSE.format(slow))
    arguments = ["--isolation", "none", "--game", "tic-tac-toe", "--time", "3/move"]
    checked = bot("check", tmp_path / "slow.py", *arguments)
    assert checked.exit_code == 1
    assert "It took too long." in checked.output
    assert "s of 3.000 s, and 0.1 s that are forgiven; time control 3/move" in checked.output
    assert "Its moves before took" in checked.output


def test_a_bot_is_told_less_time_than_it_has(tmp_path: Path) -> None:
    """As in tournaments, so that one which uses all of it is not late."""
    told = "assert clock.limit <= 60.0; return position.legal_moves[0]"
    (tmp_path / "exact.py").write_text(CHOOSE.format(told))
    checked = check(tmp_path / "exact.py")
    assert checked.exit_code == 0, checked.output


def test_rules_are_changed_only_of_a_game_that_is_named(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(CHOOSE.format("return position.legal_moves[0]"))
    checked = bot("check", tmp_path / "mine.py", "--set", "side=2")
    assert checked.exit_code == 2 and "--set side=2 needs the game" in checked.output


def test_a_program_that_says_nonsense_is_shown_the_conversation(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("import sys\nfor line in sys.stdin:\n    print('hello', flush=True)\n")
    checked = check(tmp_path / "mine.py", "--protocol", "codingame")
    assert checked.exit_code == 1
    for word in ("'row col' is wanted, not 'hello'", "> -1 -1", "< hello"):
        assert word in checked.output


def test_a_game_that_the_protocol_cannot_tell_is_not_the_bots_crash(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("import sys\nsys.exit(1)\n")
    checked = bot("check", tmp_path / "mine.py", "--protocol", "riddles", "--game", "extreme", "--isolation", "none")
    assert checked.exit_code == 1
    assert "FAIL  the riddles protocol knows boards of 3 × 3 cells" in checked.output
    assert "crash" not in checked.output


def test_a_folder_of_bots_is_checked_one_by_one(tmp_path: Path) -> None:
    bot("new", tmp_path / "anna")
    (tmp_path / "bob.py").write_text(CHOOSE.format("return 7"))
    (tmp_path / "notes.txt").write_text("not a bot")
    checked = check(tmp_path)
    assert checked.exit_code == 1
    assert checked.output.endswith("1 of 2 bots are fine. Not: bob.py.\n")


def test_bots_of_others_are_shut_in_or_not_run_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("anna", "bob"):
        (tmp_path / f"{name}.py").write_text(CHOOSE.format("return position.legal_moves[0]"))
    monkeypatch.setattr(isolation, "obstacle", lambda level: "no bubblewrap" if level is isolation.Level.FULL else None)
    arguments = ["--game", "tic-tac-toe", "--time", "60/move"]
    refused = bot("check", tmp_path, *arguments)
    assert "isolation=full is out of reach here (no bubblewrap)" in str(refused.exception)
    assert "anna" not in refused.output
    assert bot("check", tmp_path, *arguments, "--isolation", "none").exit_code == 0


@pytest.mark.parametrize(
    ("time", "seconds", "words"),
    [
        ("1/move", 0.79, []),
        ("1/move", 0.9, ["But its slowest move took 0.900 s of 1 s: a busier machine, and it is late."]),
        ("1/move,2/first", 0.9, []),
        ("5m+3s", 299.0, []),
    ],
)
def test_a_bot_that_is_nearly_late_is_warned(time: str, seconds: float, words: list[str]) -> None:
    match, _ = step(new_match("tic-tac-toe", time=time), Start(), 0.0)
    match, _ = step(match, MoveMade("X", "a"), seconds)
    assert list(warnings([Trial("random", "X", match, "")], TimeControl.parse(time))) == words


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    checked = check(tmp_path / "nobody")
    assert (checked.exit_code, "no such file or folder" in checked.output) == (1, True)
    (tmp_path / "empty").mkdir()
    assert "there are no bots in this folder" in str(check(tmp_path / "empty").exception)
    bot("new", tmp_path / "anna")
    assert "left as it is" in str(bot("new", tmp_path / "anna").exception)
