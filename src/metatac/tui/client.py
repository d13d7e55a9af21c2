"""The full-screen client: a table, or a record, on the screen, and everything people do to it."""

import os
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.theme import Theme
from textual.widgets import Input, Static

from metatac.errors import InvalidArgument, MetatacError
from metatac.game import Move, Position
from metatac.match import Declined, Ended, Offered, Played
from metatac.match.result import other
from metatac.notation import Record
from metatac.players import typed_move
from metatac.render.heat import heat_of_cells
from metatac.rules import load_rules
from metatac.table import (
    Analysed,
    Asked,
    Failed,
    GettingReady,
    News,
    NotAnalysed,
    Plan,
    SavedAgain,
    Seats,
    Table,
    Thinking,
    Unsaved,
    plan_game,
    plan_record,
)
from metatac.tui.board import BoardView, board_width
from metatac.tui.commands import run_command
from metatac.tui.dialogs import Dialog, Ending, NewGame, Reading, Wish
from metatac.tui.entry import Entry
from metatac.tui.help import help_text
from metatac.tui.palette import DARK, LIGHT, PLAIN, Palette
from metatac.tui.panels import Listed, MiniMap, MoveList
from metatac.tui.scene import Scene
from metatac.tui.words import footer_text, info_text, note_of, players_text, status_text

if TYPE_CHECKING:
    from metatac.engine.results import Analysis

SIDE = 28
"""Columns that the panel beside the board wants at least."""
ROOMY = 100
"""From this width on the panel has its place; on narrower windows the board comes first."""
CHROME = 3
"""Lines above and below the board."""
SMALLEST = (20, 8)
"""Columns and lines below which there is nothing sensible to show."""
LONGEST_PASTE = 200
"""No move takes more characters than this."""


