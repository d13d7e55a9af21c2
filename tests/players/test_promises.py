"""What the players' one-line descriptions promise, on positions of every game."""

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import random_game, rule_sets, some_position

import metatac
from metatac.engine.alphabeta import minimax
from metatac.errors import MatchError
from metatac.game import Move, Position
from metatac.match import UNLIMITED, Clock
from metatac.players import load_player

PRESETS = metatac.preset_names()
LINES_WIN = [name for name in PRESETS if name not in ("sudoku", "misere-ultimate")]
"""The games in which who moves can win at once."""


def wins_at_once(position: Position) -> set[Move]:
    """The moves that end the game won, where nothing better could be had by going on."""
    found = set()
    for move in position.legal_moves:
        outcome = position.play(move).outcome
        if outcome is None or outcome.winner != position.turn:
            continue
        if not position.rules.points_count or outcome.reason in ("line", "boards"):
            found.add(move)
    return found


def before_the_end(rules: metatac.RuleSet, seed: int) -> Position:
    game = random_game(rules, random.Random(seed), 10_000)
    game.pop()
    return game.position


# -- levels


@pytest.mark.parametrize("name", LINES_WIN)
def test_from_level_4_no_win_is_missed(name: str) -> None:
    rules, found = metatac.load_rules(name), 0
    for seed in range(100):
        position = before_the_end(rules, seed)
        wins = wins_at_once(position)
        if wins and len(wins) < len(position.legal_moves):
            level = 4 + seed % 4
            assert load_player(f"engine:{level}", seed=seed).choose(position) in wins, (level, position.text)
            found += 1
        if found == (3 if rules.depth == 3 else 12):
            break
    assert found >= 3


@given(rule_sets(most_side=3), st.integers(0, 2**32))
@settings(deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))
def test_from_level_4_no_win_is_missed_on_random_rules(rules: metatac.RuleSet, seed: int) -> None:
    position = before_the_end(rules, seed)
    if len(position.legal_moves) < 500:
        wins = wins_at_once(position)
        assert not wins or load_player("engine:4", seed=seed).choose(position) in wins, position.text


def test_no_win_is_missed_among_thousands_of_moves() -> None:
    start, row = metatac.start("ultimate", side=7), "X" * 7 + "." * 42
    position = start.replaced(
        cells="." * 49 * 42 + row * 6 + "X" * 6 + "." * 43,
        owners=("." * 42 + "X" * 6 + ".",),
    )
    assert len(position.legal_moves) > 2000
    assert {load_player("engine:4", seed=1).choose(position)} == wins_at_once(position)


@pytest.mark.parametrize("name", PRESETS)
def test_a_fresh_player_of_a_level_makes_the_same_moves_for_the_same_seed(name: str) -> None:
    def moves(seed: int) -> list[Move]:
        player = load_player("engine:3", seed=seed)
        return [player.choose(some_position(name, plies, plies)) for plies in (3, 4, 5, 6)]

    assert moves(1) == moves(1)
    assert any(moves(1) != moves(seed) for seed in range(2, 8))


@pytest.mark.parametrize("level", [1, 5])
def test_a_clock_with_time_enough_changes_no_level(level: int) -> None:
    """Also where there are more moves than a level searches positions."""
    for name, plies in (("ultimate-ultimate", 0), ("ultimate-ultimate", 7), ("ultimate", 20)):
        position = some_position(name, plies, level)
        chosen = {
            load_player(f"engine:{level}", seed=1).choose(position, clock) for clock in (UNLIMITED, Clock(limit=3600.0))
        }
        assert len(chosen) == 1, position.text


# -- greedy


def boards(position: Position, who: str) -> int:
    return position.owners[-1].count(who)


def gives_the_game_away(position: Position, move: Move) -> bool:
    after = position.play(move)
    if after.outcome is not None:
        return after.outcome.winner not in (None, position.turn)
    return after.turn != position.turn and bool(wins_at_once(after))


