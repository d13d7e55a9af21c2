"""Elo and its error bars, against published figures and by simulation."""

import math
import random
from collections import Counter
from collections.abc import Callable
from itertools import combinations_with_replacement

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metatac.arena import CELLS, elo_of, estimate, score_of
from metatac.arena.elo import whole_elo


def pairs(*counts: int) -> dict[float, float]:
    return dict(zip(CELLS, counts, strict=True))


def games(wins: int, losses: int, draws: int) -> dict[float, float]:
    """Single games in place of pairs: the same arithmetic with three scores."""
    return {0.0: losses, 0.5: draws, 1.0: wins}


@given(st.floats(-2000, 2000))
def test_elo_and_score_are_inverse(elo: float) -> None:
    assert elo_of(score_of(elo)) == pytest.approx(elo, abs=1e-6)


def test_nothing_has_no_sign() -> None:
    assert [whole_elo(elo) for elo in (-0.4, 0.0, 0.4, -0.6, 12.3)] == ["0", "0", "0", "-1", "+12"]


def test_the_textbook_figures() -> None:
    assert score_of(400) == pytest.approx(10 / 11)
    assert elo_of(0.75) == pytest.approx(190.85, abs=0.005)
    assert elo_of(0.5) == 0
    assert elo_of(1) == math.inf and elo_of(0) == -math.inf


# fastchess, app/tests/elo_test.cpp; its counts are LL, LD, WL, DD, WD, WW.
@pytest.mark.parametrize(
    ("counts", "elo", "error", "los", "normalized"),
    [
        (pairs(34, 54, 31 + 32, 64, 75), 55.58, 27.65, 1.0, 57.94),
        (pairs(332, 433, 457 + 41, 333, 334), -8.64, 10.33, 0.0505, -9.17),
        (pairs(7895, 8757, 5485 + 200, 568, 9999), -21.04, 2.95, 0.0, -19.01),
    ],
)
def test_pentanomial_figures_of_fastchess(
    counts: dict[float, float], elo: float, error: float, los: float, normalized: float
) -> None:
    found = estimate(counts)
    assert found is not None and found.error is not None
    assert found.elo == pytest.approx(elo, abs=0.006)
    assert found.error == pytest.approx(error, abs=0.006)
    assert found.los == pytest.approx(los, abs=0.00006)
    assert found.normalized == pytest.approx(normalized, abs=0.006)
    assert found.low == pytest.approx(elo - error, abs=0.3)
    assert found.high == pytest.approx(elo + error, abs=0.3)


# The first two from fastchess's test, the others from the logs of engines that cutechess-cli has measured.
@pytest.mark.parametrize(
    ("wins", "losses", "draws", "elo", "error", "los"),
    [
        (136, 96, 111, 40.70, 30.43, 0.9960),
        (76, 89, 123, None, None, 0.1553),
        (449, 276, 275, 60.7, 18.5, None),
        (382, 320, 298, 21.6, 18.1, 0.990),
        (382, 304, 314, 27.2, 17.9, 0.9985),
        (1086, 963, 336, 17.9, 12.9, 0.997),
        (234, 135, 35, 86.9, 33.4, None),
    ],
)
def test_figures_of_single_games(
    wins: int, losses: int, draws: int, elo: float | None, error: float | None, los: float | None
) -> None:
    found = estimate(games(wins, losses, draws))
    assert found is not None
    if elo is not None:
        assert found.elo == pytest.approx(elo, abs=0.06)
        assert found.error == pytest.approx(error, abs=0.06)
    if los is not None:
        assert found.los == pytest.approx(los, abs=0.0006)


def test_nothing_played_says_nothing() -> None:
    assert estimate({}) is None
    assert estimate(pairs(0, 0, 0, 0, 0)) is None


def test_a_clean_sweep_has_a_lower_end_only() -> None:
    found = estimate(pairs(0, 0, 0, 0, 100))
    assert found is not None
    assert found.elo == found.high == math.inf and found.error is None
    # All of n won: a mean m is as likely as m^n, and 95 % allow a loss of 1.92.
    assert found.low == pytest.approx(elo_of(math.exp(-1.9207 / 100)), abs=2)
    assert found.los > 0.999


def test_one_pair_is_not_certainty() -> None:
    won, drawn = estimate({1.0: 1}), estimate({0.5: 1})
    assert won is not None and drawn is not None
    assert 0.8 < won.los < 0.95 and drawn.los == 0.5
    assert won.low < 0 and drawn.low < -200 and drawn.high > 200


@given(st.lists(st.integers(0, 50), min_size=5, max_size=5).filter(any))
def test_the_other_view_is_the_mirror(counts: list[int]) -> None:
    found, mirrored = estimate(pairs(*counts)), estimate(pairs(*counts[::-1]))
    assert found is not None and mirrored is not None
    assert found.elo == pytest.approx(-mirrored.elo, abs=1e-6)
    assert found.low == pytest.approx(-mirrored.high, abs=0.01)
    assert found.los == pytest.approx(1 - mirrored.los, abs=1e-6)
    assert found.low <= found.elo <= found.high


def coverage(draw: Callable[[random.Random], float], truth: float, count: int, rounds: int) -> tuple[float, float]:
    """How often ± and the interval hold the truth."""
    chance = random.Random(7)
    by_variance = by_likelihood = finite = 0
    for _ in range(rounds):
        found = estimate(Counter(draw(chance) for _ in range(count)))
        assert found is not None
        if found.error is not None:
            finite += 1
            by_variance += abs(found.elo - truth) <= found.error
        by_likelihood += found.low <= truth <= found.high
    return by_variance / finite, by_likelihood / rounds


@pytest.mark.parametrize(
    "shares", [(0.1, 0.2, 0.4, 0.2, 0.1), (0.05, 0.1, 0.3, 0.3, 0.25), (0.01, 0.02, 0.07, 0.2, 0.7)]
)
def test_95_percent_intervals_hold_the_truth_in_95_percent(shares: tuple[float, ...]) -> None:
    truth = elo_of(sum(cell * share for cell, share in zip(CELLS, shares, strict=True)))
    by_variance, by_likelihood = coverage(lambda chance: chance.choices(CELLS, shares)[0], truth, 150, 1500)
    assert 0.93 <= by_variance <= 0.97
    assert 0.93 <= by_likelihood <= 0.97


def test_intervals_of_points_hold_the_truth_too() -> None:
    def draw(chance: random.Random) -> float:
        return round(0.5 + sum(round(chance.gauss(1, 5)) for _ in range(2)) / 288, 12)

    by_variance, by_likelihood = coverage(draw, elo_of(0.5 + 2 / 288), 60, 1000)
    assert 0.93 <= by_variance <= 0.97
    assert 0.93 <= by_likelihood <= 0.97


@pytest.mark.parametrize("pairs", [1, 2, 3, 5, 9])
def test_few_pairs_are_not_surer_of_who_is_better_than_their_interval(pairs: int) -> None:
    for cells in combinations_with_replacement((0.0, 0.25, 0.5, 0.75, 1.0), pairs):
        found = estimate(Counter(cells))
        assert found is not None
        assert found.los < 0.976 or found.low > -1, cells
        assert found.los > 0.024 or found.high < 1, cells
