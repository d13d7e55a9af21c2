"""Ratings: published figures, closed forms, and known strengths that simulated games give back."""

import math
import random

import pytest

from metatac.arena.ratings import NATURAL, Ratings, chances, rate

TEAMS = ("Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore")
# Baseball's American League East of 1987 (Agresti, Categorical Data Analysis): games that each team won and lost at
# home against each of the others, in the order of TEAMS.
AT_HOME = (
    "43 42 43 61 42 60",
    "33 42 43 60 61 43",
    "25 43 24 43 42 60",
    "33 51 25 43 42 61",
    "51 25 33 42 52 60",
    "25 33 34 43 42 24",
    "25 15 16 24 16 34",
)


def baseball() -> list[tuple[int, int, float]]:
    games = []
    for home, row in enumerate(AT_HOME):
        guests = [team for team in range(7) if team != home]
        for guest, (won, lost) in zip(guests, row.split(), strict=True):
            games += [(home, guest, 1.0)] * int(won) + [(home, guest, 0.0)] * int(lost)
    return games


def relative(found: Ratings, to: int = 6) -> list[float]:
    return [strength - found.strengths[to] for strength in found.strengths]


def test_home_advantage_in_baseball_as_published() -> None:
    """The figures of the R package BradleyTerry2 (Turner and Firth 2012, section 2), relative to Baltimore."""
    found = rate(7, baseball(), prior=None)
    expected = [1.6196, 1.4754, 1.3271, 1.2813, 1.1438, 0.7047, 0]
    assert relative(found) == pytest.approx(expected, abs=5e-5)
    assert found.advantage * NATURAL == pytest.approx(0.3023, abs=5e-5)
    errors = [math.sqrt(found.covariance[i][i] + found.covariance[6][6] - 2 * found.covariance[i][6]) for i in range(6)]
    assert errors == pytest.approx([0.3474, 0.3446, 0.3403, 0.3404, 0.3378, 0.3350], abs=5e-5)


def test_baseball_without_home_advantage_as_published() -> None:
    """Every game once more with the sides changed takes the advantage away: what is left is the plain model."""
    games = baseball()
    found = rate(7, games + [(o, x, 1 - score) for x, o, score in games], prior=None)
    assert relative(found) == pytest.approx([1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839, 0], abs=5e-5)
    assert found.advantage == pytest.approx(0, abs=1e-6)


def test_two_players_with_draws_in_closed_form() -> None:
    """With one pair the model has as many parameters as the data: e^d = wins / losses, ν = draws / √(wins · losses)."""
    games = [(0, 1, 1.0)] * 30 + [(0, 1, 0.5)] * 20 + [(0, 1, 0.0)] * 10
    games += [(1, 0, 1 - score) for _, _, score in games]
    found = rate(2, games, prior=None)
    assert found.strengths[0] - found.strengths[1] == pytest.approx(math.log(3), abs=1e-6)
    assert found.draw == pytest.approx(20 / math.sqrt(300), abs=1e-6)


def test_near_even_players_have_the_elo_of_their_score() -> None:
    """52 % with any share of draws is 13.9 Elo, as Elo's formula says."""
    for draws in (0, 200, 600):
        decided = 1000 - draws
        wins = round(520 - draws / 2)
        games = [(0, 1, 1.0)] * wins + [(0, 1, 0.5)] * draws + [(0, 1, 0.0)] * (decided - wins)
        games += [(1, 0, 1 - score) for _, _, score in games]
        found = rate(2, games, prior=None)
        assert found.elo[0] - found.elo[1] == pytest.approx(400 * math.log10(0.52 / 0.48), rel=2e-3)


def test_who_won_everything_has_a_finite_rating_and_a_wide_interval() -> None:
    games = [(0, 1, 1.0), (1, 0, 0.0), (1, 2, 1.0), (2, 1, 0.0), (1, 2, 0.0), (2, 1, 1.0)]
    found = rate(3, games)
    assert 100 < found.elo[0] < 2000 and found.error[0] > 200
    assert found.superiority(0, 1) > 0.8 and found.superiority(1, 2) == pytest.approx(0.5, abs=0.2)


def test_nothing_is_known_about_who_has_not_played() -> None:
    found = rate(3, [(0, 1, 1.0), (1, 0, 1.0)])
    assert found.elo[2] == pytest.approx(0, abs=1e-6) and found.error[2] > 500


def test_superiority_is_a_probability_of_both_sides() -> None:
    found = rate(7, baseball())
    assert found.superiority(0, 6) + found.superiority(6, 0) == pytest.approx(1)
    assert found.superiority(0, 6) > 0.999


def simulate(chance: random.Random, strengths: list[float], advantage: float, draw: float, pairs: int) -> Ratings:
    games = []
    players = range(len(strengths))
    for x, o in [(x, o) for x in players for o in players if x != o]:
        odds = chances(strengths[x] - strengths[o] + advantage, math.log(draw))
        games += [(x, o, score) for score in chance.choices((1.0, 0.5, 0.0), odds, k=pairs)]
    return rate(len(strengths), games)


def coverage(seed: int, tournaments: int, players: int, pairs: int) -> float:
    """How often the 95 % interval holds the truth; strengths, draws and advantage differ between tournaments."""
    chance, inside = random.Random(seed), 0
    for _ in range(tournaments):
        strengths = [chance.gauss(0, 0.8) for _ in range(players)]
        draw = chance.uniform(0.2, 1.5)
        found = simulate(chance, strengths, chance.uniform(-0.2, 0.6), draw, pairs)
        mean = sum(strengths) / players
        for strength, elo, error in zip(strengths, found.elo, found.error, strict=True):
            truth = (strength - mean) * 2 / (2 + draw) / NATURAL
            inside += abs(truth - elo) <= error
    return inside / (tournaments * players)


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    assert 0.93 <= coverage(seed=3, tournaments=100, players=8, pairs=8) <= 0.97


@pytest.mark.verify
def test_intervals_hold_the_truth_in_many_tournaments() -> None:
    for seed, (players, pairs) in enumerate([(4, 20), (8, 6), (16, 3), (30, 1)]):
        assert 0.93 <= coverage(seed, 5000 // players, players, pairs) <= 0.97, (players, pairs)
