"""Analysis: of a position live over a websocket, of a whole game as a job that is asked about."""

import asyncio
import json
import secrets
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from fastapi import APIRouter, WebSocket
from starlette.responses import JSONResponse

from metatac.errors import MetatacError
from metatac.match import record_of
from metatac.notation import Record
from metatac.server import models
from metatac.server.engines import EngineFailed, Job, Pool
from metatac.server.house import House
from metatac.server.positions import read_position
from metatac.server.refusals import Refusal, not_found
from metatac.server.rooms import Socket
from metatac.server.sockets import converse, opened
from metatac.server.study_api import first_record
from metatac.server.web import TheHouse, Visitor, reply, router

routes = router()
socket_routes = APIRouter(prefix="/api")

SECONDS = 10.0
"""For one position."""
PATIENCE, EACH = 30.0, 2.0
"""Seconds that a job may be late, and that each move of a game may take, before its process counts as stuck."""
MOST_PLIES = 1000
KEPT = 500
"""Analyses of games that are remembered."""


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


class GameJob:
    """The analysis of one game."""

    def __init__(self, visitor: str, record: Record) -> None:
        self.of = len(record.moves)
        self._plies: dict[int, dict[str, Any]] = {}
        request = {"do": "record", "record": record.to_json()}
        self.job = Job(visitor, request, PATIENCE + EACH * (self.of + 1), self._update)

    def _update(self, ply: dict[str, Any]) -> None:
        self._plies[ply["ply"]] = ply

    def view(self) -> dict[str, Any]:
        answer, error, accuracy = self.job.answer, None, None
        state = "queued" if self.job.began is None else "running"
        if answer.done():
            state = "failed" if answer.cancelled() or answer.exception() is not None else "done"
            if state == "done":
                accuracy = answer.result()["accuracy"]
            else:
                error = "it was stopped" if answer.cancelled() else str(answer.exception())
        plies = [self._plies[number] for number in sorted(self._plies)]
        progress = {"state": state, "done": len(plies), "of": self.of}
        return progress | {"plies": plies, "accuracy": accuracy, "error": error}


@routes.post("/analysis/game", status_code=202, response_model=models.JobMade)
async def analyse_game(body: models.GameAnalysis, visitor: Visitor, house: TheHouse) -> JSONResponse:
    """Have every move of a game judged."""
    if (body.record is None) == (body.game_id is None):
        raise Refusal("One of record and game_id is wanted.")
    if body.game_id is not None:
        game = await house.game(body.game_id)
        if game.stored.phase == "running":
            raise Refusal("The game is being played: no help before its end.", "conflict", 409)
        record = record_of(game.match)
    else:
        record = await asyncio.to_thread(first_record, body.record or "")
    if len(record.moves) > MOST_PLIES:
        raise Refusal(f"A game of more than {MOST_PLIES} moves is too long for this.")
    made = GameJob(visitor, record)
    house.pool.submit(made.job)
    made.job.answer.add_done_callback(lambda answer: answer.cancelled() or answer.exception())
    id = secrets.token_urlsafe(12)
    house.jobs[id] = made
    while len(house.jobs) > KEPT:
        house.jobs.popitem(last=False)
    return reply({"job": id}, 202)


@routes.get("/analysis/game/{job}", response_model=models.JobView)
async def game_analysis(job: str, house: TheHouse) -> JSONResponse:
    """How far an analysis has come, and what it has found."""
    jobs: OrderedDict[str, GameJob] = house.jobs
    if job not in jobs:
        raise not_found("analysis")
    return reply(jobs[job].view())
