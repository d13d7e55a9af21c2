"""docs/write-a-bot.md, followed to the letter in an empty folder."""

import os
import re
import shlex
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from metatac.cli.app import app
from metatac.players.bots.manifest import find_bot
from metatac.players.bots.protocols import PROTOCOLS

PAGE = (Path(__file__).parents[3] / "docs" / "write-a-bot.md").read_text("utf-8")
BLOCKS = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
COMMANDS = [line.partition("#")[0] for block in BLOCKS for line in block.splitlines()]


@pytest.fixture(autouse=True)
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("METATAC_DATA_DIR", str(tmp_path / "data"))


def metatac(command: str, *more: str) -> str:
    result = CliRunner().invoke(app, [*shlex.split(command)[1:], *more])
    assert result.exit_code == 0, result.output
    return result.output


def test_in_python(tmp_path: Path) -> None:
    new, check, match = COMMANDS[:3]
    metatac(new)
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "mybot" / "bot.py").write_text(code)
    assert "mybot is fine" in metatac(check, "--time", "60/move")
    score = re.search(r"score +([\d.]+) %", metatac(match, "--seed", "1"))
    assert score is not None and float(score[1]) > 50


@pytest.mark.skipif(shutil.which("node") is None and "CI" not in os.environ, reason="node is not installed")
def test_in_javascript() -> None:
    new, check = COMMANDS[3:5]
    metatac(new)
    assert "mybot is fine" in metatac(check, "--time", "60/move")


def test_the_manifest_and_the_protocols_are_those_that_there_are(tmp_path: Path) -> None:
    (manifest,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "bot.toml").write_text(manifest)
    bot = find_bot(str(tmp_path))
    assert (bot.name, bot.author, bot.protocol, bot.command) == ("My bot", "Ada", "riddles", ("./mybot",))
    told = re.findall(r"^\| `([a-z]+)` \|", PAGE, re.MULTILINE)
    assert {*told} - {"protocol"} == {*PROTOCOLS} - {"python", "course"}
