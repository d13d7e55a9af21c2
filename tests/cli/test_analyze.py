"""metatac analyze and metatac players."""

import json

import pytest
from typer.testing import CliRunner

from metatac.cli.app import app
from metatac.players import player_entries

run = CliRunner()


def test_the_calculator_from_the_command_line() -> None:
    done = run.invoke(app, ["analyze", "sudoku", "--moves", "ef", "--with", "minimax:1", "--json"])
    found = json.loads(done.stdout)
    assert found["value_x"] == pytest.approx(-1 / 3, abs=1e-9)
    assert len(found["moves"]) == 9
    assert {"move", "line", "proven", "value_x"} <= set(found["moves"][0])


def test_a_table_on_the_terminal() -> None:
    done = run.invoke(app, ["analyze", "ultimate", "--moves", "ee ea", "--nodes", "3000"])
    assert done.exit_code == 0
    assert "in X's view" in done.stdout
    assert sum(line.startswith("  a") for line in done.stdout.splitlines()) == 9


def test_a_won_position_is_proven() -> None:
    board = "XX1O1O3"
    done = run.invoke(
        app, ["analyze", "tic-tac-toe", "--position", f"tic-tac-toe X - {board}", "--depth", "2", "--json"]
    )
    found = json.loads(done.stdout)
    assert found["value_x"] == 1 and found["proven"] and found["moves"][0]["move"] == "c"


def test_what_cannot_analyse_says_so() -> None:
    done = run.invoke(app, ["analyze", "ultimate", "--with", "random"])
    assert done.exit_code != 0
    assert "does not analyse" in str(done.exception) + done.output


def test_every_player_is_listed() -> None:
    done = run.invoke(app, ["players", "--json"])
    assert set(json.loads(done.stdout)) == {entry.name for entry in player_entries()}
    assert all(entry.name in run.invoke(app, ["players"]).stdout for entry in player_entries())
