"""What a search found, as plain values that every front end shows alike.

All values are in X's view, in units of the rule set's utility.
"""

from dataclasses import dataclass
from typing import Any

from metatac.game import Move


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

    def to_dict(self) -> dict[str, Any]:
        """Everything, JSON-ready."""
        return {
            "move": str(self.move),
            "value_x": self.value_x,
            "nodes": self.nodes,
            "line": [str(move) for move in self.line],
            "proven": self.proven,
        }


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

    def to_dict(self) -> dict[str, Any]:
        """Everything, JSON-ready."""
        return {
            "position": self.position,
            "value_x": self.value_x,
            "depth": self.depth,
            "nodes": self.nodes,
            "seconds": self.seconds,
            "proven": self.proven,
            "moves": [move.to_dict() for move in self.moves],
        }
