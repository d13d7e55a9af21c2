"""A real `metatac serve` for tests, and people who use it."""

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect

GOLDEN = Path(__file__).parent / "golden"
PATIENCE = 240.0
"""Seconds for anything to happen, however loaded the machine is."""


class Service:
    """A running server: its address, its process, what it has written."""

    def __init__(self, url: str, process: "subprocess.Popen[str]", log: list[str]) -> None:
        self.url, self.process, self.log = url, process, log

    def person(self) -> "Person":
        return Person(self.url)


@contextlib.contextmanager
def serving(database: str, folder: Path, *options: str, ready: bool = True, first: str = "") -> Iterator[Service]:
    """Start a server on a free port; it is ended, whatever happens.

    ``first`` is Python that a server of one worker runs before anything else: to make long waits short.
    """
    program = ("-c", f"{first}\nfrom metatac.cli import main\nmain()") if first else ("-m", "metatac")
    command = [sys.executable, *program, "serve", "--port", "0", "--db", database, "--engines", "1", *options]
    environment = os.environ | {"METATAC_DATA_DIR": str(folder), "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )
    lines: queue.Queue[str] = queue.Queue()
    log: list[str] = []
    reader = threading.Thread(target=_read, args=(process, lines, log), daemon=True)
    reader.start()
    try:
        url = ""
        while ready and not url:
            line = lines.get(timeout=PATIENCE)
            url = line.partition("metatac is at ")[2].strip()
        service = Service(url, process, log)
        if ready:
            wait_for(lambda: _healthy(url), f"a healthy server: {log}")
        yield service
    finally:
        _end(process)
        reader.join(PATIENCE)


def _read(process: "subprocess.Popen[str]", lines: "queue.Queue[str]", log: list[str]) -> None:
    assert process.stdout is not None
    with process.stdout:
        for line in process.stdout:
            log.append(line)
            lines.put(line)


def _end(process: "subprocess.Popen[str]") -> None:
    """End the server in good order, and if it will not, it and everything it started."""
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(PATIENCE)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(PATIENCE)


def _healthy(url: str) -> bool:
    with contextlib.suppress(httpx.TransportError):
        return httpx.get(f"{url}/healthz", timeout=PATIENCE).status_code == 200
    return False


def wait_for(condition: Callable[[], Any], what: str = "it") -> Any:
    """The first true answer of the condition."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if answer := condition():
            return answer
        time.sleep(0.05)
    raise AssertionError(f"waited {PATIENCE} s for {what}")


class Person:
    """Somebody with a browser: a cookie, requests and sockets."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.http = httpx.Client(base_url=url, timeout=PATIENCE, headers={"Origin": url})
        self.http.get("/api/me").raise_for_status()
        self.cookie: str = self.http.cookies["metatac"]

    def __enter__(self) -> "Person":
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()

    def get(self, path: str, **query: Any) -> Any:
        return _checked(self.http.get(f"/api{path}", params=query)).json()

    def post(self, path: str, **body: Any) -> Any:
        return _checked(self.http.post(f"/api{path}", json=body)).json()

    def refused(self, path: str, **body: Any) -> tuple[int, str]:
        """The status and the code of a request that must not succeed."""
        answer = self.http.post(f"/api{path}", json=body)
        assert answer.status_code >= 400, answer.text
        return answer.status_code, answer.json()["code"]

    def socket(self, path: str, **settings: Any) -> "Line":
        return Line(connect_to(self.url, f"/api{path}", self.cookie, **settings))

    def sit(self, game: str) -> "Line":
        return self.socket(f"/games/{game}/socket")


def connect_to(url: str, path: str, cookie: str | None = None, origin: str | None = None) -> ClientConnection:
    headers = {"Cookie": f"metatac={cookie}"} if cookie else {}
    target = url.replace("http", "ws", 1) + path
    return connect(
        target,
        additional_headers=headers,
        origin=origin or url,
        open_timeout=PATIENCE,
        ping_interval=None,  # a server that is kept from answering for a while is not gone
        proxy=None,
        max_size=None,
    )


def _checked(answer: httpx.Response) -> httpx.Response:
    assert answer.status_code < 400, f"{answer.request.url}: {answer.status_code} {answer.text[:500]}"
    return answer


class Line:
    """An open socket."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    def __enter__(self) -> "Line":
        self.connection.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.__exit__(None, None, None)

    def send(self, type: str, **message: Any) -> None:
        self.connection.send(json.dumps({"type": type} | message))

    def receive(self, timeout: float = PATIENCE) -> dict[str, Any]:
        """The next message; pings are answered."""
        message: dict[str, Any] = json.loads(self.connection.recv(timeout=timeout))
        if message["type"] == "ping":
            self.send("pong", t=message["t"])
        return message

    def until(self, condition: Callable[[dict[str, Any]], Any], type: str = "game") -> dict[str, Any]:
        """The first message of a type for which the condition holds; of a game, the game."""
        deadline = time.monotonic() + PATIENCE
        while (left := deadline - time.monotonic()) > 0:
            message = self.receive(left)
            assert type == "error" or message["type"] != "error", f"waited for a {type}: {message}"
            body = message["game"] if message["type"] == type == "game" else message
            if message["type"] == type and condition(body):
                return body
        raise AssertionError(f"waited {PATIENCE} s for a {type}")

    def game(self) -> dict[str, Any]:
        return self.until(lambda _: True)

    def after(self, moves: int) -> dict[str, Any]:
        """The game once it has so many moves."""
        return self.until(lambda game: len(game["moves"]) == moves)

    def error(self, type: str = "error") -> dict[str, Any]:
        return self.until(lambda _: True, type)


def friends(service: Service, **wish: Any) -> tuple[Person, Person, str]:
    """X and O at a game of theirs."""
    x, o = service.person(), service.person()
    made = x.post("/games", **{"game": "ultimate", "opponent": "friend", "side": "X"} | wish)
    o.post(f"/games/{made['id']}/join", token=made["invite"].rsplit("/", 1)[1])
    return x, o, made["id"]


def longest_game() -> list[str]:
    """The moves of a game of ultimate-ultimate that goes on for more than a thousand."""
    with (GOLDEN / "ultimate-ultimate.jsonl").open() as lines:
        longest = max((json.loads(line)["moves"] for line in lines), key=len)
    return ["".join("abcdefghi"[cell] for cell in move) for move in longest]
