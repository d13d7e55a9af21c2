"""An arena's tournaments as the service shows them: standings, crosstable, games to replay."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from serving import Service, serving

from metatac.arena.runner import run_tournament
from metatac.arena.tournament import Entrant, Tournament
from metatac.store import open_database


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service that shows a small tournament of another database."""
    folder = tmp_path_factory.mktemp("arena")
    players = tuple(Entrant(f"R{seed}", f"random:{seed}") for seed in range(3))
    plan = Tournament(name="Small cup", rules="tic-tac-toe", players=players, pairs=2)
    database = open_database(folder / "arena.db")
    run_tournament(plan, database)
    database.close()
    with serving(str(folder / "games.db"), Path(folder), "--arena", str(folder / "arena.db")) as service:
        yield service


def test_a_tournament_is_listed_with_its_standings_and_games(shown: Service) -> None:
    with shown.person() as x:
        (one,) = x.get("/tournaments")
        assert (one["name"], one["games"], one["state"]) == ("Small cup", [12, 12], "finished")
        page = x.get(f"/tournaments/{one['id']}")
        rows = page["standings"]
        assert [row["rank"] for row in rows] == sorted(row["rank"] for row in rows)
        assert sum(row["points"] for row in rows) == 12 and rows[0]["name"] == one["leader"]
        assert page["crosstable"]["names"] == [row["name"] for row in rows]
        games = x.get(f"/tournaments/{one['id']}/games", player="R1")
        assert len(games["games"]) == 8 and games["pages"] == 1
        game = x.get(f"/tournaments/{one['id']}/games/{games['games'][0]['n']}")
        walked = x.post("/positions/walk", position=game["start"], moves=game["moves"])["positions"]
        assert walked[-1]["outcome"] is not None


@pytest.mark.parametrize("path", ["9-9", "1-99", "x", "1-1/games/999", "1-1/games/-1"])
def test_what_is_not_there_is_not_found(shown: Service, path: str) -> None:
    with shown.person() as x:
        assert x.http.get(f"/api/tournaments/{path}").status_code == 404
