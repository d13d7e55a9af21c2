"""The sequential test, against published figures, by brute force and by simulation."""

import math
import random
from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metatac.arena import CELLS, Sprt, elo_of, score_of
from metatac.arena.likelihood import loss, smoothed
from metatac.errors import ArenaError


# fastchess, app/tests/sprt_test.cpp ("logistic"): pairs as LL, LD, WL + DD, WD, WW, or single games.
@pytest.mark.parametrize(
    ("scores", "elo0", "elo1", "llr"),
    [
        (dict(zip(CELLS, (223, 9863, 20279 + 1000, 10037, 246), strict=True)), 0.5, 2.5, -3.07),
        (dict(zip(CELLS, (871, 26175, 55003 + 980, 26678, 821), strict=True)), 0, 2, -4.98),
        ({0.0: 21184, 0.5: 40708, 1.0: 21404}, 0.5, 2.5, -1.57),
        ({0.0: 57030, 0.5: 106593, 1.0: 57433}, 0, 2, -2.59),
    ],
)
def test_figures_of_fastchess(scores: dict[float, float], elo0: float, elo1: float, llr: float) -> None:
    assert Sprt(elo0, elo1).llr(scores) == pytest.approx(llr, abs=0.006)


def test_bounds_are_the_published_ones() -> None:
    assert (Sprt(0, 5).lower, Sprt(0, 5).upper) == pytest.approx((-2.94, 2.94), abs=0.005)
    assert (Sprt(0, 5, 0.1, 0.05).lower, Sprt(0, 5, 0.1, 0.05).upper) == pytest.approx((-2.89, 2.25), abs=0.005)


def test_decisions() -> None:
    test = Sprt(0, 5)
    assert [test.decision(llr) for llr in (-3, -2.9, 0, 2.9, 3)] == ["H0", None, None, None, "H1"]
    assert test.llr({}) == 0.0


@pytest.mark.parametrize("values", [(5, 0), (0, 0), (0, math.inf), (0, 5, 0), (0, 5, 0.05, 0.7)])
def test_a_test_that_makes_no_sense_is_refused(values: tuple[float, ...]) -> None:
    with pytest.raises(ArenaError):
        Sprt(*values)


@pytest.mark.parametrize("values", [(0, 6400), (-1e9, 1e9), (-4001, 0)])
def test_strengths_that_no_score_tells_apart_are_refused(values: tuple[float, float]) -> None:
    with pytest.raises(ArenaError, match=r"-4000 to 4000"):
        Sprt(*values)


def test_the_widest_test_there_is_can_be_decided() -> None:
    assert Sprt(-4000, 4000).llr({1.0: 1}) > 3 > -3 > Sprt(-4000, 4000).llr({0.0: 1})
    assert math.isfinite(Sprt(-4000, 4000).llr({0.4: 3, 0.6: 1}))


@given(st.tuples(st.integers(1, 60), st.integers(1, 60), st.integers(1, 60)), st.floats(0.2, 0.8))
def test_the_loss_is_that_of_the_best_of_all_distributions(counts: tuple[int, int, int], mean: float) -> None:
    """Three scores and a mean leave one number free: all of its values are tried."""
    scores = [(0.0, float(counts[0])), (0.5, float(counts[1])), (1.0, float(counts[2]))]
    total = sum(counts)
    free = sum(count * math.log(count / total) for count in counts)
    steps = 4000
    best = -math.inf
    for step in range(1, steps):
        draws = min(mean, 1 - mean) * 2 * step / steps
        wins = mean - draws / 2
        shares = (1 - wins - draws, draws, wins)
        if min(shares) > 0:
            best = max(best, sum(count * math.log(share) for count, share in zip(counts, shares, strict=True)))
    assert loss(scores, mean) == pytest.approx(free - best, abs=2e-3 * (1 + abs(free - best)))


@given(st.lists(st.integers(0, 10**6), min_size=5, max_size=5).filter(any), st.floats(-800, 790), st.floats(1, 200))
def test_every_ratio_is_a_number_and_mirrors(counts: list[int], elo0: float, width: float) -> None:
    scores = dict(zip(CELLS, map(float, counts), strict=True))
    mirrored = dict(zip(CELLS, map(float, counts[::-1]), strict=True))
    llr = Sprt(elo0, elo0 + width).llr(scores)
    assert math.isfinite(llr)
    assert llr == pytest.approx(-Sprt(-elo0 - width, -elo0).llr(mirrored), rel=1e-6, abs=1e-6)


def test_small_differences_of_points_are_not_drowned_by_empty_cells() -> None:
    chance = random.Random(3)
    scores = Counter(round(0.504 + chance.randrange(-20, 21) / 1000, 12) for _ in range(200))
    mean, count = sum(s * n for s, n in scores.items()) / 200, 200
    variance = sum(n * (s - mean) ** 2 for s, n in scores.items()) / 200
    s0, s1 = score_of(0), score_of(4)
    normal = count * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance)
    assert Sprt(0, 4).llr(scores) == pytest.approx(normal, rel=0.1)
    assert len(smoothed(scores)) <= len(scores) + 5


def outcomes(draw: Callable[[random.Random], float], test: Sprt, rounds: int) -> Counter[str]:
    chance = random.Random(11)
    found: Counter[str] = Counter()
    for _ in range(rounds):
        scores: Counter[float] = Counter()
        decision = None
        while decision is None:
            scores[draw(chance)] += 1
            decision = test.decision(test.llr(scores))
        found[decision] += 1
    return found


@pytest.mark.parametrize(("elo", "right"), [(0, "H0"), (60, "H1")])
def test_it_errs_no_more_often_than_promised(elo: float, right: str) -> None:
    shift = (score_of(elo) - 0.5) / 1.5
    shares = (0.12 - shift, 0.2 - shift, 0.36, 0.2 + shift, 0.12 + shift)
    assert elo_of(sum(c * s for c, s in zip(CELLS, shares, strict=True))) == pytest.approx(elo, abs=1e-6)
    rounds = 600
    found = outcomes(lambda chance: chance.choices(CELLS, shares)[0], Sprt(0, 60), rounds)
    # 5 % is promised; three standard deviations of 600 tests are 2.7 %, and a small sample costs a little.
    assert 1 - found[right] / rounds <= 0.085
