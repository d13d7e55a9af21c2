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


@pytest.mark.parametrize("game", ["ultimate", "ultimate-ultimate", "extreme"])
def test_random_keys(game: str) -> None:
    async def script(client: Client, pilot: Pilot[None]) -> None:
        chance = random.Random(game)
        for _ in range(40):
            await pilot.press(chance.choice(KEYS))
        assert client.is_running and screen_text(client).strip()

    drive(client_for(game, "human:Ann", "random"), script)


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
