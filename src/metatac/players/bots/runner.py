"""Runs a bot that is a Python file: ``python -m metatac.players.bots.runner FILE [NAME]``.

NAME is the function, or the class, that is the bot. It speaks UGI, so that any program which lets engines play can use
such a bot. Where there is no move it says why, as ``info string REASON: …`` and ``bestmove none``. What the bot prints
goes to standard error and cannot spoil the protocol; so do tracebacks. A class is made anew for each game.
"""

import importlib.util
import os
import sys
import traceback
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from metatac.errors import InvalidMove, MetatacError
from metatac.game import Game, check_move, parse_move, position, start
from metatac.match import Clock
from metatac.players.bots.course import CourseBot
from metatac.players.bots.no_move import NoMove
from metatac.rules import load_rules

Chooser = Callable[[Game, Clock], Any]


def main() -> None:
    """Take standard input and output for ourselves, load the bot and speak until the end."""
    file, name = Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "choose"
    lines, out = os.fdopen(os.dup(0), encoding="utf-8", errors="replace"), os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    sys.stdout = sys.stderr

    def say(line: str) -> None:
        out.write(line + "\n")
        out.flush()

    code = 0
    try:
        Runner(load(file, name), file.stem, say).serve(lines)
    except BrokenPipeError:  # nobody listens any more
        pass
    except BaseException:
        _print_traceback()
        code = 1
    sys.stderr.flush()
    os._exit(code)  # the bot's threads and exit handlers have no say


def load(file: Path, name: str) -> Callable[[], Chooser]:
    """What makes the bot of a game: from a function, or from a class with ``choose`` or a course's ``move``."""
    sys.path.insert(0, str(file.parent))
    sys.argv[:] = [str(file)]
    # A bot may be called like a module that is in use, even like this package.
    module_name = f"bot_{file.stem}" if file.stem in sys.modules else file.stem
    spec = importlib.util.spec_from_file_location(module_name, file)
    if spec is None or spec.loader is None:
        raise ImportError(f"{file} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module  # where pickle and dataclasses look for it
    spec.loader.exec_module(module)
    bot = getattr(module, name)
    if not isinstance(bot, type):
        return lambda: _of_function(bot)
    if hasattr(bot, "choose"):
        return lambda: _of_function(bot().choose)
    return lambda: _of_course(CourseBot(bot()))


def _of_function(choose: Any) -> Chooser:
    return lambda game, clock: choose(game.position, clock)


def _of_course(bot: CourseBot) -> Chooser:
    return lambda game, clock: bot.choose(game)


class Runner:
    """The conversation: lines come in by ``receive``, answers go out by ``say``."""

    def __init__(self, make: Callable[[], Chooser], name: str, say: Callable[[str], object]) -> None:
        self._make, self._name, self._say = make, name, say
        self._choose: Chooser | None = None
        self._rules = load_rules("ultimate")
        self._game = Game(self._rules)
        self._base = "startpos"

    def serve(self, lines: Iterable[str]) -> None:
        for line in lines:
            words = line.split()
            if words[:1] == ["quit"]:
                return
            try:
                self._receive(words)
            except MetatacError as error:
                self._say(f"info string {' '.join(str(error).split())}")

    def _receive(self, words: list[str]) -> None:
        match words:
            case ["ugi"]:
                self._say(f"id name {self._name}\noption name Rules type string default {self._rules.spec}\nugiok")
            case ["setoption", "name", "Rules", "value", text]:
                self._rules = load_rules(text)
            case ["uginewgame"]:
                self._choose, self._game, self._base = self._make(), Game(self._rules), "startpos"
            case ["isready"]:
                self._say("readyok")
            case ["position", *rest]:
                self._set_position(rest)
            case ["go", *rest]:
                self._go(clock_of(rest, self._game.turn))
            case ["stop"] | []:
                pass
            case _:
                self._say(f"info string {words[0][:40]!r} is not understood")

    def _set_position(self, words: list[str]) -> None:
        """Follow the game: mostly there are only the latest moves to add."""
        place = words.index("moves") if "moves" in words else len(words)
        base, moves = " ".join(words[:place]), words[place + 1 :]
        known = [str(move) for move in self._game.moves]
        if base != self._base or known != moves[: len(known)]:
            first = start(self._rules) if base == "startpos" else position(base.removeprefix("fen "))
            self._base, self._game, known = base, Game(first), []
        for move in moves[len(known) :]:
            self._game.push(move)

    def _go(self, clock: Clock) -> None:
        try:
            self._say(f"bestmove {self._move(clock)}")
        except NoMove as reason:
            self._say(f"info string {reason}\nbestmove none")

    def _move(self, clock: Clock) -> str:
        if self._choose is None:
            self._choose = self._make()
        before = self._game.position.replaced()
        try:
            answer = self._choose(self._game, clock)
        except NoMove:
            raise
        except BaseException as error:  # a border: whatever the bot raises, SystemExit too, is the bot's
            _print_traceback()
            reason = "memory" if isinstance(error, MemoryError) else "crash"
            raise NoMove(reason, "".join(traceback.format_exception_only(error))) from None
        if self._game.position != before:
            raise NoMove("tampering", "the bot changed the position that it was given")
        return self._text(answer)

    def _text(self, answer: object) -> str:
        """The move that the bot returned, legal or not, as text."""
        if answer == "resign":
            return "resign"
        try:
            if isinstance(answer, str):
                return str(parse_move(self._game.rules, answer))
            if isinstance(answer, tuple):
                return str(check_move(self._game.rules, answer))
        except InvalidMove as error:
            raise NoMove("garbage", str(error)) from None
        raise NoMove("garbage", f"a move or its text is wanted; choose returned {answer!r:.100}")


def clock_of(words: list[str], turn: str) -> Clock:
    """What ``go`` says about time, as the bot is told."""
    told = {name: int(number) / 1000 for name, number in zip(words[::2], words[1::2], strict=False)}
    own, opponent = ("p1", "p2") if turn == "X" else ("p2", "p1")
    left, limit = told.get(f"{own}time"), told.get("movetime")
    limits = [seconds for seconds in (left, limit) if seconds is not None]
    return Clock(
        limit=min(limits, default=None),
        own=left,
        opponent=told.get(f"{opponent}time"),
        increment=told.get(f"{own}inc", 0.0),
    )


def _print_traceback() -> None:
    """The traceback without our own lines, and without those of the import."""
    kind, error, trace = sys.exc_info()
    ours = (__file__, "<frozen importlib._bootstrap>", "<frozen importlib._bootstrap_external>", CourseBot.HERE)
    while trace is not None and trace.tb_frame.f_code.co_filename in ours:
        trace = trace.tb_next
    traceback.print_exception(kind, error, trace, file=sys.stderr)
    sys.stderr.flush()


if __name__ == "__main__":
    main()
