"""Nothing that comes from a keyboard, a mouse, a clipboard or a window manager makes the client fall over."""

import random

import pytest
from screens import client_for, drive, screen_text
from textual import events
from textual.pilot import Pilot

from metatac.rules import load_rules, preset_names
from metatac.tui.client import Client

KEYS = (
    *"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
    *("up", "down", "left", "right", "ctrl+up", "shift+down", "ctrl+left", "shift+right", "tab", "shift+tab"),
    *("enter", "space", "home", "end", "pageup", "pagedown", "backspace", "delete", "escape", "insert"),
    *("plus", "minus", "comma", "full_stop", "less_than_sign", "greater_than_sign", "question_mark", "colon"),
    *("f1", "f5", "f6", "f7", "f8", "f9", "f11", "f12", "ctrl+a", "ctrl+z", "ctrl+y", "ctrl+p", "ctrl+r", "ctrl+l"),
    *("é", "ß", "字", "😀", "¿", "percent_sign", "at", "tilde", "left_square_bracket"),
)
"""Keys that quit, open the dialog of players or ask an engine are left out."""


COMMANDS = (
    *("undo", "undo 3", "undo 99999", "redo", "redo 5", "go 3", "go 99", "pause", "sides", "swap", "rematch", "play"),
    *("new", "new sudoku", "new [red]", "new /nowhere.toml", "load /nowhere", "load /", "save /dev/null/x", "save \0"),
    *("resign", "draw", "zoom +", "zoom fit", "zoom x", "panel", "theme", "time", "help", "now", "1 1", "é", "[b]"),
)
SIZES = ((1, 1), (19, 7), (20, 8), (40, 12), (80, 24), (3, 60), (120, 40), (200, 60))
PASTES = ("ee", "aaab", "1 1", "1 2 1 3", "\x00\x1b[31m", "字" * 100, "x" * 1000, "  ", "[/]")
EVENTS = 25


async def anything(client: Client, pilot: Pilot[None], chance: random.Random) -> None:
    """Press, click, type, paste or resize something."""
    kind = chance.choices(("key", "click", "command", "paste", "resize"), (60, 12, 18, 5, 5))[0]
    if kind == "key":
        await pilot.press(chance.choice(KEYS))
    elif kind == "click":
        width, height = client.size
        await pilot.click(offset=(chance.randrange(width), chance.randrange(height)))
    elif kind == "command":
        client.action_do(chance.choice(COMMANDS))
    elif kind == "paste":
        client.post_message(events.Paste(chance.choice(PASTES)))
    else:
        await pilot.resize_terminal(*chance.choice(SIZES))
    await pilot.pause()


@pytest.mark.parametrize("game", preset_names())
def test_anything_in_any_order(game: str) -> None:
    async def script(client: Client, pilot: Pilot[None]) -> None:
        chance = random.Random(game)
        for _ in range(EVENTS):
            await anything(client, pilot, chance)
            if not client.is_running:  # it has hit a button that leaves: whatever went wrong is raised behind us
                return
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert screen_text(client).strip()

    drive(client_for(game, "human:Ann", "random", time="1m"), script)


def test_windows_of_every_size() -> None:
    sizes = [(10, 5), (1, 1), (20, 8), (80, 24), (3, 60), (200, 4), (40, 12), (300, 100), (79, 23), (2, 2), (80, 24)]

    async def script(client: Client, pilot: Pilot[None]) -> None:
        first = screen_text(client)
        for size in sizes:
            await pilot.resize_terminal(*size)
            await pilot.pause()
            await pilot.press("right", "down")
            if size == (10, 5):
                assert "larger" in screen_text(client)
        assert screen_text(client) != first  # only the cursor's board differs: the layout has come back
        assert screen_text(client).splitlines()[-2:] == first.splitlines()[-2:]

    drive(client_for("ultimate-ultimate"), script)


@pytest.mark.parametrize("game", [*preset_names(), "sudoku{side=7}", "sudoku{side=2}"])
def test_every_game_in_small_and_large_windows(game: str) -> None:
    async def script(client: Client, pilot: Pilot[None]) -> None:
        for size in ((40, 12), (200, 60)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            lines = screen_text(client).splitlines()
            assert len(lines) == size[1] and max(map(len, lines)) <= size[0]
            assert "X begins anywhere" in lines[-2]

    drive(client_for(load_rules(game)), script)


def test_pastes() -> None:
    async def script(client: Client, pilot: Pilot[None]) -> None:
        for text in ("x" * 1_000_000, "\x00\x1b[31m\ud800"[:5], "字" * 150, "ee\n", "   ", "a" * 201, "1 1\n"):
            client.post_message(events.Paste(text))
            await pilot.pause()
        assert [str(move) for move in client.table.match.moves] == ["ee"]
        assert "O must play in board e" in client.message
        await pilot.press("colon")
        client.typing.post_message(events.Paste("y" * 1_000_000))
        await pilot.pause()
        assert len(client.typing.value) <= 300
        await pilot.press("q", "q", "q", "q", "q", "q", "q", "q", "q", "enter")
        assert "no command" in client.message

    drive(client_for("ultimate"), script)


def test_clicks_everywhere() -> None:
    async def script(client: Client, pilot: Pilot[None]) -> None:
        for y in range(0, 24, 5):
            for x in range(0, 80, 13):
                await pilot.click(offset=(x, y))
        assert client.is_running

    drive(client_for("extreme", "human:Ann", "random"), script)


def test_without_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    async def script(client: Client, pilot: Pilot[None]) -> None:
        await pilot.press("e", "e", "f11")
        assert "NO_COLOR" in client.message
        text = screen_text(client)
        assert "╔e══════════╗" in text and "[X]" in text

    drive(client_for("ultimate"), script)


def test_the_panel_comes_and_goes_with_the_size_of_the_window() -> None:
    async def script(client: Client, pilot: Pilot[None]) -> None:
        for size, has_panel in (((50, 24), False), ((200, 60), True), ((50, 24), False)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert client.has_panel is has_panel, size

    drive(client_for("ultimate"), script, (200, 60))
