"""Players on random rule sets."""

import random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import rule_sets

import metatac
from metatac.engine.analysis import analyze
from metatac.players import load_player
from metatac.players.analysts import load_analyst

SPECS = ["greedy", "heurist:100", "uct:150n,hash=2", "mcts:150n,hash=2"]


@given(rule_sets(most_side=5), st.sampled_from(SPECS), st.integers(0, 2**32))
@settings(deadline=None, max_examples=40, suppress_health_check=list(HealthCheck))
def test_every_rule_set_is_played(rules: metatac.RuleSet, spec: str, seed: int) -> None:
    chance, position = random.Random(seed), metatac.start(rules)
    player = load_player(spec, seed=seed)
    for _ in range(chance.choice([0, 1, 20])):
        if position.outcome is None:
            position = position.play(chance.choice(position.legal_moves))
    for _ in range(3):
        if position.outcome is not None:
            break
        move = player.choose(position)
        assert position.is_legal(move), position.text
        position = position.play(move)


@given(rule_sets(depths=(1, 2), most_side=2), st.integers(0, 2**32))
@settings(deadline=None, max_examples=25, suppress_health_check=list(HealthCheck))
def test_proofs_of_random_rules_are_true(rules: metatac.RuleSet, seed: int) -> None:
    chance, position = random.Random(seed), metatac.start(rules)
    for _ in range(7):
        after = position.play(chance.choice(position.legal_moves))
        if after.outcome is not None:
            break
        position = after
    result = analyze(position, load_analyst(f"mcts:500n,hash=2,seed={seed}"))
    known: dict[metatac.Position, int] = {}

    def value(here: metatac.Position) -> int:
        if here not in known:
            outcome = here.outcome
            if outcome is not None:
                known[here] = here.rules.utility_of(outcome.winner, outcome.points)
            else:
                values = [value(here.play(move)) for move in here.legal_moves]
                known[here] = max(values) if here.turn == "X" else min(values)
        return known[here]

    for move in result.moves[:20]:
        if move.proven:
            assert move.value_x == value(position.play(move.move)), (position.text, move)
