"""What a search found, as plain values that every front end shows alike.

All values are in X's view, in units of the rule set's utility. A score is the same on one scale for every game: 1 is
all for X, 0 all for O, ½ neither.
"""

from dataclasses import asdict, dataclass
from typing import Any

from metatac.game import Move, Outcome
from metatac.rules import RuleSet


def swing(rules: RuleSet) -> float:
    """The utility that counts as everything: a whole win.

    Where only lines are counted nobody comes near the greatest number of them; three times the side is all there then.
    """
    if not rules.points_count:
        return 1.0
    if rules.count == "lines" and rules.line == "nothing" and not rules.boards_to_win:
        return 3.0 * rules.side
    return float(max(1, rules.greatest_points))


def score_of(rules: RuleSet, value_x: float) -> float:
    """An expected utility as an expected score, from 0 to 1; both in X's view."""
    return min(1.0, max(0.0, 0.5 + value_x / (2 * swing(rules))))


@dataclass(frozen=True, slots=True)
class MoveValue:
    """One move of the position that was searched."""

    move: Move
    value_x: float
    """The expected utility after the move."""
    nodes: int
    """How much of the search went into it: positions, or visits of a tree search."""
    line: tuple[Move, ...]
    """The best play that was found, the move itself first."""
    proven: bool = False
    """Whether value_x is what best play leads to, for certain."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search says about a position."""

    position: str
    """Its text."""
    value_x: float
    moves: tuple[MoveValue, ...]
    """The moves that were valued, the best for the player to move first."""
    nodes: int
    """Positions that were searched, or playouts that were made, in all."""
    seconds: float
    depth: int = 0
    """Moves looked ahead, by a search that has such a depth."""
    proven: bool = False

    @property
    def best(self) -> MoveValue:
        """The move that the search would make."""
        return self.moves[0]


@dataclass(frozen=True, slots=True)
class MoveAnalysis:
    """One move of a position that was analysed."""

    move: Move
    value_x: float
    """The expected utility after the move."""
    score_x: float
    """The same as a score from 0 to 1."""
    depth: int
    """Moves looked ahead; 0 where the search has no such depth."""
    nodes: int
    """Positions, or visits of a tree search, that went into it. 0 and not proven: nobody has looked at it yet."""
    line: tuple[Move, ...]
    """The best play that was found, the move itself first."""
    proven: bool
    """Whether value_x is what best play leads to, for certain."""

    @property
    def known(self) -> bool:
        """Whether anything has been found out about the move."""
        return self.proven or self.nodes > 0

    def to_dict(self) -> dict[str, Any]:
        """Everything, JSON-ready."""
        return asdict(self) | {"move": str(self.move), "line": [str(move) for move in self.line]}


@dataclass(frozen=True, slots=True)
class Analysis:
    """What is known about a position and its moves."""

    position: str
    """Its text."""
    turn: str
    by: str
    """Who analysed, as a player's text."""
    value_x: float
    score_x: float
    depth: int
    nodes: int
    seconds: float
    proven: bool
    unit: str
    """Of the values: ``result`` (1 is a win) or ``points``."""
    legal: int
    """How many legal moves there are."""
    outcome: Outcome | None
    """How the game ended, if it did; there are no moves then."""
    moves: tuple[MoveAnalysis, ...]
    """The moves that were valued, the best for the player to move first."""

    @property
    def best(self) -> MoveAnalysis:
        """The move to make."""
        return self.moves[0]

    @property
    def nodes_per_second(self) -> float:
        return self.nodes / self.seconds if self.seconds else 0.0

    def of(self, move: Move) -> MoveAnalysis | None:
        """What was found about a move."""
        return next((one for one in self.moves if one.move == move), None)

    def heat(self) -> dict[Move, float]:
        """How good each known move is for the player to move, from 0 to 1, which is the best: for a heat map.

        0 is a move that gives away 0.3 of the score, or, where all legal moves are known and none gives away so much,
        the worst of them; moves that differ by next to nothing look alike.
        """
        sign = 1 if self.turn == "X" else -1
        scores = {one.move: sign * one.score_x for one in self.moves if one.known}
        best = max(scores.values(), default=0.0)
        worst = min(scores.values(), default=0.0) if len(scores) == self.legal else -1.0
        spread = min(0.3, max(0.005, best - worst))
        return {move: max(0.0, 1.0 - (best - score) / spread) for move, score in scores.items()}

    def to_dict(self) -> dict[str, Any]:
        """Everything, JSON-ready."""
        names = ("position", "turn", "by", "value_x", "score_x", "depth", "nodes", "seconds", "proven", "unit", "legal")
        outcome = self.outcome
        return {name: getattr(self, name) for name in names} | {
            "outcome": None if outcome is None else outcome._asdict() | {"points": list(outcome.points)},
            "moves": [move.to_dict() for move in self.moves],
        }
