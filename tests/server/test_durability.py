"""Killed, interrupted, told to stop, given what it cannot work with: nothing is lost, and it says why."""

import contextlib
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from postgres import fresh_database
from processes import children, workers
from serving import PATIENCE, Service, friends, serving, wait_for
from websockets.exceptions import ConnectionClosed

from metatac.errors import MetatacError, StoreError
from metatac.server.run import serve
from metatac.server.settings import Settings
from metatac.store import open_database
from metatac.store.backup import back_up
from metatac.store.games import count_games

SELF = {"game": "ultimate", "opponent": "self"}


def kill(service: Service) -> None:
    os.killpg(service.process.pid, signal.SIGKILL)
    service.process.wait(PATIENCE)


def test_every_acknowledged_move_is_there_after_kill_9(tmp_path: Path) -> None:
    database = str(tmp_path / "games.db")
    acknowledged: list[list[str]] = [[] for _ in range(4)]
    with serving(database, tmp_path) as service:
        people = [service.person() for _ in acknowledged]
        ids = [person.post("/games", **SELF)["id"] for person in people]

        def play(number: int) -> None:
            with people[number].sit(ids[number]) as line:
                try:
                    game = line.game()
                    while game["phase"] == "running":
                        line.send("move", move=game["position"]["legal"][0])
                        game = line.after(len(game["moves"]) + 1)
                        acknowledged[number] = [ply["move"] for ply in game["moves"]]
                except ConnectionClosed:
                    return

        threads = [threading.Thread(target=play, args=(number,)) for number in range(len(people))]
        for thread in threads:
            thread.start()
        wait_for(lambda: all(acknowledged) and sum(map(len, acknowledged)) >= 20, "twenty moves, one of each at least")
        kill(service)
        for thread in threads:
            thread.join(PATIENCE)
    with serving(database, tmp_path) as service:
        for person, id, moves in zip(people, ids, acknowledged, strict=True):
            person.http.base_url = service.url
            kept = [ply["move"] for ply in person.get(f"/games/{id}")["moves"]]
            assert kept[: len(moves)] == moves and len(kept) <= len(moves) + 1
            person.http.close()


@pytest.mark.parametrize("signal_sent", [signal.SIGKILL, signal.SIGTERM])
def test_an_outage_costs_nobody_his_time_nor_his_game(tmp_path: Path, signal_sent: signal.Signals) -> None:
    database = tmp_path / "games.db"
    with serving(str(database), tmp_path) as service:
        x, o, id = friends(service, time="10m+0s")
        with x.sit(id) as one, o.sit(id):
            left, began = one.game()["clock"]["X"], time.monotonic()
            service.process.send_signal(signal_sent)
            service.process.wait(PATIENCE)
    an_hour_ago(database)
    with serving(str(database), tmp_path) as service, x, o:
        for person in (x, o):
            person.url = service.url
        with o.sit(id) as two:
            game = two.game()
            assert game["phase"] == "running"
            assert left - (time.monotonic() - began) - 0.1 < game["clock"]["X"] <= left
            two.send("claim", what="win")  # X had no way to be here
            assert "wait" in two.error()["message"]


def an_hour_ago(database: Path) -> None:
    """Make it an hour since the server was stopped."""
    with contextlib.closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE web_workers SET alive = alive - 3600")
        connection.execute("UPDATE web_presence SET changed = changed - 3600")
        match = "json_set(match, '$.since', json_extract(match, '$.since') - 3600)"
        connection.execute(f"UPDATE web_games SET deadline = deadline - 3600, match = {match}")


def test_an_engine_goes_on_after_kill_9(tmp_path: Path) -> None:
    database = str(tmp_path / "games.db")
    with serving(database, tmp_path) as service, service.person() as x:
        id = x.post("/games", game="tic-tac-toe", opponent="engines", levels=[1, 1])["id"]
        kill(service)
    with serving(database, tmp_path) as service, service.person() as x, x.sit(id) as line:
        assert line.until(lambda game: game["phase"] == "over")["result"]


