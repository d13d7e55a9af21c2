"""The prover agrees with plain brute force on the readable rules, on every kind of rule set, and its lines replay."""

import json
import random
import threading
import time
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from brute import SMALL, Brute, TooBig, first_result, late_positions
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import rule_sets

import metatac
from metatac.engine import arrays
from metatac.engine import proof_search as at
from metatac.engine import prover as prover_module
from metatac.engine.proof_file import load_table, save_table
from metatac.engine.proof_table import BUCKET, ENTRY
from metatac.engine.prover import Progress, Proof, Prover, pause_after, prove
from metatac.errors import InvalidRecord
from metatac.game.symmetry import symmetries
from metatac.kernel.state import move_of, words_of


def check(position: metatac.Position, brute: Brute, **limits: Any) -> Proof:
    """Prove a position and hold the proof to brute force."""
    proof = prove(position, **({"memory_mb": 1} | limits))
    value, plies = brute.result(position)
    assert (proof.lower_x, proof.upper_x) == (value, value), position.text
    assert proof.solved and proof.value_x == value
    replayed = metatac.Game(position)
    for move in proof.line:
        replayed.push(move)
    outcome = replayed.outcome
    assert outcome is not None and outcome.winner == proof.winner
    assert position.rules.utility_of(outcome.winner, outcome.points) == value
    if proof.distance is not None and proof.line:
        assert len(proof.line) == proof.distance == plies == proof.at_most, position.text
    elif proof.at_most is not None:
        assert plies <= proof.at_most
    return proof


def entries_of(table: Any) -> list[tuple[int, ...]]:
    return sorted(tuple(entry) for entry in table.reshape(-1, ENTRY).tolist() if entry[3])


def test_a_table_that_grows_has_everything_where_it_is_looked_for() -> None:
    position = metatac.start("ultimate")
    prover = Prover(position.rules, memory_mb=64)
    prover.begin_small()
    prover.bounds(words_of(position), 20_000)
    small, before = prover.table.size, entries_of(prover.table)
    prover.grow()
    assert prover.table.size == 4 * small and not prover.may_grow
    assert entries_of(prover.table) == before
    entries = prover.table.reshape(-1, BUCKET, ENTRY).tolist()
    for number, bucket in enumerate(entries):
        for key, *_, rest in bucket:
            assert not rest or number == (key % 2**64 >> 32) * len(entries) >> 32


def test_a_proof_whose_table_grows_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    late = [position for seed in range(4) for position, _ in late_positions(metatac.load_rules("ultimate"), seed, 1000)]
    proofs = [prove(position, memory_mb=1) for position in late]
    monkeypatch.setattr(prover_module, "FIRST_BUCKETS", 16)
    for position, proof in zip(late, proofs, strict=True):
        again = prove(position, memory_mb=1)
        assert (again.value_x, again.distance, again.winner) == (proof.value_x, proof.distance, proof.winner)


def test_a_table_grows_no_longer_than_there_is_time_and_loses_nothing() -> None:
    position = metatac.start("ultimate")
    prover = Prover(position.rules, memory_mb=64)
    prover.begin_small()
    prover.bounds(words_of(position), 20_000)
    before, looks = entries_of(prover.table), iter([False, False, True])
    prover.grow(lambda: next(looks))
    assert not list(looks) and entries_of(prover.table) == before
    assert prover.bounds(words_of(position), 20_000) == (-1, 1)


@pytest.mark.parametrize("why", ["nodes", "time", "stop"])
def test_no_table_grows_when_the_limits_are_reached(why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prover_module, "FIRST_BUCKETS", 16)
    stop, now, grown = threading.Event(), [0.0], 0
    run, grow = prover_module.Allowance.run, at.grow

    def run_and_end(*arguments: Any) -> int:
        status = run(*arguments)
        if why == "stop":
            stop.set()
        elif why == "time":
            now[0] = 2.0
        return status

    def count(*arguments: Any) -> None:
        nonlocal grown
        grown += 1
        grow(*arguments)

    monkeypatch.setattr(prover_module.Allowance, "run", run_and_end)
    monkeypatch.setattr(at, "grow", count)
    nodes = 32 if why == "nodes" else None
    proof = prove(selfplay(39, 30), memory_mb=1, nodes=nodes, seconds=1.0, stop=stop, clock=lambda: now[0])
    assert 32 <= proof.nodes < 64 and grown == 0


