"""How fast the tree searches are beside the kernel's random games, as ratios of processor time in one run.

python benchmarks/mcts.py [--rounds N] [--game G ...]
"""

import argparse
import statistics
import time

import metatac
from metatac import kernel
from metatac.engine.mcts import TreeSearch

MILLION = 1_000_000
GOAL = 0.6
"""Of the textbook search's iterations beside random games, on ``ultimate``, with a tree of a million nodes."""


def rate_of_games(first: metatac.Position, games: int, seed: int) -> float:
    begin = time.process_time()
    kernel.playouts(first, games, seed=seed)
    return games / (time.process_time() - begin)


def rate_of_iterations(search: TreeSearch, first: metatac.Position, iterations: int) -> float:
    search.clear()
    search.set_position(first)
    begin = time.process_time()
    made = search.run(iterations=iterations)
    return made / (time.process_time() - begin)


def measure(name: str, rounds: int) -> None:
    """One line: random games, both searches, and the medians of their ratios to the games."""
    first = metatac.start(name)
    iterations = MILLION // 2 if first.rules.depth == 2 else 20_000
    searches = [TreeSearch(first.rules, keen=keen, seed=1, hash_mb=512) for keen in (False, True)]
    for search in searches:  # touch the memory
        rate_of_iterations(search, first, iterations)
    ratios: list[list[float]] = [[], []]
    games = 0.0
    for number in range(rounds):
        games = rate_of_games(first, iterations, number)
        for search, found in zip(searches, ratios, strict=True):
            found.append(rate_of_iterations(search, first, iterations) / games)
    uct, mcts = (statistics.median(found) for found in ratios)
    verdict = "" if name != "ultimate" else f"  >= {GOAL}  {'met' if uct >= GOAL else 'MISSED'}"
    print(
        f"{name:<20}{games:>12,.0f} games/s   mcts {mcts:.2f}   uct {uct:.2f}, {searches[0].nodes:,} nodes{verdict}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--game", action="append", help="a preset; all of them if none is named")
    options = parser.parse_args()
    for name in options.game or metatac.preset_names():
        measure(name, options.rounds)


if __name__ == "__main__":
    main()
