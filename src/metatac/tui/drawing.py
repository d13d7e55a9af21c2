"""A scene drawn at a scale, line by line, as it is asked for: only what is on the screen is ever worked out."""

from dataclasses import dataclass

from rich.segment import Segment
from textual.strip import Strip

from metatac.game.move import board_number
from metatac.render.heat import step_of
from metatac.rules import LETTERS
from metatac.tui.geometry import NOBODY, Scale, Slot, geometry, path_of, place_of
from metatac.tui.lines import DOUBLE, HEAVY, LIGHT, NONE, crossing
from metatac.tui.palette import Ink, Palette, style_of
from metatac.tui.scene import Path, Scene
from metatac.tui.shapes import big_mark, mark_art

Shape = tuple[tuple[bool, ...], ...]


@dataclass(slots=True)
class _Region:
    """A small board, or a board of boards: where it lies, its ground, and the big mark on it if it is decided."""

    left: int
    top: int
    ground: str | None
    big: str | None = None
    shape: Shape | None = None
    shade: str = " "
    """What the big mark is filled with where there are no colours."""

    def at(self, x: int, y: int) -> tuple[str | None, str]:
        """The ground at a place, and what fills it."""
        if self.shape is not None and self.shape[y - self.top][x - self.left]:
            return self.big, self.shade
        return self.ground, " "


