"""The service under load: games between people, a move each so many seconds in every game.

    python benchmarks/web_load.py --games 500 --seconds 20

Starts a server of its own, seats two people at each game over real websockets, and measures the time from a move's
sending to its sight by the opponent. The generator runs on the same machine; its own processor time is reported, for it
takes part of what the server could have.
"""

import argparse
import asyncio
import importlib
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

LEGAL = re.compile(r'"legal":\[(.*?)\]')


@dataclass
class Load:
    """What is asked for, and what was seen."""

    url: str
    games: int
    seconds: float
    every: float
    delays: list[float] = field(default_factory=list)
    sent: int = 0
    lost: int = 0
    begin: float = 0.0
    generator_cpu: float = 0.0
    server_cpu: float = 0.0
    """Processor seconds when the moves began."""
    server: int = 0


@dataclass
class Table:
    """One game with two people."""

    id: str
    sockets: list[ClientConnection]
    sight: "asyncio.Queue[tuple[int, str, float]]" = field(default_factory=asyncio.Queue)


async def main(load: Load) -> None:
    limits = httpx.Limits(max_connections=20)
    async with httpx.AsyncClient(base_url=load.url, timeout=60, limits=limits) as http:
        tables = []
        for start in range(0, load.games, 20):
            batch = range(start, min(load.games, start + 20))
            tables += await asyncio.gather(*(_seated(http, load.url) for _ in batch))
        readers = [asyncio.create_task(_read(table, seat)) for table in tables for seat in (0, 1)]
        load.begin, load.generator_cpu, load.server_cpu = time.perf_counter(), time.process_time(), _cpu_of(load.server)
        players = [asyncio.create_task(_play(load, table)) for table in tables]
        await asyncio.gather(*players)
        for reader in readers:
            reader.cancel()
        await asyncio.gather(*readers, return_exceptions=True)
        await asyncio.gather(*(socket.close() for table in tables for socket in table.sockets))


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
    sockets = [
        await connect(target, additional_headers={"Cookie": f"metatac={cookie}"}, compression=None, ping_interval=None)
        for cookie in cookies
    ]
    return Table(data["id"], sockets)


async def _read(table: Table, seat: int) -> None:
    """Note when each state of the game was seen by whom."""
    async for text in table.sockets[seat]:
        now = time.perf_counter()
        assert isinstance(text, str)
        if text.startswith('{"type":"game"'):
            table.sight.put_nowait((seat, text, now))
        elif text.startswith('{"type": "ping"'):
            await table.sockets[seat].send(text.replace("ping", "pong"))


async def _play(load: Load, table: Table) -> None:
    """A move each so many seconds, by turns; what the opponent sees of it is waited for."""
    chance = random.Random(table.id)
    await asyncio.sleep(chance.random() * load.every)
    moves, legal = 0, [f"{board}{cell}" for board in "abcdefghi" for cell in "abcdefghi"]
    while time.perf_counter() - load.begin < load.seconds and legal:
        due = time.perf_counter() + load.every
        seat = moves % 2
        while not table.sight.empty():
            table.sight.get_nowait()
        sent = time.perf_counter()
        await table.sockets[seat].send(json.dumps({"type": "move", "move": chance.choice(legal)}))
        load.sent += 1
        try:
            async with asyncio.timeout(30):
                while True:
                    who, text, seen = await table.sight.get()
                    if who != seat and text.count('"by":') > moves:
                        break
        except TimeoutError:
            load.lost += 1
            return
        load.delays.append(seen - sent)
        moves += 1
        found = LEGAL.search(text)
        legal = json.loads(f"[{found[1]}]") if found else []
        await asyncio.sleep(max(0.0, due - time.perf_counter()))


def report(load: Load, generator_cpu: float, server_cpu: float, wall: float) -> dict[str, Any]:
    delays = sorted(load.delays)
    ms = {f"p{q}": round(delays[min(len(delays) - 1, int(len(delays) * q / 100))] * 1000, 1) for q in (50, 90, 99)}
    return {
        "games": load.games,
        "moves": load.sent,
        "lost": load.lost,
        "moves_per_s": round(load.sent / wall, 1),
        "ms": ms | {"max": round(delays[-1] * 1000, 1)},
        "generator_cpu": f"{100 * generator_cpu / wall:.0f} % of a core",
        "server_cpu": f"{100 * server_cpu / wall:.0f} % of a core, {1000 * server_cpu / load.sent:.2f} ms a move",
    }


def measure(games: int, seconds: float, every: float, database: str | None = None, workers: int = 1) -> dict[str, Any]:
    """Start a server, put the load on it, and say what came of it."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "metatac", "serve", "--port", "0", "--engines", "1"]
        command += ["--db", database or f"{folder}/games.db", "--workers", str(workers)]
        command += ["--sockets-per-address", "100000", "--requests-per-second", "100000"]
        environment = os.environ | {"METATAC_DATA_DIR": folder}
        server = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            url = server.stdout.readline().partition("metatac is at ")[2].strip()
            with httpx.Client(base_url=url, timeout=5) as http:
                _wait(http)
            load = Load(url, games, seconds, every, server=server.pid)
            asyncio.run(main(load))
            wall = time.perf_counter() - load.begin
            spent = time.process_time() - load.generator_cpu, _cpu_of(server.pid) - load.server_cpu
            return report(load, *spent, wall)
        finally:
            server.terminate()
            server.wait(30)
            if server.stdout is not None:
                server.stdout.close()


def _wait(http: httpx.Client) -> None:
    for _ in range(300):
        try:
            if http.get("/healthz").status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    raise SystemExit("the server does not start")


def _cpu_of(pid: int) -> float:
    """Processor seconds of a process and its workers, without the engines."""
    psutil: Any = importlib.import_module("psutil")  # which ships no types
    process = psutil.Process(pid)
    family = [one for one in (process, *process.children()) if "engine_process" not in " ".join(one.cmdline())]
    return float(sum(times.user + times.system for times in (one.cpu_times() for one in family)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--every", type=float, default=2.0)
    parser.add_argument("--db")
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args()
    print(json.dumps(measure(given.games, given.seconds, given.every, given.db, given.workers), indent=2))
