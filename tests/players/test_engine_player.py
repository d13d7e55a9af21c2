"""The engine as a player: clocks, single moves, thinking on the opponent's time."""

import gc
import re
import threading
import time
import weakref
from typing import Any

import pytest
from strategies import some_position

import metatac
from metatac.errors import UnknownPlayer
from metatac.match import Clock, new_match, run
from metatac.players.searchers import EnginePlayer


def test_a_match_on_a_short_clock_is_not_lost_by_it() -> None:
    """By the time that the processor worked, which is never more than has passed, however busy the machine is."""
    players = (EnginePlayer(hash=4, threads=1), EnginePlayer(hash=4, threads=1))
    match = run(new_match("ultimate", time="1s+20ms"), players, clock=time.process_time)
    assert match.result is not None and match.result.reason != "overrun"


@pytest.mark.parametrize("clock", [Clock(limit=0.001), Clock(limit=0.01, own=0.01), Clock(limit=0.0), Clock(own=0.02)])
def test_a_move_is_made_however_little_time_there_is(clock: Clock) -> None:
    position = some_position("ultimate", 20, 1)
    assert EnginePlayer(hash=1, threads=1).choose(position, clock) in position.legal_moves


def test_the_only_move_is_made_at_once() -> None:
    position = metatac.start("tic-tac-toe")
    for move in "abcedfhg":
        position = position.play(move)
    player = EnginePlayer(time=3600, threads=1)
    assert [player.choose(position)] == list(position.legal_moves)


def younger_than(old: set[threading.Thread]) -> list[threading.Thread]:
    """The threads that were started since; those of tests before may end whenever they like."""
    return [thread for thread in threading.enumerate() if thread not in old]


def test_it_ponders_until_its_next_move_and_no_longer() -> None:
    position, old = metatac.start("ultimate"), set(threading.enumerate())
    player = EnginePlayer(time=0.02, hash=4, threads=1, ponder=True)
    for _ in range(3):
        position = position.play(player.choose(position))
        assert younger_than(old)
        position = position.play(position.legal_moves[0])
    player.choose(position)
    player.game_ended(None)
    assert not younger_than(old)


def test_nobody_ponders_for_a_player_that_is_gone() -> None:
    old = set(threading.enumerate())
    player = EnginePlayer(time=0.02, hash=4, threads=1, ponder=True)
    player.choose(metatac.start("ultimate"))
    del player
    gc.collect()
    for thread in younger_than(old):
        thread.join(120)
    assert not younger_than(old)


def test_a_player_that_is_gone_leaves_its_memory_at_once() -> None:
    """Tables are large: an arena that makes players for every game must not wait for the garbage to be collected."""
    gc.disable()
    try:
        player = EnginePlayer(nodes=3000, hash=4)
        player.choose(some_position("ultimate", 30, 1))
        assert player._thinker is not None
        table = weakref.ref(player._thinker.searcher.table)
        del player
        assert table() is None
    finally:
        gc.enable()


def test_a_match_with_pondering_ends_with_no_thread_left() -> None:
    old = set(threading.enumerate())
    players = (EnginePlayer(time=0.01, hash=4, threads=2, ponder=True), EnginePlayer(level=1))
    match = run(new_match("ultimate", time="none"), players)
    assert match.result is not None and not younger_than(old)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("engine:3,ponder=yes", "does not ponder"),
        ("engine:3,time=1s", "a fixed strength and takes no time"),
        ("engine:3,nodes=5", "takes no nodes"),
        ("engine:3,depth=5", "takes no depth"),
        ("engine:3,hash=64", "takes no hash"),
        ("engine:3,threads=1", "takes no threads"),
        ("engine:3,contempt=0.5", "takes no contempt"),
        ("engine:depth=3,contempt=0.5", "to a depth takes no contempt"),
        ("engine:contempt=2", "contempt is from 0 to 1, not 2"),
        ("engine:contempt=-0.1", "from 0 to 1, not -0.1"),
        ("engine:hash=1e9", r"hash is from 0.001 to 1,048,576"),
        ("engine:hash=1e300", "hash is from"),
        ("engine:threads=513", "threads is from 1 to 512"),
        ("engine:ponder=maybe", "yes or no"),
        ("engine:hash=0", "hash is from 0.001"),
        ("engine:hash=nan", "hash is a number"),
        ("engine:threads=-1", "threads is from 1"),
        ("engine:nodes=0", "nodes is at least 1"),
        ("engine:nodes=100,threads=2", "with nodes it uses one thread, so that it plays the same each time, not 2"),
        ("engine:nodes=3000,ponder=yes", "with nodes it plays the same each time and does not ponder"),
        ("engine:seed=2", "'engine:seed=2': seed goes with a level, and none is given"),
        ("engine:seed=2,nodes=100", "seed goes with a level"),
    ],
)
def test_wrong_options_are_named(options: str, words: str) -> None:
    with pytest.raises(UnknownPlayer, match=words):
        metatac.load_player(options)


@pytest.mark.parametrize(
    ("name", "value"),
    [("level", 2.5), ("level", True), ("threads", 1.5), ("depth", 1.5), ("nodes", "9"), ("seed", "x"), ("hash", "64")],
)
def test_options_that_are_no_such_numbers_are_named(name: str, value: Any) -> None:
    """In a text they cannot be; whoever calls from Python hears it before a game begins."""
    with pytest.raises(UnknownPlayer, match=rf"{name} is a .*number, not {re.escape(repr(value))}"):
        metatac.load_player("engine", **{name: value})


@pytest.mark.parametrize("text", ["engine:nodes=100,threads=1,ponder=no", "engine:3,seed=2", "engine:seed=2,level=3"])
def test_options_that_say_what_is_true_anyway_are_taken(text: str) -> None:
    assert metatac.load_player(text).name.startswith("engine")
