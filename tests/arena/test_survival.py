"""A tournament survives whatever happens to the process that runs it: no game is lost, none counts twice."""

import contextlib
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from processes import alive, children

from metatac.arena.executors import here
from metatac.arena.runner import run_tournament
from metatac.arena.standings import standings
from metatac.arena.tournament_file import load_tournament
from metatac.game import Move
from metatac.notation import Record
from metatac.store import open_database
from metatac.store.tournaments import find_tournament, load_games
from metatac.store.tournaments import running as locked

PATIENCE = 240.0


@contextlib.contextmanager
def running(file: Path) -> Iterator["subprocess.Popen[str]"]:
    command = [sys.executable, "-m", "metatac", "arena", "run", str(file)]
    with open(file.with_suffix(".log"), "a") as log:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, text=True, start_new_session=True
        )
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def write_plan(folder: Path, players: int) -> Path:
    """A tournament of players in this program. The games are long ones: a kill must find the run under way."""
    names = ", ".join(f'{{ name = "bot {n}", player = "random" }}' for n in range(players))
    file = folder / "cup.toml"
    file.write_text(f'game = "ultimate-ultimate"\nplayers = [{names}]\ntime = "none"\ncores = 2\n')
    return file


def write_submissions(folder: Path, bots: int) -> Path:
    """A tournament of programs of their own."""
    (folder / "submissions").mkdir()
    for number in range(bots):
        bot = f"def choose(position, clock):\n    return position.legal_moves[{number} % len(position.legal_moves)]\n"
        (folder / "submissions" / f"bot{number}.py").write_text(bot)
    file = folder / "cup.toml"
    file.write_text('bots = "submissions"\ntime = "1m/move"\nstartup = 120\ncores = 2\n[bot]\nisolation = "auto"\n')
    return file


def kept(file: Path) -> int:
    """How many games are in the database."""
    path = file.with_suffix(".db")
    if not path.exists():
        return 0
    with contextlib.closing(sqlite3.connect(path)) as connection:
        try:
            return int(connection.execute("SELECT count(*) FROM tournament_games").fetchone()[0])
        except sqlite3.OperationalError:  # there is no table yet
            return 0


def until(condition: Callable[[], bool], patience: float = PATIENCE) -> None:
    deadline = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < deadline, "waited for too long"
        time.sleep(0.05)


def kill_and_go_on(file: Path, kills: int, games: int, seed: int, patience: float = PATIENCE) -> None:
    """Kill the run at random moments, with everything it has kept by then counted, and let it end at last."""
    chance = random.Random(seed)
    counts, hits = [0], 0
    for kill in range(kills):
        with running(file) as process:
            goal = counts[-1] + chance.randrange(1, max(2, (games - counts[-1]) // (kills - kill + 1)))
            until(lambda goal=goal, process=process: kept(file) >= goal or process.poll() is not None, patience)  # type: ignore[misc]
            time.sleep(chance.uniform(0, 0.1))
            family = children(process.pid, recursive=True) if process.poll() is None else []
            hits += process.poll() is None
            process.kill()
            process.wait()
            until(lambda family=family: not any(map(alive, family)))  # type: ignore[misc]
        counts.append(kept(file))
        assert counts[-1] >= goal, file.with_suffix(".log").read_text()
    assert hits and counts == sorted(counts)
    with running(file) as process:
        assert process.wait(patience) == 0, file.with_suffix(".log").read_text()


def check(file: Path, players: int, games: int) -> None:
    database = open_database(file.with_suffix(".db"))
    with contextlib.closing(database):
        found = standings(database)
        assert (found.played, found.expected, found.finished, found.void) == (games, games, True, [])
        assert [row.played for row in found.rows] == [2 * (players - 1)] * players
        stored = load_games(database, found.id, heavy=True)
    assert [game.number for game in stored] == list(range(games))
    for game in stored:
        record = Record.from_text(game.record)
        assert record.result == game.result
        assert (record.tags["X"], record.tags["O"]) == (found.name(game.x), found.name(game.o))


def forfeits(file: Path) -> dict[str, dict[str, int]]:
    """Who forfeited, and why: a kill must not look like somebody's fault."""
    database = open_database(file.with_suffix(".db"))
    with contextlib.closing(database):
        return {row.name: row.forfeit_reasons for row in standings(database).rows if row.forfeits}


def play_here(file: Path) -> Path:
    """The same tournament in this process, with no processes and no kills."""
    path = file.with_name("calm.db")
    database = open_database(path)
    with contextlib.closing(database):
        run_tournament(load_tournament(file).plan, database, executor=here)
    return path


def moves(path: Path) -> list[tuple[Move, ...]]:
    database = open_database(path)
    with contextlib.closing(database):
        stored = load_games(database, find_tournament(database).id, heavy=True)
    return [Record.from_text(game.record).moves for game in stored]


def test_a_tournament_that_is_killed_goes_on(tmp_path: Path) -> None:
    file = write_plan(tmp_path, 5)
    kill_and_go_on(file, kills=3, games=20, seed=int(os.environ.get("METATAC_SEED", "1")))
    check(file, 5, 20)
    assert moves(file.with_suffix(".db")) == moves(play_here(file)), "killed or not, the games are the same"


@pytest.mark.verify
@pytest.mark.parametrize("write", [write_plan, write_submissions])
def test_1560_games_survive_ten_kills(tmp_path: Path, write: Callable[[Path, int], Path]) -> None:
    file = write(tmp_path, 40)
    kill_and_go_on(file, kills=10, games=1560, seed=7, patience=7200)
    check(file, 40, 1560)
    assert not forfeits(file)


def test_ctrl_c_keeps_what_was_played_and_says_how_to_go_on(tmp_path: Path) -> None:
    file = write_plan(tmp_path, 24)
    with running(file) as process:
        until(lambda: kept(file) >= 2)
        family = children(process.pid, recursive=True)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does it: to all of them
        assert process.wait(PATIENCE) == 130
        until(lambda: not any(map(alive, family)))
    log = file.with_suffix(".log").read_text()
    assert "games are kept in" in log and "goes on from there" in log and "Traceback" not in log
    assert 2 <= kept(file) < 552


def test_a_second_run_at_the_same_time_is_refused(tmp_path: Path) -> None:
    file = write_plan(tmp_path, 2)
    for expected in (0, 2):
        database = open_database(file.with_suffix(".db"))
        with contextlib.closing(database), contextlib.ExitStack() as stack:
            if expected:
                stack.enter_context(locked(database, find_tournament(database).id))
            with running(file) as process:
                assert process.wait(PATIENCE) == expected
    assert "another process runs this tournament" in file.with_suffix(".log").read_text()
    check(file, 2, 2)
