"""Boards as terminal text."""

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import metatac
from metatac.game import Move, Position
from metatac.render import board_text, status_text

ANSI = re.compile(r"\x1b\[[0-9;]*m")
GAMES = (
    *metatac.preset_names(),
    *(f"sudoku{{side={side}}}" for side in range(2, 8)),
    "ultimate{side=2}",
    "ultimate{depth=3}",
    "ultimate{side=2;depth=3}",
    "ultimate{side=5;depth=3}",
    "ultimate{marks=2;win_board=tallies;tallies=3}",
    "tic-tac-toe{side=7}",
    "ultimate{swap=true}",
)


def played(game: str, plies: int, seed: int = 1) -> tuple[Position, Move | None]:
    chance, position, last = random.Random(seed), metatac.start(game), None
    while len(position.legal_moves) and plies:
        last = chance.choice(position.legal_moves)
        position, plies = position.play(last), plies - 1
    return position, last


def test_a_board_in_full() -> None:
    position = metatac.start("ultimate")
    for move in ["ae", "ea", "ab", "bb", "ba", "aa", "ac", "cc", "ca", "ad"]:
        position = position.play(move)
    text = board_text(position, last=Move((0, 3)))
    assert text.splitlines() == [
        "    1 2 3   4 5 6   7 8 9",
        "  ┏a━━━━━━┯b━━━━━━┯c━━━━━━┓",
        "1 ┃ O X X │ X O   │ X   O ┃",
        "2 ┃[O]X   │       │       ┃",
        "3 ┃       │       │       ┃",
        "  ┠d*─────┼e──────┼f──────┨",
        "4 ┃ · · · │ O     │       ┃",
        "5 ┃ · · · │       │       ┃",
        "6 ┃ · · · │       │       ┃",
        "  ┠g──────┼h──────┼i──────┨",
        "7 ┃       │       │       ┃",
        "8 ┃       │       │       ┃",
        "9 ┃       │       │       ┃",
        "  ┗━━━━━━━┷━━━━━━━┷━━━━━━━┛",
        "The move ad sends X to board d.",
    ]


def test_plain_ascii_of_a_won_board() -> None:
    position = metatac.position("ultimate X - XXX1O4:X/OOO1X4:O/9/3O2X2/9/9/9/9/9")
    lines = board_text(position, unicode=False, coordinates=False, status=False).splitlines()
    assert lines[:5] == [
        "+a=X====+b=O====+c*=====+",
        "|/X/X/X/:~O~O~O~: . . . |",
        "|/ /O/ /:~ ~X~ ~: . . . |",
        "|/ / / /:~ ~ ~ ~: . . . |",
        "+d*-----+e*-----+f*-----+",
    ]


def test_tallies_banned_squares_and_both_marks() -> None:
    position = metatac.start("ultimate-ultimate").play("aaab")
    assert "┃[X|O]  │" in board_text(position, last=Move((0, 0, 0, 1)))
    rest = "|".join(["/".join(["9"] * 9)] * 8)
    position = metatac.position("ultimate-ultimate X aa 9:21/9:12/" + "/".join(["9"] * 7) + "|" + rest)
    assert "┏aa*2:1━┯ab 1:2━┯ac━━━━━┳" in board_text(position)
    banned, _ = played("sudoku{side=2}", 99)
    assert board_text(banned).count("#") == banned.cells.count("#")


def test_letters_name_the_cells_that_may_be_played() -> None:
    text = board_text(metatac.start("ultimate").play("ae"), letters=True)
    assert "┃       │ a b c │       ┃" in text


def test_the_status_says_who_where_and_why() -> None:
    assert status_text(metatac.start("ultimate")) == "X begins anywhere."
    assert "may also swap" in status_text(metatac.start("ultimate", swap=True).play("ae"))
    over, last = played("ultimate", 99)
    assert status_text(over, last=last).startswith("The game is over: ")


@pytest.mark.parametrize("game", GAMES)
@given(plies=st.integers(0, 120), seed=st.integers(0, 99))
@settings(max_examples=8, deadline=None)
def test_every_game_is_drawn_whole(game: str, plies: int, seed: int) -> None:
    position, last = played(game, plies, seed)
    rules = position.rules
    plain = board_text(position, last=last, status=False)
    lines = plain.splitlines()
    assert "\x1b" not in plain
    assert len({len(line) for line in lines if line[-1] in "┃│┓┨┫┛┐┤┘"}) == 1, "straight on the right"
    cells = "".join(line[line.index("┃" if rules.depth > 1 else "│") :] for line in lines if line[-1] in "┃│")
    for mark in "XO#":
        assert cells.count(mark) == position.cells.count(mark)
    targets = {move[: rules.depth] for move in position.legal_moves if move}
    assert plain.count("·") == len(targets - ({last[: rules.depth]} if last else set())) or rules.marks == 2

    colored = board_text(position, last=last, color=True, status=False)
    bare = ANSI.sub("", colored)
    assert re.sub(r"[\[\]|░▒ ]", "", plain).replace("\n", "") == re.sub(r"[\[\]|░▒ ]", "", bare).replace("\n", "")
    assert colored.count("\x1b[0m") * 2 == colored.count("\x1b")
    assert board_text(position, last=last, unicode=False).isascii()


def test_the_largest_preset_fits_a_usual_terminal() -> None:
    position = metatac.start("ultimate-ultimate")
    lines = board_text(position).splitlines()
    assert max(map(len, lines)) <= 80
