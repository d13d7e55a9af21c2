"""metatac match: from the command line to the records."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from metatac.cli.app import app
from metatac.notation import read_records


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["match", *arguments])


def test_a_match_is_measured_and_kept(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "games.txt"
    done = run("random", "random", "--games", "6", "--seed", "3", "--save", str(file))
    assert done.exit_code == 0
    assert "random (A) against random (B)" in done.stdout and str(file) in done.stdout
    records = list(read_records(file))
    assert len(records) == 6 and {record.tags["Round"] for record in records} >= {"1.1", "3.2"}


def test_records_are_kept_even_when_nobody_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("METATAC_DATA_DIR", str(tmp_path))
    assert run("random", "random", "--game", "tic-tac-toe", "--games", "2").exit_code == 0
    (file,) = (tmp_path / "matches").iterdir()
    assert len(list(read_records(file))) == 2


def test_two_matches_in_one_second_have_a_file_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("METATAC_DATA_DIR", str(tmp_path))
    monkeypatch.setattr("metatac.cli.match.clocks.strftime", lambda form: "now")
    for _ in range(3):
        done = run("random", "random", "--game", "tic-tac-toe", "--games", "2", "--json")
        assert len(list(read_records(Path(json.loads(done.stdout)["records"])))) == 2
    names = ["tic-tac-toe-now-2.txt", "tic-tac-toe-now-3.txt", "tic-tac-toe-now.txt"]
    assert sorted(file.name for file in (tmp_path / "matches").iterdir()) == names


def test_json(tmp_path: Path) -> None:
    arguments = ("random", "random", "--game", "sudoku", "--set", "side=2", "--games", "4", "--seed", "3", "--json")
    test = ("--sprt", "-10", "10", "--beta", "0.1")
    done = run(*arguments, "--save", str(tmp_path / "a.txt"), *test, "--count", "result")
    found = json.loads(done.stdout)
    assert found["game"] == "sudoku{side=2}" and found["pairs"] == 2 and found["seed"] == 3
    assert found["counts"] == "result" and found["sprt"]["elo0"] == -10 and found["records"] == str(tmp_path / "a.txt")
    assert (found["sprt"]["alpha"], found["sprt"]["beta"]) == (0.05, 0.1)
    assert found["kept"] == 4 and found["unsaved"] is None


def test_games_are_adjudicated_only_when_asked(tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    arguments = ["random", "random", "--game", "tic-tac-toe", "--games", "4", "--seed", "3", "--save", str(file)]
    plain, asked = run(*arguments, "--json"), run(*arguments, "--json", "--adjudicate")
    assert (json.loads(plain.stdout)["adjudicated"], json.loads(asked.stdout)["adjudicated"]) == (0, 4)
    assert "4 ended by a proof" in run(*arguments, "--adjudicate").stdout
    ends = [record.termination == "adjudication" for record in read_records(file)]
    assert ends == [False] * 4 + [True] * 8


def test_a_player_without_nodes_is_named(tmp_path: Path) -> None:
    done = run("random", "random", "--games", "2", "--nodes", "100", "--save", str(tmp_path / "a.txt"))
    assert done.exit_code == 0 and "random has no option for nodes" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--games", "3"], "odd"),
        (["--time", "1", "--nodes", "5"], "one of"),
        (["--games", "1"], "2"),
        (["--concurrency", "0"], "1"),
        (["--alpha", "0.01"], "--alpha goes with --sprt"),
        (["--beta", "0.05"], "--beta goes with --sprt"),
    ],
)
def test_bad_usage_is_refused(arguments: list[str], words: str) -> None:
    done = run("random", "random", *arguments)
    assert done.exit_code == 2 and words in re.sub(r"\s+", " ", done.stderr)


@pytest.mark.parametrize(
    "arguments",
    [
        ["random", "rendom"],
        ["human", "random"],
        ["random", "random", "--sprt", "5", "0"],
        ["random", "random", "--time", "-1"],
        ["random", "tiger", "--game", "ultimate"],
        ["random", "random", "--game", "tic-tac-toe", "--openings", "9"],
        ["random", "random", "--save", "."],
    ],
)
def test_what_cannot_be_played_is_one_line(arguments: list[str], tmp_path: Path) -> None:
    environment = os.environ | {"METATAC_DATA_DIR": str(tmp_path)}
    command = [sys.executable, "-m", "metatac", "match", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment)
    assert done.returncode == 2 and done.stderr.startswith("metatac: ") and done.stderr.count("\n") == 1
    assert not any(path.is_file() for path in tmp_path.rglob("*")), "nothing is left of what was not played"


def deaf(pid: str) -> bool:
    """Whether Ctrl-C is nothing to a process: it blocks the signal, or ignores it."""
    masks = re.findall(r"Sig(?:Blk|Ign):\s*(\w+)", Path(f"/proc/{pid}/status").read_text())
    return any(int(mask, 16) >> (signal.SIGINT - 1) & 1 for mask in masks)


@pytest.mark.skipif(sys.platform != "linux", reason="no list of a process's children there")
def test_ctrl_c_is_not_for_the_other_processes_from_their_first_moment_on(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "metatac", "match", "random", "random", "--games", "100000", "--concurrency", "2"]
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True, cwd=tmp_path)
    seen: set[str] = set()
    try:
        deadline = time.monotonic() + 300
        while len(seen) < 2:
            assert child.poll() is None and time.monotonic() < deadline
            for pid in Path(f"/proc/{child.pid}/task/{child.pid}/children").read_text().split():
                if pid not in seen and "spawn_main" in Path(f"/proc/{pid}/cmdline").read_text():
                    assert deaf(pid)
                    seen.add(pid)
            time.sleep(0.002)
    finally:
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()


def is_counted(file: Path, pair: str) -> bool:
    """Whether a pair is counted for certain: both its games are kept, in whatever order they ended, and another."""
    rounds = re.findall(r'\[Round "(.+)"\]', file.read_text(encoding="utf-8")) if file.exists() else []
    return {f"{pair}.1", f"{pair}.2"} <= set(rounds[:-1])


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT to other processes there")
@pytest.mark.parametrize("concurrency", ["1", "2"])
def test_ctrl_c_prints_what_was_measured(concurrency: str, tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    command = [sys.executable, "-m", "metatac", "match", "random", "random", "--games", "100000", "--save", str(file)]
    child = subprocess.Popen(
        [*command, "--concurrency", concurrency],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        deadline = time.monotonic() + 300
        while not is_counted(file, "1"):
            assert child.poll() is None and time.monotonic() < deadline
            time.sleep(0.05)
        os.killpg(child.pid, signal.SIGINT)  # as a terminal does: to all of them
        output, complaint = child.communicate(timeout=300)
    finally:
        child.kill()
        child.wait()
    assert child.returncode == 130
    assert "early: interrupted" in output and "Traceback" not in complaint
    counted = int(re.search(r"games +(\d+):", output)[1])  # type: ignore[index]
    assert 0 < counted <= len(list(read_records(file)))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full disk here")
def test_a_full_disk_is_named_and_the_result_shown() -> None:
    done = run("random", "random", "--game", "tic-tac-toe", "--games", "4", "--seed", "1", "--save", "/dev/full")
    assert done.exit_code == 2 and "random (A) against random (B)" in done.stdout
    assert "records" not in done.stdout
    assert "games from 1.1 on could not be written to /dev/full: No space left on device" in done.stderr


def test_a_file_that_is_deleted_meanwhile_costs_the_records_and_not_the_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "games.txt"
    monkeypatch.setattr("metatac.cli.match._Live.show", lambda self, standing: file.unlink(missing_ok=True))
    arguments = ["random", "random", "--game", "tic-tac-toe", "--games", "6", "--save", str(file)]
    done, told = run(*arguments), run(*arguments, "--json")
    assert done.exit_code == 2 and "pairs     3" in done.stdout and "records" not in done.stdout
    assert f"games from 2.1 on could not be written to {file}: No such file or directory" in done.stderr
    found = json.loads(told.stdout)
    assert (found["pairs"], found["records"], found["kept"], found["unsaved"]["first"]) == (3, None, 0, "2.1")


@pytest.mark.skipif(sys.platform == "win32", reason="no limits there")
def test_of_a_record_that_does_not_fit_nothing_is_left(tmp_path: Path) -> None:
    import resource

    file, before = tmp_path / "games.txt", resource.getrlimit(resource.RLIMIT_FSIZE)
    done: dict[int, Result] = {}
    arguments = ["random", "random", "--games", "6", "--seed", "1", "--save", str(file)]
    for room in (6000, 10):
        file.unlink(missing_ok=True)
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
        try:
            told = json.loads(run(*arguments, "--json").stdout)
            file.unlink(missing_ok=True)
            done[room] = run(*arguments)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        assert done[room].exit_code == 2 and "could not be written" in done[room].stderr
        if room == 6000:
            kept = list(read_records(file))
            assert 1 <= len(kept) < 6 and file.stat().st_size < room
            assert re.search(rf"records +{file}, the first {len(kept)} games? only\n", done[room].stdout)
            assert (told["records"], told["kept"]) == (str(file), len(kept))
            assert told["unsaved"] == {"first": f"{len(kept) // 2 + 1}.{len(kept) % 2 + 1}", "reason": "File too large"}
    assert "records" not in done[10].stdout and not file.exists()


def test_ctrl_c_before_the_first_game_ends_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("metatac.players.random_player.RandomPlayer.choose", interrupt)
    file = tmp_path / "games.txt"
    done = run("random", "random", "--games", "6", "--save", str(file))
    assert done.exit_code == 130 and "records" not in done.stdout and not file.exists()


def test_a_file_that_somebody_else_has_written_to_meanwhile_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "games.txt"

    def interrupt(*_: object) -> None:
        file.write_text("theirs")
        raise KeyboardInterrupt

    monkeypatch.setattr("metatac.players.random_player.RandomPlayer.choose", interrupt)
    assert run("random", "random", "--games", "6", "--save", str(file)).exit_code == 130
    assert file.read_text() == "theirs"
