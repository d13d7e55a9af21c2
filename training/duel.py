"""Two learned evaluations against each other, at equal numbers of nodes, on all cores.

    python training/duel.py ultimate new.npz old.npz --pairs 200 --nodes 3000

``-`` stands for the evaluation made by hand. Games are played in pairs from random openings, colours swapped.
"""

import argparse
import math
import multiprocessing
import random
from pathlib import Path

import metatac
from metatac.engine.alphabeta import AlphaBeta, Limits
from metatac.engine.learned import expanded
from metatac.game import Position


def searcher(game: str, evaluation: str) -> AlphaBeta:
    """A searcher with that evaluation."""
    learned = None if evaluation == "-" else expanded(Path(evaluation))
    return AlphaBeta(metatac.load_rules(game), megabytes=4, learned=learned)


def opening(game: str, chance: random.Random) -> Position:
    """A position after some random moves that is not over."""
    while True:
        position = metatac.start(game)
        for _ in range(chance.randint(4, 6)):
            if position.outcome is None:
                position = position.play(chance.choice(position.legal_moves))
        if position.outcome is None:
            return position


def play(game: str, evaluations: tuple[str, str], nodes: int, pairs: int, seed: int) -> list[float]:
    """The first one's score in each pair: 0 to 1."""
    chance, scores = random.Random(seed), []
    first, second = (searcher(game, one) for one in evaluations)
    for _ in range(pairs):
        begin, score = opening(game, chance), 0.0
        for side in "XO":
            position = begin
            for one in (first, second):
                one.table.clear()
            while position.outcome is None:
                mover = first if position.turn == side else second
                position = position.play(mover.think(position, Limits(nodes=nodes)).best.move)
            winner = position.outcome.winner
            score += 0.25 if winner is None else 0.5 * (winner == side)
        scores.append(score)
    return scores


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("evaluations", nargs=2)
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--nodes", type=int, default=3000)
    parser.add_argument("--processes", type=int, default=multiprocessing.cpu_count())
    wanted = parser.parse_args()
    each = max(1, wanted.pairs // wanted.processes)
    jobs = [(wanted.game, tuple(wanted.evaluations), wanted.nodes, each, seed) for seed in range(wanted.processes)]
    with multiprocessing.get_context("spawn").Pool(wanted.processes) as pool:
        scores = [score for part in pool.starmap(play, jobs) for score in part]
    mean = sum(scores) / len(scores)
    spread = 1.96 * math.sqrt(sum((score - mean) ** 2 for score in scores) / max(1, len(scores) - 1) / len(scores))
    print(f"{wanted.game}: {' against '.join(wanted.evaluations)}: {mean:.3f} ± {spread:.3f} in {len(scores)} pairs")


if __name__ == "__main__":
    main()
