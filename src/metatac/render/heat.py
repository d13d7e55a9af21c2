"""A heat map: how good the moves are, as one number for each cell. Where the numbers come from is not known here."""

from collections.abc import Mapping

from metatac.errors import InvalidArgument
from metatac.game import Move, Position, check_move

Heat = Mapping[Move, float]
"""Of each move a number from 0 to 1, which is the best."""

STEPS = 10


def heat_of_cells(position: Position, heat: Heat) -> dict[tuple[int, ...], float]:
    """For the path of each cell the heat of the best move whose own mark goes there; a swap has no cell."""
    cells: dict[tuple[int, ...], float] = {}
    for move, warmth in heat.items():
        if not 0 <= warmth <= 1:
            raise InvalidArgument(f"the heat of {Move(move)} is a number from 0 to 1, not {warmth!r}")
        path = check_move(position.rules, move)[: position.rules.depth]
        if path:
            cells[path] = max(warmth, cells.get(path, 0.0))
    return cells


def step_of(warmth: float) -> int:
    """The heat as a digit from 0 to 9; only the very best moves have the last one."""
    return min(STEPS - 1, int(warmth * (STEPS - 1) + 1e-9))
