"""One search that UGI's ``go`` asks for, from its words to its ``bestmove``."""

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace

from metatac.engine.alphabeta import Limits
from metatac.engine.best_first import draw_worth
from metatac.engine.results import MoveValue, SearchResult
from metatac.engine.thinker import Thinker
from metatac.engine.timing import share_of
from metatac.errors import ProtocolError
from metatac.game import Position, start
from metatac.match import UNLIMITED, Clock
from metatac.players.searchers import EnginePlayer

_NUMBERS = ("p1time", "p2time", "p1inc", "p2inc", "movetime", "depth", "nodes")
_CLOCKS = ("p1time", "p2time")
NO_LIMITS = Limits()
LONGEST = 10**12
"""No number of milliseconds is taken to be more."""
LONGEST_COMPLAINT = 400

Tell = Callable[[str], object]


def complaint(error: BaseException) -> str:
    """What was wrong, on one line."""
    text = " ".join((str(error) or type(error).__name__).split())
    return f"info string {text[:LONGEST_COMPLAINT]}"


@dataclass(frozen=True)
class Go:
    """What ``go`` asks for, in seconds."""

    left: tuple[float | None, float | None] = (None, None)
    increments: tuple[float, float] = (0.0, 0.0)
    limits: Limits = NO_LIMITS
    ponder: bool = False
    lines: int = 1
    expects: bool = False
    """Whether the answer names the reply that is expected, too."""
    endless: bool = False
    """Whether somebody wants to know, rather than to play."""
    contempt: float = 0.0

    def clock(self, turn: str) -> Clock:
        """What the mover is told about time."""
        seat = int(turn == "O")
        return Clock(self.limits.seconds, self.left[seat], self.left[1 - seat], self.increments[seat])


def whole(text: str) -> int | None:
    """A whole number of a sensible length."""
    digits = text.removeprefix("-")
    return int(text) if len(digits) <= 18 and digits.isascii() and digits.isdigit() else None


def parse_go(words: list[str]) -> Go:
    """What the words after ``go`` ask for. A clock that is below 0 is at 0; nothing else may be."""
    given: dict[str, int] = {}
    flags: set[str] = set()
    rest = iter(words)
    for word in rest:
        if word in ("infinite", "ponder"):
            flags.add(word)
            continue
        text = next(rest, "")
        value = whole(text)
        if word not in _NUMBERS:
            raise ProtocolError(f"go: {word[:40]!r} is none of {', '.join(_NUMBERS)}, infinite and ponder")
        if value is None:
            raise ProtocolError(f"go: {word} is a whole number of at most 18 digits, not {text[:40]!r}")
        if value < 0 and word not in _CLOCKS:
            raise ProtocolError(f"go: {word} cannot be negative, as {value} is")
        given[word] = max(0, value)
    seconds = {name: min(given[name], LONGEST) / 1000 for name in given if name not in ("depth", "nodes")}
    limits = Limits(
        depth=max(1, given["depth"]) if "depth" in given else None,
        nodes=max(1, given["nodes"]) if "nodes" in given else None,
        seconds=seconds.get("movetime"),
    )
    if "infinite" in flags:
        return Go(limits=NO_LIMITS, ponder="ponder" in flags, endless=True)
    return Go(
        (seconds.get("p1time"), seconds.get("p2time")),
        (seconds.get("p1inc", 0.0), seconds.get("p2inc", 0.0)),
        limits,
        "ponder" in flags,
    )


INSIST_SECONDS = 0.002
"""Between two interruptions of a player that may not have begun when it was first told."""


