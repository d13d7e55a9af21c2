"""The window: the players above, the board, the moves beside it, and below why one is sent where one is."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual import events
from textual.app import App, ComposeResult
from textual.containers import Horizontal, Vertical
from textual.theme import Theme
from textual.widgets import Input, Static

from metatac.game import Position
from metatac.match.state import Ply as MatchPly
from metatac.notation import Record
from metatac.notation.record import Ply
from metatac.table import GettingReady, Table
from metatac.tui.board import BoardView, board_width
from metatac.tui.entry import Entry
from metatac.tui.palette import DARK, LIGHT, PLAIN, Palette
from metatac.tui.panels import Listed, MiniMap, MoveList
from metatac.tui.scene import Path, Scene
from metatac.tui.words import footer_text, info_text, note_of, players_text, status_text

if TYPE_CHECKING:
    from metatac.engine.results import Analysis

SIDE = 28
"""Columns that the panel beside the board wants at least; it is never wider than WIDEST_SIDE."""
WIDEST_SIDE = 44
ROOMY = 100
"""From this width on the panel has its place; on narrower windows the board comes first."""
CHROME = 3
"""Lines above and below the board."""
SMALLEST = (20, 8)
"""Columns and lines below which there is nothing sensible to show."""


class Window(App[None]):
    """Shows a table. What is done to it is the client's business."""

    TITLE = "metatac"
    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = None
    """The client gives the keys to the board where there is a game to play."""
    CSS = """
    * { scrollbar-color: $panel; scrollbar-color-hover: $accent; scrollbar-color-active: $accent;
        scrollbar-background: $background; scrollbar-background-hover: $background;
        scrollbar-background-active: $background; scrollbar-corner-color: $background; }
    #middle { height: 1fr; background: $background; }
    #side { width: 30; height: 1fr; padding: 0 0 0 1; background: $background; display: none; }
    #side.shown { display: block; }
    #info { height: auto; max-height: 50%; margin-bottom: 1; }
    #map { height: auto; display: none; margin-top: 1; }
    #map.shown { display: block; }
    #players, #status, #footer { height: 1; background: $background; }
    #prompt { display: none; height: 1; background: $surface; }
    #prompt.shown { display: block; }
    #prompt Static { width: 2; color: $accent; }
    #tiny { display: none; width: 1fr; height: 1fr; content-align: center middle; }
    .tiny #tiny { display: block; }
    .tiny #players, .tiny #middle, .tiny #status, .tiny #footer, .tiny #prompt { display: none; }
    """

    def __init__(self, table: Table, record: Record | None = None) -> None:
        # Without colours Textual would still use greys; with the terminal's own it leaves them all out.
        super().__init__(ansi_color=True if "NO_COLOR" in os.environ else None)
        self.palette: Palette = PLAIN if self.no_color else DARK
        for palette in (DARK, LIGHT):
            self.register_theme(_theme(palette))
        self.theme = "metatac-dark"
        self.table = table
        self.record = record
        """The record that is stepped through; None where a game is played."""
        self.above: list[tuple[Record, int]] = []
        """The lines of the record that this one branches off from, and at which move, the main line first."""
        self.looking: int | None = None if record is None else 0
        """How many moves stand in the position that is looked at; None: the present one."""
        self.entry = Entry(table.position)
        """The move that is being entered."""
        self.analysis: Analysis | None = None
        self.analysing = ""
        """What is being found out in the background: ``hint`` or ``eval``."""
        self.preparing_advice = ""
        """What must be done before that."""
        self.heat: dict[Path, float] = {}
        self.hinted: frozenset[Path] = frozenset()
        self.preparing: GettingReady | None = None
        """What a computer does before it can play, as far as it is known."""
        self.message = ""
        self._wants_panel: bool | None = None
        """Whether somebody wants the panel beside the board; None: where there is room."""

    # -- its parts

    def compose(self) -> ComposeResult:
        self.board = BoardView(self.scene, self.palette, id="board")
        self.moves, self.map = MoveList(id="moves"), MiniMap(id="map")
        self.players, self.status, self.footer, self.info = (
            Static(id=name) for name in ("players", "status", "footer", "info")
        )
        self.typing = Input(id="typing", max_length=300, compact=True)
        self.side = Vertical(self.info, self.moves, self.map, id="side")
        self.prompt = Horizontal(Static(" :"), self.typing, id="prompt")
        yield self.players
        yield Horizontal(self.board, self.side, id="middle")
        yield self.status
        yield self.footer
        yield self.prompt
        yield Static("Make this window larger.", id="tiny")

    def on_resize(self, event: events.Resize) -> None:
        width, height = event.size
        self.screen_stack[0].set_class(width < SMALLEST[0] or height < SMALLEST[1], "tiny")
        self.call_next(self._fit)  # the window has its new size only when this event has gone its way

    def _fit(self) -> None:
        self.arrange()
        self.show()

    def arrange(self) -> None:
        """Give the panel its place beside the board, or leave it out."""
        width, height = self.size.width, self.size.height - CHROME
        wide = width >= ROOMY if self._wants_panel is None else self._wants_panel
        rest = width - board_width(self.scene.position.rules, width - SIDE if wide else width, height)
        shown = rest >= SIDE if self._wants_panel is None else self._wants_panel
        self.side.set_class(shown, "shown")
        self.side.styles.width = max(SIDE, min(WIDEST_SIDE, rest))

    @property
    def has_panel(self) -> bool:
        return self.side.has_class("shown")

    def toggle_panel(self) -> None:
        self._wants_panel = not self.has_panel
        self.arrange()
        self.call_after_refresh(self.show)

    def paint(self, palette: Palette) -> None:
        """Use other colours."""
        self.palette = palette
        self.theme = f"metatac-{palette.name}"
        self.board.repaint(palette)
        self.show()

    # -- what is shown

    @property
    def plies(self) -> int:
        """How many moves stand in the position that is shown."""
        return len(self.table.match.plies) if self.looking is None else self.looking

    @property
    def position(self) -> Position:
        return self.table.match.positions[self.plies]

    @property
    def scene(self) -> Scene:
        moves = self.table.match.moves[: self.plies]
        last = next((move for move in reversed(moves) if move), None)
        playing = self.looking is None and self.table.result is None
        entry = self.entry if playing else Entry(self.position)
        return Scene(
            self.position,
            last=last,
            own=entry.own,
            typed=() if entry.own else entry.numbers,
            heat=self.heat,
            hint=self.hinted,
            over=not playing and self.record is None,
        )

    def show(self) -> None:
        """Draw everything anew."""
        scene = self.scene
        self.board.shows_cursor = self.record is None and not scene.over
        self.board.show(scene)
        self.moves.show(self._listed(), self.plies, self.palette)
        self.show_map()
        self.show_words()

    def show_map(self) -> None:
        """The map is there while the board does not fit."""
        drawn, seen, scene = self.board.drawing.geometry, self.board.size, self.board.scene
        scrolls = scene.position.rules.depth > 1 and (drawn.width > seen.width or drawn.height > seen.height)
        self.map.set_class(scrolls, "shown")
        if scrolls:
            row, column = self.board.cursor
            self.map.show(scene, self.palette, (row // drawn.side, column // drawn.side))

    def on_board_view_fitted(self) -> None:
        self.show_map()

    def show_words(self) -> None:
        """Draw only the lines of text: clocks, thoughts and messages change more often than the board."""
        width = self.size.width
        self.players.update(players_text(self, width))
        self.status.update(status_text(self, width))
        self.footer.update(footer_text(self, width))
        self.info.update(info_text(self))

    def _listed(self) -> list[Listed]:
        match = self.table.match
        noted: Sequence[Ply | MatchPly] = match.plies if self.record is None else self.record.plies
        listed = [
            Listed(number, before.turn, ply.move, note_of(ply))
            for number, (ply, before) in enumerate(zip(noted, match.positions, strict=False), 1)
        ]
        position = match.position
        for move in self.table.redo_moves:
            listed.append(Listed(len(listed) + 1, position.turn, move, undone=True))
            position = position.play(move)
        return listed

    def say(self, message: str) -> None:
        """Tell something in the last line, until the next key."""
        self.message = message
        self.show_words()

    def series_text(self) -> str:
        """The score of the series, the one who had X first named first."""
        names, series = self.table.seats.names, self.table.series
        number = len(series.results) - (self.table.result is not None)
        return series.text(*(names if number % 2 == 0 else names[::-1]))


def _theme(palette: Palette) -> Theme:
    return Theme(
        name=f"metatac-{palette.name}",
        primary=palette.accent or "",
        accent=palette.accent,
        background=palette.ground,
        surface=palette.card,
        panel=palette.lit,
        foreground=palette.text,
        warning=palette.o,
        success=palette.accent,
        dark=palette is DARK,
    )
