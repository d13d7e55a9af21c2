"""A position as terminal text: every size, with or without colour, in Unicode or plain ASCII.

Small boards stand in light lines, the boards around them in heavy ones. The line above each small board names
it (the letters a move begins with) and tells what became of it: ``a*`` may be played in, ``a=X`` is X's,
``a=-`` is drawn, ``aa 2:1`` has two tallies of X and one of O. A dot is a cell that may be played now. Marks
in brackets are the last move's. Won boards are shaded, their marks still readable. With a heat map the cells that may
be played show digits instead of dots, 9 where the best moves are.
"""

from dataclasses import dataclass
from itertools import groupby

from metatac.game import Move, Position, explain_send
from metatac.render.heat import Heat, heat_of_cells, step_of
from metatac.rules import LETTERS, RuleSet

_LINES = {
    (False, False): "┌┬┐├┼┤└┴┘",
    (True, True): "┏┳┓┣╋┫┗┻┛",
    (True, False): "┎┰┒┠╂┨┖┸┚",
    (False, True): "┍┯┑┝┿┥┕┷┙",
}
"""Corners and crossings, row by row, for (heavy vertical, heavy horizontal) lines."""

_SGR = {
    "": "",
    "frame": "90",
    "name": "1",
    "lit name": "1;7",
    "faint": "2",
    "target": "1;38;5;255;48;5;240",
    "lit": "48;5;240",
    "X": "1;38;5;39",
    "O": "1;38;5;214",
    "lit X": "1;38;5;117;48;5;240",
    "lit O": "1;38;5;222;48;5;240",
    "X's": "48;5;24",
    "O's": "48;5;94",
    "X's X": "1;38;5;231;48;5;24",
    "X's O": "38;5;222;48;5;24",
    "O's X": "38;5;117;48;5;94",
    "O's O": "1;38;5;231;48;5;94",
    "last": "1;7",
    **{
        f"heat {step}": f"1;38;5;{front};48;5;{back}"
        for step, (front, back) in enumerate(
            zip([250] * 4 + [255] * 3 + [16] * 3, (236, 237, 238, 22, 22, 28, 28, 34, 40, 118), strict=True)
        )
    },
}
"""Terminal colours of each style: blue and orange, which nearly everybody can tell apart."""


@dataclass(frozen=True, slots=True)
class Glyphs:
    """The characters that differ between Unicode and ASCII."""

    target: str
    shade: dict[str, str]
    across: tuple[str, str]
    down: tuple[str, str]
    """Light and heavy."""


_UNICODE = Glyphs("·", {"X": "░", "O": "▒"}, ("─", "━"), ("│", "┃"))
_ASCII = Glyphs(".", {"X": "/", "O": "~"}, ("-", "="), (":", "|"))


def board_text(
    position: Position,
    *,
    color: bool = False,
    last: Move | None = None,
    coordinates: bool = True,
    unicode: bool = True,
    letters: bool = False,
    status: bool = True,
    heat: Heat | None = None,
) -> str:
    """The position as lines of text, the last one saying who plays where and why.

    ``last`` is the move that led here. ``coordinates`` numbers rows and columns from 1; ``letters`` names the
    cells that may be played by their letters instead of dots. ``heat`` says how good moves are, from 0 to 1.
    """
    canvas = _Canvas(position, _UNICODE if unicode else _ASCII, color, coordinates)
    canvas.draw_frame()
    for number in range(position.rules.board_count):
        canvas.draw_board(number, letters=letters)
    if heat:
        canvas.warm(heat_of_cells(position, heat))
    if last:
        canvas.mark(last)
    lines = canvas.lines()
    return "\n".join([*lines, status_text(position, last=last)] if status else lines)


def status_text(position: Position, *, last: Move | None = None) -> str:
    """One line: who is to move, sent where and why, or how the game ended."""
    text = str(explain_send(position, last)["text"])
    return f"{text} {position.turn} may also swap." if position.can_swap else text


