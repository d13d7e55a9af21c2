"""The learned evaluation: the compiled whole numbers against plain arithmetic on the file, on positions as played."""

from functools import cache
from importlib.resources import as_file, files
from pathlib import Path

import numpy as np
import pytest
from proofs import value_of
from strategies import some_position

import metatac
from metatac.engine.best_first_tree import outlook
from metatac.engine.learned import LINES, expanded, greatest_sum, network, save
from metatac.engine.memory import ONE
from metatac.engine.network import CLIP, NOBODY, NONE, OTHER, OWN, ROLES
from metatac.engine.weights import SURE
from metatac.engine.worker import Table, Worker
from metatac.errors import InvalidArgument
from metatac.game import Position

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


def role(position: Position, board: int) -> int:
    """What part a board plays in lines of boards, in the view of the side to move, from the readable position."""
    states = [state(position, other) for other in range(9)]
    if states[board] in (OWN, OTHER, NOBODY):
        return 0
    lines = [[states[other] for other in line if other != board] for line in LINES if board in line]
    completes = [[player, player] in lines for player in (OWN, OTHER)]
    lives = any(NOBODY not in line and not {OWN, OTHER} <= set(line) for line in lines)
    return lives + completes[0] + 2 * completes[1]


def line_state(position: Position, line: tuple[int, ...]) -> int:
    """Bits of what is the own one's or nobody's, then of what is the other's or nobody's."""
    states = [state(position, board) for board in line]
    sides = ((OWN, NOBODY), (OTHER, NOBODY))
    return sum((one in side) << 3 * high + place for high, side in enumerate(sides) for place, one in enumerate(states))


def plain_outputs(name: str, position: Position) -> tuple[float, float]:
    """What the network makes of a position in real numbers: the value in X's view, and the chance of a draw."""
    arrays = saved(name)
    vectors = arrays["parts"].astype(float) * arrays["scale"]
    target = position.send[0] if position.send else None
    hidden = arrays["sends"][9 if target is None else target].astype(float)
    roles, states = ([of(position, board) for board in range(9)] for of in (role, state))
    matrices = arrays["boards"] if "lines" in arrays else [arrays["boards"]] * ROLES
    for board in range(9):
        hidden = hidden + vectors[states[board]] @ matrices[roles[board]][board]
    own = (0, NONE) if target is None else (roles[target], states[target])
    hidden = hidden + vectors[own[1]] @ matrices[own[0]][9]
    out, draws = arrays["out"], arrays.get("draws", np.zeros_like(arrays["out"]))
    if "lines" in arrays:
        for number, line in enumerate(LINES):
            hidden = hidden + arrays["lines"][number][line_state(position, line)]
        hidden = hidden + arrays["counts"][states.count(OWN)][states.count(OTHER)]
        decided = sum(one in (OWN, OTHER, NOBODY) for one in states)
        out, draws = out[decided], draws[decided]
    squares = np.clip(hidden, 0, 1) ** 2
    z = float(squares @ out)
    value, drawn = SURE * z / (1 + abs(z)), float(squares @ draws)
    return value * (1 if position.turn == "X" else -1), min(max(drawn, 0.0), 1 - abs(value))


@pytest.mark.parametrize("name", LEARNED)
def test_whole_numbers_say_what_real_ones_do(name: str) -> None:
    worker = searching(name)
    for seed in range(60):
        position = some_position(name, seed, seed)
        value, draw = plain_outputs(name, position)
        assert worker.begin(position) == pytest.approx(value, abs=0.02), position.text
        assert outlook(worker.memory)[1] == pytest.approx(draw, abs=0.02), position.text


def learned(name: str) -> dict[str, np.ndarray]:
    """What was saved, as it was learned."""
    arrays = {key: array.astype(np.float32) for key, array in saved(name).items()}
    return arrays | {"parts": arrays["parts"] * arrays.pop("scale")}


@pytest.mark.parametrize("name", LEARNED)
def test_no_position_is_too_much_for_sixteen_bits(name: str) -> None:
    arrays = learned(name)
    assert CLIP < greatest_sum(arrays.pop("parts"), arrays) < 2**15


@pytest.mark.parametrize(
    ("array", "more", "reason"), [("sends", 43, "rows"), ("out", 128, "as great"), ("out", 20, "last weights may")]
)
def test_what_whole_numbers_cannot_hold_takes_no_files_place(
    array: str, more: float, reason: str, tmp_path: Path
) -> None:
    file, arrays = tmp_path / "network.npz", learned("ultimate")
    save(file, **arrays)
    before = file.read_bytes()
    with pytest.raises(InvalidArgument, match=reason):
        save(file, **arrays | {array: arrays[array] + more})
    assert file.read_bytes() == before
    assert np.array_equal(expanded(file), network(metatac.load_rules("ultimate")))


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
            assert value_of(worker, position, move, 2) == -expected, (after.text, move)


def test_where_a_game_begins_does_not_matter() -> None:
    assert network(metatac.load_rules("ultimate", first="center")) is not None
    assert network(metatac.load_rules("ultimate", side=2)) is None
