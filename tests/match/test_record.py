"""Every match, however it stands, is a sound record."""

import json
import random

import pytest

import metatac
from metatac.match import (
    Abort,
    Forfeit,
    Match,
    MoveMade,
    Resign,
    Start,
    Tick,
    TimeControl,
    new_match,
    record_of,
    run,
    step,
)
from metatac.notation import Record


def test_a_timed_game_keeps_its_clocks() -> None:
    match = new_match("tic-tac-toe", time="1m+2s", names=("Ada", "Bo"), opening=["a"])
    match, _ = step(match, Start(), 0)
    match, _ = step(match, MoveMade("O", "b"), 2.5)
    match, _ = step(match, Resign("X"), 3)
    record = record_of(match, {"Event": "Tea"})
    assert [(ply.clock, ply.spent) for ply in record.plies] == [(None, None), (59.5, 2.5)]
    assert (record.result, record.points, record.termination) == ("0-1", (0, 1), "resignation")
    assert dict(record.tags) == {"Event": "Tea", "X": "Ada", "O": "Bo", "TimeControl": "1m+2s"}
    assert Record.from_text(record.to_text()) == record
    assert Record.from_json(record.to_json()) == record


def test_a_margin_is_told_apart_and_goes_on_after_a_rest() -> None:
    match = new_match("tic-tac-toe", time=TimeControl.parse("1m+2s,30/move").with_margin(0.5))
    match, _ = step(match, Start(), 0)
    match, _ = step(match, MoveMade("X", "a"), 10)
    match = Match.from_dict(json.loads(json.dumps(match.to_dict())))
    assert record_of(match).tags["TimeControl"] == "1m+2s,30/move" and record_of(match).plies[0].clock == 52
    assert step(match, Tick(), 40.4)[0].result is None
    match, _ = step(match, Tick(), 40.6)
    detail = "30.600 s of 30.000 s, and 0.5 s that are forgiven; time control 1m+2s,30/move"
    assert record_of(match).tags["TerminationDetail"] == detail


def test_details_are_kept_whatever_they_hold() -> None:
    match, _ = step(new_match("extreme", names=("\ud800", "b")), Forfeit("X", "crash", 'line "1"\n\udcff]} x'), 0)
    record = record_of(match)
    assert record.points == (0, 68)
    assert record.tags["TerminationDetail"] == 'line "1"\n?]} x'
    assert Record.from_text(record.to_text()) == record


def test_aborted_and_unfinished_matches_have_no_result() -> None:
    match, _ = step(new_match("ultimate"), Start(), 0)
    assert record_of(match).result == "*"
    match, _ = step(match, Abort(), 0)
    record = record_of(match)
    assert (record.result, record.points, record.termination) == ("*", None, "aborted")


def test_what_happens_after_the_board_is_decided_does_not_count() -> None:
    position = metatac.start("tic-tac-toe")
    for move in "abeci":
        position = position.play(move)
    match, _ = step(new_match(position), Abort(), 0)
    assert record_of(match).result == "1-0"


def test_months_of_waiting_are_left_out() -> None:
    match, _ = step(new_match("tic-tac-toe"), Start(), 0)
    match, _ = step(match, MoveMade("X", "a"), 1e9)
    assert record_of(match).plies[0].spent is None


@pytest.mark.parametrize("game", metatac.preset_names())
def test_every_preset(game: str) -> None:
    player = metatac.load_player("random", seed=random.Random(game).randrange(99))
    match = run(new_match(game, strict=True), (player, player))
    record = record_of(match)
    assert match.result is not None
    assert (record.result, record.points, record.termination) == (
        match.result.text,
        match.result.points,
        match.result.reason,
    )
    assert Record.from_text(record.to_text()) == record
