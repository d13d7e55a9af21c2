"""How punctual the engine is: how much later than its time a search ends, and how long a stop takes to be heard.

    python benchmarks/stop.py [--moves 40] [--threads 2] [--hash 2048]

Wanted: at most 10 ms more than the machine itself: the first line is the longest that a loop which only looks at the
clock had to wait, each time. The positions are from anywhere in random games; near their ends the prover joins in. Last
comes one with as many moves as there can be.
"""

import argparse
import random
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

import metatac
from metatac.engine.alphabeta import Limits
from metatac.engine.thinker import Thinker

GAMES: list[tuple[str, dict[str, int]]] = [
    ("tic-tac-toe", {"side": 7}),
    ("ultimate", {}),
    ("extreme", {}),
    ("sudoku", {}),
    ("sudoku", {"side": 5}),
    ("ultimate-ultimate", {}),
]
SECONDS = (0.02, 0.05, 0.1)
LINES = 3


def positions(rules: metatac.RuleSet, count: int, seed: int = 1) -> list[metatac.Position]:
    """Positions of random games, from everywhere in them."""
    chance, found = random.Random(seed), list[metatac.Position]()
    while len(found) < count:
        game = metatac.Game(metatac.start(rules))
        while game.outcome is None:
            game.push(chance.choice(game.legal_moves))
        for _ in range(8):
            found.append(game.positions[chance.randrange(len(game))])
    return found[:count]


def stalled(seconds: float) -> float:
    """The longest time in which nothing happened, of so many seconds: a machine shared with others stands still."""
    begin = before = time.perf_counter()
    longest = 0.0
    while before - begin < seconds:
        now = time.perf_counter()
        longest, before = max(longest, now - before), now
    return longest


def late(thinker: Thinker, position: metatac.Position, seconds: float) -> float:
    """Seconds that a search took beyond its time."""
    begin = time.perf_counter()
    thinker.think(position, Limits(seconds=seconds))
    return time.perf_counter() - begin - seconds


def deaf(thinker: Thinker, position: metatac.Position, seconds: float) -> float:
    """Seconds from a stop to the end of the search that was under way."""
    ended: list[float] = []

    def search() -> None:
        thinker.think(position, Limits(), lines=LINES)
        ended.append(time.perf_counter())

    thread = threading.Thread(target=search)
    thread.start()
    time.sleep(seconds)
    stopped = time.perf_counter()
    thinker.stop()
    thread.join()
    thinker.go()
    return ended[0] - stopped


def line(name: str, what: str, seconds: list[float]) -> str:
    ordered = sorted(1000 * each for each in seconds)
    middle, nearly = ordered[len(ordered) // 2], ordered[int(0.99 * (len(ordered) - 1))]
    return f"{name:<24}{what:<12}{middle:>8.2f}{nearly:>8.2f}{ordered[-1]:>8.2f}"


def main() -> None:
    """Measure and print milliseconds: the middle one, all but one in a hundred, the worst."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--moves", type=int, default=40)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--hash", type=float, default=64, help="MB")
    options = parser.parse_args()
    print(f"{'ms':<36}{'p50':>8}{'p99':>8}{'max':>8}")
    print(line("nothing at all", "stalled", [stalled(SECONDS[i % len(SECONDS)]) for i in range(12 * options.moves)]))
    for name, keys in GAMES:
        rules = metatac.load_rules(name, **keys)
        title = name + "".join(f" {key} {value}" for key, value in keys.items())
        measure(title, rules, positions(rules, options.moves), options)
    rules = metatac.load_rules("ultimate-ultimate")
    measure("  5,832 legal moves", rules, [metatac.start(rules)] * options.moves, options)


def measure(title: str, rules: metatac.RuleSet, some: list[metatac.Position], options: argparse.Namespace) -> None:
    """Measure positions of one game, and print."""
    thinker = Thinker(rules, megabytes=options.hash, threads=options.threads)
    thinker.think(some[0], Limits(seconds=0.05))
    for what, seconds, lines in (("late", late, 1), ("deaf", deaf, LINES)):
        thinker.choose_searcher(Limits(), lines)  # as UGI does when it is asked whether it is ready
        times = [seconds(thinker, position, SECONDS[i % len(SECONDS)]) for i, position in enumerate(some)]
        print(line(title, what, times), flush=True)


if __name__ == "__main__":
    main()
