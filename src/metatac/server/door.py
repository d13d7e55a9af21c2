"""Where connections come in: who does not say what he wants, or does not take it, is shown out.

Uvicorn waits for ever for the rest of a request's head, takes one of any length, and waits for ever for an answer to be
taken. Everything between has limits of its own in ``gate``.
"""

import asyncio
import sys
import time
from collections import OrderedDict
from collections.abc import MutableMapping
from functools import cache
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol
from uvicorn.protocols.websockets.auto import AutoWebSocketsProtocol

HEAD_SECONDS = 10.0
"""How long a request's head may take to arrive, from the connection's or the head's beginning."""
HEAD_BYTES = 64 * 1024
TAKE_SECONDS = 30.0
"""How long what was sent of an answer may take to be taken, before more of it is sent or the connection is closed."""
SILENT, GRACE = 100, 1.0
"""Connections of one address that may be silent at a time. When there are more, the one that has been so longest is
closed, but not in its first second: a whole class may come at once."""
SPARED = 200
"""Files that are kept for other things than connections, where the system allows only so many."""

_silent: dict[str, "OrderedDict[Door, float]"] = {}
"""The connections of each address that have not said what they want, and since when."""
_idle: "OrderedDict[Door, None]" = OrderedDict()
"""Those that were answered, and may have another wish; the one that has been so longest first."""


class Door(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """Uvicorn's reader of requests, with a limit to its patience."""

    _timer: asyncio.TimerHandle | None = None
    _taking: asyncio.TimerHandle | None = None
    _unsaid = 0
    """Bytes of a head that is not complete."""
    _begun = False
    """Whether there is one."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._listen()
        if len(self.connections) > room():
            _make_room()

    def data_received(self, data: bytes) -> None:
        _idle.pop(self, None)
        super().data_received(data)
        if self.transport.is_closing() or self.transport.get_protocol() is not self:
            return
        if self.cycle is not None and not self.cycle.response_complete:
            self._understood()
            return
        self._unsaid += len(data)
        if self._unsaid > HEAD_BYTES:
            self._show_out()
        elif self._timer is None:
            self._listen()

    def on_message_begin(self) -> None:
        self._begun = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._begun = False
        super().on_headers_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.transport.is_closing():
            self._hurry()
        elif self._begun and self._timer is None:  # the next one, before this was answered
            self._listen()
        elif self.timeout_keep_alive_task is not None:
            _idle[self] = None

    def handle_websocket_upgrade(self, *arguments: Any) -> None:
        self._understood()
        super().handle_websocket_upgrade(*arguments)

    def timeout_keep_alive_handler(self) -> None:
        self._show_out()  # who has not taken the last answer by now, too

    def pause_writing(self) -> None:
        super().pause_writing()
        self._hurry()

    def resume_writing(self) -> None:
        super().resume_writing()
        # A connection that is to be closed has a rest to be taken yet.
        (self._hurry if self.transport.is_closing() else self._taken)()

    def connection_lost(self, exc: Exception | None) -> None:
        _idle.pop(self, None)
        self._understood()
        super().connection_lost(exc)
        self._taken()

    def shutdown(self) -> None:
        _close(self.app_state)
        super().shutdown()

    def _listen(self) -> None:
        self._timer = self.loop.call_later(HEAD_SECONDS, self._show_out)
        now = time.monotonic()
        others = _silent.setdefault(self._address, OrderedDict())
        others[self] = now
        if len(others) > SILENT:
            eldest, since = next(iter(others.items()))
            if now - since > GRACE:
                eldest._show_out()

    def _understood(self) -> None:
        self._unsaid = 0
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
            others = _silent[self._address]
            del others[self]
            if not others:
                del _silent[self._address]

    def _hurry(self) -> None:
        self._taken()
        self._taking = self.loop.call_later(TAKE_SECONDS, self._show_out)

    def _taken(self) -> None:
        if self._taking is not None:
            self._taking.cancel()
            self._taking = None

    def _show_out(self) -> None:
        _idle.pop(self, None)
        self._understood()
        self.connections.discard(self)  # its place is free from now on
        self.transport.abort()

    @property
    def _address(self) -> str:
        return self.client[0] if self.client else ""


class Corridor(AutoWebSocketsProtocol):  # type: ignore[misc, valid-type]
    """Uvicorn's websocket."""

    def shutdown(self) -> None:
        _close(self.app_state)
        super().shutdown()


@cache
def room() -> int:
    """How many connections there may be at a time."""
    if sys.platform == "win32":
        return sys.maxsize
    import resource

    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return sys.maxsize if files == resource.RLIM_INFINITY else max(files - SPARED, files // 2)


def _make_room() -> None:
    """Show out who is here longest for nothing: that may be who has only just come."""
    if _idle:
        next(iter(_idle))._show_out()
        return
    longest = min(_silent.values(), key=lambda others: next(iter(others.values())), default=None)
    if longest is not None:
        next(iter(longest))._show_out()


def _close(state: MutableMapping[str, Any]) -> None:
    """Everybody is being shown out: from now on nobody's clock runs."""
    house = state["house"]
    house.closed = house.closed or time.time()
