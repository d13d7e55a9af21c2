"""What people do beside moving: undo, look back, commands, dialogs, advice, clocks, series."""

import threading
from dataclasses import replace
from pathlib import Path

import pytest
from screens import client_for, drive, persons_turn, screen_text, until
from textual import events
from textual.pilot import Pilot
from textual.widgets import Button, Input, Select, Static

from metatac.notation import read_records
from metatac.players.random_player import RandomPlayer
from metatac.rules import load_rules
from metatac.table import GettingReady, Seats, plan_game
from metatac.tui import ending
from metatac.tui.client import Client
from metatac.tui.dialogs import Dialog, NewGame, Reading, Wish
from metatac.tui.ending import Ending
from metatac.tui.palette import LIGHT

COMPILING = 600.0
"""Seconds that an engine may need before its first answer on a machine that has never run it."""


async def command(pilot: Pilot[None], text: str) -> None:
    """Type a command as a person does."""
    await pilot.press("colon", *("space" if char == " " else char for char in text), "enter")
    await pilot.pause()


def last_line(client: Client) -> str:
    return screen_text(client).splitlines()[-1]


def test_undo_redo_and_looking_back() -> None:
    async def script(client: Client, pilot: Pilot[None]) -> None:
        await pilot.press(*"eeeaaa")
        assert [str(move) for move in client.table.match.moves] == ["ee", "ea", "aa"]
        await pilot.press("f6", "ctrl+z")
        assert len(client.table.match.plies) == 1 and len(client.table.redo_moves) == 2
        assert "3 X aa" in screen_text(client)  # it can be made again
        await pilot.press("f7", "ctrl+y")
        assert len(client.table.match.plies) == 3
        await pilot.press("comma", "comma")
        assert client.plies == 1 and "Move 1 of 3" in screen_text(client)
        await pilot.press("a")
        assert "> returns" in last_line(client) and len(client.table.match.plies) == 3
        await pilot.press("less_than_sign")
        assert client.plies == 0
        await pilot.press("full_stop", "greater_than_sign")
        assert client.looking is None
        await command(pilot, "go 2")
        assert client.plies == 2
        await pilot.press("escape")
        assert client.looking is None
        await pilot.click(client.moves, offset=(3, 1))
        assert client.plies == 1
        await command(pilot, "play")
        assert [str(move) for move in client.table.match.moves] == ["ee"] and client.table.turn == "O"
        assert "1 X ee" in screen_text(client)

    drive(client_for("ultimate"), script)


def test_against_a_computer_undo_goes_back_to_the_own_decision() -> None:
    async def script(client: Client, pilot: Pilot[None]) -> None:
        await pilot.press(*"ee")
        await persons_turn(client, pilot)
        assert len(client.table.match.plies) == 2
        await pilot.press("f6")
        await pilot.pause()
        assert not client.table.match.plies and client.table.waiting == "person"
        await command(pilot, "sides")
        await until(pilot, lambda: len(client.table.match.plies) == 1, "the computer has X now and moves")
        assert client.table.seats.names == ("random", "Ann")

    drive(client_for("ultimate", o="random"), script)


def test_words_that_are_wrong_are_answered() -> None:
    wrong = {
        "undo": "no move",
        "redo": "no move",
        "undo x": "whole number",
        "resign now please": "'now please' is too much",
        "swap": "no swap",
        "now": "no computer",
        "zoom sideways": "zoom takes",
        "theme pink": "dark or light",
        "load": "which file",
        "load /nowhere/game.txt": "No such file",
        "save /dev/null/x.txt": "/dev/null",
        "go -1": "whole number",
        "new nosuchgame": "nosuchgame",
        "abracadabra": "no command",
        "99 99": "not from 1 to 9",
        "zz": "no move of ultimate",
        "hint nobody": "nobody",
    }

    async def script(client: Client, pilot: Pilot[None]) -> None:
        for line, answer in wrong.items():
            client.action_do(line)
            await until(pilot, lambda: bool(client.message), line)
            assert answer in client.message, line
            assert "Traceback" not in client.message
        await command(pilot, "")
        assert not client.table.match.plies

    drive(client_for("ultimate"), script)


