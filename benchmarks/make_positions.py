"""Write the file of self-play games that `benchmarks/prove.py` measures on.

Both players search a tree (UCT) whose leaves are valued by a batch of random games, after a few random moves that make
the games differ. One line for each game: its first 36 moves, after which it still goes on.

    python benchmarks/make_positions.py > benchmarks/positions/ultimate-selfplay.txt
"""

import argparse
import math
import random

import metatac
from metatac.kernel import playouts

OPENING, PLIES, BATCH = 6, 36, 24


class Node:
    """A position of the tree; its value is the sum of its visits' utilities, in X's view."""

    def __init__(self, position: metatac.Position) -> None:
        self.position, self.visits, self.value = position, 0, 0.0
        self.children: dict[metatac.Move, Node] = {}

    def visit(self, chance: random.Random) -> float:
        """Walk down once, to a new leaf; returns its value."""
        outcome = self.position.outcome
        if outcome is not None:
            found = float(self.position.rules.utility_of(outcome.winner, outcome.points))
        elif self.visits == 0:
            found = playouts(self.position, BATCH, seed=chance.getrandbits(60)).utility / BATCH
        else:
            if not self.children:
                self.children = {move: Node(self.position.play(move)) for move in self.position.legal_moves}
            found = max(self.children.values(), key=self.urgency).visit(chance)
        self.visits += 1
        self.value += found
        return found

    def urgency(self, child: "Node") -> float:
        if child.visits == 0:
            return math.inf
        mean = child.value / child.visits * (1 if self.position.turn == "X" else -1)
        return mean + 0.7 * math.sqrt(math.log(self.visits) / child.visits)

    def best(self) -> metatac.Move:
        return max(self.children, key=lambda move: self.children[move].visits)


def play(visits: int, chance: random.Random) -> list[metatac.Move] | None:
    """The first moves of a game; None if it ends before."""
    moves: list[metatac.Move] = []
    root = Node(metatac.start("ultimate"))
    for ply in range(PLIES):
        while root.visits < visits or not root.children:
            root.visit(chance)
        moves.append(chance.choice(root.position.legal_moves) if ply < OPENING else root.best())
        root = root.children[moves[-1]]
        if root.position.outcome is not None:
            return None
    return moves


def main() -> None:
    parser = argparse.ArgumentParser(description="Write self-play games of ultimate.")
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--visits", type=int, default=1000, help="of the tree, for each move")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    chance, written = random.Random(chosen.seed), 0
    while written < chosen.count:
        moves = play(chosen.visits, chance)
        if moves is not None:
            print(*moves, flush=True)
            written += 1


if __name__ == "__main__":
    main()
