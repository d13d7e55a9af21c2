"""How long to think about a move when there is a clock. Pure numbers, in seconds."""

from metatac.game import Position
from metatac.match import Clock

MARGIN = 0.008
"""Kept back from every limit: for stopping, and for the way from the clock to here and back."""
FEWEST_MOVES = 6
"""So many are reckoned with however late it is, so that there is always something left."""
MOST_OF_REST = 0.25
"""No move takes a greater part of what is left."""


def share_of(clock: Clock, position: Position, plies: int | None = None, whole: int | None = None) -> float | None:
    """What a clock allows for a move; None: whatever it takes.

    ``plies`` and ``whole`` are those of ``allotted``, where more is known of them than how many cells are empty.
    """
    if clock.own is None:
        return None if clock.limit is None else within(clock.limit)
    cells = position.cells
    plies, whole = cells.count(".") if plies is None else plies, whole or len(cells)
    return allotted(clock.own, clock.increment, plies, whole, clock.limit)


def allotted(left: float, increment: float, plies: int, whole: int, limit: float | None = None) -> float:
    """Seconds for a move of a player who has so much left and gets so much after it; never more than is there.

    ``plies`` is how many the game can still last at most, ``whole`` how many it could at its beginning: games end long
    before. Little is spent on the first moves, most in the middle. ``limit`` is what a single move may take.
    """
    moves = max(FEWEST_MOVES, 3 * plies // 10)
    played = 1 - plies / max(plies, whole, 1)
    weight = min(1.3, 0.6 + 3 * played)
    spare = max(0.0, left - MARGIN * moves)
    seconds = min(weight * spare / moves, MOST_OF_REST * spare) + 0.8 * increment
    return max(0.0, min(seconds, MOST_OF_REST * left + 0.8 * increment, left - MARGIN, within(limit)))


def within(limit: float | None) -> float:
    """What can be thought within a limit of a single move."""
    return float("inf") if limit is None else max(0.0, limit - MARGIN)
