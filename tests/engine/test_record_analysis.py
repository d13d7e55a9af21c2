"""Whole games analysed: losses are the true ones where truth is known, for the right side."""

import json
import random
import threading
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

import metatac
from metatac.engine.alphabeta import Limits
from metatac.engine.analysis import analyze
from metatac.engine.analysts import TreeAnalyst
from metatac.engine.prover import prove
from metatac.engine.record_analysis import (
    JUDGMENTS,
    RARELY,
    PlyAnalysis,
    _judged,
    accuracy_of,
    analyze_record,
    judgment_of,
    summary,
)
from metatac.engine.results import SearchResult, score_of
from metatac.game import Game, Position
from metatac.notation import Ply, Record
from metatac.players.analysts import load_analyst

SMALL: list[tuple[str, dict[str, Any]]] = [
    ("tic-tac-toe", {}),
    ("tic-tac-toe", {"swap": True}),
    ("ultimate", {"side": 2, "bonus": True, "patterns": ["rows", "columns"]}),
    ("ultimate", {"side": 2, "win_board": "tallies", "tallies": 1, "marks": 2}),
    ("extreme", {"side": 2, "patterns": ["rows"], "values": [6, 4, 4, 3]}),
    ("sudoku", {"side": 2}),
]


LAST = 9
"""Moves before the end of a game from which on everything is soon proved."""


def random_game(rules: metatac.RuleSet, seed: int) -> Game:
    chance, game = random.Random(seed), Game(metatac.start(rules))
    while game.outcome is None:
        game.push(metatac.Move.SWAP if game.position.can_swap else chance.choice(game.legal_moves))
    return game


def worth(position: Position) -> int:
    value = prove(position, memory_mb=4, shortest=False).value_x
    assert value is not None
    return value


@pytest.mark.parametrize(("name", "options"), SMALL, ids=str)
def test_losses_are_the_true_ones(name: str, options: dict[str, Any]) -> None:
    rules = metatac.load_rules(name, **options)
    lost = {"X": 0, "O": 0}
    for seed in range(2):
        whole = random_game(rules, seed)
        first = max(0, len(whole) - LAST)
        game = Game(whole.positions[first], whole.moves[first:])
        found = analyze_record(Record.from_game(game), limits=Limits(nodes=100_000))
        values = [worth(position) for position in game.positions]
        assert found.value_x == values[0] and len(found.moves) == len(game)
        for ply, position, (before, after) in zip(found.moves, game.positions[:-1], pairwise(values), strict=True):
            assert (ply.turn, ply.proven, ply.value_x, ply.best_value_x) == (position.turn, True, after, before), ply
            assert worth(position.play(ply.best)) == before
            loss = abs(score_of(rules, before) - score_of(rules, after))
            assert ply.loss == pytest.approx(loss) and ply.score_x == score_of(rules, after)
            assert ply.forced == (len(position.legal_moves) == 1)
            lost[ply.turn] += loss > 0
    assert any(lost.values()), "random play loses something"


def test_a_known_blunder() -> None:
    # O answers the corner at an edge: X wins by force.
    found = analyze_record(Record.from_game(Game("tic-tac-toe", ["a", "b"])), load_analyst("minimax:10"))
    first, second = found.moves
    assert (first.judgment, first.loss, first.accuracy) == (None, 0, 100)
    assert (second.judgment, second.loss, str(second.best), second.value_x) == ("blunder", 0.5, "e", 1)
    assert (found.players["X"].accuracy, found.players["X"].blunders) == (100, 0)
    assert (found.players["O"].blunders, found.players["O"].mistakes) == (1, 0)
    assert found.players["O"].accuracy == pytest.approx(accuracy_of(0.5))


def test_bonus_moves_belong_to_who_makes_them() -> None:
    game = random_game(metatac.load_rules("extreme"), 3)
    record = Record.from_game(game)
    found = analyze_record(record, limits=Limits(nodes=300))
    turns = [ply.turn for ply in found.moves]
    assert turns == [position.turn for position in game.positions[:-1]]
    assert any(before == after for before, after in pairwise(turns)), "no bonus move in the game"
    assert all(0 <= ply.loss <= 1 and 0 <= ply.accuracy <= 100 for ply in found.moves)
    assert found.moves[-1].value_x == game.rules.utility_of(*game.outcome[:2])  # type: ignore[index]


