"""A game in the kernel, from Python: positions go in and come out, moves are checked at this border."""

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metatac.errors import IllegalMove, InvalidArgument
from metatac.game import Move, Position, check_move, parse_move
from metatac.game.move import board_number, board_path
from metatac.kernel import entries
from metatac.kernel import layout as at
from metatac.kernel.compiled import compile_all
from metatac.kernel.moves import UNDO_HEADER
from metatac.kernel.tables import Words, state_size, tables
from metatac.rules import RuleSet


@lru_cache(maxsize=1)
def ready() -> float:
    """Have the kernel compiled or loaded; returns the seconds it took the first time."""
    return compile_all(entries.SIGNATURES)


STEPPING = {name: entries.SIGNATURES[name] for name in ("step", "undo", "legal moves", "hash", "key", "utility")}
"""As much of the kernel as a search needs, less than half of it."""


@lru_cache(maxsize=1)
def ready_to_step() -> float:
    """Have as much of the kernel compiled or loaded as a search needs; returns the seconds."""
    return compile_all(STEPPING)


@lru_cache(maxsize=1)
def ready_to_play_out() -> float:
    """Have as much of the kernel compiled or loaded as random games need; returns the seconds."""
    return compile_all({name: entries.SIGNATURES[name] for name in ("hash", "playouts")})


def most_moves(rules: RuleSet) -> int:
    """An upper bound on the legal moves of a position, the swap included."""
    each = rules.size if rules.marks == 1 else rules.size * rules.size
    return rules.board_count * each + 1


def code_of(rules: RuleSet, move: Move) -> int:
    """The kernel's number for a move of the game."""
    if move == Move.SWAP:
        return at.SWAP_CODE
    board = board_number(rules, move[: rules.depth - 1])
    other = move[-1] if rules.marks == 2 else 0
    return (board << at.BOARD_SHIFT) + (move[rules.depth - 1] << at.OWN_SHIFT) + other


def move_of(rules: RuleSet, code: int) -> Move:
    """The move of a kernel's number."""
    if code == at.SWAP_CODE:
        return Move.SWAP
    marks = ((code >> at.OWN_SHIFT) & at.CELL_MASK, code & at.CELL_MASK)[: rules.marks]
    return Move((*board_path(rules, code >> at.BOARD_SHIFT), *marks))


# -- positions to words and back


def check_game(position: Position, rules: RuleSet) -> None:
    """InvalidArgument where a position is of another game than a search was made for."""
    if position.rules is not rules and position.rules != rules:
        raise InvalidArgument(f"a search of {rules.spec} was given a position of another game ({position.text})")


def words_of(position: Position) -> Words:
    """The state of a position."""
    rules = position.rules
    words = np.zeros(state_size(rules), dtype=np.int64)
    open_cells = 0
    for board in range(rules.board_count):
        cells, here = position.board(board), at.STATE_HEADER + at.BOARD * board
        words[here], words[here + 1] = _mask(cells, "X"), _mask(cells, "O")
        if position.is_open(board):
            words[here + at.AVAILABLE] = _mask(cells, ".")
            open_cells += cells.count(".")
        if position.tallies:
            x, o = position.tallies[board]
            words[here + at.TALLY] = x + 16 * o
    _write_uppers(position, words)
    _write_header(position, words)
    words[at.LEFT] = open_cells
    entries.hash_anew(tables(rules), words)
    return words


def _mask(cells: str, mark: str) -> int:
    return sum(1 << cell for cell, found in enumerate(cells) if found == mark)


def _write_uppers(position: Position, words: Words) -> None:
    rules = position.rules
    closed = "".join("." if position.is_open(board) else "#" for board in range(rules.board_count))
    root = at.STATE_HEADER + at.BOARD * rules.board_count
    for level in range(rules.depth - 1, 0, -1):
        owners, first = position.owners[level - 1], root if level == 1 else root + at.UPPER
        parents = rules.size ** (level - 1)
        for parent in range(parents):
            children, place = slice(parent * rules.size, (parent + 1) * rules.size), first + at.UPPER * parent
            words[place] = _mask(owners[children], "X")
            words[place + 1] = _mask(owners[children], "O")
            words[place + at.CLOSED] = _mask(closed[children], "#")
        groups = (closed[i * rules.size : (i + 1) * rules.size] for i in range(parents))
        closed = "".join("." if "." in group else "#" for group in groups)


def _write_header(position: Position, words: Words) -> None:
    rules, outcome = position.rules, position.outcome
    words[at.TURN], words[at.IN_BONUS] = int(position.turn == "O"), int(position.bonus)
    words[at.LOW] = board_number(rules, position.send)
    words[at.SPAN] = rules.size ** (rules.depth - 1 - len(position.send))
    if outcome is not None:
        words[at.OVER] = {"X": at.X_WINS, "O": at.O_WINS, None: at.NOBODY_WINS}[outcome.winner]
    untouched = not any(mark in position.cells for mark in "XO") and not any(map(any, position.tallies))
    words[at.OPENING] = 0 if untouched else 1 if position.can_swap else 2