def test_a_dead_worker_is_replaced_and_its_engines_move_on(postgres_server: str, tmp_path: Path) -> None:
    database = fresh_database(postgres_server)
    options = ("--workers", "2", "--requests-per-second", "1000")
    with serving(database, tmp_path, *options) as service, service.person() as x:
        ids = [x.post("/games", game="tic-tac-toe", opponent="engines", levels=[1, 1])["id"] for _ in range(2)]
        both = wait_for(lambda: len(found := workers(service.process.pid)) == 2 and found, "two workers")
        both[0].kill()
        for id in ids:
            wait_for(lambda id=id: _phase(service, id) == "over", "the end of a game")  # type: ignore[misc]


def _phase(service: Service, id: str) -> str:
    try:
        return str(httpx.get(f"{service.url}/api/games/{id}", timeout=PATIENCE).json().get("phase"))
    except httpx.TransportError:
        return "unknown"


def test_the_analysis_of_a_game_goes_on_after_kill_9(tmp_path: Path) -> None:
    database = str(tmp_path / "games.db")
    moves = "bi ib be eb bd dh hh hg gd db bf fa ag gh"
    with serving(database, tmp_path) as service, service.person() as x:
        start = "ultimate X - 9/9/9/9/9/9/9/9/9"
        exported = x.http.post("/api/records/export", json={"start": start, "moves": moves.split()})
        job = x.post("/analysis/game", record=exported.text)["job"]
        begun = wait_for(lambda: (view := x.get(f"/analysis/game/{job}"))["done"] and view, "the first moves")
        kill(service)
    with serving(database, tmp_path) as service, service.person() as x:
        done = wait_for(lambda: (view := x.get(f"/analysis/game/{job}"))["state"] == "done" and view, "the end")
        assert [ply["move"] for ply in done["plies"]] == moves.split()
        # What was known already was not done again.
        assert done["plies"][: len(begun["plies"])] == begun["plies"]


def test_what_a_full_disk_does_not_take_is_not_acknowledged(tmp_path: Path) -> None:
    database = str(tmp_path / "games.db")
    full = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, resource.RLIM_INFINITY))"
    with serving(database, tmp_path, first=full) as service, service.person() as x:
        kept: dict[str, list[str]] = {}
        refused = None
        while refused is None:
            made = x.http.post("/api/games", json=SELF)
            if made.status_code == 503:
                refused = made.json()
                break
            id = made.json()["id"]
            with x.sit(id) as line:
                game = line.game()
                while game["phase"] == "running" and refused is None:
                    line.send("move", move=game["position"]["legal"][0])
                    message = line.receive()
                    while message["type"] not in ("game", "error"):
                        message = line.receive()
                    if message["type"] == "error":
                        refused = message
                    else:
                        game = message["game"]
                        kept[id] = [ply["move"] for ply in game["moves"]]
        assert refused["code"] == "unavailable"
        assert x.get("/rules"), "what needs no disk goes on"
        wait_for(lambda: any("games.db" in entry for entry in service.log), "the log to say which file")
    with serving(database, tmp_path) as service, service.person() as x:
        for id, moves in kept.items():
            assert [ply["move"] for ply in x.get(f"/games/{id}")["moves"]] == moves


