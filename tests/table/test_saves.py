"""A game is never lost: saved after each move, whole or not at all, found again, and put aside where it is damaged."""

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sittings import Sit, sitting

import metatac
from metatac.errors import MatchError, MetatacError
from metatac.notation import Record
from metatac.table import Plan, SavedAgain, Seats, Series, Unsaved, latest_save, plan_from_file, plan_game, saved_games
from metatac.table.saves import read_save


def nothing_told(text: str) -> None:
    raise AssertionError(text)


def test_every_move_is_on_disk_and_goes_on_from_there(sit: Sit, data: Path) -> None:
    one = sit("ultimate", "human:Ann", "human:Bob", time="5m+3s")
    for move in ("ee", "ea", "ab"):
        one.table.play(move)
        one.table.flush()
        assert read_save(Path(one.table.saved)).match.moves == one.table.match.moves
    one.table.undo(2)
    one.table.close()
    assert "metatac play --resume" in one.table.farewell()
    plan = latest_save(nothing_told)
    assert plan is not None and plan.seats == one.table.seats and len(plan.redo) == 2
    again = sit(plan)
    assert again.moves == ["ee"] and again.table.waiting == "person"
    again.table.redo(2)
    assert again.moves == ["ee", "ea", "ab"]
    again.table.close()
    assert len(list((data / "saves").glob("*.json"))) == 1


def test_the_clock_goes_on_where_it_stood(sit: Sit) -> None:
    now = [100.0]
    one = sit("ultimate", time="60s", clock=lambda: now[0])
    now[0] = 110.0
    one.table.play("ee")
    one.table.close()
    plan = latest_save(nothing_told)
    assert plan is not None
    later = [5_000.0]
    again = sit(plan, clock=lambda: later[0])
    assert again.table.remaining_of("X") == 50 and again.table.remaining_of("O") == 60
    later[0] = 5_010.0
    assert again.table.remaining_of("O") == 50


def test_a_finished_game_leaves_no_save_and_an_empty_one_neither(sit: Sit, data: Path) -> None:
    one = sit("tic-tac-toe")
    for move in "adbec":
        one.table.play(move)
    one.table.close()
    two = sit("tic-tac-toe")
    two.table.play("a")
    two.table.undo()
    two.table.close()
    sit("tic-tac-toe").table.close()
    assert list((data / "saves").iterdir()) == [] and latest_save(nothing_told) is None


def test_the_score_of_a_series_survives(sit: Sit) -> None:
    one = sit("tic-tac-toe", "human:Ann", "human:Bob", games=3)
    for move in "adbec":
        one.table.play(move)
    one.table.close()
    plan = latest_save(nothing_told)
    assert plan is not None and plan.series.scores == (1, 0)
    two = sit(plan)
    assert two.table.waiting == "over"
    two.table.next_game()
    two.table.close()
    plan = latest_save(nothing_told)
    assert plan is not None and plan.series.number == 2 and plan.seats.names == ("Bob", "Ann")


def test_a_game_that_somebody_plays_is_not_offered_to_another(sit: Sit) -> None:
    one = sit("ultimate")
    one.table.play("ee")
    one.table.flush()
    assert latest_save(nothing_told) is None
    one.table.close()
    assert latest_save(nothing_told) is not None


def test_a_game_that_is_resumed_is_taken_before_the_first_move(sit: Sit) -> None:
    """Else who resumes it in a second window would later write over what was played in the first."""
    left = sit("ultimate")
    left.table.play("ee")
    left.table.close()
    plan = latest_save(nothing_told)
    assert plan is not None
    first = sit(plan)
    assert latest_save(nothing_told) is None
    second = sit(plan)
    first.table.play("ea")
    first.table.close()
    second.table.play("eb")
    second.table.close()
    found = [" ".join(map(str, plan.match.moves)) for plan in saved_games(nothing_told)]
    assert sorted(found) == ["ee ea", "ee eb"]


def test_the_latest_comes_first(sit: Sit) -> None:
    for number, move in enumerate(("aa", "bb", "cc")):
        one = sit("ultimate")
        one.table.play(move)
        one.table.close()
        os.utime(one.table.saved, (1000 + number, 1000 + number))
    assert [str(plan.match.moves[0]) for plan in saved_games(nothing_told)] == ["cc", "bb", "aa"]


