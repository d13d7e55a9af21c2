"""A match as a record: who, how long, and how it ended."""

import metatac
from metatac.match import Abort, Forfeit, Match, MoveMade, Start, new_match, step
from metatac.match.record import record_of
from metatac.notation import Record


def after(*events: object, game: str = "intelligent", time: str = "5m+3s") -> Match:
    match = new_match(game, time=time, names=("Ann", "Bob"))
    for now, event in enumerate((Start(), *events)):
        match, _ = step(match, event, float(now))  # type: ignore[arg-type]
    return match


def test_an_unfinished_match() -> None:
    record = record_of(after(MoveMade("X", "ee"), MoveMade("O", "ea")), {"Event": "a friendly game"})
    assert record.headers == {
        "Rules": "intelligent",
        "Event": "a friendly game",
        "X": "Ann",
        "O": "Bob",
        "Result": "*",
        "TimeControl": "5m+3s",
    }
    assert [(str(ply.move), ply.spent, ply.clock) for ply in record.plies] == [("ee", 1, 302), ("ea", 1, 302)]


def test_a_match_that_was_played_out() -> None:
    moves = zip("XOXOX", "adbec", strict=True)
    record = record_of(after(*(MoveMade(seat, move) for seat, move in moves), game="tic-tac-toe"))
    assert (record.result, record.points, record.termination) == ("1-0", (1, 0), "line")


def test_a_forfeit_has_the_points_of_the_rules_and_its_reason() -> None:
    record = record_of(after(MoveMade("X", "ee"), Forfeit("O", "crash", "ZeroDivisionError")))
    assert (record.result, record.points, record.termination) == ("1-0", (16, 0), "crash")
    assert record.comment == "ZeroDivisionError"
    assert Record.from_text(record.to_text()) == record == Record.from_json(record.to_json())


def test_an_aborted_match_does_not_count() -> None:
    record = record_of(after(MoveMade("X", "ee"), Abort()))
    assert (record.result, record.points, record.termination) == ("*", None, "aborted")
    assert record.game().position == metatac.start("intelligent").play("ee")
