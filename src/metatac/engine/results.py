"""What a search found, as plain values that every front end shows alike: in X's view, in units of utility."""

from dataclasses import dataclass
from typing import Any

from metatac.game import Move


@dataclass(frozen=True)
class MoveValue:
    """One legal move and what the search thinks of it."""

    move: Move
    value_x: float
    nodes: int
    """Positions searched, or visits of a tree search, for this move."""
    line: tuple[Move, ...]
    """The best play that was found, the move itself first."""
    proven: bool = False

    def to_dict(self) -> dict[str, Any]:
        return {
            "move": str(self.move),
            "value_x": self.value_x,
            "nodes": self.nodes,
            "line": [str(move) for move in self.line],
            "proven": self.proven,
        }


@dataclass(frozen=True)
class SearchResult:
    """What a search found about a position."""

    position: str
    """Its text."""
    value_x: float
    moves: tuple[MoveValue, ...]
    """The moves that were valued, the best for the side to move first."""
    depth: int
    nodes: int
    seconds: float
    proven: bool = False

    @property
    def best(self) -> Move:
        """The best move."""
        return self.moves[0].move

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
