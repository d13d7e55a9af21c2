"""How fast alpha-beta is beside the kernel's random games, as a ratio in one run, and how soon it reaches depth 12.

python benchmarks/search.py [--rounds N] [--game G ...]
"""

import argparse
import statistics
import time

import metatac
from metatac import kernel
from metatac.engine.alphabeta import AlphaBeta, Limits

GOAL = 0.08
"""Of the search's nodes/s beside random plies/s, on ``ultimate``."""
DEPTH, SECONDS = 12, 3.0
"""So deep from the start of ``ultimate``, in at most so many seconds."""
GAMES = 200_000
NODES = 8_000_000


def rate_of_plies(first: metatac.Position, seed: int) -> float:
    games = GAMES if first.rules.depth == 2 else GAMES // 100
    begin = time.process_time()
    played = kernel.playouts(first, games, seed=seed)
    return played.plies / (time.process_time() - begin)


def rate_of_nodes(search: AlphaBeta, first: metatac.Position) -> float:
    search.clear()
    begin = time.process_time()
    found = search.think(first, Limits(nodes=NODES))
    return found.nodes / (time.process_time() - begin)


def measure(name: str, rounds: int) -> None:
    """One line: the search's rate, and the median of its ratio to the random plies."""
    first = metatac.start(name)
    search = AlphaBeta(first.rules, threads=1)
    rate_of_nodes(search, first)  # touch the memory
    rates = [(rate_of_nodes(search, first), rate_of_plies(first, number)) for number in range(rounds)]
    ratio = statistics.median(nodes / plies for nodes, plies in rates)
    verdict = "" if name != "ultimate" else f"  >= {GOAL}  {'met' if ratio >= GOAL else 'MISSED'}"
    print(f"{name:<20}{rates[-1][0]:>14,.0f} nodes/s   {ratio:.3f} of the random plies/s{verdict}", flush=True)


def depth_twelve(rounds: int) -> None:
    """How long the start of ``ultimate`` takes, from scratch."""
    search, took = AlphaBeta(metatac.load_rules("ultimate"), threads=1), []
    for _ in range(rounds):
        search.clear()
        begin = time.process_time()
        search.think(metatac.start("ultimate"), Limits(depth=DEPTH))
        took.append(time.process_time() - begin)
    middle = statistics.median(took)
    print(f"depth {DEPTH} of ultimate in {middle:.3f} s  <= {SECONDS}  {'met' if middle <= SECONDS else 'MISSED'}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--game", nargs="*", default=list(metatac.preset_names()))
    wanted = parser.parse_args()
    for name in wanted.game:
        measure(name, wanted.rounds)
    depth_twelve(wanted.rounds)


if __name__ == "__main__":
    main()
