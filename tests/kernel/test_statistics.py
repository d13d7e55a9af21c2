"""What random games come to, against figures that were measured elsewhere."""

from typing import Any

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


def exact(position: metatac.Position, known: dict[metatac.Position, tuple[float, float, float]]) -> Any:
    """(X wins, O wins, plies) of random games from a position, to the last digit: all games are looked at."""
    if position.outcome is not None:
        return (position.outcome.winner == "X", position.outcome.winner == "O", 0)
    if position not in known:
        results = [exact(position.play(move), known) for move in position.legal_moves]
        x, o, plies = (sum(part) / len(results) for part in zip(*results, strict=True))
        known[position] = (x, o, plies + 1)
    return known[position]


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("tic-tac-toe", {}),
        ("tic-tac-toe", {"swap": True}),
        ("tic-tac-toe", {"swap": True, "line": "loses"}),
        ("tic-tac-toe", {"swap": True, "patterns": [[0, 1], [1, 4], [3, 6], [5, 8]]}),
        ("sudoku", {"side": 2, "first": "center"}),
    ],
)
def test_playouts_against_all_games(name: str, options: dict[str, Any]) -> None:
    """Every move must be drawn anew: a swap, a third move that repeats the first one's draw would show here."""
    games, first = 400_000, metatac.start(name, **options)
    found, (x, o, plies) = playouts(first, games, seed=1), exact(first, {})
    assert found.x_wins / games == pytest.approx(x, abs=0.004)
    assert found.o_wins / games == pytest.approx(o, abs=0.004)
    assert found.plies / games == pytest.approx(plies, abs=0.02)


def test_misere_turns_the_wins_around() -> None:
    """The same games with the same seed: who won loses."""
    usual, misere = (playouts(metatac.start(name), 50_000, seed=5) for name in ("ultimate", "misere-ultimate"))
    assert (usual.x_wins, usual.o_wins, usual.nobody) == (misere.o_wins, misere.x_wins, misere.nobody)
    assert usual.plies == misere.plies
    assert usual.utility == -misere.utility
