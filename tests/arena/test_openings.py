"""Openings: repeatable, different, and not over."""

from itertools import islice

import pytest

import metatac
from metatac.arena import Opening, default_plies, is_decided, openings
from metatac.errors import ArenaError
from metatac.game import Position


def after(game: str, opening: Opening) -> Position:
    position = metatac.start(game)
    for move in opening.moves:
        position = position.play(move)
    return position


@pytest.mark.parametrize("game", metatac.preset_names())
def test_every_game_has_openings(game: str) -> None:
    rules = metatac.load_rules(game)
    found = list(islice(openings(rules, default_plies(rules), 1), 6))
    assert found == list(islice(openings(rules, default_plies(rules), 1), 6))
    assert found != list(islice(openings(rules, default_plies(rules), 2), 6))
    assert not any(opening.repeated for opening in found)
    assert len({after(game, opening) for opening in found}) == 6
    assert all(after(game, opening).outcome is None for opening in found)


def test_a_small_game_runs_out_of_new_ones_and_says_so() -> None:
    rules = metatac.load_rules("tic-tac-toe")
    found = list(islice(openings(rules, 1, 1), 30))
    assert sum(not opening.repeated for opening in found) + 1 >= 9
    assert len({opening.moves for opening in found}) == 9
    assert [opening.repeated for opening in islice(openings(rules, 0, 1), 3)] == [False, True, True]


def test_openings_that_end_the_game_are_refused() -> None:
    with pytest.raises(ArenaError, match="shorter openings"):
        next(openings(metatac.load_rules("tic-tac-toe"), 9, 1))


@pytest.mark.parametrize(
    ("moves", "decided"),
    [
        ("", False),
        ("a e", False),
        ("a d b", False),  # X threatens, O can block
        ("a d b e", True),  # X wins at once
        ("a b e c i", True),  # over
        ("a b e c g", True),  # two threats at once, and O has none
        ("a e i c", False),  # O threatens, X can block
    ],
)
def test_what_is_decided(moves: str, decided: bool) -> None:
    position = metatac.start("tic-tac-toe")
    for move in moves.split():
        position = position.play(move)
    assert is_decided(position) is decided


def test_no_opening_of_tic_tac_toe_wins_at_once() -> None:
    rules = metatac.load_rules("tic-tac-toe")
    assert not any(is_decided(after("tic-tac-toe", opening)) for opening in islice(openings(rules, 4, 5), 50))