class Drawing:
    """The lines of a scene. They are kept, so that what did not change is not drawn again."""

    def __init__(self, scene: Scene, scale: Scale, palette: Palette) -> None:
        rules = scene.position.rules
        self.scene, self.scale, self.palette = scene, scale, palette
        self.side, self.depth = rules.side, rules.depth
        self.geometry = geometry(rules.side, rules.depth, scale)
        self.boards = rules.side ** (rules.depth - 1)
        self.columns, self.rows = self.geometry.columns, self.geometry.rows
        self._weights = self._level_weights()
        self._lit = {_board_place(self.side, path) for path in scene.lit}
        self._numbers = [
            [board_number(rules, path_of(self.side, self.depth - 1, row, column)) for column in range(self.boards)]
            for row in range(self.boards)
        ]
        self._regions = [[self._region(row, column) for column in range(self.boards)] for row in range(self.boards)]
        self._groups = self._group_regions()
        self._strips: dict[tuple[int, tuple[int, int] | None], Strip] = {}

    # -- the regions

    def _region(self, row: int, column: int) -> _Region:
        scene, palette, number = self.scene, self.palette, self._numbers[row][column]
        left, right = self.columns.board_starts[column], self.columns.board_ends[column]
        top, bottom = self.rows.board_starts[row], self.rows.board_ends[row]
        kind = scene.note(number)[1]
        lit = (row, column) in self._lit
        if kind == ".":
            is_open = lit or (scene.position.is_open(number) if self.depth > 1 else True)
            return _Region(left, top, palette.lit if lit else palette.card if is_open else palette.shut)
        card, big, shade = self._colors(kind)
        # An owned board that is still open, as some rules have it, is lit all the same.
        return _Region(left, top, palette.lit if lit else card, big, big_mark(kind, right - left, bottom - top), shade)

    def _group_regions(self) -> dict[tuple[int, int], _Region]:
        """The boards of boards that somebody owns."""
        found: dict[tuple[int, int], _Region] = {}
        if self.depth < 3:
            return found
        side, owners = self.side, self.scene.position.owners[0]
        for number, owner in enumerate(owners):
            if owner != ".":
                row, column = divmod(number, side)
                left, right = (
                    self.columns.board_starts[column * side],
                    self.columns.board_ends[column * side + side - 1],
                )
                top, bottom = self.rows.board_starts[row * side], self.rows.board_ends[row * side + side - 1]
                card, big, shade = self._colors(owner)
                found[row, column] = _Region(left, top, card, big, big_mark(owner, right - left, bottom - top), shade)
        return found

    def _colors(self, kind: str) -> tuple[str | None, str | None, str]:
        palette = self.palette
        if kind == "=":
            return palette.shut, palette.drawn_big, " "
        if kind == "X":
            return palette.x_card, palette.x_big, "░" if palette.mono else " "
        return palette.o_card, palette.o_big, "▒" if palette.mono else " "

    def _ground(self, x: int, y: int, row: int | None, column: int | None) -> tuple[str | None, str]:
        """The ground at a place, and what fills it there; row and column are those of the small board it is in."""
        if self._groups:
            cells = self.columns.slots[x], self.rows.slots[y]
            reach = self.side**2
            group = self._groups.get((_near(cells[1], reach), _near(cells[0], reach)))
            if group is not None:
                return group.at(x, y)
        if row is None or column is None:
            return self.palette.ground, " "
        return self._regions[row][column].at(x, y)

    # -- lines

    def board_rows(self, row: int) -> range:
        """The lines that change with the cells of a small board in that row of the whole board."""
        board = row // self.side
        return range(self.rows.board_starts[board] - 1, self.rows.board_ends[board] + 1)

    def strip(self, y: int, cursor: tuple[int, int] | None) -> Strip:
        """A line; the cursor stands at a row and column of the whole board."""
        near = cursor if cursor is not None and y in self.board_rows(cursor[0]) else None
        key = (y, near)
        strip = self._strips.get(key)
        if strip is None:
            chars, inks = self._line(y, near)
            strip = self._strips[key] = _strip(chars, inks)
        return strip

    def text(self, cursor: tuple[int, int] | None = None) -> str:
        """The whole drawing as plain text."""
        return "\n".join(self.strip(y, cursor).text.rstrip() for y in range(self.geometry.height))

    def _line(self, y: int, cursor: tuple[int, int] | None) -> tuple[list[str], list[Ink]]:
        slot = self.rows.slots[y]
        if slot.cell != NOBODY:
            return self._cell_line(y, slot, cursor)
        if slot.is_line:
            return self._frame_line(y, slot)
        blank = Ink(back=self.palette.ground)
        return [" "] * self.geometry.width, [blank] * self.geometry.width

    def _frame_line(self, y: int, slot: Slot) -> tuple[list[str], list[Ink]]:
        chars, inks = [], []
        row = None if slot.offset else slot.after // self.side
        for x, column in enumerate(self.columns.slots):
            at = None if column.cell == NOBODY and column.offset else _near(column, self.side)
            back, _ = self._ground(x, y, row, at)
            char, lit = " ", False
            if column.cell != NOBODY:
                weight, lit = self._weight(slot, column.cell, across=True)
                char = crossing(NONE, weight, NONE, weight) if weight in (HEAVY, DOUBLE) else "─"
            elif column.is_line:
                char, lit = self._crossing(slot, column)
            chars.append(char)
            inks.append(self._line_ink(lit, max(slot.offset, column.offset if column.is_line else 0), back))
        if slot.offset and slot.after != NOBODY:
            self._label(slot.after // self.side, chars, inks)
        return chars, inks

    def _line_ink(self, lit: bool, level: int, back: str | None) -> Ink:
        if lit:
            return Ink(self.palette.accent, back, "bold")
        # The outermost frames are the brightest.
        front = self.palette.frame if level >= max(1, self.depth - 1) else self.palette.grid
        return Ink(front, back, "" if level else "dim" * self.palette.mono)

    def _level_weights(self) -> tuple[int, int, int]:
        """How heavy the lines are within small boards, around them, and around boards of boards."""
        if self.depth == 3 and not self.scale.down:
            return LIGHT, LIGHT, HEAVY
        # Where colours do not tell them apart, and no gap does, the outermost are double.
        return LIGHT, HEAVY, DOUBLE if self.depth == 3 and self.palette.mono and not self.scale.apart else HEAVY

    def _weight(self, line: Slot, cell: int, *, across: bool) -> tuple[int, bool]:
        """How heavy a line is beside a cell of the other direction, and whether it bounds what may be played in."""
        board = cell // self.side
        sides = [NOBODY if place == NOBODY else place // self.side for place in (line.before, line.after)]
        if sides[0] != sides[1]:
            ends = [((side, board) if across else (board, side)) in self._lit for side in sides]
            if ends[0] != ends[1]:
                return (DOUBLE if self.palette.mono else HEAVY), True
        return self._weights[line.offset], False

    def _crossing(self, row: Slot, column: Slot) -> tuple[str, bool]:
        arms, lit = [], False
        # Between cards of their own colours the lines of cells end at the frame; without colours they join it.
        loud = not self.palette.mono and self._weights[max(row.offset, column.offset)] != LIGHT
        for cell, line, across in (
            (row.before, column, False),
            (column.after, row, True),
            (row.after, column, False),
            (column.before, row, True),
        ):
            weight, bright = (NONE, False) if cell == NOBODY else self._weight(line, cell, across=across)
            if weight == LIGHT and loud:
                weight = NONE
            arms.append(weight)
            lit = lit or bright
        return crossing(arms[0], arms[1], arms[2], arms[3]), lit

    def _label(self, row: int, chars: list[str], inks: list[Ink]) -> None:
        """The names of the small boards below a line, and what became of them."""
        if self.depth == 1:
            return
        palette = self.palette
        for column, number in enumerate(self._numbers[row]):
            left, right = self.columns.board_starts[column], self.columns.board_ends[column]
            name, (note, kind) = self.scene.name(number), self.scene.note(number)
            lit = (row, column) in self._lit
            back = inks[left].back
            ink = Ink(palette.accent if lit else palette.faint, back, "bold" if lit or not palette.mono else "")
            if note and right - left < len(name) + len(note) + (kind == "."):
                name = ""
            _write(chars, inks, left, name, ink)
            colors = [palette.faint] * len(note)
            if kind in "XO":
                colors = [palette.of(kind)]
            elif ":" in note:
                middle = note.index(":")
                colors = [palette.x] * middle + [palette.faint] + [palette.o] * (len(note) - middle - 1)
            for offset, (char, color) in enumerate(zip(note, colors, strict=True)):
                _write(chars, inks, right - len(note) + offset, char, Ink(color, back, "bold"))

    # -- cells

    def _cell_line(self, y: int, slot: Slot, cursor: tuple[int, int] | None) -> tuple[list[str], list[Ink]]:
        row, board_row = slot.cell, slot.cell // self.side
        lettered = None if cursor is None else (cursor[0] // self.side, cursor[1] // self.side)
        chars: list[str] = []
        inks: list[Ink] = []
        for x, column in enumerate(self.columns.slots):
            inside = column.cell != NOBODY or (column.is_line and not column.offset)
            board = _near(column, self.side) if inside else None
            back, fill = self._ground(x, y, board_row, board)
            char, ink = fill, Ink(self.palette.frame, back)
            if column.is_line:
                weight, lit = self._weight(column, row, across=False)
                char = "│" if weight == LIGHT else crossing(weight, NONE, weight, NONE)
                ink = self._line_ink(lit, column.offset, back)
            chars.append(char)
            inks.append(ink)
        for column_number in range(self.geometry.columns.count):
            letters = lettered == (board_row, column_number // self.side) or len(self._lit) == 1
            self._cell(row, column_number, slot.offset, letters, chars, inks)
        if cursor is not None and cursor[0] == row:
            self._cursor(cursor, chars, inks)
        return chars, inks

    def _cell(self, row: int, column: int, part: int, letters: bool, chars: list[str], inks: list[Ink]) -> None:
        scene, palette, scale = self.scene, self.palette, self.scale
        path = path_of(self.side, self.depth, row, column)
        board, cell = path[:-1], path[-1]
        number = self._numbers[row // self.side][column // self.side]
        mark = scene.position.cells[number * self.side**2 + cell]
        start, middle = self.columns.starts[column], scale.height // 2
        target = path in scene.targets
        if path == scene.own:
            self._ground_of(start, inks, palette.pending)
            self._mark(
                scene.position.turn, start, part, Ink(palette.of(scene.position.turn), None, "bold"), chars, inks
            )
        elif path in scene.last_cells:
            self._ground_of(start, inks, palette.last)
        if path in scene.heat and mark == ".":
            step = step_of(scene.heat[path])
            front, back = palette.heat[step]
            self._ground_of(start, inks, back, scale.width)
            if part == middle:
                self._put(start, str(step), Ink(front, None, "bold"), chars, inks)
        elif mark in "XO":
            self._mark(mark, start, part, self._mark_ink(mark, number, path), chars, inks)
        elif mark == "#":
            hatch = "╱" * (scale.width if not scale.pad else 1)
            _write_on(chars, inks, start + (1 if scale.pad else 0), hatch, Ink(palette.hatch))
        elif target and part == middle and path != scene.own:
            shown = LETTERS[cell] if letters or scene.typed == board != () else "·"
            self._put(start, shown, Ink(palette.accent if shown == "·" else palette.text), chars, inks)
        if path in scene.hint and part == middle:
            self._hint(start, chars, inks)
        if palette.mono and path in scene.last_cells and part == middle and mark in "XO":
            self._bracket(start, chars, inks)

    def _mark_ink(self, mark: str, number: int, path: Path) -> Ink:
        palette = self.palette
        closed = self.depth > 1 and not self.scene.position.is_open(number) and path not in self.scene.last_cells
        if closed and self.scene.owner(number) not in (mark, "."):
            return Ink(palette.x_faint if mark == "X" else palette.o_faint)
        return Ink(palette.of(mark), None, "bold")

    def _mark(self, mark: str, start: int, part: int, ink: Ink, chars: list[str], inks: list[Ink]) -> None:
        if self.scale.height == 1:
            self._put(start, mark, ink, chars, inks)
            return
        row = mark_art(mark, self.scale.width, self.scale.height)[part]
        for offset, char in enumerate(row):
            if char != " ":
                _write_on(chars, inks, start + offset, char, ink)

    def _put(self, start: int, char: str, ink: Ink, chars: list[str], inks: list[Ink]) -> None:
        _write_on(chars, inks, start + self.scale.center, char, ink)

    def _ground_of(self, start: int, inks: list[Ink], back: str | None, width: int = 0) -> None:
        for x in range(start, start + (width or self._span)):
            inks[x] = inks[x].on(back)

    @property
    def _span(self) -> int:
        """Columns of a cell that are coloured when it is marked: its blanks on both sides with it."""
        return 3 if self.scale.pad else self.scale.width

    def _hint(self, start: int, chars: list[str], inks: list[Ink]) -> None:
        x = start + self.scale.center
        _write_on(
            chars,
            inks,
            x,
            "★" if chars[x] in " ·" or chars[x].islower() else chars[x],
            Ink(self.palette.accent, None, "bold"),
        )

    def _bracket(self, start: int, chars: list[str], inks: list[Ink]) -> None:
        """Where there is no colour, the last move stands in brackets and is underlined."""
        x = start + self.scale.center
        inks[x] = inks[x]._replace(attributes="bold underline")
        if self._span >= 3:
            for place, char in ((x - 1, "["), (x + 1, "]")):
                chars[place] = "|" if chars[place] in "[]" else char

    def _cursor(self, cursor: tuple[int, int], chars: list[str], inks: list[Ink]) -> None:
        palette, start = self.palette, self.columns.starts[cursor[1]]
        legal = path_of(self.side, self.depth, *cursor) in self.scene.targets
        for x in range(start, start + self._span):
            if palette.mono:
                inks[x] = inks[x]._replace(attributes=f"{inks[x].attributes} reverse")
            elif self.scale.height > 1:
                inks[x] = inks[x].on(palette.cursor_soft if legal else palette.grid)
            else:
                inks[x] = Ink(palette.cursor_text, palette.cursor if legal else palette.faint, "bold")


def _near(slot: Slot, reach: int) -> int:
    """The number of the board, of so many cells, that a slot belongs to; NOBODY where it lies between two."""
    if slot.cell != NOBODY:
        return slot.cell // reach
    if slot.before == NOBODY or slot.after == NOBODY or slot.before // reach != slot.after // reach:
        return NOBODY
    return slot.after // reach


def _board_place(side: int, path: Path) -> tuple[int, int]:
    """The row and column of a small board among the small boards."""
    return place_of(side, path)


def _write(chars: list[str], inks: list[Ink], x: int, text: str, ink: Ink) -> None:
    for offset, char in enumerate(text):
        chars[x + offset], inks[x + offset] = char, ink


def _write_on(chars: list[str], inks: list[Ink], x: int, text: str, ink: Ink) -> None:
    """Write on the ground that is there."""
    for offset, char in enumerate(text):
        chars[x + offset], inks[x + offset] = char, ink.on(inks[x + offset].back)


def _strip(chars: list[str], inks: list[Ink]) -> Strip:
    segments, begin = [], 0
    for x in range(1, len(chars) + 1):
        if x == len(chars) or inks[x] != inks[begin]:
            segments.append(Segment("".join(chars[begin:x]), style_of(inks[begin])))
            begin = x
    return Strip(segments, len(chars))
