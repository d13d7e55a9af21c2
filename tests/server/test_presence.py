"""Who has left, and what the other may do then; the same at one server and at two that share a database."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from postgres import fresh_database
from serving import PATIENCE, Person, Service, friends, serving, wait_for

WAIT = 3.0
SOON = f"import metatac.server.decisions as decisions; decisions.GONE_WITHOUT = {WAIT}"
LONG = "import metatac.server.decisions as decisions; decisions.GONE_WITHOUT = 10_000.0"


@contextlib.contextmanager
def houses(kind: str, folder: Path, request: pytest.FixtureRequest, first: str) -> Iterator[tuple[Service, Service]]:
    """Where X goes, and where O: SQLite's one server, or two as on two machines, which PostgreSQL holds together."""
    if kind == "sqlite":
        with serving(str(folder / "games.db"), folder, first=first) as one:
            yield one, one
    else:
        database = fresh_database(request.getfixturevalue("postgres_server"))
        with serving(database, folder, first=first) as one, serving(database, folder, first=first) as two:
            yield one, two


def moved_to(person: Person, service: Service) -> Person:
    person.url = service.url
    return person


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_who_stays_may_claim_the_game_when_the_other_has_been_gone(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    with houses(kind, tmp_path, request, SOON) as (here, there):
        x, o, id = friends(here, game="tic-tac-toe")
        with x, moved_to(o, there), o.sit(id) as two:
            with x.sit(id):
                two.until(lambda note: note["seats"]["X"]["online"], "presence")
            gone = two.until(lambda note: not note["seats"]["X"]["online"], "presence")
            assert gone["seats"]["X"]["gone"] <= PATIENCE and gone["claim_in"] <= WAIT
            wait_for(lambda: o.get(f"/games/{id}")["claim_in"] == 0.0, "the wait")
            two.send("claim", what="win")
            over = two.until(lambda game: game["result"])["result"]
            assert over["winner"] == "O" and over["text"] == "X left: O wins."


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_who_comes_back_or_has_another_tab_has_not_left(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    with houses(kind, tmp_path, request, LONG) as (here, there):
        x, o, id = friends(here, game="tic-tac-toe")
        with x, moved_to(o, there), o.sit(id) as two, x.sit(id) as tab:
            two.until(lambda note: note["seats"]["X"]["online"], "presence")
            with moved_to(x, there).sit(id) as another:  # at the other server, perhaps
                another.game()
            tab.send("move", move="e")
            assert two.after(1)["seats"]["X"]["online"]
            two.send("claim", what="win")
            assert "still here" in two.error()["message"]
            tab.connection.close()
            gone = two.until(lambda note: not note["seats"]["X"]["online"], "presence")
            assert gone["claim_in"] > WAIT
            two.send("claim", what="draw")
            assert "wait" in two.error()["message"]
            with x.sit(id):
                back = two.until(lambda note: note["seats"]["X"]["online"], "presence")
                assert back["claim_in"] is None