@pytest.mark.parametrize("spec", ["mcts:200n", "uct:200n", "heurist:200", "minimax:1"])
def test_others_analyse_games_too(spec: str) -> None:
    game = random_game(metatac.load_rules("ultimate"), 5)
    found = analyze_record(Record.from_game(game), load_analyst(spec))
    assert found.by == spec and len(found.moves) == len(game)


def test_a_move_that_the_search_did_not_look_at_is_valued_afterwards() -> None:
    searched: list[str] = []

    class Noting(TreeAnalyst):
        def search(self, position: Position, *rest: Any) -> SearchResult:
            searched.append(position.text)
            return super().search(position, *rest)

    start = metatac.start("ultimate")
    few = Noting("uct:20n", Limits(nodes=20), keen=False)  # of 81 moves
    seen = {one.move for one in analyze(start, few).moves if one.known}
    searched.clear()
    unseen = next(move for move in start.legal_moves if move not in seen)
    few = Noting("uct:20n", Limits(nodes=20), keen=False)
    assert len(analyze_record(Record.from_game(Game(start, [unseen])), few).moves) == 1
    assert searched == [start.text, start.play(unseen).text]


def test_what_is_proved_afterwards_never_makes_a_move_worse_than_one_search_says() -> None:
    """Unless the best move is proven too: then both are certain."""
    start = metatac.start("ultimate")
    found = analyze(start, limits=Limits(nodes=5_000))
    best, move = found.best, found.moves[20].move
    assert found.moves[20].known and not best.proven
    own = best.score_x - found.moves[20].score_x
    following = replace(analyze(start.play(move), limits=Limits(nodes=100)), proven=True)
    for score, loss in ((0.0, own), (best.score_x - own / 2, own / 2), (1.0, 0.0)):
        judged = _judged(1, move, found, replace(following, score_x=score), found.moves[20])
        assert judged.proven and judged.score_x == score and judged.loss == pytest.approx(loss)
    certain = replace(found, moves=(replace(best, proven=True, score_x=1.0), *found.moves[1:]))
    assert _judged(1, move, certain, replace(following, score_x=0.25), found.moves[20]).loss == 0.75


def test_a_tree_search_is_asked_again_about_a_move_that_it_hardly_visited() -> None:
    """It would call it a blunder: a first visit or two say nothing."""
    start, analyst = metatac.start("ultimate"), load_analyst("mcts:4kn")
    visits = analyze(start, analyst).moves
    rare = min((one for one in visits if one.known), key=lambda one: one.nodes)
    assert rare.nodes * RARELY < visits[0].nodes
    [ply] = analyze_record(Record.from_game(Game(start, [rare.move])), load_analyst("mcts:4kn")).moves
    assert ply.value_x != rare.value_x and abs(ply.value_x) < 0.5


def test_what_is_certain_is_not_held_against_a_guess() -> None:
    """Every first move of tic-tac-toe draws, however well the search thinks of one; but what loses does give away."""
    start = metatac.start("tic-tac-toe")
    [ply] = analyze_record(Record.from_game(Game(start, ["a"])), load_analyst("mcts:1kn")).moves
    assert (ply.proven, ply.value_x, ply.judgment) == (True, 0, None)
    found = analyze(start, limits=Limits(depth=1))
    best = replace(found.best, proven=False, value_x=0.8, score_x=0.9)
    drawn, lost = (replace(found.moves[n], proven=True, score_x=score) for n, score in ((1, 0.5), (2, 0.0)))
    unseen = found.moves[3].move
    for others, score, loss in (
        ((), 0.5, 0.0),
        ((drawn,), 0.5, 0.0),
        ((lost, drawn), 0.25, 0.25),
        ((drawn,), 0.0, 0.9),
        ((), 0.0, 0.9),
    ):
        following = replace(found, proven=True, score_x=score)
        judged = _judged(1, unseen, replace(found, moves=(best, *others)), following, None)
        assert judged.loss == pytest.approx(loss), (others, score)


