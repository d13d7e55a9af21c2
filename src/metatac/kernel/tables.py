"""A rule set as one flat array, for the compiled code."""

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from metatac.kernel import layout as at
from metatac.rules import RuleSet
from metatac.rules.patterns import Pattern

Words = NDArray[np.int64]

LOOKUP_CELLS = 16
"""Boards of up to so many cells look winning masks up; larger ones try the patterns."""


class _Writer:
    """The tables in the making: a header, and lists put behind it."""

    def __init__(self) -> None:
        self.words: list[int] = [0] * at.TABLE_HEADER

    def append(self, entry: int, values: list[int]) -> None:
        self.words[entry] = len(self.words)
        self.words.extend(values)

    def array(self) -> Words:
        words = np.array([word & (2**64 - 1) for word in self.words], dtype=np.uint64).view(np.int64)
        words.flags.writeable = False
        return words


@lru_cache(maxsize=64)
def tables(rules: RuleSet) -> Words:
    """The tables of a rule set, read-only."""
    writer = _Writer()
    header = writer.words
    header[at.SIZE], header[at.BOARDS], header[at.DEPTH] = rules.size, rules.board_count, rules.depth
    header[at.MARKS], header[at.FULL] = rules.marks, 2**rules.size - 1
    header[at.STATE_SIZE] = state_size(rules)
    _board_entries(rules, writer)
    _move_entries(rules, writer)
    _end_entries(rules, writer)
    keys = np.random.default_rng(0x6D657461746163).integers(0, 2**64, 2 * rules.cells, dtype=np.uint64)
    writer.append(at.KEY_OFFSET, [int(key) for key in keys])
    writer.append(at.SELECT_OFFSET, [_places(byte) for byte in range(256)])
    if rules.size <= 9:
        writer.append(at.SELECT_WHOLE, [_places(mask) for mask in range(2**rules.size)])
    return writer.array()


def _places(mask: int) -> int:
    """The places of the set bits of a mask, four bits each, lowest first."""
    return sum(place << (4 * n) for n, place in enumerate(p for p in range(mask.bit_length()) if mask >> p & 1))


def _masks(patterns: tuple[Pattern, ...]) -> list[int]:
    return [sum(1 << cell for cell in pattern) for pattern in patterns]


def _winning(masks: list[int], size: int) -> list[int]:
    """A bit for each mask of a board's cells: whether it holds one of these masks."""
    if size > LOOKUP_CELLS:
        return []
    every = np.arange(2**size, dtype=np.int64)
    wins = np.zeros(max(64, 2**size), dtype=bool)
    for mask in masks:
        wins[: 2**size] |= (every & mask) == mask
    packed = np.packbits(wins.reshape(-1, 64), axis=1, bitorder="little")
    return [int(word) for word in packed.view(np.uint64).ravel()]


def _board_entries(rules: RuleSet, writer: _Writer) -> None:
    header = writer.words
    header[at.LOOKUP] = int(rules.size <= LOOKUP_CELLS)
    matters = rules.win_board != "never" if rules.depth > 1 else rules.line != "nothing"
    small = _masks(rules.patterns[-1]) if matters else []
    levels = [small, _masks(rules.patterns[0]), _masks(rules.patterns[1]) if rules.depth == 3 else []]
    for entry, masks in zip((at.WIN_OFFSET, at.UPPER_WIN_OFFSET, at.UPPER_WIN_OFFSET + 1), levels, strict=True):
        writer.append(entry, _winning(masks, rules.size))
    for entry, masks in zip(
        (at.PATTERN_OFFSET, at.UPPER_PATTERN_OFFSET, at.UPPER_PATTERN_OFFSET + 1), levels, strict=True
    ):
        writer.append(entry, [len(masks), *masks])
    header[at.TALLIES] = rules.tallies
    header[at.STAYS_OPEN] = int(rules.close_board == "full")
    header[at.BAN] = int(rules.ban)


def _move_entries(rules: RuleSet, writer: _Writer) -> None:
    header = writer.words
    header[at.BONUS], header[at.SWAP] = int(rules.bonus), int(rules.swap)
    header[at.DECIDED_SEND] = ("free", "up", "end").index(rules.sent_to_decided)
    levels = [word for word in rules.send if word != "any"]
    header[at.SEND_SPAN] = rules.size ** (rules.depth - 1 - len(levels))
    base = [0] * rules.board_count
    for level, word in enumerate(levels):
        weight = rules.size ** (rules.depth - 2 - level)
        if word == "board":
            base = [start + weight * (board % rules.size) for board, start in enumerate(base)]
        else:
            header[at.SEND_OWN if word == "own" else at.SEND_OTHER] += weight
    writer.append(at.SEND_BASE_OFFSET, base)
    header[at.PLAIN] = int(rules.marks == 1 and rules.send == ("own",) and rules.size <= LOOKUP_CELLS)


def _end_entries(rules: RuleSet, writer: _Writer) -> None:
    header = writer.words
    header[at.LINE] = ("nothing", "wins", "loses").index(rules.line)
    header[at.BOARDS_TO_WIN] = rules.boards_to_win
    header[at.COUNT] = ("nothing", "boards", "lines").index(rules.count)
    header[at.MOST_WINS] = int(rules.most_wins)
    header[at.KOMI_FLOOR], header[at.KOMI_CEILING] = math.floor(rules.komi), math.ceil(rules.komi)
    header[at.UTILITY_POINTS] = int(rules.points_count)
    header[at.WIN_UTILITY] = int(rules.win_points) if rules.points_count else 1
    writer.append(at.VALUE_OFFSET, list(rules.values or (1,) * rules.size))
    masks = _masks(rules.patterns[-1])
    writer.append(at.LINE_OFFSET, [len(masks), *masks])


def state_size(rules: RuleSet) -> int:
    """Words of a state."""
    uppers = 1 + (rules.size if rules.depth == 3 else 0)
    return at.STATE_HEADER + at.BOARD * rules.board_count + at.UPPER * uppers