GOOD = plan_game("ultimate", Seats("human", "random"), opening=["ee"]).to_dict()

DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda data: b"",
    "half": lambda data: data[: len(data) // 2],
    "zeros": lambda data: bytes(len(data)),
    "no text": lambda data: b"\xff\xfe" + data,
    "a list": lambda data: b"[]",
    "deep": lambda data: b"[" * 100_000,
    "version": lambda data: json.dumps(GOOD | {"version": "1"}).encode(),
    "no match": lambda data: json.dumps({key: GOOD[key] for key in GOOD if key != "match"}).encode(),
    "moves": lambda data: json.dumps(GOOD | {"match": GOOD["match"] | {"plies": [["zz", None, None]]}}).encode(),
    "redo": lambda data: json.dumps(GOOD | {"redo": ["ee"]}).encode(),
    "player": lambda data: json.dumps(GOOD | {"x": 5}).encode(),
    "series": lambda data: json.dumps(GOOD | {"series": {"games": -1, "results": [], "points": [0, 0]}}).encode(),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_save_is_told_of_put_aside_and_never_fatal(sit: Sit, data: Path, damage: str) -> None:
    good = sit("ultimate")
    good.table.play("aa")
    good.table.close()
    os.utime(good.table.saved, (1000, 1000))  # else both may be of the same tick
    file = data / "saves" / "broken.json"
    file.write_bytes(DAMAGES[damage](json.dumps(GOOD).encode()))
    told: list[str] = []
    plan = latest_save(told.append)
    assert plan is not None and str(plan.match.moves[0]) == "aa"
    (complaint,) = told
    aside = data / "saves" / "damaged" / "broken.json"
    assert str(file) in complaint and str(aside) in complaint and aside.exists() and not file.exists()
    assert latest_save(nothing_told) is not None


def test_a_save_of_a_later_version_waits_for_it(sit: Sit, data: Path) -> None:
    good = sit("ultimate")
    good.table.play("aa")
    good.table.close()
    os.utime(good.table.saved, (1000, 1000))  # else both may be of the same tick
    file = data / "saves" / "later.json"
    file.write_text(json.dumps(GOOD | {"version": 99}))
    told: list[str] = []
    plan = latest_save(told.append)
    assert plan is not None and str(plan.match.moves[0]) == "aa"
    (complaint,) = told
    assert str(file) in complaint and "version 99" in complaint and file.exists()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_among_the_saves_is_not_waited_for(data: Path) -> None:
    (data / "saves").mkdir(parents=True)
    os.mkfifo(data / "saves" / "pipe.json")
    assert latest_save(nothing_told) is None


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=5), st.lists, max_leaves=4), st.data())
@settings(max_examples=200, deadline=None)
def test_any_value_in_any_place_of_a_save_is_refused_in_our_words_or_taken(value: Any, draw: st.DataObject) -> None:
    place = draw.draw(st.sampled_from([(key,) for key in GOOD] + [("match", key) for key in GOOD["match"]]))
    data: Any = json.loads(json.dumps(GOOD))
    target = data
    for key in place[:-1]:
        target = target[key]
    target[place[-1]] = value
    with contextlib.suppress(MatchError):
        Plan.from_dict(data)


def test_a_full_disk_is_told_of_and_the_game_goes_on(sit: Sit, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    resource = pytest.importorskip("resource", reason="limits of files are a thing of Unix")
    one = sit("ultimate")
    one.table.play("ee")
    one.table.flush()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20, limits[1]))
    try:
        one.table.play("ea")
        one.table.flush()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
    one.wait(lambda: bool(one.of(Unsaved)))
    assert one.table.saved in one.of(Unsaved)[0].message
    assert len(read_save(Path(one.table.saved)).match.plies) == 1, "the save before it is whole"
    one.table.play("ab")
    one.wait(lambda: bool(one.of(SavedAgain)))
    assert len(read_save(Path(one.table.saved)).match.plies) == 3
    assert not list((data / "saves").glob(".*")), "nothing half-written is left"


def test_a_folder_that_cannot_be_is_told_of_and_the_game_goes_on(sit: Sit, data: Path) -> None:
    data.write_text("a file where the folder should be")
    one = sit("tic-tac-toe")
    for move in "adbec":
        one.table.play(move)
    one.wait(lambda: bool(one.of(Unsaved)))
    assert one.table.result is not None
    one.table.close()
    words = one.table.farewell()
    assert "is not saved" in words and str(data) in words and words.endswith("Its moves: a d b e c")


