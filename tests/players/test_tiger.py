"""The tiger, against games from outside the project."""

import json
from pathlib import Path

import pytest

import metatac
from metatac.errors import MatchError
from metatac.match import new_match, run
from metatac.players import load_player

GOLDEN = Path(__file__).parents[1] / "golden" / "sudoku-tiger.jsonl"


def test_golden_games_move_by_move() -> None:
    tiger, moves = load_player("tiger"), 0
    for golden in map(json.loads, GOLDEN.read_text().splitlines()):
        position = metatac.start("sudoku", side=golden["side"], first=golden["first"])
        for numbers in golden["moves"]:
            if position.turn == golden["tiger"]:
                assert tiger.choose(position) == tuple(numbers), position.text
                moves += 1
            position = position.play(tuple(numbers))
    assert moves > 100


@pytest.mark.parametrize("side", [2, 3, 4, 5])
def test_any_side_and_either_seat(side: int) -> None:
    for seats in (("tiger", "random:1"), ("random:1", "tiger")):
        match = run(new_match("sudoku", side=side), (load_player(seats[0]), load_player(seats[1])))
        assert match.result is not None
        assert match.result.reason == "points"


def test_a_free_first_move_is_the_centre_of_the_centre() -> None:
    assert str(load_player("tiger").choose(metatac.start("sudoku"))) == "ee"
    assert str(load_player("tiger").choose(metatac.start("sudoku", side=4))) == "ff"


@pytest.mark.parametrize("name", [name for name in metatac.preset_names() if name != "sudoku"])
def test_other_games_are_refused_with_a_reason(name: str) -> None:
    with pytest.raises(MatchError, match=f"only sudoku.*{name}"):
        load_player("tiger").choose(metatac.start(name))
