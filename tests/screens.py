"""The full-screen client driven without a terminal: run a script against it, and read the screen as plain text."""

import asyncio
import difflib
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from metatac.rules import RuleSet, load_rules
from metatac.table import Seats, plan_game
from metatac.tui.client import Client

SCREENS = Path(__file__).parent / "tui" / "screens"
PATIENCE = 240.0
LOOKS = 100
"""How often a screen is looked at before it is another for good: the last of a layout may take a moment."""
QUIET = 5
"""How often in a row nothing may be waiting before we believe it."""

Script = Callable[[Client, Pilot[None]], Awaitable[None]]


def client_for(game: "str | RuleSet", x: str = "human:Ann", o: str = "human:Bob", **plan: Any) -> Client:
    """A client that keeps nothing on disk and whose clock stands still."""
    rules = game if isinstance(game, RuleSet) else load_rules(game)
    return Client(plan_game(rules, Seats(x, o, seed=7), **plan), keep=False, clock=lambda: 0.0)


def drive(client: Client, script: Script, size: tuple[int, int] = (80, 24)) -> None:
    """Run a script against the client, and let everybody go afterwards whatever happens."""

    async def run() -> None:
        async with client.run_test(size=size) as pilot:
            for name in ("press", "click", "pause", "resize_terminal"):
                setattr(pilot, name, settled(client, getattr(pilot, name)))
            await pilot.pause()
            await script(client, pilot)

    try:
        asyncio.run(run())
    finally:
        client.close_table()


def settled(client: Client, action: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    """The pilot's action, done only when every message that it led to has been dealt with, however slow the machine.

    The pilot itself takes a process that gets no time for one that has nothing to do.
    """

    async def wrapped(*arguments: Any, **named: Any) -> Any:
        result = await action(*arguments, **named)
        quiet = 0
        while quiet < QUIET and client.is_running:
            await asyncio.sleep(0.001)
            shown = client.screen.walk_children(with_self=True) if client.screen_stack else ()
            nodes = (client, *shown)
            quiet = 0 if any(node.message_queue_size for node in nodes) else quiet + 1
        return result

    return wrapped


async def until(pilot: Pilot[None], condition: Callable[[], bool], what: str, patience: float = PATIENCE) -> None:
    """Wait for something to become true; it is named if it never does."""
    deadline = asyncio.get_running_loop().time() + patience
    while not condition():
        assert asyncio.get_running_loop().time() < deadline, f"never came true: {what}"
        await pilot.pause(0.01)
    await pilot.pause()


async def persons_turn(client: Client, pilot: Pilot[None]) -> None:
    await until(pilot, lambda: client.table.waiting in ("person", "over"), "a person's turn, or the end")


def screen_text(client: Client) -> str:
    """Everything on the screen, without colours."""
    strips = client.screen._compositor.render_strips()
    return "\n".join(strip.text.rstrip() for strip in strips) + "\n"


async def check_screen(client: Client, pilot: Pilot[None], name: str) -> None:
    """Compare the screen with the one that is kept; `UPDATE_SCREENS=1 pytest tests/tui` keeps the present ones."""
    file = SCREENS / f"{name}.txt"
    if os.environ.get("UPDATE_SCREENS"):
        await pilot.pause(0.5)
        file.write_text(screen_text(client), "utf-8", newline="\n")
    kept = file.read_text("utf-8")
    for _ in range(LOOKS):
        seen = screen_text(client)
        if seen == kept:
            break
        await pilot.pause(0.1)
    changes = difflib.unified_diff(kept.splitlines(), seen.splitlines(), "kept", "seen", lineterm="")
    assert seen == kept, f"{file.name} is another; if that is right: UPDATE_SCREENS=1\n" + "\n".join(changes)
