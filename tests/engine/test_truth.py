"""Where the truth is known by brute force on the readable rules, every search finds it, and none claims more."""

import random
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from brute import SMALL, Brute, first_result, late_positions
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import random_game, rule_sets

import metatac
from metatac.engine.alphabeta import AlphaBeta, Limits, minimax
from metatac.engine.mcts import TreeSearch
from metatac.engine.prover import prove
from metatac.game import Move, Position
from metatac.game.symmetry import canonical

TO_THE_END = 62
"""A depth at which even the lines that a selective search shortens most end with the game, where few plies are left."""


# -- tic-tac-toe


@cache
def tic_tac_toe() -> Brute:
    """Every position that play can reach, valued."""
    brute = Brute(10_000)
    brute.result(metatac.start("tic-tac-toe"))
    return brute


@cache
def representatives() -> tuple[Position, ...]:
    """One of each class of symmetric positions, whether over or not."""
    return tuple(sorted({canonical(position) for position in tic_tac_toe().values}, key=lambda each: each.cells))


def test_tic_tac_toe_has_765_positions_up_to_symmetry_and_is_a_draw() -> None:
    assert len(tic_tac_toe().values) == 5478
    assert len(representatives()) == 765
    assert sum(position.outcome is not None for position in representatives()) == 138
    assert tic_tac_toe().value(metatac.start("tic-tac-toe")) == 0


def by_minimax(position: Position) -> tuple[Move, float]:
    result = minimax(position, 9)
    return result.best.move, result.value_x


def by_engine() -> Callable[[Position], tuple[Move, float]]:
    engine = AlphaBeta(metatac.load_rules("tic-tac-toe"), megabytes=1)

    def think(position: Position) -> tuple[Move, float]:
        result = engine.think(position, Limits(depth=9))
        return result.best.move, result.value_x

    return think


def by_mcts() -> Callable[[Position], tuple[Move, float]]:
    search = TreeSearch(metatac.load_rules("tic-tac-toe"), keen=True, seed=1, hash_mb=4)

    def grow(position: Position) -> tuple[Move, float]:
        search.clear()
        search.set_position(position)
        search.run(iterations=100_000)
        assert search.proven
        return search.best(), search.result().value_x

    return grow


def by_prover(position: Position) -> tuple[Move, float]:
    proof = prove(position, memory_mb=0.1, shortest=False)
    assert proof.value_x is not None
    return proof.line[0], proof.value_x


@pytest.mark.parametrize("make", [lambda: by_minimax, by_engine, by_mcts, lambda: by_prover])
def test_every_search_plays_tic_tac_toe_perfectly(make: Callable[[], Callable[[Position], tuple[Move, float]]]) -> None:
    search, known = make(), tic_tac_toe()
    for position in representatives():
        if position.outcome is None:
            move, value_x = search(position)
            assert value_x == known.value(position) == known.value(position.play(move)), position.text


# -- small rule sets


def as_calculated(position: Position) -> Position:
    """What minimax values: where points are lines, the same position of a game in which X needs no lead."""
    if position.rules.count != "lines" or position.rules.utility != "points":
        return position
    parts = (position.cells, position.owners, position.tallies, position.send, position.turn, position.bonus)
    return Position(metatac.load_rules(position.rules, komi=0), *parts)


def check_minimax(position: Position) -> None:
    position, brute = as_calculated(position), Brute(10_000)
    brute.result(position)
    for one in minimax(position, TO_THE_END).moves:
        assert one.value_x == brute.value(position.play(one.move)), (position.text, one)


def check_engine(position: Position, brute: Brute) -> None:
    engine = AlphaBeta(position.rules, megabytes=1)
    result = engine.think(position, Limits(depth=TO_THE_END), lines=len(position.legal_moves))
    assert result.value_x == pytest.approx(brute.value(position), abs=1e-6), position.text
    assert brute.value(position.play(result.best.move)) == brute.value(position), position.text
    for one in result.moves:
        value = brute.value(position.play(one.move))
        if one.proven:
            assert one.value_x == value, (position.text, one)
        elif not result.proven:  # else the search ended before the other moves were looked at to the end
            assert one.value_x == pytest.approx(value, abs=1e-6), (position.text, one)


@pytest.mark.parametrize(("name", "options"), SMALL, ids=[f"{name}-{number}" for number, (name, _) in enumerate(SMALL)])
def test_small_rule_sets_are_solved(name: str, options: dict[str, Any]) -> None:
    """The prover is held to the same positions in its own tests."""
    rules, solved = metatac.load_rules(name, **options), 0
    for seed in range(3):
        for position, brute in late_positions(rules, seed, 500):
            if position.outcome is None:
                check_minimax(position)
                check_engine(position, brute)
                solved += 1
    assert solved


