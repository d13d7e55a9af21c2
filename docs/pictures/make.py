"""Draw the pictures of this folder from the positions in positions.txt: `make pictures`."""

import asyncio
from pathlib import Path

import metatac
from metatac.game import parse_move
from metatac.table import Plan, Seats, plan_game
from metatac.tui.client import Client

HERE = Path(__file__).parent
PLAYERS = Seats("human:Ann", "human:Bob")
GAME = "dd dg gi ih hg gd de ef fi if fa aa ag gh hd di ie ec ce ei ia ai ii ae df fh ha be fe ch ga ca bb bc"
"""Of a game of ultimate, the first moves."""


def pictures() -> dict[str, str]:
    """The file name and the text of every picture."""
    drawn = {}
    for line in (HERE / "positions.txt").read_text("utf-8").splitlines():
        if not line.startswith("#"):
            move, text = line.split(" ", 1)
            position = metatac.position(text)
            last = parse_move(position.rules, move)
            size = 720 if position.rules.depth == 3 else 480
            drawn[f"{position.rules.name}.svg"] = metatac.board_svg(position, last=last, size=size)
    return drawn


def screens() -> dict[str, str]:
    """The same of the full-screen client."""
    lines = (HERE / "positions.txt").read_text("utf-8").splitlines()
    extreme, deep = (
        metatac.position(line.split(" ", 1)[1])
        for name in (" extreme ", " ultimate-ultimate ")
        for line in lines
        if name in line
    )
    return {
        "terminal-ultimate.svg": screen(plan_game("ultimate", PLAYERS, opening=GAME.split()), (80, 24)),
        "terminal-extreme.svg": screen(plan_game(extreme, PLAYERS, time="none"), (80, 37), "f11"),
        "terminal-ultimate-ultimate.svg": screen(plan_game(deep, PLAYERS), (76, 40)),
    }


def screen(plan: Plan, size: tuple[int, int], *keys: str) -> str:
    """What the client shows of a game in a window of so many columns and lines, after some keys."""
    client = Client(plan, keep=False, clock=lambda: 0.0)

    async def drawn() -> str:
        async with client.run_test(size=size) as pilot:
            await pilot.press(*keys)
            # The size of a part may follow from that of another: it takes some rounds until all have theirs.
            for _ in range(5):
                await pilot.pause(0.1)
            return client.export_screenshot(title=plan.match.rules.title)

    try:
        return asyncio.run(drawn())
    finally:
        client.close_table()


if __name__ == "__main__":
    for name, text in (pictures() | screens()).items():
        (HERE / name).write_text(text, "utf-8", newline="\n")
        print(HERE / name)