def test_a_command_that_comes_in_one_burst_is_no_move() -> None:
    """As from a slow connection: the keys after the colon are there before the prompt is."""
    burst = (("colon", ":"), ("4", "4"), ("space", " "), ("5", "5"), ("enter", "\r"))

    async def script(client: Client, pilot: Pilot[None]) -> None:
        for key, character in burst:
            client.post_message(events.Key(key, character))
        await until(pilot, lambda: bool(client.table.match.moves), "the move is made")
        await pilot.pause()
        assert [str(move) for move in client.table.match.moves] == ["eb"]
        await pilot.press("colon", "a", "colon", "b")
        assert client.typing.value == "a:b"

    drive(client_for("ultimate"), script)


def test_moves_in_other_forms_after_a_colon() -> None:
    async def script(client: Client, pilot: Pilot[None]) -> None:
        await command(pilot, "5 5")
        await command(pilot, "2 2 1 1")
        await command(pilot, "a e")
        assert [str(move) for move in client.table.match.moves] == ["ee", "ea", "ae"]

    drive(client_for("ultimate"), script)


def test_two_marks_by_keys_and_the_way_back() -> None:
    async def script(client: Client, pilot: Pilot[None]) -> None:
        await pilot.press("enter")
        assert client.entry.own == (4, 4, 4) and "now O's mark" in last_line(client)
        await pilot.press("enter")
        assert "both marks cannot go to cell e" in last_line(client)
        await pilot.press("escape")
        assert client.entry.numbers == ()
        await pilot.press(*"eea", "backspace", "b", "i")
        assert [str(move) for move in client.table.match.moves] == ["eebi"]
        assert client.table.position.send == (8, 1)
        assert client.board.board_under_cursor == (8, 1)

    drive(client_for("ultimate-ultimate"), script)


def test_the_first_move_can_be_taken_over_where_the_rules_have_it() -> None:
    async def script(client: Client, pilot: Pilot[None]) -> None:
        await pilot.press("e", "e")
        assert ":swap" in screen_text(client)
        await command(pilot, "swap")
        assert client.table.position.cells.count("O") == 1 and client.table.turn == "X"
        assert client.scene.last == (4, 4)

    drive(client_for(load_rules("ultimate", swap=True)), script)


def test_the_swap_is_the_rules_own_and_sides_is_another_thing() -> None:
    async def script(client: Client, pilot: Pilot[None]) -> None:
        await command(pilot, "swap")
        assert "only the second player" in last_line(client)
        await pilot.press("e", "e")
        await command(pilot, "sides")
        assert client.table.seats.names == ("Bob", "Ann") and client.table.turn == "O"

    drive(client_for(load_rules("ultimate", swap=True)), script)


def test_the_cursor_visits_the_cells_that_may_be_played() -> None:
    async def script(client: Client, pilot: Pilot[None]) -> None:
        await pilot.press("e", "a")
        seen = []
        for _ in range(10):
            await pilot.press("tab")
            seen.append(client.board.path)
        assert seen == [(0, cell) for cell in (5, 6, 7, 8, 0, 1, 2, 3, 4, 5)]
        await pilot.press("shift+tab")
        assert client.board.path == (0, 4)
        await pilot.press("end")
        assert client.board.path == (0, 8)
        await pilot.press("home", "up", "left")
        assert client.board.path == (0, 0)
        await pilot.press("ctrl+right", "shift+down", "right")
        assert client.board.path == (4, 1)
        await pilot.press("enter")
        assert "O must play in board a" in last_line(client)

    drive(client_for("ultimate"), script)


def test_zoom_scrolls_and_keeps_the_cursor_in_sight() -> None:
    async def script(client: Client, pilot: Pilot[None]) -> None:
        board = client.board
        for key in ("plus", "plus", "plus", "minus", "0"):
            await pilot.press(key)
            for corner in ((0, 0), (26, 26), (13, 0)):
                board.move_cursor(*corner)
                await pilot.pause()
                place = board.place_on_screen(board.path)
                assert 0 <= place.x < board.size.width and 0 <= place.y < board.size.height
                assert board.cell_at(place.x, place.y) == corner

    drive(client_for("ultimate-ultimate"), script)


