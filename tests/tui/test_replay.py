"""A record on the same board: stepping, what was noted, and playing on from a position of it."""

from screens import check_screen, client_for, drive, persons_turn, screen_text
from textual.pilot import Pilot

from metatac.game import parse_move, start
from metatac.notation import Record
from metatac.notation.record import Ply
from metatac.tui.client import Client

BEGIN = start("ultimate")
FIRST = Ply(parse_move(BEGIN.rules, "ee"), "The centre, as everybody begins.", clock=298.0, spent=2.5, evaluation=0.12)
OTHERWISE = tuple(Ply(parse_move(BEGIN.rules, text)) for text in ("ai", "ia"))
RECORD = Record(
    BEGIN,
    (
        FIRST,
        Ply(parse_move(BEGIN.rules, "ea"), evaluation=0.1),
        Ply(parse_move(BEGIN.rules, "ac"), spent=1.0, variations=(OTHERWISE,)),
        Ply(parse_move(BEGIN.rules, "ca")),
    ),
    tags={"Event": "A short one", "X": "Ann", "O": "engine:3"},
)


def replaying() -> Client:
    return Client(None, record=RECORD, keep=False)


def test_stepping_through_a_record() -> None:
    async def script(client: Client, pilot: Pilot[None]) -> None:
        assert client.plies == 0 and "A short one" in screen_text(client)
        await pilot.press("right")
        text = screen_text(client)
        assert "as everybody" in text and "value +0.12" in text and "took 2.5 s" in text and "4:58 left" in text
        await check_screen(client, pilot, "replay")
        await pilot.press("right", "right")
        assert "or ai ia" in screen_text(client)
        await pilot.press("end")
        assert client.plies == 4
        await pilot.press("right")
        assert client.plies == 4
        await pilot.press("up")
        assert client.plies == 0
        await pilot.press("e")
        assert ":play plays on" in client.message
        for word in ("undo", "resign", "rematch", "draw", "sides"):
            client.action_do(word)
            assert "is for games" in client.message
        assert len(client.table.match.plies) == 4

    drive(replaying(), script)


def test_what_is_to_be_said_at_first_is_said() -> None:
    async def script(client: Client, pilot: Pilot[None]) -> None:
        assert "Game 1 of 56" in screen_text(client)

    drive(Client(None, record=RECORD, say="Game 1 of 56", keep=False), script)


def test_lines_that_were_not_played_are_stepped_into_and_out_of() -> None:
    async def script(client: Client, pilot: Pilot[None]) -> None:
        await pilot.press("right", "right", "enter")
        assert "no other line" in client.message and client.record is RECORD
        await pilot.press("right")
        assert "Enter other line" in screen_text(client)
        await pilot.press("enter")
        assert "Variation, move 3 of 4" in screen_text(client) and "Esc main line" in screen_text(client)
        assert [str(move) for move in client.table.match.moves] == ["ee", "ea", "ai", "ia"] and client.plies == 3
        await pilot.press("right", "right")
        assert client.plies == 4 and client.position.cells.count(".") == 77
        await pilot.press("escape")
        assert client.record is RECORD and client.plies == 3 and "Variation" not in screen_text(client)
        assert [str(move) for move in client.table.match.moves] == ["ee", "ea", "ac", "ca"]
        client.action_do("line 2")
        assert "none is 2" in client.message
        await pilot.press("enter", "end")
        client.action_do("play")
        await persons_turn(client, pilot)
        assert client.record is None and not client.above and client.table.position.cells.count(".") == 77

    drive(replaying(), script)


def test_a_line_that_ends_the_game_is_only_shown() -> None:
    begin = start("tic-tac-toe")
    won, other = (tuple(Ply(parse_move(begin.rules, move)) for move in line) for line in ("adbec", "ghi"))
    record = Record(begin, (*won[:2], Ply(won[2].move, variations=(other,)), *won[3:]))

    async def script(client: Client, pilot: Pilot[None]) -> None:
        for _ in range(2):
            await pilot.press("home", "right", "right", "right", "enter", "end", "escape")
            assert client.record is record and client.plies == 3 and len(client.screen_stack) == 1

    drive(Client(None, record=record, keep=False), script)


def test_playing_on_from_a_position_of_a_record() -> None:
    async def script(client: Client, pilot: Pilot[None]) -> None:
        await pilot.press("right", "right")
        client.action_do("play")
        await persons_turn(client, pilot)
        assert client.record is None and client.table.turn == "X"
        assert client.table.seats.names == ("Ann", "human"), "a computer's name is not a person's"
        await pilot.press("a", "b")
        assert [str(move) for move in client.table.match.moves] == ["ee", "ea", "ab"]

    drive(replaying(), script)


def test_a_record_of_no_moves() -> None:
    async def script(client: Client, pilot: Pilot[None]) -> None:
        await pilot.press("right", "left", "end", "home", "down")
        assert client.plies == 0

    client = client_for("sudoku")
    drive(Client(None, record=Record(client.table.position), keep=False), script)
    client.close_table()
