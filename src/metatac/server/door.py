"""Where connections come in: who does not say what he wants is shown out.

Uvicorn waits for ever for the rest of a request's head, and takes one of any length. Everything behind the head has
limits of its own in ``gate``.
"""

import asyncio
import time
from collections import OrderedDict
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

HEAD_SECONDS = 10.0
"""How long a request's head may take to arrive, from the connection's or the head's beginning."""
HEAD_BYTES = 64 * 1024
SILENT, GRACE = 100, 1.0
"""Connections of one address that may be silent at a time. When there are more, the one that has been so longest is
closed, but not in its first second: a whole class may come at once."""

_silent: dict[str, "OrderedDict[Door, float]"] = {}
"""The connections of each address that have not said what they want, and since when."""


class Door(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """Uvicorn's reader of requests, with a limit to its patience."""

    _timer: asyncio.TimerHandle | None = None
    _unsaid = 0
    """Bytes of a head that is not complete."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._listen()

    def data_received(self, data: bytes) -> None:
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

    def handle_websocket_upgrade(self, *arguments: Any) -> None:
        self._understood()
        super().handle_websocket_upgrade(*arguments)

    def connection_lost(self, exc: Exception | None) -> None:
        self._understood()
        super().connection_lost(exc)

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

    def _show_out(self) -> None:
        self._understood()
        self.transport.abort()

    @property
    def _address(self) -> str:
        return self.client[0] if self.client else ""
