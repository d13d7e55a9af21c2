"""Symmetries: a symmetric position has symmetric moves and the same end, and they form a group."""

import random
import time
from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import random_game, rule_sets

import metatac
from metatac.game import Symmetry, canonical, symmetries

seeds = st.integers(0, 2**32)

SIZES = {
    "tic-tac-toe": 8,
    "ultimate": 8,
    "sudoku": 8,
    "sudoku{side=2}": 24,
    "sudoku{side=2;first=center}": 6,
    "sudoku{first=center}": 8,
    "sudoku{first=b}": 2,
    "sudoku{first=a}": 2,
    "intelligent": 32,
    "extreme": 8,
    "ultimate-ultimate": 8,
    "ultimate-open": 8,
    "ultimate-majority": 8,
    "tic-tac-ku": 8,
    "misere-ultimate": 8,
    'ultimate{send=["any"]}': 64,
    'tic-tac-toe{patterns=["rows"]}': 6**4,
    'tic-tac-toe{patterns=["rows","columns"]}': 72,
    "tic-tac-toe{patterns=[[0,1,2]]}": 2,
}
"""Of each game, how many there are. Four cells of which any two win have all 24; 4 x 4 lines have 32; of more than
2000 only turns and mirrors are kept."""


@pytest.mark.parametrize("name", SIZES)
def test_known_sizes(name: str) -> None:
    assert len(symmetries(metatac.load_rules(name))) == SIZES[name]


@pytest.mark.parametrize("name", ["tic-tac-toe", "tic-tac-toe{side=2}", 'tic-tac-toe{patterns=["diagonals",[1,4,7]]}'])
def test_all_of_a_small_board_are_found(name: str) -> None:
    """Of all permutations of the cells, those that keep the set of patterns are the symmetries: no more, no less."""
    rules = metatac.load_rules(name)
    patterns = {frozenset(pattern) for pattern in rules.patterns[0]}
    kept = {
        (places,)
        for places in permutations(range(rules.size))
        if all(frozenset(places[cell] for cell in pattern) in patterns for pattern in patterns)
    }
    assert set(symmetries(rules)) == kept


@pytest.mark.parametrize("name", [name for name in SIZES if SIZES[name] <= 72])
def test_they_form_a_group(name: str) -> None:
    rules = metatac.load_rules(name)
    group = symmetries(rules)
    members = set(group)
    identity = Symmetry((tuple(range(rules.size)),) * rules.depth)
    assert group[0] == identity
    assert len(members) == len(group)
    for a, b in product(group, repeat=2):
        assert tuple(tuple(q[p[cell]] for cell in range(rules.size)) for p, q in zip(a, b, strict=True)) in members
        if a.inverse() == b:
            assert all(q[p[cell]] == cell for p, q in zip(a, b, strict=True) for cell in range(rules.size))
    assert {symmetry.inverse() for symmetry in group} == members


@given(rule_sets(), seeds)
@settings(max_examples=120, deadline=None)
def test_symmetric_positions_of_random_games(rules: metatac.RuleSet, seed: int) -> None:
    chance = random.Random(seed)
    group = symmetries(rules)
    game = random_game(rules, chance, 150 if rules.cells <= 729 else 20)
    for symmetry in {group[0], *chance.sample(group, min(3, len(group)))}:
        inverse = symmetry.inverse()
        assert symmetry.position(game.start) == game.start
        for index in chance.sample(range(len(game) + 1), min(8, len(game) + 1)):
            position = game.positions[index]
            image = symmetry.position(position)
            assert inverse.position(image) == position
            assert metatac.position(image.text) == image
            assert image.outcome == position.outcome
            assert image.turn == position.turn
            assert set(image.legal_moves) == {symmetry.move(move) for move in position.legal_moves}
            if index < len(game):
                move = game.moves[index]
                assert inverse.move(symmetry.move(move)) == move
                assert image.play(symmetry.move(move)) == symmetry.position(game.positions[index + 1])


@given(rule_sets(depths=(1, 2, 2, 3), most_side=3), seeds)
@settings(max_examples=40, deadline=None)
def test_symmetric_positions_have_one_canonical_form(rules: metatac.RuleSet, seed: int) -> None:
    chance, group = random.Random(seed), symmetries(rules)
    if len(group) > 100:
        return
    position = random_game(rules, chance, chance.randrange(1, 30)).position
    forms = {canonical(symmetry.position(position)) for symmetry in group}
    assert len(forms) == 1
    assert forms <= {symmetry.position(position) for symmetry in group}


def test_tic_tac_toe_has_765_positions() -> None:
    """Up to symmetry; 5478 of them without."""
    everything, todo = set(), {metatac.start("tic-tac-toe")}
    while todo:
        everything |= todo
        todo = {position.play(move) for position in todo for move in position.legal_moves} - everything
    assert len(everything) == 5478
    assert len({canonical(position) for position in everything}) == 765


def cubic_graph(size: int, chance: random.Random) -> list[list[int]]:
    """Pairs of cells, each cell in three: no cell differs from another at first sight."""
    while True:
        ends = [cell for cell in range(size) for _ in range(3)]
        chance.shuffle(ends)
        pairs = {tuple(sorted(pair)) for pair in zip(ends[::2], ends[1::2], strict=True)}
        if len(pairs) == len(ends) // 2 and all(a != b for a, b in pairs):
            return [list(pair) for pair in pairs]


AWKWARD = {
    "one pair": [[0, 48]],
    "random": [random.Random(5).sample(range(49), 5) for _ in range(40)],
    "circles": [[cell, (cell + 7) % 49] for cell in range(49)],
    "one circle": [[cell, (cell + 1) % 49] for cell in range(49)],
    "cubic": cubic_graph(48, random.Random(1)),
    "squares": [[7 * row + column for column in range(7) if (row * column) % 7 in (1, 2, 4)] for row in range(1, 7)],
    "torus": [sorted({7 * r + c, 7 * r + (c + 1) % 7, 7 * ((r + 1) % 7) + c}) for r in range(7) for c in range(7)],
}


@pytest.mark.parametrize("name", AWKWARD)
def test_the_search_does_not_run_away(name: str) -> None:
    """Large boards with few, many or misleading patterns."""
    begin = time.perf_counter()
    rules = metatac.load_rules("ultimate", side=7, patterns=AWKWARD[name])
    assert 1 <= len(symmetries(rules)) <= 2000
    assert time.perf_counter() - begin < 120
