"""metatac rules check."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from metatac.cli.app import app
from metatac.errors import RulesError
from metatac.kernel import selfcheck


def check(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["rules", "check", *map(str, arguments)])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "corners.toml"
    path.write_text('inherits = "ultimate"\ntitle = "Corners"\nfirst = "center"\nline = "loses"\n')
    return path


def test_a_users_file_is_played_and_reported(file: Path) -> None:
    done = check(file, "--games", 5)
    assert done.exit_code == 0
    assert done.stdout.startswith("Corners: corners=ultimate{first=center;line=loses}\n")
    assert "length" in done.stdout and "branching" in done.stdout and "first player" in done.stdout
    assert done.stdout.count("\nok ") == 5 and "FAIL" not in done.stdout


def test_the_report_is_json_on_request(file: Path) -> None:
    report = json.loads(check(file, "--games", 5, "--json").stdout)
    assert report["passed"] and report["games"] == 5
    assert report["plies"]["min"] <= report["plies"]["median"] <= report["plies"]["max"]


def test_a_failure_is_named_and_the_exit_code_1(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selfcheck, "longest_game", lambda rules: 3)
    done = check(file, "--games", 1)
    assert done.exit_code == 1
    assert "FAIL  every game ends: no end after 4 moves; moves: " in done.stdout


def test_a_file_that_cannot_be_is_refused_before_anything_is_played(file: Path) -> None:
    file.write_text('inherits = "ultimate"\nsied = 4\n')
    error = check(file).exception
    assert isinstance(error, RulesError) and "sied" in str(error) and "line 2" in str(error)