@pytest.mark.parametrize("name", PRESETS)
def test_greedy_takes_the_game_and_gives_it_away_only_if_it_must(name: str) -> None:
    won = blocked = 0
    rules = metatac.load_rules(name)
    for seed in range(8 if rules.depth == 3 else 60):  # a game of three levels takes long to play
        game = random_game(rules, random.Random(seed), 10_000)
        for _ in range(1 + seed % (3 if rules.depth == 3 else 8)):
            if len(game) > 1:
                game.pop()
        position = game.position
        if len(position.legal_moves) > 80:
            continue
        choice, wins = load_player("greedy", seed=seed).choose(position), wins_at_once(position)
        if wins:
            assert choice in wins, position.text
            won += 1
            continue
        gifts = {move for move in position.legal_moves if gives_the_game_away(position, move)}
        if gifts and len(gifts) < len(position.legal_moves):
            assert choice not in gifts, position.text
            blocked += 1
    assert won >= 2 or name not in LINES_WIN
    assert blocked >= 2 or name == "sudoku"


@pytest.mark.parametrize("name", [n for n in PRESETS if n not in ("tic-tac-toe", "sudoku", "ultimate-ultimate")])
def test_greedy_takes_a_board_if_it_can_and_none_where_lines_lose(name: str) -> None:
    rules, seen = metatac.load_rules(name), 0
    for seed in range(80):
        position = random_game(rules, random.Random(seed), rules.cells // 4 + seed % (rules.cells // 3)).position
        if position.outcome is not None or len(position.legal_moves) > 80 or wins_at_once(position):
            continue
        safe = [move for move in position.legal_moves if not gives_the_game_away(position, move)]
        taking = {move for move in safe if boards(position.play(move), position.turn) > boards(position, position.turn)}
        wanted = taking if rules.line != "loses" else set(safe) - taking
        if wanted and len(wanted) < len(safe):
            assert load_player("greedy", seed=seed).choose(position) in wanted, position.text
            seen += 1
    assert seen >= 5


# -- minimax


@pytest.mark.parametrize("name", ["ultimate", "extreme", "sudoku"])
def test_minimax_chooses_within_its_margin_by_its_seed(name: str) -> None:
    position = some_position(name, 11, 2)
    found = {one.move: one.value_x for one in minimax(position, 2).moves}
    best = max(found.values()) if position.turn == "X" else min(found.values())
    distances = sorted(abs(value - best) for value in found.values())
    margin = (distances[len(distances) // 2] + distances[len(distances) // 2 + 1]) / 2
    for wide in (0.0, margin):
        close = {move for move, value in found.items() if abs(value - best) <= wide}
        spec = f"minimax:2,margin={wide!r}"
        chosen = [load_player(spec, seed=seed).choose(position) for seed in range(40)]
        assert chosen == [load_player(spec, seed=seed).choose(position) for seed in range(40)]
        assert set(chosen) <= close and len(set(chosen)) >= min(2, len(close))
    assert len(close) < len(found)


# -- tiger


@pytest.mark.parametrize("name", [name for name in PRESETS if name != "sudoku"])
def test_the_tiger_refuses_other_games_before_they_begin(name: str) -> None:
    with pytest.raises(MatchError, match=f"only sudoku.*{name}"):
        getattr(load_player("tiger"), "game_started")(metatac.start(name), "X")  # noqa: B009


@pytest.mark.parametrize(
    "text",
    [
        "ultimate-majority{points=count;utility=points} O - 1XOO1O1XO:O/1XXOOOO1O:O/OO1XOXOX1/X2XXOOOO:O/1XOOXOO2/"
        "X1XXXXOXO:X/XXXX2O2:X/1OOOXOXOX/XXXX1X1XO:X",
        "sudoku{side=2;ban=false} X c O1XX/1X1O/O3/XOOX",
    ],
)
def test_a_win_at_once_is_taken_even_where_more_points_are_possible(text: str) -> None:
    position = metatac.position(text)
    for seed in range(12):
        end = position.play(load_player("engine:4", seed=seed).choose(position)).outcome
        assert end is not None and end.winner == position.turn
