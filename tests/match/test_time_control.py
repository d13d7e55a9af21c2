"""Time controls are values with a text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metatac.errors import MatchError
from metatac.match import Clock, TimeControl, parse_duration, print_duration

DURATIONS = st.one_of(
    st.integers(1, 86_400).map(float),
    st.floats(0.001, 1e6).map(lambda seconds: round(seconds, 3)),
)


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("none", TimeControl()),
        ("16/move", TimeControl(move=16)),
        ("5m+3s", TimeControl(total=300, increment=3)),
        ("5m", TimeControl(total=300)),
        ("1h30m+0.5s", TimeControl(total=5400, increment=0.5)),
        ("0.1/move,1/first", TimeControl(move=0.1, first=1)),
        ("5m+3s,30/move", TimeControl(total=300, increment=3, move=30)),
    ],
)
def test_texts_parse_and_print(text: str, control: TimeControl) -> None:
    assert TimeControl.parse(text) == control
    assert str(control) == text


@pytest.mark.parametrize(
    ("text", "same"),
    [("100ms/move", "0.1/move"), (" 90s + 3 ", None), ("300+3", "5m+3s"), ("16s/move", "16/move")],
)
def test_other_spellings(text: str, same: str | None) -> None:
    if same is None:
        with pytest.raises(MatchError):
            TimeControl.parse(text)
    else:
        assert str(TimeControl.parse(text)) == same


@pytest.mark.parametrize(
    "text",
    [
        "",
        "-3",
        "16/turn",
        "5m+",
        "+3s",
        "inf",
        "nan",
        "1e3",
        "0",
        "5m+3s+2s",
        "5m,6m",
        "1/first",
        "9" * 99,
        "٣/move",
    ],
)
def test_nonsense_is_refused_with_the_forms(text: str) -> None:
    with pytest.raises(MatchError):
        TimeControl.parse(text)


@given(
    move=st.none() | DURATIONS,
    total=st.none() | DURATIONS,
    increment=st.just(0.0) | DURATIONS,
    first=st.none() | DURATIONS,
)
def test_every_control_round_trips(
    move: float | None, total: float | None, increment: float, first: float | None
) -> None:
    control = TimeControl(
        move=move,
        first=first if move is not None else None,
        total=total,
        increment=increment if total is not None else 0.0,
    )
    assert TimeControl.parse(str(control)) == control


@given(DURATIONS)
def test_durations_round_trip(seconds: float) -> None:
    assert parse_duration(print_duration(seconds)) == seconds


@pytest.mark.parametrize(
    "bad", [{"move": -1}, {"total": float("nan")}, {"increment": 3}, {"move": True}, {"move": 1e12}]
)
def test_impossible_values_are_refused(bad: dict[str, float]) -> None:
    with pytest.raises(MatchError):
        TimeControl(**bad)


def test_a_margin_is_for_the_referee_alone() -> None:
    control = TimeControl.parse("100ms/move,1s/first")
    longer = control.with_margin(0.1)
    assert str(longer) == "0.2/move,1.1/first" and longer.told == control
    assert TimeControl().with_margin(0.1) == TimeControl()
    told = Clock(limit=0.05, own=5.0, opponent=None, increment=2.0).without_margin(0.1)
    assert told == Clock(limit=0.0, own=4.9, opponent=None, increment=2.0)


@given(DURATIONS, st.floats(0, 60))
def test_what_is_told_is_what_was_set_to_the_microsecond(seconds: float, margin: float) -> None:
    for control in (TimeControl(move=seconds), TimeControl(total=seconds, increment=1)):
        told = control.with_margin(margin).told
        assert told.increment == control.increment
        assert abs((told.move or told.total or 0) - seconds) <= 2e-6
