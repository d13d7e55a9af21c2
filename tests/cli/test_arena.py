"""metatac arena: from the command line to standings and files."""

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from metatac.cli.app import app
from metatac.errors import ArenaError, MetatacError
from metatac.notation import read_records


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["arena", *arguments])


def played(folder: Path, *more: str, players: tuple[str, ...] = ("random", "greedy", "random")) -> Result:
    database = ["--database", str(folder / "cup.db")]
    return run("run", *players, "--game", "tic-tac-toe", "--time", "none", *database, *more)


def test_a_tournament_is_played_shown_and_goes_on(tmp_path: Path) -> None:
    first = played(tmp_path, "--name", "Spring cup")
    assert first.exit_code == 0, first.output
    assert "Spring cup" in first.stdout and "6 of 6 games, finished" in first.stdout and "cup.db" in first.stdout
    shown = run("show", str(tmp_path / "cup.db"))
    assert shown.exit_code == 0 and shown.stdout in first.stdout
    again = played(tmp_path, "--name", "Spring cup")
    assert again.exit_code == 0 and again.stdout == first.stdout


def test_who_rested_is_said(tmp_path: Path) -> None:
    done = played(tmp_path, "--format", "swiss", "--rounds", "2")
    assert re.search(r"byes      random \(2\) \(round 1\), .* \(round 2\): a meeting won", done.stdout), done.stdout


def test_a_file_says_it_all(tmp_path: Path) -> None:
    file = tmp_path / "autumn.toml"
    file.write_text('game = "tic-tac-toe"\ntime = "none"\nplayers = ["random", "greedy"]\n')
    done = run("run", str(file), "--pairs", "2", "--json")
    found = json.loads(done.stdout)
    assert found["name"] == "autumn" and found["games"] == 4 and found["finished"]
    assert (tmp_path / "autumn.db").exists()


def test_results_go_to_files(tmp_path: Path) -> None:
    played(tmp_path)
    files = {name: str(tmp_path / f"out.{name}") for name in ("html", "csv", "json", "txt", "games")}
    done = run(
        "report", str(tmp_path / "cup.db"), "--html", files["html"], "--csv", files["csv"], "--json", files["json"],
        "--records", files["txt"], "--games-csv", files["games"],
    )  # fmt: skip
    assert done.exit_code == 0 and done.stdout.split() == [files[n] for n in ("html", "csv", "games", "json", "txt")]
    assert len(list(read_records(files["txt"]))) == 6
    assert json.loads(Path(files["json"]).read_text())["games"] == 6
    assert len(Path(files["csv"]).read_text().splitlines()) == 4
    assert len(Path(files["games"]).read_text().splitlines()) == 7
    assert "</html>" in Path(files["html"]).read_text()


def test_a_report_of_nothing_says_what_there_is(tmp_path: Path) -> None:
    played(tmp_path)
    done = run("report", str(tmp_path / "cup.db"))
    assert done.exit_code == 2 and "--html" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["show", "none.db"], "none.db: there is no such file"),
        (["run", "random"], "two players"),
        (["run", "random", "random", "--format", "league"], "one of round-robin"),
        (["run", "random", "random", "--key", "colour=red"], "there is no such key"),
        (["run", "random", "random", "--key", "colour"], "key=value is wanted"),
        (["run", "cup.toml", "random"], "names its players itself"),
        (["run", "random", "random", "--on", "moon"], "--on moon"),
        (["run", "random", "random", "--database", "mysql://here/x"], "mysql is not supported"),
    ],
)
def test_what_is_wrong_is_said_and_no_file_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(*arguments)
    assert isinstance(done.exception, MetatacError) and re.search(words, str(done.exception))
    assert not list(tmp_path.iterdir())


def test_another_tournament_in_the_same_database_is_refused(tmp_path: Path) -> None:
    played(tmp_path)
    done = played(tmp_path, "--pairs", "2")
    assert isinstance(done.exception, ArenaError) and "pairs was 1 and is 2" in str(done.exception)
    assert played(tmp_path, "--pairs", "2", "--name", "second").exit_code == 0
    shown = run("show", str(tmp_path / "cup.db"), "--tournament", "second")
    assert "12 of 12 games" in shown.stdout
    assert "say which" in str(run("show", str(tmp_path / "cup.db")).exception)
