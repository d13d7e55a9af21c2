"""metatac perft, bench and warmup; and that long runs can be interrupted."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import metatac
from metatac.cli.app import app
from metatac.cli.waiting import interruptible
from metatac.engine import bench
from metatac.kernel.bench import signature


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def test_perft_counts_level_by_level() -> None:
    assert run("perft", "ultimate", "4").stdout == "1 81\n2 720\n3 6336\n4 55080\n"


def test_perft_takes_settings() -> None:
    assert run("perft", "sudoku", "1", "--set", "first=center").stdout == "1 9\n"


def test_divide_names_each_first_move() -> None:
    lines = run("perft", "ultimate", "2", "--divide").stdout.splitlines()
    counts = dict(line.split() for line in lines)
    assert counts.pop("total") == "720"
    assert counts.keys() == {str(move) for move in metatac.start("ultimate").legal_moves}
    assert counts["aa"] == "8" and counts["ab"] == "9"


def test_bench_as_json_has_both_rates_of_every_game() -> None:
    report = json.loads(run("bench", "--json", "--seconds", "0.01", "--rounds", "1").stdout)
    assert tuple(report["games"]) == metatac.preset_names()
    for rates in report["games"].values():
        assert set(rates) == {"one_thread", "all_threads"}
        for rate in rates.values():
            assert rate["plies_per_s"] > rate["games_per_s"] > 0
    work = [one for game in report["searches"].values() for one in game]
    assert report["nodes"] == sum(one["nodes"] for one in work)
    assert {one["search"] for one in work} == {
        "engine",
        "best-first",
        "best-first, draws despised",
        "uct",
        "mcts",
        "prover",
    }


def test_bench_for_people_takes_games_and_settings() -> None:
    done = run("bench", "sudoku", "--set", "side=2", "--seconds", "0.01", "--threads", "2")
    assert "sudoku{side=2}" in done.stdout and "2 threads" in done.stdout
    nodes, last = done.stdout.splitlines()[-2:]
    work = bench.searched(metatac.load_rules("sudoku", side=2))
    assert nodes.split() == ["nodes", str(sum(one.nodes for one in work))]
    assert last.split() == ["signature", bench.signature(work, signature([metatac.load_rules("sudoku", side=2)]))]


@pytest.mark.parametrize("seconds", ["inf", "nan", "0"])
def test_a_measurement_that_never_ends_is_refused(seconds: str) -> None:
    done = run("bench", "tic-tac-toe", "--seconds", seconds)
    assert done.exit_code == 2 and "--seconds" in done.stderr and not done.stdout


def test_the_signature_of_random_games_changes_with_the_game_only() -> None:
    ultimate, opened = metatac.load_rules("ultimate"), metatac.load_rules("ultimate-open")
    assert signature([ultimate]) == signature([ultimate]) != signature([opened])


def test_the_signature_of_searches_changes_with_what_is_searched_only() -> None:
    ultimate, opened = metatac.load_rules("ultimate"), metatac.load_rules("ultimate-open")
    work = bench.searched(ultimate)
    assert work == bench.searched(ultimate)
    assert len({one.position for one in work}) == len(bench.PLIES)
    signatures = [
        bench.signature(work),
        bench.signature(work, "played otherwise"),
        bench.signature(bench.searched(ultimate, nodes=bench.NODES + 2048)),
        bench.signature(bench.searched(opened)),
    ]
    assert len(set(signatures)) == 4


def test_warmup_says_where_the_code_is() -> None:
    assert "compiled" in run("warmup").stdout


def test_what_is_interruptible_returns_or_raises_what_it_does() -> None:
    assert interruptible(lambda: 42) == 42
    with pytest.raises(ZeroDivisionError):
        interruptible(lambda: 1 // 0)


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT to other processes there")
@pytest.mark.parametrize("command", [("solve", "ultimate"), ("analyze", "ultimate"), ("perft", "ultimate", "5")])
def test_ctrl_c_ends_what_only_compiles_as_yet(command: tuple[str, ...], tmp_path: Path) -> None:
    child = subprocess.Popen(
        [sys.executable, "-m", "metatac", *command],
        env=os.environ | {"METATAC_CACHE_DIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert child.stderr is not None
        while "compiling" not in child.stderr.readline():
            assert child.poll() is None
        child.send_signal(signal.SIGINT)
        shown, complaint = child.communicate(timeout=300)
    finally:
        child.kill()
        child.wait()
    assert child.returncode == 130 and not shown
    assert "done" not in complaint and "Traceback" not in complaint


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT to other processes there")
def test_ctrl_c_ends_a_long_perft() -> None:
    command = [sys.executable, "-u", "-m", "metatac", "perft", "ultimate", "15"]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert child.stdout is not None
        while not child.stdout.readline().startswith("6 "):
            assert child.poll() is None
        time.sleep(0.2)  # by now it counts, most likely
        child.send_signal(signal.SIGINT)
        _, complaint = child.communicate(timeout=300)
    finally:
        child.kill()
        child.wait()
    assert child.returncode == 130
    assert "Traceback" not in complaint
