"""Websockets of games and of the lobby. The reader of each is here; what is sent goes through ``rooms.Socket``."""

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any

from fastapi import APIRouter, WebSocket
from starlette.websockets import WebSocketDisconnect

from metatac.errors import StoreError
from metatac.server import decisions
from metatac.server.decisions import Deed, IllegalDeed
from metatac.server.house import House
from metatac.server.limits import Rates
from metatac.server.models import storable
from metatac.server.refusals import Refusal, out_of_order
from metatac.server.rooms import Socket
from metatac.server.settings import MAX_MESSAGE

routes = APIRouter(prefix="/api")

_log = logging.getLogger(__name__)

Handle = Callable[[dict[str, Any]], Awaitable[None]]


async def converse(socket: Socket, house: House, handle: Handle) -> None:
    """Read messages until the other end goes away or says what nobody can understand.

    What was begun for a message is done to its end: a move that is saved must be told, and answered.
    """
    rates, handling = Rates(house.settings.messages_per_second), asyncio.Lock()
    sender = asyncio.create_task(socket.deliver())
    reader = asyncio.create_task(_read(socket, rates, handle, handling))
    try:
        await asyncio.wait({sender, reader}, return_when=asyncio.FIRST_COMPLETED)
        if not sender.done():
            socket.close(1000, "")
            await asyncio.wait({sender}, timeout=5)
    finally:
        sender.cancel()
        async with handling:
            reader.cancel()
        results = await asyncio.gather(sender, reader, return_exceptions=True)
        for result in results:
            if isinstance(result, Exception) and not isinstance(result, asyncio.CancelledError):
                raise result


async def _read(socket: Socket, rates: Rates, handle: Handle, handling: asyncio.Lock) -> None:
    while True:
        try:
            received = await socket.websocket.receive()
        except (WebSocketDisconnect, RuntimeError):
            return
        if received["type"] == "websocket.disconnect":
            return
        text = received.get("text")
        if text is None or len(text) > MAX_MESSAGE:
            socket.close(1009 if text else 1003, "text of at most 16 kB is wanted")
            return
        if not rates.take(""):
            socket.tell(type="error", message="That is too much at once.", code="too_many")
            socket.close(1008, "too many messages")
            return
        async with handling:
            await _handle(socket, text, handle)


async def _handle(socket: Socket, text: str, handle: Handle) -> None:
    try:
        message = json.loads(text)
        if not isinstance(message, dict) or not isinstance(message.get("type"), str):
            raise ValueError
    except (ValueError, RecursionError):
        socket.tell(type="error", message="A JSON object with a type is wanted.", code="invalid")
        return
    if message["type"] == "ping":
        moment = message.get("t")
        socket.tell(type="pong", t=moment if isinstance(moment, int | float) else None)
    elif message["type"] == "pong":
        socket.pong(message.get("t"))
    else:
        try:
            await handle(message)
        except IllegalDeed as refusal:
            socket.tell(type="refused", message=refusal.message, move=refusal.move)
        except Refusal as refusal:
            socket.tell(type="error", message=refusal.message, code=refusal.code)
        except StoreError as error:
            _log.error("%s", error)
            sorry = out_of_order()
            socket.tell(type="error", message=sorry.message, code=sorry.code)


def deed_of(message: dict[str, Any], lag: float) -> Deed:
    """A message as a deed; a Refusal names what is wrong with it."""
    kind, seat, move = message["type"], message.get("seat"), message.get("move", "")
    version, what = message.get("version"), message.get("what", "win")
    if kind not in decisions.DEEDS:
        raise Refusal(f"{kind[:40]!r} is nothing that can be done with a game.")
    if seat not in (None, "X", "O"):
        raise Refusal("seat is X or O.")
    if not isinstance(move, str) or len(move) > 200:
        raise Refusal("move is a text of a few letters.")
    if version is not None and (not isinstance(version, int) or isinstance(version, bool)):
        raise Refusal("version is a whole number.")
    if what not in ("win", "draw"):
        raise Refusal("what is win or draw.")
    try:
        return Deed(kind, seat, storable(move), version, what, lag)
    except ValueError as error:
        raise Refusal(f"move: {error}") from None


async def opened(websocket: WebSocket) -> Socket:
    await websocket.accept()
    return Socket(websocket, websocket.state.visitor, websocket.state.address)


@routes.websocket("/games/{id}/socket")
async def game_socket(websocket: WebSocket, id: str) -> None:
    house: House = websocket.app.state.house
    metrics = websocket.app.state.metrics
    socket = await opened(websocket)
    if not (id.isascii() and id.isalnum() and len(id) <= 32):
        await websocket.close(4404, "no such game")
        return
    try:
        room = await house.enter(id, socket)
    except Refusal as refusal:
        await websocket.send_json({"type": "error", "message": refusal.message, "code": refusal.code})
        await websocket.close(4404, "no such game")
        return
    except StoreError as error:
        _log.error("%s", error)
        await websocket.close(1013, "try again later")
        return
    socket.ping()

    async def handle(message: dict[str, Any]) -> None:
        arrived = time.perf_counter()
        deed = deed_of(message, socket.lag)
        if deed.kind == "claim":  # what was told of the other may be old
            await house.refresh_presence([id])
        await house.change(id, lambda game, now: decisions.act(game, socket.visitor, deed, room.presence, now))
        if deed.kind == "move":
            metrics.move_seconds.add(time.perf_counter() - arrived)

    try:
        await converse(socket, house, handle)
    finally:
        # Not waited for: while the database is away whoever comes and goes would seem to stay.
        house.spawn(house.leave(id, room, socket))


@routes.websocket("/lobby/socket")
async def lobby_socket(websocket: WebSocket) -> None:
    house: House = websocket.app.state.house
    socket = await opened(websocket)

    async def handle(message: dict[str, Any]) -> None:
        raise Refusal("The lobby only listens to pings.")

    house.lobby.sockets.add(socket)
    try:
        try:
            view = await house.lobby.view(socket.visitor)
        except StoreError as error:
            _log.error("%s", error)
            await websocket.close(1013, "try again later")
            return
        socket.send(json.dumps({"type": "lobby"} | view), "lobby")
        await converse(socket, house, handle)
    finally:
        house.lobby.sockets.discard(socket)
