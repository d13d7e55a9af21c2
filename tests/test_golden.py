"""Finished games from outside the project, replayed move by move on both implementations."""

import json
from pathlib import Path
from typing import Any

import pytest

import metatac

GOLDEN = Path(__file__).parent / "golden"
GAMES = ["ultimate", "intelligent", "extreme", "sudoku", "ultimate-ultimate", "sudoku-tiger"]


def games(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (GOLDEN / f"{name}.jsonl").read_text().splitlines()]


def first_position(golden: dict[str, Any]) -> metatac.Position:
    options = {"first": golden["first"]} if "first" in golden else {}
    return metatac.start(golden["game"], side=golden["side"], **options)


@pytest.mark.parametrize("name", GAMES)
def test_golden_games_replay(name: str) -> None:
    for golden in games(name):
        position = first_position(golden)
        for ply, numbers in enumerate(golden["moves"]):
            assert position.outcome is None
            assert position.turn == golden["turns"][ply]
            if "legal" in golden:
                assert len(position.legal_moves) == golden["legal"][ply]
            position = position.play(tuple(numbers))
        if "legal" in golden:
            check_end(position, golden)


def check_end(position: metatac.Position, golden: dict[str, Any]) -> None:
    outcome = position.outcome
    assert outcome is not None
    assert outcome.winner == golden["winner"]
    assert position.legal_moves == ()
    if "points" in golden:
        assert list(outcome.points) == golden["points"]
    if "boards" in golden:
        assert owners_with_draws(position, 1) == golden["boards"]
    if "boards9" in golden:
        assert owners_with_draws(position, 1) == golden["boards9"]
        assert owners_with_draws(position, 2) == "".join(golden["boards3"])
    if "cells" in golden:
        assert [position.board(number) for number in range(position.rules.board_count)] == golden["cells"]


def owners_with_draws(position: metatac.Position, level: int) -> str:
    """The owners of a level's boards, ``/`` for one that is drawn: no owner, and none of its cells undecided."""
    size, owners = position.rules.size, position.owners[level - 1]
    below = position.cells if level == position.rules.depth - 1 else owners_with_draws(position, level + 1)
    return "".join(
        owner if owner != "." or "." in below[i * size : (i + 1) * size] else "/" for i, owner in enumerate(owners)
    )
