"""A game's row: of two who change it at once, one is told that he is too late."""

import threading

from metatac.game import start
from metatac.match import Tick
from metatac.server import decisions
from metatac.server.decisions import Deed, Live, Wish
from metatac.store import open_database
from metatac.store.games import add_game, load_game, save_game


def test_of_a_move_and_the_flag_at_the_same_moment_one_is_kept(database_url: str) -> None:
    wish = Wish(start("tic-tac-toe"), "tic-tac-toe", {}, "self", "X", "10/move", True)
    database = open_database(database_url)
    try:
        for _ in range(10):
            before, _ = decisions.create(wish, "ada", "Ada", 100.0)
            with database.write() as session:
                add_game(session, before.stored)
            moved = decisions.act(before, "ada", Deed("move", move="e"), {}, 109.999)
            fallen = decisions.tick(before, Tick(), 110.0)
            together, done = threading.Barrier(2), {}

            def keep(what: str, after: Live, before: Live = before, together=together, done=done) -> None:  # type: ignore[no-untyped-def]
                together.wait(60)
                with database.write() as session:
                    done[what] = save_game(session, after.stored, before.stored)

            threads = [threading.Thread(target=keep, args=pair) for pair in (("move", moved), ("flag", fallen))]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join(60)
            assert sorted(done.values()) == [False, True]
            with database.read() as session:
                assert load_game(session, before.stored.id) == (moved if done["move"] else fallen).stored
    finally:
        database.close()
