"""What a search found, as plain values."""

from dataclasses import dataclass

from metatac.game import Move


@dataclass(frozen=True, slots=True)
class MoveValue:
    """One move of the position that was searched."""

    move: Move
    value_x: float
    """The expected utility after the move, in X's view, in the rule set's own units."""
    visits_or_nodes: int
    """How much of the search went into it."""
    line: tuple[Move, ...]
    """The best play that was found, the move itself first."""
    proven: bool
    """Whether value_x is what best play leads to, for certain."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search says about a position; the moves are sorted, the best for the player to move first."""

    position: str
    """The text of the position."""
    value_x: float
    """The expected utility of the position, in X's view, in the rule set's own units."""
    moves: tuple[MoveValue, ...]
    nodes: int
    """Nodes that were searched, or playouts that were made, in all."""
    seconds: float

    @property
    def best(self) -> MoveValue:
        """The move that the search would make."""
        return self.moves[0]
