"""Finished games from outside the project, replayed move by move on both implementations."""

import json
from pathlib import Path
from typing import Any

import pytest

import metatac
from metatac.kernel import State

GOLDEN = Path(__file__).parent.parent / "golden"
GAMES = {
    "ultimate": 50,
    "intelligent": 30,
    "extreme": 30,
    "sudoku": 66,
    "ultimate-ultimate": 4,
    "sudoku-tiger": 10,
    "sudoku-calculator": 49,
}
"""Every file, and how many games it holds: an empty one must not pass."""


def games(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (GOLDEN / f"{name}.jsonl").read_text().splitlines()]


def first_position(golden: dict[str, Any]) -> metatac.Position:
    options = {"first": golden["first"]} if "first" in golden else {}
    return metatac.start(golden["game"], side=golden["side"], **options)


def test_every_golden_file_is_replayed() -> None:
    assert {path.stem for path in GOLDEN.glob("*.jsonl")} == set(GAMES)


@pytest.mark.parametrize("name", GAMES)
def test_the_readable_game_replays_them(name: str) -> None:
    replayed = 0
    for golden in games(name):
        position = first_position(golden)
        for ply, numbers in enumerate(golden["moves"]):
            assert position.outcome is None
            if "turns" in golden:
                assert position.turn == golden["turns"][ply]
            if "legal" in golden:
                assert len(position.legal_moves) == golden["legal"][ply]
            position = position.play(tuple(numbers))
        if "winner" in golden:
            check_end(position, golden)
        replayed += 1
    assert replayed == GAMES[name]


@pytest.mark.parametrize("name", GAMES)
def test_the_kernel_replays_them(name: str) -> None:
    for golden in games(name):
        state = State(first_position(golden))
        for ply, numbers in enumerate(golden["moves"]):
            assert state.over == 0
            if "turns" in golden:
                assert state.position.turn == golden["turns"][ply]
            if "legal" in golden:
                assert len(state.legal_moves) == golden["legal"][ply]
            state.push(tuple(numbers))
        if "winner" in golden:
            check_end(state.position, golden)
            assert state.over == {"X": 1, "O": 2, None: 3}[golden["winner"]]
            assert state.legal_moves == ()
            assert state.utility == utility(golden)
        for _ in golden["moves"]:
            state.pop()
        assert state.position == first_position(golden)


def utility(golden: dict[str, Any]) -> int:
    """What the golden result is worth to X: the points' difference where the game counts points, else the result."""
    if "points" in golden:
        return int(golden["points"][0] - golden["points"][1])
    return {"X": 1, "O": -1, None: 0}[golden["winner"]]


def check_end(position: metatac.Position, golden: dict[str, Any]) -> None:
    outcome = position.outcome
    assert outcome is not None
    assert outcome.winner == golden["winner"]
    assert position.legal_moves == ()
    checked = 0
    if "points" in golden:
        assert list(outcome.points) == golden["points"]
    else:
        assert outcome.points == {"X": (1, 0), "O": (0, 1), None: (0.5, 0.5)}[golden["winner"]]
    if "boards" in golden:
        assert owners_with_draws(position, 1) == golden["boards"]
        checked += 1
    if "boards9" in golden:
        assert owners_with_draws(position, 1) == golden["boards9"]
        assert owners_with_draws(position, 2) == "".join(golden["boards3"])
        checked += 1
    if "cells" in golden:
        assert [position.board(number) for number in range(position.rules.board_count)] == golden["cells"]
        checked += 1
    assert checked == 1


def owners_with_draws(position: metatac.Position, level: int) -> str:
    """The owners of a level's boards, ``/`` for one that is drawn: no owner, and none of its cells undecided."""
    size, owners = position.rules.size, position.owners[level - 1]
    below = position.cells if level == position.rules.depth - 1 else owners_with_draws(position, level + 1)
    return "".join(
        owner if owner != "." or "." in below[i * size : (i + 1) * size] else "/" for i, owner in enumerate(owners)
    )
