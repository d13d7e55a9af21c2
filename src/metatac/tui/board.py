"""The board on the screen: it scrolls, zooms, has a cursor, and says which cell somebody chose. It knows no rules."""

from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Offset, Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from metatac.rules import RuleSet
from metatac.tui.drawing import Drawing
from metatac.tui.geometry import best_scale, geometry, path_of, place_of, scales_for
from metatac.tui.palette import DARK, Ink, Palette, style_of
from metatac.tui.scene import Path, Scene


class BoardView(ScrollView, can_focus=True):
    """A scene, drawn as large as there is room for unless somebody zooms."""

    DEFAULT_CSS = """
    BoardView { width: 1fr; height: 1fr; scrollbar-size: 1 1; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "step(-1, 0)", show=False),
        Binding("down", "step(1, 0)", show=False),
        Binding("left", "step(0, -1)", show=False),
        Binding("right", "step(0, 1)", show=False),
        Binding("shift+up,ctrl+up", "leap(-1, 0)", show=False),
        Binding("shift+down,ctrl+down", "leap(1, 0)", show=False),
        Binding("shift+left,ctrl+left", "leap(0, -1)", show=False),
        Binding("shift+right,ctrl+right", "leap(0, 1)", show=False),
        Binding("tab", "next_target(1)", show=False),
        Binding("shift+tab", "next_target(-1)", show=False),
        Binding("home", "edge(0)", show=False),
        Binding("end", "edge(-1)", show=False),
        Binding("enter,space", "choose", show=False),
        Binding("plus,ctrl+plus", "zoom(1)", show=False),
        Binding("minus,ctrl+minus", "zoom(-1)", show=False),
        Binding("0", "zoom(0)", show=False),
    ]

    @dataclass
    class Chosen(Message):
        """Somebody chose a cell, with a key or the mouse."""

        path: Path

    @dataclass
    class Moved(Message):
        """The cursor stands on another cell."""

        path: Path

    class Fitted(Message):
        """The board is drawn at another scale, or in another window: it may now scroll, or no longer."""

    def __init__(self, scene: Scene, palette: Palette = DARK, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.scene = scene
        self.palette = palette
        self.cursor = self._first_target()
        self.shows_cursor = True
        self._zoom: int | None = None
        """The number of the scale somebody chose; None: the largest that fits."""
        self.drawing = self._draw()

    # -- what is shown

    def show(self, scene: Scene) -> None:
        """Show another scene. The cursor goes to where one may play if it is not there already."""
        before, self.scene = self.scene, scene
        if scene.position.rules is not before.position.rules:
            self._zoom = None
            self.cursor = self._first_target()
        elif scene.position != before.position and scene.lit and self.board_under_cursor not in scene.lit:
            self.cursor = self._first_target()
        self._redraw()
        self.reveal()

    def repaint(self, palette: Palette) -> None:
        """Draw in other colours."""
        self.palette = palette
        self._redraw()

    @property
    def scale_number(self) -> int:
        if self._zoom is not None:
            return self._zoom
        return best_scale(self.scene.position.rules, max(1, self.size.width), max(1, self.size.height))

    def _draw(self) -> Drawing:
        return Drawing(self.scene, scales_for(self.scene.position.rules)[self.scale_number], self.palette)

    def _redraw(self) -> None:
        self.drawing = self._draw()
        self.virtual_size = Size(self.drawing.geometry.width, self.drawing.geometry.height)
        self.refresh()

    def on_resize(self, event: events.Resize) -> None:
        self._redraw()
        self.post_message(self.Fitted())
        self.call_after_refresh(self.reveal)

    def action_zoom(self, steps: int) -> None:
        """Larger, smaller, or with 0 as large as fits."""
        last = len(scales_for(self.scene.position.rules)) - 1
        self._zoom = max(0, min(last, self.scale_number + steps)) if steps else None
        self._redraw()
        self.post_message(self.Fitted())
        self.call_after_refresh(self.reveal)

    @property
    def margin(self) -> Offset:
        """Where the drawing begins if there is more room than it needs."""
        drawn = self.drawing.geometry
        return Offset(max(0, (self.size.width - drawn.width) // 2), max(0, (self.size.height - drawn.height) // 2))

    def render_line(self, y: int) -> Strip:
        width, margin, drawn = self.size.width, self.margin, self.drawing.geometry
        blank = style_of(Ink(back=self.palette.ground))
        line = y - margin.y + (self.scroll_offset.y if not margin.y else 0)
        if not 0 <= line < drawn.height:
            return Strip.blank(width, blank)
        strip = self.drawing.strip(line, self.cursor if self.shows_cursor else None)
        if drawn.width > width:
            return strip.crop(self.scroll_offset.x, self.scroll_offset.x + width)
        left, right = margin.x, width - margin.x - drawn.width
        return Strip([Segment(" " * left, blank), *strip, Segment(" " * right, blank)], width)

    # -- the cursor

    @property
    def path(self) -> Path:
        """The cell under the cursor."""
        rules = self.scene.position.rules
        return path_of(rules.side, rules.depth, *self.cursor)

    @property
    def board_under_cursor(self) -> Path:
        return self.path[:-1]

    def _first_target(self) -> tuple[int, int]:
        """The middle of where one may play: of one board its centre, else that of the board in the middle."""
        rules, lit = self.scene.position.rules, self.scene.lit
        middle = (rules.center,) * (rules.depth - 1)
        board = middle if middle in lit or not lit else min(lit)
        cells = [path for path in self.scene.targets if path[:-1] == board]
        center = (*board, rules.center)
        return place_of(rules.side, center if center in cells or not cells else min(cells))

    def move_cursor(self, row: int, column: int) -> None:
        rules = self.scene.position.rules
        last = rules.side**rules.depth - 1
        before = self.cursor
        self.cursor = (max(0, min(last, row)), max(0, min(last, column)))
        if self.cursor == before and self.shows_cursor:
            return
        self.shows_cursor = True
        for place in {before[0] // rules.side, self.cursor[0] // rules.side}:
            lines = self.drawing.board_rows(place * rules.side)
            top = self.margin.y + lines.start - (self.scroll_offset.y if not self.margin.y else 0)
            self.refresh(Region(0, top, self.size.width, len(lines)))
        self.reveal()
        self.post_message(self.Moved(self.path))

    def put_cursor(self, path: Path) -> None:
        """Set the cursor on a cell, or on the first cell of a board."""
        self.move_cursor(
            *place_of(self.scene.position.rules.side, (*path, *(0,) * (self.scene.position.rules.depth - len(path))))
        )

    def reveal(self) -> None:
        """Scroll so that the cursor's small board, or at least its cell, is seen."""
        drawn, (row, column) = self.drawing.geometry, self.cursor
        if self.size.width < 3 or (drawn.width <= self.size.width and drawn.height <= self.size.height):
            return
        board_row, board_column = row // drawn.side, column // drawn.side
        left, right = drawn.columns.board_starts[board_column] - 1, drawn.columns.board_ends[board_column] + 1
        top, bottom = drawn.rows.board_starts[board_row] - 1, drawn.rows.board_ends[board_row] + 1
        if right - left > self.size.width or bottom - top > self.size.height:
            left, right = drawn.columns.starts[column] - 1, drawn.columns.starts[column] + drawn.scale.width + 1
            top, bottom = drawn.rows.starts[row] - 1, drawn.rows.starts[row] + drawn.scale.height + 1
        self.scroll_to_region(Region(left, top, right - left, bottom - top), animate=False, force=True)

    def action_step(self, down: int, right: int) -> None:
        self.move_cursor(self.cursor[0] + down, self.cursor[1] + right)

    def action_leap(self, down: int, right: int) -> None:
        side = self.scene.position.rules.side
        self.move_cursor(self.cursor[0] + down * side, self.cursor[1] + right * side)

    def action_next_target(self, direction: int) -> None:
        """To the next cell that may be played, board by board."""
        targets = sorted(self.scene.targets)
        if not targets:
            return
        here = self.path
        later = [path for path in targets if (path > here if direction > 0 else path < here)]
        chosen = (later or targets)[0 if direction > 0 else -1]
        self.move_cursor(*place_of(self.scene.position.rules.side, chosen))

    def action_edge(self, which: int) -> None:
        """To the first or last cell that may be played."""
        targets = sorted(self.scene.targets)
        if targets:
            self.move_cursor(*place_of(self.scene.position.rules.side, targets[which]))

    def action_choose(self) -> None:
        self.post_message(self.Chosen(self.path))

    # -- the mouse

    def cell_at(self, x: int, y: int) -> tuple[int, int] | None:
        """The row and column, on the whole board, at a place of the widget."""
        margin, drawn = self.margin, self.drawing.geometry
        column = drawn.columns.cell_at(x - margin.x + (0 if margin.x else self.scroll_offset.x))
        row = drawn.rows.cell_at(y - margin.y + (0 if margin.y else self.scroll_offset.y))
        return None if row is None or column is None else (row, column)

    def on_click(self, event: events.Click) -> None:
        cell = self.cell_at(event.x, event.y)
        if cell is not None:
            self.move_cursor(*cell)
            self.post_message(self.Chosen(self.path))

    def place_on_screen(self, path: Path) -> Offset:
        """Where a cell is seen, in the widget: what a mouse has to hit."""
        drawn = self.drawing.geometry
        row, column = place_of(drawn.side, path)
        x = drawn.columns.starts[column] + drawn.scale.center
        y = drawn.rows.starts[row] + drawn.scale.height // 2
        margin = self.margin
        return Offset(
            x + margin.x - (0 if margin.x else self.scroll_offset.x),
            y + margin.y - (0 if margin.y else self.scroll_offset.y),
        )


def board_width(rules: RuleSet, width: int, height: int) -> int:
    """How wide a board will be drawn where there is so much room."""
    return geometry(rules.side, rules.depth, scales_for(rules)[best_scale(rules, width, height)]).width
