"""Positions as text and as pickles, at random points of random games of random rules."""

import pickle
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import random_game, rule_sets

import metatac
from metatac.errors import InvalidPosition

seeds = st.integers(0, 2**32)


@given(rule_sets(), seeds)
@settings(max_examples=150, deadline=None)
def test_positions_read_back(rules: metatac.RuleSet, seed: int) -> None:
    chance = random.Random(seed)
    game = random_game(rules, chance, 300 if rules.cells < 1000 else 40)
    points = game.positions if len(game) < 30 else [*chance.sample(game.positions, 20), game.position]
    for position in points:
        again = metatac.position(position.text)
        assert again == position, position.text
        assert hash(again) == hash(position)
        assert again.text == position.text
        assert again.legal_moves == position.legal_moves
        assert again.outcome == position.outcome
        assert metatac.position(position.text, rules) == position
        assert pickle.loads(pickle.dumps(position)) == position
        assert eval(repr(position), {"metatac": metatac}) == position
        for move in position.legal_moves[:5]:
            assert position.parse(str(move)) == move


@given(rule_sets(most_side=3), seeds)
@settings(max_examples=100, deadline=None)
def test_legal_moves_are_those_that_play_takes(rules: metatac.RuleSet, seed: int) -> None:
    """Ascending, each once, and no other move of the game can be played."""
    chance = random.Random(seed)
    position = random_game(rules, chance, chance.randrange(60)).position
    legal = position.legal_moves
    assert list(legal) == sorted(set(legal))
    assert (legal == ()) == (position.outcome is not None)
    length = rules.depth + rules.marks - 1
    for _ in range(40):
        move = metatac.Move(chance.randrange(rules.size) for _ in range(length))
        assert position.is_legal(move) == (move in legal)
        if move in legal:
            assert position.play(move) != position
        else:
            with pytest.raises(metatac.errors.IllegalMove):
                position.play(move)
    if rules.swap:
        assert position.is_legal(metatac.Move.SWAP) == (metatac.Move.SWAP in legal)


BAD = {
    "nothing": "four fields",
    "ultimate X - 9/9/9/9/9/9/9/9": "8 boards, but 9 are wanted",
    "ultimate X - 9/9/9/9/9/9/9/9/9/9": "10 boards",
    "ultimate Z - 9/9/9/9/9/9/9/9/9": "turn 'Z'",
    "ultimate O - 9/9/9/9/9/9/9/9/9": "X has as many marks as O, which cannot be with O",
    "ultimate X - X8/9/9/9/9/9/9/9/9": "X has 1 mark more than O",
    "ultimate X - XX7/9/9/9/9/9/9/9/9": "X has 2 marks more than O",
    "ultimate X - O8/9/9/9/9/9/9/9/9": "O has 1 mark more than X",
    "ultimate X+ - 9/9/9/9/9/9/9/9/9": "no bonus moves",
    "ultimate X j 9/9/9/9/9/9/9/9/9": "send 'j' names no board",
    "ultimate X aa 9/9/9/9/9/9/9/9/9": "send 'aa' names no board",
    "ultimate X - 8/9/9/9/9/9/9/9/9": "has 8 cells",
    "ultimate X - 91/9/9/9/9/9/9/9/9": "has 91 cells",
    "ultimate X - Z8/9/9/9/9/9/9/9/9": "not of the form",
    "ultimate X - #8/9/9/9/9/9/9/9/9": "no banned squares",
    "ultimate X - 9:X/9/9/9/9/9/9/9/9": "owned by X, who has no line",
    "ultimate X - XXX6/OO7/O8/9/9/9/9/9/9": "has a line of X, but no owner",
    "ultimate X - XXXOOO3:X/9/9/9/9/9/9/9/9": "lines of both",
    "ultimate X - 9:12/9/9/9/9/9/9/9/9": "no tallies",
    "ultimate X a XXX6:X/OO7/O8/9/9/9/9/9/9": "decided, so the move is free",
    "tic-tac-toe X a 9": "names no board",
    "tic-tac-toe X - 9:X": "has no owner",
    "sudoku X - X8/O8/9/9/9/9/9/9/9": "no free move",
    "sudoku X a XO7/#8/9/9/9/9/9/9/9": "is banned, but board a is not full",
    "sudoku{side=2} X a XOXO/4/4/4": "should be banned",
    "nogame X - 9": "'nogame' is no built-in game",
    "ultimate{side=9} X - 9": "side",
    "ultimate-ultimate X - 9/9/9/9/9/9/9/9/9|9": "2 groups of boards, but 9",
}


@pytest.mark.parametrize("text", BAD)
def test_texts_of_no_position_are_refused(text: str) -> None:
    with pytest.raises(InvalidPosition) as caught:
        metatac.position(text)
    assert BAD[text] in str(caught.value)
    assert text in str(caught.value)


def test_bans_that_only_hold_each_other_up_are_refused() -> None:
    """Every square here is banned because of another grid that is full only by its bans: no game leads there."""
    with pytest.raises(InvalidPosition, match="banned"):
        metatac.position("sudoku{side=2} X - X###/#O##/##X#/###O")