PLAYS_AND_DIES = """
import os, queue, signal, sys
from metatac.table import Seats, Table, plan_game
table = Table(plan_game("ultimate", Seats()), post=queue.SimpleQueue().put, listen=lambda news: None)
table.begin()
for move in ("ee", "ea", "ab", "ba", "ac"):
    table.play(move)
    table.flush()
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_game_survives_the_death_of_its_process(sit: Sit, data: Path) -> None:
    done = subprocess.run([sys.executable, "-c", PLAYS_AND_DIES], timeout=300)
    assert done.returncode == -signal.SIGKILL
    plan = latest_save(nothing_told)
    assert plan is not None
    again = sit(plan)
    assert again.moves == ["ee", "ea", "ab", "ba", "ac"]
    again.table.play("ce")
    again.table.close()
    assert len(list((data / "saves").iterdir())) == 1, "it goes on in its own save, and its lock is gone"


def test_what_is_no_game_is_refused_by_name(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.txt"
    wrong.write_text("hello")
    with pytest.raises(MetatacError, match=r"wrong\.txt"):
        plan_from_file(wrong)
    with pytest.raises(OSError):
        plan_from_file(tmp_path / "none.txt")


def test_a_record_or_a_save_is_played_on(sit: Sit, tmp_path: Path) -> None:
    one = sit("sudoku", "human", "random")
    one.table.play("ee")
    one.wait_for_person()
    record = one.table.save(str(tmp_path / "games.txt"))
    one.table.close()
    assert plan_from_file(record).match.moves == one.table.match.moves
    assert plan_from_file(record).seats == Seats()
    assert plan_from_file(one.table.saved).seats == one.table.seats
    with pytest.raises(MetatacError, match="none is 2"):
        plan_from_file(record, number=2)
    with pytest.raises(MetatacError, match="the only one in its file"):
        plan_from_file(one.table.saved, number=1)


@pytest.mark.parametrize("name", ["Ann", "A, B = C: D", "  Zoë  ", "x" * 500])
def test_people_of_a_record_keep_their_names_where_no_others_are_named(tmp_path: Path, name: str) -> None:
    game = metatac.Game("tic-tac-toe", ["a"])
    file = tmp_path / "games.txt"
    file.write_text(Record.from_game(game, tags={"X": name, "O": "engine:3"}).to_text())
    assert plan_from_file(file).seats.names == (name.strip()[:100], "human")
    assert plan_from_file(file, Seats("human", "random")).seats.names == (name.strip()[:100], "random")
    assert plan_from_file(file, Seats("human:Eve", "human:Bob")).seats.names == ("Eve", "Bob")


WISHES = st.lists(st.tuples(st.sampled_from(["play", "undo", "redo", "jump", "swap"]), st.integers(0, 30)), max_size=30)


@given(st.sampled_from(["tic-tac-toe", "extreme", "sudoku", "ultimate{swap=true}"]), WISHES)
@settings(max_examples=60, deadline=None)
def test_whatever_people_do_the_game_is_sound_and_is_saved_as_it_is(game: str, wishes: list[tuple[str, int]]) -> None:
    one = sitting(game, keep=False)
    table = one.table
    for wish, number in wishes:
        before = table.match.moves + table.redo_moves
        try:
            if wish == "play":
                moves = table.position.legal_moves
                table.play(moves[number % len(moves)] if moves else "a")
            elif wish == "swap":
                table.swap_sides()
            else:
                getattr(table, wish)(number)
        except MetatacError:
            assert table.match.moves + table.redo_moves == before
        else:
            assert wish == "play" or table.match.moves + table.redo_moves == before
        positions = metatac.Game(table.match.start, table.match.moves).positions
        assert positions == table.match.positions
        assert (table.result is not None) == (table.position.outcome is not None)
    plan = Plan.from_dict(json.loads(json.dumps(table.plan.to_dict())))
    assert plan == table.plan
    table.close()


def test_a_series_reads_what_it_writes() -> None:
    series = Series(5, ("1-0", "1-0", "1/2-1/2"), (16.0, 32.5))
    assert Series.from_dict(json.loads(json.dumps(series.to_dict()))) == series
    assert series.scores == (1.5, 1.5)
