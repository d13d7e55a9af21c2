"""A position: everything that decides how a game goes on, and nothing else."""

import os
from collections.abc import Iterator
from typing import Any

from metatac.errors import IllegalMove
from metatac.game.effects import after
from metatac.game.legality import legal_moves, why_not
from metatac.game.move import Move, board_number, check_move, parse_move
from metatac.game.outcome import Outcome, judge
from metatac.rules import RuleSet, load_rules

_UNKNOWN: Any = object()


class Position:
    """An immutable position. ``play`` returns the next one; equal positions have equal futures.

    Make one with ``start`` or ``position``: the constructor checks nothing.
    """

    __slots__ = ("_legal", "_outcome", "_text", "bonus", "cells", "owners", "rules", "send", "tallies", "turn")

    rules: RuleSet
    cells: str
    """``.`` blank, ``X``, ``O``, ``#`` banned: small board after small board, each row by row."""
    owners: tuple[str, ...]
    """For each level below the game's, outermost first, the owner (``X``, ``O`` or ``.``) of each board."""
    tallies: tuple[tuple[int, int], ...]
    """Of X and of O on each small board; empty where the game has none."""
    send: tuple[int, ...]
    """The path of the board that must be played in; empty: a free move."""
    turn: str
    bonus: bool
    """Whether the player to move is making a bonus move."""
    _outcome: Any
    _legal: Any
    _text: Any

    def __init__(
        self,
        rules: RuleSet,
        cells: str,
        owners: tuple[str, ...],
        tallies: tuple[tuple[int, int], ...],
        send: tuple[int, ...],
        turn: str,
        bonus: bool,
    ) -> None:
        init = object.__setattr__
        init(self, "rules", rules)
        init(self, "cells", cells)
        init(self, "owners", owners)
        init(self, "tallies", tallies)
        init(self, "send", send)
        init(self, "turn", turn)
        init(self, "bonus", bonus)
        init(self, "_outcome", _UNKNOWN)
        init(self, "_legal", None)
        init(self, "_text", None)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Position cannot be changed ({name}); play() returns a new one")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Position cannot be changed ({name})")

    def __reduce__(self) -> tuple[Any, ...]:
        return Position, (self.rules, *self._state())

    def _state(self) -> tuple[Any, ...]:
        return (self.cells, self.owners, self.tallies, self.send, self.turn, self.bonus)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self._state() == other._state() and self.rules == other.rules

    def __hash__(self) -> int:
        return hash(self._state())

    def __repr__(self) -> str:
        return f"metatac.position({self.text!r})"

    def replaced(self, **parts: Any) -> "Position":
        """A copy with some parts replaced, unchecked."""
        return Position(
            self.rules,
            parts.get("cells", self.cells),
            parts.get("owners", self.owners),
            parts.get("tallies", self.tallies),
            parts.get("send", self.send),
            parts.get("turn", self.turn),
            parts.get("bonus", self.bonus),
        )

    # -- boards

    def board(self, number: int) -> str:
        """The cells of a small board."""
        size = self.rules.size
        return self.cells[number * size : (number + 1) * size]

    def is_open(
        self, number: int, cells: str | None = None, owners: "tuple[str, ...] | list[str] | None" = None
    ) -> bool:
        """Whether a small board takes marks (with other cells and owners than this position's, if given)."""
        rules, size = self.rules, self.rules.size
        cells = self.cells if cells is None else cells
        owners = self.owners if owners is None else owners
        if rules.close_board == "won" and rules.depth > 1:
            if owners[-1][number] != ".":
                return False
            if rules.depth == 3 and owners[0][number // size] != ".":
                return False
        return cells.find(".", number * size, (number + 1) * size) >= 0

    def open_boards(self, path: tuple[int, ...] = ()) -> list[int]:
        """The numbers of the small boards at or below a path that take marks, ascending."""
        rules = self.rules
        count = int(rules.size ** (rules.depth - 1 - len(path)))
        first = board_number(rules, path)
        return [number for number in range(first, first + count) if self.is_open(number)]

    def is_open_path(self, path: tuple[int, ...]) -> bool:
        """Whether the board of that path takes marks."""
        if len(path) == self.rules.depth - 1:
            return self.is_open(board_number(self.rules, path))
        return bool(self.open_boards(path))

    def can_move(self) -> bool:
        """Whether the board sent to takes marks: what it needs, beside no win, for the game to go on."""
        return self.is_open_path(self.send)

    def won_by(self, player: str, later: "Position") -> bool:
        """Whether the player owns more small boards in a later position."""
        return self.rules.depth > 1 and later.owners[-1].count(player) > self.owners[-1].count(player)

    # -- moves

    @property
    def outcome(self) -> Outcome | None:
        """How the game has ended, or None."""
        if self._outcome is _UNKNOWN:
            object.__setattr__(self, "_outcome", judge(self))
        result: Outcome | None = self._outcome
        return result

    def goes_on(self) -> None:
        """It is known that the game is not over: nobody has to judge it."""
        object.__setattr__(self, "_outcome", None)

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """Every move that may be made, ascending; none when the game is over."""
        if self._legal is None:
            object.__setattr__(self, "_legal", legal_moves(self))
        moves: tuple[Move, ...] = self._legal
        return moves

    @property
    def can_swap(self) -> bool:
        """Whether the player to move may take over the first move."""
        return (
            self.rules.swap
            and self.turn == "O"
            and self.cells.count("X") == 1
            and "O" not in self.cells
            and not any(map(any, self.tallies))
            and self.outcome is None
        )

    def futures(self) -> Iterator[tuple[Move, "Position"]]:
        """Each legal move with the position after it."""
        for move in self.legal_moves:
            yield move, after(self, move)

    def parse(self, text: str) -> Move:
        """The legal move that a text names."""
        return self._checked(parse_move(self.rules, text), text)

    def is_legal(self, move: Move) -> bool:
        """Whether a move of this game may be made now."""
        return why_not(self, check_move(self.rules, move)) is None

    def play(self, move: "Move | tuple[int, ...] | str") -> "Position":
        """The position after a move, which is checked."""
        if isinstance(move, str):
            return after(self, self.parse(move))
        return after(self, self._checked(check_move(self.rules, move), None))

    def _checked(self, move: Move, text: str | None) -> Move:
        reason = why_not(self, move)
        if reason is not None:
            raise IllegalMove(f"{text or str(move)!r} may not be played: {reason} (position: {self.text})")
        return move

    # -- views

    @property
    def text(self) -> str:
        """The position as one line, which ``metatac.position`` takes back."""
        if self._text is None:
            from metatac.game.text import print_position

            object.__setattr__(self, "_text", print_position(self))
        text: str = self._text
        return text

    def to_dict(self, last_move: Move | None = None) -> dict[str, Any]:
        """The position, its legal moves and where the player is sent and why, as JSON-ready plain data."""
        from metatac.game.views import describe_position

        return describe_position(self, last_move)


def start(source: "str | os.PathLike[str] | RuleSet", /, **options: Any) -> Position:
    """The first position of a game: a preset's name, the path of a rules file, or a rule set."""
    rules = load_rules(source, **options)
    return Position(
        rules,
        "." * rules.cells,
        tuple("." * rules.size**level for level in range(1, rules.depth)),
        ((0, 0),) * rules.board_count if rules.tallies else (),
        rules.first_board,
        "X",
        False,
    )
