"""Search and prover together: never against what is proved, limits kept, no stop lost."""

import resource
import threading
import time
from pathlib import Path

import pytest
from proofs import late, truth
from strategies import some_position

import metatac
from metatac.engine.alphabeta import AlphaBeta, Limits
from metatac.engine.arrays import MOST_TOUCHED
from metatac.engine.best_first import BestFirst
from metatac.engine.results import SearchResult
from metatac.engine.thinker import Thinker
from metatac.game import Position

PRESETS = metatac.preset_names()
SMALL = [
    ("ultimate", {"side": 2}),
    ("ultimate", {"side": 2, "swap": True, "bonus": True, "patterns": ["rows", "columns"]}),
    ("ultimate", {"side": 2, "win_board": "tallies", "tallies": 2, "marks": 2}),
    ("misere-ultimate", {"side": 2, "patterns": ["rows"]}),
    ("ultimate-majority", {"side": 2, "komi": 0.5, "patterns": ["diagonals"]}),
    ("intelligent", {"side": 2, "patterns": ["rows"], "win_points": 2, "values": [5, 1, 1, 3]}),
    ("extreme", {"side": 2, "patterns": ["rows", "columns"], "values": [6, 4, 4, 3]}),
    ("sudoku", {"side": 2}),
]


def check(position: Position, thinker: Thinker, nodes: int, lines: int = 1) -> bool:
    """Hold what is said about a position to proofs; returns whether it was solved."""
    found = thinker.think(position, Limits(nodes=nodes), lines=lines)
    assert len(found.moves) == min(lines, len(position.legal_moves)) == len({one.move for one in found.moves})
    value = truth(position)
    if found.proven and value is not None:
        assert found.value_x == value, position.text
        assert truth(position.play(found.best.move)) == value, position.text
    for one in found.moves:
        replay = position
        for move in one.line:
            replay = replay.play(move)
        worth = truth(position.play(one.move)) if one.proven else None
        assert worth in (None, one.value_x), (position.text, one)
    return found.proven


@pytest.mark.parametrize(("name", "options"), SMALL, ids=[f"{name}-{number}" for number, (name, _) in enumerate(SMALL)])
def test_small_games_are_told_as_they_are(name: str, options: dict[str, object]) -> None:
    rules = metatac.load_rules(name, **options)
    thinker, solved = Thinker(rules, megabytes=2), 0
    for seed in range(6):
        position = late(rules, 3 + seed, seed)
        solved += check(position, thinker, 20_000)
        check(position, thinker, 40_000, lines=len(position.legal_moves))
    assert solved >= 5


@pytest.mark.parametrize("name", PRESETS)
def test_the_prover_is_never_contradicted(name: str) -> None:
    rules = metatac.load_rules(name)
    thinker, solved = Thinker(rules, megabytes=4), 0
    for seed in range(4):
        position = late(rules, 4 * (1 + seed), seed)
        solved += check(position, thinker, 8_000)
        solved += check(position, thinker, 8_000, lines=3)
    assert solved >= 2


@pytest.mark.parametrize("plies", [10, 40])
def test_the_same_nodes_give_the_same_result(plies: int) -> None:
    position = some_position("ultimate", plies, 3)
    results = [Thinker(position.rules, megabytes=4).think(position, Limits(nodes=30_000), lines=2) for _ in range(2)]
    assert results[0].moves == results[1].moves and results[0].nodes == results[1].nodes
    assert results[0].nodes <= 31_100


def test_a_proof_ends_the_search() -> None:
    position = metatac.start("tic-tac-toe").play("a").play("b").play("e")  # X threatens i and g
    thinker = Thinker(position.rules, megabytes=1)
    lost = thinker.think(position, Limits())
    assert lost.proven and lost.value_x == 1 and len(lost.best.line) == 4
    assert str(lost.best.move) == "i"  # else it were over sooner
    won = thinker.think(position.play("i"), Limits())
    assert won.proven and won.value_x == 1 and won.best.move in position.play("i").legal_moves


