"""What is drawn is what the position says: on every scale, with colours and without."""

import random
import unicodedata
from itertools import cycle

import pytest
from rich.style import Style

from metatac.game import Game, parse_move, position, start
from metatac.game.move import board_path
from metatac.rules import LETTERS, RuleSet, load_rules, preset_names
from metatac.tui.drawing import Drawing
from metatac.tui.geometry import place_of, scales_for
from metatac.tui.lines import DOUBLE, HEAVY, LIGHT, NONE, crossing
from metatac.tui.palette import DARK, PLAIN
from metatac.tui.palette import LIGHT as LIGHT_COLORS
from metatac.tui.scene import Scene

MIDDLE = position("ultimate O g O1X1X1X2:X/X2X1OX2:X/OXX1O3O:O/6O1O/OOO5X:O/O1O1XX3/1OO3XO1/3X5/2X1XXX1O:X")


LAST = parse_move(MIDDLE.rules, "bg")


def random_game(rules: RuleSet, plies: int, seed: int = 1) -> Game:
    game, chance = Game(start(rules)), random.Random(seed)
    while game.outcome is None and len(game) < plies:
        game.push(chance.choice(game.legal_moves))
    return game


def cell_char(drawing: Drawing, path: tuple[int, ...], cursor: tuple[int, int] | None = None) -> str:
    """The character in the middle of a cell."""
    row, column = place_of(drawing.side, path)
    y = drawing.rows.starts[row] + drawing.scale.height // 2
    return drawing.strip(y, cursor).text[drawing.columns.starts[column] + drawing.scale.center]


def styles_at(drawing: Drawing, path: tuple[int, ...], cursor: tuple[int, int] | None = None) -> Style:
    row, column = place_of(drawing.side, path)
    x, y = drawing.columns.starts[column] + drawing.scale.center, drawing.rows.starts[row] + drawing.scale.height // 2
    (segment,) = drawing.strip(y, cursor).crop(x, x + 1)
    assert segment.style is not None
    return segment.style


@pytest.mark.parametrize("game", [*preset_names(), "sudoku{side=2}", "sudoku{side=7}"])
def test_every_cell_shows_its_mark_on_every_scale(game: str) -> None:
    played = random_game(load_rules(game), 60)
    here = played.position
    scene = Scene(here, last=played.last_move)
    for scale, palette in zip(scales_for(here.rules), cycle((DARK, PLAIN, LIGHT_COLORS)), strict=False):
        drawing = Drawing(scene, scale, palette)
        lines = [drawing.strip(y, None) for y in range(min(30, drawing.geometry.height))]
        assert {line.cell_length for line in lines} == {drawing.geometry.width}
        if scale.height > 1:
            continue
        for number, mark in enumerate(here.cells):
            board, cell = divmod(number, here.rules.size)
            path = (*board_path(here.rules, board), cell)
            legal = ("·", LETTERS[cell]) if path in scene.targets else (" ", "░", "▒")
            assert cell_char(drawing, path) in {"X": "X", "O": "O", "#": "╱", ".": legal}[mark], path


def test_without_colours_everything_is_told_apart() -> None:
    game = "\n".join(
        (
            "┏a━━┯━━━┯━━X┳b━━┯━━━┯━━X┳c━━┯━━━┯━━O┓",
            "┃░O░│   │░X░┃░X░│   │░░░┃ O▒│▒X▒│▒X ┃",
            "┠───┼───┼───╂───┼───┼───╂───┼───┼───┨",
            "┃   │░X░│   ┃ X │░░░│ O ┃▒▒▒│ O │▒▒▒┃",
            "┠───┼───┼───╂───┼───┼───╂───┼───┼───┨",
            "┃░X░│   │░░░┃[X]│   │░░░┃  ▒│▒▒▒│▒O ┃",
            "┣d━━┿━━━┿━━━╋e━━┿━━━┿━━O╋f━━┿━━━┿━━━┫",
            "┃   │   │   ┃ O▒│▒O▒│▒O ┃ O │   │ O ┃",
            "┠───┼───┼───╂───┼───┼───╂───┼───┼───┨",
            "┃   │   │   ┃▒▒▒│   │▒▒▒┃   │ X │ X ┃",
            "┠───┼───┼───╂───┼───┼───╂───┼───┼───┨",
            "┃ O │   │ O ┃  ▒│▒▒▒│▒X ┃   │   │   ┃",
            "╔g══════════╗h━━┿━━━┿━━━╋i━━┿━━━┿━━X┫",
            "║ a │ O │ O ║   │   │   ┃░░░│   │░X░┃",
            "║───┼───┼───║───┼───┼───╂───┼───┼───┨",
            "║ d │ e │ f ║ X │   │   ┃   │░X░│ X ┃",
            "║───┼───┼───║───┼───┼───╂───┼───┼───┨",
            "║ X │ O │ i ║   │   │   ┃░X░│   │░O░┃",
            "╚═══════════╝━━━┷━━━┷━━━┻━━━┷━━━┷━━━┛",
        )
    )
    scene = Scene(MIDDLE, last=LAST)
    drawing = Drawing(scene, scales_for(MIDDLE.rules)[3], PLAIN)
    assert drawing.text() == game
    assert styles_at(drawing, (6, 0), cursor=(6, 0)).reverse  # the cursor
    assert styles_at(drawing, (1, 6)).underline  # the last move
    for y in range(drawing.geometry.height):
        assert all(segment.style.color is segment.style.bgcolor is None for segment in drawing.strip(y, (6, 0)))


