"""A bot in ten lines: it wins the game if it can, else a board if it can, else it plays anywhere.

metatac match bot:examples/ten_lines.py random
"""

import random


def choose(position, clock):
    def worth(move):
        after = position.play(move)
        wins = after.outcome is not None and after.outcome.winner == position.turn
        return wins, position.won_by(position.turn, after), random.random()

    return max(position.legal_moves, key=worth)
