"""What stands beside the board: the players and their clocks, the moves, what the computer thinks, a small map."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.segment import Segment
from rich.text import Text
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widgets import Static

from metatac.game import Move
from metatac.tui.palette import DARK, Ink, Palette, style_of
from metatac.tui.scene import Scene

if TYPE_CHECKING:
    from metatac.engine.results import Analysis, SearchResult

LONGEST_LINE = 10
"""Moves of the best play that are shown."""


def style(front: str | None, attributes: str = "", back: str | None = None) -> str:
    """A rich style of a palette's colours, which may be none."""
    words = [attributes, front or "", f"on {back}" if back else ""]
    return " ".join(filter(None, words))


def clock_text(seconds: float | None) -> str:
    """Time left as clocks show it: tenths only where they matter."""
    if seconds is None:
        return ""
    if seconds < 10:
        return f"{seconds:.1f}"
    whole = int(seconds)
    hours, minutes = divmod(whole // 60, 60)
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"


def short_number(number: float) -> str:
    """A number as short as it can be read: 8,300 or 1.2 M."""
    for size, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= size:
            return f"{number / size:.1f} {unit}"
    return f"{number:.0f}"


@dataclass(frozen=True, slots=True)
class Listed:
    """A move in the list, and what was noted about it."""

    number: int
    seat: str
    move: Move
    note: str = ""
    undone: bool = False
    """Whether it was taken back and can be made again."""


class MoveList(ScrollView):
    """The moves, one a line; a click looks at the position after one."""

    DEFAULT_CSS = "MoveList { height: 1fr; overflow-x: hidden; scrollbar-size: 1 1; }"

    @dataclass
    class Picked(Message):
        """The position after so many moves is wanted."""

        ply: int

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.moves: Sequence[Listed] = ()
        self.shown = 0
        """How many moves stand in the position that is looked at."""
        self.palette = DARK
        self.can_focus = False

    def show(self, moves: Sequence[Listed], shown: int, palette: Palette) -> None:
        self.moves, self.shown, self.palette = moves, shown, palette
        self._reveal()
        self.refresh()

    def on_resize(self) -> None:
        self._reveal()

    def _reveal(self) -> None:
        """Keep the move that is looked at in sight, with one before and one after it."""
        self.virtual_size = Size(self.size.width, len(self.moves) + 1)
        self.scroll_to_region(Region(0, max(0, self.shown - 1), 1, 3), animate=False, force=True)

    def render_line(self, y: int) -> Strip:
        line, width, palette = y + self.scroll_offset.y, self.size.width, self.palette
        ground = Ink(palette.text, palette.ground)
        if line > len(self.moves):
            return Strip.blank(width, style_of(ground))
        here = "▸" if line == self.shown else " "
        if line == 0:
            text, mark, note = f"{here}   start", "", ""
        else:
            one = self.moves[line - 1]
            text, mark, note = f"{here}{one.number:>3} {one.seat} {one.move}", one.seat, one.note
        faint = line > 0 and self.moves[line - 1].undone
        back = palette.lit if line == self.shown else palette.ground
        attributes = "reverse" if palette.mono and line == self.shown else "bold" * (line == self.shown)
        front = palette.faint if faint or not mark else palette.of(mark)
        text = text.ljust(15)
        segments = [
            Segment(text, style_of(Ink(front, back, attributes + (" dim" if faint and palette.mono else "")))),
            Segment(note.rjust(max(0, width - len(text) - 1)) + " ", style_of(Ink(palette.faint, back, attributes))),
        ]
        return Strip(segments).crop_extend(0, width, style_of(ground))

    def on_click(self, event: events.Click) -> None:
        ply = event.y + self.scroll_offset.y
        if ply <= len(self.moves):
            self.post_message(self.Picked(ply))


class MiniMap(Static):
    """All small boards, a character each, where the board itself does not fit the window."""

    def show(self, scene: Scene, palette: Palette, here: tuple[int, int]) -> None:
        """``here`` is the row and column of the small board under the cursor."""
        rules = scene.position.rules
        boards, text = rules.side ** (rules.depth - 1), Text()
        lit = {_place(rules.side, path) for path in scene.lit}
        for row in range(boards):
            text.append("\n" if row else "")
            for column in range(boards):
                number = _number(rules.side, rules.depth, row, column)
                kind = scene.note(number)[1]
                owner = kind if kind in "XO=" else scene.group_owner(number).lower()
                char = owner if owner != "." else "·"
                color = palette.of(owner.upper()) if owner in "XOxo" else palette.faint
                attributes = "bold underline" if (row, column) in lit else ""
                back = palette.lit if (row, column) in lit else None
                if (row, column) == here:
                    attributes, back = "reverse", None
                text.append(char, style(color, attributes, back))
                text.append(" " if (column + 1) % rules.side or rules.depth < 3 else "  ")
            if rules.depth == 3 and (row + 1) % rules.side == 0 and row + 1 < boards:
                text.append("\n")
        self.update(text)


def _place(side: int, path: tuple[int, ...]) -> tuple[int, int]:
    row = column = 0
    for step in path:
        row, column = row * side + step // side, column * side + step % side
    return row, column


def _number(side: int, depth: int, row: int, column: int) -> int:
    from metatac.tui.geometry import path_of

    number = 0
    for step in path_of(side, depth - 1, row, column):
        number = number * side * side + step
    return number


def thinking_text(result: "SearchResult", palette: Palette, unit: str = "") -> Text:
    """What a search has found so far: how deep, how fast, how good, and the best play."""
    speed = result.nodes / result.seconds if result.seconds else 0.0
    facts = [f"depth {result.depth}"] if result.depth else []
    facts += [f"{short_number(result.nodes)} nodes", f"{short_number(speed)}/s"]
    text = Text(" · ".join(facts), style(palette.faint))
    text.append("\n")
    text.append_text(value_text(result.value_x, result.proven, palette))
    if result.moves:
        text.append(f"  {best_play(result.best.line)}", style(palette.text))
    return text


def analysis_text(analysis: "Analysis", palette: Palette, rows: int) -> Text:
    """The best moves and their values, best first, and whose view that is."""
    facts = f"by {analysis.by} · {short_number(analysis.nodes)} nodes\nin X's view:\n"
    text = Text(facts, style(palette.faint))
    for one in analysis.moves[:rows]:
        if one.known:
            text.append(f"{one.move!s:<5}", style(palette.text, "bold"))
            text.append_text(value_text(one.value_x, one.proven, palette))
            text.append(f"  {best_play(one.line[1:5])}\n", style(palette.faint))
    text.right_crop(1)
    return text


def value_text(value_x: float, proven: bool, palette: Palette) -> Text:
    """A value in X's view, in the colour of whom it favours."""
    color = palette.x if value_x > 0.005 else palette.o if value_x < -0.005 else palette.text
    return Text(f"{value_x:+.2f}{'!' if proven else ' '}", style(color, "bold"))


def best_play(line: Sequence[Move]) -> str:
    return " ".join(map(str, line[:LONGEST_LINE])) + (" …" if len(line) > LONGEST_LINE else "")
