"""Analysis: every move valued by every searcher, streaming, stopping, truth where it is known."""

import json
import random
import threading
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from strategies import some_position

import metatac
from metatac.engine.alphabeta import Limits
from metatac.engine.analysis import analyze
from metatac.engine.results import Analysis, score_of
from metatac.errors import InvalidArgument, UnknownPlayer
from metatac.game import Position
from metatac.players.analysts import load_analyst

PRESETS = metatac.preset_names()
ANALYSTS = ("engine:3", "engine:nodes=2000", "minimax:2", "mcts:500n", "uct:500n", "heurist:500")
ENDLESS = ("engine", "minimax:12", "mcts", "uct", "heurist")


@cache
def worth(position: Position) -> int:
    """The value of a position in X's view with best play, by trying everything."""
    outcome = position.outcome
    if outcome is not None:
        return position.rules.utility_of(outcome.winner, outcome.points)
    values = [worth(position.play(move)) for move in position.legal_moves]
    return max(values) if position.turn == "X" else min(values)


def check(position: Position, found: Analysis) -> None:
    """What holds for the analysis of all moves of a position, whoever made it."""
    moves = [one.move for one in found.moves]
    assert sorted(moves) == list(position.legal_moves) and found.legal == len(moves)
    assert (found.position, found.turn) == (position.text, position.turn)
    for one in found.moves:
        assert one.score_x == score_of(position.rules, one.value_x) and 0 <= one.score_x <= 1
        assert one.line[0] == one.move
        after = position
        for move in one.line:
            after = after.play(move)
        if one.proven and after.outcome is not None:
            assert one.value_x == position.rules.utility_of(after.outcome.winner, after.outcome.points)
    heat = found.heat()
    assert max(heat.values()) == 1 and min(heat.values()) >= 0
    assert json.loads(json.dumps(found.to_dict()))["moves"][0]["move"] == str(found.best.move)


def endings(name: str) -> list[Position]:
    """Positions some plies before the ends of random games, and the one after a corner of tic-tac-toe."""
    found = [metatac.start("tic-tac-toe").play("a")] if name == "tic-tac-toe" else []
    for seed in range(6):
        chance, game = random.Random(seed), metatac.Game(name)
        while game.position.outcome is None:
            game.push(chance.choice(game.position.legal_moves))
        for _ in range(min(len(game.moves), 1 + 2 * seed)):
            game.pop()
        found.append(game.position)
    return found


def test_a_move_is_no_colder_for_those_that_are_not_valued() -> None:
    position = some_position("ultimate", 14, 3)
    analyst = load_analyst("engine:nodes=20000,hash=8")
    found = analyze(position, analyst)
    few = replace(found, moves=found.moves[:2]).heat()
    assert all(found.heat()[move] <= warmth for move, warmth in few.items()) and min(few.values()) > 0.5


@pytest.mark.parametrize("name", PRESETS)
def test_the_line_of_a_proven_move_leads_to_what_is_proved(name: str) -> None:
    analyst = load_analyst("engine:nodes=20000,hash=8")
    for position in endings(name):
        for one in analyze(position, analyst).moves:
            after = position
            for move in one.line:
                after = after.play(move)
            if one.proven:
                end = after.outcome
                assert end is not None, (position.text, one)
                assert position.rules.utility_of(end.winner, end.points) == one.value_x, (position.text, one)


@pytest.mark.parametrize("cells", ["2X2O3", "X8", "9", "1X1O5"])
def test_nobody_errs_in_the_line_of_a_proven_move(cells: str) -> None:
    """Not even twice, so that it ends well."""
    position = metatac.position(f"tic-tac-toe {'O' if cells == 'X8' else 'X'} - {cells}")
    for one in analyze(position, load_analyst("engine:nodes=100000,hash=8")).moves:
        assert one.proven
        after = position
        for move in one.line:
            after = after.play(move)
            assert worth(after) == one.value_x, (one.line, move)


@pytest.mark.parametrize("name", PRESETS)
def test_the_engine_values_every_move_of_every_game(name: str) -> None:
    for plies in (6, 200):
        position = some_position(name, plies, 3)
        found = analyze(position, limits=Limits(nodes=6_000))
        check(position, found)
        sign = 1 if position.turn == "X" else -1
        values = [sign * one.value_x for one in found.moves if one.known]
        assert values == sorted(values, reverse=True) and found.by == "engine"


@pytest.mark.parametrize("spec", ANALYSTS)
@pytest.mark.parametrize("name", ["ultimate", "extreme", "sudoku", "ultimate-ultimate"])
def test_every_analyst_values_every_move(spec: str, name: str) -> None:
    position = some_position(name, 8, 1)
    reports: list[Analysis] = []
    found = analyze(position, load_analyst(spec), on_analysis=reports.append)
    assert found.by == spec and any(one.known for one in found.moves) and reports
    for one in (found, *reports):
        check(position, one)


