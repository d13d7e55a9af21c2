"""Best-first search: it holds by proof, keeps its limits and its memory, and what it keeps of its tree is right."""

import threading
import time

import numpy as np
import pytest
from proofs import NARROW, late, truth
from strategies import some_position

import metatac
from metatac.engine import best_first_tree as of
from metatac.engine.alphabeta import AlphaBeta, Limits, wins_at_once
from metatac.engine.best_first import BestFirst, draw_worth
from metatac.engine.learned import network
from metatac.engine.results import SearchResult
from metatac.engine.thinker import BEST_FIRST, Thinker
from metatac.engine.worker import Table, Worker
from metatac.game import Position
from metatac.kernel.state import code_of, words_of

LEARNED = ["ultimate", "ultimate-majority", "ultimate-open", "misere-ultimate", "tic-tac-ku"]


def searcher(rules: metatac.RuleSet, megabytes: float = 4, threads: int = 1) -> BestFirst:
    learned = network(rules)
    assert learned is not None
    return BestFirst(rules, learned, megabytes=megabytes, threads=threads)


def check_tree(search: BestFirst, position: Position, node: int, least: int) -> int:
    """Hold a tree to the rules, as far as nodes were visited so often: its moves, and who has won. How many it were."""
    first, count = search._family(node)
    if not count:
        return 0
    children = range(first, first + count)
    assert sorted(map(search._code, children)) == [code_of(position.rules, move) for move in position.legal_moves]
    checked = 1
    for child in children:
        after = position.play(search._move(child))
        place = of.NODE * child
        if after.outcome is not None:
            winner = after.outcome.winner
            status = of.DRAWN if winner is None else of.WON if winner == position.turn else of.LOST
            assert search._tree[place + of.STATUS] == status, after.text
        elif search._tree[place + of.VISITS] >= least:
            checked += check_tree(search, after, child, least)
    return checked


@pytest.mark.parametrize("name", LEARNED)
def test_what_is_proven_is_true(name: str) -> None:
    rules, proven = metatac.load_rules(name), 0
    for seed in range(20):
        position = late(rules, 3 + seed, seed)
        search = searcher(rules)
        found = search.think(position, Limits(nodes=30_000), lines=100)
        assert {one.move for one in found.moves} == set(position.legal_moves)
        value = truth(position)
        if found.proven and value is not None:
            assert found.value_x == value, position.text
        for one in found.moves:
            worth = truth(position.play(one.move)) if one.proven else None
            assert worth in (None, one.value_x), (position.text, one.move)
            proven += worth is not None
    assert proven > 10


def test_cut_into_pieces_it_grows_the_same_tree() -> None:
    rules, iterations, trees = metatac.load_rules("ultimate"), 4 * of.OFTEN + 3, []
    root = words_of(some_position("ultimate", 12, 1))
    for piece in (iterations, of.STAY, 7):
        search = searcher(rules)
        grower = search.workers[0]
        grower.begin(Limits())
        grower.take(1, search.capacity)
        while (left := iterations - int(grower.control[of.GROWN])) > 0:
            grower.grow(search._tree, root, min(piece, left))
        trees.append(search._tree)
    assert trees[0][of.VISITS] >= iterations > 3 * of.OFTEN
    for tree in trees[1:]:
        assert np.array_equal(tree, trees[0])


@pytest.mark.parametrize("draw_x", [-1.0, 0.6])
def test_what_a_draw_is_worth_to_somebody_changes_no_proof(draw_x: float) -> None:
    rules, drawn = metatac.load_rules("ultimate"), 0
    search = searcher(rules)
    for seed in range(60):
        position = late(rules, 8, seed)
        value = truth(position)
        search.wish_x = draw_x
        found = search.think(position, Limits(nodes=60_000), lines=100)
        assert value is None or not found.proven or found.value_x == value, position.text
        for one in found.moves:
            worth = truth(position.play(one.move)) if one.proven else None
            assert worth in (None, one.value_x), (position.text, one.move)
            drawn += worth == 0
    assert drawn > 3


