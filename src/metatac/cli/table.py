"""The table at which a match is played in the terminal, line by line: what is shown, asked and understood."""

import contextlib
import io
import os
import shlex
import time
from collections.abc import Callable
from functools import cached_property
from pathlib import Path

from metatac.cli.screen import count_of, draw, rules_text, wrapped
from metatac.errors import MatchError
from metatac.game.outcome import counted
from metatac.match import (
    AcceptTakeback,
    Action,
    Declined,
    Ended,
    Event,
    Match,
    Offered,
    Played,
    Player,
    RequestTakeback,
    Seat,
    TakenBack,
    run,
    step,
)
from metatac.match.record import record_of
from metatac.notation import write_record
from metatac.paths import data_dir
from metatac.players import accepted_forms
from metatac.players.human import HumanPlayer
from metatac.rules.spec import spec_name

WORDS = "undo [N], draw, resign, board, rules, save [FILE], quit"


class Undo(Exception):
    """Somebody at the keyboard wants the last move back, or so many."""

    def __init__(self, moves: int) -> None:
        self.moves = moves


class Quit(Exception):
    """Somebody at the keyboard wants to leave."""


class Table:
    """A match in the terminal. People share the keyboard: they are asked with `ask` and told with `tell`."""

    def __init__(
        self,
        match: Match,
        *,
        ask: Callable[[str], str] = input,
        tell: Callable[[str], object] = print,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.match = match
        self.ask = ask
        self.tell = tell
        self.clock = clock
        self.people: set[Seat] = set()
        self._saved: Match | None = None
        self._written: dict[str, tuple[int, int]] = {}
        """Where in each file this game stands: its first byte, and the one after its last."""

    def seat_human(self, seat: Seat, name: str = "human") -> Player:
        """A person for this table."""
        self.people.add(seat)
        return HumanPlayer(name, ask=self._ask_person, tell=self._explain, words=WORDS)

    def play(self, players: tuple[Player, Player]) -> Match:
        """Play until the match is over or somebody quits; returns it as it then stands."""
        self._explain(self._heading())
        if self.people:
            self._show_board()
        while self.match.result is None:
            try:
                run(self.match, players, clock=self.clock, watch=self._watch)
            except Undo as wish:
                self._undo(wish.moves)
            except (Quit, EOFError) as leaving:
                # Ctrl-D leaves the cursor behind the prompt.
                line = "\n" if isinstance(leaving, EOFError) else ""
                self.tell(f"{line}The game is left after {count_of(len(self.match.plies), 'move')}.")
                break
            except KeyboardInterrupt:
                self.tell("")
                raise
        return self.match

    # -- what is shown

    def _explain(self, text: str) -> None:
        self.tell(wrapped(text))

    def _heading(self) -> str:
        rules, (x, o) = self.match.rules, self.match.names
        clock = "" if str(self.match.time) == "none" else f", time {self.match.time}"
        heading = f"{rules.title or rules.name}: {x} (X) against {o} (O){clock}."
        if self.people:
            heading += f"\nType a move as {accepted_forms(rules)[0]}; ? shows other ways.\nOr type {WORDS}."
        return f"{heading}\n"

    def _show_board(self) -> None:
        # A swap places no mark: what one sees, and is sent by, is the move it took over.
        last = next((move for move in reversed(self.match.moves) if move), None)
        self.tell(draw(self.match.position, last, status=self.match.result is None))
        rules = self.match.rules
        if rules.count != "nothing" and self.match.result is None:
            x, o = counted(self.match.position)
            what = "Points" if rules.points == "count" else rules.count.capitalize()
            self.tell(f"{what} so far: X {x}, O {o}.")

    def _watch(self, match: Match, event: Event, actions: tuple[Action, ...]) -> None:
        self.match = match
        for action in actions:
            if isinstance(action, Played):
                self.tell(f"{len(match.plies)}. {action.seat} plays {action.move}")
                if match.result is None and match.turn in self.people:
                    self._show_board()
            elif isinstance(action, TakenBack):
                self._show_board()
            elif isinstance(action, Declined):
                self.tell(f"{action.seat} does not agree to a {action.offer}.")
            elif isinstance(action, Offered):
                self.tell(f"{action.seat} offers a draw.")
            elif isinstance(action, Ended):
                self._show_end()

    def _show_end(self) -> None:
        result = self.match.result
        assert result is not None
        self._show_board()
        names = dict(zip("XO", self.match.names, strict=True))
        who = f"{result.winner} ({names[result.winner]}) wins" if result.winner else "Nobody wins"
        x, o = result.points
        self.tell(f"{who}: {result.reason}. Points {x:g} to {o:g}.")

    # -- what is understood

    def _ask_person(self, prompt: str) -> str:
        """A line for the player or the referee; the words that are for the table are dealt with here."""
        while True:
            left = self.match.clock(self.clock()).limit
            line = self.ask(prompt if left is None else f"[{left:.0f} s] {prompt}").strip()
            word, _, rest = line.partition(" ")
            if word == "undo" and (not rest or (rest.isascii() and rest.isdigit() and int(rest[:9]))):
                raise Undo(int(rest[:9] or 1))
            if word in ("quit", "exit"):
                raise Quit
            if word == "rules":
                self.tell(rules_text(self.match.rules) or self.match.rules.to_toml())
            elif word == "undo":
                self._explain(f"undo takes back a move, undo 3 takes back three; {rest!r} is no such number.")
            elif word == "board":
                self._show_board()
            elif word == "save":
                self._save_or_say(rest)
            else:
                return line

    def _undo(self, moves: int) -> None:
        """Take back so many of the one person's last moves, or of all where both share the keyboard."""
        before = self.match
        try:
            for _ in range(moves):
                asker: Seat = next(iter(self.people))
                if len(self.people) == 2:
                    asker = "X" if len(self.match.positions) > 1 and self.match.positions[-2].turn == "X" else "O"
                for event in (RequestTakeback(asker), AcceptTakeback("O" if asker == "X" else "X")):
                    self.match, _ = step(self.match, event, self.clock())
        except MatchError as error:
            if self.match is before:
                self._explain(str(error).rpartition(" (position: ")[0] or str(error))
            else:
                self._explain("That is the beginning: no more can be taken back.")
        if self.match.plies != before.plies:
            self._show_board()

    # -- what is kept

    def keep(self, name: str = "") -> bool:
        """At the end: save to the named file, or else what people played to the data folder. False: it failed."""
        if not self.match.plies:
            return True
        saved = not name or self._save_or_say(name, "The game is in {}.")
        # A person's own `save` of just this state is enough.
        if self.people and self._saved is not self.match:
            return self._save_or_say("", "The game is kept; to see it: metatac replay {}") and saved
        return saved

    def _save_or_say(self, name: str, success: str = "The game so far is in {}.") -> bool:
        try:
            path = str(self.save(name))
        except OSError as error:
            self.tell(f"{error.filename}: {error.strerror}. The game is not saved.")
            return False
        self.tell(success.format(shlex.quote(path) if "replay" in success else path))
        return True

    def save(self, name: str = "") -> Path:
        """Add the game so far to a file of records, one in the user's data folder unless named.

        Where it was saved to the same file before, it takes its own place there.
        Whatever hinders it is an OSError with a file name, and leaves the file as it was.
        """
        record = io.StringIO()
        try:
            write_record(record, record_of(self.match, {"Date": time.strftime("%Y.%m.%d")}))
            path = _path(name) if name else self._default
            path.parent.mkdir(parents=True, exist_ok=True)
            data, known = record.getvalue().encode(errors="replace"), os.path.abspath(path)
            self._written[known] = _write(path, data, self._written.get(known))
        except (OSError, ValueError, RuntimeError) as error:
            raise _named(error, name or "the folder of saved games") from error
        self._saved = self.match
        return path

    @cached_property
    def _default(self) -> Path:
        name = spec_name(self.match.rules.name)[:80]
        return data_dir() / "games" / f"{name}-{time.strftime('%Y-%m-%d-%H%M%S')}.txt"


def check_writable(name: str) -> None:
    """Raise an OSError now if a game could not be saved to the file later; the file is created."""
    try:
        path = _path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        # To open a pipe would wait for its reader, and closing it would send that one away.
        if not path.is_fifo():
            path.open("ab").close()
    except (OSError, ValueError) as error:
        raise _named(error, name) from error


def _path(name: str) -> Path:
    # Unlike Path.expanduser, this one leaves the home of nobody we know as it is.
    return Path(os.path.expanduser(name))


def _write(path: Path, data: bytes, before: tuple[int, int] | None) -> tuple[int, int]:
    """Append to a file, in place of its last bytes if they are those given; returns from where to where it stands."""
    first, last = _append(path, data)
    if before is not None and before[1] == first:
        # What was appended has its room for certain: now it is moved forward.
        with path.open("r+b", buffering=0) as file:
            file.seek(before[0])
            file.write(data)
            file.truncate()
        first, last = before[0], before[0] + len(data)
    return first, last


def _append(path: Path, data: bytes) -> tuple[int, int]:
    with path.open("ab", buffering=0) as file:
        first = file.tell() if file.seekable() else -1
        rest = data
        try:
            while rest:
                rest = rest[file.write(rest) :]
        except OSError:
            # Half a record would spoil those that are added later.
            with contextlib.suppress(OSError):
                file.truncate(first)
            raise
    return first, first + len(data)


def _named(error: Exception, name: str) -> OSError:
    """The error as an OSError that says which file it is about."""
    if isinstance(error, OSError):
        return OSError(error.errno, error.strerror or str(error), error.filename or name)
    return OSError(0, str(error), name)
