"""Different positions have different 64-bit keys: looked for among very many."""

import os
import subprocess
import sys

import numpy as np
import pytest
from numpy.typing import NDArray

import metatac
from metatac.kernel import Batch, State
from metatac.kernel import layout as at

Words = NDArray[np.uint64]


def content_columns(rules: metatac.RuleSet) -> list[int]:
    """The words of a state that say what the position is: no hash, and nothing that follows from the others."""
    columns = [at.TURN, at.LOW, at.SPAN, at.IN_BONUS]
    for board in range(rules.board_count):
        here = at.STATE_HEADER + at.BOARD * board
        columns += [here, here + 1, here + at.TALLY]
    uppers = {1: 0, 2: 1, 3: 1 + rules.size}[rules.depth]
    for upper in range(uppers):
        here = at.STATE_HEADER + at.BOARD * rules.board_count + at.UPPER * upper
        columns += [here, here + 1]
    return columns


def content_digest(content: NDArray[np.int64]) -> tuple[Words, Words]:
    """128 bits of each row's words, by two chains of multiplications: nothing of the kernel's hash is in them."""
    chance = np.random.default_rng(20240229)
    digests = []
    words = content.view(np.uint64)
    for _ in range(2):
        total = np.full(len(words), chance.integers(2**64, dtype=np.uint64))
        for column in range(words.shape[1]):
            factor = chance.integers(2**64, dtype=np.uint64) | np.uint64(1)
            total = (total ^ words[:, column]) * factor
            total ^= total >> np.uint64(32)
        digests.append(total)
    return digests[0], digests[1]


def different_positions(position: metatac.Position, wanted: int, width: int, skipped: int) -> int:
    """Collect positions of random games and fail if two of them differ and have the same key.

    Returns how many different ones there were, at least as many as wanted; the first few plies, much the same in all
    games, are skipped.
    """
    chance = np.random.default_rng(1)
    batch, columns = Batch(position, width), content_columns(position.rules)
    collected: list[tuple[Words, Words, Words]] = []
    legal = batch.legal()
    total = ply = 0
    while total < wanted:
        going = batch.over == 0
        if going.sum() < width // 4:
            batch.reset()
            ply = 0
        legal = batch.legal(legal)
        batch.step((chance.integers(1, 256, legal.shape, dtype=np.uint8) * legal).argmax(axis=1))
        ply += 1
        if ply > skipped:
            rows = np.flatnonzero(going)
            collected.append(
                (batch.keys()[rows], *content_digest(np.ascontiguousarray(batch.states[rows][:, columns])))
            )
            total += len(rows)
            if total >= wanted:
                keys, first, second = (np.concatenate(part) for part in zip(*collected, strict=True))
                collected.clear()
                order = np.argsort(keys)
                keys, first, second = keys[order], first[order], second[order]
                del order
                same_key = keys[1:] == keys[:-1]
                same_content = (first[1:] == first[:-1]) & (second[1:] == second[:-1])
                assert not (same_key & ~same_content).any(), "two different positions share a key"
                different = np.flatnonzero(np.concatenate(([True], ~same_key)))
                assert len(np.unique(first)) == len(different), "two equal positions have different keys"
                collected = [(keys[different], first[different], second[different])]
                total = len(different)
    return total


@pytest.mark.parametrize(
    ("name", "wanted", "width", "skipped"),
    [
        ("ultimate", 10_000_000, 50_000, 12),
        ("sudoku", 300_000, 20_000, 12),
        ("extreme", 300_000, 10_000, 8),
        ("ultimate-ultimate", 30_000, 500, 4),
    ],
)
def test_no_collision(name: str, wanted: int, width: int, skipped: int) -> None:
    assert different_positions(metatac.start(name), wanted, width, skipped) >= wanted


@pytest.mark.verify
@pytest.mark.parametrize(("name", "width"), [("sudoku", 50_000), ("extreme", 20_000), ("ultimate-open", 50_000)])
def test_no_collision_in_other_games(name: str, width: int) -> None:
    assert different_positions(metatac.start(name), 10_000_000, width, 12) >= 10_000_000


def test_every_part_of_a_position_is_in_its_key() -> None:
    """Positions that differ in one part only."""
    groups = [
        [
            "ultimate X - XX7/OO7/9/9/9/9/9/9/9",
            "ultimate X a XX7/OO7/9/9/9/9/9/9/9",
            "ultimate X i XX7/OO7/9/9/9/9/9/9/9",
        ],
        [f"extreme {turn} a 16/XO14/16/16/16/16/16/16/16/16/16/16/16/16/16/16" for turn in ("X", "X+", "O", "O+")],
        [
            f"ultimate-ultimate{{depth=2}} X a 9{tally}/9/9/9/9/9/9/9/9{last}"
            for tally in ("", ":10", ":01", ":21", ":12", ":22", ":11")
            for last in ("", ":10")
        ],
    ]
    for texts in groups:
        keys = {State(metatac.position(text)).key for text in texts}
        assert len(keys) == len(texts)


def test_keys_are_the_same_in_every_process() -> None:
    code = "import metatac; from metatac.kernel import State; print(State(metatac.start('ultimate').play('ae')).key)"
    environment = os.environ | {"PYTHONHASHSEED": "17"}
    printed = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=600, check=True
    ).stdout
    assert int(printed) == State(metatac.start("ultimate").play("ae")).key