def test_help_panel_and_colours() -> None:
    async def script(client: Client, pilot: Pilot[None]) -> None:
        await pilot.press("question_mark")
        assert isinstance(client.screen, Reading) and "Sixteen small boards" in screen_text(client)
        await pilot.press("escape")
        assert not client.has_panel
        await pilot.press("f9")
        await pilot.pause()
        assert client.has_panel
        await pilot.press("f11")
        assert client.board.palette is LIGHT
        await command(pilot, "time")
        assert "Time control: 16/move; X has 16 s" in last_line(client)

    drive(client_for("extreme", time=None), script)


def test_a_new_game_from_the_dialog() -> None:
    async def script(client: Client, pilot: Pilot[None]) -> None:
        await pilot.press("a")
        await pilot.press("f2")
        await pilot.pause()
        assert isinstance(client.screen, NewGame)
        await pilot.press("escape")
        await pilot.pause()
        assert client.entry.text == "a"  # nothing has happened
        await command(pilot, "new sudoku")
        await pilot.pause()
        assert isinstance(client.screen, NewGame)
        await pilot.press("enter")  # takes everything as it is suggested
        await until(pilot, lambda: not isinstance(client.screen, NewGame), "the game")
        assert client.table.match.rules.name == "sudoku" and not client.entry.numbers
        await pilot.press("e", "e")
        await pilot.press("f2")
        await until(pilot, lambda: isinstance(client.screen, NewGame), "the dialog")
        await pilot.press("f2")
        await until(pilot, lambda: not client.table.match.plies, "another game")

    drive(client_for("ultimate"), script)


def test_without_a_plan_it_asks_first() -> None:
    async def script(client: Client, pilot: Pilot[None]) -> None:
        await until(pilot, lambda: isinstance(client.screen, NewGame), "the dialog")
        await pilot.press("ctrl+q")

    drive(Client(None, keep=False), script)


def test_resigning_and_draws_are_asked_for() -> None:
    async def script(client: Client, pilot: Pilot[None]) -> None:
        await command(pilot, "draw")
        assert isinstance(client.screen, Dialog)
        await pilot.press("tab", "enter")
        await pilot.pause()
        assert client.table.result is None and "does not agree" in last_line(client)
        await command(pilot, "resign")
        await pilot.press("enter")  # the first answer is no
        await pilot.pause()
        assert client.table.result is None
        await command(pilot, "resign")
        await pilot.press("down", "enter")
        await until(pilot, lambda: isinstance(client.screen, Ending), "the end")
        assert "O (Bob) wins" in screen_text(client) and "resignation" in screen_text(client)
        await pilot.press("enter")  # a rematch
        await persons_turn(client, pilot)
        assert client.table.seats.names == ("Bob", "Ann") and client.table.result is None

    drive(client_for("ultimate"), script)


def test_a_series_keeps_its_score_and_changes_sides() -> None:
    async def script(client: Client, pilot: Pilot[None]) -> None:
        await pilot.press(*"adbec")
        await until(pilot, lambda: isinstance(client.screen, Ending), "the end")
        assert "Score after 1 of 2 games: Ann 1, Bob 0" in " ".join(screen_text(client).replace("│", " ").split())
        await pilot.press("enter")
        await persons_turn(client, pilot)
        assert client.table.seats.names == ("Bob", "Ann") and "game 2 of 2" in screen_text(client)
        await pilot.press(*"adbec")
        await until(pilot, lambda: isinstance(client.screen, Ending), "the end")
        assert client.table.series.scores == (1, 1)

    drive(client_for("tic-tac-toe", games=2), script)


def test_a_clock_that_runs_out_ends_the_game() -> None:
    now = [0.0]
    client = client_for("ultimate", time="5m+3s")
    client.table.clock = lambda: now[0]

    async def script(client: Client, pilot: Pilot[None]) -> None:
        await pilot.press("e", "e")
        assert "5:03" in screen_text(client)
        now[0] = 292.5
        await until(pilot, lambda: "7.5" in screen_text(client), "the clock shows tenths")
        now[0] = 301.0
        await until(pilot, lambda: client.table.result is not None, "the end")
        assert client.table.result is not None and client.table.result.reason == "overrun"

    drive(client, script)