def position_of(rules: RuleSet, words: Words) -> Position:
    """The position of a state."""
    size, boards = rules.size, rules.board_count
    numbers: list[int] = words.tolist()
    places = [at.STATE_HEADER + at.BOARD * board for board in range(boards)]
    root = at.STATE_HEADER + at.BOARD * boards
    closed = numbers[root + at.CLOSED] if rules.ban else 0
    cells = []
    for board, here in enumerate(places):
        banned = closed & ~(1 << board)
        cells.append("".join(_cell(numbers[here], numbers[here + 1], banned, cell) for cell in range(size)))
    owners = []
    for level in range(1, rules.depth):
        first = root if level == 1 else root + at.UPPER
        uppers = [first + at.UPPER * parent for parent in range(size ** (level - 1))]
        marks = (_cell(numbers[u], numbers[u + 1], 0, child) for u in uppers for child in range(size))
        owners.append("".join(marks))
    tallies = tuple((numbers[here + at.TALLY] & 15, numbers[here + at.TALLY] >> 4) for here in places)
    levels = next(n for n in range(rules.depth) if size**n == numbers[at.SPAN])
    low = numbers[at.LOW]
    return Position(
        rules,
        "".join(cells),
        tuple(owners),
        tallies if rules.tallies else (),
        board_path(rules, low)[: rules.depth - 1 - levels],
        "XO"[numbers[at.TURN]],
        bool(numbers[at.IN_BONUS]),
    )


def _cell(x: int, o: int, banned: int, cell: int) -> str:
    bit = 1 << cell
    return "X" if x & bit else "O" if o & bit else "#" if banned & bit else "."


class State:
    """A game that is played fast: moves are made in place and taken back."""

    def __init__(self, position: Position) -> None:
        ready()
        self.rules = position.rules
        self.tables = tables(self.rules)
        self.words = words_of(position)
        self._codes = np.zeros(most_moves(self.rules), dtype=np.int64)
        self._undo: list[Words] = []

    def __repr__(self) -> str:
        return f"<State of {self.position.text}>"

    @property
    def position(self) -> Position:
        """The position now."""
        return position_of(self.rules, self.words)

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """Every legal move, ascending."""
        count = entries.legal_codes(self.tables, self.words, self._codes)
        return tuple(move_of(self.rules, code) for code in self._codes[:count].tolist())

    @property
    def over(self) -> int:
        """0 while the game goes on; 1: X has won; 2: O has; 3: it has ended and nobody wins."""
        return int(self.words[at.OVER])

    @property
    def utility(self) -> int | None:
        """The rule set's utility of the finished game, in X's view; None while it goes on."""
        return int(entries.utility_of(self.tables, self.words)) if self.over else None

    @property
    def key(self) -> int:
        """The 64-bit hash of the position, without sign."""
        return int(entries.key_of(self.words)) & (2**64 - 1)

    def push(self, move: "Move | tuple[int, ...] | str") -> None:
        """Make a move, which is checked."""
        made = parse_move(self.rules, move) if isinstance(move, str) else check_move(self.rules, move)
        code = code_of(self.rules, made)
        count = entries.legal_codes(self.tables, self.words, self._codes)
        place = int(np.searchsorted(self._codes[:count], code))
        if place == count or self._codes[place] != code:
            raise IllegalMove(f"{str(made)!r} may not be played (position: {self.position.text})")
        row = np.zeros(UNDO_HEADER + self.words.size, dtype=np.int64)
        entries.step(self.tables, self.words, row, code)
        self._undo.append(row)

    def pop(self) -> None:
        """Take the last move back."""
        if not self._undo:
            raise IllegalMove(f"there is no move to take back (position: {self.position.text})")
        entries.unstep(self.tables, self.words, self._undo.pop())


Bytes = NDArray[np.uint8]


class Batch:
    """Many games of one rule set, stepped together; for learners.

    Actions number all moves through, ascending: board * cells + cell (of two marks: times cells, plus the other's
    cell); where the rules have a swap it is the last one.
    """

    def __init__(self, position: Position, count: int) -> None:
        ready()
        self.rules, self.count = position.rules, count
        self.tables = tables(self.rules)
        self._first = words_of(position)
        self.states: Any = np.tile(self._first, (count, 1))
        self._codes = np.zeros(most_moves(self.rules), dtype=np.int64)
        self.actions = self.rules.cells * (self.rules.size if self.rules.marks == 2 else 1) + int(self.rules.swap)
        self.utilities: Words = np.zeros(count, dtype=np.int64)
        """Of the finished games, in X's view."""

    @property
    def over(self) -> Words:
        """What each game has come to: see ``State.over``."""
        over: Words = self.states[:, at.OVER]
        return over

    @property
    def turn(self) -> Words:
        """Who is to move in each game: 0 X, 1 O."""
        turn: Words = self.states[:, at.TURN]
        return turn

    def legal(self, out: "Bytes | None" = None) -> Bytes:
        """A row of bytes for each game: 1 for each action that is legal."""
        legal = np.empty((self.count, self.actions), dtype=np.uint8) if out is None else out
        entries.mark_legal(self.tables, self.states, self._codes, legal)
        return legal

    def step(self, actions: Words) -> None:
        """Take an action in each game; finished games take none, whatever is given for them."""
        chosen = np.ascontiguousarray(actions, dtype=np.int64)
        if chosen.shape != (self.count,):
            raise IllegalMove(f"{self.count} actions are wanted, not an array of shape {chosen.shape}")
        wrong = entries.step_all(self.tables, self.states, chosen, self.utilities)
        if wrong >= 0:
            where = self.position(wrong).text
            raise IllegalMove(f"action {int(chosen[wrong])} of game {wrong} may not be taken (position: {where})")

    def reset(self, rows: "Any" = slice(None)) -> None:
        """Begin again in some games, or in all."""
        self.states[rows] = self._first
        self.utilities[rows] = 0

    def position(self, row: int) -> Position:
        """The position of one game."""
        return position_of(self.rules, self.states[row])

    def keys(self) -> NDArray[np.uint64]:
        """The 64-bit hash of each position."""
        found = [entries.key_of(self.states[row]) for row in range(self.count)]
        return np.array(found, dtype=np.int64).view(np.uint64)
