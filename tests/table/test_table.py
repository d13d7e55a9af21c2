"""A game at a table: turns, undo and redo, offers, sides, series, clocks."""

from dataclasses import replace
from pathlib import Path

import pytest
from sittings import Sit, Sitting

import metatac
from metatac.errors import IllegalMove, InvalidMove, MatchError, UnknownPlayer
from metatac.match import Declined, Ended, Offered, Played
from metatac.notation import read_records
from metatac.table import Asked, Changed, Failed, Seats, plan_game
from metatac.table.modes import MODES, mode_seats, with_depth


def play(sitting: Sitting, *moves: str) -> None:
    for move in moves:
        sitting.table.play(move)


def test_two_people_play_to_the_end_and_the_record_is_kept(sit: Sit) -> None:
    sitting = sit("tic-tac-toe", "human:Ann", "human:Bob")
    play(sitting, *"adbec")
    table = sitting.table
    assert table.result is not None and table.result.winner == "X" and table.waiting == "over"
    assert [news.move for news in sitting.of(Played)] == list("adbec") and len(sitting.of(Ended)) == 1
    assert table.kept is not None and "metatac replay" in table.farewell()
    (record,) = read_records(table.kept)
    assert record.tags["X"] == "Ann" and list(map(str, record.moves)) == list("adbec")
    assert table.saved == ""


def test_what_is_no_move_changes_nothing(sit: Sit) -> None:
    sitting = sit("tic-tac-toe")
    play(sitting, "a")
    before = sitting.table.match
    for wrong, error in (("a", IllegalMove), ("zz", InvalidMove), ("", InvalidMove), ("☃" * 1000, InvalidMove)):
        with pytest.raises(error):
            sitting.table.play(wrong)
    assert sitting.table.match is before


@pytest.mark.parametrize("game", ["ultimate", "extreme", "sudoku"])
def test_undo_and_redo_against_a_computer_go_from_decision_to_decision(sit: Sit, game: str) -> None:
    sitting = sit(game, "human", "random")
    table = sitting.table
    stops = []
    for _ in range(8):
        sitting.wait_for_person()
        stops.append(table.match.plies)
        table.play(table.position.legal_moves[-1])
    sitting.wait_for_person()
    end = table.match.plies
    for stop in reversed(stops):
        table.undo()
        assert table.match.plies == stop and table.waiting == "person"
    assert not table.can_undo
    with pytest.raises(MatchError, match="no move yet"):
        table.undo()
    for stop in stops[1:]:
        table.redo()
        assert [ply.move for ply in table.match.plies] == [ply.move for ply in stop]
    table.redo()
    assert [ply.move for ply in table.match.plies] == [ply.move for ply in end] and not table.can_redo


def test_undo_between_people_takes_single_moves_and_too_many_are_all(sit: Sit) -> None:
    sitting = sit("ultimate")
    play(sitting, "ee", "ea", "ab")
    assert sitting.table.undo() == 1 and sitting.moves == ["ee", "ea"]
    assert sitting.table.undo(99) == 2 and sitting.moves == []
    assert list(map(str, sitting.table.redo_moves)) == ["ee", "ea", "ab"]
    assert sitting.table.redo(2) == 2 and sitting.moves == ["ee", "ea"]
    play(sitting, "ab")  # the very move that could be redone
    assert not sitting.table.can_redo
    sitting.table.undo(2)
    play(sitting, "eb")  # another one
    assert not sitting.table.can_redo and sitting.moves == ["ee", "eb"]


def test_a_game_that_is_over_can_be_taken_up_again_without_a_clock(sit: Sit) -> None:
    sitting = sit("tic-tac-toe")
    play(sitting, *"adbec")
    table, kept = sitting.table, sitting.table.kept
    seconds = [ply.seconds for ply in table.match.plies[:4]]
    table.undo()
    assert table.result is None and sitting.moves == list("adbe")
    assert [ply.seconds for ply in table.match.plies] == pytest.approx(seconds)
    table.play("c")
    assert table.result is not None and table.kept == kept
    assert kept is not None and len(list(read_records(kept))) == 1


