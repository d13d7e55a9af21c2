"""Where cells stand: no two share a place, what is clicked is what is seen, and the largest fitting scale is taken."""

import pytest

from metatac.rules import RuleSet, load_rules
from metatac.tui.geometry import best_scale, geometry, path_of, place_of, scales_for

GAMES = [
    *(load_rules("sudoku", side=side) for side in range(2, 8)),
    load_rules("tic-tac-toe"),
    load_rules("ultimate-ultimate"),
    load_rules("ultimate-ultimate", side=2, tallies=2),
]


@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_cells_are_where_they_are_clicked(rules: RuleSet) -> None:
    for scale in scales_for(rules):
        drawn = geometry(rules.side, rules.depth, scale)
        for axis, size in ((drawn.columns, scale.width), (drawn.rows, scale.height)):
            assert len(axis.starts) == rules.side**rules.depth
            assert axis.slots[0].is_line and axis.slots[-1].is_line
            for cell, start in enumerate(axis.starts):
                assert [axis.cell_at(start + part) for part in range(size)] == [cell] * size
            assert axis.cell_at(-1) is axis.cell_at(axis.length) is None


@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_paths_and_places_are_two_names_of_a_cell(rules: RuleSet) -> None:
    side = rules.side**rules.depth
    paths = {path_of(rules.side, rules.depth, row, column) for row in range(side) for column in range(side)}
    assert len(paths) == rules.cells
    for path in paths:
        assert path_of(rules.side, rules.depth, *place_of(rules.side, path)) == path


@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_scales_grow_and_the_largest_that_fits_is_taken(rules: RuleSet) -> None:
    scales = scales_for(rules)
    assert [scale.width for scale in scales] == sorted(scale.width for scale in scales)
    sizes = [geometry(rules.side, rules.depth, scale) for scale in scales]
    for number, drawn in enumerate(sizes):
        best = best_scale(rules, drawn.width, drawn.height)
        assert best >= number
        assert sizes[best].width <= drawn.width and sizes[best].height <= drawn.height
    assert best_scale(rules, 1, 1) == 0


@pytest.mark.parametrize(
    ("game", "window", "wanted"),
    [
        # The games that must be seen as a whole in a window of that size, the three lines around the board taken off.
        ("ultimate", (80, 21), 3),
        ("extreme", (80, 21), 2),
        ("ultimate-ultimate", (92, 37), 1),
        ("ultimate-ultimate", (172, 57), 5),
    ],
)
def test_usual_windows_show_the_whole_board(game: str, window: tuple[int, int], wanted: int) -> None:
    rules = load_rules(game)
    number = best_scale(rules, *window)
    drawn = geometry(rules.side, rules.depth, scales_for(rules)[number])
    assert number == wanted
    assert drawn.width <= window[0] and drawn.height <= window[1]
