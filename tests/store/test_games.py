"""Rows of games: of two who change one at once, one is told that he is too late; and which are found."""

import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest

from metatac.game import start
from metatac.match import Tick
from metatac.server import decisions
from metatac.server.decisions import Deed, Live, Wish
from metatac.store import Database, open_database
from metatac.store.games import (
    add_game,
    changes,
    load_game,
    name_of,
    overdue_games,
    prune_games,
    save_game,
    search_games,
    set_name,
)


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    opened = open_database(database_url)
    yield opened
    opened.close()


def made(now: float, visitor: str = "ada", opponent: str = "self", time: str = "10/move", side: str = "X") -> Live:
    wish = Wish(start("tic-tac-toe"), "tic-tac-toe", {}, opponent, side, time, True, ("1", "1"))
    return decisions.create(wish, visitor, visitor.title(), now)[0]


def test_of_a_move_and_the_flag_at_the_same_moment_one_is_kept(database: Database) -> None:
    for _ in range(10):
        before = made(100.0)
        with database.write() as session:
            add_game(session, before.stored)
        moved = decisions.act(before, "ada", Deed("move", move="e"), {}, 109.999)
        fallen = decisions.tick(before, Tick(), 110.0)
        together, done = threading.Barrier(2), {}

        def keep(what: str, after: Live, before: Live = before, together=together, done=done) -> None:  # type: ignore[no-untyped-def]
            together.wait(60)
            with database.write() as session:
                done[what] = save_game(session, before.stored, changes(after.stored, before.stored))

        threads = [threading.Thread(target=keep, args=pair) for pair in (("move", moved), ("flag", fallen))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert sorted(done.values()) == [False, True]
        with database.read() as session:
            assert load_game(session, before.stored.id) == (moved if done["move"] else fallen).stored


def test_who_still_has_a_game_keeps_his_name(database: Database) -> None:
    seats = {"ada": made(200.0, "ada"), "bob": made(200.0, "bob", "engines"), "eve": made(99.0, "eve")}
    with database.write() as session:
        for visitor, game in seats.items():
            set_name(session, visitor, visitor.title(), 50.0)
            add_game(session, game.stored)
        set_name(session, "kim", "Kim", 100.0)  # has only just come
        assert prune_games(session, 100.0) == 1
    with database.read() as session:
        names = [name_of(session, visitor) for visitor in ("ada", "bob", "eve", "kim")]
    assert names == ["Ada", "Bob", None, "Kim"]


def test_engines_that_may_still_wait_keep_no_flag_from_falling(database: Database) -> None:
    with database.write() as session:
        for _ in range(100):
            add_game(session, made(100.0, opponent="engine", side="O").stored)
        late = made(105.0).stored
        add_game(session, late)
    with database.read() as session:
        assert overdue_games(session, 115.1, 60.0, 100) == [(115.0, late.id)]
        first, *_ = overdue_games(session, 170.1, 60.0, 100)
        assert first[1] != late.id  # in their turn
        assert first not in overdue_games(session, 170.1, 60.0, 100, after=first)


def test_a_player_is_found_by_his_name_whatever_its_letters(database: Database) -> None:
    with database.write() as session:
        for name in ("Örjan", "Saša_"):
            over = decisions.act(made(100.0, name), name, Deed("resign"), {}, 101.0)
            add_game(session, replace(over.stored, private=False))
    with database.read() as session:

        def found(player: str) -> list[str]:
            return [game.x_name for game in search_games(session, "somebody", player=player)]

        assert found("Örjan") == found("RJAN") == ["Örjan"] and found("saša_") == ["Saša_"]
        assert len(found("a")) == 2 and not found("%") and not found("Orjan")
        if database.is_sqlite:  # PostgreSQL goes by the locale that it was given
            assert found("örjan") == found("ÖRJAN") == ["Örjan"]
