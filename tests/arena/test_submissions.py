"""A folder of submissions: every bot in it plays in its own process, whatever it does, and who cannot is named."""

import contextlib
from pathlib import Path

import pytest

from metatac.arena import standings as arena
from metatac.arena.runner import run_tournament
from metatac.arena.tournament_file import Arranged, load_tournament
from metatac.errors import ArenaError
from metatac.store import open_database

HONEST = """
def choose(position, clock):
    return position.legal_moves[0]
"""
RAISING = """
import sys

def choose(position, clock):
    print("I give up", file=sys.stderr)
    raise RuntimeError("out of ideas")
"""
CHEATING = """
def choose(position, clock):
    return "zz"
"""
COUNTING = """
import sys

games = 0


class Bot:
    def __init__(self):
        global games
        games += 1
        print("this is game", games, file=sys.stderr)

    def choose(self, position, clock):
        return position.legal_moves[-1]
"""
BURNING = """
import os, threading

def burn():
    while True: pass

def choose(position, clock):
    for _ in range(2):
        if os.fork() == 0: burn()
        threading.Thread(target=burn, daemon=True).start()
    return position.legal_moves[0]
"""
HOARDING = """
hoard = []

def choose(position, clock):
    hoard.append(b"x" * (300 << 20))
    return position.legal_moves[-1]
"""
OLD = """
class Player:
    def move(self, board, old_move, flag):
        print "hello"
        return (0, 0)
"""
CODINGAME = """#!/usr/bin/env python3
while True:
    input()
    cells = [input() for _ in range(int(input()))]
    print(cells[0], flush=True)
"""


def folder_of(tmp_path: Path, game: str = "ultimate", more: str = "", **bots: str) -> Path:
    home = tmp_path / "submissions"
    home.mkdir()
    for name, text in bots.items():
        (home / f"{name}.py").write_text(text)
    (home / "README.md").write_text("no bot")
    file = tmp_path / "course.toml"
    file.write_text(
        f'game = "{game}"\nbots = "submissions"\ntime = "20/move"\nstartup = 60\ncores = 2\n{more}\n'
        '[bot]\nisolation = "auto"\n'
    )
    return file


def load(file: Path) -> Arranged:
    return load_tournament(file)


def test_submissions_play_and_every_result_is_explained(tmp_path: Path) -> None:
    made = load(folder_of(tmp_path, anna=HONEST, bert=RAISING, carl=CHEATING, dora=OLD))
    assert [entrant.name for entrant in made.plan.players] == ["anna", "bert", "carl"]
    ((name, reason),) = made.plan.left_out
    assert name == "dora.py" and "Python 2" in reason and str(tmp_path) not in reason
    assert len(made.isolation) == 1
    database = open_database(made.database)
    with contextlib.closing(database):
        run_tournament(made.plan, database, cores=made.cores, folder=made.folder)
        found = arena.standings(database)
        page = arena.game(database, None, next(game.number for game in found.games if game.reason == "crash"))
    rows = {row.name: row for row in found.rows}
    assert found.finished and rows["anna"].won == 4 and rows["anna"].rank == 1
    assert set(rows["bert"].forfeit_reasons) == {"crash"} and set(rows["carl"].forfeit_reasons) <= {
        "garbage",
        "illegal move",
    }
    assert "out of ideas" in page.row.detail + "".join(page.stderr) and "I give up" in "".join(page.stderr)


def test_an_honest_bot_is_neither_harmed_nor_delayed_by_whom_it_meets(tmp_path: Path) -> None:
    more = 'format = "gauntlet"\npairs = 1'
    made = load(folder_of(tmp_path, "tic-tac-toe", more, anna=HONEST, bert=BURNING, carl=HOARDING, dora=RAISING))
    database = open_database(made.database)
    with contextlib.closing(database):
        run_tournament(made.plan, database, cores=made.cores, folder=made.folder)
        found = arena.standings(database)
        pages = [arena.game(database, None, row.number) for row in found.games]
    anna = next(row for row in found.rows if row.name == "anna")
    assert (anna.played, anna.forfeits) == (6, 0)
    # Each of her moves takes milliseconds; 20 s are allowed.
    assert max(page.longest[page.row.o == "anna"] for page in pages) < 10


def test_a_kept_bot_plays_a_match_with_one_process(tmp_path: Path) -> None:
    made = load(folder_of(tmp_path, "tic-tac-toe", 'keep = "match"', anna=HONEST, zoe=COUNTING))
    database = open_database(made.database)
    with contextlib.closing(database):
        run_tournament(made.plan, database, cores=made.cores, folder=made.folder)
        assert not any(row.forfeits for row in arena.standings(database).rows)
        assert "this is game 2" in "".join(arena.game(database, None, 1).stderr)


def test_who_can_only_begin_at_the_start_is_told_what_to_change(tmp_path: Path) -> None:
    file = folder_of(tmp_path, "ultimate-majority", anna=HONEST, cody=CODINGAME)
    manifest = tmp_path / "submissions" / "eve"
    manifest.mkdir()
    (tmp_path / "submissions" / "cody.py").rename(manifest / "cody.py")
    (manifest / "bot.toml").write_text('name = "Cody"\nrun = "python3 cody.py"\nprotocol = "codingame"\n')
    with pytest.raises(ArenaError, match=r"openings: eve: .*; with openings = 0 it can play"):
        load(file)
    file.write_text(file.read_text().replace("cores", "openings = 0\ncores"))
    assert [entrant.name for entrant in load(file).plan.players] == ["anna", "Cody"]


def test_a_name_of_its_own_cannot_be_claimed_by_another(tmp_path: Path) -> None:
    file = folder_of(tmp_path, zoe=HONEST)
    for folder, name in (("anna", "zoe"), ("bert", "Bert"), ("carl", "Bert")):
        (tmp_path / "submissions" / folder).mkdir()
        (tmp_path / "submissions" / folder / "play.py").write_text(HONEST)
        (tmp_path / "submissions" / folder / "bot.toml").write_text(f'name = "{name}"\nrun = "play.py"\n')
    assert [entrant.name for entrant in load(file).plan.players] == ["zoe (2)", "Bert", "Bert (2)", "zoe"]


def test_a_folder_without_bots_says_why(tmp_path: Path) -> None:
    with pytest.raises(ArenaError, match=r"bots: there is no bot in .*dora\.py: .*Python 2"):
        load(folder_of(tmp_path, dora=OLD, fred=OLD))


def test_bots_need_a_limit(tmp_path: Path) -> None:
    file = folder_of(tmp_path, anna=HONEST, bert=HONEST)
    file.write_text(file.read_text().replace('"20/move"', '"none"'))
    with pytest.raises(ArenaError, match=r"line 3: time: .*bots need a limit"):
        load(file)


def test_a_link_is_no_submission(tmp_path: Path) -> None:
    file = folder_of(tmp_path, anna=HONEST)
    secret = tmp_path / "secret.py"
    secret.write_text("root:hunter2: = (")
    (tmp_path / "submissions" / "bert.py").symlink_to(secret)
    made = load_tournament(file, {"players": ["random"]})
    assert [entrant.name for entrant in made.plan.players] == ["random", "anna"]
    assert made.plan.left_out == (("bert.py", "it is a link; a bot is a file or a folder"),)