@pytest.mark.parametrize("name", PRESETS)
def test_a_finished_position_is_worth_its_utility(name: str) -> None:
    position = some_position(name, 999, 2)
    while position.outcome is None:
        position = position.play(position.legal_moves[0])
    for spec in ("engine", "minimax:2", "mcts:10n"):
        found = analyze(position, load_analyst(spec))
        assert found.value_x == position.rules.utility_of(position.outcome.winner, position.outcome.points)
        assert found.moves == () and found.proven and found.legal == 0 and found.heat() == {}
        assert found.to_dict()["outcome"]["reason"] == position.outcome.reason


@pytest.mark.parametrize("spec", ["engine:nodes=20000", "minimax:10", "mcts:20kn"])
def test_tic_tac_toe_is_known(spec: str) -> None:
    analyst = load_analyst(spec)
    for plies in (1, 2, 3, 4, 5):
        position = some_position("tic-tac-toe", plies, plies)
        found = analyze(position, analyst)
        assert found.proven and found.value_x == worth(position)
        assert worth(position.play(found.best.move)) == found.value_x
        if not spec.startswith("mcts"):  # which stops when the position is proved
            assert all(one.proven for one in found.moves)
        for one in found.moves:
            assert not one.proven or one.value_x == worth(position.play(one.move)), (position.text, one)


def test_a_tree_search_proves_a_position_only_with_all_its_moves() -> None:
    """One proven move is no proof while another may be better."""
    text = (
        "extreme X - XOOXXXXOOOOOOXXO:O/XO1X1XXXXX1XXX1X:X/XO1XOXX2O1OXXOX/OO1OOX1OOOXXXOOO/2O2O1OXXO1X2O:O/"
        "OOXXOOXOXXOOXOXX/OO1OOOXOO1O1OX1X:O/OOOXXOXXOXXXXXOO/XOXOXOXOXXOOOOXO:O/XOXX1XOOOO1XOXXX/XOXXOOOOXOXOO1X1:O/"
        "OX2XXXX2XO1XX1:X/XXOXOXOXOOXOXOXO/OOOXXXXOOXOOOOXX/OX1XO1X1OOX1O1OO:O/XXOOXOOXOXXOOXOX"
    )
    found = analyze(metatac.position(text), load_analyst("mcts:2kn"))
    assert found.best.proven and found.value_x == found.best.value_x == -25 and not found.proven  # it is worth -22


def test_what_a_tree_search_proves_to_be_best_stands_before_what_it_does_not_know() -> None:
    """With ``lines`` the others are not there at all."""
    rules = "tic-tac-toe{swap=true;count=lines;points=count;win_points=5;utility=points}"
    position = metatac.position(f"{rules} X - 2X3O2")
    found = analyze(position, load_analyst("mcts:2kn"))
    best = [one.proven and one.value_x == 5 for one in found.moves]
    assert found.proven and best.count(True) > 1 and best == sorted(best, reverse=True)


@pytest.mark.parametrize("spec", ["engine:nodes=20000", "minimax:10", "mcts:20kn", "uct:20kn", "heurist:1000"])
def test_nothing_is_worth_less_than_nothing_for_nobody(spec: str) -> None:
    """A draw is 0, not -0, whoever is to move."""
    for moves in ("a", "a e b c g d f"):
        found = analyze(metatac.Game("tic-tac-toe", moves.split()).position, load_analyst(spec))
        for value in (found.value_x, *(one.value_x for one in found.moves)):
            assert str(value) != "-0.0"


def test_minimax_sees_the_end_of_games_whose_cells_are_not_all_marked() -> None:
    """Cells of boards that are closed are there to the end."""
    text = (
        "ultimate X c 1O2O1XXX:X/OXXXOOXOO:O/OO1O2XOX/O1XOO2XO:O/XXX3O1X:X/1X1XXO1XO:X/XOO1XXOO1/1XOXXOXOO:O/OX1XOXOOX"
    )
    position = metatac.position(text)
    found = analyze(position, load_analyst("minimax:12"))
    assert found.proven and all(one.proven for one in found.moves) and found.value_x == worth(position)


def test_the_only_move_is_searched_as_deep_as_any() -> None:
    """What it leads to is asked for, not whether to make it."""
    text = "sudoku O a OXOOX1OOO/X3O1O2/X2OO2XX/X1X5O/X2XXOO2/X1X6/XXO3X1X/O4O1X1/X1O1O1O1X"
    found = analyze(metatac.position(text), limits=Limits(nodes=30_000))
    assert found.legal == 1 and found.depth > 8 and found.nodes >= 30_000 and len(found.best.line) > 4


def test_only_the_best_moves_if_one_likes() -> None:
    position = some_position("ultimate", 12, 1)
    for spec in ANALYSTS:
        assert len(analyze(position, load_analyst(spec), lines=2).moves) == 2