def test_an_opening_that_was_given_is_nobodys_mistake() -> None:
    start, times = metatac.start("tic-tac-toe"), (None, None, None, 1.0, 2.0)
    plies = [Ply(metatac.Move((cell,)), spent=spent) for cell, spent in zip((0, 1, 2, 3, 5), times, strict=True)]
    record = Record(start, tuple(plies))
    found = analyze_record(record, load_analyst("minimax:10"))
    assert [ply.forced for ply in found.moves] == [True, True, True, False, False]
    assert [ply.judgment for ply in found.moves] == [None, None, None, "blunder", "blunder"]
    assert found.moves[1].loss == 0.5 and found.players["O"].blunders == 1 and found.players["X"].blunders == 1
    untimed = analyze_record(Record(start, tuple(Ply(ply.move) for ply in plies)), load_analyst("minimax:10"))
    assert untimed.moves[1].judgment == "blunder" and not untimed.moves[1].forced


def test_games_that_were_not_played_to_the_end() -> None:
    begun = Game("ultimate", ["ee", "ea"])
    for record in (
        Record.from_game(begun),
        Record.from_game(begun, result="0-1", termination="resignation"),
        Record.from_game(Game(begun.position, ["ab"])),
    ):
        found = analyze_record(record, limits=Limits(nodes=500))
        assert len(found.moves) == len(record.moves) and found.result == record.result and found.complete
        assert found.start == record.start.text
    nothing = analyze_record(Record.from_game(Game("ultimate")), limits=Limits(nodes=500))
    assert nothing.moves == () and nothing.players["X"].accuracy is None


def test_a_stop_keeps_what_was_found() -> None:
    stop, seen = threading.Event(), list[PlyAnalysis]()

    def third(ply: PlyAnalysis) -> None:
        seen.append(ply)
        if ply.number == 3:
            stop.set()

    record = Record.from_game(random_game(metatac.load_rules("ultimate"), 1))
    found = analyze_record(record, limits=Limits(nodes=200), stop=stop, on_ply=third)
    assert found.moves == tuple(seen) and len(seen) == 3 and not found.complete


def test_it_is_plain_data_and_the_same_each_time() -> None:
    record = Record.from_game(random_game(metatac.load_rules("ultimate"), 2))
    first, second = (json.dumps(analyze_record(record, limits=Limits(nodes=300)).to_dict()) for _ in range(2))
    assert first == second


def test_judgments_and_accuracy_follow_the_loss() -> None:
    assert [judgment_of(loss) for loss in (0, 0.049, 0.05, 0.1, 0.15, 1)] == [
        *(None, None),
        *("inaccuracy", "mistake", "blunder", "blunder"),
    ]
    assert list(JUDGMENTS.values()) == sorted(JUDGMENTS.values(), reverse=True)
    accuracies = [accuracy_of(loss / 20) for loss in range(21)]
    assert accuracies[0] == 100 and accuracies == sorted(accuracies, reverse=True) and accuracies[-1] == 0
    assert accuracy_of(0.1) == pytest.approx(63.58, abs=0.01)  # lichess: 10 % of the winning chances


def test_a_blunder_weighs_more_than_many_good_moves_and_forced_moves_do_not_count() -> None:
    found = analyze_record(Record.from_game(Game("tic-tac-toe", ["a", "b"])), load_analyst("minimax:10"))
    good, bad = found.moves
    one_bad = summary([good] * 9 + [bad])
    mean = (9 * 100 + bad.accuracy) / 10
    assert one_bad.accuracy is not None and one_bad.accuracy < mean
    assert one_bad.loss == pytest.approx(0.05) and one_bad.moves == 10
    last = Game("tic-tac-toe", ["a", "b", "c", "e", "d", "f", "h", "g"]).position
    forced = analyze_record(Record.from_game(Game(last, ["i"])), load_analyst("minimax:2"))
    assert forced.moves[0].forced and forced.moves[0].loss == 0
    assert all(side.accuracy is None for side in forced.players.values())
