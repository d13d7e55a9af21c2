"""Tournaments of an arena's databases: standings and games, as they are at this moment."""

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import Query
from starlette.responses import JSONResponse

from metatac.arena import standings as arena
from metatac.errors import ArenaError, StoreError
from metatac.server import models
from metatac.server.house import House
from metatac.server.refusals import not_found
from metatac.server.web import TheHouse, reply, router
from metatac.store import Database

routes = router()

RECENT, PAGE = 20, 50


@routes.get("/tournaments", response_model=list[models.TournamentSummary])
def tournaments(house: TheHouse) -> JSONResponse:
    """Every tournament, the newest first."""
    found = [
        (one.created, _summary(f"{number}-{one.id}", one))
        for number, database in enumerate(house.arenas)
        for one in arena.tournaments(database)
    ]
    return reply([view for _, view in sorted(found, key=lambda pair: -pair[0])])


def _summary(id: str, one: Any) -> dict[str, Any]:
    return {
        "id": id,
        "name": one.name,
        "game": one.game,
        "title": one.title,
        "format": one.format,
        "state": "finished" if one.finished else "running",
        "games": [one.played, one.expected],
        "leader": one.leader,
    }


def _found(house: House, id: str) -> tuple[Database, Any]:
    """The database and the summary that an id of ours names."""
    place, _, rest = id.partition("-")
    if place.isdecimal() and rest.isdecimal() and len(id) < 20 and int(place) < len(house.arenas):
        database = house.arenas[int(place)]
        for one in arena.tournaments(database):
            if str(one.id) == rest:
                return database, one
    raise not_found("tournament")


@routes.get("/tournaments/{id}", response_model=models.Tournament)
def tournament(id: str, house: TheHouse) -> JSONResponse:
    """Standings, crosstable and the latest games."""
    database, one = _found(house, id)
    table = arena.standings(database, one.id)
    rows = [
        {
            "rank": row.rank,
            "name": row.name,
            "points": row.score,
            "played": row.played,
            "won": row.won,
            "drawn": row.drawn,
            "lost": row.lost,
            "forfeits": row.forfeits,
            "rating": row.rating,
            "error": row.error,
        }
        for row in table.rows
    ]
    recent = [_game(game) for game in arena.games(database, one.id, limit=RECENT, newest=True)]
    return reply(_summary(id, one) | {"standings": rows, "crosstable": _crosstable(table), "recent": recent})


def _crosstable(table: Any) -> dict[str, Any]:
    """Names in the order of the standings, and for each pair what the one in front got of the other."""
    order = [row.player for row in table.rows]
    cells = [
        [None if (cell := table.crosstable.get((one, other))) is None else cell.score for other in order]
        for one in order
    ]
    return {"names": [row.name for row in table.rows], "scores": cells}


def _game(row: Any) -> dict[str, Any]:
    names = ("x", "o", "result", "reason", "moves", "round")
    return {"n": row.number} | {name: getattr(row, name) for name in names} | {"points": list(row.points)}


@routes.get("/tournaments/{id}/games", response_model=models.TournamentGames)
def tournament_games(
    id: str,
    house: TheHouse,
    player: Annotated[models.Text, Query(max_length=200)] = "",
    page: Annotated[int, Query(ge=1, le=100_000)] = 1,
) -> JSONResponse:
    """The games, all or a player's, page by page."""
    database, one = _found(house, id)

    def rows(offset: int, limit: int) -> list[Any]:
        return arena.games(database, one.id, player=player or None, offset=offset, limit=limit)

    found = _known(lambda: rows((page - 1) * PAGE, PAGE + 1))
    return reply({"games": [_game(row) for row in found[:PAGE]], "pages": page + (len(found) > PAGE)})


@routes.get("/tournaments/{id}/games/{n}", response_model=models.TournamentGameView)
def tournament_game(id: str, n: int, house: TheHouse) -> JSONResponse:
    """One game, to replay."""
    database, one = _found(house, id)
    if not 0 <= n < 2**31:
        raise not_found("game")
    game = _known(lambda: arena.game(database, one.id, n))
    moves = [str(move) for move in game.record.moves]
    return reply(_game(game.row) | {"moves": moves, "start": game.record.start.text, "record": game.text})


def _known(find: Callable[[], Any]) -> Any:
    try:
        return find()
    except (ArenaError, StoreError):
        raise not_found("game or player") from None
