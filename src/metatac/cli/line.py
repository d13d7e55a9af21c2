"""A game at the table line by line: what is shown, asked and understood where there is no full screen.

Everything that is told is a sentence or a drawing of its own, and nothing is drawn over: it can be read aloud, and
a script at the other end of a pipe can play.
"""

import time
from collections.abc import Callable

from metatac.cli.line_view import WORDS, ending, heading, score
from metatac.cli.screen import count_of, draw, rules_text, wrapped
from metatac.cli.waiting import Calls, TimeUp, alarm
from metatac.errors import MatchError, MetatacError
from metatac.game.outcome import counted
from metatac.match import Declined, Ended, Instead, OfferDraw, Offered, Played, Seat
from metatac.match.result import other
from metatac.players.human import HumanPlayer
from metatac.render import position_words
from metatac.table import (
    Analysed,
    Failed,
    GettingReady,
    News,
    NotAnalysed,
    Plan,
    Ready,
    SavedAgain,
    Table,
    Unsaved,
)

AT_ONCE = 0.1
"""Seconds that are waited at first, so that a player that refuses a game does so before the first move."""
PATIENCE = 0.5
"""Seconds of silence after which it is said what is waited for."""
ALONE = ("sides", "new")
"""Words that change the game, and with which nothing else is meant."""


class Quit(Exception):
    """Somebody at the keyboard wants to leave."""


class Again(Exception):
    """The board is another, or the game over: whoever is to move is asked anew."""


