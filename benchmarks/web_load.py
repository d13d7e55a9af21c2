"""The service under load: games between people, a move each so many seconds in every game.

    python benchmarks/web_load.py --games 500 --seconds 20
    python benchmarks/web_load.py --db postgresql://user@host/name --workers 2 --kill-after 10

Starts a server of its own, seats two people at each game over real websockets, and measures the time from a move's
sending to its sight by the opponent. The generator runs on the same machine; its own processor time is reported, for it
takes part of what the server could have.

With --kill-after a worker is killed (kill -9) in the middle, and started again if it was the only one. People come back
by themselves. Every move that somebody has seen was acknowledged: in the end each must be in its game.
"""

import argparse
import asyncio
import contextlib
import importlib
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

LEGAL = re.compile(r'"legal":\[(.*?)\]')
PATIENCE = 120.0
"""Seconds after which a move that is not seen is lost, and somebody who cannot come back stays away."""
PAUSE = 0.2
"""Seconds before somebody who was cut off tries again."""


@dataclass
class Load:
    """What is asked for, and what was seen."""

    url: str
    games: int
    seconds: float
    every: float
    kill_after: float | None = None
    kill: Callable[[], Awaitable[None]] | None = None
    delays: list[float] = field(default_factory=list)
    cut: list[float] = field(default_factory=list)
    """Delays of the moves that were under way when somebody at the game was cut off."""
    away: list[float] = field(default_factory=list)
    """Seconds until those who were cut off were back."""
    sent: int = 0
    lost: int = 0
    acknowledged: int = 0
    missing: int = 0
    cpu: Callable[[], float] = lambda: 0.0
    """Processor seconds of the server so far."""
    begin: float = 0.0
    spent: tuple[float, float, float] = (1.0, 0.0, 0.0)
    """Seconds that the moves took, by the wall, of the generator's processor and of the server's."""


@dataclass
class Chair:
    """One person at a game: comes back whenever the connection breaks."""

    url: str
    cookie: str
    line: ClientConnection | None = None
    cuts: int = 0

    async def sit_down(self) -> ClientConnection:
        self.line = await connect(
            self.url,
            additional_headers={"Cookie": f"metatac={self.cookie}"},
            compression=None,
            ping_interval=None,
            proxy=None,
            open_timeout=PATIENCE,
        )
        return self.line

    async def come_back(self) -> float:
        """Try until it works; the seconds that it took."""
        self.line, self.cuts = None, self.cuts + 1
        began = time.perf_counter()
        while True:
            try:
                await self.sit_down()
                return time.perf_counter() - began
            except (OSError, InvalidHandshake, TimeoutError):
                if time.perf_counter() - began > PATIENCE:
                    raise
                await asyncio.sleep(PAUSE)

    async def send(self, text: str) -> bool:
        """Whether it could be sent: not while the connection is broken."""
        if self.line is None:
            return False
        with contextlib.suppress(ConnectionClosed):
            await self.line.send(text)
            return True
        return False


@dataclass
class Table:
    """One game with two people."""

    id: str
    chairs: list[Chair]
    sight: "asyncio.Queue[tuple[int, str, float]]" = field(default_factory=asyncio.Queue)
    acknowledged: list[str] = field(default_factory=list)
    """The moves that somebody has seen."""

    @property
    def cuts(self) -> int | None:
        """How often somebody was cut off; None while somebody is."""
        return sum(chair.cuts for chair in self.chairs) if all(chair.line for chair in self.chairs) else None


async def main(load: Load) -> None:
    # Shorter than the server's five seconds: a connection that it closes just then must not be used.
    limits = httpx.Limits(max_connections=20, keepalive_expiry=1.0)
    async with httpx.AsyncClient(base_url=load.url, timeout=PATIENCE, limits=limits) as http:
        tables: list[Table] = []
        for start in range(0, load.games, 20):
            batch = range(start, min(load.games, start + 20))
            tables += await asyncio.gather(*(_seated(http, load.url) for _ in batch))
        readers = [asyncio.create_task(_read(load, table, seat)) for table in tables for seat in (0, 1)]
        began = load.begin, _, _ = time.perf_counter(), time.process_time(), load.cpu()
        work = [asyncio.create_task(_play(load, table)) for table in tables]
        if load.kill_after is not None:
            work.append(asyncio.create_task(_kill(load, load.kill_after)))
        await asyncio.gather(*work)
        ended = time.perf_counter(), time.process_time(), load.cpu()
        load.spent = (ended[0] - began[0], ended[1] - began[1], ended[2] - began[2])
        for reader in readers:
            reader.cancel()
        await asyncio.gather(*readers, return_exceptions=True)
        lines = [chair.line for table in tables for chair in table.chairs if chair.line is not None]
        await asyncio.gather(*(line.close() for line in lines))
        for start in range(0, load.games, 20):
            await asyncio.gather(*(_compare(load, http, table) for table in tables[start : start + 20]))


