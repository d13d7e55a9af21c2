"""What random games come to, against figures that were measured elsewhere."""

import pytest

import metatac
from metatac.kernel import playouts


def test_random_ultimate_games() -> None:
    games = 400_000
    found = playouts(metatac.start("ultimate"), games, seed=2024, threads=2)
    assert found.games == games
    assert found.x_wins / games == pytest.approx(0.411, abs=0.003)
    assert found.o_wins / games == pytest.approx(0.366, abs=0.003)
    assert found.nobody / games == pytest.approx(0.223, abs=0.003)
    assert found.plies / games == pytest.approx(58.9, abs=0.1)


def test_random_tic_tac_toe_games() -> None:
    """X wins 737/1260 of them, O 121/420 and 8/63 are drawn: worked out by hand long ago."""
    games = 400_000
    found = playouts(metatac.start("tic-tac-toe"), games, seed=3)
    assert found.x_wins / games == pytest.approx(737 / 1260, abs=0.003)
    assert found.o_wins / games == pytest.approx(121 / 420, abs=0.003)
    assert found.nobody / games == pytest.approx(8 / 63, abs=0.003)


def test_misere_turns_the_wins_around() -> None:
    """The same games with the same seed: who won loses."""
    usual, misere = (playouts(metatac.start(name), 50_000, seed=5) for name in ("ultimate", "misere-ultimate"))
    assert (usual.x_wins, usual.o_wins, usual.nobody) == (misere.o_wins, misere.x_wins, misere.nobody)
    assert usual.plies == misere.plies
    assert usual.utility == -misere.utility