class Client(App[None]):
    """One window: the players above, the board, the moves beside it, and below why one is sent where one is."""

    TITLE = "metatac"
    ENABLE_COMMAND_PALETTE = False
    CSS = """
    * { scrollbar-color: $panel; scrollbar-color-hover: $accent; scrollbar-color-active: $accent;
        scrollbar-background: $background; scrollbar-background-hover: $background;
        scrollbar-background-active: $background; scrollbar-corner-color: $background; }
    #middle { height: 1fr; background: $background; }
    #side { width: 30; height: 1fr; padding: 0 0 0 1; background: $background; display: none; }
    #side.shown { display: block; }
    #info { height: auto; min-height: 3; max-height: 50%; }
    #map { height: auto; display: none; margin-top: 1; }
    #map.shown { display: block; }
    #players, #status, #footer { height: 1; background: $background; }
    #command { display: none; height: 1; border: none; padding: 0; background: $surface; }
    #command.shown { display: block; }
    #tiny { display: none; width: 1fr; height: 1fr; content-align: center middle; }
    .tiny #tiny { display: block; }
    .tiny #players, .tiny #middle, .tiny #status, .tiny #footer, .tiny #command { display: none; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1,question_mark", "do('help')", show=False),
        Binding("f2,ctrl+n", "do('new')", show=False),
        Binding("f3,exclamation_mark", "do('hint')", show=False),
        Binding("f4,equals_sign", "do('eval')", show=False),
        Binding("f5", "do('now')", show=False),
        Binding("f6,ctrl+z", "do('undo')", show=False),
        Binding("f7,ctrl+y", "do('redo')", show=False),
        Binding("f8", "do('sides')", show=False),
        Binding("f9", "do('panel')", show=False),
        Binding("f10,ctrl+q,ctrl+c", "do('quit')", show=False, priority=True),
        Binding("f11", "do('theme')", show=False),
        Binding("ctrl+r", "do('rematch')", show=False),
        Binding("ctrl+s", "do('save')", show=False),
        Binding("ctrl+p", "do('pause')", show=False),
        Binding("comma,left", "look_by(-1)", show=False),
        Binding("full_stop,right", "look_by(1)", show=False),
        Binding("less_than_sign,home", "look_by(-99999)", show=False),
        Binding("greater_than_sign,end", "look_by(99999)", show=False),
        Binding("pageup,up", "look_by(-10)", show=False),
        Binding("pagedown,down", "look_by(10)", show=False),
        Binding("colon", "command_line", show=False),
        Binding("escape", "back", show=False),
        Binding("backspace", "erase", show=False),
    ]

    def __init__(
        self, plan: Plan | None, *, record: Record | None = None, save: str = "", keep: bool = True
    ) -> None:
        # Without colours Textual would still use greys; with the terminal's own it leaves them all out.
        super().__init__(ansi_color=True if "NO_COLOR" in os.environ else None)
        self.palette: Palette = PLAIN if self.no_color else DARK
        for palette in (DARK, LIGHT):
            self.register_theme(_theme(palette))
        self.theme = "metatac-dark"
        self.record, self._save_name, self._asks_first = record, save, plan is None and record is None
        if plan is None:
            plan = plan_record(record) if record else plan_game(load_rules("ultimate"), Seats("human", "engine:3"))
        self.table = Table(plan, post=self._post, listen=self.hear, keep=keep and record is None)
        self.looking: int | None = 0 if record else None
        """How many moves stand in the position that is looked at; None: the present one."""
        self.entry = Entry(self.table.position)
        self.analysis: Analysis | None = None
        self.analysing = ""
        """What is being found out in the background: ``hint`` or ``eval``."""
        self.heat: dict[tuple[int, ...], float] = {}
        self.hinted: frozenset[tuple[int, ...]] = frozenset()
        self.message = ""
        self.farewell = ""
        self._panel: bool | None = None
        """Whether somebody wants the panel beside the board; None: where there is room."""

    # -- the window

    def compose(self) -> ComposeResult:
        yield Static(id="players")
        with Horizontal(id="middle"):
            yield BoardView(self.scene, self.palette, id="board")
            with Vertical(id="side"):
                yield Static(id="info")
                yield MoveList(id="moves")
                yield MiniMap(id="map")
        yield Static(id="status")
        yield Static(id="footer")
        yield Input(id="command", max_length=300, compact=True)
        yield Static("Make this window larger.", id="tiny")

    def on_mount(self) -> None:
        self.board.can_focus = self.record is None
        self.board.shows_cursor = self.record is None
        if self.record is None:
            self.board.focus()
        self.arrange()
        self.show()
        self.set_interval(0.2, self._tick)
        if self._asks_first:
            self.ask_new_game()
        elif self.record is None:
            # After the first screen, so that it is there at once whoever has to be loaded.
            self.call_after_refresh(self.table.begin)

    def on_resize(self, event: events.Resize) -> None:
        self.screen.set_class(event.size.width < SMALLEST[0] or event.size.height < SMALLEST[1], "tiny")
        self.arrange()
        self.show()

    def arrange(self) -> None:
        """Give the panel its place beside the board, or leave it out."""
        width, height = self.size.width, self.size.height - CHROME
        wide = width >= ROOMY if self._panel is None else self._panel
        board = board_width(self.scene, width - SIDE if wide else width, height)
        rest = width - board
        shown = self._panel is True or (self._panel is None and rest >= SIDE)
        side = self.query_one("#side")
        side.set_class(shown, "shown")
        side.styles.width = max(SIDE, min(44, rest))

    @property
    def board(self) -> BoardView:
        return self.query_one("#board", BoardView)

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
        if not self.is_mounted or not self.query("#board"):
            return
        scene = self.scene
        self.board.show(scene)
        self.query_one("#moves", MoveList).show(self._listed(), self.plies, self.palette)
        drawn = self.board.drawing.geometry
        scrolls = drawn.width > self.board.size.width or drawn.height > self.board.size.height
        small = self.query_one("#map", MiniMap)
        small.set_class(scrolls and scene.position.rules.depth > 1, "shown")
        if scrolls:
            side = scene.position.rules.side
            small.show(scene, self.palette, (self.board.cursor[0] // side, self.board.cursor[1] // side))
        self.show_words()

    def show_words(self) -> None:
        """Draw only the lines of text: clocks, thoughts and messages change more often than the board."""
        width = self.size.width
        self.query_one("#players", Static).update(players_text(self, width))
        self.query_one("#status", Static).update(status_text(self, width))
        self.query_one("#footer", Static).update(footer_text(self, width))
        self.query_one("#info", Static).update(info_text(self))

    def _listed(self) -> list[Listed]:
        match, record = self.table.match, self.record
        plies = record.plies if record is not None else ()
        listed = []
        for number, ply in enumerate(match.plies):
            note = note_of(plies[number]) if number < len(plies) else note_of(ply)
            listed.append(Listed(number + 1, match.positions[number].turn, ply.move, note))
        position = match.position
        for move in self.table.redo_moves:
            listed.append(Listed(len(listed) + 1, position.turn, move, undone=True))
            position = position.play(move)
        return listed

    def say(self, message: str) -> None:
        """Tell something in the last line, until the next key."""
        self.message = message
        self.show_words()

    def _tick(self) -> None:
        if self.table.waiting in ("person", "computer") and self.record is None:
            if self.table.deadline is not None:
                self.table.tick()
            self.show_words()

    # -- news of the table

    def _post(self, call: Callable[[], None]) -> None:
        """Have something called here; other threads use this."""
        self.call_later(call)

    def hear(self, news: News) -> None:
        """The table has something to tell."""
        if isinstance(news, Thinking | GettingReady):
            self.message = news.line if isinstance(news, GettingReady) else self.message
            self.show_words()
        elif isinstance(news, Analysed):
            self._analysed(news)
        elif isinstance(news, NotAnalysed):
            self.analysing = ""
            self.say(news.message)
        elif isinstance(news, Unsaved):
            self.say(f"The game cannot be saved: {news.message}. It is tried again after each move.")
        elif isinstance(news, SavedAgain):
            self.say("The game is saved again.")
        elif isinstance(news, Offered):
            self._offered(news)
        elif isinstance(news, Declined):
            self.say(f"{news.seat} does not agree to a draw.")
        elif isinstance(news, Failed):
            self.say(f"{self.table.seats.name(news.seat)} cannot play this: {news.message}")
            self.ask_new_game()
        else:
            self._changed(news)

    def _changed(self, news: News) -> None:
        """The board, or whose turn it is, is another."""
        self.entry = Entry(self.table.position)
        if not isinstance(news, Asked):
            self.forget_advice()
            self.looking = None
            self.message = ""
        if isinstance(news, Played):
            self.bell_if_wanted(news)
        self.arrange()
        self.show()
        if isinstance(news, Ended):
            self.call_after_refresh(self._ended)

    def bell_if_wanted(self, news: Played) -> None:
        """The computer has answered: the board's cursor waits where one may play."""
        if news.seat not in self.table.people and self.table.people:
            self.board.shows_cursor = True

    def _analysed(self, news: Analysed) -> None:
        self.analysis = news.analysis
        position = self.position
        if self.analysing == "eval":
            self.heat = heat_of_cells(position, news.analysis.heat())
        elif news.done and news.analysis.moves:
            best, depth = news.analysis.best.move, position.rules.depth
            self.hinted = frozenset((*best[: depth - 1], cell) for cell in best[depth - 1 :])
            self.message = f"{news.analysis.by} would play {best}."
            if best:
                self.board.put_cursor(best[:depth])
        if news.done:
            self.analysing = ""
        self.show()

    def forget_advice(self) -> None:
        self.table.stop_analysis()
        self.analysis, self.analysing = None, ""
        self.heat, self.hinted = {}, frozenset()

    def _offered(self, news: Offered) -> None:
        judge = other(news.seat)
        if judge in self.table.people:
            text = f"{news.seat} offers a draw. Does {judge} accept?"
            buttons = (("yes", "Accept"), ("no", "Decline"))
            self.push_screen(Dialog("Draw?", text, buttons), lambda answer: self.try_to(lambda: self.table.answer(answer == "yes")))
        else:
            self.say("A draw is offered.")

    def _ended(self) -> None:
        result = self.table.result
        if result is None or isinstance(self.screen, Ending):
            return
        x, o = result.points
        who = f"{result.winner} ({self.table.seats.name(result.winner)}) wins" if result.winner else "Nobody wins"
        lines = [f"{result.reason}, {x:g} to {o:g}, after {len(self.table.match.plies)} moves"]
        if result.detail:
            lines.append(result.detail[:200])
        series = self.table.series
        if series.games > 1:
            lines.append(f"Score after {len(series.results)} of {series.games} games: {self.series_text()}")
        again = [("next", "Next game")] if not series.over else [("rematch", "Rematch")]
        buttons = [*again, ("new", "New game"), ("look", "Look at the game"), ("quit", "Quit")]
        self.push_screen(Ending(who, "\n".join(lines), buttons), self._after_end)

    def series_text(self) -> str:
        """The score of the series, the one who had X first named first."""
        names = self.table.seats.names
        finished = len(self.table.series.results)
        now = finished - 1 if self.table.result is not None else finished
        return self.table.series.text(*(names if now % 2 == 0 else names[::-1]))

    def _after_end(self, answer: str | None) -> None:
        chosen = {"next": self.table.next_game, "rematch": self.rematch, "new": self.ask_new_game, "quit": self.leave}
        if answer in chosen:
            self.try_to(chosen[answer])

    # -- keys

    def try_to(self, action: Callable[[], object]) -> None:
        """Do something, or say why it cannot be done."""
        try:
            action()
        except MetatacError as error:
            self.say(str(error).partition(" (position: ")[0])
        except OSError as error:
            self.say(f"{error.filename or ''}: {error.strerror or error}")

    def action_do(self, line: str) -> None:
        self.message = ""
        self.try_to(lambda: run_command(self, line))

    def on_key(self, event: events.Key) -> None:
        """Letters are moves."""
        char = event.character
        if char is None or not char.isalpha() or isinstance(self.focused, Input) or self.screen.is_modal:
            return
        event.stop()
        self.message = ""
        self.try_to(lambda: self.advance(self._my_entry().typed(char)))

    def on_paste(self, event: events.Paste) -> None:
        if isinstance(self.focused, Input) or self.screen.is_modal:
            return
        text = event.text.strip()
        if len(text) > LONGEST_PASTE:
            self.say(f"{len(text):,} characters were pasted, and no move has so many.")
        elif text:
            self.try_to(lambda: self.play_typed(text))

    def action_command_line(self) -> None:
        field = self.query_one("#command", Input)
        field.value = ""
        field.add_class("shown")
        self.query_one("#footer").display = False
        field.focus()

    def _close_command_line(self) -> None:
        self.query_one("#command").remove_class("shown")
        self.query_one("#footer").display = True
        self.set_focus(self.board if self.board.can_focus else None)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if event.input.id == "command":
            self._close_command_line()
            self.action_do(event.value.lstrip(":"))

    def action_back(self) -> None:
        """Esc: leave the command line, forget what was typed, the advice, or where one was looking; one at a time."""
        if isinstance(self.focused, Input):
            self._close_command_line()
        elif self.entry.numbers:
            self.advance(Entry(self.table.position))
        elif self.message:
            self.say("")
        elif self.heat or self.hinted or self.analysing:
            self.forget_advice()
            self.show()
        elif self.looking is not None and self.record is None:
            self.look(len(self.table.match.plies))

    def action_erase(self) -> None:
        self.message = ""
        self.advance(self.entry.back())

    # -- moving

    def on_board_view_chosen(self, event: BoardView.Chosen) -> None:
        self.message = ""
        self.try_to(lambda: self.advance(self._my_entry().chosen(event.path)))

    def on_board_view_moved(self, event: BoardView.Moved) -> None:
        self.show_words()

    def _my_entry(self) -> Entry:
        """The move that is being entered; InvalidArgument where it is nobody's turn to do so."""
        table = self.table
        if self.record is not None:
            raise InvalidArgument("this is a record; :play plays on from here")
        if self.looking is not None:
            raise InvalidArgument(f"this is the position after {self.looking} moves; > returns to the present one")
        if table.waiting == "computer" or (table.waiting == "ready" and table.turn not in table.people):
            raise InvalidArgument(f"it is {table.seats.name(table.turn)}'s turn; F5 has it answer at once")
        if table.result is not None:
            raise InvalidArgument(f"the game is over: {table.result}. F2 begins another")
        return self.entry

    def advance(self, entry: Entry) -> None:
        """Go on with a move that is being entered, and make it when it is complete."""
        move = entry.move
        if move is not None:
            self.entry = Entry(self.table.position)
            self.table.play(move)
            return
        self.entry = entry
        if entry.numbers:
            self.board.put_cursor(entry.numbers)
        self.show()

    def play(self, move: Move) -> None:
        self._my_entry()
        self.table.play(move)

    def play_typed(self, text: str) -> None:
        self.play(typed_move(self.position, text))

    def look(self, ply: int) -> None:
        """Show the position after so many moves."""
        last = len(self.table.match.plies)
        ply = max(0, min(last, ply))
        self.forget_advice()
        self.looking = None if ply == last and self.record is None else ply
        self.show()

    def action_look_by(self, moves: int) -> None:
        self.message = ""
        self.look(self.plies + moves)

    def on_move_list_picked(self, event: MoveList.Picked) -> None:
        if event.ply > len(self.table.match.plies):
            self.try_to(lambda: self.table.jump(event.ply))
        else:
            self.look(event.ply)

    # -- what the commands do

    def undo(self, moves: int) -> None:
        self.table.undo(moves)

    def redo(self, moves: int) -> None:
        self.table.redo(moves)

    def hint(self, by: str) -> None:
        self._advise("hint", by, 1)

    def evaluate(self, by: str) -> None:
        if self.heat and not by:
            self.forget_advice()
            self.show()
        else:
            self._advise("eval", by, None)

    def _advise(self, what: str, by: str, lines: int | None) -> None:
        if self.position.outcome is not None:
            raise InvalidArgument("the game is over: there are no moves to value")
        self.forget_advice()
        self.analysing = what
        self.table.analyse(by or None, lines=lines, position=self.position)
        self.show()

    def move_now(self) -> None:
        if self.table.waiting != "computer":
            raise InvalidArgument("no computer is thinking")
        self.table.move_now()

    def pause(self) -> None:
        if self.table.waiting == "paused":
            self.table.resume_play()
        else:
            self.table.pause()
            self.say("Paused; Ctrl+P goes on.")

    def rematch(self) -> None:
        """The same game again with sides changed."""
        plan = self.table.plan.again()
        self.record = None
        seats = plan.seats.swapped()
        self.table.new_game(plan_game(plan.match.start, seats, time=plan.match.time))

    def play_from_here(self) -> None:
        """A game of one's own from the position that is looked at."""
        seats = Seats() if self.record is not None else self.table.seats
        position = self.position
        self.record, self.looking = None, None
        self.board.can_focus = True
        self.board.focus()
        self.table.new_game(plan_game(position, seats))

    def save(self, name: str) -> None:
        self.say(f"The game so far is in {self.table.save(name)}.")

    def load(self, name: str) -> None:
        if not name:
            raise InvalidArgument("load which file? :load FILE")
        self.table.load(name)

    def tell_time(self) -> None:
        left = {seat: self.table.remaining_of(seat) for seat in ("X", "O")}
        shown = ", ".join(f"{seat} {seconds:.0f} s" for seat, seconds in left.items() if seconds is not None)
        self.say(f"Time control: {self.table.match.time}{'; ' if shown else ''}{shown}.")

    def toggle_panel(self) -> None:
        self._panel = not self.query_one("#side").has_class("shown")
        self.arrange()
        self.call_after_refresh(self.show)

    def set_scheme(self, name: str) -> None:
        if self.no_color:
            raise InvalidArgument("there are no colours: NO_COLOR is set")
        schemes = {"dark": DARK, "light": LIGHT, "": LIGHT if self.palette is DARK else DARK}
        if name not in schemes:
            raise InvalidArgument(f"a theme is dark or light, not {name[:40]!r}")
        self.palette = schemes[name]
        self.theme = f"metatac-{self.palette.name}"
        self.board.repaint(self.palette)
        self.show()

    def show_rules(self) -> None:
        self.push_screen(Reading("metatac", help_text(self.table.match.rules, self.palette)))

    def ask_resign(self) -> None:
        buttons = (("no", "Play on"), ("yes", "Resign"))
        self.push_screen(
            Dialog("Resign?", "The opponent wins then.", buttons),
            lambda answer: self.try_to(self.table.resign) if answer == "yes" else None,
        )

    def ask_new_game(self, game: str = "") -> None:
        from metatac.tui.choices import game_choices, player_choices

        if isinstance(self.screen, NewGame):
            return
        rules, seats = self.table.match.rules, self.table.seats
        if game:
            load_rules(game)
        wish = Wish(game or rules.spec, seats.x, seats.o, str(self.table.match.time), str(self.table.series.games))
        self.push_screen(NewGame(game_choices(rules), player_choices(), wish), self._wished)

    def _wished(self, wish: Wish | None) -> None:
        if wish is None:
            if self.table.waiting == "ready" and self._asks_first:
                self.try_to(self.table.begin)
            self._asks_first = False
            return
        self._asks_first = False
        self.try_to(lambda: self._begin(wish))

    def _begin(self, wish: Wish) -> None:
        if not (wish.games.isascii() and wish.games.isdigit() and 0 < int(wish.games[:9])):
            raise InvalidArgument(f"a number of games is wanted, not {wish.games[:40]!r}")
        seats = replace(self.table.seats, x=wish.x, o=wish.o)
        time = None if wish.time == "game" else wish.time or "none"
        plan = plan_game(load_rules(wish.game), seats, time=time, games=int(wish.games[:9]))
        self.record, self.looking = None, None
        self.board.can_focus = True
        self.board.focus()
        self.table.new_game(plan)

    # -- leaving

    def leave(self) -> None:
        self.exit()

    def close_table(self) -> None:
        """Let everybody go, and remember what is to be said about the game."""
        if self._save_name and self.table.match.plies and self.record is None:
            self.try_to_save()
        self.table.close()
        self.farewell = "\n".join(filter(None, (self.farewell, self.table.farewell() if self.record is None else "")))

    def try_to_save(self) -> None:
        try:
            self.farewell = f"The game is in {self.table.save(self._save_name)}."
        except OSError as error:
            self.farewell = f"{error.filename}: {error.strerror}. The game is not saved there."


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