async def _kill(load: Load, after: float) -> None:
    await asyncio.sleep(after)
    if load.kill is not None:
        await load.kill()


async def _compare(load: Load, http: httpx.AsyncClient, table: Table) -> None:
    """Whether everything that was acknowledged is in the game."""
    game = (await http.get(f"/api/games/{table.id}")).json()
    kept = [ply["move"] for ply in game["moves"]]
    load.acknowledged += len(table.acknowledged)
    load.missing += sum(kept[n : n + 1] != [move] for n, move in enumerate(table.acknowledged))


async def _seated(http: httpx.AsyncClient, url: str) -> Table:
    cookies = []
    wish = {"game": "ultimate", "opponent": "friend", "side": "X", "time": "30m+5s"}
    http.cookies.clear()
    made = await http.post("/api/games", json=wish)
    cookies.append(re.search("metatac=([^;]+)", made.headers["set-cookie"])[1])  # type: ignore[index]
    data = made.json()
    token = data["invite"].rsplit("/", 1)[1]
    http.cookies.clear()
    joined = await http.post(f"/api/games/{data['id']}/join", json={"token": token})
    cookies.append(re.search("metatac=([^;]+)", joined.headers["set-cookie"])[1])  # type: ignore[index]
    target = f"{url.replace('http', 'ws', 1)}/api/games/{data['id']}/socket"
    chairs = [Chair(target, cookie) for cookie in cookies]
    for chair in chairs:
        await chair.sit_down()
    return Table(data["id"], chairs)


async def _read(load: Load, table: Table, seat: int) -> None:
    """Note when each state of the game was seen by whom."""
    chair = table.chairs[seat]
    while True:
        try:
            assert chair.line is not None
            async for text in chair.line:
                now = time.perf_counter()
                assert isinstance(text, str)
                if text.startswith('{"type":"game"'):
                    table.sight.put_nowait((seat, text, now))
                elif text.startswith('{"type": "ping"'):
                    await chair.send(text.replace("ping", "pong"))
        except ConnectionClosed:
            pass
        load.away.append(await chair.come_back())


async def _play(load: Load, table: Table) -> None:
    """A move each so many seconds, by turns; what the opponent sees of it is waited for."""
    chance = random.Random(table.id)
    await asyncio.sleep(chance.random() * load.every)
    legal = [f"{board}{cell}" for board in "abcdefghi" for cell in "abcdefghi"]
    while time.perf_counter() - load.begin < load.seconds and legal:
        due = time.perf_counter() + load.every
        move, cuts = chance.choice(legal), table.cuts
        sent = time.perf_counter()
        try:
            async with asyncio.timeout(PATIENCE):
                text, seen = await _moved(load, table, move)
        except TimeoutError:
            load.lost += 1
            return
        (load.delays if table.cuts == cuts is not None else load.cut).append(seen - sent)
        found = LEGAL.search(text)
        legal = json.loads(f"[{found[1]}]") if found else []
        await asyncio.sleep(max(0.0, due - time.perf_counter()))


async def _moved(load: Load, table: Table, move: str) -> tuple[str, float]:
    """Send a move until the opponent has seen it: what he saw, and when."""
    moves = len(table.acknowledged)
    seat = moves % 2
    while not table.sight.empty():
        table.sight.get_nowait()
    message = json.dumps({"type": "move", "move": move})
    load.sent += await table.chairs[seat].send(message)
    while True:
        who, text, seen = await table.sight.get()
        known = text.count('"by":')
        if known > moves and len(table.acknowledged) == moves:
            table.acknowledged.append(move)
        if known > moves and who != seat:
            return text, seen
        if known == moves and who == seat and table.chairs[seat].cuts:
            # The mover is back, and the game has not got the move.
            load.sent += await table.chairs[seat].send(message)


