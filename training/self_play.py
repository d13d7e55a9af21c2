"""Positions from games that the engine plays against itself: what an evaluation learns from.

    python training/self_play.py ultimate --seconds 60 --processes 16 --nodes 1500 --out games.npz

Each game begins with some random moves. Of every position after them, and of as many that follow on those by a few
random moves, are kept: the states of the nine boards in X's view, the send, who is to move, what the search said (in
the mover's view) and how the game ended (in X's view; UNKNOWN where it was not played).
"""

import argparse
import multiprocessing
import random
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import metatac
from metatac.engine import network as net
from metatac.engine.alphabeta import Roots, codes_of
from metatac.engine.learned import network
from metatac.engine.memory import ONE
from metatac.engine.worker import Table, Worker, least_sure
from metatac.game import Move, Position
from metatac.kernel import layout as at
from metatac.kernel.state import move_of

OPENING = (1, 14)
"""The fewest and the most random moves that a game begins with."""
MISSTEP = 0.12
"""How often any move is made in place of the best: a search looks at much that good players never play."""


ASIDE, UNKNOWN = (1, 3), 2
"""How many random moves lead from a position of a game to one beside it, of which no result is known."""


def described(words: NDArray[np.int64]) -> tuple[NDArray[np.uint16], NDArray[np.uint8]]:
    """The states of the boards in X's view, and the sends, of kernel states in rows."""
    powers = np.array([sum(3**cell for cell in range(9) if mask >> cell & 1) for mask in range(512)])
    boards = words[:, at.STATE_HEADER : at.STATE_HEADER + 9 * at.BOARD].reshape(-1, 9, at.BOARD)
    root = words[:, at.STATE_HEADER + 9 * at.BOARD :]
    states = powers[boards[:, :, 0]] + 2 * powers[boards[:, :, 1]]
    states[boards[:, :, at.AVAILABLE] == 0] = net.NOBODY
    for owner, state in ((0, net.OWN), (1, net.OTHER)):
        states[(root[:, owner, None] >> np.arange(9)) & 1 == 1] = state
    sends = np.where(words[:, at.SPAN] == 1, words[:, at.LOW], 9)
    return states.astype(np.uint16), sends.astype(np.uint8)


def wandered(position: Position, chance: random.Random, moves: tuple[int, int]) -> Position:
    """What some random moves lead to, or the end of the game."""
    for _ in range(chance.randint(*moves)):
        if position.outcome is None:
            position = position.play(chance.choice(position.legal_moves))
    return position


def play(game: str, seed: int, seconds: float, nodes: int) -> dict[str, NDArray[Any]]:
    """Play for so long; the positions as columns."""
    rules, chance = metatac.load_rules(game), random.Random(seed)
    worker = Worker(rules, Table(4), selective=True, learned=network(rules))
    states: list[NDArray[np.int64]] = []
    values: list[float] = []
    results: list[int] = []

    def searched(position: Position) -> Move:
        """The best move of a position, which is kept unless it is won at once: the search sees that by itself."""
        worker.table.begin()
        worker.begin(position, nodes)
        roots = Roots(worker, position, codes_of(position))
        roots.search(1, 1)
        if roots.best < least_sure(rules):
            for depth in range(2, 40):
                if not roots.search(depth, 1) or abs(roots.best) >= least_sure(rules):
                    break
            states.append(worker.words.copy())
            values.append(roots.best / ONE)
        return move_of(rules, int(roots.codes[0]))

    end = time.monotonic() + seconds
    while time.monotonic() < end:
        position = wandered(metatac.start(rules), chance, OPENING)
        first, aside = len(states), list[Position]()
        while position.outcome is None:
            best = searched(position)
            aside.append(wandered(position, chance, ASIDE))
            position = position.play(chance.choice(position.legal_moves) if chance.random() < MISSTEP else best)
        result = rules.utility_of(position.outcome.winner, position.outcome.points)
        results += [result] * (len(states) - first)
        for beside in aside:
            if beside.outcome is None:
                searched(beside)
        results += [UNKNOWN] * (len(states) - len(results))
    words = np.array(states)
    boards, sends = described(words)
    return {
        "boards": boards,
        "send": sends,
        "turn": words[:, at.TURN].astype(np.uint8),
        "value": np.array(values, dtype=np.float32),
        "result": np.array(results, dtype=np.int8),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--processes", type=int, default=multiprocessing.cpu_count())
    parser.add_argument("--nodes", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, required=True)
    wanted = parser.parse_args()
    with multiprocessing.get_context("spawn").Pool(wanted.processes) as pool:
        jobs = [(wanted.game, wanted.seed * 1000 + n, wanted.seconds, wanted.nodes) for n in range(wanted.processes)]
        parts = pool.starmap(play, jobs)
    columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    np.savez(wanted.out, allow_pickle=False, **columns)
    won, drawn, lost = (float((columns["result"] == result).mean()) for result in (1, 0, -1))
    print(f"{len(columns['turn']):,} positions of {wanted.game}; X won {won:.2f}, drew {drawn:.2f}, lost {lost:.2f}")


if __name__ == "__main__":
    main()
