"""A move as it comes into being at the keyboard or under the mouse: number by number, or cell by cell."""

from dataclasses import dataclass, replace

from metatac.errors import IllegalMove, InvalidMove
from metatac.game import Move, Position, move_length
from metatac.rules import LETTERS


@dataclass(frozen=True, slots=True)
class Entry:
    """The beginning of a move. Every step makes a new one; one that leads to no legal move is refused."""

    position: Position
    numbers: tuple[int, ...] = ()

    @property
    def text(self) -> str:
        return "".join(LETTERS[number] for number in self.numbers)

    @property
    def own(self) -> tuple[int, ...] | None:
        """The cell of the own mark, where it is chosen and the opponent's is not yet."""
        rules = self.position.rules
        chosen = rules.marks == 2 and len(self.numbers) == rules.depth
        return self.numbers if chosen else None

    @property
    def move(self) -> Move | None:
        """The move, once it is complete."""
        return Move(self.numbers) if len(self.numbers) == move_length(self.position.rules) else None

    def typed(self, letter: str) -> "Entry":
        """With one more letter; InvalidMove or IllegalMove where no legal move begins like that."""
        rules = self.position.rules
        letter = letter.lower() if rules.size <= 26 else letter
        known = LETTERS[: rules.size]
        if len(letter) != 1 or letter not in known:
            raise InvalidMove(f"{letter[:8]!r} names no cell: the letters are {known[0]} to {known[-1]}")
        return self._checked((*self.numbers, known.index(letter)))

    def chosen(self, path: tuple[int, ...]) -> "Entry":
        """With a cell of the board: the own mark, or after that one the opponent's."""
        if self.own is None:
            return self._checked(path)
        if path[:-1] != self.own[:-1]:
            raise InvalidMove("both marks go on one small board: choose the second there, or Esc for another first one")
        return self._checked((*self.own, path[-1]))

    def back(self) -> "Entry":
        """Without the last letter."""
        return replace(self, numbers=self.numbers[:-1])

    def _checked(self, numbers: tuple[int, ...]) -> "Entry":
        if not any(move[: len(numbers)] == numbers for move in self.position.legal_moves):
            self._refuse(numbers)
        return replace(self, numbers=numbers)

    def _refuse(self, numbers: tuple[int, ...]) -> None:
        """Raise the rules' own reason, for a move that begins like that."""
        rules = self.position.rules
        rest = move_length(rules) - len(numbers)
        # The second mark must not be what is wrong: any that differs from the first will do.
        fill = [0] * rest
        if rest and rules.marks == 2:
            own = (*numbers, *fill)[rules.depth - 1]
            fill[-1] = 1 if own == 0 else 0
        whole, begun = str(Move((*numbers, *fill))), str(Move(numbers))
        try:
            self.position.parse(whole)
        except IllegalMove as error:
            raise IllegalMove(str(error).replace(repr(whole), repr(begun), 1)) from None  # in the words that were typed
        raise InvalidMove(f"no legal move begins with {begun}")
