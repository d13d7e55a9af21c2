"""The board that the bots of the 4 × 4 courses expect, made from a position.

The simulators of the two courses hand a bot one ``board`` for the whole game: lists of ``x``, ``o``, ``-`` and ``d``
(drawn), which bots copy, change and search with. This is such a board: same names, same answers, same order of cells.
What wins it takes from the rule set. The editions differ in ``update``: where a won board gives a bonus move
(``extreme``) it also says whether one was won.
"""

from collections.abc import Sequence
from operator import index
from typing import Any

from metatac.game import Game, Move, Position
from metatac.players.bots.no_move import NoMove
from metatac.players.grid import path_at, place
from metatac.rules import RuleSet

FIRST = (-1, -1)
"""What is passed for the last move where there is none."""
EMPTY, DRAWN = "-", "d"

Cell = tuple[int, int]
Grid = list[list[str]]


class Board:
    """``board_status`` has every cell, ``block_status`` every small board, by row and column."""

    def __init__(self, rules: RuleSet) -> None:
        side = self._side = rules.side
        width = side * side
        self.board_status: Grid = [[EMPTY] * width for _ in range(width)]
        self.block_status: Grid = [[EMPTY] * side for _ in range(side)]
        self._tells_won = rules.bonus
        game, small = rules.patterns
        self._game_patterns = tuple(tuple(divmod(cell, side) for cell in pattern) for pattern in game)
        self._small_patterns = tuple(tuple(divmod(cell, side) for cell in pattern) for pattern in small)

    # The edition with two boards keeps lists of boards; here there is one.

    @property
    def big_boards_status(self) -> tuple[Grid]:
        return (self.board_status,)

    @property
    def small_boards_status(self) -> tuple[Grid]:
        return (self.block_status,)

    def find_valid_move_cells(self, old_move: Sequence[int]) -> list[Cell]:
        """The cells that may be marked after the last move, row by row."""
        side, cells, blocks = self._side, self.board_status, self.block_status
        row, column = old_move[0] % side, old_move[1] % side
        if tuple(old_move) != FIRST and blocks[row][column] == EMPTY:
            rows, columns = range(row * side, row * side + side), range(column * side, column * side + side)
            return [(i, j) for i in rows for j in columns if cells[i][j] == EMPTY]
        every = range(side * side)
        return [
            (i, j) for i in every for j in every if cells[i][j] == EMPTY and blocks[i // side][j // side] == EMPTY
        ]

    def check_valid_move(self, old_move: Sequence[int], new_move: Sequence[int]) -> bool:
        """Whether a move may be made after the last one."""
        if len(old_move) != 2 or len(new_move) != 2:
            return False
        if any(type(number) is not int for number in (*old_move, *new_move)):
            return False
        if tuple(old_move) != FIRST and not all(0 <= number <= self._side**2 for number in old_move):
            return False
        return tuple(new_move) in self.find_valid_move_cells(old_move)

    def update(self, old_move: Cell, new_move: Cell, ply: str) -> Any:
        """Make a move: SUCCESSFUL or UNSUCCESSFUL, in ``extreme`` with whether it won a small board."""
        if not self.check_valid_move(old_move, new_move):
            return ("UNSUCCESSFUL", False) if self._tells_won else "UNSUCCESSFUL"
        side, cells = self._side, self.board_status
        cells[new_move[0]][new_move[1]] = ply
        row, column = new_move[0] // side, new_move[1] // side
        top, left = row * side, column * side
        won = any(all(cells[top + i][left + j] == ply for i, j in pattern) for pattern in self._small_patterns)
        if won:
            self.block_status[row][column] = ply
        elif not any(EMPTY in cells[i][left : left + side] for i in range(top, top + side)):
            self.block_status[row][column] = DRAWN
        return ("SUCCESSFUL", won) if self._tells_won else "SUCCESSFUL"

    def find_terminal_state(self) -> tuple[str, str]:
        """``(flag, 'WON')``, ``('NONE', 'DRAW')`` or ``('CONTINUE', '-')``."""
        blocks = self.block_status
        for pattern in self._game_patterns:
            owners = {blocks[i][j] for i, j in pattern}
            if len(owners) == 1 and owners <= {"x", "o"}:
                return (owners.pop(), "WON")
        if any(EMPTY in row for row in blocks):
            return ("CONTINUE", "-")
        return ("NONE", "DRAW")

    def print_board(self) -> None:
        side = self._side
        print("==============Board State==============")
        for number, row in enumerate(self.board_status):
            if number % side == 0:
                print()
            print("  ".join(" ".join(row[left : left + side]) for left in range(0, side * side, side)))
        print("\n==============Block State==============")
        for row in self.block_status:
            print(" ".join(row))
        print("=======================================\n\n")

    # -- ours

    def _show(self, position: Position) -> None:
        """Write a position into the lists, which stay the same ones for the whole game."""
        side, size = self._side, self._side**2
        for row in range(size):
            for column in range(size):
                board, cell = path_at(side, 2, row, column)
                self.board_status[row][column] = _SYMBOLS[position.cells[board * size + cell]]
        for board, owner in enumerate(position.owners[0]):
            drawn = owner == "." and "." not in position.board(board)
            self.block_status[board // side][board % side] = DRAWN if drawn else _SYMBOLS[owner]

    def _state(self) -> tuple[Grid, Grid]:
        return [[*row] for row in self.board_status], [[*row] for row in self.block_status]


_SYMBOLS = {".": EMPTY, "X": "x", "O": "o"}


def last_cell(game: Game) -> Cell:
    """The last move as the simulators pass it: the mover's own where it is a bonus move.

    Where a game was begun in the middle it is any move that could have been the last: one that sends as it stands.
    """
    side, position = game.rules.side, game.position
    if game.moves:
        return place(side, game.moves[-1])
    if not position.send:
        return FIRST
    cell, size = position.send[0], game.rules.size
    marked = (board for board in range(size) if position.cells[board * size + cell] != ".")
    return place(side, Move((next(marked, 0), cell)))


class CourseBot:
    """A course's class as one that chooses: it gets the board, and must leave it as it was."""

    HERE = __file__
    """Of no interest in a bot's traceback."""

    def __init__(self, bot: Any) -> None:
        self._bot = bot
        self._board: Board | None = None

    def choose(self, game: Game) -> Move:
        if self._board is None:
            self._board = Board(game.rules)
        self._board._show(game.position)
        before = self._board._state()
        answer = self._bot.move(self._board, last_cell(game), game.turn.lower())
        if self._board._state() != before:
            raise NoMove("tampering", "the bot changed the board that it was given")
        return _move_of(game, answer)


def _move_of(game: Game, answer: object) -> Move:
    side, most = game.rules.side, game.rules.side**2 - 1
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        raise NoMove("garbage", f"move returned {answer!r}, not (row, column)")
    try:
        row, column = map(index, answer)  # NumPy's whole numbers will do
    except TypeError:
        raise NoMove("garbage", f"move returned {answer!r}, not two whole numbers") from None
    if not (0 <= row <= most and 0 <= column <= most):
        raise NoMove("garbage", f"move returned {answer!r}; rows and columns go from 0 to {most}")
    return Move(path_at(side, 2, row, column))
