"""Heat maps on boards, and the plot of a game: what is drawn is what was given."""

import random
from itertools import pairwise
from xml.etree import ElementTree

import pytest

import metatac
from metatac.errors import InvalidArgument, InvalidMove
from metatac.game import Move
from metatac.render import PlotPoint, board_svg, board_text, evaluation_svg

SVG = "{http://www.w3.org/2000/svg}"
GAMES = (*metatac.preset_names(), "ultimate{swap=true}", "ultimate{side=5;depth=3}")


def random_heat(position: metatac.Position, seed: int = 1) -> dict[Move, float]:
    chance = random.Random(seed)
    return {move: chance.random() for move in position.legal_moves}


def some(game: str, plies: int) -> metatac.Position:
    chance, position = random.Random(plies), metatac.start(game)
    for _ in range(plies):
        position = position.play(chance.choice(position.legal_moves)) if position.legal_moves else position
    return position


def test_the_heat_stands_in_the_cells() -> None:
    position = metatac.start("ultimate").play("ae")
    heat = {Move((4, cell)): cell / 8 for cell in range(9)}
    text = board_text(position, heat=heat)
    assert "│ 0 1 2 │" in text and "│ 3 4 5 │" in text and "│ 6 7 9 │" in text
    assert "·" not in text


def test_of_two_mark_moves_the_best_counts() -> None:
    position = metatac.start("ultimate-ultimate").play("aaab")
    board = position.legal_moves[0][:2]
    heat = {move: 1.0 if move[2:] == (0, 4) else 0.5 if move[2] == 1 else 0.0 for move in position.legal_moves}
    assert " 9 4 0 " in board_text(position, heat=heat)
    root = ElementTree.fromstring(board_svg(position, heat=heat))
    (group,) = (node for node in root.iter(f"{SVG}g") if node.get("data-board") == str(Move(board)))
    warm = [rect.get("opacity") for rect in group.iter(f"{SVG}rect") if rect.get("class") == "heat"]
    assert warm == ["0.75", "0.375", *["0"] * 7]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("plies", [0, 1, 30])
def test_every_game_takes_a_heat_map(game: str, plies: int) -> None:
    position = some(game, plies)
    heat = random_heat(position)
    cells = {move[: position.rules.depth] for move in heat if move}
    root = ElementTree.fromstring(board_svg(position, heat=heat))
    assert sum(rect.get("class") == "heat" for rect in root.iter(f"{SVG}rect")) == len(cells)
    plain = board_text(position, heat=heat, status=False, coordinates=False)
    digits = sum(plain.count(digit) for digit in "0123456789") - sum(map(sum, position.tallies or ()))
    assert digits == len(cells) or position.tallies
    assert board_text(position, heat=heat, unicode=False).isascii()
    assert "48;5;" in board_text(position, heat=heat, color=True) or not heat


def test_without_heat_nothing_changes() -> None:
    position = metatac.start("ultimate").play("ae")
    assert board_svg(position, heat={}) == board_svg(position)
    assert board_text(position, heat={}) == board_text(position)


def test_heat_that_is_none_is_refused() -> None:
    position = metatac.start("ultimate")
    with pytest.raises(InvalidArgument, match=r"the heat of ab is a number from 0 to 1, not 1\.5"):
        board_text(position, heat={Move((0, 1)): 1.5})
    with pytest.raises(InvalidArgument, match="not nan"):
        board_svg(position, heat={Move((0, 1)): float("nan")})
    with pytest.raises(InvalidMove):
        board_svg(position, heat={Move((0, 1, 2)): 0.5})


def points(count: int) -> list[PlotPoint]:
    chance = random.Random(count)
    kinds = ("", "", "", "inaccuracy", "mistake", "blunder")
    return [PlotPoint(chance.random(), "XO"[i % 2], f"m{i}", kinds[i % 6]) for i in range(count)]


@pytest.mark.parametrize("count", [0, 1, 2, 9, 57, 700])
def test_the_plot_has_every_move_and_marks_the_mistakes(count: int) -> None:
    given = points(count)
    root = ElementTree.fromstring(evaluation_svg(0.5, given, title="<a> & b"))
    assert root[0].text == "<a> & b"
    circles = list(root.iter(f"{SVG}circle"))
    assert [circle[0].text.split()[2].rstrip("?!:") for circle in circles] == [point.move for point in given]  # type: ignore[union-attr]
    bad = [circle for circle in circles if "bad" in (circle.get("class") or "")]
    assert len(bad) == sum(bool(point.mistake) for point in given)
    (curve,) = (node for node in root.iter(f"{SVG}polyline"))
    spots = [tuple(map(float, spot.split(","))) for spot in (curve.get("points") or "").split()]
    assert len(spots) == count + 1
    assert [x for x, _ in spots] == sorted(x for x, _ in spots)
    # Better for X is higher up.
    order = sorted(range(count), key=lambda i: given[i].score_x)
    assert all(spots[low + 1][1] >= spots[high + 1][1] for low, high in pairwise(order))
    numbers = [int(node.text or 0) for node in root.iter(f"{SVG}text") if node.get("class") == "n"]
    assert numbers == sorted(numbers) and len(numbers) <= 16 and all(1 <= number <= count for number in numbers)


def test_the_plot_is_dark_light_or_what_the_reader_likes() -> None:
    auto, light, dark = (evaluation_svg(0.5, points(9), dark=dark) for dark in (None, False, True))
    assert "prefers-color-scheme" in auto and "prefers-color-scheme" not in light + dark
    assert len({auto, light, dark}) == 3 and "<script" not in auto and " id=" not in auto


def test_scores_out_of_range_are_refused() -> None:
    with pytest.raises(InvalidArgument, match=r"a score is a number from 0 to 1, not 1\.2"):
        evaluation_svg(0.5, [PlotPoint(1.2, "X", "a")])
