"""Games over HTTP: to make, look at, join, delete and download them; and who one is."""

import asyncio
import time
from secrets import choice
from typing import Annotated, Any, Literal

from fastapi import Query, Request, Response
from starlette.responses import JSONResponse

from metatac.game import start
from metatac.match import TimeControl, record_of
from metatac.rules import RuleSet, preset_names
from metatac.server import decisions, game_views, models
from metatac.server.exports import exported
from metatac.server.house import House
from metatac.server.identity import guest_name
from metatac.server.positions import pasted_rules, read_position, rules_named
from metatac.server.refusals import Refusal, not_found
from metatac.server.web import TheHouse, Visitor, base_url, reply, router
from metatac.store.games import games_of, name_of, presence_in, search_games, set_name

routes = router()
MINE = 50
CUSTOM = "custom"
"""The name of a game whose rules were pasted: their title may be that of another."""


@routes.get("/me", response_model=models.Me)
async def me(visitor: Visitor, house: TheHouse) -> JSONResponse:
    """Who I am here, and my games."""
    name, games = await house.desk.read(lambda session: (name_of(session, visitor), games_of(session, visitor, MINE)))
    now = time.time()
    mine = [game_views.summary(game, visitor, now) for game in games]
    mine.sort(key=lambda game: not game["your_turn"])
    return reply({"name": name or guest_name(visitor), "games": mine})


@routes.put("/me", response_model=models.Me)
async def rename(body: models.NameChange, visitor: Visitor, house: TheHouse) -> JSONResponse:
    """Say what to call me; games that I sit at already keep the name I had."""
    await house.desk.write(lambda session: set_name(session, visitor, body.name, time.time()))
    return await me(visitor, house)


@routes.post("/games", status_code=201, response_model=models.GameMade)
async def create(body: models.NewGame, request: Request, visitor: Visitor, house: TheHouse) -> JSONResponse:
    """Begin a game, or offer one."""
    game, token = await house.create(_wish(body), visitor)
    base, id = base_url(request), game.stored.id
    made = {"id": id, "url": f"{base}/game/{id}"}
    if token is not None:
        made["invite"] = f"{base}/join/{id}/{token}"
    return reply(made, 201)


def _wish(body: models.NewGame) -> decisions.Wish:
    """A request as a wish, everything in it checked."""
    if sum(given is not None for given in (body.game, body.toml)) != 1 and body.position is None:
        raise Refusal("Name a game, or paste rules: one of game and toml is wanted.")
    if body.position is not None:
        first = read_position(body.position)
    elif body.toml is not None:
        first = start(pasted_rules(body.toml))
    else:
        first = start(rules_named(body.game or "", body.options))
    if first.outcome is not None:
        raise Refusal(f"The game is over in this position: {first.outcome}.")
    if body.time != "game":
        TimeControl.parse(body.time)
    private = body.opponent in ("friend", "self") if body.private is None else body.private
    levels = [str(level) for level in body.levels or [body.level or 5] * 2]
    return decisions.Wish(
        start=first,
        name=_name(body, first.rules),
        options=body.options,
        opponent=body.opponent,
        side=body.side,
        time=body.time,
        private=private,
        levels=(levels[0], levels[1]),
    )


def _name(body: models.NewGame, rules: RuleSet) -> str:
    """A position may be of other rules than the game that is named beside it, and needs none beside it."""
    name = body.game or rules.name
    return name if name in preset_names() and rules == rules_named(name, body.options) else CUSTOM


async def game_data(house: House, id: str, visitor: str) -> dict[str, Any]:
    game = await house.game(id)
    presence = await house.desk.read(lambda session: presence_in(session, id))
    passing = game_views.passing(game, presence, time.time())
    lasting = game_views.lasting(game) | {"moves": game_views.moves(game.match)}
    return lasting | passing | {"you": game_views.you(game, visitor)}


@routes.get("/games/{id}", response_model=models.Game)
async def look(id: str, visitor: Visitor, house: TheHouse) -> JSONResponse:
    """A game as it is now."""
    return reply(await game_data(house, _checked(id), visitor))


@routes.post("/games/{id}/join", response_model=models.Game)
async def join(id: str, body: models.Join, visitor: Visitor, house: TheHouse) -> JSONResponse:
    """Take the free seat; the secret of the invitation is wanted where there is one."""
    name, coin = await house.name(visitor), choice(decisions.SEATS)
    await house.change(
        _checked(id), lambda game, now: decisions.join(game, visitor, name, body.token, coin, now)
    )
    return reply(await game_data(house, id, visitor))


@routes.post("/games/{id}/delete", response_model=models.Done)
async def delete(id: str, visitor: Visitor, house: TheHouse) -> JSONResponse:
    """Delete a game of mine that is over or has not begun."""
    await house.delete(_checked(id), visitor)
    return reply({"ok": True})


Format = Literal["txt", "json", "svg", "film", "html"]


@routes.get("/games/{id}/record", response_class=Response)
async def record(id: str, house: TheHouse, format: Format = "txt") -> Response:
    """Download the game."""
    game = await house.game(_checked(id))
    date = time.strftime("%Y.%m.%d", time.gmtime(game.stored.created))
    kept = await asyncio.to_thread(record_of, game.match, {"Site": "metatac", "Date": date})
    return await asyncio.to_thread(exported, kept, format, f"metatac-{id}")


@routes.get("/lobby", response_model=models.LobbyView)
async def lobby(visitor: Visitor, house: TheHouse) -> JSONResponse:
    """Open challenges, and public games that are being played."""
    return reply(await house.lobby.view(visitor))


Word = Annotated[models.Text, Query(max_length=64)]


@routes.get("/archive", response_model=models.Archive)
async def archive(
    visitor: Visitor,
    house: TheHouse,
    game: Word = "",
    player: Word = "",
    result: Word = "",
    reason: Word = "",
    before: Word = "",
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> JSONResponse:
    """Finished games, public ones and my own, the newest first; ``before`` is the ``next`` of the page before."""
    moment, _, last = before.partition("-")
    cursor = None
    if before:
        try:
            cursor = (float.fromhex(moment), last)
        except (ValueError, OverflowError):
            raise Refusal("before is not what an earlier page gave as next.") from None
    found = await house.desk.read(
        lambda session: search_games(
            session, visitor, game=game, player=player, result=result, reason=reason, before=cursor, limit=limit + 1
        )
    )
    now, shown = time.time(), found[:limit]
    following = f"{shown[-1].updated.hex()}-{shown[-1].id}" if len(found) > limit else None
    return reply({"games": [game_views.summary(one, visitor, now) for one in shown], "next": following})


def _checked(id: str) -> str:
    if not (id.isascii() and id.isalnum() and len(id) <= 32):
        raise not_found("game")
    return id
