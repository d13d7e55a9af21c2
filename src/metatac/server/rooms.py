"""Who watches what at this worker: the sockets of a game, and what is sent to them."""

import asyncio
import contextlib
import json
import time
from collections import deque
from collections.abc import Callable
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from metatac.match import Ply
from metatac.server import game_views
from metatac.server.decisions import Live
from metatac.store.games import Presence

MOST_WAITING = 50
"""Messages that may wait for a slow reader; then it is dropped, and comes back to the whole game."""
MOST_LAG = 1.0
"""Seconds of a move that are never charged, at most, however long its way was."""

_json = json.JSONEncoder(separators=(",", ":")).encode


class Socket:
    """One connection: what is sent goes through a queue of its own, so that a slow reader keeps nobody waiting."""

    def __init__(self, websocket: WebSocket, visitor: str, address: str = "") -> None:
        self.websocket, self.visitor, self.address = websocket, visitor, address
        self.lag = 0.0
        self._pings: dict[int, float] = {}
        self._ping_number = 0
        self._waiting: deque[tuple[str, str]] = deque()
        self._news = asyncio.Event()
        self._closing: tuple[int, str] | None = None

    def send(self, text: str, kind: str = "") -> None:
        """Queue a message; of a kind that replaces itself only the latest is kept."""
        if kind:
            self._waiting = deque(item for item in self._waiting if item[0] != kind)
        self._waiting.append((kind, text))
        if len(self._waiting) > MOST_WAITING:
            self.close(1013, "too slow")  # not 1008, after which nobody comes back
        self._news.set()

    def tell(self, **message: Any) -> None:
        self.send(json.dumps(message))

    def close(self, code: int, reason: str) -> None:
        self._closing = self._closing or (code, reason)
        self._news.set()

    async def deliver(self) -> None:
        """Send what is queued until the socket closes."""
        # The reader notices as well when the other end is gone; whoever does first ends both.
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while True:
                await self._news.wait()
                self._news.clear()
                while self._waiting:
                    await self.websocket.send_text(self._waiting.popleft()[1])
                if self._closing is not None:
                    if self.websocket.application_state is WebSocketState.CONNECTED:
                        await self.websocket.close(*self._closing)
                    return

    # -- how long the way is

    def ping(self) -> None:
        self._ping_number += 1
        self._pings = {self._ping_number: time.monotonic()}
        self.tell(type="ping", t=self._ping_number)

    def pong(self, number: object) -> None:
        sent = self._pings.pop(number, None) if isinstance(number, int) else None
        if sent is not None:
            way = min(MOST_LAG, time.monotonic() - sent)
            self.lag = way if not self.lag else 0.5 * self.lag + 0.5 * way


class Room:
    """A game that somebody has open at this worker."""

    def __init__(self, game: Live) -> None:
        self.game = game
        self.presence: dict[str, Presence] = {}
        self._asked = 0
        self.sockets: set[Socket] = set()
        self.noted: set[str] = set()
        """The visitors of whom the database knows that they are here, at this worker."""
        self.leaving: set[str] = set()
        """The visitors of whom the database is about to be told that they went."""
        self.lock = asyncio.Lock()
        """Held while presence is written, so that who comes and goes is written in order."""
        self.timer: asyncio.TimerHandle | None = None
        self._lasting: tuple[int, str] = (0, "")
        self._told: tuple[Ply, ...] = ()
        self._moves: list[str] = []

    def count(self, visitor: str) -> int:
        return sum(socket.visitor == visitor for socket in self.sockets)

    def lasting(self) -> str:
        """The lasting part of the message, without its braces."""
        version = self.game.stored.version
        if self._lasting[0] != version:
            text = f'{_json(game_views.lasting(self.game))[1:-1]},"moves":[{",".join(self._all_moves())}]'
            self._lasting = (version, text)
        return self._lasting[1]

    def _all_moves(self) -> list[str]:
        """Each move as JSON: of a long game only the last is new."""
        match, told = self.game.match, self._told
        same = len(told) if match.plies[: len(told)] == told else 0
        self._moves[same:] = map(_json, game_views.moves(match, same))
        self._told = match.plies
        return self._moves

    def message(self, now: float) -> Callable[[str], str]:
        """The whole game for whoever: only ``you`` differs."""
        passing = _json(game_views.passing(self.game, self.presence, now))[1:-1]
        head = f'{{"type":"game","game":{{{self.lasting()},{passing},"you":'
        return lambda visitor: f"{head}{json.dumps(game_views.you(self.game, visitor))}}}}}"

    def show(self, game: Live, now: float) -> None:
        """Send the game to everybody, if it is news."""
        if game.stored.version <= self.game.stored.version:
            return
        self.game = game
        message = self.message(now)
        for socket in self.sockets:
            socket.send(message(socket.visitor), "game")

    def show_presence(self, presence: dict[str, Presence], asked: int, now: float) -> None:
        """Send who is here to everybody, if what was asked later is not known yet."""
        if asked < self._asked:
            return
        self.presence, self._asked = presence, asked
        text = json.dumps({"type": "presence"} | game_views.here(self.game, presence, now))
        for socket in self.sockets:
            socket.send(text, "presence")

    def lag_of(self, visitor: str | None) -> float:
        """What a visitor's move may be forgiven; as much as can be, where he is not connected here."""
        lags = [socket.lag for socket in self.sockets if socket.visitor == visitor]
        return max(lags, default=MOST_LAG)
