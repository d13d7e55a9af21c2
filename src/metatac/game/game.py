"""A game being played: a line of positions with its history."""

from collections.abc import Iterable
from typing import Any

from metatac.errors import IllegalMove
from metatac.game.move import Move
from metatac.game.outcome import Outcome
from metatac.game.position import Position, start
from metatac.rules import RuleSet


class Game:
    """A start position and the moves made since. Every move adds marks, tallies or a swap, so no position repeats."""

    def __init__(self, begin: "Position | RuleSet | str", /, moves: "Iterable[Move | str]" = ()) -> None:
        first = begin if isinstance(begin, Position) else start(begin)
        self._positions = [first]
        self._moves: list[Move] = []
        for move in moves:
            self.push(move)

    @property
    def start(self) -> Position:
        """The first position."""
        return self._positions[0]

    @property
    def position(self) -> Position:
        """The position now."""
        return self._positions[-1]

    @property
    def positions(self) -> tuple[Position, ...]:
        """Every position from the first to now: one more than there are moves."""
        return tuple(self._positions)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves made, in order."""
        return tuple(self._moves)

    @property
    def rules(self) -> RuleSet:
        return self.start.rules

    @property
    def turn(self) -> str:
        return self.position.turn

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        return self.position.legal_moves

    @property
    def outcome(self) -> Outcome | None:
        return self.position.outcome

    @property
    def last_move(self) -> Move | None:
        """The move that led to the position now, or None at the start."""
        return self._moves[-1] if self._moves else None

    def push(self, move: "Move | tuple[int, ...] | str") -> Position:
        """Make a move, which is checked, and return the new position."""
        position = self.position
        made = position.parse(move) if isinstance(move, str) else Move(move)
        after = position.play(made)
        self._positions.append(after)
        self._moves.append(made)
        return after

    def pop(self) -> Move:
        """Take the last move back and return it."""
        if not self._moves:
            raise IllegalMove(f"there is no move to take back (position: {self.position.text})")
        self._positions.pop()
        return self._moves.pop()

    def copy(self) -> "Game":
        """A game of its own with the same history."""
        twin = Game(self.start)
        twin._positions = list(self._positions)
        twin._moves = list(self._moves)
        return twin

    def to_dict(self) -> dict[str, Any]:
        """The position now with the send explained by the last move, and the moves, JSON-ready."""
        data = self.position.to_dict(self._explaining_move())
        return data | {
            "last_move": None if self.last_move is None else str(self.last_move),
            "start": self.start.text,
            "moves": [str(move) for move in self._moves],
        }

    def _explaining_move(self) -> Move | None:
        """The last move that sends; a swap takes over the move before it."""
        for move in reversed(self._moves):
            if move != Move.SWAP:
                return move
        return None

    def __len__(self) -> int:
        return len(self._moves)

    def __repr__(self) -> str:
        return f"<Game of {self.rules.spec}, {len(self)} moves: {' '.join(map(str, self._moves[-8:]))}>"