def test_who_despises_draws_keeps_away_from_them_and_tells_fair_values() -> None:
    """To who despises them draws become less likely, move by move; what is told of a position stays about the same."""
    rules = metatac.load_rules("ultimate")
    fair, proud = searcher(rules), searcher(rules)
    chances: dict[float, list[float]] = {0.0: [], 0.9: []}
    for seed in range(40):
        position = some_position("ultimate", 30, seed)
        told = []
        for contempt, search in ((0.0, fair), (0.9, proud)):
            search.wish_x = draw_worth(position.turn, contempt)
            search.clear()
            found = search.think(position, Limits(nodes=60_000))
            told.append(found.value_x)
            chances[contempt].append(chance_of_draw(position.play(found.best.move)))
        assert told[0] == pytest.approx(told[1], abs=0.35), position.text
    assert np.mean(chances[0.9]) < np.mean(chances[0.0]) - 0.01


def chance_of_draw(position: Position) -> float:
    """What the network thinks of it."""
    worker = Worker(position.rules, Table(0.1), selective=True, learned=network(position.rules))
    worker.begin(position)
    return float(of.outlook(worker.memory)[1])


def test_draws_are_despised_only_where_their_chance_is_known() -> None:
    for name, known in (("ultimate", True), ("ultimate-majority", False)):
        search = searcher(metatac.load_rules(name))
        search.wish_x = 0.5
        search.think(metatac.start(name).play("ee"), Limits(nodes=100))
        assert search.draw_x == (0.5 if known else 0.0)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("only", sorted(set(NARROW.values()) - {"gg"}))
def test_the_only_good_move_is_found_and_proven(only: str, threads: int) -> None:
    """Of all but one, which takes a prover."""
    position = metatac.position(next(text for text, move in NARROW.items() if move == only))
    found = searcher(position.rules, megabytes=16, threads=threads).think(position, Limits(nodes=50_000_000))
    assert found.proven and str(found.best.move) == only


@pytest.mark.parametrize("name", [name for name in LEARNED if not name.startswith("misere")])
def test_a_won_game_is_won_with_hardly_any_nodes(name: str) -> None:
    won = 0
    for seed in range(40):
        position = late(metatac.load_rules(name), 1 + seed % 4, seed)
        wins = wins_at_once(position)
        found = searcher(position.rules, megabytes=1).think(position, Limits(nodes=1))
        if wins:
            won += 1
            assert found.best.move in wins and found.proven
    assert won > 5


def test_the_same_nodes_give_the_same_result() -> None:
    for plies in (0, 11, 40):
        position = some_position("ultimate-majority", plies, 3)
        results = [searcher(position.rules).think(position, Limits(nodes=20_000), lines=9) for _ in range(2)]
        assert results[0].moves == results[1].moves and results[0].nodes == results[1].nodes < 20_100


@pytest.mark.parametrize("threads", [1, 3])
def test_a_full_tree_loses_what_was_rarely_visited_and_grows_on(threads: int) -> None:
    position = some_position("ultimate", 8, 2)
    search = searcher(position.rules, megabytes=0.5, threads=threads)
    size = search.capacity
    found = search.think(position, Limits(nodes=20 * size))
    assert found.nodes >= 20 * size and found.best.move in position.legal_moves
    assert search.capacity == size and 0.99 * 2**19 < search._tree.nbytes + search._marks.nbytes <= 2**19
    assert search._tree[of.VISITS] > size / 9  # no visit of the root is forgotten
    assert check_tree(search, position, 0, 4) > 20


