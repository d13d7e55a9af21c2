"""Positions of which there is something to prove, and what they are worth."""

import random

import numpy as np

import metatac
from metatac.engine.alphabeta import Roots
from metatac.engine.prover import prove
from metatac.engine.worker import Worker
from metatac.game import Move, Position
from metatac.kernel.state import code_of

NARROW = {
    # One move wins, though not at once.
    "ultimate X f 1XOO1O1XO:O/1XXOO1O1O/OO1XO2X1/X2XXOOOO:O/1XOOXO3/X3X2XO/XXXX2O2:X/1O1O1OXOX/X1XX1X1XO": "ff",
    "ultimate X c 1X1OOX1X1/OXO1OX1XX/3OOX2X/XOOX3XX/1OX1XOOXX/XO1X2OOX/O5XXX:X/OX2OOXOO:O/1OOOXOOXO:O": "cb",
    # One move draws, and all others lose.
    "ultimate O c 1XXOOX1X1/OXO1OX1XX/3OOX1XX/XOOX3XX/OOX1XOOXX/XO1X2OOX/O5XXX:X/OX2OOXOO:O/1OOOXOOXO:O": "ca",
    "ultimate X - XO2OXXOX:O/OXOXO2XO:O/3XOXOO1/OO2X3X/XOXO1XOXX:X/O1O1O3O:O/1X2XX1OO/XXX1O1OX1:X/OX1OX1XO1": "ii",
    "ultimate X a O1X1X1OO1/OO1XOXOXX/3X3OX/XX1OXXO1X:X/OXOOXX1OO/1O2O2O1:O/1X1OXXXOX/XO1XX1OXX:X/1O1OO1OOX:O": "ab",
    "ultimate O e XOOOOXO1O:O/X2X1X1XX/X2O1OXX1/XO2XOXX1/4XOXO1/OOXOXXXOO:X/XOOO1XOOX/XOX1OOOXX/O1OX1XXO1": "ec",
    "ultimate X - OX2OO2O:O/XOX1OX1OO:O/O1OOXX1OO/1XXO1X2X:X/XO3X2X/XOXXOOOXO/1XX6/X2O1O1XO/XXXO1XOXO:X": "gg",
}
"""Positions and the only move that keeps what they are worth."""


def truth(position: Position) -> int | None:
    """What a position is worth in X's view, if that is soon proved."""
    return prove(position, memory_mb=2, nodes=100_000, shortest=False).value_x


def value_of(worker: Worker, position: Position, move: Move, depth: int) -> int:
    """What a search of a single move so deep says, in the view of who makes it."""
    roots = Roots(worker, position, np.array([code_of(position.rules, move)]))
    roots.search(depth, 1)
    return roots.best


def late(rules: metatac.RuleSet, plies: int, seed: int) -> Position:
    """A position of a random game, so many plies before its end."""
    chance, game = random.Random(seed), metatac.Game(metatac.start(rules))
    while game.outcome is None:
        game.push(chance.choice(game.legal_moves))
    for _ in range(min(plies, len(game))):
        game.pop()
    return game.position
