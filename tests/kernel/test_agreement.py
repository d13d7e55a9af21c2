"""Random rule sets, random games: the kernel and the readable game agree on everything."""

import random

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from strategies import rule_sets

import metatac
from metatac.errors import IllegalMove, InvalidMove
from metatac.kernel import Batch, State, playouts

seeds = st.integers(0, 2**32)
calm = settings(
    deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]
)


def most_plies(rules: metatac.RuleSet) -> int:
    """How far a game is followed: to its end where the board is small."""
    return 400 if rules.cells <= 300 else 120 if rules.cells <= 1000 else 30


def assert_same(state: State, position: metatac.Position) -> None:
    where = position.text
    assert state.position == position, where
    assert state.legal_moves == position.legal_moves, where
    outcome = position.outcome
    if outcome is None:
        assert state.over == 0, where
    else:
        assert state.over == {"X": 1, "O": 2, None: 3}[outcome.winner], where
        assert state.utility == position.rules.utility_of(outcome.winner, outcome.points), where


@given(rule_sets(), seeds)
@settings(calm, max_examples=150)
def test_random_games_of_random_rules(rules: metatac.RuleSet, seed: int) -> None:
    chance = random.Random(seed)
    position = metatac.start(rules)
    state, line, keys = State(position), [position], []
    while True:
        assert_same(state, position)
        assert state.key == State(position).key, position.text
        keys.append(state.key)
        if position.outcome is not None or len(line) > most_plies(rules):
            break
        move = chance.choice(position.legal_moves)
        position = position.play(move)
        state.push(move)
        line.append(position)
    assert len(set(line)) == len(line) == len(set(keys))
    for before, key in zip(reversed(line[:-1]), reversed(keys[:-1]), strict=True):
        state.pop()
        assert state.position == before
        assert state.key == key
        assert state.legal_moves == before.legal_moves
        assert state.over == 0
    with pytest.raises(IllegalMove, match="no move to take back"):
        state.pop()