def opened(prover: Prover, position: metatac.Position, target: int) -> Any:
    """What a search that opens nothing but a position writes of it and of what its moves lead to: a row each."""
    prover.table[:] = 0
    words = words_of(position)
    prover.prepare(words)
    control = prover.control
    control[at.TARGET], control[at.QUESTIONS], control[at.NODES], control[at.NODE_LIMIT] = target, 1, 0, 1
    prover.solve(words)
    return prover._stack.reshape(-1, at.CHILD)[: 1 + prover._frames[at.COUNT]].copy()


def compare_unmade(rules: metatac.RuleSet, seed: int, share: float) -> int:
    """Hold what is written of the moves of a random game to what is written when they have been made; how many."""
    chance, game, compared = random.Random(seed), metatac.Game(metatac.start(rules)), 0
    prover = Prover(rules, memory_mb=0.01)
    while game.outcome is None:
        least, most, _ = prover.limits(words_of(game.position))
        if least < most and chance.random() < share:
            target = chance.randint(least + 1, most)
            for code, *shown in opened(prover, game.position, target)[1:].tolist():
                after = game.position.play(move_of(rules, code))
                if after.outcome is None:
                    assert shown == opened(prover, after, target)[0, 1:].tolist(), after.text
                    compared += 1
        game.push(chance.choice(game.legal_moves))
    return compared


@pytest.mark.parametrize("name", [name for name in metatac.preset_names() if metatac.load_rules(name).depth == 2])
def test_a_move_shows_the_same_whether_it_is_made_or_not(name: str) -> None:
    assert sum(compare_unmade(metatac.load_rules(name), seed, 0.2) for seed in range(6)) > 200


@given(rule_sets(depths=(1, 2), most_side=3), st.integers(0, 2**32))
@settings(deadline=None, max_examples=150, suppress_health_check=list(HealthCheck))
def test_a_move_shows_the_same_by_any_rules(rules: metatac.RuleSet, seed: int) -> None:
    compare_unmade(rules, seed, 0.5)


