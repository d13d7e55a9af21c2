"""A move comes into being letter by letter or cell by cell, and only towards a legal one."""

import random

import pytest

from metatac.errors import IllegalMove, InvalidMove
from metatac.game import Game, Move, position, start
from metatac.rules import load_rules, preset_names
from metatac.tui.entry import Entry


@pytest.mark.parametrize("game", preset_names())
def test_letters_and_cells_make_every_kind_of_legal_move(game: str) -> None:
    chance, played = random.Random(game), Game(game)
    depth = load_rules(game).depth
    while played.outcome is None and len(played) < 40:
        move = chance.choice(played.legal_moves)
        typed = chosen = Entry(played.position)
        for letter in str(move):
            assert typed.move is None
            typed = typed.typed(letter.upper())
        for path in [move[:depth], (*move[: depth - 1], move[-1])][: played.rules.marks]:
            chosen = chosen.chosen(path)
        assert typed.move == chosen.move == move
        played.push(move)


def test_what_leads_nowhere_is_refused_with_the_rules_reason() -> None:
    sent = start("ultimate").play("ee")
    with pytest.raises(IllegalMove, match=r"^'a' may not be played: O must play in board e"):
        Entry(sent).typed("a")
    with pytest.raises(IllegalMove, match="cell e is taken by X"):
        Entry(sent).typed("e").typed("e")
    with pytest.raises(IllegalMove, match="O must play in board e"):
        Entry(sent).chosen((0, 0))
    with pytest.raises(InvalidMove, match="letters are a to i"):
        Entry(sent).typed("j")
    for odd in ("é", "字", "", "ab", "😀"):
        with pytest.raises(InvalidMove, match="names no cell"):
            Entry(sent).typed(odd)


def test_two_marks_one_after_the_other() -> None:
    first = Entry(start("ultimate-ultimate")).chosen((4, 4, 0))
    assert first.own == (4, 4, 0) and first.move is None and first.text == "eea"
    with pytest.raises(IllegalMove, match="both marks cannot go to cell a"):
        first.chosen((4, 4, 0))
    with pytest.raises(InvalidMove, match="on one small board"):
        first.chosen((4, 5, 1))
    assert first.chosen((4, 4, 8)).move == Move((4, 4, 0, 8))
    assert first.back().own is None and first.back().text == "ee"


def test_capitals_are_letters_of_their_own_where_a_board_has_so_many_cells() -> None:
    begin = start("sudoku", side=6)
    assert Entry(begin).typed("a").typed("A").move == Move((0, 26))


def test_a_single_blank_takes_any_address() -> None:
    """With eight marks on a small board the second cell may be one that is taken."""
    rows = "/".join(["9"] * 9)
    here = position("ultimate-ultimate X aa XOXXOOOX1/" + "/".join(["9"] * 8) + "|" + "|".join([rows] * 8))
    entry = Entry(here).chosen((0, 0, 8))
    assert {entry.chosen((0, 0, cell)).move for cell in range(9)} == set(here.legal_moves)