def test_an_end_by_surprise_takes_no_key_that_was_meant_for_the_board(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    client = client_for("ultimate", time="5m+3s")
    client.table.clock = lambda: now[0]
    monkeypatch.setattr(ending, "MOMENT", 3600.0)

    async def script(client: Client, pilot: Pilot[None]) -> None:
        await pilot.press("e", "e")
        now[0] = 301.0
        await until(pilot, lambda: isinstance(client.screen, Ending), "the end")
        await pilot.press("right", "enter", "tab", "space", "e", "a")
        assert isinstance(client.screen, Ending) and client.table.result is not None
        await pilot.press("escape")
        assert not isinstance(client.screen, Ending)

    drive(client, script)


def test_after_a_moment_the_end_takes_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ending, "MOMENT", 0.01)

    async def script(client: Client, pilot: Pilot[None]) -> None:
        await until(pilot, lambda: isinstance(client.focused, Button), "the end, which takes keys")
        await pilot.press("down", "enter")
        await until(pilot, lambda: isinstance(client.screen, NewGame), "the dialog of a new game")

    drive(client_for("tic-tac-toe", "random", "random"), script)


def test_while_the_end_is_told_only_its_own_keys_are_offered() -> None:
    async def script(client: Client, pilot: Pilot[None]) -> None:
        await pilot.press(*"adbec")
        await until(pilot, lambda: isinstance(client.screen, Ending), "the end")
        assert "Esc look at it" in last_line(client) and "F2" not in last_line(client)
        await pilot.press("escape")
        assert "F2 new game" in last_line(client) and "Esc" not in last_line(client)

    drive(client_for("tic-tac-toe"), script)


def test_amid_a_series_the_next_game_is_offered_and_no_rematch() -> None:
    async def script(client: Client, pilot: Pilot[None]) -> None:
        await pilot.press(*"adbec")
        await until(pilot, lambda: isinstance(client.screen, Ending), "the end")
        assert "Next game" in screen_text(client)
        await pilot.press("escape")
        assert "Ctrl+R next game" in last_line(client) and "ematch" not in screen_text(client)
        await pilot.press("ctrl+r")
        await persons_turn(client, pilot)
        assert client.table.series.number == 2 and client.table.series.scores == (1, 0)
        await pilot.press(*"adbec")
        await until(pilot, lambda: isinstance(client.screen, Ending), "the end")
        assert "Rematch" in screen_text(client) and "Next game" not in screen_text(client)

    drive(client_for("tic-tac-toe", games=2), script)


@pytest.mark.parametrize(("time", "draws"), [("none", False), ("5m", True)])
def test_nothing_is_drawn_while_nothing_changes(time: str, draws: bool) -> None:
    async def script(client: Client, pilot: Pilot[None]) -> None:
        drawn: list[str] = []
        client.show_words = lambda: drawn.append("words")  # type: ignore[method-assign]
        client._tick()
        assert bool(drawn) is draws

    drive(client_for("ultimate", time=time), script)


def test_computers_play_each_other_and_can_be_paused() -> None:
    async def script(client: Client, pilot: Pilot[None]) -> None:
        await until(pilot, lambda: client.table.result is not None, "the end")
        assert isinstance(client.screen, Ending)

    drive(client_for("tic-tac-toe", "random", "random"), script)


@pytest.mark.parametrize("first", [False, True])
def test_who_wishes_for_what_cannot_be_is_asked_again(first: bool) -> None:
    client = Client(None, keep=False) if first else client_for("ultimate")

    def complaint() -> str:
        found = client.screen.query("#complaint") if isinstance(client.screen, NewGame) else None
        return str(found.first(Static).content) if found else ""

    async def script(client: Client, pilot: Pilot[None]) -> None:
        if not first:
            await pilot.press("f2")
        await until(pilot, lambda: isinstance(client.screen, NewGame), "the dialog")
        client.screen.dismiss(Wish("ultimate", "human", "tiger", "none", "1"))
        await until(pilot, lambda: "tiger plays only sudoku" in complaint(), "the reason")
        client.screen.query_one("#time", Input).value = "soon"
        client.screen.query_one("#o", Select).value = "random"
        await pilot.press("f2")
        await until(pilot, lambda: "soon" in complaint(), "another reason")
        await pilot.press("ctrl+u", "5", "m", "enter")  # what was wrong is where one types
        await until(pilot, lambda: not isinstance(client.screen, NewGame), "the game")
        assert client.table.seats.o == "random" and str(client.table.match.time) == "5m"

    drive(client, script)


