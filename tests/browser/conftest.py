"""A real server in a process of its own, and one Chromium for all tests; each test has visitors of its own."""

import contextlib
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import psutil
import pytest
from browsing import PATIENCE
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Playwright, expect, sync_playwright


class Server:
    """`metatac serve` at a free port with a database of its own."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        database = str(folder / "games.db")
        command = [sys.executable, "-m", "metatac", "serve", "--port", "0", "--db", database, *arguments]
        environment = os.environ | {"METATAC_DATA_DIR": str(folder), "PYTHONUNBUFFERED": "1"}
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
        )
        self.arena = str(folder / "arena.db")
        self.lines: list[str] = []
        self.url = self._listen()
        # Somebody must go on reading, or the pipe fills and the server stands still.
        self.reader = threading.Thread(target=lambda: self.lines.extend(self.process.stdout or ()), daemon=True)
        self.reader.start()

    def _listen(self) -> str:
        for line in self.process.stdout or ():
            self.lines.append(line)
            if found := re.search(r"http://[\w.:\[\]-]+", line):
                return found[0].rstrip("/")
        raise AssertionError("the server did not start:\n" + "".join(self.lines))

    @contextlib.contextmanager
    def thinking(self) -> Iterator[None]:
        """Engines that have something to do think about it as long as this lasts."""
        children = psutil.Process(self.process.pid).children(recursive=True)
        engines = [child for child in children if "metatac.server.engine_process" in child.cmdline()]
        assert engines
        for engine in engines:
            engine.suspend()
        try:
            yield
        finally:
            for engine in engines:
                with contextlib.suppress(psutil.NoSuchProcess):  # one that does not answer is replaced after a while
                    engine.resume()

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.reader.join()
        assert self.process.stdout is not None
        self.process.stdout.close()


def warm(url: str) -> None:
    """Wait until the engines move and analyse: where nothing is compiled yet, that takes minutes."""
    with httpx.Client(base_url=f"{url}/api", timeout=60) as client:
        wish = {"game": "tic-tac-toe", "opponent": "engine", "level": 1, "side": "O", "time": "none"}
        id = client.post("/games", json=wish).raise_for_status().json()["id"]
        wait_for(lambda: len(client.get(f"/games/{id}").json()["moves"]) > 0)
        record = client.post("/records/export", json={"start": "tic-tac-toe X - 9", "moves": ["e", "a"]}).text
        job = client.post("/analysis/game", json={"record": record}).raise_for_status().json()["job"]
        wait_for(lambda: client.get(f"/analysis/game/{job}").json()["state"] == "done")


def wait_for(condition: Callable[[], bool], seconds: float = 900) -> None:
    limit = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < limit, "the engines did not get ready"
        time.sleep(0.25)


def tournament(folder: Path) -> str:
    """The database of a small tournament."""
    file = str(folder / "arena.db")
    players = ("random:1", "random:2", "random:3")
    options = ("--game", "tic-tac-toe", "--name", "Three at random", "--database", file)
    command = [sys.executable, "-m", "metatac", "arena", "run", *players, *options]
    subprocess.run(command, check=True, capture_output=True)
    return file


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("serve")
    running = Server(folder, "--arena", tournament(folder))
    try:
        warm(running.url)
        yield running
    finally:
        running.stop()


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        if os.environ.get("CI"):
            pytest.fail("no chromium on the path")
        pytest.skip("no chromium on the path")
    arguments = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    opened = playwright.chromium.launch(executable_path=program, args=arguments)
    yield opened
    opened.close()


Visit = Callable[..., Page]


@pytest.fixture
def visit(browser: Browser, server: Server) -> Iterator[Visit]:
    """Makes visitors, each with cookies of its own. Errors in the console and requests to elsewhere fail the test."""
    expect.set_options(timeout=PATIENCE)
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def make(path: str = "/", refusals: bool = False, **how: object) -> Page:
        """``refusals``: the test is about what the server refuses, which Chromium reports in the console."""
        settings = {"base_url": server.url, "reduced_motion": "reduce", "viewport": {"width": 1280, "height": 800}}
        context = browser.new_context(**(settings | how))
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
        page.on("console", lambda said: None if harmless(said, refusals) else complaints.append(said.text))
        page.on("request", lambda r: None if local(r.url, server.url) else complaints.append(f"outside: {r.url}"))
        page.goto(path)
        expect(page.locator("main[data-page]")).to_be_attached()
        return page

    yield make
    for context in contexts:
        context.close()
    assert not complaints


def harmless(said: ConsoleMessage, refusals: bool) -> bool:
    refused = refusals and re.search("the server responded with a status of 4(03|09|22)", said.text)
    return bool(refused) or said.type not in ("error", "warning")


def local(url: str, base: str) -> bool:
    return url.startswith((base, base.replace("http", "ws", 1), "data:", "blob:"))
