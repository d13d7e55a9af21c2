"""Several threads on one position: they share the work, and what they choose holds by proof."""

import random
import threading

import numpy as np
import pytest
from proofs import NARROW
from strategies import some_position

import metatac
from metatac.engine import helpers
from metatac.engine.alphabeta import AlphaBeta, Limits, Roots, codes_of
from metatac.engine.memory import SLOT, SLOTS
from metatac.engine.prover import prove
from metatac.engine.search import SIGNATURES
from metatac.engine.thinker import Thinker
from metatac.engine.transpositions import stamp
from metatac.kernel import entries
from metatac.kernel.state import move_of, words_of
from metatac.machine import usable_cores

SEARCHES = 25
TO_THE_END = 60
"""Plies of a search that sees these games end, however much of it is cut short."""


@pytest.mark.parametrize(("text", "only"), NARROW.items(), ids=NARROW.values())
def test_what_several_threads_choose_holds_by_proof(text: str, only: str) -> None:
    position = metatac.position(text)
    value = prove(position, memory_mb=1, shortest=False).value_x
    after = {str(move): prove(position.play(move), memory_mb=1, shortest=False) for move in position.legal_moves}
    assert [move for move, proof in after.items() if proof.value_x == value] == [only]
    engine = AlphaBeta(position.rules, megabytes=1, threads=3)
    for _ in range(SEARCHES):
        engine.clear()
        assert str(engine.think(position, Limits(depth=TO_THE_END)).best.move) == only


@pytest.mark.parametrize(("text", "only"), NARROW.items(), ids=NARROW.values())
def test_a_move_that_was_put_off_is_not_taken_for_as_good_as_the_best(text: str, only: str) -> None:
    """Found to be at most as good as a draw, it may well lose."""
    position = metatac.position(text)
    engine = AlphaBeta(position.rules, megabytes=1, threads=2)
    worker = engine.workers[0]
    for seed in range(SEARCHES):
        chance = random.Random(seed)
        engine.clear()
        engine.table.begin()
        worker.begin(position)
        roots = Roots(worker, position, codes_of(position))
        roots.codes[:] = chance.sample(roots.codes.tolist(), len(roots.codes))
        for move in position.legal_moves:
            if chance.random() < 0.6:  # as if another thread were searching it
                key = int(entries.key_of(words_of(position.play(move))))
                engine.table.busy[SLOT * (key & (SLOTS - 1))] = key
        assert roots.search(TO_THE_END, 1)
        assert move_of(position.rules, int(roots.codes[0])) == position.parse(only)


def test_a_thread_that_could_share_but_is_alone_searches_the_same() -> None:
    position = some_position("ultimate", 12, 5)
    alone, first = (AlphaBeta(position.rules, megabytes=4, threads=threads) for threads in (1, 2))
    del first.workers[1:]
    assert alone.think(position, Limits(depth=9)).moves == first.think(position, Limits(depth=9)).moves
    assert alone.workers[0].nodes == first.workers[0].nodes
    assert not first.table.busy.any()


def test_a_move_is_told_with_the_nodes_of_all_threads() -> None:
    """The thread whose result it is may have found in the table what another one had searched there."""
    told = total = 0
    for seed in range(8):
        position = some_position("ultimate", 12, seed)
        engine = AlphaBeta(position.rules, megabytes=4, threads=2)
        found = engine.think(position, Limits(nodes=30_000), lines=len(position.legal_moves))
        told, total = told + sum(one.nodes for one in found.moves), total + found.nodes
    assert 0.55 * total < told <= total  # what was broken off at last is not told


def test_helpers_are_started_as_long_as_there_is_time_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is waited for until a processor comes to it; where all were, a search began minutes too late."""
    monkeypatch.setattr(helpers, "MOST", 60.0)
    for seconds, started in ((None, 5), (1e-9, 1)):
        done = threading.Event()
        with helpers.helped([done.wait] * 5, seconds, done.set) as threads:
            assert len(threads) == started and all(thread.is_alive() for thread in threads)
        assert not any(thread.is_alive() for thread in threads)


def test_an_interrupt_while_helpers_are_started_leaves_none_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """They would search for ever, in memory that the next search uses."""
    position, old = metatac.start("sudoku"), set(threading.enumerate())
    engine, start, begun = AlphaBeta(position.rules, megabytes=1, threads=4), threading.Thread.start, []

    def interrupted(thread: threading.Thread) -> None:
        begun.append(thread)
        if len(begun) == 3:
            raise KeyboardInterrupt
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", interrupted)
    monkeypatch.setattr(helpers, "MOST", 60.0)
    with pytest.raises(KeyboardInterrupt):
        engine.think(position, Limits())
    assert len(begun) == 3 and set(threading.enumerate()) <= old


@pytest.mark.parametrize("name", ["ultimate", "sudoku"])
def test_there_are_no_more_threads_than_processors(name: str) -> None:
    """With 64 on two processors, a move of 0.1 s took 2.4 s."""
    assert len(Thinker(metatac.load_rules(name), megabytes=2, threads=64).searcher.workers) <= max(2, usable_cores())


def test_nothing_stays_noted_as_being_searched() -> None:
    position = some_position("extreme", 9, 2)
    engine = AlphaBeta(position.rules, megabytes=4, threads=3)
    for nodes in (500, 3_000, 20_000):
        engine.think(position, Limits(nodes=nodes))
        assert np.count_nonzero(engine.table.busy) <= 3  # two threads may have met in a slot


def test_entries_that_differ_a_little_have_other_stamps() -> None:
    chance = random.Random(1)
    words = [chance.randrange(-(2**34), 2**34), (7 << 16) + 4 * 9 + 1, 0x1234]
    right, bits = stamp(*words), [(word, bit) for word in range(3) for bit in range(64)]
    changes = [[one] for one in bits] + [[one, other] for one in bits for other in bits if one < other]
    for change in changes:
        other = np.array(words)
        for word, bit in change:
            other[word] ^= np.array(1 << bit, dtype=np.uint64).astype(np.int64)
        assert stamp(*other.tolist()) != right, change


def test_nothing_is_compiled_while_a_clock_runs() -> None:
    """Each entry point has the one signature that it was made ready with."""
    position = some_position("ultimate", 20, 1)
    AlphaBeta(position.rules, megabytes=1, threads=2).think(position, Limits(depth=6))
    assert [len(entry.signatures) for entry, _ in SIGNATURES.values()] == [1] * len(SIGNATURES)