@given(rule_sets(), seeds)
@settings(calm, max_examples=60)
def test_undo_anywhere_and_on_again(rules: metatac.RuleSet, seed: int) -> None:
    """Going back and forth at random keeps the kernel on the same line as a game that does the same."""
    chance = random.Random(seed)
    game = metatac.Game(metatac.start(rules))
    state = State(game.position)
    for _ in range(most_plies(rules) // 2):
        if game.outcome is not None or (len(game) and chance.random() < 0.4):
            game.pop()
            state.pop()
        else:
            move = chance.choice(game.legal_moves)
            game.push(move)
            state.push(move)
        assert_same(state, game.position)
        assert state.key == State(game.position).key


@given(rule_sets(depths=(1, 2, 2, 3), most_side=3), seeds)
@settings(calm, max_examples=60)
def test_a_batch_is_many_states(rules: metatac.RuleSet, seed: int) -> None:
    chance = np.random.default_rng(seed)
    first = metatac.start(rules)
    batch, states = Batch(first, 3), [State(first) for _ in range(3)]
    for _ in range(most_plies(rules)):
        legal = batch.legal()
        actions = np.zeros(3, dtype=np.int64)
        assert batch.keys().tolist() == [state.key for state in states]
        for row, state in enumerate(states):
            places = np.flatnonzero(legal[row])
            moves = sorted(state.legal_moves, key=lambda move: action_of(rules, move))
            assert [action_of(rules, move) for move in moves] == places.tolist()
            assert batch.position(row) == state.position
            assert batch.over[row] == state.over
            if state.over:
                assert batch.utilities[row] == state.utility
                actions[row] = chance.integers(0, batch.actions)  # is ignored
                continue
            assert "XO"[batch.turn[row]] == state.position.turn
            pick = int(chance.integers(len(moves)))
            actions[row] = places[pick]
            state.push(moves[pick])
        batch.step(actions)
        if all(state.over for state in states):
            break
    batch.reset(np.array([1]))
    assert batch.position(1) == first
    assert batch.utilities[1] == 0


def action_of(rules: metatac.RuleSet, move: metatac.Move) -> int:
    """The number of a move as the documentation of Batch says it."""
    if move == metatac.Move.SWAP:
        return rules.cells * (rules.size if rules.marks == 2 else 1)
    number = 0
    for step in move:
        number = number * rules.size + step
    return number


@given(rule_sets(depths=(1, 2, 2, 3), most_side=4), seeds)
@settings(calm, max_examples=40)
def test_playouts_are_games(rules: metatac.RuleSet, seed: int) -> None:
    """Their sums are possible, the same seed gives the same, and the state is not touched."""
    position = metatac.start(rules)
    games = 40
    found = playouts(position, games, seed=seed)
    assert found == playouts(position, games, seed=seed)
    assert found.games == games == found.x_wins + found.o_wins + found.nobody
    assert games <= found.plies
    if rules.utility == "result":
        assert found.utility == found.x_wins - found.o_wins
    elif rules.count == "boards" and rules.line == "nothing" and not rules.boards_to_win:
        assert abs(found.utility) <= games * sum(rules.values or (1,) * rules.size)


@given(rule_sets(depths=(1, 2), most_side=2), seeds)
@settings(calm, max_examples=25)
@example(metatac.load_rules("tic-tac-toe"), 0)
@example(metatac.load_rules("tic-tac-toe", swap=True), 0)
@example(metatac.load_rules("extreme"), 1)
@example(metatac.load_rules("sudoku", side=2), 1)
@example(metatac.load_rules("sudoku"), 1)
@example(metatac.load_rules("intelligent"), 1)
def test_playouts_are_as_likely_as_random_games(rules: metatac.RuleSet, seed: int) -> None:
    """The share of wins, the length and the utility are those of random games of the readable game, within 6 sigma."""
    chance = random.Random(seed)
    number = 300 if rules.cells <= 81 else 40
    wins, lengths, utilities = [], [], []
    for _ in range(number):
        position, length = metatac.start(rules), 0
        while position.outcome is None:
            position, length = position.play(chance.choice(position.legal_moves)), length + 1
        wins.append(position.outcome.winner == "X")
        lengths.append(length)
        utilities.append(rules.utility_of(position.outcome.winner, position.outcome.points))
    found = playouts(metatac.start(rules), 20_000, seed=seed)
    most = max(1, rules.greatest_points)
    for mine, total, least in ((wins, found.x_wins, 1), (lengths, found.plies, 1), (utilities, found.utility, most)):
        spread = max(float(np.std(mine)), 0.25 * least) / number**0.5
        assert abs(float(np.mean(mine)) - total / found.games) <= 6 * spread


@pytest.mark.parametrize("name", ["ultimate", "extreme", "sudoku", "ultimate-ultimate"])
def test_playouts_do_not_depend_on_threads(name: str) -> None:
    position = metatac.start(name)
    games = 40_000 if name != "ultimate-ultimate" else 17_000
    one, three = (playouts(position, games, seed=7, threads=threads) for threads in (1, 3))
    assert one == three
    assert one != playouts(position, games, seed=8, threads=2)


def test_playouts_from_a_finished_game_and_none_at_all() -> None:
    over = metatac.Game("tic-tac-toe", ["a", "b", "d", "c", "g"]).position
    assert playouts(over, 10) == (10, 10, 0, 0, 0, 10)
    assert playouts(metatac.start("ultimate"), 0) == (0, 0, 0, 0, 0, 0)


def test_playouts_begin_where_they_are_told() -> None:
    late = metatac.position("tic-tac-toe X - OXOOOXX1X")
    assert playouts(late, 10) == (10, 10, 0, 0, 10, 10)


def test_a_state_refuses_what_is_no_move() -> None:
    state = State(metatac.start("ultimate").play("ae"))
    with pytest.raises(IllegalMove, match=r"'aa' may not be played \(position: ultimate O e 4X4"):
        state.push((0, 0))
    for wrong in [(0,), (9, 0), (0, -1), (0, 0, 0), ()]:
        with pytest.raises(InvalidMove):
            state.push(wrong)
    state.push((4, 0))
    assert state.position == metatac.Game("ultimate", ["ae", "ea"]).position


def test_a_batch_refuses_what_is_no_action() -> None:
    batch = Batch(metatac.start("ultimate"), 2)
    for wrong in (-1, -2, 81, 82, 10**12, -(10**12)):
        with pytest.raises(IllegalMove, match=r"action -?\d+ of game 1 .* \(position: ultimate X - 9/"):
            batch.step(np.array([80, wrong]))
        batch.reset()
    with pytest.raises(IllegalMove, match="2 actions are wanted"):
        batch.step(np.zeros(3, dtype=np.int64))
    swapping = Batch(metatac.start("ultimate", swap=True), 1)
    with pytest.raises(IllegalMove, match="action 81 of game 0"):
        swapping.step(np.array([81]))
    swapping.step(np.array([0]))
    swapping.step(np.array([81]))
    assert swapping.position(0) == metatac.Game(metatac.start("ultimate", swap=True), ["aa", "swap"]).position


@pytest.mark.parametrize(
    ("name", "options"),
    [("tic-tac-toe", {"swap": True}), ("ultimate", {"side": 2, "swap": True}), ("sudoku", {"side": 2})],
)
def test_equal_positions_have_equal_keys_whatever_the_way(name: str, options: dict[str, object]) -> None:
    """Many games of a small game: their lines meet again and again, by transposition."""
    seen: dict[metatac.Position, int] = {}
    orders: dict[metatac.Position, set[tuple[metatac.Move, ...]]] = {}
    first = metatac.start(name, **options)
    for seed in range(1500):
        chance, state = random.Random(seed), State(first)
        line: tuple[metatac.Move, ...] = ()
        while not state.over:
            move = chance.choice(state.legal_moves)
            state.push(move)
            line = (*line, move)
            position = state.position
            assert seen.setdefault(position, state.key) == state.key, position.text
            orders.setdefault(position, set()).add(line)
    assert sum(len(lines) > 1 for lines in orders.values()) > 100
    assert len(seen) == len(set(seen.values()))
