"""Connections that say nothing, or never come to the end of it, are closed; everybody else is served meanwhile."""

import asyncio
import contextlib
import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from serving import PATIENCE, Service, friends, longest_game, serving, wait_for
from workers import until

from metatac.server import door

HASTE = "import metatac.server.door as door; door.HEAD_SECONDS = door.TAKE_SECONDS = 5.0"


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A server that waits five seconds for the head of a request, and for an answer to be taken."""
    folder = tmp_path_factory.mktemp("hasty")
    with serving(str(folder / "games.db"), folder, "--requests-per-second", "1000", first=HASTE) as running:
        yield running


def caller(service: Service, *said: bytes) -> socket.socket:
    host, _, port = service.url.removeprefix("http://").partition(":")
    raw = socket.create_connection((host, int(port)), PATIENCE)
    for part in said:
        raw.sendall(part)
    return raw


def closed(raw: socket.socket, drip: bytes = b"") -> bool:
    """Whether the other end has hung up; it hears another drop if it has not."""
    raw.setblocking(False)
    try:
        if drip:
            raw.sendall(drip)
        return raw.recv(65536) == b""
    except BlockingIOError:
        return False
    except (ConnectionResetError, BrokenPipeError):
        return True


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"G",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ",
        b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET / HTTP/1.1\r\nX-Second: ",
    ],
    ids=["nothing", "a letter", "half a head", "a request and half a head"],
)
def test_who_never_finishes_a_request_is_shown_out(hasty: Service, said: bytes) -> None:
    with caller(hasty, said) as raw:
        raw.settimeout(PATIENCE)
        with contextlib.suppress(ConnectionResetError):
            while raw.recv(65536):
                pass  # the answer to what was complete


def test_a_head_that_comes_drop_by_drop_has_no_more_time_than_any_other(hasty: Service) -> None:
    with caller(hasty, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ") as raw:
        wait_for(lambda: closed(raw, b"x"), "the end of patience")


def test_a_head_without_end_is_not_kept(alone: Service) -> None:
    with caller(alone, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n") as raw:
        raw.settimeout(PATIENCE)
        with pytest.raises((ConnectionResetError, BrokenPipeError)):
            for number in range(100_000):
                raw.sendall(f"X-{number}: {'x' * 1000}\r\n".encode())


def test_a_thousand_silent_connections_keep_nobody_from_playing(hasty: Service) -> None:
    with contextlib.ExitStack() as line_up:
        silent = [line_up.enter_context(caller(hasty, b"GET / HT")) for _ in range(1000)]
        x, o, id = friends(hasty)
        with x, o, x.sit(id) as one, o.sit(id) as two:
            one.send("move", move="ee")
            two.after(1)
        wait_for(lambda: all(closed(raw) for raw in silent), "them to be gone")


def test_of_many_silent_connections_the_eldest_go_first(tmp_path: Path) -> None:
    few = "import metatac.server.door as door; door.HEAD_SECONDS, door.SILENT, door.GRACE = 1000.0, 5, 0.0"
    with serving(str(tmp_path / "games.db"), tmp_path, first=few) as service, contextlib.ExitStack() as line_up:
        silent = [line_up.enter_context(caller(service, b"G")) for _ in range(8)]
        wait_for(lambda: [closed(raw) for raw in silent] == [True] * 3 + [False] * 5, "three to go")
        with service.person() as x:
            assert x.get("/me")["games"] == []


def test_where_few_files_are_allowed_who_says_nothing_makes_room(tmp_path: Path) -> None:
    few = """
