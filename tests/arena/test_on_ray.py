"""A tournament on a real Ray cluster of two workers: the same games, also when a worker is killed."""

import contextlib
import importlib.util
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from processes import children

from metatac.arena.executors import here
from metatac.arena.on_ray import ray_executor
from metatac.arena.runner import run_tournament
from metatac.arena.standings import standings
from metatac.arena.tournament_file import load_tournament
from metatac.errors import ArenaError
from metatac.game import Move
from metatac.notation import Record
from metatac.store import Database, open_database
from metatac.store.tournaments import load_games

# Few games, but long ones: somebody must be seen at play.
PLAN = """
game = "ultimate-ultimate"
players = ["random", "random"]
pairs = 6
time = "none"
seed = 9
cores = 2
"""


def moves(database: Database) -> list[tuple[Move, ...]]:
    return [Record.from_text(game.record).moves for game in load_games(database, 1, heavy=True)]


def kill_a_player(process: "subprocess.Popen[bytes]") -> bool:
    """Kill one of Ray's processes while it plays; whether that was done before the tournament ended."""
    deadline = time.monotonic() + 300
    while process.poll() is None and time.monotonic() < deadline:
        for child in children(process.pid, "ray::_play", recursive=True):
            with contextlib.suppress(psutil.NoSuchProcess):
                child.kill()
                return True
        time.sleep(0.02)
    return False


@pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="Ray is not installed")
def test_the_same_tournament_on_ray_and_here(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(PLAN)
    command = [sys.executable, "-m", "metatac", "arena", "run", str(file), "--on", "ray"]
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
    try:
        assert kill_a_player(process), (tmp_path / "log").read_text()
        assert process.wait(900) == 0, (tmp_path / "log").read_text()
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    cluster, alone = open_database(tmp_path / "cup.db"), open_database(tmp_path / "alone.db")
    with contextlib.closing(cluster), contextlib.closing(alone):
        run_tournament(load_tournament(file).plan, alone, executor=here)
        found = standings(cluster)
        assert found.finished and found.played == 12 and not found.void
        # One game was begun twice, unless it had just ended when its process was killed.
        assert sum(game.tries - 1 for game in found.games) <= 1
        assert moves(cluster) == moves(alone)


def test_a_wrong_place_is_refused_before_anything_starts() -> None:
    with pytest.raises(ArenaError, match="--on moon: ray or ray://host:port"):
        ray_executor("moon", cores=1, retries=0)