@pytest.mark.parametrize(
    ("name", "options", "value"),
    [
        ("ultimate", {}, 1),
        ("ultimate", {"bonus": True}, 1),
        ("ultimate", {"swap": True}, -1),
        ("ultimate", {"ban": True}, 1),
        ("ultimate", {"win_board": "tallies", "tallies": 1}, 1),
        ("misere-ultimate", {"swap": True}, -1),
        ("ultimate-open", {}, 1),
        ("ultimate-majority", {"line": "nothing", "values": [3, 1, 1, 2]}, 1),
        ("ultimate-majority", {"line": "nothing", "komi": 1}, -1),
        ("tic-tac-ku", {"boards_to_win": 2, "swap": True}, -1),
        ("sudoku", {"utility": "result"}, 1),
    ],
)
def test_two_by_two_nestings_are_solved_from_the_start(name: str, options: dict[str, Any], value: int) -> None:
    start = metatac.start(name, side=2, **options)
    assert first_result(start, {}) == value
    assert prove(start, memory_mb=2, shortest=False).value_x == value
    found = AlphaBeta(start.rules, megabytes=2).think(start, Limits(depth=40))
    assert found.value_x == pytest.approx(value, abs=1e-6)
    assert minimax(start, 20).value_x == value


# -- the engine and the prover


def check_claims(position: Position, limits: Limits, lines: int, threads: int = 1) -> bool:
    """Hold what the engine calls proven, of a position and its moves, to the prover; returns whether anything was."""
    result = AlphaBeta(position.rules, megabytes=1, threads=threads).think(position, limits, lines=lines)
    claims = [(position.play(one.move), one.value_x) for one in result.moves if one.proven]
    if result.proven:
        claims.append((position, result.value_x))
    for claimed, value_x in claims:
        proof = prove(claimed, memory_mb=4, nodes=300_000, shortest=False)
        assert proof.lower_x <= value_x <= proof.upper_x, (claimed.text, value_x, position.text, limits, lines)
    return bool(claims)


@given(rule_sets(most_side=3), st.integers(0, 2**32), st.integers(1, 15), st.sampled_from([1_000, 3_000, 20_000]))
@settings(deadline=None, max_examples=80, suppress_health_check=list(HealthCheck))
def test_the_engine_never_contradicts_the_prover(rules: metatac.RuleSet, seed: int, back: int, nodes: int) -> None:
    game = random_game(rules, random.Random(seed), 10_000)
    for _ in range(min(back, len(game))):
        game.pop()
    if len(game.legal_moves) <= 300:
        check_claims(game.position, Limits(nodes=nodes), 1 if seed % 2 else len(game.legal_moves))


@given(rule_sets(most_side=4), st.integers(0, 2**32), st.integers(0, 60))
@settings(deadline=None, max_examples=100, suppress_health_check=list(HealthCheck))
def test_no_estimate_is_as_good_as_the_best_end(rules: metatac.RuleSet, seed: int, plies: int) -> None:
    """What is called proven rests on it."""
    game = random_game(rules, random.Random(seed), plies)
    if game.outcome is not None:
        game.pop()
    position = as_calculated(game.position)
    best = position.rules.greatest_points if position.rules.points_count else 1
    if len(position.legal_moves) <= 100:
        for one in minimax(position, 1).moves:
            over = position.play(one.move).outcome is not None
            assert abs(one.value_x) <= best if over else abs(one.value_x) < best - 1e-6, (position.text, one)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        *((name, {}) for name in metatac.preset_names() if name not in ("tic-tac-toe", "sudoku", "ultimate-ultimate")),
        ("ultimate-open", {"side": 2}),  # the other's board takes marks, and none of them wins it
        ("ultimate", {"side": 2, "win_board": "tallies", "tallies": 2}),  # one line does not win a board
        ("intelligent", {"side": 3, "most_wins": True, "komi": 0.5}),  # 16 points, but who wins is what counts
    ],
)
def test_claims_in_late_positions(name: str, options: dict[str, Any]) -> None:
    rules, claimed = metatac.load_rules(name, **options), 0
    for seed in range(40):
        game = random_game(rules, random.Random(seed), 10_000)
        for _ in range(min(2 + seed % 12, len(game) - 1)):
            game.pop()
        claimed += check_claims(game.position, Limits(nodes=3_000), 1 if seed % 2 else len(game.legal_moves))
    assert claimed >= 5


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("intelligent", {"side": 2, "patterns": ["rows"], "win_points": 2, "values": [5, 1, 1, 3]}),
        ("tic-tac-ku", {"count": "lines", "most_wins": True}),
    ],
)
def test_nothing_is_called_proven_that_more_could_come_of(name: str, options: dict[str, Any]) -> None:
    """Where a count gives more than a line, and where estimates count lines though only the result matters."""
    rules = metatac.load_rules(name, **options)
    for seed in range(40):
        game = random_game(rules, random.Random(seed), 10_000)
        for _ in range(min(2 + seed % 12, len(game) - 1)):
            game.pop()
        check_claims(game.position, Limits(nodes=3_000), len(game.legal_moves))


def test_a_search_that_was_stopped_claims_nothing_of_moves_it_did_not_reach() -> None:
    claimed = 0
    for seed in range(60):
        game = random_game(metatac.load_rules("ultimate"), random.Random(seed), 10_000)
        for _ in range(6 + seed % 12):
            game.pop()
        for nodes in range(1024, 12_000, 1024):
            claimed += check_claims(game.position, Limits(nodes=nodes), 1)
    assert claimed


def test_threads_that_share_a_table_claim_nothing_false() -> None:
    claimed = 0
    for seed in range(30):
        game = random_game(metatac.load_rules("ultimate"), random.Random(seed), 10_000)
        for _ in range(10 + seed % 6):
            game.pop()
        claimed += check_claims(game.position, Limits(nodes=20_000), 1, threads=3)
    assert claimed
