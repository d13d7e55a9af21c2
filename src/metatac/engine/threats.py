"""Which cells complete a pattern, for every mask of a board: what win-or-block playouts look at.

A flat int32 array: a header of three entries, then a list for the small boards and one for the board of the game.
Boards that are too large for lists have none; then the patterns in the kernel's tables are tried.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from metatac.engine.arrays import Ints
from metatac.kernel import layout as at
from metatac.kernel.bits import Words, lowest_bit
from metatac.kernel.compiled import inlined, part
from metatac.kernel.tables import LOOKUP_CELLS
from metatac.rules import RuleSet
from metatac.rules.patterns import Pattern

SMALL_OFFSET = 0  # of the list for small boards; 0: none
UPPER_OFFSET = 1  # of the list for the board of the game; 0: none
SMALL_PATTERNS = 2  # which entry of the kernel's tables tells where small boards' patterns are; 0: they are nothing
HEADER = 3


@lru_cache(maxsize=64)
def threats(rules: RuleSet) -> NDArray[np.int32]:
    """The table of a rule set, read-only."""
    parts = [np.zeros(HEADER, dtype=np.int32)]
    owned = rules.win_board != "never" if rules.depth > 1 else rules.line != "nothing"
    if owned or rules.count == "lines":
        parts[0][SMALL_PATTERNS] = at.PATTERN_OFFSET if owned else at.LINE_OFFSET
    if rules.size <= LOOKUP_CELLS:
        if parts[0][SMALL_PATTERNS]:
            parts[0][SMALL_OFFSET] = HEADER
            parts.append(_completing(rules.patterns[-1], rules.size))
        if rules.line != "nothing":
            parts[0][UPPER_OFFSET] = sum(map(len, parts))
            parts.append(_completing(rules.patterns[0], rules.size))
    table = np.concatenate(parts)
    table.flags.writeable = False
    return table


def _completing(patterns: tuple[Pattern, ...], size: int) -> NDArray[np.int32]:
    """For each mask of cells, the mask of the cells that complete a pattern."""
    every = np.arange(2**size, dtype=np.int32)
    found = np.zeros(2**size, dtype=np.int32)
    for pattern in patterns:
        whole = sum(1 << cell for cell in pattern)
        for cell in pattern:
            rest = whole & ~(1 << cell)
            found[(every & rest) == rest] |= 1 << cell
    found &= ~every
    return found


@part
def try_completing(R: Words, first: int, mask: int) -> int:
    """The cells that complete one of the patterns listed at an offset."""
    found = 0
    for i in range(first + 1, first + 1 + R[first]):
        rest = R[i] & ~mask
        if rest and rest & (rest - 1) == 0:
            found |= 1 << lowest_bit(rest)
    return found


@inlined
def small_threats(R: Words, T: Ints, mask: int) -> int:
    """The cells of a small board that complete a pattern for who has these marks there."""
    if T[SMALL_OFFSET]:
        return T[T[SMALL_OFFSET] + mask]
    if T[SMALL_PATTERNS]:
        return try_completing(R, R[T[SMALL_PATTERNS]], mask)
    return 0


@inlined
def upper_threats(R: Words, T: Ints, mask: int) -> int:
    """The boards that complete a pattern on the board of the game for who owns these."""
    if T[UPPER_OFFSET]:
        return T[T[UPPER_OFFSET] + mask]
    if R[at.LINE]:
        return try_completing(R, R[at.UPPER_PATTERN_OFFSET], mask)
    return 0
