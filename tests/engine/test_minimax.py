"""Exact minimax: against published values, a naive search, and itself under symmetry."""

import json
import random
from pathlib import Path

import numpy as np
import pytest
from proofs import value_of
from strategies import some_position

import metatac
from metatac.engine.alphabeta import minimax
from metatac.engine.memory import ONE
from metatac.engine.worker import Table, Worker
from metatac.game import Position, symmetries

GOLDEN = Path(__file__).parent.parent / "golden" / "sudoku-calculator.jsonl"
CALCULATED = [json.loads(line) for line in GOLDEN.read_text().splitlines()]


def estimate(position: Position) -> float:
    """The evaluation of a position, in X's view."""
    return Worker(position.rules, Table(0.001), selective=False).begin(position)


def calculated(position: Position) -> float:
    """What the calculator says of a position before it looks ahead, from the cells alone."""
    side = position.rules.side
    worth = [0.0, 1 / 6, 1 / 2, 1.0] if side == 3 else [0.0] * side + [1.0]
    if side != 3:
        for marks in range(side - 1, 0, -1):
            worth[marks] = worth[marks + 1] / (side - marks + 1.1)
    grid = [range(row * side, (row + 1) * side) for row in range(side)]
    grid += [range(column, side * side, side) for column in range(side)]
    grid += [range(0, side * side, side + 1), range(side - 1, side * side - 1, side - 1)]
    total = 0.0
    for board in range(side * side):
        for line in grid:
            cells = [position.board(board)[cell] for cell in line]
            for mark, other, sign in (("X", "O", 1), ("O", "X", -1)):
                if other not in cells and "#" not in cells:
                    total += sign * worth[cells.count(mark)]
    return total


def naive(position: Position, depth: int) -> float:
    """Plain minimax over the readable game, without pruning, in X's view."""
    outcome = position.outcome
    if depth == 0 and position.rules.count == "lines":  # even if the game is over
        return calculated(position)
    if outcome is not None:
        return position.rules.utility_of(outcome.winner, outcome.points)
    if depth == 0:
        return estimate(position)
    values = [naive(position.play(move), depth - 1) for move in position.legal_moves]
    return max(values) if position.turn == "X" else min(values)


@pytest.mark.parametrize("golden", CALCULATED, ids=lambda g: f"{g['side']}-{len(g['moves'])}-{g['depth']}")
def test_the_calculators_values(golden) -> None:  # type: ignore[no-untyped-def]
    position = metatac.start("sudoku", side=golden["side"])
    for numbers in golden["moves"]:
        position = position.play(tuple(numbers))
    if golden["depth"] == 0:
        value = estimate(position)
    elif position.outcome is not None:
        value = position.rules.utility_of(position.outcome.winner, position.outcome.points)
    else:
        value = minimax(position, golden["depth"]).value_x
    assert value == pytest.approx(golden["value"], abs=1e-9)


@pytest.mark.parametrize("side", [2, 3])
def test_the_calculator_looks_at_lines_at_its_last_ply_even_if_the_game_is_over(side: int) -> None:
    for seed in range(12):
        game, chance = metatac.Game(metatac.start("sudoku", side=side)), random.Random(seed)
        while game.outcome is None:
            game.push(chance.choice(game.legal_moves))
        for depth in (1, 2, 3):
            game.pop()
            found = {one.move: one.value_x for one in minimax(game.position, depth).moves}
            for move, value in found.items():
                assert value == pytest.approx(naive(game.position.play(move), depth - 1), abs=1e-8)


@pytest.mark.parametrize("name", metatac.preset_names())
def test_minimax_is_the_naive_search(name: str) -> None:
    for seed, plies in enumerate((3, 9, 25)):
        position = some_position(name, plies, seed)
        if len(position.legal_moves) > 30:
            continue
        depth = 1 if position.rules.depth == 3 else 2
        found = {one.move: one.value_x for one in minimax(position, depth).moves}
        assert set(found) == set(position.legal_moves)
        for move, value in found.items():
            assert value == pytest.approx(naive(position.play(move), depth - 1), abs=1e-8)


@pytest.mark.parametrize("name", [n for n in metatac.preset_names() if n != "ultimate-ultimate"])
def test_pruning_and_the_table_change_nothing(name: str) -> None:
    for seed in range(3):
        position = some_position(name, 12 + 7 * seed, seed)
        with_table = minimax(position, 4)
        without = Worker(position.rules, Table(0), selective=False)
        without.begin(position)
        sign = 1 if position.turn == "X" else -1
        for one in with_table.moves:
            value = sign * value_of(without, position, one.move, 4) / ONE
            assert one.value_x == value


def test_tic_tac_toe_is_a_draw_and_every_position_is_valued_right() -> None:
    assert minimax(metatac.start("tic-tac-toe"), 9).value_x == 0
    for seed in range(40):
        position = some_position("tic-tac-toe", 1 + seed % 6, seed)
        assert minimax(position, 9).value_x == naive(position, 9)


@pytest.mark.parametrize("name", ["ultimate", "extreme", "sudoku"])
def test_symmetric_positions_have_the_same_value(name: str) -> None:
    position = some_position(name, 14, 5)
    values = {round(minimax(turn.position(position), 3).value_x, 9) for turn in symmetries(position.rules)}
    assert len(values) == 1


def test_estimates_are_never_as_good_as_a_won_game() -> None:
    for name in metatac.preset_names():
        rules = metatac.load_rules(name)
        if rules.count == "lines":
            continue
        win = rules.utility_of("X", (rules.win_points, 0))
        for seed in range(20):
            assert abs(estimate(some_position(name, 10 * seed % 60, seed))) < win


def test_the_evaluation_does_not_care_which_player_is_called_x() -> None:
    for name in ("ultimate", "extreme", "tic-tac-ku"):
        position = some_position(name, 20, 3)
        mirror = str.maketrans("XO", "OX")
        swapped = position.replaced(
            cells=position.cells.translate(mirror),
            owners=tuple(owners.translate(mirror) for owners in position.owners),
            turn="O" if position.turn == "X" else "X",
        )
        assert np.isclose(estimate(position), -estimate(swapped))