@pytest.mark.skipif(arrays.NO_LARGE_PAGES is None, reason="the system has no such advice to give")
def test_a_great_table_needs_no_system_that_has_large_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrays, "NO_LARGE_PAGES", 12345)  # is refused, as any is where there are none
    words = arrays.table_words(arrays.MOST_TOUCHED // 8 + 1)
    words[-1] = 1
    assert words[:1000].sum() == 0 and words[-1] == 1


def test_tic_tac_toe_is_a_draw() -> None:
    proof = prove(metatac.start("tic-tac-toe"), memory_mb=1)
    assert proof.value_x == 0 and proof.winner is None and len(proof.line) == 9


def test_every_position_of_tic_tac_toe() -> None:
    brute = Brute(10_000)
    brute.result(metatac.start("tic-tac-toe"))
    prover = Prover(metatac.load_rules("tic-tac-toe"), memory_mb=1)
    assert len(brute.values) == 5478
    for position, (value, _) in brute.values.items():
        if position.outcome is None:
            assert prover.bounds(words_of(position), 10_000) == (value, value), position.text


def test_every_distance_of_tic_tac_toe() -> None:
    brute, seen = Brute(10_000), 0
    brute.result(metatac.start("tic-tac-toe"))
    for position in random.Random(1).sample(list(brute.values), 150):
        seen += check(position, brute).distance is not None
    assert seen > 50


@pytest.mark.parametrize(("name", "options"), SMALL, ids=[f"{name}-{number}" for number, (name, _) in enumerate(SMALL)])
def test_small_rule_sets(name: str, options: dict[str, Any]) -> None:
    rules = metatac.load_rules(name, **options)
    for seed in range(4):
        for position, brute in late_positions(rules, seed):
            check(position, brute)


@pytest.mark.parametrize(
    ("name", "options", "value"),
    [
        ("tic-tac-toe", {"swap": True}, 0),
        ("tic-tac-toe", {"line": "loses"}, 0),
        ("ultimate", {"side": 2}, 1),
        ("misere-ultimate", {"side": 2}, 1),
        ("ultimate-open", {"side": 2}, 1),
        ("ultimate", {"side": 2, "marks": 2}, 1),
    ],
)
def test_whole_games(name: str, options: dict[str, Any], value: int) -> None:
    start = metatac.start(name, **options)
    proof = prove(start, memory_mb=2)
    assert proof.value_x == value == first_result(start, {})
    assert proof.distance == (len(proof.line) if value else None)


@pytest.mark.parametrize("name", [name for name in metatac.preset_names() if name != "ultimate-ultimate"])
def test_late_positions_of_every_preset(name: str) -> None:
    rules, proved = metatac.load_rules(name), 0
    for seed in range(3):
        for position, brute in late_positions(rules, seed, 1000):
            check(position, brute)
            proved += position.outcome is None
    assert proved >= 3


def test_late_positions_of_the_largest_preset() -> None:
    proved, start = 0, metatac.start("ultimate-ultimate")
    prover = Prover(start.rules, memory_mb=8)
    for seed in range(8):
        chance, game = random.Random(seed), metatac.Game(start)
        while game.outcome is None:
            game.push(chance.choice(game.legal_moves))
        for _ in range(2):
            game.pop()
            try:
                value = first_result(game.position, {}, 300)
            except TooBig:
                continue
            assert prover.bounds(words_of(game.position), 1 << 40) == (value, value)
            proved += 1
    assert proved >= 3


def selfplay(number: int, plies: int = 36) -> metatac.Position:
    file = Path(__file__).parents[2] / "benchmarks" / "positions" / "ultimate-selfplay.txt"
    position = metatac.start("ultimate")
    for move in file.read_text().splitlines()[number].split()[:plies]:
        position = position.play(move)
    return position


def test_the_same_under_every_symmetry() -> None:
    for number in (5, 15):
        position = selfplay(number)
        found = {
            (proof.value_x, proof.distance)
            for proof in (prove(turned.position(position), memory_mb=4) for turned in symmetries(position.rules))
        }
        assert len(found) == 1


def test_a_small_table_gives_the_same_result_slowly() -> None:
    position = selfplay(24)
    large, small = prove(position, memory_mb=64, shortest=False), prove(position, memory_mb=0.05, shortest=False)
    assert large.value_x == small.value_x == 1
    assert small.nodes > large.nodes


def test_limits_end_the_work_with_true_bounds() -> None:
    position = selfplay(39, 30)
    few = prove(position, nodes=2000, memory_mb=8)
    assert not few.solved and few.value_x is None and few.line == () and few.reason == "nodes"
    assert 2000 <= few.nodes < 2100 and (few.lower_x, few.upper_x) == (-1, 1)
    assert prove(position, nodes=2000, memory_mb=8).nodes == few.nodes
    late = prove(position, seconds=0.05, memory_mb=8)
    assert late.seconds < 60 and late.reason == "time"
    stop = threading.Event()
    stop.set()
    stopped = prove(position, stop=stop, memory_mb=8)
    assert not stopped.solved and stopped.reason == "stopped"


def test_progress_is_reported() -> None:
    seen: list[Progress] = []
    time = iter(range(100_000))
    prove(selfplay(39, 30), memory_mb=8, seconds=40, on_progress=seen.append, clock=lambda: float(next(time)))
    assert seen and seen[-1].nodes >= seen[0].nodes and seen[0].target in (0, 1)


def test_a_finished_game_is_worth_what_it_is() -> None:
    position = metatac.start("tic-tac-toe")
    for move in "adbec":
        position = position.play(move)
    proof = prove(position)
    assert (proof.value_x, proof.winner, proof.distance, proof.line) == (1, "X", 0, ())


def test_states_are_left_as_they_were() -> None:
    position = selfplay(0)
    words = words_of(position)
    before = words.copy()
    assert Prover(position.rules, 4).bounds(words, 100) == (-1, 1)
    assert np.array_equal(words, before)


# -- checkpoints


def test_a_proof_is_taken_up_again(tmp_path: Path) -> None:
    file, position = tmp_path / "proof", selfplay(23)
    whole = prove(position, memory_mb=8, shortest=False)
    part = prove(position, memory_mb=8, nodes=whole.nodes // 2, checkpoint=file)
    assert not part.solved and [path.name for path in tmp_path.iterdir()] == ["proof"]
    for size in (8, 3):
        rest = prove(position, memory_mb=size, checkpoint=file, resume=True, shortest=False)
        assert rest.value_x == whole.value_x and rest.nodes > part.nodes


def test_a_checkpoint_comes_soon_and_writing_costs_little(tmp_path: Path) -> None:
    """On a clock that runs twenty times as fast, so that ten seconds are soon over."""
    file, stop, found = tmp_path / "work", threading.Event(), list[float]()

    def look(_: Progress) -> None:
        if file.exists():
            found.append(json.loads(file.read_bytes().split(b"\n")[1])["seconds"])
            stop.set()

    prove(
        metatac.start("ultimate"),
        memory_mb=1,
        stop=stop,
        on_progress=look,
        checkpoint=file,
        clock=lambda: 20 * time.perf_counter(),
    )
    assert 10 <= found[0] < 200
    assert [pause_after(took) for took in (0.0, 0.1, 2.0, 60.0)] == [10.0, 10.0, 60.0, 300.0]


def test_a_wrong_or_damaged_checkpoint_is_refused(tmp_path: Path) -> None:
    file, position = tmp_path / "proof", selfplay(23)
    prove(position, memory_mb=1, nodes=3000, checkpoint=file)

    def complaint(about: metatac.Position) -> str:
        with pytest.raises(InvalidRecord) as caught:
            prove(about, memory_mb=1, checkpoint=file, resume=True)
        return str(caught.value)

    assert "another position" in complaint(selfplay(24))
    assert "other rules (ultimate)" in complaint(metatac.start("ultimate-open"))
    sound = file.read_bytes()
    for damaged in (sound[:-9], sound[:-9] + bytes(9), sound + b"!", sound[:30], sound[: len(sound) // 2]):
        file.write_bytes(damaged)
        assert "damaged" in complaint(position)
    for was, put in (("lower_x", "lowr_x"), ('"lower_x": -1', '"lower_x": 5'), ('"entries": ', '"entries": -')):
        assert was.encode() in sound
        file.write_bytes(sound.replace(was.encode(), put.encode()))
        assert "damaged: its header" in complaint(position)
    file.write_bytes(sound.replace(b"proof 2", b"proof 1"))
    assert "of another version" in complaint(position)
    file.write_bytes(b"something else")
    assert "no checkpoint" in complaint(position)


def table_of(entries: int) -> Any:
    """A full table of keys, and works of 1 to 20, by chance."""
    chance = np.random.default_rng(1)
    rows = chance.integers(-(2**62), 2**62, (entries // BUCKET, BUCKET, ENTRY))
    rows[:, :, 3] = chance.integers(1, 21, rows.shape[:2])
    numbers = (np.arange(len(rows), dtype=np.uint64) << np.uint64(32)) // np.uint64(len(rows)) + np.uint64(1)
    rows[:, :, 0] = (numbers << np.uint64(32)).astype(np.int64)[:, None] + np.arange(BUCKET)
    return rows.reshape(-1)


@pytest.mark.parametrize("size", [1, 3, 1 << 12, 1 << 16])
def test_a_checkpoint_has_in_a_table_of_any_size_what_cost_most(tmp_path: Path, size: int) -> None:
    position, table, facts = metatac.start("ultimate"), table_of(1 << 12), {"lower_x": -1}
    save_table(tmp_path / "work", position, table, facts)
    loaded = np.zeros(size * BUCKET * ENTRY, dtype=np.int64)
    assert load_table(tmp_path / "work", position, loaded).items() >= facts.items()
    best = dict[int, list[int]]()
    for key, *_, work in entries_of(table):
        best.setdefault((key % 2**64 >> 32) * size >> 32, []).append(work)
    for number, bucket in enumerate(loaded.reshape(-1, BUCKET, ENTRY).tolist()):
        works = sorted(best.get(number, []), reverse=True)[:BUCKET]
        assert sorted((entry[3] for entry in bucket if entry[3]), reverse=True) == works
    assert set(entries_of(loaded)) <= set(entries_of(table))


def test_a_checkpoint_takes_little_memory_beside_the_table(tmp_path: Path) -> None:
    position, table, small = metatac.start("ultimate"), table_of(1 << 21), np.zeros(1 << 17, dtype=np.int64)
    tracemalloc.start()
    try:
        save_table(tmp_path / "work", position, table, {})
        load_table(tmp_path / "work", position, small)
        assert tracemalloc.get_traced_memory()[1] < table.nbytes / 2
    finally:
        tracemalloc.stop()


def test_a_checkpoint_is_read_no_longer_than_there_is_time(tmp_path: Path) -> None:
    file, position = tmp_path / "proof", selfplay(23)
    prove(position, memory_mb=1, nodes=3000, checkpoint=file)
    kept, stop = file.read_bytes(), threading.Event()
    stop.set()
    proof = prove(position, memory_mb=1, checkpoint=file, resume=True, stop=stop)
    assert proof.nodes >= 3000 and (proof.lower_x, proof.upper_x) == (-1, 1) and file.read_bytes() == kept
    table = np.zeros(1 << 10, dtype=np.int64)
    assert load_table(file, position, table, lambda: True)["nodes"] >= 3000 and not table.any()