class LineClient:
    """A table in the terminal. People share the keyboard: they are asked with ``ask`` and told with ``tell``."""

    def __init__(
        self,
        plan: Plan,
        *,
        ask: Callable[[str], str] = input,
        tell: Callable[[str], object] = print,
        clock: Callable[[], float] = time.monotonic,
        words: bool = False,
        save: str = "",
        terminal: int | None = None,
    ) -> None:
        """``terminal`` is where people type while a computer thinks; from a pipe nothing is read before it is asked."""
        self.ask, self.tell, self.words, self.save_to = ask, tell, words, save
        self.failed = False
        """Whether something could not be saved that was to be."""
        self._calls = Calls(terminal)
        self._ahead: list[str] = []
        """Lines that were typed before they were asked for."""
        self._words_of: dict[str, Callable[[str], object]] = {
            "undo": self._undo,
            "redo": self._redo,
            "hint": lambda rest: self._advise(rest, 1),
            "eval": lambda rest: self._advise(rest, None),
            "now": lambda rest: self.tell("No computer is thinking."),
            "sides": lambda rest: self._change(self.table.swap_sides),
            "new": lambda rest: self._change(self.table.new_game),
            "board": lambda rest: self._show_board(),
            "words": lambda rest: self._say_board(),
            "moves": lambda rest: self._show_moves(),
            "rules": lambda rest: self._show_rules(),
            "save": self._save,
            "quit": self._quit,
            "exit": self._quit,
        }
        self._analysed: Analysed | NotAnalysed | None = None
        self._awaited: set[Seat] = set()
        """The computers of which it was said that they are getting ready."""
        self.table = Table(plan, post=self._calls.post, listen=self._hear, clock=clock)

    def play(self) -> None:
        """Play until the last game is over or somebody leaves; the table is closed then, whatever happens."""
        try:
            self._explain(heading(self.table))
            self.table.begin()
            self._wait_for(self._all_ready, AT_ONCE)
            if self.table.people:
                self._show_board()
            self._play_on()
        except (Quit, EOFError) as leaving:
            # Ctrl-D leaves the cursor behind the prompt.
            line = "\n" if isinstance(leaving, EOFError) else ""
            self.tell(f"{line}The game is left after {count_of(len(self.table.match.plies), 'move')}.")
        except KeyboardInterrupt:
            self.tell("")
            raise
        finally:
            self._leave()

    def _play_on(self) -> None:
        table = self.table
        while True:
            if table.waiting == "person":
                self._persons_turn()
            elif table.waiting == "over":
                if table.series.games > 1:
                    self.tell(score(table))
                if table.series.over:
                    return
                self._add_to_file()
                table.next_game()
                self._explain(heading(self.table))
            elif table.waiting == "paused":
                table.resume_play()
            else:
                self._wait_for(lambda: table.waiting not in ("computer", "ready"))

    def _leave(self) -> None:
        try:
            self._add_to_file()
        finally:  # even where nobody listens any more
            self.table.close()
            self._calls.close()
        words = self.table.farewell()
        self.failed = self.failed or words.startswith("The game is not saved")
        if words:
            self.tell(words)

    # -- waiting

    def _all_ready(self) -> bool:
        return self.table.is_ready("X") and self.table.is_ready("O")

    def _wait_for(self, done: Callable[[], bool], most: float | None = None) -> None:
        """Let the news come in until it is done, or so many seconds are over; who overruns meanwhile loses."""
        begin, said = time.monotonic(), False
        while not done():
            waited = time.monotonic() - begin
            if most is not None and waited >= most:
                return
            if not said and waited >= PATIENCE and most is None:
                self._say_what_is_waited_for()
                said = True
            self._next_call(most, begin, said)

    def _next_call(self, most: float | None, begin: float, said: bool) -> None:
        deadline = self.table.deadline
        ends = [] if deadline is None else [max(0.0, deadline - self.table.clock())]
        if most is not None:
            ends.append(max(0.0, begin + most - time.monotonic()))
        elif not said:
            ends.append(max(0.0, begin + PATIENCE - time.monotonic()))
        taken = self._calls.take(min(ends, default=None))
        if taken is None:
            self.table.tick()
        elif isinstance(taken, list):
            self._overhear(taken)
        else:
            taken()

    def _overhear(self, lines: list[str]) -> None:
        """Enter, or ``now``, has the computer move at once; other lines answer the next questions."""
        for line in lines:
            if line.strip().lower() in ("", "now"):
                self.table.move_now()
            else:
                self._ahead.append(line)

    def _say_what_is_waited_for(self) -> None:
        for seat in ("X", "O"):
            if not self.table.is_ready(seat):
                self.tell(f"{self.table.seats.name(seat)} is getting ready …")
                self._awaited.add(seat)
        self._say_who_thinks()

    def _say_who_thinks(self) -> None:
        table = self.table
        if self._calls.listens and table.waiting == "computer" and table.is_ready(table.turn):
            self.tell(f"{table.seats.name(table.turn)} is thinking; Enter has it move at once.")

    def _hear_all(self) -> None:
        """Take in what has come meanwhile."""
        while (call := self._calls.posted()) is not None:
            call()

    # -- what is shown

    def _explain(self, text: str) -> None:
        self.tell(wrapped(text))

    def _show_board(self) -> None:
        table = self.table
        if self.words:
            self._say_board()
            return
        self.tell(draw(table.position, table.last_move, status=table.result is None))
        rules = table.match.rules
        if rules.count != "nothing" and table.result is None:
            x, o = counted(table.position)
            what = "Points" if rules.points == "count" else rules.count.capitalize()
            self.tell(f"{what} so far: X {x}, O {o}.")

    def _say_board(self) -> None:
        self._explain(position_words(self.table.position, self.table.last_move))

    def _show_moves(self) -> None:
        moves = self.table.match.moves
        played = " ".join(f"{number}. {move}" for number, move in enumerate(moves, 1)) or "none"
        legal = " ".join(map(str, self.table.position.legal_moves))
        self._explain(f"Moves so far: {played}\nMoves that may be made: {legal}")

    def _show_rules(self) -> None:
        self.tell(rules_text(self.table.match.rules) or self.table.match.rules.to_toml())

    def _hear(self, news: News) -> None:
        table = self.table
        if isinstance(news, Played):
            self.tell(f"{len(table.match.plies)}. {news.seat} plays {news.move}")
            if table.result is None and table.turn in table.people:
                self._show_board()
        elif isinstance(news, Declined):
            self.tell(f"{news.seat} does not agree to a {news.offer}.")
        elif isinstance(news, Offered):
            self.tell(f"{news.seat} offers a draw.")
        elif isinstance(news, Ended):
            self._show_end()
        elif isinstance(news, GettingReady):
            self.tell(f"  {news.line}")
        elif isinstance(news, Ready) and news.seat in self._awaited:
            self._awaited.discard(news.seat)
            if news.seat == table.turn:
                self._say_who_thinks()
        elif isinstance(news, Failed):
            raise MatchError(f"{table.seats.name(news.seat)} cannot play: {news.message}")
        elif isinstance(news, Unsaved):
            self.tell(f"{news.message}. The game is not saved.")
        elif isinstance(news, SavedAgain):
            self.tell("The game is saved again.")
        elif isinstance(news, NotAnalysed) or (isinstance(news, Analysed) and news.done):
            self._analysed = news

    def _show_end(self) -> None:
        self._show_board()
        self.tell(ending(self.table))
        if self.table.result is not None and self.table.result.detail:
            self._explain(self.table.result.detail)

    # -- what is understood

    def _persons_turn(self) -> None:
        table, seat = self.table, self.table.turn
        table.flush()
        self._hear_all()
        if table.match.draw_offer == other(seat):
            table.answer(self._ask_person("Agreed? [y/N] ").lower() in ("y", "yes"))
            return
        name = table.seats.name(seat)
        person = HumanPlayer(name, ask=self._ask_person, tell=self._explain, words=WORDS)
        try:
            table.play(person.choose(table.position))
        except Again:
            return
        except Instead as wish:
            self._instead(wish)
        except MetatacError as error:
            self._explain(str(error))

    def _instead(self, wish: Instead) -> None:
        table, seat = self.table, self.table.turn
        if wish.event is not OfferDraw:
            table.resign()
            return
        table.offer_draw()
        if other(seat) in table.people:
            table.answer(self._ask_person(f"{other(seat)}, agreed? [y/N] ").lower() in ("y", "yes"))
        else:
            self._wait_for(lambda: table.match.draw_offer is None)

    def _ask_person(self, prompt: str) -> str:
        """A line for the player; the words that are for the table are dealt with here."""
        while True:
            line = self._line(prompt)
            self._hear_all()
            self.table.tick()
            if self.table.result is not None:
                raise Again
            word, _, rest = line.partition(" ")
            done = self._words_of.get(word.lower())
            if done is None:
                return line
            if rest.strip() and word.lower() in ALONE:
                self._explain(f"{word.lower()} takes nothing more; {rest.strip()!r} is too much.")
                continue
            try:
                done(rest.strip())
            except MetatacError as error:
                self._explain(str(error).rpartition(" (position: ")[0] or str(error))

    def _line(self, prompt: str) -> str:
        """What is typed; nothing where the time is up before."""
        left = self.table.remaining().limit
        prompt = prompt if left is None else f"[{left:.0f} s] {prompt}"
        if self._ahead:
            self.tell(f"{prompt}{self._ahead[0]}")
            return self._ahead.pop(0).strip()
        try:
            with alarm(left):
                return self.ask(prompt).strip()
        except TimeUp:
            self.tell("")
            return ""

    def _change(self, change: Callable[[], object]) -> None:
        change()
        if self.table.result is None:
            self._show_board()
        raise Again

    def _undo(self, rest: str) -> None:
        count = _number(rest)
        if count is None:
            self._explain(f"undo takes back a move, undo 3 takes back three; {rest!r} is no such number.")
            return
        self.table.undo(count)
        if count > 1 and not self.table.can_undo:
            self._explain("That is the beginning: no more can be taken back.")
        self._show_board()
        raise Again

    def _redo(self, rest: str) -> None:
        count = _number(rest)
        if count is None:
            self._explain(f"redo makes a move again that was taken back, redo 3 three; {rest!r} is no such number.")
            return
        self.table.redo(count)  # a move that is made shows the board
        raise Again

    def _advise(self, by: str, lines: int | None) -> None:
        """Say which move is best, or how good each is, in somebody's eyes."""
        from metatac.cli.analysis_view import position_report

        table, found = self.table, self._analysis(by, lines)
        if isinstance(found, NotAnalysed):
            self._explain(found.message)
        elif found is not None and lines is None:
            self.tell(position_report(table.position, table.last_move, found.analysis, None))
        elif found is not None:
            best = found.analysis.best
            proven = ", proven" if best.proven else ""
            self._explain(
                f"Hint: {best.move} (value {best.value_x:+.2f} in X's view{proven}; "
                f"expected {' '.join(map(str, best.line[:8]))})"
            )

    def _analysis(self, by: str, lines: int | None) -> Analysed | NotAnalysed | None:
        """What is found about the moves; None where the time ran out meanwhile."""
        self._analysed = None
        self.table.analyse(by or None, lines=lines)
        self._wait_for(lambda: self._analysed is not None or self.table.result is not None)
        return self._analysed

    def _quit(self, rest: str) -> None:
        raise Quit

    # -- what is kept

    def _save(self, name: str) -> None:
        self._save_or_say(name, "The game so far is in {}.")

    def _add_to_file(self) -> None:
        if self.save_to and self.table.match.plies and not self._save_or_say(self.save_to, "The game is in {}."):
            self.failed = True

    def _save_or_say(self, name: str, success: str) -> bool:
        try:
            path = str(self.table.save(name))
        except OSError as error:
            self.tell(f"{error.filename}: {error.strerror}. The game is not saved.")
            return False
        self.tell(success.format(path))
        return True


def _number(rest: str) -> int | None:
    """How many moves a word is about: one unless it says so."""
    if not rest:
        return 1
    return int(rest[:9]) or None if rest.isascii() and rest.isdigit() else None
