"""Positions of `ultimate` in other programs' notations."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import metatac
from metatac.errors import InvalidPosition
from metatac.notation import foreign_forms, read_foreign, write_foreign


def line_of(seed):
    """The positions of a random game, to its end."""
    position, random = metatac.start("ultimate"), Random(seed)
    yield position
    while position.outcome is None:
        position = position.play(random.choice(position.legal_moves))
        yield position


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6))
def test_every_form_gives_every_position_back(seed):
    for position in line_of(seed):
        for form in foreign_forms():
            text = write_foreign(position, form)
            assert read_foreign(text) == read_foreign(text, form) == position
            assert write_foreign(read_foreign(text), form) == text
        values = [int(digit) for digit in write_foreign(position, "utttai")]
        assert read_foreign(values) == read_foreign(bytes(values)) == position


# Texts that the other programs themselves show or test with, and the moves that lead there.
WITNESSES = [
    ("ultimattt", "X;.........;" + "/".join(["........."] * 9), ""),
    ("ultimattt", "O;@........;" + "/".join(["........."] * 8) + "/X........", "ia"),
    (
        "ultimattt",
        "X;.......@.;..O....../........./........X/........./........./........./........./........./X......O.",
        "ia ac ci ih",
    ),
    ("utttai", "0" * 90 + "190", ""),
    ("utttai", "1" + "0" * 89 + "200", "aa"),
    ("utttai", "0" * 40 + "10002" + "0" * 15 + "1" + "0" * 17 + "201" + "0" * 9 + "260", "ee ei ii ig gg"),
    ("groups", "9/9/9/9/9/9/9/9/9 x -", ""),
    ("groups", "1x7/2o6/x8/9/9/9/9/9/9 o 0", "ab bc ca"),
    ("groups", "9/9/9/7x1/4xo3/8x/9/4o4/o8 x 0", "dh he ee ef fi ia"),
]


@pytest.mark.parametrize(("form", "text", "moves"), WITNESSES)
def test_the_others_own_examples(form, text, moves):
    position = metatac.Game("ultimate", moves.split()).position
    assert read_foreign(text) == position
    assert write_foreign(position, form) == text


def test_the_example_of_ultimattts_readme():
    position = read_foreign(
        "O;@........;X.OO...../X..X.O.O./X.X...O.O/.X.OXO.../O.O.X..../.XX....O./......X.O/.O.X.X.../.O.....XX"
    )
    assert position.turn == "O" and position.send == (0,)
    assert [str(move) for move in position.legal_moves] == ["ab", "ae", "af", "ag", "ah", "ai"]


def test_utttai_orders_cells_board_by_board():
    after = metatac.start("ultimate").play("bd")
    digits = write_foreign(after, "utttai")
    assert digits.index("1") == 9 + 3 and digits[81:] == "000000000" + "2" + "3" + "0"


@pytest.mark.parametrize("form", foreign_forms())
def test_where_the_game_is_over_the_board_to_play_in_is_dropped(form):
    moves = [
        "ac",
        "ca",
        "ae",
        "ea",
        "ag",
        "gb",
        "bc",
        "cb",
        "be",
        "eb",
        "bg",
        "gc",
        "cd",
        "dc",
        "ce",
        "ec",
        "cf",
    ]
    over = metatac.Game("ultimate", moves).position
    text = write_foreign(over, form)
    theirs = {
        "ultimattt": text[:7] + "@" + text[8:],
        "utttai": text[:91] + "5" + text[92:],
        "groups": text[:-1] + "5",
    }[form]
    assert theirs != text and read_foreign(theirs) == read_foreign(text) == over


START = {form: write_foreign(metatac.start("ultimate"), form) for form in foreign_forms()}
WON_A = metatac.Game("ultimate", ["ac", "ca", "ae", "ea", "ag", "gb"]).position


def swapped(text, place, letter):
    return text[:place] + letter + text[place + 1 :]


@pytest.mark.parametrize(
    ("text", "trouble"),
    [
        (START["ultimattt"].replace("X;.", "Y;."), "not of the form"),
        (START["ultimattt"] + "/.........", "not of the form"),
        (START["ultimattt"].replace(";.........;", ";@.@......;"), "more than one board"),
        (swapped(START["ultimattt"], 2, "X"), "board a is said to be won by X, but .* is open"),
        (START["ultimattt"].replace(";.........;", ";#........;"), "said to be drawn"),
        (START["ultimattt"].replace("X;", "O;"), "X has as many marks as O"),
        (
            swapped(write_foreign(WON_A, "ultimattt"), 2, "."),
            "board a is said to be open, but .* is won by X",
        ),
        (START["utttai"][:-1], "not of the form"),
        (START["utttai"] + "0", "not of the form"),
        (swapped(START["utttai"], 0, "3"), "not of the form"),
        (swapped(START["utttai"], 90, "0"), "not of the form"),
        (swapped(START["utttai"], 81, "1"), "said to be won by X"),
        (swapped(START["utttai"], 92, "3"), "result is said to be 3, but it is 0"),
        (swapped(write_foreign(WON_A, "utttai"), 81, "0"), "said to be open"),
        (swapped(write_foreign(WON_A, "utttai"), 91, "0"), "board sent to is decided"),
        ("9/9/9/9/9/9/9/9/8 x -", "board i, '8', has 8 cells"),
        ("9/9/9/9/9/9/9/9/91 x -", "has 10 cells"),
        ("9/9/9/9/9/9/9/9/9 x 9", "not of the form"),
        ("9/9/9/9/9/9/9/9/9 X 0", "nine boards, not nine rows"),
        ("9/9/9/9/9/9/9/9 x -", "not of the form"),
        ("xxxooo3/9/9/9/9/9/9/9/9 x -", "lines of both players"),
        ("xxx6/ooo6/9/9/9/9/9/9/9 x 0", "board sent to is decided"),
        ("x8/9/9/9/9/9/9/9/9 x -", "X has 1 mark more"),
        ("", "no notation known here: ultimattt, utttai, groups"),
        ("foo", "'foo' is in no notation known here"),
        ("x" * 500, "longer than any"),
        ([0] * 92, "93 values"),
        ([0] * 92 + [10], "value 10"),
        ([0] * 92 + ["0"], "value '0'"),
        (5, "93 values"),
    ],
)
def test_what_contradicts_itself_is_refused(text, trouble):
    with pytest.raises(InvalidPosition, match=trouble):
        read_foreign(text)


def test_only_ultimate_and_only_known_forms():
    with pytest.raises(InvalidPosition, match="knows only 'ultimate'"):
        write_foreign(metatac.start("ultimate-majority"), "groups")
    with pytest.raises(InvalidPosition, match="no notation known here"):
        write_foreign(metatac.start("ultimate"), "fen")
    with pytest.raises(InvalidPosition, match="no notation known here"):
        read_foreign("9", "fen")
