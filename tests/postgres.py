"""A PostgreSQL server of the tests' own: in a temporary folder, on a socket there, gone with the tests."""

import contextlib
import itertools
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

SECONDS = 240.0
"""How long the server may take to start or to stop."""

_numbers = itertools.count(1)


def programs() -> Path | None:
    """The folder of initdb and postgres: the newest of Debian's, or wherever the PATH has them."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: float(path.parts[-3]))
    path = shutil.which("postgres")
    return found[-1].parent if found else Path(path).parent if path else None


@contextlib.contextmanager
def server(fsync: bool = False) -> Iterator[str]:
    """A running server; gives the URL of its socket with ``{}`` where a database's name belongs.

    It does not wait for the disk unless it is told to: nobody kills the machine under a test.
    """
    folder = programs()
    if folder is None:
        if os.environ.get("CI"):
            pytest.fail("PostgreSQL is not installed, and on CI it must be")
        pytest.skip("PostgreSQL is not installed")
    user = "postgres" if os.geteuid() == 0 else None  # it does not run as root
    home = Path(tempfile.mkdtemp(prefix="mt-pg-"))  # short: a socket's path has 107 characters at most
    if user:
        shutil.chown(home, user)
    try:
        command = [folder / "initdb", "-D", home / "data", "-U", "metatac", "-A", "trust", "-E", "UTF8", "--no-sync"]
        subprocess.run(command, user=user, cwd=home, check=True, capture_output=True, timeout=SECONDS)
        disk = f"fsync={'on' if fsync else 'off'}"
        settings = ("listen_addresses=", disk, "max_connections=50", f"unix_socket_directories={home}")
        command = [folder / "postgres", "-D", home / "data", *(part for item in settings for part in ("-c", item))]
        with (home / "log").open("wb") as log:
            process = subprocess.Popen(command, user=user, cwd=home, stdout=log, stderr=log, start_new_session=True)
        try:
            url = f"postgresql://metatac@/{{}}?host={home}"
            _wait_until_it_answers(url.format("postgres"), process, home / "log")
            yield url
        finally:
            process.send_signal(signal.SIGINT)  # ends all connections, then the server
            try:
                process.wait(SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
    finally:
        shutil.rmtree(home, ignore_errors=True)


def _wait_until_it_answers(url: str, process: "subprocess.Popen[bytes]", log: Path) -> None:
    import psycopg

    deadline = time.monotonic() + SECONDS
    while True:
        try:
            psycopg.connect(url, connect_timeout=30).close()
            return
        except psycopg.OperationalError:
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"PostgreSQL does not start: {log.read_text('utf-8', 'replace')[-2000:]}") from None
            time.sleep(0.05)


def fresh_database(url: str) -> str:
    """The URL of a new, empty database on the server."""
    import psycopg

    name = f"test_{os.getpid()}_{next(_numbers)}"
    with psycopg.connect(url.format("postgres"), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return url.format(name)