def test_a_game_that_is_over_stays_so_with_a_clock(sit: Sit) -> None:
    sitting = sit("tic-tac-toe", time="5m")
    play(sitting, *"adbec")
    assert not sitting.table.can_undo
    with pytest.raises(MatchError, match="clock"):
        sitting.table.undo()


def test_a_jump_lands_where_it_is_told_or_at_the_persons_decision(sit: Sit) -> None:
    sitting = sit("ultimate")
    play(sitting, "ee", "ea", "ab", "ba")
    sitting.table.jump(1)
    assert sitting.moves == ["ee"]
    sitting.table.jump(99)
    assert sitting.moves == ["ee", "ea", "ab", "ba"]
    sitting.table.jump(-5)
    assert sitting.moves == []
    against = sit("ultimate", "human", "random")
    for _ in range(3):
        against.wait_for_person()
        against.table.play(against.table.position.legal_moves[0])
    against.wait_for_person()
    against.table.jump(3)  # O's reply is to come there: X's decision before it
    assert len(against.moves) == 2 and against.table.waiting == "person"


def test_computers_play_by_themselves_and_wait_after_an_undo(sit: Sit) -> None:
    sitting = sit("ultimate", "random", "random")
    table = sitting.table
    sitting.wait(lambda: len(table.match.plies) >= 10)
    table.undo(3)
    stands = table.match.plies
    assert table.waiting == "paused"
    table.resume_play()
    sitting.wait(lambda: table.result is not None)
    assert table.match.plies[: len(stands)] == stands


def test_the_seed_decides_what_computers_play(sit: Sit) -> None:
    games = []
    for seed in (1, 1, 2):
        sitting = sit("ultimate", "random", "random", seed=seed, keep=False)
        sitting.wait(lambda table=sitting.table: table.result is not None)
        games.append(sitting.moves)
    assert games[0] == games[1] != games[2]
    assert games[0][::2] != games[0][1::2]


def test_swapping_sides_gives_the_computer_the_move(sit: Sit) -> None:
    sitting = sit("ultimate", "human", "random")
    table = sitting.table
    table.play("ee")
    sitting.wait_for_person()
    table.swap_sides()
    assert table.people == {"O"} and table.match.names == ("random", "human") and sitting.of(Changed)
    sitting.wait_for_person()
    assert len(table.match.plies) == 3 and table.turn == "O"


def test_resigning_and_drawing(sit: Sit) -> None:
    one = sit("tic-tac-toe")
    play(one, "a")
    one.table.resign()
    assert one.table.result is not None and one.table.result.winner == "X"
    two = sit("tic-tac-toe")
    two.table.offer_draw()
    assert two.of(Offered) and two.table.result is None
    two.table.answer(False)
    assert two.of(Declined)
    two.table.offer_draw()
    two.table.answer(True)
    assert two.table.result is not None and two.table.result.reason == "agreement"
    three = sit("ultimate", "human", "random")
    three.table.offer_draw()
    three.wait(lambda: bool(three.of(Declined)))
    assert three.table.waiting == "person"


def test_a_computer_that_refuses_the_game_says_so_and_another_may_take_over(sit: Sit) -> None:
    with pytest.raises(MatchError, match="tiger plays only sudoku"):
        sit("ultimate", "human", "tiger")
    sitting = sit(replace(plan_game("ultimate", Seats()), seats=Seats("human", "tiger")))  # as in a save
    sitting.wait(lambda: bool(sitting.of(Failed)))
    assert "tiger plays only sudoku" in sitting.of(Failed)[0].message and sitting.table.waiting == "paused"
    sitting.table.set_seats(Seats("human", "random"))
    sitting.table.play("ee")
    sitting.wait_for_person()
    assert len(sitting.moves) == 2


