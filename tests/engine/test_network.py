"""The learned evaluation: the compiled whole numbers against plain arithmetic on the file, on positions as played."""

from functools import cache
from importlib.resources import as_file, files

import numpy as np
import pytest
from strategies import some_position

import metatac
from metatac.engine.best_first_tree import outlook
from metatac.engine.learned import network
from metatac.engine.memory import ONE
from metatac.engine.network import NOBODY, NONE, OTHER, OWN
from metatac.engine.weights import SURE
from metatac.engine.worker import Table, Worker
from metatac.game import Position
from metatac.kernel.state import code_of

LEARNED = [name for name in metatac.preset_names() if network(metatac.load_rules(name)) is not None]


def searching(name: str) -> Worker:
    rules = metatac.load_rules(name)
    return Worker(rules, Table(0.1), selective=True, learned=network(rules))


@cache
def saved(name: str) -> dict[str, np.ndarray]:
    with as_file(files("metatac.engine") / "networks" / f"{name}.npz") as file, np.load(file) as arrays:
        return dict(arrays)


def state(position: Position, board: int) -> int:
    """A board's state in the view of the side to move, from the readable position."""
    owner = position.owners[0][board]
    if owner in "XO":
        return OWN if owner == position.turn else OTHER
    cells = position.cells[9 * board : 9 * board + 9]
    if all(cell in "XO" for cell in cells):
        return NOBODY
    digits = [0 if cell not in "XO" else 1 if cell == position.turn else 2 for cell in cells]
    return sum(digit * 3**place for place, digit in enumerate(digits))


def plain_outputs(name: str, position: Position) -> tuple[float, float]:
    """What the network makes of a position in real numbers: the value in X's view, and the chance of a draw."""
    arrays = saved(name)
    vectors = arrays["parts"].astype(float) * arrays["scale"]
    target = position.send[0] if position.send else None
    hidden = arrays["sends"][9 if target is None else target].astype(float)
    for board in range(9):
        hidden = hidden + vectors[state(position, board)] @ arrays["boards"][board]
    hidden = hidden + vectors[NONE if target is None else state(position, target)] @ arrays["boards"][9]
    squares = np.clip(hidden, 0, 1) ** 2
    z = float(squares @ arrays["out"])
    value = z / (1 + abs(z))
    drawn = float(squares @ arrays["draws"]) if "draws" in arrays else 0.0
    return SURE * value * (1 if position.turn == "X" else -1), min(max(drawn, 0.0), 1 - abs(value))


@pytest.mark.parametrize("name", LEARNED)
def test_whole_numbers_say_what_real_ones_do(name: str) -> None:
    worker = searching(name)
    for seed in range(60):
        position = some_position(name, seed, seed)
        value, draw = plain_outputs(name, position)
        assert worker.begin(position) == pytest.approx(value, abs=0.04), position.text
        assert outlook(worker.memory)[1] == pytest.approx(draw, abs=0.04), position.text


def value_after(worker: Worker, position: Position, ply: int) -> int:
    """The value of a leaf in the view of its side to move: over, won at once, or estimated."""
    won = position.rules.utility_of(position.turn, (1, 0)) * (1 if position.turn == "X" else -1) * ONE
    outcome = position.outcome
    if outcome is not None:
        return 0 if outcome.winner is None else ply - won
    for move in position.legal_moves:
        end = position.play(move).outcome
        if end is not None and end.winner == position.turn and end.reason in ("line", "boards"):
            return won - ply - 1
    value = worker.begin(position)
    return round(value * ONE) * (1 if position.turn == "X" else -1)


@pytest.mark.parametrize("name", LEARNED)
def test_the_last_move_is_valued_as_if_it_were_made(name: str) -> None:
    rules = metatac.load_rules(name)
    worker, other = searching(name), searching(name)
    for seed in range(25):
        position = some_position(name, 8 + 2 * seed, seed)
        if len(position.legal_moves) > 12:
            continue
        worker.begin(position)
        for move in position.legal_moves:
            after = position.play(move)
            if after.outcome is not None:
                continue
            at_once = value_after(other, after, 1)
            best = max(-value_after(other, after.play(reply), 2) for reply in after.legal_moves)
            expected = at_once if at_once > ONE - 64 else best
            assert worker.value(code_of(rules, move), 2) == -expected, (after.text, move)


def test_where_a_game_begins_does_not_matter() -> None:
    assert network(metatac.load_rules("ultimate", first="center")) is not None
    assert network(metatac.load_rules("ultimate", side=2)) is None
