"""What a result is worth: the one integer, and the points of a forfeit."""

import pytest

import metatac
import metatac.errors
from metatac.game import Position
from metatac.kernel import State, playouts


def finished(position: Position) -> Position:
    while position.outcome is None:
        position = position.play(position.legal_moves[0])
    return position


@pytest.mark.parametrize(
    ("game", "winner", "points", "utility"),
    [
        ("ultimate", "X", (1, 0), 1),
        ("ultimate", None, (0.5, 0.5), 0),
        ("misere-ultimate", "O", (0, 1), -1),
        ("intelligent", "O", (0, 16), -16),
        ("intelligent", None, (9, 5), 4),
        ("extreme", None, (20, 34), -14),
        ("sudoku", "X", (7, 5), 2),
    ],
)
def test_utilities(game: str, winner: str | None, points: tuple[float, float], utility: int) -> None:
    assert metatac.load_rules(game).utility_of(winner, points) == utility  # type: ignore[arg-type]


def test_with_komi_the_utility_is_who_wins() -> None:
    rules = metatac.load_rules("sudoku", komi=3.5)
    assert rules.utility_of("O", (4, 2)) == -1
    totals = playouts(metatac.start(rules), 2000, seed=1)
    assert totals.utility == totals.x_wins - totals.o_wins
    end = finished(metatac.start(rules))
    assert end.outcome is not None
    assert State(end).utility == rules.utility_of(end.outcome.winner, end.outcome.points)


@pytest.mark.parametrize(
    ("game", "options", "points"),
    [
        ("ultimate", {}, 1),
        ("intelligent", {}, 16),
        ("extreme", {}, 68),
        ("sudoku", {}, 72),
        ("sudoku", {"side": 4}, 160),
        ("ultimate", {"count": "lines", "points": "count", "win_points": 500}, 500),
        ("intelligent", {"forfeit_points": 3}, 3),
    ],
)
def test_a_forfeit_is_worth_the_most_there_is_unless_stated(game: str, options: dict[str, object], points: int) -> None:
    assert metatac.load_rules(game, **options).forfeit_points == points


def test_playouts_of_a_finished_game_are_that_game() -> None:
    end = finished(metatac.start("ultimate"))
    assert end.outcome is not None
    totals = playouts(end, 100)
    assert totals.plies == 0
    assert totals.utility == 100 * end.rules.utility_of(end.outcome.winner, end.outcome.points)


def test_a_key_is_stated_once_in_a_spec() -> None:
    with pytest.raises(metatac.errors.RulesError, match="side is stated twice"):
        metatac.load_rules("ultimate{side=3;side=4}")


def test_arguments_that_cannot_be_are_named() -> None:
    position = metatac.start("tic-tac-toe")
    with pytest.raises(metatac.errors.InvalidArgument, match="games -5"):
        playouts(position, -5)
    with pytest.raises(metatac.errors.InvalidMove, match="5 is no move"):
        position.play(5)  # type: ignore[arg-type]
