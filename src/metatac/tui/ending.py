"""The end of a game: how it ended, and what comes next."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from textual.widgets import Button

from metatac.tui.commands import ask_new_game, rematch
from metatac.tui.dialogs import Dialog

if TYPE_CHECKING:
    from metatac.tui.client import Client

LONGEST_DETAIL = 200
"""Characters of what a program said when it failed."""
MOMENT = 1.0
"""Seconds in which keys that were meant for the board may still come, where the end came by surprise."""


class Ending(Dialog):
    """How a game ended and what comes next; as far as there is room the board stays in sight.

    An end that nobody has brought about by a key may come while somebody presses one: it takes none for a moment.
    """

    AUTO_FOCUS = ""

    DEFAULT_CSS = """
    Ending { align: right bottom; background: transparent; }
    Ending > Vertical { margin-bottom: 2; }
    """

    def __init__(self, title: str, text: str, buttons: Sequence[tuple[str, str]], *, surprising: bool) -> None:
        super().__init__(title, text, buttons)
        self._surprising = surprising

    def on_mount(self) -> None:
        if self._surprising:
            self._enable(False)
            self.set_timer(MOMENT, self._take_keys)
        else:
            self._take_keys()

    def _take_keys(self) -> None:
        self._enable(True)
        self.query(Button).first().focus()

    def _enable(self, enabled: bool) -> None:
        for button in self.query(Button):
            button.disabled = not enabled


def show_end(client: "Client", *, surprising: bool) -> None:
    """Say how the game ended, and do what is chosen then."""
    table, result, series = client.table, client.table.result, client.table.series
    if result is None or isinstance(client.screen, Ending):
        return
    x, o = result.points
    lines = [f"{result.reason}, {x:g} to {o:g}, after {len(table.match.plies)} moves"]
    if result.detail:
        lines.append(result.detail[:LONGEST_DETAIL])
    if series.games > 1:
        lines.append(f"Score after {len(series.results)} of {series.games} games: {client.series_text()}")
    again = "Rematch" if series.over else "Next game"
    chosen: dict[str | None, Callable[[], object]] = {
        "again": lambda: rematch(client),
        "new": lambda: ask_new_game(client),
        "quit": client.exit,
    }
    buttons = (("again", again), ("new", "New game"), ("look", "Look at it"), ("quit", "Quit"))
    screen = Ending(table.verdict, "\n".join(lines), buttons, surprising=surprising)

    def choose(button: str | None) -> None:
        client.show_words()  # other keys help now
        if button in chosen:
            client.try_to(chosen[button])

    client.push_screen(screen, choose)
    client.show_words()