class _Canvas:
    """A grid of characters, each with a style, and where things stand on it."""

    def __init__(self, position: Position, glyphs: Glyphs, color: bool, coordinates: bool) -> None:
        rules = position.rules
        self.position, self.glyphs, self.color, self.side = position, glyphs, color, rules.side
        self.boards = rules.side ** (rules.depth - 1)
        self.inner = _inner_width(rules)
        self.places = rules.side * self.boards
        digits = len(str(self.places))
        self.left, self.top = (digits + 1, digits) if coordinates else (0, 0)
        self.targets = {move[: rules.depth] for move in position.legal_moves if move}
        self.lit = {_number(rules, move) for move in position.legal_moves if move}
        width = self.left + self.boards * (self.inner + 1) + 1
        height = self.top + self.boards * (self.side + 1) + 1
        self.cells = [[(" ", "")] * width for _ in range(height)]
        if coordinates:
            self._draw_coordinates(digits)

    def put(self, y: int, x: int, text: str, style: str) -> None:
        for offset, char in enumerate(text):
            self.cells[y][x + offset] = (char, style)

    def spot(self, row: int, column: int) -> tuple[int, int]:
        """Where a cell of the whole board stands on the canvas."""
        (board_row, i), (board_column, j) = divmod(row, self.side), divmod(column, self.side)
        y = self.top + board_row * (self.side + 1) + 1 + i
        return y, self.left + board_column * (self.inner + 1) + 2 + 2 * j

    def _draw_coordinates(self, digits: int) -> None:
        for place in range(self.places):
            y, x = self.spot(place, place)
            name = str(place + 1).rjust(digits)
            self.put(y, 0, name, "faint")
            for line, digit in enumerate(name):
                self.put(line, x, digit, "faint")

    def draw_frame(self) -> None:
        deep, across, down = self.position.rules.depth > 1, self.glyphs.across, self.glyphs.down
        for i in range(self.boards + 1):
            heavy_row, y = deep and i % self.side == 0, self.top + i * (self.side + 1)
            self.put(y, self.left, across[heavy_row] * (self.boards * (self.inner + 1)), "frame")
        for j in range(self.boards + 1):
            heavy_column, x = deep and j % self.side == 0, self.left + j * (self.inner + 1)
            for y in range(self.top, len(self.cells)):
                self.put(y, x, down[heavy_column], "frame")
            for i in range(self.boards + 1):
                heavy = (heavy_column, deep and i % self.side == 0)
                third = 3 * _third(i, self.boards) + _third(j, self.boards)
                corner = _LINES[heavy][third] if self.glyphs is _UNICODE else "+"
                self.put(self.top + i * (self.side + 1), x, corner, "frame")

    def draw_board(self, number: int, *, letters: bool) -> None:
        position, path = self.position, _path(self.position.rules, number)
        row, column = _origin(self.side, path)
        y, x = self.spot(row, column)
        owner = _owner(position, number)
        lit = number in self.lit
        if path:
            self.put(y - 1, x - 1, _label(position, number, path, lit), "lit name" if lit else "name")
            self._draw_group_owner(path, y - 1, x - 1)
        shade = " " if self.color else self.glyphs.shade.get(owner, " ")
        ground = f"{owner}'s" if owner != "." else "lit" if lit else ""
        for cell, mark in enumerate(position.board(number)):
            i, j = divmod(cell, self.side)
            if j == 0:
                self.put(y + i, x - 1, shade * self.inner, ground)
            char, style = mark, ground
            if mark == ".":
                legal = (*path, cell) in self.targets
                char = (LETTERS[cell] if letters else self.glyphs.target) if legal else " "
                style = "target" if legal else ground
            elif mark in "XO":
                style = f"{ground} {mark}".strip()
            self.put(y + i, x + 2 * j, char, style)

    def _draw_group_owner(self, path: tuple[int, ...], y: int, x: int) -> None:
        """The owner of a board of boards, at its top right corner."""
        owners = self.position.owners
        if len(path) == 2 and path[1] == self.side - 1 and owners[0][path[0]] != ".":
            self.put(y, x + self.inner - 3, f"[{owners[0][path[0]]}]", "name")

    def warm(self, cells: dict[tuple[int, ...], float]) -> None:
        """Write the heat of cells into them, from 0 to 9."""
        for path, warmth in cells.items():
            row, column = _origin(self.side, path[:-1])
            y, x = self.spot(row + path[-1] // self.side, column + path[-1] % self.side)
            step = step_of(warmth)
            if self.cells[y][x][0] not in "XO#":  # the one of an address lies under a mark
                self.put(y, x, str(step), f"heat {step}")

    def mark(self, last: Move) -> None:
        """Bracket the cells of the last move."""
        rules = self.position.rules
        for cell in last[rules.depth - 1 :]:
            row, column = _origin(self.side, last[: rules.depth - 1])
            y, x = self.spot(row + cell // self.side, column + cell % self.side)
            char, style = self.cells[y][x]
            self.put(y, x, char, "last")
            if not self.color:
                self.put(y, x - 1, "|" if self.cells[y][x - 1][0] == "]" else "[", style)
                self.put(y, x + 1, "|" if self.cells[y][x + 1][0] == "[" else "]", style)

    def lines(self) -> list[str]:
        if not self.color:
            return ["".join(char for char, _ in line).rstrip() for line in self.cells]
        return ["".join(_painted(style, run) for style, run in _runs(line)).rstrip() for line in self.cells]


def _runs(line: list[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(style, "".join(char for char, _ in run)) for style, run in groupby(line, key=lambda cell: cell[1])]


def _painted(style: str, text: str) -> str:
    return f"\x1b[{_SGR[style]}m{text}\x1b[0m" if _SGR[style] else text


def _inner_width(rules: RuleSet) -> int:
    """Columns between the lines of a small board: its cells, and room for its name."""
    name = rules.depth - 1
    wanted = (0, name + 2 + 2 * bool(rules.tallies), name + 5)[rules.depth - 1]
    return max(2 * rules.side + 1, wanted)


def _third(index: int, last: int) -> int:
    return 0 if index == 0 else 2 if index == last else 1


def _path(rules: RuleSet, number: int) -> tuple[int, ...]:
    return ((), (number,), divmod(number, rules.size))[rules.depth - 1]


def _number(rules: RuleSet, move: Move) -> int:
    number = 0
    for step in move[: rules.depth - 1]:
        number = number * rules.size + step
    return number


def _origin(side: int, path: tuple[int, ...]) -> tuple[int, int]:
    """The row and column, on the whole board, of a small board's first cell."""
    row = column = 0
    for step in path:
        row, column = row * side + step // side, column * side + step % side
    return row * side, column * side


def _owner(position: Position, number: int) -> str:
    """Who owns a small board, or the board around it; ``.`` nobody."""
    owners = position.owners
    if not owners or owners[-1][number] != ".":
        return owners[-1][number] if owners else "."
    return owners[0][number // position.rules.size] if len(owners) == 2 else "."


def _label(position: Position, number: int, path: tuple[int, ...], lit: bool) -> str:
    name = "".join(LETTERS[step] for step in path) + ("*" if lit else "")
    owner = position.owners[-1][number]
    if owner != ".":
        return f"{name}={owner}"
    if not position.is_open(number):
        return name if position.rules.win_board == "never" or _owner(position, number) != "." else f"{name}=-"
    if position.tallies and any(position.tallies[number]):
        x, o = position.tallies[number]
        return f"{name}{'' if lit else ' '}{x}:{o}"
    return name
