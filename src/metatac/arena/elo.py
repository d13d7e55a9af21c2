"""The difference in strength that scores speak of, in Elo, and how sure it is."""

import math
from dataclasses import dataclass

from metatac.arena.likelihood import Scores, loss, smoothed

Z95 = 1.959963984540054
"""Standard deviations on each side of the mean that hold 95 % of a normal distribution."""

FEW = 20
"""Pairs, below which their variance is not trusted."""

NORMALIZED = 800 / math.log(10)
"""Normalized Elo in one standard deviation of a game's score."""


def elo_of(score: float) -> float:
    """The Elo difference at which this score is expected; infinite for 0 and 1."""
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return 400 * math.log10(score / (1 - score))


def whole_elo(elo: float) -> str:
    """A rating or a difference for people: with its sign, and nothing less than nothing."""
    return f"{round(elo):+d}" if round(elo) else "0"


def score_of(elo: float) -> float:
    """The score that is expected at this Elo difference."""
    return float(1 / (1 + 10 ** (-elo / 400)))


@dataclass(frozen=True, slots=True)
class Estimate:
    """What pairs of games say about the first player's strength relative to the second's."""

    pairs: float
    score: float
    variance: float
    """Of the score of one pair."""
    elo: float
    error: float | None
    """Half the width of the 95 % interval that the variance gives; None where it reaches 0 or 1."""
    low: float
    high: float
    """The 95 % interval by likelihood, in Elo: it lies better than ± where one side nearly always wins."""
    los: float
    """Likelihood of superiority: how likely it is that the first player is the stronger one, from 0 to 1."""
    normalized: float | None
    """The difference in normalized Elo, which tells how many games it takes to see it."""


def estimate(scores: Scores) -> Estimate | None:
    """The estimate, from the first player's view; None where nothing was played."""
    pairs = sum(scores.values())
    if not pairs:
        return None
    score = sum(count * value for value, count in scores.items()) / pairs
    variance = sum(count * (value - score) ** 2 for value, count in scores.items()) / pairs
    low, high = likely_scores(scores, score)
    return Estimate(
        pairs=pairs,
        score=score,
        variance=variance,
        elo=elo_of(score),
        error=_error(score, Z95 * math.sqrt(variance / pairs)),
        low=elo_of(low),
        high=elo_of(high),
        los=_los(scores, pairs, score, variance / pairs),
        normalized=(score - 0.5) / math.sqrt(2 * variance) * NORMALIZED if variance else None,
    )


def likely_scores(scores: Scores, score: float) -> tuple[float, float]:
    """The least and the greatest mean that 95 % allow: further out more than Z95² / 2 of log-likelihood is lost."""
    counts = smoothed(scores)

    def furthest(end: float) -> float:
        inside, outside = score, end
        while abs(outside - inside) > 1e-7:
            middle = (inside + outside) / 2
            if loss(counts, middle) > Z95**2 / 2:
                outside = middle
            else:
                inside = middle
        return end if end in (0, 1) and abs(inside - end) < 1e-6 else inside

    return furthest(counts[0][0]), furthest(counts[-1][0])


def _error(score: float, width: float) -> float | None:
    if not width or score - width <= 0 or score + width >= 1:
        return None
    return (elo_of(score + width) - elo_of(score - width)) / 2


def _los(scores: Scores, pairs: float, score: float, variance: float) -> float:
    sigmas = (score - 0.5) / math.sqrt(variance) if variance else math.inf
    if pairs < FEW or not variance:
        # The variance of a few pairs says little, and nothing where all are the same. The likelihood does.
        likely = math.copysign(math.sqrt(2 * max(0.0, loss(smoothed(scores), 0.5))), score - 0.5)
        sigmas = min(sigmas, likely, key=abs)
    return math.erfc(-sigmas / math.sqrt(2)) / 2
