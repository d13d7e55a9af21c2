"""Which moves may be made, and why another may not."""

from typing import TYPE_CHECKING

from metatac.game.move import Move, board_number, board_path
from metatac.rules import LETTERS

if TYPE_CHECKING:
    from metatac.game.position import Position


def legal_moves(position: "Position") -> tuple[Move, ...]:
    """Every legal move, ascending."""
    if position.outcome is not None:
        return ()
    rules = position.rules
    moves = [Move.SWAP] if position.can_swap else []
    for number in position.open_boards(position.send):
        path = board_path(rules, number)
        blanks = [cell for cell, mark in enumerate(position.board(number)) if mark == "."]
        if rules.marks == 1:
            moves.extend([Move((*path, cell)) for cell in blanks])
        elif len(blanks) == 1:
            moves.extend([Move((*path, blanks[0], second)) for second in range(rules.size)])
        else:
            moves.extend([Move((*path, a, b)) for a in blanks for b in blanks if a != b])
    return tuple(moves)


def path_name(path: tuple[int, ...]) -> str:
    """A board's letters, outermost first."""
    return "".join(LETTERS[number] for number in path)


def why_not(position: "Position", move: Move) -> str | None:
    """Why a move of this game may not be made in this position, or None if it may."""
    if position.outcome is not None:
        return f"the game is over, {position.outcome}"
    if move == Move.SWAP:
        return None if position.can_swap else "only the second player may swap, at his first move"
    rules = position.rules
    path, marks = move[: rules.depth - 1], move[rules.depth - 1 :]
    send = position.send
    if path[: len(send)] != send:
        return f"{position.turn} must play in board {path_name(send)}"
    number = board_number(rules, path)
    if not position.is_open(number):
        where = f"board {path_name(send)}" if send else "anywhere else"
        return f"board {path_name(path)} is decided ({board_state(position, number)}); {position.turn} may play {where}"
    return _why_not_cells(position, position.board(number), marks)


def _why_not_cells(position: "Position", board: str, marks: tuple[int, ...]) -> str | None:
    names = {"X": "taken by X", "O": "taken by O", "#": "banned"}
    if board[marks[0]] != ".":
        return f"cell {LETTERS[marks[0]]} is {names[board[marks[0]]]}"
    if len(marks) == 1 or board.count(".") == 1:
        return None
    if marks[0] == marks[1]:
        return f"both marks cannot go to cell {LETTERS[marks[1]]}"
    if board[marks[1]] != ".":
        return f"cell {LETTERS[marks[1]]} is {names[board[marks[1]]]}"
    return None


def board_state(position: "Position", number: int) -> str:
    """What became of a small board, in words."""
    rules = position.rules
    if rules.depth > 1 and position.owners[-1][number] != ".":
        return f"won by {position.owners[-1][number]}"
    if rules.depth == 3 and rules.close_board == "won" and position.owners[0][number // rules.size] != ".":
        return f"closed, for the board around it is won by {position.owners[0][number // rules.size]}"
    return "open" if position.is_open(number) else "full"
