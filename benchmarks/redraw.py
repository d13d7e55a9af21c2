"""How long it takes from a key to what is then on the screen, and from the start to the first screen.

    python benchmarks/redraw.py

Measured without a terminal: the time ends when the screen has been drawn anew and turned into what would be sent to
the terminal. What the terminal needs to show it is not in it.
"""

import asyncio
import statistics
import subprocess
import sys
import time

from metatac.table import Seats, plan_game
from metatac.tui.client import Client

ROUNDS = 30
GAMES = (("ultimate", (80, 24), 50), ("extreme", (120, 40), 100), ("ultimate-ultimate", (200, 60), 100))
"""Each game, its window, and the milliseconds that a key may take."""
FIRST_SCREEN = """
import time, sys
from metatac import tui
from metatac.table import Seats, plan_game
from metatac.tui.client import Client
class Shown(Client):
    def on_mount(self):
        super().on_mount()
        self.call_after_refresh(self.exit)
client = Shown(plan_game("ultimate", Seats("human", "human")), keep=False)
client.run(headless=True)
client.close_table()
"""


async def keys(game: str, size: tuple[int, int]) -> dict[str, list[float]]:
    """Milliseconds of cursor keys and of moves, each made and taken back."""
    client = Client(plan_game(game, Seats()), keep=False)
    times: dict[str, list[float]] = {"cursor": [], "move": []}
    async with client.run_test(size=size) as pilot:
        await pilot.pause()
        for number in range(ROUNDS):
            for name, doing in (
                ("cursor", lambda number=number: client.board.action_step(0, 1 if number % 6 < 3 else -1)),
                ("move", lambda: client.table.play(client.table.position.legal_moves[0])),
                ("move", lambda: client.table.undo()),
            ):
                begin = time.perf_counter()
                doing()
                client.screen._compositor.render_update(full=True)
                times[name].append(1000 * (time.perf_counter() - begin))
                await pilot.pause()
    client.close_table()
    return times


def main() -> None:
    for game, size, most in GAMES:
        for name, times in asyncio.run(keys(game, size)).items():
            middle, worst = statistics.median(times), max(times)
            window = f"{size[0]} x {size[1]}"
            print(f"{game:<18} {window:<9} {name:<7} {middle:6.1f} ms  worst {worst:6.1f} ms  of {most} ms")
    begin = time.perf_counter()
    subprocess.run([sys.executable, "-c", FIRST_SCREEN], check=True)
    print(f"start to first screen: {time.perf_counter() - begin:.2f} s, all of Python included")


if __name__ == "__main__":
    main()
