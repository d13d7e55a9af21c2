"""The full-screen client: a table, or a record, in its window, and everything people do to it."""

import asyncio
import contextlib
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.widgets import Input

from metatac.errors import InvalidArgument, MetatacError
from metatac.game import Move
from metatac.match import Declined, Ended, Offered
from metatac.match.result import other
from metatac.notation import Record
from metatac.players import typed_move
from metatac.render.heat import heat_of_cells
from metatac.table import (
    Analysed,
    Asked,
    Failed,
    GettingReady,
    News,
    NotAnalysed,
    Plan,
    Ready,
    SavedAgain,
    Seats,
    Table,
    Thinking,
    Unsaved,
    plan_game,
    plan_record,
)
from metatac.table.table import NOT_STARTED
from metatac.tui.board import BoardView
from metatac.tui.commands import ask_again, ask_new_game, begin, run_command
from metatac.tui.dialogs import Dialog, Wish
from metatac.tui.ending import show_end
from metatac.tui.entry import Entry
from metatac.tui.panels import MoveList
from metatac.tui.variations import step_out
from metatac.tui.window import Window

LONGEST_PASTE = 200
"""No move takes more characters than this."""
TICK = 0.2
"""Seconds between two looks at the clocks."""
LEAVING, HUNG_UP = 5.0, 129
"""Seconds that leaving may take once the terminal is gone, and the exit status then, as of a hang-up's signal."""


