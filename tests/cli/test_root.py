"""The root command: help, version, completion, and how mistakes and interruptions end."""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any

import pytest
import typer
from rich.text import Text
from typer.testing import CliRunner

import metatac
from metatac.cli.app import COMMANDS, app, load_command


def run(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    command: Sequence[str] = [sys.executable, "-m", "metatac", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, **options)  # type: ignore[call-overload, no-any-return]


@pytest.mark.parametrize("name", COMMANDS)
def test_the_table_says_what_the_module_says(name: str) -> None:
    assert load_command(name).help.split("\n\n")[0] == COMMANDS[name]


def test_help_lists_every_command_and_loads_none_of_them() -> None:
    done = run("--help")
    assert done.returncode == 0
    assert all(name in done.stdout for name in COMMANDS)
    code = (
        "import sys\nfrom metatac.cli.app import app\n"
        "try: app(['--help'])\nexcept SystemExit: pass\n"
        "print(sorted(m for m in sys.modules if m.startswith(('metatac', 'numpy', 'numba'))))"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    last = loaded.stdout.splitlines()[-1]
    assert last == "['metatac', 'metatac.cli', 'metatac.cli.app', 'metatac.errors']"


def test_version() -> None:
    assert run("--version").stdout == f"metatac {metatac.__version__}\n"


def test_no_arguments_show_the_help() -> None:
    assert "Usage: metatac" in CliRunner().invoke(app, [], prog_name="metatac").output


def test_an_unknown_command_suggests_the_nearest() -> None:
    done = run("doctr")
    assert done.returncode == 2
    assert "Did you mean 'doctor'?" in done.stderr


def test_what_is_no_value_of_an_option_is_said_plainly() -> None:
    done = CliRunner().invoke(app, ["export", "x.svg", "--theme", "pink"], env={"COLUMNS": "200"})
    assert done.exit_code == 2
    assert "Invalid value for '--theme': 'pink' is not one of" in done.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_script_and_answers(shell: str) -> None:
    environment = {"_METATAC_COMPLETE": f"source_{shell}", "PATH": ""}
    script = subprocess.run(
        [sys.executable, "-m", "metatac"], capture_output=True, text=True, env=environment, check=False
    )
    assert "_METATAC_COMPLETE" in script.stdout
    environment = {
        "_METATAC_COMPLETE": f"complete_{shell}",
        "_TYPER_COMPLETE_ARGS": "metatac doc",
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
        "COMP_WORDS": "metatac doc",
        "COMP_CWORD": "1",
    }
    answer = subprocess.run(
        [sys.executable, "-m", "metatac"], capture_output=True, text=True, env=environment, check=False
    )
    assert "doctor" in answer.stdout


def failing(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> int | str | None:
    """The exit code of `metatac doctor` when it raises the error."""
    broken = typer.Typer(add_completion=False)

    @broken.command()
    def doctor() -> None:
        raise error

    monkeypatch.setattr(import_module("metatac.cli.doctor"), "app", broken)
    monkeypatch.setattr(sys, "argv", ["metatac", "doctor"])
    with pytest.raises(SystemExit) as leaving:
        import_module("metatac.cli").main()
    return leaving.value.code


def test_an_error_of_ours_is_one_line_and_code_2(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert failing(monkeypatch, metatac.errors.RulesError("side: 9 is too many")) == 2
    assert capsys.readouterr() == ("", "metatac: side: 9 is too many\n")


def test_a_missing_file_is_one_line_and_code_2(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert failing(monkeypatch, FileNotFoundError(2, "No such file or directory", "game.toml")) == 2
    assert capsys.readouterr().err == "metatac: game.toml: No such file or directory\n"


def test_ctrl_c_is_130_and_silent(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert failing(monkeypatch, KeyboardInterrupt()) == 130
    assert capsys.readouterr().err == ""


def test_a_bug_stays_a_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ZeroDivisionError):
        failing(monkeypatch, ZeroDivisionError())


def test_a_terminal_of_few_characters_is_served() -> None:
    done = run("play", "misere-ultimate", stdin=subprocess.DEVNULL, env={"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0 and r"Mis\xe8re" in done.stdout and done.stdout.isascii()


@pytest.mark.skipif(sys.platform == "win32", reason="pipes close otherwise there")
@pytest.mark.parametrize("arguments", [["--help"], ["doctor"]])
def test_a_closed_pipe_is_no_traceback(arguments: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)  # before anything is written
    try:
        command = [sys.executable, "-m", "metatac", *arguments]
        done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, timeout=300)
    finally:
        os.close(writer)
    assert done.returncode in (1, 141)
    assert done.stderr == b""


def _all_commands(group: Any) -> Iterator[Any]:
    for command in group.commands.values():
        yield from _all_commands(command) if hasattr(command, "commands") else (command,)


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_nothing_of_a_help_is_taken_for_markup(name: str) -> None:
    """Words in square brackets would vanish; what an option is otherwise is said by ``show_default``."""
    command = load_command(name)
    for one in _all_commands(command) if hasattr(command, "commands") else (command,):
        for parameter in one.params:
            text = getattr(parameter, "help", None) or ""
            assert Text.from_markup(text).plain == text, f"{one.name} {parameter.name}"
