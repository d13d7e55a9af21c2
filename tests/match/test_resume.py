"""A match that is taken up again: its clock, and data that is no match."""

import pytest

from metatac.errors import MatchError
from metatac.game import Move, Position
from metatac.match import UNLIMITED, Clock, Match, Start, Tick, new_match, run, step


class First:
    """Plays the first legal move, and remembers what it was told about time."""

    name = "first"

    def __init__(self) -> None:
        self.limits: list[float | None] = []

    def choose(self, position: Position, clock: Clock = UNLIMITED) -> Move:
        self.limits.append(clock.limit)
        return position.legal_moves[0]


@pytest.mark.parametrize(("resume", "limit"), [(True, 10.0), (False, 2.0)])
def test_a_started_match_goes_on_with_its_clock_set_anew_or_as_it_was(resume: bool, limit: float) -> None:
    match, _ = step(new_match("tic-tac-toe", time="10s"), Start(), 100.0)
    stored = Match.from_dict(match.to_dict())
    player = First()
    ended = run(stored, (player, player), clock=lambda: 108.0, resume=resume)
    assert player.limits[0] == pytest.approx(limit)
    assert ended.result is not None and ended.result.reason == "line"


def test_a_match_that_overran_while_nobody_drove_it() -> None:
    match, _ = step(new_match("tic-tac-toe", time="10s"), Start(), 100.0)
    player = First()
    ended = run(match, (player, player), clock=lambda: 111.0, resume=False)
    assert ended.result is not None and ended.result.reason == "overrun" and not player.limits


@pytest.mark.parametrize("number", [10**400, float("nan"), float("inf")])
def test_numbers_that_are_no_seconds(number: float) -> None:
    match, _ = step(new_match("tic-tac-toe", time="10s"), Start(), 100.0)
    for key in ("banked", "since"):
        with pytest.raises(MatchError):
            Match.from_dict(match.to_dict() | {key: number})
    with pytest.raises(MatchError, match="the time cannot be"):
        step(match, Tick(), number)