def test_a_series_changes_sides_and_counts(sit: Sit) -> None:
    sitting = sit("tic-tac-toe", "human:Ann", "human:Bob", games=3)
    table = sitting.table
    play(sitting, *"adbec")
    assert table.series.scores == (1, 0)
    with pytest.raises(MatchError):
        table.undo()
    table.next_game()
    assert table.seats.names == ("Bob", "Ann") and table.match.names == ("Bob", "Ann")
    play(sitting, *"adbec")  # Bob wins
    assert table.series.scores == (1, 1) and not table.series.over
    table.next_game()
    table.offer_draw()
    table.answer(True)
    assert table.series.over and table.series.text("Ann", "Bob") == "Ann 1½, Bob 1½"
    with pytest.raises(MatchError):
        table.next_game()


def test_a_game_that_is_loaded_goes_on(sit: Sit, tmp_path: Path) -> None:
    sitting = sit("ultimate")
    play(sitting, "ee", "ea")
    file = sitting.table.save(f"{tmp_path}/games.txt")
    play(sitting, "ab")
    sitting.table.load(str(file))
    assert sitting.moves == ["ee", "ea"]
    play(sitting, "ac")
    sitting.table.undo(3)
    assert sitting.moves == []


def test_an_overrun_loses_when_the_clock_is_looked_at(sit: Sit) -> None:
    now = [0.0]
    sitting = sit("ultimate", time="10/move", clock=lambda: now[0])
    assert sitting.table.deadline == 10 and sitting.table.remaining_of("X") == 10
    now[0] = 9.0
    sitting.table.tick()
    play(sitting, "ee")
    now[0] = 20.0
    sitting.table.tick()
    result = sitting.table.result
    assert result is not None and (result.winner, result.reason) == ("X", "overrun")


def test_whoever_is_to_move_is_told(sit: Sit) -> None:
    sitting = sit("extreme")
    play(sitting, "aa", "aa"[:1] + "b")
    assert [news.seat for news in sitting.of(Asked)] == ["X", "O", "X"]


@pytest.mark.parametrize(
    ("mode", "seats"),
    [
        ("1", ("random", "random")),
        ("2", ("human", "random")),
        ("3", ("human", "human")),
        ("4", ("bot:./a,,b.py", "human")),
        ("5", ("bot:./a,,b.py", "random")),
        ("6", ("bot:./a,,b.py", "bot:two.py")),
    ],
)
def test_the_numbered_modes(mode: str, seats: tuple[str, str]) -> None:
    bots = ["./a,b.py", "two.py"][: "".join(seats).count("bot")]
    found = mode_seats(metatac.load_rules("extreme"), mode, bots)
    assert (found.x, found.o) == seats


@pytest.mark.parametrize("mode", [mode for mode in MODES if "v" in mode])
def test_the_modes_of_sudoku(mode: str) -> None:
    names = {"p": "human", "c": "minimax:9", "t": "tiger"}
    found = with_depth(mode_seats(metatac.load_rules("sudoku"), mode, depth=9), 9 if "c" in mode else None)
    assert (found.x, found.o) == (names[mode[0]], names[mode[2]])


@pytest.mark.parametrize(("mode", "bots"), [("7", []), ("4", []), ("6", ["one"]), ("1", ["one"]), ("vvv", [])])
def test_wrong_modes_are_refused(mode: str, bots: list[str]) -> None:
    with pytest.raises(UnknownPlayer):
        mode_seats(metatac.load_rules("extreme"), mode, bots)


def test_a_plan_is_checked_before_anything_is_set() -> None:
    for text in ("grandmaster", "engine:speed=5", "random:x", "", ":"):
        with pytest.raises(UnknownPlayer):
            plan_game("ultimate", Seats("human", text))
    with pytest.raises(MatchError):
        plan_game("ultimate", Seats(), games=0)
