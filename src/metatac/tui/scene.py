"""What is to be seen of a game at one moment, before it is known how large it will be drawn."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from metatac.game import Move, Position
from metatac.game.move import board_path
from metatac.rules import LETTERS

Path = tuple[int, ...]


@dataclass(frozen=True)
class Scene:
    """A position and what is marked on it. The board view knows no rules: everything here follows from the position."""

    position: Position
    last: Move | None = None
    """The move that led here."""
    own: Path | None = None
    """Of a move of two marks, the cell of the own one, which has been chosen already."""
    typed: Path = ()
    """The beginning of a move that is being typed."""
    heat: Mapping[Path, float] = field(default_factory=dict)
    """How good it is to mark a cell, from 0 to 1."""
    hint: frozenset[Path] = frozenset()
    """Cells that somebody advises."""
    over: bool = False
    """Whether nothing may be played, though the position is no end: after a resignation, or looking back."""

    @cached_property
    def targets(self) -> frozenset[Path]:
        """The cells that may be marked next."""
        if self.over:
            return frozenset()
        depth, moves = self.position.rules.depth, self.position.legal_moves
        if self.own is not None:
            board = self.own[:-1]
            return frozenset((*board, move[-1]) for move in moves if move[:depth] == self.own)
        # A set of the paths alone: a game with two marks has eight moves for each of them.
        return frozenset(path for path in {move[:depth] for move in moves} if path[: len(self.typed)] == self.typed)

    @cached_property
    def lit(self) -> frozenset[Path]:
        """The small boards that may be played in, whatever has been typed."""
        if self.over:
            return frozenset()
        if self.own is not None:
            return frozenset({self.own[:-1]})
        inner = self.position.rules.depth - 1
        return frozenset(move[:inner] for move in self.position.legal_moves if move)

    @cached_property
    def last_cells(self) -> frozenset[Path]:
        """The cells of the last move."""
        inner = self.position.rules.depth - 1
        if not self.last:
            return frozenset()
        return frozenset((*self.last[:inner], cell) for cell in self.last[inner:])

    def owner(self, number: int) -> str:
        """Who owns a small board; ``.`` nobody."""
        return self.position.owners[-1][number] if self.position.owners else "."

    def group_owner(self, number: int) -> str:
        """Who owns the board of boards around a small one; ``.`` nobody, or no such board."""
        owners = self.position.owners
        return owners[0][number // self.position.rules.size] if len(owners) == 2 else "."

    def name(self, number: int) -> str:
        """A small board's letters."""
        return "".join(LETTERS[step] for step in board_path(self.position.rules, number))

    def note(self, number: int) -> tuple[str, str]:
        """What is to be said of a small board beside its name, and whose it is: ``X``, ``O``, ``=`` drawn or ``.``."""
        position, rules = self.position, self.position.rules
        owner = self.owner(number)
        if owner != ".":
            return owner, owner
        if rules.depth > 1 and not position.is_open(number) and rules.win_board != "never":
            return ("", ".") if self.group_owner(number) != "." else ("=", "=")
        if position.tallies and any(position.tallies[number]):
            x, o = position.tallies[number]
            return f"{x}:{o}", "."
        if rules.values and rules.depth == 2:
            return str(rules.values[number]), "."
        return "", "."
