"""Brute force on the readable rules: what the compiled searches are held to, and small rule sets of every kind."""

import random
from collections.abc import Iterator
from typing import Any

import metatac

SMALL: list[tuple[str, dict[str, Any]]] = [
    ("tic-tac-toe", {"swap": True}),
    ("tic-tac-toe", {"line": "loses"}),
    ("tic-tac-toe", {"patterns": ["rows"]}),
    ("ultimate", {"side": 2}),
    ("ultimate", {"side": 2, "swap": True}),
    ("ultimate", {"side": 2, "bonus": True, "patterns": ["rows", "columns"]}),
    ("ultimate", {"side": 2, "marks": 2}),
    ("ultimate", {"side": 2, "win_board": "tallies", "tallies": 2, "patterns": ["rows"]}),
    ("ultimate", {"side": 2, "win_board": "tallies", "tallies": 2, "marks": 2}),
    ("ultimate", {"side": 2, "ban": True, "patterns": ["rows"]}),
    ("ultimate", {"side": 2, "sent_to_decided": "end", "patterns": ["diagonals"]}),
    ("ultimate", {"side": 2, "depth": 3, "patterns": ["rows"]}),
    ("ultimate", {"side": 2, "depth": 3, "sent_to_decided": "up", "patterns": ["diagonals"]}),
    ("ultimate-ultimate", {"side": 2, "tallies": 1, "patterns": ["rows"]}),
    ("misere-ultimate", {"side": 2, "patterns": ["rows"]}),
    ("ultimate-open", {"side": 2, "patterns": ["columns"]}),
    ("ultimate-majority", {"side": 2, "komi": 0.5, "patterns": ["diagonals"]}),
    ("ultimate-majority", {"side": 2, "line": "nothing", "komi": -1}),
    ("tic-tac-ku", {"side": 2, "boards_to_win": 3}),
    ("tic-tac-ku", {"side": 2, "boards_to_win": 2, "line": "loses", "patterns": ["diagonals"]}),
    ("intelligent", {"side": 2, "patterns": ["rows"], "win_points": 2, "values": [5, 1, 1, 3]}),
    ("extreme", {"side": 2, "patterns": ["rows", "columns"], "values": [6, 4, 4, 3]}),
    ("sudoku", {"side": 2}),
    ("sudoku", {"side": 2, "komi": 1}),
    ("sudoku", {"side": 2, "first": "center", "utility": "result", "komi": 0.5}),
    ("sudoku", {"side": 2, "send": ["any"], "sent_to_decided": "free"}),
]


class TooBig(Exception):
    """Brute force would take too long."""


class Brute:
    """Minimax with memory over the readable rules: the value in X's view, and the plies that a win takes."""

    def __init__(self, most: int) -> None:
        self.values: dict[metatac.Position, tuple[int, int]] = {}
        self.most = most

    def value(self, position: metatac.Position) -> int:
        return self.result(position)[0]

    def result(self, position: metatac.Position) -> tuple[int, int]:
        """(value, plies): who is ahead ends the game soon, who is behind late."""
        if position not in self.values:
            if len(self.values) >= self.most:
                raise TooBig
            outcome = position.outcome
            if outcome is not None:
                found = position.rules.utility_of(outcome.winner, outcome.points), 0
            else:
                sign = 1 if position.turn == "X" else -1
                later = [self.result(position.play(move)) for move in position.legal_moves]
                best = max(later, key=lambda each: (sign * each[0], -each[1] if sign * each[0] > 0 else each[1]))
                found = best[0], best[1] + 1
            self.values[position] = found
        return self.values[position]


def first_result(position: metatac.Position, known: dict[metatac.Position, int], most: int = 1 << 40) -> int:
    """Minimax with memory that looks no further where a win is found; utilities are -1, 0 and 1."""
    if position not in known:
        if len(known) >= most:
            raise TooBig
        outcome = position.outcome
        if outcome is not None:
            known[position] = position.rules.utility_of(outcome.winner, outcome.points)
        else:
            sign, best = (1 if position.turn == "X" else -1), -1
            for move in position.legal_moves:
                best = max(best, sign * first_result(position.play(move), known, most))
                if best == 1:
                    break
            known[position] = sign * best
    return known[position]


def late_positions(rules: metatac.RuleSet, seed: int, most: int = 1500) -> Iterator[tuple[metatac.Position, Brute]]:
    """Positions of a random game with what brute force makes of them: the earliest that it can do, and two later."""
    chance, game = random.Random(f"{rules.digest} {seed}"), metatac.Game(metatac.start(rules))
    while game.outcome is None:
        game.push(chance.choice(game.legal_moves))
    known = [(game.position, Brute(most))]
    while len(game):
        game.pop()
        brute = Brute(most)
        try:
            brute.result(game.position)
        except TooBig:
            break
        known.append((game.position, brute))
    yield from known[-1:-4:-1]
