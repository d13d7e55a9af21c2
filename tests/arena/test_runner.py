"""Tournaments from plan to standings: what is kept, what goes wrong, on SQLite and on PostgreSQL."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from metatac.arena import standings as arena
from metatac.arena.executors import here
from metatac.arena.export import games_csv, standings_csv, standings_data
from metatac.arena.runner import Progress, run_tournament
from metatac.arena.tournament import Entrant, Tournament
from metatac.errors import ArenaError, StoreError
from metatac.store import Database, open_database


def tournament(*players: str, **settings: object) -> Tournament:
    entrants = tuple(Entrant(f"{player} {number}", player) for number, player in enumerate(players))
    values = {"name": "cup", "rules": "tic-tac-toe", "players": entrants, "plies": 2} | settings
    return Tournament(**values)  # type: ignore[arg-type]


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    database = open_database(tmp_path / "cup.db")
    yield database
    database.close()


def test_a_tournament_is_played_kept_and_shown(database_url: str) -> None:
    database = open_database(database_url)
    shown: list[tuple[int, int]] = []

    def show(progress: Progress) -> None:
        shown.append((len(progress.results), progress.expected))

    run_tournament(tournament("random", "greedy", "winner", pairs=2), database, executor=here, show=show)
    assert shown == [(number, 12) for number in range(13)]
    found = arena.standings(database)
    assert found.finished and found.played == 12 and sum(row.score for row in found.rows) == 12
    assert all(row.rating is not None and row.seconds >= 0 for row in found.rows)
    (summary,) = arena.tournaments(database)
    assert (summary.name, summary.game, summary.played, summary.expected) == ("cup", "tic-tac-toe", 12, 12)
    assert summary.leader == found.rows[0].name and summary.finished
    database.close()


def test_going_on_plays_only_what_is_left(database: Database) -> None:
    plan = tournament("random", "greedy", "random", pairs=3)

    def stop(progress: Progress) -> None:
        if len(progress.results) == 7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_tournament(plan, database, executor=here, show=stop)
    assert arena.standings(database).played == 7
    progress = run_tournament(plan, database, executor=here)
    assert (progress.before, progress.played) == (7, 11) and arena.standings(database).finished
    assert run_tournament(plan, database, executor=here).played == 0


@pytest.mark.parametrize("format", ["swiss", "knockout", "groups"])
def test_formats_that_wait_for_results_go_on_wherever_they_were(database: Database, format: str) -> None:
    plan = tournament(*["random", "greedy"] * 3, format=format, rounds=3, groups=2, name=format)
    calm = open_database(database.path.with_name("calm.db"))  # type: ignore[union-attr]
    run_tournament(plan, calm, executor=here)
    expected = [game.result for game in arena.standings(calm).games]
    calm.close()
    for _ in range(100):
        try:
            run_tournament(plan, database, executor=here, show=interrupting())
            break
        except KeyboardInterrupt:
            continue
    assert [game.result for game in arena.standings(database).games] == expected


def interrupting() -> "object":
    calls = iter(range(1000))

    def show(progress: Progress) -> None:
        if next(calls) == 2:
            raise KeyboardInterrupt

    return show


def test_forfeits_are_counted_by_reason_and_the_rules_points_awarded(database: Database) -> None:
    plan = tournament("first", "crasher", "picky", rules="intelligent", rank="points")
    run_tournament(plan, database, executor=here)
    rows = {row.name: row for row in arena.standings(database).rows}
    assert rows["crasher 1"].forfeit_reasons == {"crash": rows["crasher 1"].lost}
    assert rows["first 0"].points == 4 * 16 and rows["first 0"].rank == 1
    page = arena.game(database, "cup", 0)
    assert page.row.reason == "crash" and page.row.detail and page.record.termination == "crash"


def test_stderr_is_kept_with_the_game(database: Database) -> None:
    run_tournament(tournament("numbered", "first", keep="match"), database, executor=here)
    assert [arena.game(database, None, number).stderr for number in (0, 1)] == [("1", ""), ("", "2")]


def test_games_of_one_player_page_by_page(database: Database) -> None:
    run_tournament(tournament("random", "greedy", "random", pairs=2), database, executor=here)
    mine = arena.games(database, player="greedy 1")
    assert len(mine) == 8 and all("greedy 1" in (game.x, game.o) for game in mine)
    assert arena.games(database, player="greedy 1", offset=6, limit=5) == mine[6:]
    assert [game.number for game in arena.games(database, newest=True, limit=2)] == [11, 10]
    assert [game.round for game in arena.games(database)] == [1] * 4 + [2] * 4 + [3] * 4
    with pytest.raises(ArenaError, match="nobody is called 'tiger'"):
        arena.games(database, player="tiger")
    with pytest.raises(ArenaError, match="no game 12"):
        arena.game(database, "cup", 12)
    with pytest.raises(StoreError, match="'mug'"):
        arena.standings(database, "mug")


def test_records_replay_and_name_their_players(database: Database) -> None:
    run_tournament(tournament("random", "greedy"), database, executor=here)
    texts = list(arena.records(database))
    assert len(texts) == 2 and '[Event "cup"]' in texts[0] and '[X "random 0"]' in texts[0]


def test_a_game_that_cannot_be_played_counts_for_nobody(database: Database) -> None:
    run_tournament(tournament("first", "dying", "random"), database, cores=2, retries=0)
    found = arena.standings(database)
    assert found.finished and len(found.void) == 4 and found.played == 6
    assert {row.name: row.played for row in found.rows} == {"first 0": 2, "random 2": 2, "dying 1": 0}
    assert next(row for row in found.rows if row.name == "dying 1").rating is None


def test_exports_hold_what_the_standings_say(database: Database) -> None:
    plan = tournament("random", "greedy", "random", left_out=(("broken.py", "no bot"),))
    run_tournament(plan, database, executor=here)
    found = arena.standings(database)
    data = json.loads(json.dumps(standings_data(found)))
    assert [row["name"] for row in data["standings"]] == [row.name for row in found.rows]
    assert data["left_out"] == [{"name": "broken.py", "reason": "no bot"}] and data["games"] == 6
    lines = standings_csv(found).splitlines()
    assert len(lines) == 4 and lines[1].startswith(f"1,{found.rows[0].name},")
    assert len(games_csv(arena.games(database)).splitlines()) == 7


def test_no_name_becomes_a_formula_in_a_spreadsheet(database: Database) -> None:
    entrants = (Entrant("=1+1", "random"), Entrant('"a",b', "random"))
    run_tournament(tournament(players=entrants), database, executor=here)
    text = standings_csv(arena.standings(database))
    assert ",'=1+1," in text and ',"""a"",b",' in text


def test_a_player_that_cannot_be_is_named(database: Database) -> None:
    with pytest.raises(ArenaError, match="player 'nobody 1': 'nobody' is no player"):
        run_tournament(tournament("random", "nobody"), database)


def test_threads_of_players_count_as_cores(database: Database) -> None:
    """With players of two threads two cores play one game at a time: the order of the ends is that of the numbers."""
    plan = tournament("counted:threads=2", "patient", pairs=2)
    ends: list[int] = []
    run_tournament(plan, database, cores=2, show=lambda progress: ends.append(max(progress.results, default=-1)))
    assert ends == list(range(-1, 4))
