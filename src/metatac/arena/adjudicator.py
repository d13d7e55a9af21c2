"""The arena's adjudicator: it ends a game near its end once the prover knows what comes of it."""

from metatac.engine.endgame import Endgame
from metatac.engine.prover import Proof, Prover, prove
from metatac.match import Adjudicate, Match
from metatac.rules import RuleSet

MEMORY_MB = 8
"""More than the few nodes of a proof fill."""


class Adjudicator:
    """Asks the prover about the position of a match, which is not over, with a number of nodes at most.

    Nothing is kept from one question to the next, so that a game ends the same whatever was played before it.
    """

    def __init__(self, rules: RuleSet, nodes: int) -> None:
        self._limits = Prover(rules, memory_mb=1)
        self._nodes = nodes

    def __call__(self, match: Match) -> Adjudicate | None:
        position = match.position
        if not Endgame(self._limits, position, lambda: False).is_near:
            return None
        proof = prove(position, memory_mb=MEMORY_MB, nodes=self._nodes, shortest=False)
        return _verdict(proof) if proof.line else None


def _verdict(proof: Proof) -> Adjudicate:
    """What the end of the proved line says: a real position of the game, and so real points."""
    end = proof.position
    for move in proof.line:
        end = end.play(move)
    outcome = end.outcome
    assert outcome is not None
    line = " ".join(map(str, proof.line))
    return Adjudicate(outcome.winner, outcome.points, f"proved with {proof.nodes} nodes: {line}; {outcome}")