def test_colours_tell_owners_lit_boards_and_the_last_move() -> None:
    drawing = Drawing(Scene(MIDDLE, last=LAST), scales_for(MIDDLE.rules)[3], DARK)
    grounds = {path: styles_at(drawing, path).bgcolor.name for path in [(0, 1), (2, 4), (6, 3), (3, 1), (1, 6)]}
    assert len(set(grounds.values())) == 5
    assert grounds[6, 3] == DARK.lit and grounds[1, 6] == DARK.last
    assert styles_at(drawing, (0, 2)).color.name == DARK.x and styles_at(drawing, (3, 6)).color.name == DARK.o


def test_the_boards_that_may_be_played_in_have_one_outline() -> None:
    """At the start everything may be played in: the outline is that of the whole board, not of each small one."""
    text = Drawing(Scene(start("ultimate")), scales_for(load_rules("ultimate"))[1], PLAIN).text()
    assert text.count("╔") == text.count("╗") == text.count("╚") == text.count("╝") == 1
    assert "╬" not in text and text.count("·") == 81


def test_a_move_of_two_marks_shows_the_first_and_where_the_second_may_go() -> None:
    scene = Scene(start("ultimate-ultimate"), own=(4, 4, 0))
    assert scene.lit == {(4, 4)} and scene.targets == {(4, 4, cell) for cell in range(1, 9)}
    drawing = Drawing(scene, scales_for(load_rules("ultimate-ultimate"))[1], PLAIN)
    assert cell_char(drawing, (4, 4, 0)) == "X"
    assert [cell_char(drawing, (4, 4, cell)) for cell in range(1, 9)] == list("bcdefghi")


def test_typing_narrows_what_may_be_played() -> None:
    scene = Scene(start("ultimate"), typed=(3,))
    assert scene.targets == {(3, cell) for cell in range(9)} and len(scene.lit) == 9


def test_tallies_stand_beside_the_name() -> None:
    here = start("ultimate-ultimate")
    here = here.replaced(tallies=((0, 0), (2, 1), *here.tallies[2:]))
    assert "ab══2:1" in Drawing(Scene(here), scales_for(here.rules)[1], PLAIN).text()


def test_a_won_board_of_boards_has_a_big_mark_across_its_small_ones() -> None:
    here = start("ultimate-ultimate")
    here = here.replaced(owners=("X........", here.owners[1]))
    text = Drawing(Scene(here), scales_for(here.rules)[1], PLAIN).text().splitlines()
    assert text[1].startswith("┃░░░░   │       │   ░░░░║ · ·")
    assert text[6].startswith("┃       │░░░░░░░│       ║ · ·")


def test_heat_is_written_into_the_cells() -> None:
    here = start("ultimate")
    drawing = Drawing(Scene(here, heat={(0, 0): 1.0, (0, 1): 0.0}), scales_for(here.rules)[3], PLAIN)
    assert cell_char(drawing, (0, 0)) == "9" and cell_char(drawing, (0, 1)) == "0"


def test_crossings_have_the_arms_they_should() -> None:
    words = {LIGHT: "LIGHT", HEAVY: "HEAVY"}
    for weight, word in words.items():
        assert (
            unicodedata.name(crossing(weight, weight, weight, weight)) == f"BOX DRAWINGS {word} VERTICAL AND HORIZONTAL"
        )
        assert unicodedata.name(crossing(weight, NONE, weight, NONE)) == f"BOX DRAWINGS {word} VERTICAL"
        assert unicodedata.name(crossing(NONE, weight, NONE, weight)) == f"BOX DRAWINGS {word} HORIZONTAL"
        assert unicodedata.name(crossing(NONE, weight, weight, NONE)) == f"BOX DRAWINGS {word} DOWN AND RIGHT"
        assert unicodedata.name(crossing(weight, NONE, NONE, weight)) == f"BOX DRAWINGS {word} UP AND LEFT"
    assert unicodedata.name(crossing(HEAVY, LIGHT, HEAVY, LIGHT)) == "BOX DRAWINGS VERTICAL HEAVY AND HORIZONTAL LIGHT"
    assert unicodedata.name(crossing(LIGHT, HEAVY, LIGHT, HEAVY)) == "BOX DRAWINGS VERTICAL LIGHT AND HORIZONTAL HEAVY"
    assert unicodedata.name(crossing(*(DOUBLE,) * 4)) == "BOX DRAWINGS DOUBLE VERTICAL AND HORIZONTAL"
    assert crossing(NONE, DOUBLE, DOUBLE, NONE) == "╔" and crossing(HEAVY, DOUBLE, DOUBLE, HEAVY) == "╔"
