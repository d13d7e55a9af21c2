"""What is asked and told in front of the board: a new game, yes or no, the end of a game, rules and keys."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.console import RenderableType
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Label, Select, Static


class Dialog(ModalScreen[str]):
    """A box in front of the board. It answers with the id of the button that was pressed; Esc is ``""``."""

    AUTO_FOCUS = "Button"

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "back", show=False),
        Binding("left,up", "app.focus_previous", show=False),
        Binding("right,down", "app.focus_next", show=False),
    ]

    DEFAULT_CSS = """
    Dialog { align: center middle; background: $background 40%; }
    Dialog > Vertical {
        width: auto; max-width: 90%; height: auto; max-height: 90%;
        border: round $accent; background: $surface; padding: 0 1;
    }
    Dialog Label { width: auto; max-width: 40; }
    Dialog #buttons { height: auto; width: auto; margin-top: 1; }
    Dialog Button { min-width: 14; padding: 0 1; text-align: left; content-align: left middle; }
    """

    def __init__(self, title: str, text: str, buttons: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        self._title, self._text, self._buttons = title, text, buttons

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = self._title
            if self._text:
                yield Label(self._text, markup=False)
            with Vertical(id="buttons"):
                for id, label in self._buttons:
                    yield Button(label, id=id, compact=True)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id or "")

    def action_leave(self) -> None:
        self.dismiss("")


class Reading(ModalScreen[None]):
    """A text to read, with keys to scroll."""

    AUTO_FOCUS = "VerticalScroll"

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,enter,f1,question_mark", "dismiss", "back", show=False),
    ]

    DEFAULT_CSS = """
    Reading { align: center middle; background: $background 40%; }
    Reading > VerticalScroll {
        width: 90%; max-width: 96; height: auto; max-height: 90%;
        border: round $accent; background: $surface; padding: 0 1; scrollbar-size: 1 1;
    }
    """

    def __init__(self, title: str, text: RenderableType) -> None:
        super().__init__()
        self._title, self._text = title, text

    def compose(self) -> ComposeResult:
        with VerticalScroll() as box:
            box.border_title, box.border_subtitle = self._title, "Esc closes"
            yield Static(self._text)

    async def action_dismiss(self, result: None = None) -> None:
        self.dismiss(None)


@dataclass(frozen=True, slots=True)
class Wish:
    """A new game as somebody wants it."""

    game: str
    x: str
    o: str
    time: str
    games: str


class NewGame(ModalScreen[Wish | None]):
    """Which game, who plays it, and with how much time."""

    AUTO_FOCUS = "#start"
    """So that Enter takes everything as it is suggested."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "back", show=False),
        Binding("ctrl+s,f2", "start", "start", show=False),
    ]

    DEFAULT_CSS = """
    NewGame { align: center middle; background: $background 40%; }
    NewGame > VerticalScroll {
        width: 64; max-width: 96%; height: auto; max-height: 96%;
        border: round $accent; background: $surface; padding: 0 1; scrollbar-size: 1 1;
    }
    NewGame .row { height: 1; margin-bottom: 1; }
    NewGame .row Label { width: 8; }
    NewGame Select, NewGame Input { width: 1fr; }
    NewGame SelectCurrent Static#label { text-wrap: nowrap; text-overflow: ellipsis; }
    NewGame Static { color: $foreground 70%; }
    NewGame Button { min-width: 10; padding: 0 1; margin-right: 1; }
    """

    def __init__(
        self, games: Sequence[tuple[str, str]], players: Sequence[tuple[str, str]], wish: Wish, complaint: str = ""
    ) -> None:
        """``complaint`` says what is wrong with the wish, if anything is."""
        super().__init__()
        self._games, self._players, self._wish, self._complaint = games, players, wish, complaint

    def compose(self) -> ComposeResult:
        wish = self._wish
        with VerticalScroll(can_focus=False) as box:
            box.border_title, box.border_subtitle = "New game", "Enter, F2 start · Tab changes · Esc closes"
            yield from self._row("game", "Game", self._games, wish.game)
            yield from self._row("x", "X", self._players, wish.x)
            yield from self._row("o", "O", self._players, wish.o)
            for id, label, value, example in (
                ("time", "Time", wish.time, "none, 30/move, 5m+3s, or game for its own"),
                ("games", "Games", wish.games, "how many, with sides changing"),
            ):
                with Horizontal(classes="row"):
                    yield Label(label)
                    yield Input(value, placeholder=example, id=id, compact=True)
            yield Static(self._complaint, id="complaint", markup=False)
            with Horizontal(classes="row"):
                yield Button("Start", id="start", compact=True)
                yield Button("Back", id="back", compact=True)

    def on_mount(self) -> None:
        """Where the complaint is of something typed, begin there."""
        for field in self.query(Input):
            if field.value and f"{field.value!r}" in self._complaint:
                field.focus()

    def _row(self, id: str, label: str, options: Sequence[tuple[str, str]], value: str) -> ComposeResult:
        known = [*options] if any(value == text for _, text in options) else [(value, value), *options]
        with Horizontal(classes="row"):
            yield Label(label)
            yield Select(known, value=value, allow_blank=False, id=id, compact=True)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        if event.button.id == "start":
            self.action_start()
        else:
            self.action_leave()

    def on_input_submitted(self) -> None:
        self.action_start()

    def action_leave(self) -> None:
        self.dismiss(None)

    def action_start(self) -> None:
        chosen = {id: str(self.query_one(f"#{id}", Select).value) for id in ("game", "x", "o")}
        typed = {id: self.query_one(f"#{id}", Input).value.strip() for id in ("time", "games")}
        self.dismiss(Wish(**chosen, **typed))
