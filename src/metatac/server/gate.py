"""What every request passes on its way in and out: limits, origin, identity, headers, and one line in the log."""

import asyncio
import contextlib
import json
import logging
import time
from collections import Counter
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie
from math import ceil
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from metatac.server.identity import COOKIE, YEAR, Signer
from metatac.server.limits import Rates, Sockets, Turns
from metatac.server.metrics import Metrics
from metatac.server.settings import MAX_BODY, MAX_IMPORT, Settings

CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = [
    (b"content-security-policy", CSP.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
]
BODY_SECONDS = 20.0
"""How long a request's body may take to arrive."""
UNREAD, UNREAD_SECONDS = 4 * 1024 * 1024, 5.0
"""How much of a request that is refused is read, and for how long: who has not finished speaking hears no answer, only
that the connection was reset."""
SAFE = ("GET", "HEAD", "OPTIONS")
LARGE = ("/api/records/import", "/api/records/export", "/api/analysis/game")
HEAVY = ("/api/positions", "/api/records", "/api/rules", "/api/analysis/game", "/api/tournaments", "/api/archive")
"""What is worked out or searched for rather than looked up; files of games are, too."""
TOGETHER, WAITING = 1, 20
PIECE = 256 * 1024
"""Bytes of an answer that go out at a time; the door is patient with each of these pieces."""
UNTAKEN = 64 * 1024 * 1024
"""Bytes of answers that one address may leave untaken before it has others worked out."""
TOO_MUCH = (429, "That is too much at once; wait a moment.", "too_many")
UNSIGNED = ("/healthz", "/metrics")
STATIC_COST = 0.1
"""What a file of the client counts, beside a request of the API: a page consists of thirty."""
LOOPBACK = ("127.0.0.1", "localhost", "::1")

_log = logging.getLogger("metatac.server.access")


class Gate:
    """The outermost layer of the application."""

    def __init__(self, app: ASGIApp, settings: Settings, signer: Signer, metrics: Metrics) -> None:
        self._app, self._settings, self._signer, self._metrics = app, settings, signer, metrics
        rate = settings.share(settings.requests_per_second)
        self._visitors, self._addresses = Rates(rate), Rates(rate * 5)
        self._turns = Turns(TOGETHER, WAITING)
        self._untaken: Counter[str] = Counter()
        self.sockets = Sockets(
            ceil(settings.share(settings.sockets_per_visitor)), ceil(settings.share(settings.sockets_per_address))
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        else:
            visit = _Visit(scope, self._signer, self._settings)
            await (self._http if scope["type"] == "http" else self._websocket)(visit, receive, send)

    # -- HTTP

    async def _http(self, visit: "_Visit", receive: Receive, send: Send) -> None:
        began, status = time.perf_counter(), 500

        async def out(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = visit.headers(message.get("headers", ()))
            await self._hand_out(visit.address, message, send)

        try:
            refusal = self._refused(visit)
            if refusal is None:
                await self._pass(visit, receive, out)
            else:
                await _refuse(visit, receive, out, *refusal)
        finally:
            self._note(visit, status, time.perf_counter() - began)

    def _refused(self, visit: "_Visit") -> tuple[int, str, str] | None:
        if not visit.host_is_ours():
            return 400, "This server is not called by that name.", "bad_host"
        if visit.method not in SAFE and not visit.origin_is_ours():
            return 403, "This request comes from another site.", "cross_origin"
        if not self._affordable(visit):
            return TOO_MUCH
        return None

    def _affordable(self, visit: "_Visit") -> bool:
        # A new visitor is anybody: only the address counts.
        cost = STATIC_COST if visit.path.startswith("/static/") else 1.0
        known = visit.new or self._visitors.take(visit.visitor, cost)
        return self._addresses.take(visit.address, cost) and known

    async def _pass(self, visit: "_Visit", receive: Receive, send: Send) -> None:
        if visit.method in SAFE:
            await self._work(visit, receive, send)
            return
        most = MAX_IMPORT if visit.path in LARGE else MAX_BODY
        try:
            async with asyncio.timeout(BODY_SECONDS):
                body = await _read(visit, receive, most)
        except TimeoutError:
            await _answer(send, 408, "The request took too long to arrive.", "timeout", close=True)
            return
        if body is None:
            await _refuse(visit, receive, send, 413, f"The request is larger than {most} bytes.", "too_large")
            return
        given = False

        async def replay() -> Message:
            nonlocal given
            if given:
                return await receive()
            given = True
            return {"type": "http.request", "body": body, "more_body": False}

        await self._work(visit, replay, send)

    async def _work(self, visit: "_Visit", receive: Receive, send: Send) -> None:
        """Have it answered; what keeps the processor waits for its turn, and for who asks to take what he has."""
        if not visit.heavy:
            await self._app(visit.scope, receive, send)
            return
        key = visit.address if visit.new else visit.visitor
        if not await self._turns.take(key):
            await _answer(send, *TOO_MUCH)
            return
        working = True

        def done() -> None:
            nonlocal working
            if working:
                working = False
                self._turns.done()

        async def out(message: Message) -> None:
            done()
            await send(message)

        try:
            if self._untaken[visit.address] > UNTAKEN:
                await _answer(out, *TOO_MUCH)
            else:
                await self._app(visit.scope, receive, out)
        finally:
            done()
            self._turns.leave(key)

    async def _hand_out(self, address: str, message: Message, send: Send) -> None:
        """Send a message; a long answer piece by piece, as it is taken, so that whoever takes nothing is noticed."""
        body: bytes = message.get("body", b"")
        self._untaken[address] += len(body)
        try:
            sent = 0
            while len(body) - sent > PIECE:
                await send({"type": message["type"], "body": body[sent : sent + PIECE], "more_body": True})
                sent += PIECE
            await send({**message, "body": body[sent:]} if sent else message)
        finally:
            self._untaken[address] -= len(body)
            if not self._untaken[address]:
                del self._untaken[address]

    def _note(self, visit: "_Visit", status: int, seconds: float) -> None:
        self._metrics.request(visit.method, status, seconds)
        _log.info(
            "request",
            extra={
                "fields": {
                    "method": visit.method,
                    "path": visit.shown_path,
                    "status": status,
                    "ms": round(seconds * 1000, 1),
                    "address": visit.address,
                }
            },
        )

    # -- websockets

    async def _websocket(self, visit: "_Visit", receive: Receive, send: Send) -> None:
        good = visit.host_is_ours() and visit.origin_is_ours()
        reason = "" if good else "cross_origin"
        if good and not (self._affordable(visit) and self.sockets.enter(visit.visitor, visit.address)):
            reason = "too_many"
        if reason:
            self._metrics.refused(reason)
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": reason})
            return

        async def out(message: Message) -> None:
            if message["type"] == "websocket.accept":
                message["headers"] = [*message.get("headers", ()), *visit.cookie_header()]
            await send(message)

        try:
            await self._app(visit.scope, receive, out)
        finally:
            self.sockets.leave(visit.visitor, visit.address)


class _Visit:
    """Who asks, from where, by which name of ours."""

    def __init__(self, scope: Scope, signer: Signer, settings: Settings) -> None:
        self.scope, self._settings, self._signer = scope, settings, signer
        found: dict[bytes, bytes] = {}
        for name, value in scope["headers"]:
            found.setdefault(name, value)
        self._headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in found.items()}
        self.method: str = scope.get("method", "WEBSOCKET")
        self.path: str = scope["path"]
        client = scope.get("client")
        self.address: str = client[0] if client else "local"
        known = signer.visitor(_cookie(self._headers.get("cookie", "")))
        self.new = known is None
        self.visitor = known or signer.new_visitor()
        scope.setdefault("state", {})
        scope["state"] |= {"visitor": self.visitor, "address": self.address}

    @property
    def heavy(self) -> bool:
        return self.path.startswith(HEAVY) or (self.path.startswith("/api/games/") and self.path.endswith("/record"))

    @property
    def shown_path(self) -> str:
        """The path as it may be logged: an invitation's secret may not."""
        return "/join/…" if self.path.startswith("/join/") else self.path[:200]

    def header(self, name: str) -> str:
        return self._headers.get(name, "")

    @property
    def length(self) -> int:
        """How long the body is said to be; 0 where nothing is said."""
        length = self.header("content-length")
        return int(length[:12]) if length.isdecimal() else 0

    def host_is_ours(self) -> bool:
        """Whether we are called by a name of ours, whatever a foreign name server says.

        A server of this machine alone has this machine's names; any other has those that it was given, if it was.
        """
        settings = self._settings
        if settings.host not in LOOPBACK and not settings.names:
            return True
        return _host_name(self.header("host")) in self._ours()

    def _ours(self) -> Iterable[str]:
        given = urlsplit(self._settings.url).hostname if self._settings.url else None
        return (*LOOPBACK, *self._settings.names, *([given] if given else []))

    def origin_is_ours(self) -> bool:
        origin = self.header("origin")
        if not origin:
            return self.header("sec-fetch-site") in ("", "same-origin", "none")
        if self._settings.url and origin == self._settings.url.rstrip("/"):
            return True
        _, slashes, place = origin.partition("://")
        return bool(slashes) and place.lower() == self.header("host").lower() != ""

    def cookie_header(self) -> list[tuple[bytes, bytes]]:
        if not self.new or self.path in UNSIGNED:
            return []
        secure = "; Secure" if self.scope.get("scheme") in ("https", "wss") else ""
        value = f"{COOKIE}={self._signer.cookie(self.visitor)}; Path=/; Max-Age={YEAR}; HttpOnly; SameSite=Lax{secure}"
        return [(b"set-cookie", value.encode())]

    def headers(self, given: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
        """An answer's own headers and ours; one that brings a cookie is for nobody else, whoever passes it on."""
        cookie = self.cookie_header()
        caching = b"no-store" if self.path.startswith("/api/") else b"private, no-cache" if cookie else b""
        if not caching:
            return [*given, *HEADERS]
        kept = [header for header in given if header[0] != b"cache-control"]
        return [*kept, *HEADERS, (b"cache-control", caching), *cookie]


def _cookie(header: str) -> str | None:
    try:
        morsel = SimpleCookie(header[:8192]).get(COOKIE)
    except CookieError:
        return None
    return None if morsel is None else morsel.value


def _host_name(host: str) -> str:
    try:
        return (urlsplit(f"//{host}").hostname or "").lower().removesuffix(".")
    except ValueError:
        return ""


async def _read(visit: _Visit, receive: Receive, most: int) -> bytes | None:
    """The body, or None as soon as it is too large."""
    if visit.length > most:
        return None
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return b"".join(parts)
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > most:
            return None
        if not message.get("more_body"):
            return b"".join(parts)


async def _refuse(visit: _Visit, receive: Receive, send: Send, status: int, error: str, code: str) -> None:
    """Answer with an error, once the body is out of the way; if that is too much, the connection ends with it."""
    # Who asks whether he may go on has sent nothing yet, and need not.
    over = visit.length <= UNREAD and visit.header("expect") == "" and await _read_over(receive)
    await _answer(send, status, error, code, close=not over)


async def _read_over(receive: Receive) -> bool:
    """Read what nobody wants; whether that was all."""
    size, more = 0, True
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(UNREAD_SECONDS):
            while more and size <= UNREAD:
                message = await receive()
                size += len(message.get("body", b""))
                more = bool(message.get("more_body"))
    return not more


async def _answer(send: Send, status: int, error: str, code: str, close: bool = False) -> None:
    body = json.dumps({"error": error, "code": code}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if close:
        headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
