"""The engine side of UGI, the Universal Game Interface: the game-neutral form of UCI. See docs/ugi.md.

Player one is X. ``receive`` takes one line and never raises: what is wrong with it is told as ``info string``. Searches
run in a thread of their own, so that ``stop`` is heard; nothing that would change what is searched is done meanwhile.
"""

import os
import random
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, BinaryIO, TextIO

from metatac import __version__
from metatac.engine.alphabeta import Limits
from metatac.engine.best_first import CONTEMPT
from metatac.engine.thinker import Thinker
from metatac.errors import MetatacError, ProtocolError
from metatac.game import position, start
from metatac.machine import usable_cores
from metatac.players.engine_options import HASH, LEVELS
from metatac.players.searchers import EnginePlayer
from metatac.players.ugi_search import FullSearch, LevelSearch, Search, complaint, parse_go, whole
from metatac.rules import RuleSet, load_rules

LONGEST_LINE = 1 << 20


@dataclass(frozen=True)
class Options:
    """What ``setoption`` sets."""

    hash: int = HASH
    threads: int = 1
    level: int = 0
    lines: int = 1
    contempt: int = round(100 * CONTEMPT)
    """In hundredths."""
    ponder: bool = False


SPINS = {
    "Hash": (1, 65_536),
    "Threads": (1, 512),
    "Level": (0, max(LEVELS)),
    "Lines": (1, 256),
    "Contempt": (0, 100),
}
"""The least and the greatest value of each option that is a number."""


def serve(lines: BinaryIO, out: TextIO) -> None:
    """Speak until ``quit``, the end of what comes in, or until nobody listens any more."""
    listening = True

    def say(line: str) -> None:
        nonlocal listening
        try:
            out.write(line + "\n")
            out.flush()
        except (OSError, ValueError):  # closed, on either side
            listening = False

    ugi = Ugi(say)
    while listening and (line := lines.readline(LONGEST_LINE)):
        if len(line) == LONGEST_LINE and not line.endswith(b"\n"):
            while line and not line.endswith(b"\n"):
                line = lines.readline(LONGEST_LINE)
            ugi.tell(f"info string a line of more than {LONGEST_LINE} bytes is ignored")
        elif not ugi.receive(line.decode(errors="replace")):
            break
    ugi.close()