def test_every_finished_depth_is_reported_and_can_be_the_last() -> None:
    position, depths = metatac.start("ultimate-open").play("ee"), list[int]()
    thinker = Thinker(position.rules, megabytes=4, threads=2)

    def note(result: SearchResult) -> None:
        depths.append(result.depth)
        if result.depth == 5:
            thinker.stop()

    assert thinker.think(position, Limits(), on_result=note).depth == 5
    assert depths == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("plies", [1, 45])
@pytest.mark.parametrize("name", ["ultimate-open", "ultimate"])
def test_no_stop_is_lost(name: str, plies: int) -> None:
    """Whenever it comes: before the search, while it begins, or later."""
    position = some_position(name, plies, 5)
    thinker = Thinker(position.rules, megabytes=1)
    thinker.stop()
    assert thinker.think(position, Limits()).best.move in position.legal_moves
    for number in range(40):
        stopper = threading.Thread(target=lambda pause: (time.sleep(pause), thinker.stop()), args=(number / 20_000,))
        stopper.start()
        thinker.think(position, Limits())
        stopper.join()
        thinker.go()
    thinker.stop()
    thinker.go()
    assert thinker.think(position, Limits(depth=3)).depth == 3


def test_a_finished_game_has_its_value_and_no_moves() -> None:
    position = metatac.start("tic-tac-toe")
    for move in "adbec":
        position = position.play(move)
    found = Thinker(position.rules, megabytes=1).think(position, Limits(nodes=10))
    assert (found.value_x, found.moves, found.proven) == (1.0, (), True)


def test_who_asks_for_one_line_and_several_by_turns_keeps_one_table() -> None:
    """Each change of the search would begin with an empty table."""
    position = metatac.start("ultimate")
    thinker = Thinker(position.rules, megabytes=2, best_first=False)
    searcher = thinker.searcher
    for lines in (3, 1, 3):
        thinker.think(position, Limits(nodes=500), lines=lines)
        assert thinker.searcher is searcher


def test_fewer_than_one_line_is_one() -> None:
    position = some_position("ultimate", 10, 1)
    one, other = (Thinker(position.rules, megabytes=2) for _ in range(2))
    limits = Limits(nodes=2000)
    assert one.think(position, limits, lines=0).moves == other.think(position, limits).moves


def test_who_stands_badly_is_content_with_a_draw() -> None:
    rules, content, proud = metatac.load_rules("ultimate"), 0, 0
    for seed in range(12):
        position = some_position("ultimate", 30, seed)
        for wisher, draw_x in (("X", -0.4), ("O", 0.4)):
            thinker = Thinker(rules, megabytes=2)
            for _ in range(2):
                value_x = thinker.think(position, Limits(nodes=20_000), draw_x=draw_x).value_x
            assert isinstance(thinker.searcher, BestFirst)
            stands = value_x if wisher == "X" else -value_x
            if stands < -0.3:
                assert thinker.searcher.draw_x == 0.0, position.text
                content += 1
            elif stands > 0.1:
                assert thinker.searcher.draw_x == draw_x, position.text
                proud += 1
    assert content > 2 and proud > 2


def resident() -> int:
    """Megabytes of memory that this process has in hand."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() // 2**20


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="no /proc to see the memory in")
def test_great_tables_are_forgotten_by_giving_them_back() -> None:
    thinker, before = Thinker(metatac.load_rules("sudoku"), megabytes=1024), resident()
    assert isinstance(thinker.searcher, AlphaBeta)
    for words in (thinker.searcher.table.words, thinker.prover.table):
        assert words.nbytes > MOST_TOUCHED
        words[: 2**24] = 7
    assert resident() > before + 200
    thinker.clear()
    assert resident() < before + 50
    assert not thinker.searcher.table.words[: 2**24].any() and not thinker.prover.table[: 2**24].any()


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="no /proc to see the memory in")
def test_searches_that_take_each_others_place_are_never_there_both() -> None:
    thinker = Thinker(metatac.load_rules("ultimate"), megabytes=160)
    asked = list[int]()

    def search(best_first: bool) -> AlphaBeta | BestFirst:
        asked.append(resident())
        return made(best_first=best_first)

    made, thinker._searcher = thinker._searcher, search  # type: ignore[method-assign,assignment]
    with_both = resident()
    thinker.choose_searcher(Limits(), 2)
    thinker.choose_searcher(Limits(), 1)
    assert max(asked) < with_both - 50
