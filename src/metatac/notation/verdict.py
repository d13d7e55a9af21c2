"""How a game ended: what the board says, what the record claims, and whether the two agree."""

from metatac.errors import InvalidRecord
from metatac.game import Outcome
from metatac.rules import Points

#: The result token for each winner; nobody winning is written as a draw, whatever the points.
RESULTS: dict[str | None, str] = {"X": "1-0", "O": "0-1", None: "1/2-1/2"}
UNFINISHED = "*"
#: The terminations that only the board itself can bring about.
BOARD_REASONS = frozenset({"line", "boards", "majority", "points", "draw"})


def settle(
    outcome: Outcome | None, result: str, points: Points | None, termination: str
) -> tuple[str, Points | None, str]:
    """The record's (result, points, termination), with what was left out filled in from the board.

    A finished board is never contradicted. On an unfinished one the result comes from outside
    (time, resignation, agreement, ...), and then the termination has to say so.
    """
    if outcome is not None:
        return _confirmed(outcome, result, points, termination)
    result = result or UNFINISHED
    if result != UNFINISHED and result not in RESULTS.values():
        raise InvalidRecord(f"result {result!r} is none of 1-0, 0-1, 1/2-1/2, *")
    if termination in BOARD_REASONS:
        raise InvalidRecord(f"termination is {termination!r}, but after the last move the game is not over")
    if result == UNFINISHED and points is not None:
        raise InvalidRecord(f"an unfinished game has no points, but here are {format_points(points)}")
    if result != UNFINISHED and not termination:
        raise InvalidRecord(
            f"result is {result}, but after the last move the game is not over and no termination says why"
        )
    return result, points, termination


def _confirmed(outcome: Outcome, result: str, points: Points | None, termination: str) -> tuple[str, Points, str]:
    true_result = RESULTS[outcome.winner]
    if result and result != true_result:
        raise InvalidRecord(f"result is {result!r}, but the game ended {true_result}")
    if points is not None and points != outcome.points:
        raise InvalidRecord(f"points are {format_points(points)}, but the game ended {format_points(outcome.points)}")
    if termination and termination != outcome.reason:
        raise InvalidRecord(f"termination is {termination!r}, but the game ended by {outcome.reason!r}")
    return true_result, outcome.points, outcome.reason


def format_points(points: Points) -> str:
    """``(16, 0)`` as ``16-0``; halves as ``0.5-0.5``."""
    return f"{points[0]}-{points[1]}"
