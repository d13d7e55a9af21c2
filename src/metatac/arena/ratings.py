"""Ratings from all games at once: Davidson's model, which is Bradley and Terry's with draws, and an advantage for X.

A player's strength is a number; with the difference d of X's strength and O's (and what the first move is worth) the
chances of win, draw and loss are as e^(d/2) : ν : e^(-d/2). The strengths, ν and the advantage are the likeliest for
the games, found by Newton's method, which has one maximum to find. The errors come from the curvature there.

A weak prior (as if strengths were spread about the mean with PRIOR Elo) keeps the rating of whoever won or lost all
games finite, and hardly moves the others. Elo are scaled so that between players of nearly the same strength the
expected score is what Elo's formula says, whatever the share of draws, as BayesElo does.
"""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from operator import mul

from metatac.arena.elo import Z95

PRIOR = 800.0
"""The standard deviation of strengths about their mean, in Elo, before any game was played."""

NATURAL = math.log(10) / 400
"""Natural units of strength in one Elo, without draws."""

_LOOSE = 10.0
"""The prior's standard deviation of log ν and of the advantage: nearly none."""

_TINY = 1e-9

Matrix = list[list[float]]


@dataclass(frozen=True, slots=True)
class Ratings:
    """What the games say about the players, each relative to the mean of all of them."""

    elo: list[float]
    error: list[float]
    """Half the width of each 95 % interval."""
    advantage: float
    """What having X is worth, in Elo."""
    draw: float
    """ν: how likely draws are; between equals a game is drawn with probability ν / (2 + ν)."""
    strengths: list[float]
    """In natural units."""
    covariance: Matrix
    """Of the strengths."""

    def superiority(self, a: int, b: int) -> float:
        """How likely it is, from 0 to 1, that the first is the stronger one."""
        variance = self.covariance[a][a] + self.covariance[b][b] - 2 * self.covariance[a][b]
        if variance <= 0:
            return 0.5
        return math.erfc((self.strengths[b] - self.strengths[a]) / math.sqrt(2 * variance)) / 2


def rate(players: int, games: Iterable[tuple[int, int, float]], prior: float | None = PRIOR) -> Ratings:
    """The ratings of so many players from games (X, O, score of X: 1, ½ or 0); ``prior`` None: the games alone."""
    model = _Model(players, Counter(games), prior)
    values = [0.0] * model.size
    for _ in range(100):
        gradient, information = model.slope(values)
        move = _solve(_cholesky(information), gradient)
        values = model.climb(values, move)
        if max(map(abs, move)) < 1e-9:
            break
    return _ratings(players, values, model)


def chances(difference: float, log_draw: float) -> tuple[float, float, float]:
    """Win, draw and loss at a difference of strength in natural units."""
    top = max(abs(difference) / 2, log_draw)
    win, draw, loss = (math.exp(power - top) for power in (difference / 2, log_draw, -difference / 2))
    total = win + draw + loss
    return win / total, draw / total, loss / total


class _Model:
    """The log-likelihood of strengths, advantage and log ν, in this order, and how it bends."""

    def __init__(self, players: int, games: "Counter[tuple[int, int, float]]", prior: float | None) -> None:
        self.players, self.size = players, players + 2
        counts: dict[tuple[int, int], list[int]] = {}
        for (x, o, score), count in games.items():
            counts.setdefault((x, o), [0, 0, 0])[round(2 - 2 * score)] += count
        self.counts = [(x, o, *wdl) for (x, o), wdl in counts.items()]
        loose = _TINY if prior is None else 1 / _LOOSE**2
        self.ridge = [_TINY if prior is None else 1 / (prior * NATURAL) ** 2] * players + [loose, loose]

    def value(self, values: list[float]) -> float:
        advantage, log_draw = values[-2:]
        total = -sum(ridge * value * value for ridge, value in zip(self.ridge, values, strict=True)) / 2
        for x, o, wins, draws, losses in self.counts:
            found = chances(values[x] - values[o] + advantage, log_draw)
            for count, chance in zip((wins, draws, losses), found, strict=True):
                total += count * math.log(max(chance, 1e-300)) if count else 0.0
        return total

    def slope(self, values: list[float]) -> tuple[list[float], Matrix]:
        """The gradient, and the information: minus the second derivatives."""
        home, tie = self.players, self.players + 1
        advantage, log_draw = values[-2:]
        gradient = [-ridge * value for ridge, value in zip(self.ridge, values, strict=True)]
        information = [[0.0] * self.size for _ in range(self.size)]
        for index, ridge in enumerate(self.ridge):
            information[index][index] = ridge
        for x, o, wins, draws, losses in self.counts:
            win, draw, loss = chances(values[x] - values[o] + advantage, log_draw)
            number, mean = wins + draws + losses, (win - loss) / 2
            over, more_draws = (wins - losses) / 2 - number * mean, draws - number * draw
            spread = number * ((win + loss) / 4 - mean * mean)
            shared, draw_spread = -number * mean * draw, number * draw * (1 - draw)
            for index, sign in ((x, 1.0), (o, -1.0), (home, 1.0)):
                gradient[index] += sign * over
                information[index][tie] += sign * shared
                information[tie][index] += sign * shared
                for other, other_sign in ((x, 1.0), (o, -1.0), (home, 1.0)):
                    information[index][other] += sign * other_sign * spread
            gradient[tie] += more_draws
            information[tie][tie] += draw_spread
        return gradient, information

    def climb(self, values: list[float], move: list[float]) -> list[float]:
        """The step, halved until it leads upwards."""
        here = self.value(values)
        for halvings in range(40):
            there = [value + step / 2**halvings for value, step in zip(values, move, strict=True)]
            if self.value(there) >= here - 1e-9 * (1 + abs(here)):
                return there
        return values