def test_it_tells_what_it_knows_while_it_deepens() -> None:
    depths: list[int] = []
    found = analyze(
        some_position("ultimate", 2, 1), limits=Limits(depth=5), on_analysis=lambda one: depths.append(one.depth)
    )
    assert depths == [1, 2, 3, 4, 5] and found.depth == 5
    depths.clear()
    analyze(some_position("sudoku", 2, 1), load_analyst("minimax:3"), on_analysis=lambda one: depths.append(one.depth))
    assert depths == [1, 2, 3]


@pytest.mark.parametrize("spec", ENDLESS)
def test_it_stops_on_request(spec: str) -> None:
    position = some_position("extreme", 4, 1)
    endless = Limits(depth=12) if spec.startswith("minimax") else Limits()
    stop = threading.Event()
    found = analyze(position, load_analyst(spec), limits=endless, stop=stop, on_analysis=lambda _: stop.set())
    check(position, found)
    # One that was asked for before it began is heard too, and there is an answer.
    check(position, analyze(position, load_analyst(spec), limits=endless, stop=stop))


def test_a_stop_does_not_reach_the_next_analysis() -> None:
    analyst, stop = load_analyst("engine"), threading.Event()
    position = some_position("ultimate", 4, 1)
    stop.set()
    analyze(position, analyst, limits=Limits(), stop=stop)
    assert analyze(position, analyst, limits=Limits(depth=6)).depth == 6


@pytest.mark.parametrize("name", ["ultimate", "extreme"])
def test_the_same_nodes_give_the_same_analysis(name: str) -> None:
    def plain(found: Analysis) -> dict[str, Any]:
        return found.to_dict() | {"seconds": 0}

    position = some_position(name, 20, 5)
    first, second = (plain(analyze(position, limits=Limits(nodes=10_000))) for _ in range(2))
    assert first == second


def test_a_move_that_nobody_looked_at_says_so() -> None:
    position = metatac.start("ultimate-ultimate")
    found = analyze(position, load_analyst("uct:100n"))
    unseen = [one for one in found.moves if not one.known]
    assert unseen and all(one.value_x == found.value_x and one.nodes == 0 for one in unseen)
    assert set(found.heat()) == {one.move for one in found.moves if one.known}


@pytest.mark.parametrize(
    ("name", "value", "score"),
    [("ultimate", 1, 1), ("ultimate", -1, 0), ("extreme", 34, 0.75), ("intelligent", -8, 0.25), ("sudoku", 3, 2 / 3)],
)
def test_scores_are_on_one_scale(name: str, value: float, score: float) -> None:
    rules = metatac.load_rules(name)
    assert score_of(rules, value) == pytest.approx(score)
    assert score_of(rules, 0) == 0.5 and score_of(rules, 1e9) == 1


def test_komi_decides_who_wins_but_not_what_the_calculator_counts() -> None:
    plain, komi = (some_position(f"sudoku{{side=2;komi={komi}}}", 5, 1) for komi in (0, 0.5))
    counted, same = (analyze(position, load_analyst("minimax:3")) for position in (plain, komi))
    assert counted.unit == same.unit == "points"
    assert [(one.move, one.value_x, one.score_x) for one in counted.moves] == [
        (one.move, one.value_x, one.score_x) for one in same.moves
    ]
    won = analyze(komi, limits=Limits(nodes=200_000))
    assert won.unit == "result" and won.proven and abs(won.value_x) == 1


def test_limits_that_cannot_be_kept_are_refused() -> None:
    position = metatac.start("ultimate")
    with pytest.raises(InvalidArgument, match="minimax:2 cannot be limited by nodes; it takes depth, seconds"):
        analyze(position, load_analyst("minimax:2"), limits=Limits(nodes=5))
    with pytest.raises(InvalidArgument, match="uct:1kn cannot be limited by depth"):
        analyze(position, load_analyst("uct:1kn"), limits=Limits(depth=5))


def test_who_does_not_analyse_says_so() -> None:
    with pytest.raises(UnknownPlayer, match="'tiger' does not analyse; engine, heurist, mcts, minimax, uct do"):
        load_analyst("tiger")
    with pytest.raises(UnknownPlayer, match="1 to 12"):
        load_analyst("minimax:13")
    with pytest.raises(UnknownPlayer, match="no option 'deep'"):
        load_analyst("minimax:deep=3")


def test_each_of_thousands_of_moves_is_valued() -> None:
    position = metatac.start("ultimate-ultimate")
    found = analyze(position, limits=Limits(nodes=20_000))
    assert found.legal == 5832 and {one.move for one in found.moves} == set(position.legal_moves)
    assert len(analyze(position, limits=Limits(nodes=20_000), lines=200).moves) == 200