class Ugi:
    """A conversation: lines come in by ``receive`` and go out by ``say``, which any thread may call."""

    def __init__(self, say: Callable[[str], object]) -> None:
        self._say, self._saying = say, threading.Lock()
        self.options = self._affordable = Options(threads=usable_cores())
        self.position = start("ultimate")
        self._thinker: Thinker | None = None
        self._player: EnginePlayer | None = None
        self._search: Search | None = None
        self._commands: dict[str, Callable[[list[str]], None]] = {
            "ugi": self._introduce,
            "isready": self._ready,
            "uginewgame": self._new_game,
            "setoption": self._set_option,
            "position": self._set_position,
            "go": self._go,
            "ponderhit": self._ponder_hit,
            "stop": self._stop,
            "query": self._query,
        }

    def receive(self, line: str) -> bool:
        """Follow a command; False if it was the last one."""
        words = line.split()
        if words[:1] == ["quit"]:
            return False
        try:
            if words:
                command = self._commands.get(words[0])
                if command is None:
                    raise ProtocolError(f"{words[0]!r} is no command; there are {', '.join(self._commands)} and quit")
                command(words[1:])
        except (MetatacError, OSError, MemoryError) as error:
            self.tell(complaint(error))
        except Exception as error:  # a border: whoever speaks with us cannot mend a bug, and must not lose the engine
            self.tell(complaint(RuntimeError(f"a fault of the engine: {error!r}")))
        return True

    def close(self) -> None:
        """End a search that is under way; its move is still told."""
        self._stop([])

    def tell(self, lines: str) -> None:
        """Say a line, or several that nothing may come between."""
        with self._saying:
            self._say(lines)

    # -- the commands

    def _introduce(self, words: list[str]) -> None:
        self.tell(f"id name metatac {__version__}")
        self.tell("id author the metatac authors")
        self.tell(f"option name Rules type string default {self.position.rules.spec}")
        for name, (least, most) in SPINS.items():
            default = getattr(self.options, name.lower())
            self.tell(f"option name {name} type spin default {default} min {least} max {most}")
        self.tell(f"option name Ponder type check default {str(self.options.ponder).lower()}")
        self.tell("ugiok")

    def _ready(self, words: list[str]) -> None:
        try:
            if not self._is_searching():
                self._prepare()
        except (MetatacError, OSError, MemoryError) as error:  # an answer is owed in any case
            self.tell(complaint(error))
        self.tell("readyok")

    def _prepare(self) -> None:
        """Have what the next search needs."""
        if self.options.level:
            self.player().game_started(self.position, self.position.turn)
        else:
            self.thinker().choose_searcher(Limits(), self.options.lines)

    def _new_game(self, words: list[str]) -> None:
        self._check_idle("uginewgame")
        self.position = start(self.position.rules)
        if self._thinker is not None:
            self._thinker.clear()

    def _set_option(self, words: list[str]) -> None:
        self._check_idle("setoption")
        if words[:1] != ["name"] or "value" not in words:
            raise ProtocolError("setoption: 'setoption name NAME value VALUE' is wanted")
        place = words.index("value")
        written, text = " ".join(words[1:place]), " ".join(words[place + 1 :])
        name = {"multipv": "lines"}.get(written.lower(), written.lower())
        if name == "rules":
            if os.path.exists(text) and not (os.path.isfile(text) or os.path.isdir(text)):
                # Whoever reads a pipe waits for its writer, and our own input would be taken for the rules.
                raise ProtocolError(f"{text}: no regular file, and so no rules")
            self._use(load_rules(text))
        elif name == "ponder":
            if text not in ("true", "false"):
                raise ProtocolError(f"Ponder is true or false, not {text[:40]!r}")
            self.options = replace(self.options, ponder=text == "true")
        else:
            changed: dict[str, Any] = {name: _spin(name, text, written)}
            self.options = replace(self.options, **changed)
            if name in ("hash", "threads"):
                self._thinker = None
            elif name == "level":
                self._player = None

    def _use(self, rules: RuleSet) -> None:
        if rules != self.position.rules:
            self._thinker = None
        self.position = start(rules)

    def _set_position(self, words: list[str]) -> None:
        self._check_idle("position")
        place = words.index("moves") if "moves" in words else len(words)
        if words[:1] == ["startpos"] and place == 1:
            found = start(self.position.rules)
        elif words[:1] == ["fen"]:
            found = position(" ".join(words[1:place]))
        else:
            raise ProtocolError("position: 'position startpos' or 'position fen TEXT' is wanted, and then 'moves …'")
        for move in words[place + 1 :]:
            found = found.play(move)
        if found.rules != self.position.rules:
            self._thinker = None
        self.position = found

    def _go(self, words: list[str]) -> None:
        self._check_idle("go")
        wanted = parse_go(words)
        if self.position.outcome is not None:
            self.tell(f"info string the game is over: {self.position.outcome}")
            self.tell("bestmove none")
            return
        wanted = replace(wanted, lines=self.options.lines, expects=self.options.ponder)
        if not wanted.endless:
            wanted = replace(wanted, contempt=self.options.contempt / 100)
        parts = self.position, wanted, self.tell
        self._search = LevelSearch(self.player(), *parts) if self.options.level else FullSearch(self.thinker(), *parts)
        self._search.start()

    def _ponder_hit(self, words: list[str]) -> None:
        if self._search is None or not self._search.wanted.ponder:
            raise ProtocolError("ponderhit: nothing is pondered")
        self._search.hit()

    def _stop(self, words: list[str]) -> None:
        if self._search is not None:
            self._search.stop()
            self._search.join()
            self._search = None

    def _query(self, words: list[str]) -> None:
        outcome = self.position.outcome
        results = {None: "draw", "X": "p1win", "O": "p2win"}
        answers = {
            "p1turn": str(self.position.turn == "X").lower(),
            "gameover": str(outcome is not None).lower(),
            "result": "none" if outcome is None else results[outcome.winner],
            "fen": self.position.text,
        }
        if len(words) != 1 or words[0] not in answers:
            raise ProtocolError(f"query: one of {', '.join(answers)} is wanted, not {' '.join(words)[:40]!r}")
        self.tell(f"response {answers[words[0]]}")

    # -- what they need

    def thinker(self) -> Thinker:
        """The engine's memory for the present rules, made on first use; as much as before if there is not so much."""
        if self._thinker is None:
            try:
                self._thinker = self._new_thinker()
            except MemoryError as error:
                hash, threads = self._affordable.hash, self._affordable.threads
                if (hash, threads) == (self.options.hash, self.options.threads):
                    raise
                self.tell(complaint(error) + f"; Hash is {hash} and Threads {threads} as before")
                self.options = replace(self.options, hash=hash, threads=threads)
                self._thinker = self._new_thinker()
            self._affordable = self.options
        return self._thinker

    def _new_thinker(self) -> Thinker:
        return Thinker(self.position.rules, megabytes=self.options.hash, threads=self.options.threads)

    def player(self) -> EnginePlayer:
        """Who plays at the level that is set."""
        if self._player is None:
            self._player = EnginePlayer(self.options.level, seed=random.getrandbits(32))
        return self._player

    def _is_searching(self) -> bool:
        return self._search is not None and not self._search.done

    def _check_idle(self, command: str) -> None:
        if self._is_searching():
            raise ProtocolError(
                f"{command}: a search is under way; only isready, stop, ponderhit, query and quit are heard"
            )
        if self._search is not None:
            self._search.join()
            self._search = None


def _spin(name: str, text: str, written: str) -> int:
    for known, (least, most) in SPINS.items():
        if known.lower() == name:
            value = whole(text)
            if value is None or not least <= value <= most:
                raise ProtocolError(f"{known} is a whole number from {least} to {most}, not {text[:40]!r}")
            return value
    raise ProtocolError(f"{written[:40]!r} is no option; there are Rules, {', '.join(SPINS)} and Ponder")