def _ratings(players: int, values: list[float], model: _Model) -> Ratings:
    _, information = model.slope(values)
    inverse = _inverse(_cholesky(information))
    mean = sum(values[:players]) / players
    strengths = [value - mean for value in values[:players]]
    # Relative to the mean of all: what the prior or nothing at all says about the mean itself falls out.
    rows = [sum(row[:players]) / players for row in inverse]
    whole = sum(rows[:players]) / players
    covariance = [[inverse[i][j] - rows[i] - rows[j] + whole for j in range(players)] for i in range(players)]
    draw = math.exp(values[-1])
    scale, bend = 2 / (2 + draw), -2 * draw / (2 + draw) ** 2
    with_draw = [inverse[i][-1] - rows[-1] for i in range(players)]
    error = []
    for i, strength in enumerate(strengths):
        slope = strength * bend  # the scale is known only as well as ν
        variance = scale**2 * covariance[i][i] + 2 * scale * slope * with_draw[i] + slope**2 * inverse[-1][-1]
        error.append(Z95 * math.sqrt(max(0.0, variance)) / NATURAL)
    return Ratings(
        elo=[strength * scale / NATURAL for strength in strengths],
        error=error,
        advantage=values[-2] * scale / NATURAL,
        draw=draw,
        strengths=strengths,
        covariance=covariance,
    )


# -- a little linear algebra: there are as many unknowns as players


def _cholesky(matrix: Matrix) -> Matrix:
    """The lower triangle L of a positive matrix, with L Lᵀ the matrix; row i has i + 1 numbers."""
    lower: Matrix = []
    for i, row in enumerate(matrix):
        found: list[float] = []
        for j in range(i):
            found.append((row[j] - sum(map(mul, found, lower[j]))) / lower[j][j])
        found.append(math.sqrt(max(row[i] - sum(map(mul, found, found)), 1e-300)))
        lower.append(found)
    return lower


def _solve(lower: Matrix, right: list[float]) -> list[float]:
    forward: list[float] = []
    for row, value in zip(lower, right, strict=True):
        forward.append((value - sum(map(mul, row, forward))) / row[len(forward)])
    back = [0.0] * len(right)
    for i in reversed(range(len(right))):
        back[i] = (forward[i] - sum(lower[k][i] * back[k] for k in range(i + 1, len(right)))) / lower[i][i]
    return back


def _inverse(lower: Matrix) -> Matrix:
    size = len(lower)
    # Columns of L⁻¹, from the diagonal down; the inverse is their products.
    columns: Matrix = []
    for j in range(size):
        column = [0.0] * j + [1 / lower[j][j]]
        for i in range(j + 1, size):
            column.append(-sum(map(mul, lower[i][j:i], column[j:i])) / lower[i][i])
        columns.append(column)
    inverse = [[0.0] * size for _ in range(size)]
    for i in range(size):
        for j in range(i + 1):
            inverse[i][j] = inverse[j][i] = sum(map(mul, columns[i][i:], columns[j][i:]))
    return inverse
