"""Boards as SVG: what is in the picture is what is in the position."""

import random
from collections import Counter
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import metatac
from metatac.errors import InvalidMove, RulesError
from metatac.game import Move, Position
from metatac.render import board_svg

SVG = "{http://www.w3.org/2000/svg}"
GAMES = (
    *metatac.preset_names(),
    *(f"sudoku{{side={side}}}" for side in range(2, 8)),
    "tic-tac-toe{side=7}",
    "ultimate{side=2;depth=3}",
    "ultimate{side=4;depth=3;close_board=full}",
    "ultimate{side=2;marks=2;win_board=tallies;tallies=9}",
    "ultimate{swap=true}",
    "ultimate{ban=true}",
)


def played(rules: metatac.RuleSet, plies: int, seed: int) -> tuple[Position, Move | None]:
    chance, position, last = random.Random(seed), metatac.start(rules), None
    while len(position.legal_moves) and plies:
        last = chance.choice(position.legal_moves)
        position, plies = position.play(last), plies - 1
    return position, last


def classes(node: ElementTree.Element) -> set[str]:
    return set(node.get("class", "").split())


def shapes(root: ElementTree.Element, *kinds: str) -> int:
    """How many shapes the paths of these classes draw: each begins with the one M of its own."""
    return sum(path.get("d", "").count("M") for path in root.iter(f"{SVG}path") if classes(path) >= set(kinds))


def check_picture(position: Position, last: Move | None, text: str) -> ElementTree.Element:
    root, rules = ElementTree.fromstring(text), position.rules
    assert root.get("data-position") == position.text
    assert root[0].tag == f"{SVG}title" and root[1].tag == f"{SVG}desc"
    boards = [group for group in root.iter(f"{SVG}g") if "board" in classes(group)]
    assert len(boards) == rules.board_count
    lit = {move[: rules.depth - 1] for move in position.legal_moves if move}
    assert sum("lit" in classes(board) for board in boards) == len(lit)
    for number, board in enumerate(boards):
        cells = position.board(number)
        assert (shapes(board, "mark", "x"), shapes(board, "mark", "o")) == (cells.count("X"), cells.count("O"))
        assert shapes(board, "ban") == cells.count("#") == shapes(board, "hatch") / 3
        if rules.depth > 1:
            owner = position.owners[-1][number]
            assert (shapes(board, "big", "x"), shapes(board, "big", "o")) == (owner == "X", owner == "O")
            assert ("shut" in classes(board)) == (not position.is_open(number))
        tallies = position.tallies[number] if position.tallies else (0, 0)
        assert (shapes(board, "tally", "x"), shapes(board, "tally", "o")) == tallies
    groups = position.owners[0] if rules.depth == 3 else ""
    assert (shapes(root, "over", "x"), shapes(root, "over", "o")) == (groups.count("X"), groups.count("O"))
    assert shapes(root, "last") == len(set((last or ())[rules.depth - 1 :]))
    return root


@pytest.mark.parametrize("game", GAMES)
@given(plies=st.integers(0, 900), seed=st.integers(0, 99))
@settings(max_examples=5, deadline=None)
def test_the_picture_is_the_position(game: str, plies: int, seed: int) -> None:
    position, last = played(metatac.load_rules(game), plies, seed)
    root = check_picture(position, last, board_svg(position, last=last))
    numbers = [int(node.text or 0) for node in root.iter(f"{SVG}text") if "n" in classes(node)]
    assert Counter(numbers) == dict.fromkeys(range(1, position.rules.side**position.rules.depth + 1), 2)
    assert shapes(root, "turn") == (position.outcome is None)
    bare = board_svg(position, last=last, coordinates=False, dark=True)
    assert not list(check_picture(position, last, bare).iter(f"{SVG}text"))


OPTIONS = {
    "side": st.integers(2, 5),
    "depth": st.integers(1, 3),
    "marks": st.integers(1, 2),
    "win_board": st.sampled_from(["line", "tallies", "never"]),
    "tallies": st.integers(0, 9),
    "close_board": st.sampled_from(["won", "full"]),
    "ban": st.booleans(),
    "bonus": st.booleans(),
    "line": st.sampled_from(["wins", "loses", "nothing"]),
    "boards_to_win": st.integers(0, 4),
    "title": st.text(),
}