def test_a_database_that_is_deleted_under_the_server_acknowledges_nothing_more(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    with serving(str(folder / "games.db"), folder) as service, service.person() as x:
        id = x.post("/games", **SELF)["id"]
        with x.sit(id) as line:
            line.send("move", move="ee")
            line.after(1)
            shutil.rmtree(folder)
            line.send("move", move="ea")
            assert line.error()["code"] == "unavailable"
        assert x.refused("/games", **SELF) == (503, "unavailable")
        assert x.http.get("/healthz").status_code == 503
        gone = f"{folder / 'games.db'}: the database is gone"
        wait_for(lambda: any(gone in entry for entry in service.log), "a line in the log")


def test_a_database_that_lets_nobody_in_is_said_in_a_line_and_the_lobby_asks_to_come_back(
    postgres_server: str, tmp_path: Path
) -> None:
    database = fresh_database(postgres_server)
    name = database.partition("@/")[2].partition("?")[0]
    with (
        serving(database, tmp_path) as service,
        psycopg.connect(postgres_server.format("postgres"), autocommit=True) as connection,
        service.person() as x,
        x.socket("/lobby/socket") as line,
    ):
        line.until(lambda _: True, "lobby")
        connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name])
        with x.socket("/lobby/socket") as another, pytest.raises(ConnectionClosed) as closed:
            another.receive()
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 1013
        assert x.refused("/games", **SELF) == (503, "unavailable")
        wait_for(lambda: any(name in entry for entry in service.log), "a line in the log")
        connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
        x.post("/games", game="ultimate", opponent="open")
        assert line.until(lambda lobby: lobby["open"], "lobby")
    assert not any("Traceback" in entry for entry in service.log), service.log


LISTENERS = "FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'"


def test_lost_listeners_come_back_and_miss_nothing(postgres_server: str, tmp_path: Path) -> None:
    database = fresh_database(postgres_server)
    with (
        serving(database, tmp_path, "--workers", "2", "--requests-per-second", "1000") as service,
        psycopg.connect(database, autocommit=True) as connection,
        contextlib.ExitStack() as sitting,
    ):

        def listeners() -> bool:
            return connection.execute(f"SELECT count(*) {LISTENERS}").fetchone() == (2,)

        wait_for(listeners, "both workers to listen")
        x, o, id = (sitting.enter_context(one) if not isinstance(one, str) else one for one in friends(service))
        one = sitting.enter_context(x.sit(id))
        watching = [sitting.enter_context(o.sit(id)) for _ in range(6)]  # some at either worker
        for line in watching:
            line.game()
        connection.execute(f"SELECT pg_terminate_backend(pid) {LISTENERS}")
        one.send("move", move="ee")
        for line in watching:
            line.after(1)
        wait_for(listeners, "both workers to listen again")


def test_an_engine_process_that_is_killed_is_replaced(tmp_path: Path) -> None:
    with serving(str(tmp_path / "games.db"), tmp_path) as service, service.person() as x:
        id = x.post("/games", game="tic-tac-toe", opponent="engine", level=1, side="O")["id"]
        with x.sit(id) as line:
            line.after(1)
            (engine,) = children(service.process.pid)
            engine.kill()
            line.send("move", move=x.get(f"/games/{id}")["position"]["legal"][0])
            line.after(3)


