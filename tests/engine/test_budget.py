"""Budgets as text, and within a clock."""

import pytest

from metatac.engine.budget import Budget
from metatac.engine.timing import MARGIN
from metatac.errors import UnknownPlayer
from metatac.game import start
from metatac.match import Clock


@pytest.mark.parametrize(
    ("text", "budget"),
    [
        ("2s", Budget(seconds=2.0)),
        ("300ms", Budget(seconds=0.3)),
        ("1.5", Budget(seconds=1.5)),
        ("800n", Budget(nodes=800)),
        ("50kn", Budget(nodes=50_000)),
        ("2Mn", Budget(nodes=2_000_000)),
        ("1.5kn", Budget(nodes=1500)),
    ],
)
def test_texts(text: str, budget: Budget) -> None:
    assert Budget.parse(text) == budget
    assert Budget.parse(str(budget)) == budget


@pytest.mark.parametrize("text", ["", "n", "0n", "-1s", "0s", "5x", "9" * 30 + "n", "1e3n", "nan"])
def test_what_is_none(text: str) -> None:
    with pytest.raises(UnknownPlayer, match="50kn"):
        Budget.parse(text)


def test_a_clock_cuts_it_short() -> None:
    first = start("ultimate")
    assert Budget(seconds=1).within(Clock(), first) == Budget(seconds=1)
    assert Budget(seconds=1).within(Clock(limit=60), first) == Budget(seconds=1)
    assert Budget(seconds=60).within(Clock(limit=1), first).seconds == pytest.approx(1 - MARGIN)
    assert Budget(nodes=9).within(Clock(limit=0.1), first).seconds == pytest.approx(0.1 - MARGIN)
    assert Budget(nodes=9).within(Clock(limit=0), first).seconds == 0


def test_a_clock_for_the_whole_game_leaves_something_for_its_other_moves() -> None:
    first = start("ultimate")
    for budget in (Budget(seconds=5), Budget(nodes=10**9)):
        seconds = budget.within(Clock(limit=10, own=10), first).seconds
        assert seconds is not None and 0 < seconds < 1
