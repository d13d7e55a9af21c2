"""Tournaments in a database: each game once, whoever writes it, on SQLite and on PostgreSQL."""

import multiprocessing
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import event, text

from metatac.errors import StoreError
from metatac.store import Database, open_database
from metatac.store.tournaments import (
    StoredGame,
    add_game,
    add_tournament,
    find_tournament,
    load_game,
    load_games,
    running,
    tournaments,
)

GAME = StoredGame(
    number=3, x=0, o=1, result="1-0", points_x=1, points_o=0, score=1.0, reason="line", detail="", moves_x=5, moves_o=4,
    seconds_x=0.5, seconds_o=0.25, longest_x=0.2, longest_o=0.1, tries=1, ended=1e9, record="[Rules …]\n\nee ea\n",
    stderr_x="ü\n", stderr_o="",
)  # fmt: skip


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    database = open_database(database_url)
    yield database
    database.close()


def test_a_game_is_kept_whole_and_only_once(database: Database) -> None:
    cup = add_tournament(database, "cup", {"players": ["a", "b"]})
    assert add_game(database, cup.id, GAME)
    assert not add_game(database, cup.id, replace(GAME, result="0-1"))
    assert load_game(database, cup.id, 3) == GAME and load_game(database, cup.id, 4) is None
    assert load_games(database, cup.id) == [replace(GAME, record="", stderr_x="", stderr_o="")]
    assert find_tournament(database, "cup").played == 1


def test_two_tournaments_have_games_of_the_same_number(database: Database) -> None:
    one, two = (add_tournament(database, name, {}) for name in ("one", "two"))
    assert add_game(database, one.id, GAME) and add_game(database, two.id, replace(GAME, x=5))
    assert [game.x for game in load_games(database, two.id)] == [5]
    assert [(t.name, t.played) for t in tournaments(database)] == [("two", 1), ("one", 1)]


def test_a_tournament_is_begun_once_and_keeps_its_plan(database: Database) -> None:
    first = add_tournament(database, "cup", {"seed": 1})
    assert add_tournament(database, "cup", {"seed": 2}) == first and first.plan == {"seed": 1}


def test_games_are_chosen_by_number_and_by_player(database: Database) -> None:
    cup = add_tournament(database, "cup", {})
    for number, (x, o) in enumerate([(0, 1), (1, 0), (2, 1), (0, 2)]):
        add_game(database, cup.id, replace(GAME, number=number, x=x, o=o))
    assert [game.number for game in load_games(database, cup.id, player=1)] == [0, 1, 2]
    assert [game.number for game in load_games(database, cup.id, player=1, numbers=[2, 3])] == [2]


def test_which_tournament_is_asked_for_where_there_are_several(database: Database) -> None:
    with pytest.raises(StoreError, match="no tournament at all"):
        find_tournament(database)
    one = add_tournament(database, "one", {})
    assert find_tournament(database) == find_tournament(database, str(one.id)) == one
    add_tournament(database, "two", {})
    with pytest.raises(StoreError, match=r"say which: 1 \(one\), 2 \(two\)"):
        find_tournament(database)
    with pytest.raises(StoreError, match="'three'"):
        find_tournament(database, "three")


def test_only_one_at_a_time_runs_a_tournament(database: Database, database_url: str) -> None:
    cup, other = (add_tournament(database, name, {}) for name in ("cup", "other"))
    with running(database, cup.id):
        rival = open_database(database_url)
        with running(rival, other.id), pytest.raises(StoreError, match="another process"), running(rival, cup.id):
            pass
        rival.close()
    with running(database, cup.id):
        pass
    with running(database, cup.id):
        pass


def test_a_lock_of_postgresql_is_given_up_before_its_connection_is_closed(postgres: str) -> None:
    """What a closed connection held the server frees a little later, and who came in between would be refused."""
    database, watch = open_database(postgres), open_database(postgres)
    query = "SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE locktype = 'advisory'"
    held = []

    def look(*_: object) -> None:
        with watch.engine.connect() as connection:
            held.append(connection.execute(text(f"{query} AND datname = current_database()")).scalar())

    event.listen(database.engine, "invalidate", look)
    with running(database, 1):
        look()
    assert held == [1, 0]
    database.close()
    watch.close()


def test_the_lock_leaves_nothing_behind(tmp_path: Path) -> None:
    database = open_database(tmp_path / "a.db")
    with running(database, 1):
        assert list(tmp_path.glob("*.lock"))
    assert not list(tmp_path.glob("*.lock"))
    database.close()


def test_a_full_disk_is_told_and_nothing_is_lost(tmp_path: Path) -> None:
    database = open_database(tmp_path / "cup.db")
    cup = add_tournament(database, "cup", {})
    assert add_game(database, cup.id, GAME)
    database.engine.dispose()
    event.listen(database.engine, "connect", lambda raw, _: raw.execute("PRAGMA max_page_count = 1"))
    with pytest.raises(StoreError, match=r"cup\.db: game 6 cannot be kept: database or disk is full"):
        add_game(database, cup.id, replace(GAME, number=5, record="x" * 1_000_000))
    assert load_games(database, cup.id, heavy=True) == [GAME]
    database.close()


def _write(url: str, numbers: list[int]) -> None:
    database = open_database(url)
    cup = add_tournament(database, "cup", {})
    for number in numbers:
        add_game(database, cup.id, replace(GAME, number=number))
    database.close()


def test_several_processes_write_at_once(database_url: str) -> None:
    """Each makes the tables, begins the tournament and writes the same games: there is one of each in the end."""
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=_write, args=(database_url, list(range(20)))) for _ in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(300)
        assert process.exitcode == 0
    database = open_database(database_url)
    assert [game.number for game in load_games(database, find_tournament(database).id)] == list(range(20))
    database.close()
