"""How long to think about a move when there is a clock for the whole game. Pure numbers, in seconds."""

MARGIN = 0.008
"""Kept back from every limit: for stopping, and for the way from the clock to here and back."""
FEWEST_MOVES = 6
"""So many are reckoned with however late it is, so that there is always something left."""
MOST_OF_REST = 0.25
"""No move takes a greater part of what is left."""


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