def test_who_cannot_be_shown_out_costs_nobody_time(tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    patience = 2.0
    shorter = f"import metatac.server.run as run; run.STOP_SECONDS = {patience}"
    half = b"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{"
    with serving(str(database), tmp_path, first=shorter) as service:
        host, _, port = service.url.removeprefix("http://").partition(":")
        with socket.create_connection((host, int(port)), PATIENCE) as raw:
            raw.sendall(half)
            with service.person() as x:  # who came later, so that the other one is known to be there
                x.get("/me")
            service.process.send_signal(signal.SIGTERM)
            service.process.wait(PATIENCE)
        ended = time.time()
    with contextlib.closing(sqlite3.connect(database)) as connection:
        (alive,) = connection.execute("SELECT alive FROM web_workers").fetchone()
    assert ended - alive >= patience - 0.1


def test_sockets_are_told_when_the_server_stops(tmp_path: Path) -> None:
    with serving(str(tmp_path / "games.db"), tmp_path) as service:
        x, o, id = friends(service)
        with x, o, x.sit(id) as line:
            line.game()
            service.process.send_signal(signal.SIGTERM)
            with pytest.raises(ConnectionClosed) as closed:
                while True:
                    line.connection.recv(PATIENCE)
            assert closed.value.rcvd is not None and closed.value.rcvd.code == 1012
        # It stops in good order, and then dies of the signal, as one should.
        assert service.process.wait(PATIENCE) in (0, -signal.SIGTERM)


def metatac(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    environment = os.environ | {"METATAC_DATA_DIR": str(folder)}
    command = [sys.executable, "-m", "metatac", *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False)


def test_a_live_database_is_backed_up_and_old_games_are_pruned(tmp_path: Path) -> None:
    database, copy = tmp_path / "games.db", tmp_path / "copy.db"
    with serving(str(database), tmp_path) as service, service.person() as x:
        x.post("/games", **SELF)
        done = metatac(tmp_path, "db", "backup", str(copy), "--db", str(database))
        assert done.returncode == 0, done.stderr
        again = metatac(tmp_path, "db", "backup", str(copy), "--db", str(database))
        assert again.returncode == 2 and "already" in again.stderr
    kept = open_database(copy)
    with kept.read() as session:
        assert count_games(session) == {"running": 1}
    kept.close()
    assert "0 games deleted" in metatac(tmp_path, "db", "prune", "--keep-days", "1", "--db", str(copy)).stdout
    assert "1 game deleted" in metatac(tmp_path, "db", "prune", "--keep-days", "0", "--db", str(copy)).stdout


def test_postgresql_is_backed_up_by_its_own_program(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="pg_dump"):
        back_up("postgresql://somebody@nowhere/games", tmp_path / "copy.db")


def test_what_cannot_work_is_said_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "text.db").write_text("no database, but a text that is long enough to look at, and then some more")
    newer = tmp_path / "newer.db"
    open_database(newer).close()
    with sqlite3.connect(newer) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    cases: dict[str, dict[str, Any]] = {
        "workers cannot share SQLite": {"workers": 2},
        "not a database": {"database": str(tmp_path / "text.db")},
        "later metatac": {"database": str(newer)},
        "not supported": {"database": "mysql://x/y"},
        "'sqlite://' is no file": {"database": "sqlite://"},
        "'sqlite:///:memory:' is no file": {"database": "sqlite:///:memory:"},
        "':memory:' is no file": {"database": ":memory:"},
        "256.1.1.1": {"host": "256.1.1.1"},
        r"cup\.db: there is no such file": {"arenas": (str(tmp_path / "cup.db"),)},
    }
    monkeypatch.setenv("METATAC_DATA_DIR", str(tmp_path))
    for reason, wish in cases.items():
        with pytest.raises(MetatacError, match=reason) as said:
            serve(Settings(**{"database": str(tmp_path / "new.db"), "port": 0} | wish), tell=print)
        assert len(str(said.value).splitlines()) == 1
    assert not (tmp_path / "cup.db").exists()


def test_a_database_that_is_made_is_said_to_be(tmp_path: Path) -> None:
    database = str(tmp_path / "games.db")
    said = [metatac(tmp_path, "db", "upgrade", "--db", database).stdout for _ in range(2)]
    assert said == [f"{database} is made.\n", f"{database} is up to date.\n"]
    done = metatac(tmp_path, "db", "prune", "--keep-days", "1", "--db", str(tmp_path / "game.db"))
    assert done.returncode == 2 and "game.db: there is no such file" in done.stderr


def test_a_port_in_use_is_said_in_one_line(alone: Service, tmp_path: Path) -> None:
    port = alone.url.rpartition(":")[2]
    done = metatac(tmp_path, "serve", "--port", port)
    assert done.returncode == 2 and "--port" in done.stderr and len(done.stderr.splitlines()) == 1


def test_a_database_that_is_served_already_is_said_in_one_line(tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    with serving(str(database), tmp_path) as service:
        (tmp_path / "link.db").symlink_to(database)
        for name in ("games.db", "link.db"):
            done = metatac(tmp_path, "serve", "--port", "0", "--db", str(tmp_path / name))
            assert done.returncode == 2 and len(done.stderr.splitlines()) == 1
            assert "games.db: another metatac serves" in done.stderr
        service.process.kill()
        service.process.wait(PATIENCE)
    with serving(str(database), tmp_path) as service:
        assert service.url
