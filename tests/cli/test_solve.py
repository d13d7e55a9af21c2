"""metatac solve: proofs for people and as JSON, within limits, with checkpoints."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import metatac
from metatac.cli.app import app
from metatac.errors import InvalidArgument

LATE = "ae ea ab bc ci ic ch hi ie"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["solve", *arguments])


def test_tic_tac_toe_for_people() -> None:
    lines = run("tic-tac-toe").stdout.splitlines()
    assert lines[1] == "a draw" and lines[2].startswith("line: ") and len(lines[2].split()) == 10


def test_a_win_says_in_how_many_plies() -> None:
    assert "X wins in 5 plies, and not in fewer" in run("tic-tac-toe", "--moves", "a b").stdout
    assert "O wins: the game is over" in run("tic-tac-toe", "--moves", "a d b e g f").stdout


def test_points_are_named() -> None:
    assert "+1 points in X's view, X wins" in run("sudoku", "--set", "side=2").stdout


def test_json_has_all_of_it() -> None:
    found = json.loads(run("ultimate", "--set", "side=2", "--json").stdout)
    assert found["solved"] and found["reason"] is None and found["value_x"] == found["lower_x"] == found["upper_x"] == 1
    assert found["winner"] == "X" and found["distance"] == found["at_most"] == len(found["line"])
    position = metatac.position(found["position"])
    for move in found["line"]:
        position = position.play(move)
    assert position.outcome is not None and position.outcome.winner == "X"


def test_a_position_by_its_text() -> None:
    text = metatac.start("tic-tac-toe").play("a").play("b").text
    assert json.loads(run("tic-tac-toe", "--position", text, "--json").stdout)["value_x"] == 1
    wrong = run("ultimate", "--position", text)
    assert wrong.exit_code != 0 and "is one of tic-tac-toe, not of ultimate" in str(wrong.exception)
    onwards = run("--position", text, "--moves", "e", "--json", "--time", "10m")
    assert json.loads(onwards.stdout)["position"] == metatac.position(text).play("e").text


def test_rules_are_not_changed_where_the_position_carries_its_own() -> None:
    text = metatac.start("tic-tac-toe").text
    refused = run("--position", text, "--set", "side=4")
    assert refused.exit_code == 2 and "--set side=4" in refused.stderr and "carries its own rules" in refused.stderr


def test_limits_leave_bounds() -> None:
    found = json.loads(run("ultimate", "--moves", LATE, "--nodes", "3000", "--memory", "4", "--json").stdout)
    assert not found["solved"] and found["value_x"] is None and (found["lower_x"], found["upper_x"]) == (-1, 1)
    assert found["reason"] == "nodes"
    shown = run("ultimate", "--time", "0.1", "--memory", "4").stdout
    assert "not solved: the value is from -1 to 1 in X's view (the time is over)" in shown


def test_a_game_that_the_stack_has_no_room_for_is_said_to_be_too_large() -> None:
    asked = ("ultimate-ultimate", "--set", "side=5", "--nodes", "1000", "--memory", "1")
    assert "the game is too large for the prover's stack" in run(*asked).stdout
    assert json.loads(run(*asked, "--json").stdout)["reason"] == "too deep"


def test_a_checkpoint_is_resumed_and_never_overwritten(tmp_path: Path) -> None:
    file = str(tmp_path / "work")
    common = ("ultimate", "--moves", LATE, "--memory", "4", "--nodes", "2000", "--checkpoint", file, "--json")
    first = json.loads(run(*common).stdout)
    assert run(*common).exit_code == 2
    assert json.loads(run(*common, "--resume").stdout)["nodes"] >= 2 * first["nodes"]
    assert run("ultimate", "--resume").exit_code == 2
    other = run("ultimate", "--checkpoint", file, "--resume")
    assert "another position" in str(other.exception)


def test_a_folder_that_is_missing_is_made_for_a_checkpoint(tmp_path: Path) -> None:
    file = tmp_path / "new" / "work"
    done = run("ultimate", "--moves", LATE, "--memory", "4", "--nodes", "2000", "--checkpoint", str(file))
    assert done.exit_code == 0 and file.is_file()
    assert done.stderr.strip().endswith(f"the work is kept in {file}; --resume goes on from there")


def test_a_checkpoint_that_cannot_be_written_is_refused_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    wrong_ways = [(tmp_path / "none" / "work", ("--resume",))]  # without it the folder is made
    wrong_ways += [(place, more) for place in (tmp_path, tmp_path / "file" / "work") for more in ((), ("--resume",))]
    for place, more in wrong_ways:
        done = run("ultimate", "--checkpoint", str(place), *more)
        assert done.exit_code == 2
        assert f"--checkpoint{place}" in re.sub(r"[│\s]", "", done.stderr)  # it stands in a frame, in lines
    assert [file.name for file in tmp_path.iterdir()] == ["file"]


@pytest.mark.skipif(sys.platform == "win32", reason="pipes and links are others there")
def test_a_checkpoint_takes_the_place_of_nothing_but_a_file(tmp_path: Path) -> None:
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    for place in (pipe, link):
        for more in ((), ("--resume",)):
            done = run("tic-tac-toe", "--checkpoint", str(place), "--nodes", "100", *more)
            assert done.exit_code == 2 and "no new file can be put in its place" in re.sub(r"[│\s]+", " ", done.stderr)
    assert pipe.is_fifo() and link.is_symlink() and sorted(tmp_path.iterdir()) == [link, pipe]


@pytest.mark.skipif(sys.platform == "win32", reason="links are others there")
def test_a_checkpoint_is_written_through_a_link(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    link.symlink_to(real)
    common = ("ultimate", "--moves", LATE, "--memory", "4", "--nodes", "2000", "--checkpoint", str(link), "--json")
    first = json.loads(run(*common).stdout)
    written = real.read_bytes()
    assert json.loads(run(*common, "--resume").stdout)["nodes"] >= 2 * first["nodes"]
    assert link.is_symlink() and real.read_bytes() != written and sorted(tmp_path.iterdir()) == [link, real]


@pytest.mark.parametrize("memory", ["1e9", "1e300"])
def test_more_memory_than_there_can_be_is_refused(memory: str) -> None:
    done = run("tic-tac-toe", "--memory", memory)
    assert isinstance(done.exception, InvalidArgument) and "memory is up to 1048576 MB" in str(done.exception)


@pytest.mark.skipif(sys.platform == "win32", reason="no such signals to other processes there")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_who_is_told_to_end_shows_and_keeps_what_was_found(tmp_path: Path, number: int, code: int) -> None:
    file = tmp_path / "work"
    command = [sys.executable, "-m", "metatac", "solve", "ultimate", "--memory", "8", "--checkpoint", str(file)]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert child.stderr is not None
        line = child.stderr.readline()
        while "disproof" not in line:
            assert child.poll() is None
            line = child.stderr.readline()
        assert "proof" in line and "value -1 to 1" in line
        child.send_signal(number)
        shown, complaint = child.communicate(timeout=300)
    finally:
        child.kill()
        child.wait()
    assert child.returncode == code and "(it was stopped)" in shown and "Traceback" not in complaint
    assert file.stat().st_size > 1000


@pytest.mark.skipif(sys.platform == "win32", reason="no limits there")
def test_a_full_disk_is_named_and_the_result_shown(tmp_path: Path) -> None:
    import resource

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    run("tic-tac-toe")  # what is compiled is written now
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        done = run("tic-tac-toe", "--checkpoint", str(tmp_path / "work"))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert done.exit_code == 2 and "a draw" in done.stdout
    assert f"the checkpoint could not be written: {tmp_path / 'work'}: File too large" in done.stderr
    assert not list(tmp_path.iterdir())


def test_with_a_komi_it_is_named_who_wins() -> None:
    assert "O wins" in run("sudoku", "--set", "side=2", "--set", "komi=7.5").stdout
