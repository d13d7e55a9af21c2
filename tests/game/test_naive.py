"""Whole random games in lockstep with the naive rules of the tests: three opinions on every position."""

import random
from typing import Any

import naive
import pytest

import metatac
from metatac.kernel import State

ROUNDS = {"ultimate-ultimate": 3, "intelligent": 4, "extreme": 8, "sudoku{side=4;first=center}": 4, "tic-tac-toe": 200}


def test_every_preset_has_a_naive_twin() -> None:
    assert set(metatac.preset_names()) <= set(naive.GAMES)


@pytest.mark.parametrize("name", naive.GAMES)
def test_random_games_in_lockstep(name: str) -> None:
    chance, twin = random.Random(f"lockstep {name}"), naive.GAMES[name]
    for _ in range(ROUNDS.get(name, 15)):
        simple, position = twin.begin(), metatac.start(name)
        state = State(position)
        while True:
            moves = tuple(sorted(twin.moves(simple)))
            assert position.legal_moves == moves == state.legal_moves, position.text
            result = twin.result(simple)
            assert_same_end(position, state, result)
            if result is not None:
                break
            assert position.turn == simple["turn"] == state.position.turn, position.text
            move = chance.choice(moves)
            simple, position = twin.play(simple, move), position.play(move)
            state.push(move)


def assert_same_end(position: metatac.Position, state: State, result: Any) -> None:
    if result is None:
        assert position.outcome is None, position.text
        assert state.over == 0, position.text
        return
    winner, x, o = result
    assert position.outcome is not None, position.text
    assert (position.outcome.winner, *position.outcome.points) == (winner, x, o), position.text
    assert state.over == {"X": 1, "O": 2, None: 3}[winner], position.text
    assert state.utility == position.rules.utility_of(winner, (x, o)), position.text
