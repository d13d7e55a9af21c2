"""metatac export and the replay of the last game."""

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import metatac
from metatac.cli.app import app
from metatac.render import board_svg


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "data"
    monkeypatch.setenv("METATAC_DATA_DIR", str(folder))
    return folder


def run(*arguments: str, typed: str = "") -> Result:
    return CliRunner().invoke(app, list(arguments), input=typed)


def test_a_position_as_svg(tmp_path: Path) -> None:
    file = tmp_path / "board.svg"
    assert run("export", str(file), "ultimate", "--moves", "ee ea", "--theme", "dark", "--size", "300").exit_code == 0
    position = metatac.start("ultimate").play("ee").play("ea")
    assert file.read_text() == board_svg(position, last=metatac.Move((4, 0)), size=300, dark=True)
    text = run("export", "-", "--to", "svg", "--position", position.text).output
    assert text == board_svg(position)


def test_the_game_kept_last_is_exported_and_replayed(tmp_path: Path) -> None:
    for command in (["replay"], ["export", str(tmp_path / "x.html")]):
        assert isinstance(run(*command).exception, metatac.errors.InvalidRecord)
    run("play", "tic-tac-toe", "--x", "human:Ann", "--o", "human:Bob", typed="a\nd\nb\ne\nc\n")
    assert "5. X plays c" in run("replay").output and "Ann" in run("replay").output
    page = tmp_path / "game.html"
    assert run("export", str(page)).exit_code == 0
    assert "Ann" in page.read_text() and page.read_text().count("data-at=") == 5
    assert run("export", str(tmp_path / "at.svg"), "--at", "2").exit_code == 0
    assert (tmp_path / "at.svg").read_text().count("mark x") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["board.png", "ultimate"],
        ["-", "ultimate"],
        ["x.svg", "ultimate", "--record", "y"],
        ["x.svg", "--moves", "ee"],
        ["x.svg", "--position", "tic-tac-toe X - 9", "--set", "side=4"],
        ["x.svg", "ultimate", "--moves", "ee", "--at", "2"],
        ["x.svg", "ultimate", "--moves", "ee ee"],
        ["x.svg", "--record", "nosuch"],
    ],
)
def test_what_cannot_be_exported_is_refused(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("export", *arguments)
    assert done.exit_code != 0 and list(tmp_path.iterdir()) == []
