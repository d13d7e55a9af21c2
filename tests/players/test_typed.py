"""What people type."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import metatac
from metatac.errors import IllegalMove, InvalidMove
from metatac.players import accepted_forms, typed_move

GAMES = (
    "tic-tac-toe",
    "ultimate",
    "extreme",
    "sudoku{side=7}",
    "ultimate-ultimate",
    "ultimate{marks=2}",
    "ultimate{depth=3}",
    "ultimate{side=2;depth=3}",
)


@pytest.mark.parametrize(
    ("game", "text", "move"),
    [
        ("tic-tac-toe", "b", "b"),
        ("tic-tac-toe", " B ", "b"),
        ("tic-tac-toe", "1 2", "b"),
        ("tic-tac-toe", "3,1", "g"),
        ("ultimate", "ae", "ae"),
        ("ultimate", "a e", "ae"),
        ("ultimate", "AE", "ae"),
        ("ultimate", "2 2", "ae"),
        ("ultimate", "1 9", "cc"),
        ("ultimate", "9 1", "gg"),
        ("ultimate", "3 1 1 2", "cd"),  # third column, first row; first column, second row
        ("ultimate", "3, 1; 1, 2", "cd"),
        ("extreme", "16 16", "pp"),
        ("extreme", "4 4 1 1", "pa"),
        ("sudoku{side=7}", "aA", "aA"),
        ("sudoku{side=7}", "49 49", "WW"),
        ("ultimate-ultimate", "aaab", "aaab"),
        ("ultimate-ultimate", "1 1 1 2", "aaab"),
        ("ultimate-ultimate", "27 27 25 25", "iiia"),
        ("ultimate-ultimate", "1 1 3 1 2 1 1 2", "acbd"),
        ("ultimate{marks=2}", "1 1 1 2", "aab"),
        ("ultimate{marks=2}", "3 1 2 1 1 2", "cbd"),
        ("ultimate{depth=3}", "27 1", "ggg"),
        ("ultimate{depth=3}", "3 1 1 1 2 1", "cab"),
    ],
)
def test_every_form(game: str, text: str, move: str) -> None:
    assert str(typed_move(metatac.start(game), text)) == move


@pytest.mark.parametrize(
    ("game", "text"),
    [
        ("ultimate", ""),
        ("ultimate", "a"),
        ("ultimate", "zz"),
        ("ultimate", "swap"),
        ("ultimate", "0 1"),
        ("ultimate", "10 1"),
        ("ultimate", "1 2 3"),
        ("ultimate", "4 1 1 1"),
        ("ultimate", "-1 2"),
        ("ultimate", "1.5 2"),
        ("ultimate", "٣ ٣"),
        ("ultimate", "1 " * 5000),
        ("ultimate", "9" * 150 + " 1"),
        ("ultimate-ultimate", "1 1"),
        ("ultimate-ultimate", "1 1 4 1"),
        ("sudoku{side=7}", "aZ"),
    ],
)
def test_what_is_no_move_is_told_every_form(game: str, text: str) -> None:
    position = metatac.start(game)
    with pytest.raises(InvalidMove) as caught:
        typed_move(position, text)
    for form in accepted_forms(position.rules):
        assert form in str(caught.value)


def test_a_move_that_may_not_be_made_says_why() -> None:
    with pytest.raises(IllegalMove, match="must play in board e"):
        typed_move(metatac.start("ultimate").play("ae"), "1 1")


def test_swap() -> None:
    position = metatac.start("ultimate", swap=True).play("ae")
    assert typed_move(position, "Swap") == metatac.Move.SWAP


def test_the_second_mark_may_be_only_an_address() -> None:
    """With eight marks on a small board the second one may name any cell of it, taken ones too."""
    position = metatac.position(
        "ultimate-ultimate X aa XOXXOOOX1/" + "/".join(["9"] * 8) + ("|" + "/".join(["9"] * 9)) * 8
    )
    assert str(typed_move(position, "3 3 1 1")) == "aaia"
    assert str(typed_move(position, "3 3 3 3")) == "aaii"


@pytest.mark.parametrize("game", GAMES)
def test_the_examples_are_moves(game: str) -> None:
    position = metatac.start(game)
    examples = [form.rpartition(": ")[2] for form in accepted_forms(position.rules)]
    assert len({typed_move(position, example) for example in examples}) == 1


@given(st.sampled_from(GAMES), st.integers(0, 10**6))
def test_every_move_can_be_typed_in_every_form(game: str, pick: int) -> None:
    position = metatac.start(game)
    rules, legal = position.rules, position.legal_moves
    move = legal[pick % len(legal)]
    xy = " ".join(f"{cell % rules.side + 1} {cell // rules.side + 1}" for cell in move)
    rows, columns = [], []
    for mark in move[rules.depth - 1 :]:
        row = column = 0
        for cell in (*move[: rules.depth - 1], mark):
            row, column = row * rules.side + cell // rules.side, column * rules.side + cell % rules.side
        rows.append(row + 1)
        columns.append(column + 1)
    whole = " ".join(f"{row} {column}" for row, column in zip(rows, columns, strict=True))
    assert typed_move(position, str(move)) == typed_move(position, whole) == move
    if len(move) > 1:
        assert typed_move(position, xy) == move


@given(st.sampled_from(GAMES), st.text(max_size=30) | st.text("0123456789 ,;abcABC", max_size=30))
def test_nothing_typed_breaks_it(game: str, text: str) -> None:
    position = metatac.start(game)
    try:
        assert typed_move(position, text) in position.legal_moves
    except (InvalidMove, IllegalMove) as error:
        assert str(error)
