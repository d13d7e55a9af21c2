"""The old strategy for ``sudoku``: the centre first, then home, then where squares are banned."""

from metatac.errors import IllegalMove, MatchError
from metatac.game import Move, Position
from metatac.match import UNLIMITED, Clock
from metatac.rules import RuleSet


class TigerPlayer:
    """Plays ``sudoku``, of any side, by four simple rules; no other game."""

    name = "tiger"

    def game_started(self, position: Position, seat: str) -> None:
        check_tiger(position.rules)

    def choose(self, position: Position, clock: Clock = UNLIMITED) -> Move:
        """The centre square of the grid sent to; its own-numbered square if squares are banned there; the lowest that
        leads to a grid with banned squares that is not full; the lowest.

        MatchError, with the reason, where the game is not sudoku.
        """
        rules = position.rules
        check_tiger(rules)
        if position.outcome is not None:
            raise IllegalMove(f"there is no move to choose: {position.outcome} (position: {position.text})")
        if not position.send:
            return self._free(position)
        grid = position.send[0]
        squares = position.board(grid)
        if squares[rules.center] == ".":
            return Move((grid, rules.center))
        if "#" in squares and squares[grid] == ".":
            return Move((grid, grid))
        blanks = [square for square, mark in enumerate(squares) if mark == "."]
        for square in blanks:
            there = position.board(square)
            if "#" in there and "." in there:
                return Move((grid, square))
        return Move((grid, blanks[0]))

    def _free(self, position: Position) -> Move:
        """The centre of the centre grid; in a position that somebody made up, the lowest move there is."""
        middle = Move((position.rules.center,) * 2)
        return middle if middle in position.legal_moves else position.legal_moves[0]

    def agrees(self, offer: str, position: Position) -> bool:
        """Takebacks are granted, draws are not: a program has time."""
        return offer == "takeback"


def check_tiger(rules: RuleSet) -> None:
    """MatchError, with the reason, where a game is not sudoku."""
    sudoku = rules.depth == 2 and rules.ban and rules.win_board == "never" and rules.sent_to_decided == "end"
    if not sudoku or rules.send != ("own",) or rules.swap:
        raise MatchError(
            f"the tiger plays only sudoku, where full grids ban squares and being sent to one is the end; "
            f"{rules.name} is not such a game"
        )
