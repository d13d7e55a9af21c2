"""Exact searches do not care how the board is turned, nor whether they prune and remember: on every rule set."""

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import random_game, rule_sets, some_position

import metatac
from metatac.engine.alphabeta import minimax
from metatac.engine.prover import Prover
from metatac.engine.worker import Table
from metatac.game import Move, Position, symmetries
from metatac.game.symmetry import Symmetry
from metatac.kernel.state import words_of

PRESETS = metatac.preset_names()
ROUNDED = 1e-8
"""Estimates add the same numbers in another order, and are then rounded to 2^-32."""


def some_symmetries(rules: metatac.RuleSet, chance: random.Random, most: int) -> list[Symmetry]:
    """All but the one that changes nothing, or as many as there is time for."""
    every = [each for each in symmetries(rules) if any(level != tuple(sorted(level)) for level in each)]
    return every if len(every) <= most else chance.sample(every, most)


def values(position: Position, depth: int, megabytes: float) -> dict[Move, float]:
    return {one.move: one.value_x for one in minimax(position, depth, table=Table(megabytes)).moves}


def without_pruning(position: Position, depth: int) -> dict[Move, float]:
    """The value of every move by plain minimax on the readable rules; only the last ply is the compiled search's."""
    if depth == 1:
        return values(position, 1, megabytes=0)
    found: dict[Move, float] = {}
    for move in position.legal_moves:
        after = position.play(move)
        if after.outcome is not None:
            found[move] = position.rules.utility_of(after.outcome.winner, after.outcome.points)
        else:
            later = without_pruning(after, depth - 1).values()
            found[move] = max(later) if after.turn == "X" else min(later)
    return found


@pytest.mark.parametrize("name", PRESETS)
def test_minimax_is_the_same_under_every_symmetry(name: str) -> None:
    for seed, plies in enumerate((5, 20, 45)):
        position = some_position(name, plies, seed)
        depth = 1 if len(position.legal_moves) > 300 else 2 if position.rules.depth == 3 else 3
        found = values(position, depth, megabytes=2)
        for turned in some_symmetries(position.rules, random.Random(seed), 8):
            there = values(turned.position(position), depth, megabytes=2)
            assert there == pytest.approx({turned.move(move): value for move, value in found.items()}, abs=ROUNDED)


@pytest.mark.parametrize("name", PRESETS)
def test_the_prover_is_the_same_under_every_symmetry(name: str) -> None:
    rules, proved = metatac.load_rules(name), 0
    prover = Prover(rules, memory_mb=4)
    for seed in range(2 if rules.depth == 3 else 6):
        game = random_game(rules, random.Random(seed), 10_000)
        for _ in range(min(len(game), 2 if rules.depth == 3 else 9)):
            game.pop()
        low, high = prover.bounds(words_of(game.position), 20_000)
        for turned in some_symmetries(rules, random.Random(seed), 8):
            there = prover.bounds(words_of(turned.position(game.position)), 20_000)
            if low == high and there[0] == there[1]:
                assert there == (low, high), (game.position.text, turned)
                proved += 1
            else:  # the limit came first; what is known so far must still go together
                assert max(low, there[0]) <= min(high, there[1]), (game.position.text, turned)
    assert proved >= 4


@given(rule_sets(most_side=4), st.integers(0, 2**32), st.integers(0, 60))
@settings(deadline=None, max_examples=150, suppress_health_check=list(HealthCheck))
def test_random_rules_under_symmetry(rules: metatac.RuleSet, seed: int, plies: int) -> None:
    chance = random.Random(seed)
    game = random_game(rules, chance, plies)
    if game.outcome is not None:
        game.pop()
    if len(game.legal_moves) > 200:
        return
    found = values(game.position, 2, megabytes=1)
    for turned in some_symmetries(rules, chance, 3):
        there = values(turned.position(game.position), 2, megabytes=1)
        assert there == pytest.approx({turned.move(move): value for move, value in found.items()}, abs=ROUNDED)


@pytest.mark.parametrize("name", PRESETS)
def test_pruning_and_table_change_nothing(name: str) -> None:
    for seed, plies in enumerate((6, 21, 40)):
        position = some_position(name, plies, seed)
        depth = 3 if len(position.legal_moves) < 10 else 2
        if len(position.legal_moves) < 100:
            plain = without_pruning(position, depth)
            assert values(position, depth, megabytes=0) == pytest.approx(plain, abs=ROUNDED)
            assert values(position, depth, megabytes=2) == pytest.approx(plain, abs=ROUNDED)
        deeper = 2 if position.rules.depth == 3 else 5 if len(position.legal_moves) < 16 else 4
        assert values(position, deeper, megabytes=0) == values(position, deeper, megabytes=2)


@given(rule_sets(most_side=4), st.integers(0, 2**32), st.integers(0, 60))
@settings(deadline=None, max_examples=150, suppress_health_check=list(HealthCheck))
def test_pruning_and_table_change_nothing_on_random_rules(rules: metatac.RuleSet, seed: int, plies: int) -> None:
    if rules.count == "lines" and rules.utility == "points":
        rules = metatac.load_rules(rules, komi=0)  # the calculator ignores it
    game = random_game(rules, random.Random(seed), plies)
    if game.outcome is not None:
        game.pop()
    if len(game.legal_moves) <= 30:
        plain = without_pruning(game.position, 2)
        assert values(game.position, 2, megabytes=0) == pytest.approx(plain, abs=ROUNDED)
        assert values(game.position, 3, megabytes=0) == values(game.position, 3, megabytes=1)