def _ms(delays: list[float]) -> dict[str, float]:
    ranked = sorted(delays)
    found = {f"p{q}": ranked[min(len(ranked) - 1, int(len(ranked) * q / 100))] for q in (50, 90, 99)}
    return {name: round(seconds * 1000, 1) for name, seconds in (found | {"max": ranked[-1]}).items()}


def report(load: Load) -> dict[str, Any]:
    wall, generator_cpu, server_cpu = load.spent
    found: dict[str, Any] = {
        "games": load.games,
        "moves": load.sent,
        "lost": load.lost,
        "acknowledged": load.acknowledged,
        "missing": load.missing,
        "moves_per_s": round(load.sent / wall, 1),
        "ms": _ms(load.delays),
        "generator_cpu": f"{100 * generator_cpu / wall:.0f} % of a core",
    }
    if load.kill_after is None:
        each = f"{1000 * server_cpu / load.sent:.2f} ms a move"
        return found | {"server_cpu": f"{100 * server_cpu / wall:.0f} % of a core, {each}"}
    away = {"cut_off": len(load.away), "back_after_s": round(max(load.away, default=0.0), 1)}
    return found | away | {"ms_of_moves_cut_off": _ms(load.cut) if load.cut else None}


def measure(
    games: int,
    seconds: float,
    every: float,
    database: str | None = None,
    workers: int = 1,
    kill_after: float | None = None,
) -> dict[str, Any]:
    """Start a server, put the load on it, and say what came of it."""
    with tempfile.TemporaryDirectory() as folder, Server(folder, database, workers) as server:
        load = Load(server.url, games, seconds, every, kill_after, server.kill_one)
        load.cpu = lambda: _cpu_of(server.process.pid)
        asyncio.run(main(load))
        return report(load)


class Server:
    """`metatac serve` with room for everybody."""

    def __init__(self, folder: str, database: str | None, workers: int) -> None:
        self._folder, self._workers = folder, workers
        self._database = database or f"{folder}/games.db"
        self.process, self.url = self._start(0)

    def __enter__(self) -> "Server":
        with httpx.Client(base_url=self.url, timeout=5) as http:
            for _ in range(300):
                with contextlib.suppress(httpx.TransportError):
                    if http.get("/healthz").status_code == 200:
                        return self
                time.sleep(0.1)
        self.__exit__()
        raise SystemExit("the server does not start")

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait(60)
        if self.process.stdout is not None:
            self.process.stdout.close()

    def _start(self, port: int) -> "tuple[subprocess.Popen[str], str]":
        command = [sys.executable, "-m", "metatac", "serve", "--port", str(port), "--engines", "1"]
        command += ["--db", self._database, "--workers", str(self._workers)]
        command += ["--sockets-per-address", "100000", "--requests-per-second", "100000"]
        environment = os.environ | {"METATAC_DATA_DIR": self._folder}
        process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        return process, process.stdout.readline().partition("metatac is at ")[2].strip()

    async def kill_one(self) -> None:
        """Kill a worker; of several, the others go on and it is replaced; an only one is started again."""
        workers = [] if self._workers == 1 else list(_family(self.process.pid))[1:]
        if workers:
            os.kill(workers[0].pid, signal.SIGKILL)
            return
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()
        port = int(self.url.rpartition(":")[2])
        self.process, _ = await asyncio.to_thread(self._start, port)


def _family(pid: int) -> Iterator[Any]:
    """A server's process, and those of its workers."""
    psutil: Any = importlib.import_module("psutil")  # which ships no types
    process = psutil.Process(pid)
    yield process
    for child in process.children():
        with contextlib.suppress(psutil.Error):  # it has ended
            command = " ".join(child.cmdline())
            if "spawn_main" in command and "engine_process" not in command:
                yield child


def _cpu_of(pid: int) -> float:
    """Processor seconds of a server and its workers, without the engines."""
    return float(sum(times.user + times.system for times in (one.cpu_times() for one in _family(pid))))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--every", type=float, default=2.0)
    parser.add_argument("--db", metavar="FILE_OR_URL", help="a new SQLite file of its own unless told otherwise")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--kill-after", type=float, metavar="SECONDS")
    given = parser.parse_args()
    found = measure(given.games, given.seconds, given.every, given.db, given.workers, given.kill_after)
    print(json.dumps(found, indent=2))