def test_a_player_who_cannot_play_the_game_is_told_of() -> None:
    async def script(client: Client, pilot: Pilot[None]) -> None:
        await until(pilot, lambda: isinstance(client.screen, NewGame), "the dialog for other players")
        assert "cannot play this" in client.message

    plan = plan_game("ultimate", Seats())
    saved = replace(plan, seats=Seats("human:Ann", "tiger"))  # a save may name whom a new game would not
    drive(Client(saved, keep=False), script)


def test_saving_and_loading(tmp_path: Path) -> None:
    file = tmp_path / "games.txt"

    async def script(client: Client, pilot: Pilot[None]) -> None:
        await pilot.press(*"eeea")
        client.action_do(f"save {file}")
        assert "games.txt" in client.message
        await pilot.press("f6", "f6")
        client.action_do(f"load {file}")
        await pilot.pause()
        assert [str(move) for move in client.table.match.moves] == ["ee", "ea"]
        await pilot.press(*"ab")
        client.action_do(f"save {file}")
        client.action_do(f"load {file}")
        assert "there are 2 records in it" in client.message
        client.action_do(f"load {file} 1")
        await pilot.pause()
        assert [str(move) for move in client.table.match.moves] == ["ee", "ea"]

    drive(client_for("ultimate"), script)
    assert [len(record.plies) for record in read_records(file)] == [2, 3]


def test_a_narrow_window_tells_how_to_take_back_and_to_leave() -> None:
    async def script(client: Client, pilot: Pilot[None]) -> None:
        line = last_line(client)
        assert all(key in line for key in ("? help", "F6 undo", "F10 quit"))
        await pilot.press("f2")
        (game,) = (line for line in screen_text(client).splitlines() if "Game " in line)
        assert "Ultimate-Ultimate (27 … ▼" in game

    drive(client_for("ultimate-ultimate"), script, (60, 20))


def test_a_real_engine_plays_and_advises() -> None:
    """The one place where something may have to be compiled."""

    async def script(client: Client, pilot: Pilot[None]) -> None:
        await pilot.press("e", "e")
        await until(pilot, lambda: len(client.table.match.plies) == 2, "the engine's answer", COMPILING)
        await command(pilot, "hint engine:1")
        await until(pilot, lambda: bool(client.hinted), "a hint", COMPILING)
        assert client.hinted <= client.scene.targets and "would play" in client.message
        client.action_do("eval engine:1")
        valued = client.scene.targets
        await until(pilot, lambda: set(client.heat) == valued and not client.analysing, "all values", COMPILING)
        assert "9" in screen_text(client) and "in X's view:" in screen_text(client)
        await pilot.press("escape")
        assert not client.heat

    drive(client_for("ultimate", o="engine:1"), script)


def test_a_computer_that_is_compiled_says_so_whatever_is_pressed(monkeypatch: pytest.MonkeyPatch) -> None:
    done = threading.Event()
    monkeypatch.setattr(RandomPlayer, "game_started", lambda *_: done.wait(60), raising=False)

    async def script(client: Client, pilot: Pilot[None]) -> None:
        try:
            await pilot.press(*"ee")
            assert "random gets ready" in screen_text(client)
            client.hear(GettingReady("O", "2/6 search"))
            await pilot.press("home", "enter", "escape")
            assert "once only: 2/6 search" in " ".join(screen_text(client).split())
        finally:
            done.set()
        await persons_turn(client, pilot)
        assert len(client.table.match.plies) == 2 and "ready" not in screen_text(client)

    drive(client_for("ultimate", o="random"), script, (80, 24))


def test_a_move_typed_before_the_clock_runs_is_refused_until_it_does(monkeypatch: pytest.MonkeyPatch) -> None:
    done = threading.Event()
    monkeypatch.setattr(RandomPlayer, "game_started", lambda *_: done.wait(60), raising=False)

    async def script(client: Client, pilot: Pilot[None]) -> None:
        try:
            await pilot.press(*"ee")
            assert "the clock has not started" in last_line(client) and not client.table.match.plies
        finally:
            done.set()
        await persons_turn(client, pilot)
        assert "has not started" not in last_line(client) and client.entry.text == "e"
        await pilot.press("a")
        await until(pilot, lambda: bool(client.table.match.plies), "the move")
        assert str(client.table.match.moves[0]) == "ea"

    drive(client_for("ultimate", o="random", time="30s+1s"), script)