@pytest.mark.parametrize("nodes", [300, 60_000])
def test_a_tree_that_is_interrupted_while_it_is_tidied_up_is_whole_or_gone(nodes: int) -> None:
    position = some_position("ultimate", 8, 2)
    search = searcher(position.rules)
    assert search.think(position, Limits(nodes=nodes)).nodes >= nodes
    search.stop()
    assert not search._keep(0, 8)
    search.go()
    if nodes == 300:  # it was being moved already: what is marked is soon found there
        assert search._find_here(position) == -1
    else:
        assert search._find_here(position) == 0 and check_tree(search, position, 0, 1) > 100
    assert search.think(position, Limits(nodes=nodes)).nodes >= nodes
    assert check_tree(search, position, 0, 1) > nodes // 20
    assert search._keep(0, 8) and check_tree(search, position, 0, 8) >= 1


@pytest.mark.parametrize("threads", [1, 4])
def test_threads_grow_a_tree_that_keeps_to_the_rules(threads: int) -> None:
    position = some_position("ultimate-majority", 25, 7)
    search = searcher(position.rules, megabytes=16, threads=threads)
    search.think(position, Limits(nodes=60_000))
    assert check_tree(search, position, 0, 10) > 20


def test_the_tree_is_kept_when_the_game_goes_on() -> None:
    position = some_position("ultimate", 10, 1)
    search = searcher(position.rules)
    line = search.think(position, Limits(nodes=40_000)).best.line
    for plies in (1, 2):
        for move in line[:plies]:
            position = position.play(move)
        known = int(search._tree[of.NODE * search._find_here(position) + of.VISITS])
        assert known > 20
        line = search.think(position, Limits(nodes=1)).best.line
        assert search._tree[of.VISITS] >= known
        assert check_tree(search, position, 0, 1) > 20
    other = some_position("ultimate", 11, 8)
    search.think(other, Limits(nodes=1))
    assert search._tree[of.VISITS] == 1 and check_tree(search, other, 0, 1) == 1


def test_it_stops_when_it_is_told_and_when_its_time_is_over() -> None:
    position = some_position("ultimate", 4, 1)
    search, begin = searcher(position.rules, threads=2), time.perf_counter()
    search.stop()
    assert search.think(position, Limits()).nodes < 5_000
    threading.Timer(0.05, search.stop).start()
    assert search.think(position, Limits()).best.move in position.legal_moves
    assert search.think(position, Limits(seconds=0.05)).best.move in position.legal_moves
    assert search.think(position, Limits(seconds=0.0)).best.move in position.legal_moves
    assert time.perf_counter() - begin < 30


def test_who_looks_on_can_end_it() -> None:
    position, seen = some_position("ultimate", 4, 1), list[SearchResult]()
    search, others = searcher(position.rules, threads=2), set(threading.enumerate())

    def look(result: SearchResult) -> None:
        seen.append(result)
        if len(seen) == 5:
            raise KeyError

    with pytest.raises(KeyError):
        search.think(position, Limits(), on_result=look)
    assert np.all(np.diff([one.nodes for one in seen]) > 0)
    assert set(threading.enumerate()) <= others
    assert search.think(position, Limits(nodes=500)).nodes >= 500


@pytest.mark.parametrize("name", BEST_FIRST)
def test_one_move_is_sought_best_first_and_all_else_by_alpha_beta(name: str) -> None:
    thinker, position = Thinker(metatac.load_rules(name), megabytes=2), metatac.start(name)
    thinker.think(position, Limits(nodes=500))
    assert isinstance(thinker.searcher, BestFirst)
    assert len(thinker.think(position, Limits(nodes=500), lines=3).moves) == 3
    assert isinstance(thinker.searcher, AlphaBeta)
    thinker.think(position, Limits(nodes=500))
    assert isinstance(thinker.searcher, BestFirst)
    assert thinker.think(position, Limits(depth=4)).depth == 4
    assert isinstance(Thinker(metatac.load_rules(name, first="center"), megabytes=2).searcher, BestFirst)
    assert isinstance(Thinker(metatac.load_rules(name, side=2), megabytes=2).searcher, AlphaBeta)
