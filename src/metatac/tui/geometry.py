"""Where everything of a board stands on a grid of characters: cells, the lines between them, and the gaps.

Both directions are alike. An axis is a row of slots, each a part of a cell, a line, or a gap; a line knows the cells
on either side of it, so that frames, crossings and lit outlines follow from who lies next to whom.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from metatac.rules import RuleSet

NOBODY = -1
"""The number of the cell beyond a frame."""


class Slot(NamedTuple):
    """One column, or one row, of characters."""

    cell: int
    """The cell that it is part of, or NOBODY."""
    offset: int
    """Which part of the cell; of a line its level: 0 within a small board, 1 around it, 2 around a board of boards."""
    before: int = NOBODY
    """Of a line, the cells before and after it."""
    after: int = NOBODY

    @property
    def is_line(self) -> bool:
        return self.cell == NOBODY and (self.before != NOBODY or self.after != NOBODY)


@dataclass(frozen=True, slots=True)
class Scale:
    """How large a board is drawn."""

    width: int
    """Of a cell, in characters."""
    height: int
    across: bool
    """Whether lines lie between the rows of cells, too."""
    down: bool
    """Whether lines stand between the columns of cells."""
    pad: int = 0
    """Blank columns after the last cell of a small board, so that marks stand in the middle."""
    apart: int = 0
    """Blank rows between boards of boards; twice as many columns."""

    @property
    def center(self) -> int:
        """The column of a cell that a single character stands in."""
        return self.width // 2 if not self.pad else 1


SCALES = (
    Scale(1, 1, False, False),
    Scale(2, 1, False, False, pad=1),
    Scale(3, 1, False, True),
    Scale(3, 1, True, True),
    Scale(5, 3, False, True),
    Scale(7, 3, True, True),
    Scale(11, 5, True, True),
    Scale(17, 8, True, True),
)
"""From the smallest to the largest."""

DEEP_SCALES = (
    Scale(1, 1, False, False),
    Scale(2, 1, False, False, pad=1),
    Scale(2, 1, False, False, pad=1, apart=1),
    Scale(3, 1, False, True),
    Scale(3, 1, False, True, apart=1),
    Scale(3, 1, True, True),
    Scale(3, 1, True, True, apart=1),
    Scale(7, 3, True, True, apart=1),
)
"""The same where there are three levels: a board of boards gets a frame of its own where there is room."""


class Axis:
    """One direction of a board."""

    def __init__(self, side: int, depth: int, size: int, *, lines: bool, pad: int, apart: int) -> None:
        self.count = side**depth
        slots: list[Slot] = []
        self.starts: list[int] = []
        """Where each cell begins."""
        self.board_starts: list[int] = []
        """Where each small board begins and, in `board_ends`, ends, the lines around it not counted."""
        self.board_ends: list[int] = []
        for cell in range(self.count):
            level = _level(side, depth, cell)
            if cell % side == 0:
                slots += _border(cell, level, self.count, apart)
                self.board_starts.append(len(slots))
            elif lines:
                slots.append(Slot(NOBODY, 0, cell - 1, cell))
            self.starts.append(len(slots))
            slots += [Slot(cell, part) for part in range(size)]
            if cell % side == side - 1:
                slots += [Slot(cell, size + part) for part in range(pad)]
                self.board_ends.append(len(slots))
        slots.append(Slot(NOBODY, depth - 1 if depth > 1 else 1, self.count - 1, NOBODY))
        self.slots = tuple(slots)

    @property
    def length(self) -> int:
        return len(self.slots)

    def cell_at(self, place: int) -> int | None:
        """The cell at a place, lines counting for the cell after them; None beyond the board."""
        if not 0 <= place < self.length:
            return None
        slot = self.slots[place]
        cell = slot.cell if slot.cell != NOBODY else slot.after if slot.after != NOBODY else slot.before
        return None if cell == NOBODY else cell


def _level(side: int, depth: int, cell: int) -> int:
    """Which line stands before a cell that begins a small board."""
    return 2 if depth == 3 and cell % side**2 == 0 else 1


def _border(cell: int, level: int, count: int, apart: int) -> list[Slot]:
    if cell == 0:
        return [Slot(NOBODY, level, NOBODY, 0)]
    if level == 2 and apart:
        return [Slot(NOBODY, 2, cell - 1, NOBODY), *[Slot(NOBODY, 2)] * apart, Slot(NOBODY, 2, NOBODY, cell)]
    return [Slot(NOBODY, level, cell - 1, cell)]


class Geometry:
    """A board of a game at a scale."""

    def __init__(self, side: int, depth: int, scale: Scale) -> None:
        self.side, self.depth, self.scale = side, depth, scale
        self.columns = Axis(side, depth, scale.width, lines=scale.down, pad=scale.pad, apart=2 * scale.apart)
        self.rows = Axis(side, depth, scale.height, lines=scale.across, pad=0, apart=scale.apart)

    @property
    def width(self) -> int:
        return self.columns.length

    @property
    def height(self) -> int:
        return self.rows.length


@lru_cache(maxsize=32)
def geometry(side: int, depth: int, scale: Scale) -> Geometry:
    return Geometry(side, depth, scale)


def scales_for(rules: RuleSet) -> tuple[Scale, ...]:
    """The scales in which a game can be drawn, from the smallest to the largest."""
    return DEEP_SCALES if rules.depth == 3 else SCALES


def best_scale(rules: RuleSet, width: int, height: int) -> int:
    """The largest scale that fits; where none does, one that scrolls up and down only, if there is one."""
    sizes = [geometry(rules.side, rules.depth, scale) for scale in scales_for(rules)]
    fitting = [number for number, drawn in enumerate(sizes) if drawn.width <= width and drawn.height <= height]
    return fitting[-1] if fitting else int(sizes[1].width <= width)


# -- cells by their path and by their place on the whole board


def place_of(side: int, path: tuple[int, ...]) -> tuple[int, int]:
    """The row and column, on the whole board, of the first cell at or below a path."""
    row = column = 0
    for step in path:
        row, column = row * side + step // side, column * side + step % side
    return row, column


def path_of(side: int, depth: int, row: int, column: int) -> tuple[int, ...]:
    """The path, outermost first, of the cell at a place on the whole board."""
    path = []
    for _ in range(depth):
        (row, i), (column, j) = divmod(row, side), divmod(column, side)
        path.append(i * side + j)
    return tuple(reversed(path))
