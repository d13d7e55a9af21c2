"""What the referee costs a move: everything between two moves that no player asked for.

    nice -n -20 python benchmarks/referee.py [--games 15] [--game ultimate] [--pause 0.02]

Wanted: less than 0.3 ms a move for a player in this process, less than 2 ms for a bot in a sandbox, on a machine that
has nothing else to do. For a bot it is the whole way of a move there and back, from the question to the moment at which
all of it stands still again; its own thinking, which is to take the first word of a line, is left in. Before each move
of a bot there is a pause, as if the opponent thought: it is woken from a real stop, and nothing is warm.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

import metatac
from metatac.match import UNLIMITED, Clock, new_match, run
from metatac.players.bots.isolation import Level, obstacle
from metatac.players.bots.process import BotProcess

BOT = "import sys\nfor line in sys.stdin: print(line.split()[0], flush=True)\n"


class First:
    """Plays the first legal move, and measures when it is called, when it asks its bot and when it has answered."""

    def __init__(self, bot: BotProcess | None, pause: float) -> None:
        self.name = "first"
        self.bot, self.pause = bot, pause
        self.called: list[float] = []
        self.asked: list[float] = []
        self.answered: list[float] = []

    def choose(self, position: metatac.Position, clock: Clock = UNLIMITED) -> metatac.Move:
        moves = position.legal_moves
        self.called.append(time.perf_counter())
        time.sleep(self.pause)
        self.asked.append(time.perf_counter())
        move = moves[0]
        if self.bot is not None:
            self.bot.check_silent()
            self.bot.send(" ".join(map(str, moves)))
            move = position.parse(self.bot.read_line(time.monotonic() + 60))
            self.bot.rest()
        self.answered.append(time.perf_counter())
        return move


def between(game: str, level: Level | None, folder: Path, pause: float) -> tuple[list[float], list[float], float]:
    """Of one game: seconds from an answer to the next call, from a question to its answer, and for the start."""
    bot = None
    begin = time.perf_counter()
    if level is not None:
        bot = BotProcess([sys.executable, "-S", "bot.py"], folder=folder, isolation=level)
        bot.start()
    started = time.perf_counter() - begin
    player = First(bot, pause)
    run(new_match(game, time="10s/move", strict=True), (player, player))
    if bot is not None:
        bot.close()
    between = [called - told for told, called in zip(player.answered, player.called[1:], strict=False)]
    return between, [told - asked for asked, told in zip(player.asked, player.answered, strict=True)], started


def middle(values: list[float]) -> str:
    ordered = sorted(1000 * value for value in values)
    return f"{ordered[len(ordered) // 2]:>10.3f}{ordered[int(0.99 * (len(ordered) - 1))]:>10.3f}"


def main() -> None:
    """Measure and print milliseconds: the middle one, and all but one in a hundred."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=15)
    parser.add_argument("--game", default="ultimate")
    parser.add_argument("--pause", type=float, default=0.02)
    options = parser.parse_args()
    print(f"{'ms a move':<22}{'p50':>10}{'p99':>10}     start")
    with tempfile.TemporaryDirectory() as name:
        Path(name, "bot.py").write_text(BOT)
        for level in (None, *Level):
            if level is not None and obstacle(level) is not None:
                print(f"isolation={level}: {obstacle(level)}")
                continue
            pause = 0.0 if level is None else options.pause
            games = [between(options.game, level, Path(name), pause) for _ in range(options.games)]
            # The first way there has the start of the program in it.
            values = [value for ways, answers, _ in games for value in (ways if level is None else answers[1:])]
            title = "in this process" if level is None else f"isolation={level}"
            starts = sorted(1000 * start for _, _, start in games)
            print(f"{title:<22}{middle(values)}{starts[len(starts) // 2]:>10.1f}", flush=True)


if __name__ == "__main__":
    main()
