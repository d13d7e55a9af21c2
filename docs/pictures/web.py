"""Photograph every page of the web client into docs/pictures/web: `make pictures-web`. Needs Chromium."""

import base64
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright

FOLDER = Path(__file__).parent / "web"
PAGES = {
    "home": "/",
    "new": "/new?game=extreme",
    "lobby": "/lobby",
    "rules": "/rules/sudoku",
    "lesson": "/learn/ultimate?step=2",
    "games": "/rules",
    "archive": "/archive",
    "tournaments": "/tournaments",
    "tournament": "/tournaments/1-1",
    "about": "/about",
}
PHONE = {"width": 360, "height": 740}
LAPTOP = {"width": 1200, "height": 840}
CUPS = (
    ("Autumn cup", "ultimate", ("engine:2", "minimax:2", "greedy", "random")),
    ("Grids", "sudoku", ("greedy", "random")),
)


@contextmanager
def server(folder: str) -> Iterator[str]:
    """`metatac serve` with a database of its own and two tournaments; its address."""
    for name, game, players in CUPS:
        options = ["--name", name, "--game", game, "--database", f"{folder}/arena.db"]
        subprocess.run([sys.executable, "-m", "metatac", "arena", "run", *players, *options], check=True)
    options = ["--port", "0", "--db", f"{folder}/games.db", "--arena", f"{folder}/arena.db"]
    command = [sys.executable, "-u", "-m", "metatac", "serve", *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        lines = (re.search(r"http://\S+", line) for line in process.stdout)
        yield next(found[0] for found in lines if found)
    finally:
        process.terminate()
        process.communicate()


def visitor(browser: Browser, base: str, name: str, scheme: str, viewport: dict[str, int]) -> Page:
    context = browser.new_context(base_url=base, color_scheme=scheme, viewport=viewport, reduced_motion="reduce")
    context.set_default_timeout(600_000)  # the engine may have to be compiled first
    page = context.new_page()
    page.goto("/about")
    page.request.put("/api/me", data={"name": name})
    return page


def keep(page: Page, name: str) -> None:
    (FOLDER / f"{name}.png").write_bytes(smaller(page))
    print(FOLDER / f"{name}.png")


PIXELS = """async (png) => {
    const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes]));
    const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
    canvas.drawImage(image, 0, 0);
    const { data } = canvas.getImageData(0, 0, image.width, image.height);
    let text = "";
    for (let i = 0; i < data.length; i += 30000) text += String.fromCharCode(...data.subarray(i, i + 30000));
    return [image.width, image.height, btoa(text)];
}"""


def smaller(page: Page) -> bytes:
    """A photograph with the 256 colours it has most of, which makes a third of the bytes."""
    width, height, text = page.evaluate(PIXELS, base64.b64encode(page.screenshot()).decode())
    pixels = np.frombuffer(base64.b64decode(text), np.uint8).reshape(-1, 4)[:, :3].astype(np.int64)
    found, where, counts = np.unique(pixels, axis=0, return_inverse=True, return_counts=True)
    colours = found[np.argsort(-counts)[:256]]
    nearest = ((found[:, None, :] - colours[None, :, :]) ** 2).sum(2).argmin(1).astype(np.uint8)
    rows = np.zeros((height, width + 1), np.uint8)  # each row begins with its filter: none
    rows[:, 1:] = nearest[where.ravel()].reshape(height, width)
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    palette = colours.astype(np.uint8).tobytes()
    parts = [(b"IHDR", header), (b"PLTE", palette), (b"IDAT", zlib.compress(rows.tobytes(), 9)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(name, data) for name, data in parts)


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def visit(page: Page, path: str) -> None:
    page.goto(path)
    page.wait_for_selector("main[data-page]:not([aria-busy])")
    page.wait_for_load_state("networkidle")


def play(page: Page, game: str, moves: int) -> str:
    """A game against the engine so many own moves long, or to its end; its id."""
    wish = {"game": game, "opponent": "engine", "level": 2, "side": "X", "time": "5m+3s"}
    id: str = page.request.post("/api/games", data=wish).json()["id"]
    visit(page, f"/game/{id}")
    for _ in range(moves):
        page.wait_for_selector(".board[data-live=yes], .board[data-phase=over]", state="attached")
        if page.locator(".board[data-phase=over]").count():
            break
        made = int(page.locator(".board").get_attribute("data-moves") or 0)
        cells = page.locator(".board .c.may")
        cells.nth(cells.count() // 2).dispatch_event("click")
        if page.locator(".board .c.own").count():
            page.locator(".board .c.may").first.dispatch_event("click")
        page.wait_for_function("n => Number(document.querySelector('.board').dataset.moves) > n", arg=made)
    page.wait_for_selector(".board[data-live=yes], .board[data-phase=over]", state="attached")
    return id


def analyse(page: Page, id: str) -> None:
    visit(page, f"/analysis/{id}?ply=20")
    page.wait_for_selector(".course[data-state=done]")
    page.get_by_role("button", name="Heat map").click()
    page.wait_for_selector(".c.hot", state="attached")
    page.wait_for_selector(".engine[data-state=done]")


def begin(page: Page, **wish: str) -> dict[str, str]:
    made: dict[str, str] = page.request.post("/api/games", data=wish).json()
    return made


def photograph(browser: Browser, base: str) -> None:
    """Three visitors, each with a look of the page; the first one goes everywhere, last, when most has happened."""
    looks = (("Grace", "light", PHONE, "-phone"), ("Alan", "dark", LAPTOP, "-dark"), ("Ada", "light", LAPTOP, ""))
    for name, scheme, viewport, ending in looks:
        page = visitor(browser, base, name, scheme, viewport)
        over = play(page, "ultimate", 60)
        keep(page, f"over{ending}")
        analyse(page, over)
        keep(page, f"analysis{ending}")
        play(page, "ultimate", 9)
        keep(page, f"game{ending}")
        if ending:
            begin(page, game="sudoku" if viewport is PHONE else "extreme", opponent="open", side="O", time="3m+2s")
            invitation = begin(page, game="ultimate", opponent="friend", side="X", time="none")["invite"]
    for game, moves in (("sudoku", 60), ("extreme", 45), ("ultimate-ultimate", 40)):
        play(page, game, moves)
        keep(page, game)
    for name, path in {**PAGES, "join": invitation}.items():
        visit(page, path)
        keep(page, name)
    page.get_by_role("button", name="Settings").click()
    keep(page, "settings")
    visit(page, f"/analysis/{over}?ply=25")
    page.get_by_role("button", name="Set up a position").click()
    keep(page, "setup")


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    program = shutil.which("chromium") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as folder, server(folder) as base, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        photograph(browser, base)
        browser.close()


if __name__ == "__main__":
    main()