import resource, metatac.server.door as door
resource.setrlimit(resource.RLIMIT_NOFILE, (256, 300))
door.HEAD_SECONDS = door.GRACE = 1000.0
"""
    options = ("--requests-per-second", "1000")
    with serving(str(tmp_path / "games.db"), tmp_path, *options, first=few) as service, contextlib.ExitStack() as queue:
        x, o, id = friends(service)
        with x, o, x.sit(id) as one:
            silent = [queue.enter_context(caller(service, b"GET / HT")) for _ in range(500)]
            wait_for(lambda: sum(closed(raw) for raw in silent) >= 300, "room")
            with o.sit(id) as two, service.person() as another:
                one.send("move", move="ee")
                two.after(1)
                assert another.get("/me")["games"] == []


def test_who_was_answered_makes_room_before_who_has_not_spoken_yet(tmp_path: Path) -> None:
    few = "import metatac.server.door as door; door.HEAD_SECONDS, door.room = 1000.0, lambda: 3"
    with serving(str(tmp_path / "games.db"), tmp_path, first=few) as service, contextlib.ExitStack() as queue:
        answered = queue.enter_context(caller(service, b"GET /api/me HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"))
        assert answered.recv(65536).startswith(b"HTTP/1.1 200")
        silent = [queue.enter_context(caller(service, b"G")) for _ in range(3)]
        wait_for(lambda: closed(answered), "the one to go")
        assert not any(closed(raw) for raw in silent)
        silent.append(queue.enter_context(caller(service, b"G")))
        wait_for(lambda: [closed(raw) for raw in silent] == [True, False, False, False], "the eldest to go")


def test_a_socket_that_is_open_may_be_silent_for_longer(hasty: Service) -> None:
    x, o, id = friends(hasty)
    with x, o, x.sit(id) as one:
        one.game()
        with caller(hasty) as raw:  # which comes later, and is closed before
            wait_for(lambda: closed(raw), "the end of patience")
        one.send("move", move="ee")
        one.after(1)


def test_half_a_frame_keeps_nobody(hasty: Service) -> None:
    x, o, id = friends(hasty)
    with x, o, x.sit(id) as one, o.sit(id) as two:
        one.game()
        one.connection.socket.sendall(b"\x81\xfe\x10\x00")  # a text of 4,096 bytes, which never come
        two.game()
        with x.sit(id) as again:
            again.send("move", move="ee")
            two.after(1)
        one.connection.socket.shutdown(socket.SHUT_RDWR)


def test_a_body_said_to_be_huge_is_refused_before_it_comes(alone: Service) -> None:
    head = b"POST /api/records/import HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000000000\r\n\r\n{"
    with caller(alone, head) as raw:
        raw.settimeout(PATIENCE)
        answer = b""
        with contextlib.suppress(ConnectionResetError):
            while part := raw.recv(65536):
                answer += part
    assert answer.startswith(b"HTTP/1.1 413") and b"1048576 bytes" in answer


def answers(raw: socket.socket) -> bytes:
    """The head of the next answer."""
    raw.settimeout(PATIENCE)
    with raw.makefile("rb") as lines:
        head = b"".join(iter(lines.readline, b"\r\n"))
        length = next(line for line in head.lower().splitlines() if line.startswith(b"content-length:"))
        lines.read(int(length.split(b":")[1]))
    return head


@pytest.mark.parametrize(
    ("path", "origin", "size", "status"),
    [("/api/records/import", b"", 2_000_000, b"413"), ("/api/me", b"Origin: http://evil.example\r\n", 500_000, b"403")],
)
def test_who_is_refused_hears_why_however_much_he_has_to_say(
    alone: Service, path: str, origin: bytes, size: int, status: bytes
) -> None:
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {size}\r\n".encode()
    with caller(alone, head, origin, b"\r\n", b" " * size) as raw:
        assert answers(raw).startswith(b"HTTP/1.1 " + status)
        raw.sendall(b"GET /api/me HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert answers(raw).startswith(b"HTTP/1.1 200")


def test_who_asks_whether_he_may_send_so_much_is_told_at_once(alone: Service) -> None:
    head = b"POST /api/me HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100000\r\nExpect: 100-continue\r\n\r\n"
    with caller(alone, head) as raw:
        said = answers(raw).lower()
        assert said.startswith(b"http/1.1 413") and b"connection: close" in said


def test_who_takes_nothing_of_an_answer_is_shown_out(hasty: Service) -> None:
    with hasty.person() as x:
        first = x.post("/positions", game="ultimate-ultimate")["text"]
        body = json.dumps({"position": first, "moves": longest_game()}).encode()
        host, _, port = hasty.url.removeprefix("http://").partition(":")
        with socket.socket() as raw:
            raw.settimeout(PATIENCE)
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            raw.connect((host, int(port)))
            head = f"POST /api/positions/walk HTTP/1.1\r\nHost: {host}\r\nCookie: metatac={x.cookie}\r\n"
            raw.sendall(f"{head}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
            answer = b""
            while b"\r\n\r\n" not in answer:
                answer += raw.recv(1)
            wanted = int(answer.lower().partition(b"content-length: ")[2].split()[0])
            x.post("/positions", game="ultimate")  # once he is gone
            taken = 0
            with contextlib.suppress(ConnectionResetError):
                while part := raw.recv(65536):
                    taken += len(part)
            assert answer.startswith(b"HTTP/1.1 200") and taken < wanted


def test_who_leaves_the_rest_of_a_last_answer_is_shown_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rest is so little that the sender may go on, and yet nothing else ends such a connection."""
    little = 128 * 1024  # but more than the system keeps
    monkeypatch.setattr(door, "TAKE_SECONDS", 0.5)
    monkeypatch.setattr(door, "_close", lambda state: None)
    doors: list[door.Door] = []

    class Watched(door.Door):
        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            doors.append(self)
            transport.set_write_buffer_limits(2 * little, little)
            super().connection_made(transport)

    async def app(scope: Any, receive: Any, send: Any) -> None:
        length = str(4 * little).encode()
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", length)]})
        await send({"type": "http.response.body", "body": bytes(4 * little)})

    async def scene() -> None:
        server = uvicorn.Server(uvicorn.Config(app, http=Watched, lifespan="off", loop="asyncio", log_level="error"))
        loop = asyncio.get_running_loop()
        with socket.socket() as listening, socket.socket() as raw:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 8192)
            listening.bind(("127.0.0.1", 0))
            listening.listen()
            task = asyncio.create_task(server.serve(sockets=[listening]))
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            raw.connect(listening.getsockname())
            raw.setblocking(False)
            await loop.sock_sendall(raw, b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            await until(lambda: doors)
            sending = doors[0].transport
            async with asyncio.timeout(PATIENCE):
                while not (sending.is_closing() and sending.get_write_buffer_size() <= little):
                    await loop.sock_recv(raw, 4096)
                await until(lambda: doors[0] not in doors[0].connections)
            server.should_exit = server.force_exit = True
            await asyncio.wait({task}, timeout=PATIENCE)

    asyncio.run(scene())
