"""Analysis: of a position live over a websocket, of a whole game as a job that is asked about."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

from fastapi import APIRouter, Request, WebSocket
from starlette.responses import JSONResponse

from metatac.errors import MetatacError
from metatac.match import record_of
from metatac.server import models
from metatac.server.engines import EngineFailed, Job, Pool
from metatac.server.house import House
from metatac.server.positions import read_position
from metatac.server.refusals import Refusal
from metatac.server.rooms import Socket
from metatac.server.sockets import converse, opened
from metatac.server.study_api import first_record
from metatac.server.web import TheHouse, Visitor, reply, router

routes = router()
socket_routes = APIRouter(prefix="/api")

SECONDS = 10.0
"""For one position."""
PATIENCE = 30.0
"""Seconds that it may be late before its process counts as stuck."""


class LiveAnalysis:
    """The analysis of one socket: a new request takes the place of the old one."""

    def __init__(self, socket: Socket, pool: Pool) -> None:
        self._socket, self._pool = socket, pool
        self._job: Job | None = None
        self._task: asyncio.Task[None] | None = None

    async def handle(self, message: dict[str, Any]) -> None:
        if message["type"] not in ("analyse", "stop"):
            raise Refusal("analyse or stop is wanted.")
        self.stop()
        if message["type"] == "stop":
            return
        id, lines, text = message.get("id", 0), message.get("lines", 3), message.get("position")
        if not isinstance(id, int) or not isinstance(lines, int) or not 1 <= lines <= 20 or not isinstance(text, str):
            raise Refusal("position is a text, lines a number from 1 to 20, id a number.")
        try:
            position = read_position(text)
        except MetatacError as error:
            raise Refusal(str(error)) from error
        request = {"do": "analyse", "position": position.text, "lines": lines, "seconds": SECONDS}

        def update(analysis: dict[str, Any], done: bool = False) -> None:
            told = json.dumps({"type": "analysis", "id": id, "done": done, "analysis": analysis})
            self._socket.send(told, "analysis")

        self._job = job = Job(self._socket.visitor, request, SECONDS + PATIENCE, update)
        self._pool.submit(job)
        place = self._pool.place(job)
        if place:
            self._socket.tell(type="queued", place=place, id=id)
        self._task = asyncio.create_task(self._finish(job, id, lambda found: update(found, True)))

    async def _finish(self, job: Job, id: int, show: Callable[[dict[str, Any]], None]) -> None:
        try:
            show(await job.answer)
        except EngineFailed as error:
            self._socket.tell(type="error", message=str(error), code="engine_failed", id=id)

    def stop(self) -> None:
        if self._job is not None:
            self._job.answer.cancel()
        if self._task is not None:
            self._task.cancel()
        self._job = self._task = None


@socket_routes.websocket("/analysis/socket")
async def analysis_socket(websocket: WebSocket) -> None:
    house: House = websocket.app.state.house
    socket = await opened(websocket)
    analysis = LiveAnalysis(socket, house.pool)
    try:
        await converse(socket, house, analysis.handle)
    finally:
        analysis.stop()


# -- whole games


@routes.post("/analysis/game", status_code=202, response_model=models.JobMade)
async def analyse_game(
    body: models.GameAnalysis, request: Request, visitor: Visitor, house: TheHouse
) -> JSONResponse:
    """Have every move of a game judged."""
    if (body.record is None) == (body.game_id is None):
        raise Refusal("One of record and game_id is wanted.")
    if body.game_id is not None:
        game = await house.game(body.game_id)
        if game.stored.phase == "running":
            raise Refusal("The game is being played: no help before its end.", "conflict", 409)
        record = await asyncio.to_thread(record_of, game.match)
    else:
        record = await asyncio.to_thread(first_record, body.record or "")
    if len(record.moves) > models.MOST_PLIES:
        raise Refusal(f"A game of more than {models.MOST_PLIES} moves is too long for this.")
    return reply({"job": await request.app.state.studies.begin(visitor, record)}, 202)


@routes.get("/analysis/game/{job}", response_model=models.JobView)
async def game_analysis(job: models.Text, request: Request) -> JSONResponse:
    """How far an analysis has come, and what it has found."""
    return reply(await request.app.state.studies.view(job[:40]))