class Search(threading.Thread, ABC):
    """One search, to its ``bestmove``."""

    def __init__(self, position: Position, wanted: Go, tell: Tell) -> None:
        super().__init__(daemon=True)
        self.position, self.wanted, self.tell = position, wanted, tell
        self._may_answer = threading.Event()
        self._timer: threading.Timer | None = None
        self.done = False
        """Whether all is done but to tell the move: whoever has heard that may go on at once."""
        if not wanted.ponder and not wanted.endless:
            self._may_answer.set()

    def run(self) -> None:
        answer = str(self.position.legal_moves[0])
        try:
            answer = self.think()
        except Exception as error:  # a border: a move is owed in any case
            self.tell(complaint(RuntimeError(f"a fault of the engine: {error!r}")))
        self._may_answer.wait()
        if self._timer is not None:
            self._timer.cancel()
            self._timer.join()
        self.done = True
        self.tell(f"bestmove {answer}")

    @abstractmethod
    def think(self) -> str:
        """Search and tell what is found; returns the move, and the reply to it that is expected if that is wanted."""

    @abstractmethod
    def seconds(self) -> float | None:
        """What the clock allows; None: whatever it takes."""

    @abstractmethod
    def halt(self) -> None:
        """Have the search end as soon as there is a move."""

    def stop(self) -> None:
        """Have the move told as soon as possible."""
        self.halt()
        self._may_answer.set()

    def hit(self) -> None:
        """The move that was pondered has been made: the clock runs now."""
        seconds = self.seconds()
        if seconds is not None:
            self._timer = threading.Timer(seconds, self.halt)
            self._timer.daemon = True
            self._timer.start()
        self.wanted = replace(self.wanted, ponder=False)
        if not self.wanted.endless:
            self._may_answer.set()


class FullSearch(Search):
    """A search at full strength, within what ``go`` allows."""

    def __init__(self, thinker: Thinker, position: Position, wanted: Go, tell: Tell) -> None:
        super().__init__(position, wanted, tell)
        self.thinker = thinker
        self._told: SearchResult | None = None
        thinker.go()

    def think(self) -> str:
        limits = replace(self.wanted.limits, seconds=None if self.wanted.ponder else self.seconds())
        result = self.thinker.think(
            self.position,
            limits,
            lines=self.wanted.lines,
            on_result=self._inform,
            draw_x=draw_worth(self.position.turn, self.wanted.contempt),
        )
        self._inform(result)
        line = result.best.line
        return " ponder ".join(map(str, line[: 1 + self.wanted.expects]))

    def halt(self) -> None:
        self.thinker.stop()

    def seconds(self) -> float | None:
        clock = self.wanted.clock(self.position.turn)
        if clock.own is not None and len(self.position.legal_moves) == 1:
            return 0.0
        plies, whole = self.thinker.plies_left(self.position), self.thinker.plies_left(start(self.position.rules))
        return share_of(clock, self.position, plies, whole)

    def _inform(self, result: SearchResult) -> None:
        """Tell what was found, unless just that was told before."""
        if self._told is not None and replace(result, seconds=self._told.seconds) == self._told:
            return
        self._told = result
        rate = round(result.nodes / max(result.seconds, 1e-6))
        lines = [
            f"info depth {result.depth} multipv {number} score {score_text(self.position, one)} "
            f"nodes {result.nodes} nps {rate} time {round(1000 * result.seconds)} pv {' '.join(map(str, one.line))}"
            for number, one in enumerate(result.moves, 1)
        ]
        self.tell("\n".join(lines))  # at once: to write hundreds by themselves takes many milliseconds


class LevelSearch(Search):
    """A move of one of the levels, which keep the clock and take no notice of other limits."""

    def __init__(self, player: EnginePlayer, position: Position, wanted: Go, tell: Tell) -> None:
        super().__init__(position, wanted, tell)
        self._player, self._chosen = player, threading.Event()

    def think(self) -> str:
        clock = UNLIMITED if self.wanted.ponder else self.wanted.clock(self.position.turn)
        try:
            return str(self._player.choose(self.position, clock))
        finally:
            self._chosen.set()

    def halt(self) -> None:
        threading.Thread(target=self._insist, daemon=True).start()

    def _insist(self) -> None:
        """Interrupt the player until it has heard: it takes no notice of what it was told before it began."""
        while not self._chosen.is_set():
            self._player.interrupt()
            self._chosen.wait(INSIST_SECONDS)

    def seconds(self) -> float | None:
        return share_of(self.wanted.clock(self.position.turn), self.position)


def score_text(position: Position, one: MoveValue) -> str:
    """In the mover's view: ``cp``, hundredths of a win or of a point; ``mate``, the plies of a line to a proven win."""
    value = one.value_x if position.turn == "X" else -one.value_x
    end = position
    if one.proven and not position.rules.points_count:
        for move in one.line:
            end = end.play(move)
    if end.outcome is not None and end.outcome.winner is not None:
        return f"mate {len(one.line) if value > 0 else -len(one.line)}"
    return f"cp {round(100 * value)}"