class Client(Window):
    """Keys, the mouse and the news of the table."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(keys, action, show=False)
            for keys, action in (
                ("f1,question_mark", "do('help')"),
                ("f2,ctrl+n", "do('new')"),
                ("f3,exclamation_mark", "do('hint')"),
                ("f4,equals_sign", "do('eval')"),
                ("f5", "do('now')"),
                ("f6,ctrl+z", "do('undo')"),
                ("f7,ctrl+y", "do('redo')"),
                ("f8", "do('sides')"),
                ("f9", "do('panel')"),
                ("f11", "do('theme')"),
                ("ctrl+r", "do('rematch')"),
                ("ctrl+s", "do('save')"),
                ("ctrl+p", "do('pause')"),
                # The arrows and Enter reach this far only in a record: in a game the board takes them.
                ("comma,left", "look_by(-1)"),
                ("full_stop,right", "look_by(1)"),
                ("less_than_sign,home", "look_by(-99999)"),
                ("greater_than_sign,end", "look_by(99999)"),
                ("pageup,up", "look_by(-10)"),
                ("pagedown,down", "look_by(10)"),
                ("enter", "do('line')"),
                ("escape", "escape"),
                ("backspace", "erase"),
            )
        ),
        Binding("f10,ctrl+q,ctrl+c", "do('quit')", show=False, priority=True),
        # Heard before the board hears the keys after it, which may be there already.
        Binding("colon", "command_line", show=False, priority=True),
    ]

    def __init__(
        self,
        plan: Plan | None,
        *,
        record: Record | None = None,
        save: str = "",
        say: str = "",
        keep: bool = True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._asks_first = plan is None and record is None
        if plan is None:
            plan = plan_record(record) if record else plan_game("ultimate", Seats("human", "engine:3"))
        # Other threads use call_later: what they bring is called here, one after the other.
        table = Table(plan, post=self.call_later, listen=self.hear, clock=clock, keep=keep and record is None)
        super().__init__(table, record)
        self.message = say
        self._save_name = save
        self._begun = self._acting = False
        self.farewell = ""
        self._left = threading.Event()

    def on_mount(self) -> None:
        self.take_board()
        self.arrange()
        self.show()
        self.set_interval(TICK, self._tick)
        self._hear_signals()
        # After the first screen, so that it is there at once, whoever has to be loaded.
        if self._asks_first:
            self.call_after_refresh(ask_new_game, self)
        elif self.record is None:
            self.call_after_refresh(self.begin_table)

    def begin_table(self) -> None:
        """Let the game begin, once: by itself, or because somebody has typed a move already."""
        if not self._begun:
            self._begun = True
            self.table.begin()

    def put(self, plan: Plan) -> None:
        """Put another game on the table, whatever was looked at before."""
        self.record = self.looking = self.preparing = None
        self._begun = True
        self.above.clear()
        self.take_board()
        self.table.new_game(plan)

    def _hear_signals(self) -> None:
        """Leave in good order when the terminal is closed or the machine goes down."""
        loop = asyncio.get_running_loop()
        for name in ("SIGHUP", "SIGTERM"):
            # Elsewhere than in a main thread, and on Windows, there is nobody to be told.
            with contextlib.suppress(AttributeError, NotImplementedError, RuntimeError, ValueError):
                loop.add_signal_handler(getattr(signal, name), self.exit)
        if not self.is_headless and sys.stdin.isatty() and hasattr(select, "poll"):
            threading.Thread(target=self._watch_terminal, args=(loop,), name="terminal", daemon=True).start()

    def _watch_terminal(self, loop: asyncio.AbstractEventLoop) -> None:
        """Leave when the terminal is gone, even if no signal says so.

        What is still drawn may then wait for ever to be written: whoever has not left after a while is ended. The game
        is on the disk.
        """
        watch = select.poll()
        watch.register(sys.stdin.fileno(), 0)  # a hang-up is always told
        watch.poll()
        with contextlib.suppress(RuntimeError):  # the loop is closed: it is leaving already
            loop.call_soon_threadsafe(self.exit)
        self._left.wait(LEAVING)
        os._exit(HUNG_UP)

    def take_board(self) -> None:
        """Give the keys to the board where a game is played; a record has no cursor."""
        playing = self.record is None
        self.board.can_focus = playing
        self.set_focus(self.board if playing else None)

    def _tick(self) -> None:
        if self.record is None and self.table.result is None and self.table.deadline is not None:
            self.table.tick()
            self.show_words()

    # -- news of the table

    def hear(self, news: News) -> None:
        """The table has something to tell."""
        if isinstance(news, Thinking | Asked):
            if self.message == NOT_STARTED:
                self.message = ""  # it has
            self.show_words()
        elif isinstance(news, GettingReady):
            if self.analysing:  # which waits for whatever is compiled
                self.preparing_advice = news.line
            if news.seat is not None:
                self.preparing = news
            self.show_words()
        elif isinstance(news, Ready):
            if self.preparing is not None and self.preparing.seat == news.seat:
                self.preparing = None
            self.show_words()
        elif isinstance(news, Analysed):
            self._analysed(news)
        elif isinstance(news, NotAnalysed):
            self.analysing = self.preparing_advice = ""
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
            self.show()
            self.say(f"{self.table.seats.name(news.seat)} cannot play this: {news.message}")
            ask_new_game(self)
        else:
            self._changed(news)

    def _changed(self, news: News) -> None:
        """The board is another one."""
        self.entry = Entry(self.table.position)
        self.forget_advice()
        self.looking = None
        self.message = ""
        self.arrange()
        self.show()
        if isinstance(news, Ended):
            show_end(self, surprising=not self._acting)

    def _analysed(self, news: Analysed) -> None:
        self.analysis, self.preparing_advice = news.analysis, ""
        position, depth = self.position, self.position.rules.depth
        if self.analysing == "eval":
            self.heat = heat_of_cells(position, news.analysis.heat())
        elif news.done and news.analysis.moves:
            best = news.analysis.best.move
            self.hinted = frozenset((*best[: depth - 1], cell) for cell in best[depth - 1 :])
            self.message = f"{news.analysis.by} would play {best}."
            if best:
                self.board.put_cursor(best[:depth])
        if news.done:
            self.analysing = ""
        self.show()

    def forget_advice(self) -> None:
        self.table.stop_analysis()
        self.analysis, self.analysing, self.preparing_advice = None, "", ""
        self.heat, self.hinted = {}, frozenset()

    def _offered(self, news: Offered) -> None:
        judge = other(news.seat)
        if judge not in self.table.people:
            self.say("A draw is offered.")
            return

        def answer(button: str | None) -> None:
            self.try_to(lambda: self.table.answer(button == "yes"))

        text = f"{news.seat} offers a draw. Does {judge} accept?"
        self.push_screen(Dialog("Draw?", text, (("yes", "Accept"), ("no", "Decline"))), answer)

    def wished(self, wish: Wish | None) -> None:
        """The dialog of a new game was closed, with or without a wish."""
        if wish is not None and not self.try_to(lambda: begin(self, wish)):
            self.call_later(ask_again, self, wish)
            return
        asked_first, self._asks_first = self._asks_first, False
        if wish is None and asked_first:
            self.try_to(self.begin_table)

    # -- keys

    def try_to(self, action: Callable[[], object]) -> bool:
        """Do something, or say why it cannot be done; whether it was done."""
        self._acting = True
        try:
            action()
            return True
        except MetatacError as error:
            self.say(str(error).partition(" (position: ")[0])
        except OSError as error:
            self.say(f"{error.filename or ''}: {error.strerror or error}")
        finally:
            self._acting = False
        return False

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
        self.try_to(lambda: self.advance(self.my_entry().typed(char)))

    def on_paste(self, event: events.Paste) -> None:
        text = event.text.strip()
        if isinstance(self.focused, Input) or self.screen.is_modal or not text:
            return
        if len(text) > LONGEST_PASTE:
            self.say(f"{len(text):,} characters were pasted, and no move has so many.")
        else:
            self.try_to(lambda: self.play(typed_move(self.position, text)))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Where text is typed a colon is a character like others."""
        if action == "command_line" and (isinstance(self.focused, Input) or self.screen.is_modal):
            return False
        return super().check_action(action, parameters)

    def action_command_line(self) -> None:
        self.typing.value = ""
        self._open_prompt(True)
        self.set_focus(self.typing)

    def _open_prompt(self, is_open: bool) -> None:
        self.prompt.set_class(is_open, "shown")
        self.footer.display = not is_open

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if event.input is self.typing:
            self._open_prompt(False)
            self.set_focus(self.board if self.record is None else None)
            self.action_do(event.value.lstrip(":"))

    def action_escape(self) -> None:
        """Esc leaves the command line, what was typed, the advice, where one was looking, or a line; one at a time."""
        if isinstance(self.focused, Input):
            self._open_prompt(False)
            self.set_focus(self.board if self.record is None else None)
        elif self.entry.numbers:
            self.advance(Entry(self.table.position))
        elif self.message:
            self.say("")
        elif self.heat or self.hinted or self.analysing:
            self.forget_advice()
            self.show()
        elif self.looking is not None and self.record is None:
            self.look(len(self.table.match.plies))
        elif self.above:
            step_out(self)

    def action_erase(self) -> None:
        self.message = ""
        self.advance(self.entry.back())

    # -- moving

    def on_board_view_chosen(self, event: BoardView.Chosen) -> None:
        self.message = ""
        self.try_to(lambda: self.advance(self.my_entry().chosen(event.path)))

    def on_board_view_moved(self, event: BoardView.Moved) -> None:
        self.show_map()
        self.show_words()

    def my_entry(self) -> Entry:
        """The move that is being entered; InvalidArgument where it is not for people to move now."""
        table = self.table
        if self.record is not None:
            raise InvalidArgument("this is a record; :play plays on from here")
        if self.looking is not None:
            raise InvalidArgument(f"this is the position after {self.looking} moves; > returns to the present one")
        if table.result is not None:
            raise InvalidArgument(f"the game is over: {table.result}. F2 begins another")
        if table.turn not in table.people:
            raise InvalidArgument(f"it is {table.seats.name(table.turn)}'s turn; F5 has it answer at once")
        self.begin_table()
        return self.entry

    def advance(self, entry: Entry) -> None:
        """Go on with a move that is being entered, and make it when it is complete.

        One that cannot be made yet leaves what was entered before its last letter.
        """
        if entry.move is not None:
            self.table.play(entry.move)
            return
        self.entry = entry
        if entry.numbers:
            self.board.put_cursor(entry.numbers)
        self.show()

    def play(self, move: Move) -> None:
        self.my_entry()
        self.table.play(move)

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

    # -- leaving

    def close_table(self) -> None:
        """Let everybody go, and remember what is to be said about the game."""
        words = []
        if self._save_name and self.table.match.plies and self.record is None:
            try:
                words.append(f"The game is in {self.table.save(self._save_name)}.")
            except OSError as error:
                words.append(f"{error.filename}: {error.strerror}. The game is not saved there.")
        self.table.close()
        if self.record is None:
            words.append(self.table.farewell())
        self.farewell = "\n".join(filter(None, words))
        self._left.set()