@given(st.fixed_dictionaries({}, optional=OPTIONS), st.integers(0, 200), st.integers(0, 99))
@settings(max_examples=60, deadline=None)
def test_random_rule_sets(options: dict[str, object], plies: int, seed: int) -> None:
    try:
        rules = metatac.load_rules("ultimate", **options)
    except RulesError:
        return
    if rules.cells <= 2500:
        position, last = played(rules, plies, seed)
        check_picture(position, last, board_svg(position, last=last))


@pytest.mark.parametrize("title", ["<&\"'>]]>", "</title><script>alert(1)</script>", "\x00\x1b\ufffe\ud800", "日本 ♥"])
def test_titles_are_text(title: str) -> None:
    root = ElementTree.fromstring(board_svg(metatac.start("ultimate", title=title)).encode())
    wanted = title.translate(dict.fromkeys(map(ord, "\x00\x1b\ufffe\ud800"), "\ufffd"))
    assert root[0].text == f"{wanted}: X to move"
    assert not list(root.iter(f"{SVG}script"))


def test_the_description_says_who_where_and_what() -> None:
    position = metatac.position("ultimate X - XXX1O4:X/OOO1X4:O/XXX6:X/9/OOO6:O/9/9/9/9")
    root = ElementTree.fromstring(board_svg(position, last=Move((1, 4))))
    assert root[1].text is not None
    assert root[1].text.startswith("The move be names board e, which is won by O: X plays anywhere.")
    assert root[1].text.endswith("Last move: be. X owns boards a, c. O owns boards b, e.")


def test_a_finished_game_says_so() -> None:
    over, _ = played(metatac.load_rules("ultimate"), 99, 1)
    root = ElementTree.fromstring(board_svg(over))
    assert over.outcome is not None and over.outcome.winner is not None
    assert root[0].text == f"Ultimate tic-tac-toe: {over.outcome}"
    (frame,) = (node for node in root.iter(f"{SVG}rect") if "frame" in classes(node))
    assert f"won-{over.outcome.winner.lower()}" in classes(frame)


def test_the_same_position_is_the_same_picture_and_no_page_is_disturbed() -> None:
    position = metatac.start("ultimate").play("ae")
    auto, light, dark = (board_svg(position, dark=dark) for dark in (None, False, True))
    assert auto == board_svg(metatac.position(position.text))
    assert "prefers-color-scheme" in auto and "prefers-color-scheme" not in light + dark
    assert len({auto, light, dark}) == 3
    for text in (auto, light, dark):
        assert " id=" not in text and "url(" not in text and "<script" not in text
        style = text.partition("<style>")[2].partition("</style>")[0]
        rules = style.replace("@media(prefers-color-scheme:dark){", "").replace("}}", "}").split("}")[:-1]
        assert all(part.startswith(".metatac.") for rule in rules for part in rule.partition("{")[0].split(","))


def test_the_size_and_the_notebook() -> None:
    text = board_svg(metatac.start("ultimate"), size=123.5)
    assert 'width="123.5" height="123.5"' in text
    assert text._repr_svg_() == str(text) and metatac.board_svg is board_svg


def test_a_wrong_last_move_is_refused_and_a_swap_marks_nothing() -> None:
    with pytest.raises(InvalidMove):
        board_svg(metatac.start("ultimate"), last=Move((1, 2, 3)))
    swapped = metatac.start("ultimate", swap=True).play("ae").play("swap")
    assert shapes(ElementTree.fromstring(board_svg(swapped, last=Move.SWAP)), "last") == 0


def test_a_full_big_board_is_a_reasonable_file() -> None:
    rules = metatac.load_rules("ultimate-ultimate")
    crowded = metatac.start(rules).replaced(cells="XOOXOXOX." * 81, tallies=((2, 2),) * 81)
    assert len(board_svg(crowded)) < 120_000
