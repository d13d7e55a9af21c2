"""The lobby: open challenges and public games, for whoever looks."""

import asyncio
import json
import logging
import time
from typing import Any

from sqlalchemy.orm import Session

from metatac.errors import StoreError
from metatac.server import game_views
from metatac.server.desk import Desk
from metatac.server.rooms import Socket
from metatac.store.games import open_games, running_games

SHOWN = 50
SOON = 0.2
"""Seconds in which changes are gathered."""

_log = logging.getLogger(__name__)


class Lobby:
    """The sockets that watch the lobby at this worker."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.sockets: set[Socket] = set()
        self._due: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None

    def changed(self) -> None:
        if self.sockets and self._due is None:
            self._due = asyncio.get_running_loop().call_later(SOON, self._show_soon)

    def _show_soon(self) -> None:
        self._due = None
        self._task = asyncio.get_running_loop().create_task(self._show())

    async def _show(self) -> None:
        try:
            found = await self._desk.read(read_lobby)
        except StoreError as error:  # whoever watches keeps what he has until the next change
            _log.error("%s", error)
            return
        for socket in self.sockets:
            socket.send(json.dumps({"type": "lobby"} | lobby_view(found, socket.visitor)), "lobby")

    async def view(self, visitor: str) -> dict[str, Any]:
        return lobby_view(await self._desk.read(read_lobby), visitor)

    async def stop(self) -> None:
        if self._due is not None:
            self._due.cancel()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)


def read_lobby(session: Session) -> tuple[list[Any], list[Any]]:
    return open_games(session, SHOWN), running_games(session, SHOWN)


def lobby_view(found: tuple[list[Any], list[Any]], visitor: str) -> dict[str, Any]:
    now, (waiting, playing) = time.time(), found
    return {
        "open": [game_views.challenge(game, now) | {"yours": game.owner == visitor} for game in waiting],
        "playing": [game_views.summary(game, visitor, now) for game in playing],
    }
