"""The strong searcher: truth where it is known, limits kept, results that replay."""

import time

import pytest
from strategies import some_position

import metatac
import metatac.errors
from metatac.engine.alphabeta import AlphaBeta, Limits
from metatac.engine.mcts import TreeSearch
from metatac.engine.thinker import Thinker
from metatac.engine.worker import Table, Worker
from metatac.game import Position
from metatac.players import load_player

PRESETS = metatac.preset_names()


def winning_moves(position: Position) -> list[str]:
    wins = []
    for move in position.legal_moves:
        outcome = position.play(move).outcome
        if outcome is not None and outcome.winner == position.turn and outcome.reason in ("line", "boards"):
            wins.append(str(move))
    return wins


@pytest.mark.parametrize("name", PRESETS)
def test_the_best_line_is_legal_and_the_same_at_the_same_nodes(name: str) -> None:
    position = some_position(name, 10, 1)
    results = [AlphaBeta(position.rules, megabytes=4).think(position, Limits(nodes=20_000)) for _ in range(2)]
    assert results[0].moves == results[1].moves
    assert results[0].nodes == results[1].nodes
    replay = position
    for move in results[0].moves[0].line:
        replay = replay.play(move)
    assert results[0].best.move in position.legal_moves


@pytest.mark.parametrize("name", [n for n in PRESETS if n not in ("sudoku", "ultimate-ultimate", "misere-ultimate")])
def test_an_immediate_win_is_never_missed(name: str) -> None:
    found = 0
    for seed in range(200):
        position = some_position(name, 200, seed)  # the last position before the game ended
        wins = winning_moves(position)
        if not wins:
            continue
        found += 1
        result = AlphaBeta(position.rules, megabytes=1).think(position, Limits(nodes=2_000))
        assert str(result.best.move) in wins, position.text
        assert str(load_player("engine:4", seed=seed).choose(position)) in wins, position.text
        if found == 5:
            break
    assert found


def test_tic_tac_toe_is_never_lost() -> None:
    engine = AlphaBeta(metatac.load_rules("tic-tac-toe"), megabytes=1)
    pending = [(metatac.start("tic-tac-toe"), side) for side in "XO"]
    while pending:  # against every reply
        position, side = pending.pop()
        if position.outcome is not None:
            assert position.outcome.winner in (None, side)
        elif position.turn == side:
            pending.append((position.play(engine.think(position, Limits(depth=9)).best.move), side))
        else:
            pending += [(position.play(move), side) for move in position.legal_moves]


def test_it_stops_in_time_and_on_request() -> None:
    position = metatac.start("ultimate").play("ee")
    engine = AlphaBeta(position.rules, megabytes=16, threads=2)
    engine.think(position, Limits(seconds=0.05))
    begin = time.perf_counter()
    engine.think(position, Limits(seconds=0.2))
    assert time.perf_counter() - begin < 60  # on a busy machine; benchmarks measure the 10 ms
    seen = []

    def stop_at_depth_six(result) -> None:  # type: ignore[no-untyped-def]
        seen.append(result.depth)
        if result.depth == 6:
            engine.stop()

    assert engine.think(position, Limits(), on_result=stop_at_depth_six).depth >= 6
    assert seen[:6] == [1, 2, 3, 4, 5, 6]


def test_a_deeper_search_beats_a_shallow_one_and_random() -> None:
    score = 0.0
    for game in range(6):
        side = "XO"[game % 2]
        position = some_position("ultimate", 4, game // 2)
        engine = load_player("engine", nodes=5_000)
        opponent = load_player("minimax:1", seed=game)
        while position.outcome is None:
            position = position.play((engine if position.turn == side else opponent).choose(position))
        score += 0.5 if position.outcome.winner is None else position.outcome.winner == side
    assert score >= 5


def test_bad_options_say_what_is_wanted() -> None:
    for spec, trouble in [("minimax:13", "1 to 12"), ("engine:0", "1 to 12"), ("minimax:3,margin=-1", "at least 0")]:
        with pytest.raises(metatac.errors.UnknownPlayer, match=trouble):
            load_player(spec)


def test_other_moves_are_searched_on_after_one_is_proven() -> None:
    position = some_position("ultimate", 44, 4)
    while not winning_moves(position):
        position = position.play(position.legal_moves[0])
    every = len(position.legal_moves)
    searched = AlphaBeta(position.rules, megabytes=4).think(position, Limits(nodes=300_000), lines=every)
    assert searched.proven and sum(one.proven for one in searched.moves) > 1


def test_nodes_of_the_last_search_are_not_counted() -> None:
    position = metatac.start("ultimate").play("ee")
    engine = AlphaBeta(position.rules, megabytes=4, threads=2)
    engine.think(position, Limits(seconds=0.2))
    shallow: list[int] = []
    engine.think(position, Limits(depth=2), on_result=lambda result: shallow.append(result.nodes))
    assert all(nodes < 200_000 for nodes in shallow)


def test_a_stop_before_the_search_is_heard_once() -> None:
    position = metatac.start("ultimate").play("ee")
    engine = AlphaBeta(position.rules, megabytes=4, threads=2)
    engine.stop()
    assert engine.think(position, Limits()).depth == 1  # which sees a win, if there is one
    assert engine.think(position, Limits(depth=4)).depth == 4
    engine.stop()
    engine.go()
    assert engine.think(position, Limits(depth=4)).depth == 4


def test_a_position_of_another_game_is_refused() -> None:
    position = metatac.start("sudoku")
    rules = metatac.load_rules("ultimate")
    tree = TreeSearch(rules, keen=True, hash_mb=1)
    for think in (AlphaBeta(rules, megabytes=1).think, Thinker(rules, megabytes=1).think):
        with pytest.raises(metatac.errors.InvalidArgument, match="of ultimate was given a position of another game"):
            think(position, Limits(depth=1))
    with pytest.raises(metatac.errors.InvalidArgument, match="another game"):
        tree.set_position(position)


@pytest.mark.parametrize("name", ["sudoku", "ultimate-majority"])
def test_an_estimate_knows_the_komi(name: str) -> None:
    found = []
    for komi in (-1.5, 1.5):
        position = metatac.start(name, komi=komi)
        worker = Worker(position.rules, Table(0.1), selective=True)
        found.append(worker.begin(position))
    assert found[0] > 0.05 and found[1] < -0.05


def test_more_lines_than_moves_are_all() -> None:
    position = some_position("ultimate", 10, 1)
    one, other = (AlphaBeta(position.rules, megabytes=1) for _ in range(2))
    all_moves, limits = len(position.legal_moves), Limits(depth=3)
    assert one.think(position, limits, lines=2**70).moves == other.think(position, limits, lines=all_moves).moves


@pytest.mark.parametrize("lines", [0, -1, -(10**8)])
def test_fewer_than_one_line_is_one(lines: int) -> None:
    position = some_position("ultimate", 10, 1)
    one, other = (AlphaBeta(position.rules, megabytes=1) for _ in range(2))
    limits = Limits(nodes=2000)
    assert one.think(position, limits, lines=lines).moves == other.think(position, limits).moves
