"""What the evaluation knows of a rule set: tables and weights as arrays, made by hand today.

The compiled evaluation (``evaluate.py``) reads one array of whole numbers (where things are) and one of weights.
Whoever learns better weights replaces the second; nothing else changes.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from metatac.kernel.tables import Words
from metatac.rules import RuleSet
from metatac.rules.patterns import Pattern

# -- the plan: a header, then lists of patterns (how many; then for each its length and its cells)

MODE = 0  # CHANCES or LINES
UPPER_LINES = 1  # where the patterns of upper board 0 are listed, and in the next entry those of the others
PLAN_HEADER = 8
CHANCES, LINES = 0, 1

# -- the weights

LINE_CHANCE = 0  # [missing marks]: how likely a line that is still open gets completed, in a small board
LINE_VALUE = 128  # [own marks]: what an open line is worth where lines are counted
FREE_MOVE = 192  # to the player who moves freely, of the scale
BOARD_SHARE = 193  # how much of the scale the boards themselves are worth, beside the lines they make
SCALE = 194  # the greatest utility
LINE_SHARE = 195  # how much lines of boards are worth, of the scale: minus where they lose
MARGIN = 196  # how much a move is taken to change an estimate at most, in units of utility
KOMI = 197  # what X must have more: lines, or the part of all that the boards are worth
BOARD_VALUE = 200  # of each board on the board of the game, of the scale, all together 1
WEIGHTS = 256

SURE = 0.96
"""An estimate is at most so much of the greatest utility: a game that is not over is never as good as won."""


class Knowledge(NamedTuple):
    """The two arrays of a rule set."""

    plan: Words
    weights: NDArray[np.float64]


@lru_cache(maxsize=64)
def knowledge(rules: RuleSet) -> Knowledge:
    """The hand-made knowledge of a rule set."""
    plan, weights = np.zeros(PLAN_HEADER, dtype=np.int64), np.zeros(WEIGHTS, dtype=np.float64)
    lists: list[int] = plan.tolist()
    lists[MODE] = LINES if rules.count == "lines" and rules.line == "nothing" else CHANCES
    levels = (rules.patterns[0], rules.patterns[1] if rules.depth == 3 else ())
    for entry, patterns in zip((UPPER_LINES, UPPER_LINES + 1), levels, strict=True):
        lists[entry] = len(lists)
        lists += _listed(patterns)
    _line_weights(rules, weights)
    _game_weights(rules, weights)
    return Knowledge(np.array(lists, dtype=np.int64), weights)


def _listed(patterns: tuple[Pattern, ...]) -> list[int]:
    return [len(patterns), *(number for pattern in patterns for number in (len(pattern), *pattern))]


def _line_weights(rules: RuleSet, weights: NDArray[np.float64]) -> None:
    for missing in range(50):
        weights[LINE_CHANCE + missing] = 0.35**missing
    worth = [0.0] * (rules.side + 1)
    worth[rules.side] = 1.0
    if rules.side == 3:
        worth = [0.0, 1 / 6, 1 / 2, 1.0]
    else:
        for marks in range(rules.side - 1, 0, -1):
            worth[marks] = worth[marks + 1] / (rules.side - marks + 1.1)
    for marks in range(50):
        # By marks alone: an explicit pattern that is longer than the side counts as complete from there on.
        weights[LINE_VALUE + marks] = worth[marks] if marks <= rules.side else 1.0


def _game_weights(rules: RuleSet, weights: NDArray[np.float64]) -> None:
    win = rules.greatest_points if rules.points_count else 1.0
    weights[SCALE] = float(win)
    values = np.array(rules.values or (1,) * rules.size, dtype=np.float64)
    weights[BOARD_VALUE : BOARD_VALUE + rules.size] = values / values.sum()
    weights[LINE_SHARE] = {"wins": 1.0, "loses": -1.0, "nothing": 0.0}[rules.line]
    weights[BOARD_SHARE] = 0.3 if rules.line == "wins" else 0.0 if rules.line == "loses" else 1.0
    if rules.count == "boards" or rules.boards_to_win:
        weights[BOARD_SHARE] = 1.0 if rules.boards_to_win else 0.6
    weights[FREE_MOVE] = 0.02
    if rules.most_wins:
        weights[KOMI] = rules.komi if rules.count == "lines" else rules.komi / float(values.sum())
    weights[MARGIN] = 0.3 if rules.count == "lines" and rules.points_count else 0.06 * win
