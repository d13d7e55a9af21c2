"""Players of a series: their budgets, seeds and names."""

import random

import pytest

import metatac
from metatac.arena import contestants
from metatac.errors import ArenaError, MatchError, UnknownPlayer


def test_a_budget_goes_to_whoever_takes_it_and_the_others_are_named() -> None:
    (a, b), notes = contestants("counted", "random", nodes=500)
    assert (a.label, b.label) == ("counted:nodes=500", "random")
    assert notes == ("random has no option for nodes: it plays as it always does",)
    assert a.load(1).options[0] == 500


def test_a_players_own_budget_wins() -> None:
    (a, b), notes = contestants("counted:nodes=7", "budgeted:2s", nodes=500)
    assert (a.label, b.label) == ("counted:nodes=7", "budgeted:2s")
    assert notes == (
        "counted:nodes=7 keeps its own budget: nodes=7",
        "budgeted:2s keeps its own budget: budget=2s",
    )


def test_a_budget_as_text() -> None:
    (a, _), notes = contestants("budgeted", "first", nodes=500)
    assert a.label == "budgeted:budget=500n" and len(notes) == 1
    assert a.load(1).budget == "500n"


def test_threads_go_to_whoever_takes_them() -> None:
    (a, b), notes = contestants("counted", "counted:threads=4", threads=1)
    assert (a.label, b.label) == ("counted:threads=1", "counted:threads=4") and not notes


def test_a_level_needs_no_threads() -> None:
    (a, b), _ = contestants("engine:3", "engine:level=4", threads=1)
    assert (a.label, b.label) == ("engine:3", "engine:level=4")


def test_with_nodes_the_engine_needs_no_threads_and_a_seed_is_given_to_anybody() -> None:
    (a, b), notes = contestants("engine", "engine:nodes=7", nodes=500, threads=2)
    assert {"engine:nodes=500 uses one thread, not 2", "engine:nodes=7 uses one thread, not 2"} <= set(notes)
    assert (a.label, b.label) == ("engine:nodes=500", "engine:nodes=7")
    assert a.load(1).name == b.load(1).name == "engine"


def test_twins_can_be_told_apart() -> None:
    (a, b), _ = contestants("random", "random")
    assert (a.label, b.label) == ("random (A)", "random (B)")


def test_seeds_are_given_unless_stated() -> None:
    (a, b), _ = contestants("random", "random:5")
    position = metatac.start("ultimate")
    chosen = [random.Random(seed).choice(position.legal_moves) for seed in (1, 5)]
    assert [a.load(1).choose(position), b.load(1).choose(position)] == chosen


@pytest.mark.parametrize("text", ["randon", "random:level=2", "random:x", "Random!"])
def test_unknown_players_are_refused(text: str) -> None:
    with pytest.raises(UnknownPlayer):
        contestants("random", text)


def test_who_does_not_play_the_game_says_so() -> None:
    for both in (("random", "tiger"), ("tiger", "random")):
        assert contestants(*both, rules=metatac.load_rules("sudoku"))
        with pytest.raises(MatchError, match="the tiger plays only sudoku"):
            contestants(*both, rules=metatac.load_rules("ultimate"))


def test_people_are_not_asked() -> None:
    with pytest.raises(ArenaError, match="metatac play"):
        contestants("random", "human")
