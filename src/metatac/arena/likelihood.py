"""How much less likely a mean score makes what was observed: the base of the test and of the intervals.

What is observed are scores of pairs of games, each between 0 and 1, and how often each occurred. Where games are won,
drawn or lost there are five of them (hence *pentanomial*); where points count there may be many more, and nothing else
changes. Of all distributions over these scores with a given mean one explains the counts best: it is found in closed
form but for one number, the root of a decreasing function. Fishtest and fastchess compute the same; Proposition 1.1 of
https://www.cantate.be/Fishtest/support_MLE_multinomial.pdf is the reason.
"""

import math
from collections.abc import Mapping

Scores = Mapping[float, float]
"""How many pairs had each score; a score is the mean of both games, from 0 to 1."""

CELLS = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The scores of a pair whose games are won, drawn or lost."""

PRIOR = 1e-3
"""What a cell counts in which nothing was observed, as in Fishtest: no mean is ruled out by a few pairs."""

Counts = list[tuple[float, float]]
"""Scores and their counts, ascending."""


def smoothed(scores: Scores, *means: float) -> Counts:
    """The scores with their counts, each of five cells given a trace if it is empty.

    The cells are those of a pair; but where points count, and differences are small, they are drawn together to as far
    from ½ as anything was seen (and twice as far as the means that are asked about): a far cell, be it ever so empty,
    would let one pair in a thousand explain any mean.
    """
    reach = 0.5
    if not scores.keys() <= set(CELLS):
        reach = max([abs(score - 0.5) for score, count in scores.items() if count])
        reach = min(0.5, max([reach, *(2 * abs(mean - 0.5) for mean in means)]))
    counts = {0.5 + (2 * cell - 1) * reach: PRIOR for cell in CELLS}
    return sorted((counts | {score: count for score, count in scores.items() if count}).items())


def loss(counts: Counts, mean: float) -> float:
    """The log-likelihood that is lost when the distribution must have this mean, which lies within the scores."""
    shifted = [(score - mean, count) for score, count in counts]
    tilt = _tilt(shifted)
    return sum(count * math.log1p(tilt * offset) for offset, count in shifted)


def _tilt(shifted: Counts) -> float:
    """The root of ``sum(count * offset / (1 + tilt * offset))``, by Newton's steps kept between two bounds."""
    low, high = -1 / shifted[-1][0], -1 / shifted[0][0]
    tilt = 0.0
    for _ in range(200):
        value = slope = 0.0
        for offset, count in shifted:
            part = offset / (1 + tilt * offset)
            value += count * part
            slope += count * part * part
        if value > 0:
            low = tilt
        else:
            high = tilt
        # The function falls everywhere, from +inf to -inf; slope is what it falls by.
        following = tilt + value / slope
        if not low < following < high:
            following = (low + high) / 2
        if abs(following - tilt) <= 1e-13 * (1 + abs(tilt)):
            return following
        tilt = following
    return tilt
