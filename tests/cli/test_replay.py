"""metatac replay: shows, checks, converts."""

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import metatac
from metatac.cli.app import app
from metatac.errors import InvalidRecord
from metatac.notation import Ply, Record, read_records, write_records


def replay(*arguments: object, typed: str = "") -> Result:
    return CliRunner().invoke(app, ["replay", *map(str, arguments)], input=typed)


@pytest.fixture
def records() -> list[Record]:
    game = metatac.Game("tic-tac-toe", ["a", "d", "b", "e", "c"])
    begun = metatac.Game(metatac.start("sudoku", side=2), ["aa"])
    first = begun.start.legal_moves[1]
    noted = Ply(begun.moves[0], comment="why not", spent=1.5, variations=((Ply(first),),))
    return [Record.from_game(game, tags={"X": "Ann"}), Record(begun.start, (noted,))]


@pytest.fixture
def file(tmp_path: Path, records: list[Record]) -> Path:
    path = tmp_path / "games.txt"
    with path.open("w") as out:
        write_records(out, records)
    return path


def test_every_move_is_shown_on_the_board(file: Path) -> None:
    output = replay(file).output
    assert "1. X plays a\n" in output and "5. X plays c\n" in output
    assert output.count("┏") + output.count("┌") == 2 + 5 + 1
    assert "Ann" in output and "result 1-0" in output
    assert "1. X plays aa in 1.5 s — why not" in output and "plays ab (variation)" in output


def test_only_one_record_is_shown(file: Path) -> None:
    output = replay(file, "--only", 2).output
    assert output.startswith("record 2") and "Ann" not in output
    assert isinstance(replay(file, "--only", 3).exception, InvalidRecord)


def test_on_the_full_screen_it_is_said_which_game_of_how_many_it_is(
    file: Path, monkeypatch: pytest.MonkeyPatch, records: list[Record]
) -> None:
    shown: list[dict[str, Any]] = []
    monkeypatch.setattr("metatac.cli.replay.takes_screen", lambda: True)
    monkeypatch.setattr("metatac.cli.replay.full_screen", lambda *_, **named: shown.append(named))
    for arguments in ((file,), (file, "--only", 2)):
        assert replay(*arguments).exit_code == 0
    assert [one["record"] for one in shown] == records
    assert [one["say"] for one in shown] == [
        f"Game {number} of 2; metatac replay {file} --only N shows another." for number in (1, 2)
    ]


@pytest.mark.parametrize("form", ["text", "json"])
def test_conversion_keeps_the_records(file: Path, records: list[Record], form: str) -> None:
    written = replay(file, "--to", form).output
    assert written.startswith("{") == (form == "json")
    assert list(read_records(written)) == records


def test_standard_input_is_read(file: Path, records: list[Record]) -> None:
    assert list(read_records(replay("-", "--to", "json", typed=file.read_text()).output)) == records


def test_check_counts(file: Path) -> None:
    done = replay(file, "--check")
    assert done.exit_code == 0
    assert done.output == f"{file}: 2 sound records with 6 moves, 0 damaged\n"


def test_check_names_what_is_damaged_and_goes_on(file: Path) -> None:
    file.write_text(file.read_text().replace("1-0", "0-1"))
    done = replay(file, "--check")
    assert done.exit_code == 1
    assert "1 sound record with 1 move, 1 damaged" in done.output
    assert f"{file}: line" in done.output


def test_check_of_only_one_record(file: Path) -> None:
    assert replay(file, "--check", "--only", 1).output == f"{file}: 1 sound record with 5 moves, 0 damaged\n"
    missing = replay(file, "--check", "--only", 3).exception
    assert isinstance(missing, InvalidRecord) and "there are 2 records, none is 3" in str(missing)
    # The first of the two is damaged; it is still the first.
    file.write_text(file.read_text().replace("1-0", "0-1"))
    first, second = (replay(file, "--check", "--only", number) for number in (1, 2))
    assert first.exit_code == 1 and "0 sound records with 0 moves, 1 damaged" in first.output
    assert second.exit_code == 0 and "1 sound record with 1 move, 0 damaged" in second.output


def test_a_damaged_record_is_an_error_of_ours_that_names_the_file(file: Path) -> None:
    file.write_text('[Rules "chess"]\n\ne4 *\n')
    for arguments in ([], ["--to", "json"]):
        error = replay(file, *arguments).exception
        assert isinstance(error, InvalidRecord) and str(file) in str(error)


def test_an_empty_file_says_so(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    assert isinstance(replay(tmp_path / "empty").exception, InvalidRecord)
    assert replay(tmp_path / "empty", "--check").exit_code == 1


def test_check_and_to_exclude_each_other(file: Path) -> None:
    assert replay(file, "--check", "--to", "json").exit_code == 2


def test_a_file_that_is_not_there_is_named_once(tmp_path: Path) -> None:
    missing = tmp_path / "missing.txt"
    assert str(replay(missing).exception) == f"'{missing}' cannot be read: No such file or directory"
