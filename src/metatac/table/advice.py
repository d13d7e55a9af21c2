"""What a computer thinks of the moves of a position, found out in the background."""

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from metatac.errors import MetatacError
from metatac.game import Position
from metatac.rules import RuleSet
from metatac.table.computer import Post

if TYPE_CHECKING:
    from metatac.engine.results import Analysis

CALCULATOR, ENGINE = "minimax:6", "engine"


def default_analyst(rules: RuleSet) -> str:
    """Whom to ask about a game: the calculator where lines are counted, else the engine."""
    return CALCULATOR if rules.count == "lines" else ENGINE


class Advisor:
    """Asks one question at a time. A new one, or ``stop``, ends the one before; its late answers are dropped."""

    def __init__(self, post: Post) -> None:
        self._post = post
        self._stop = threading.Event()
        self._lock = threading.Lock()
        """One search after the other: an analyst is asked by one thread at a time."""

    def ask(
        self,
        position: Position,
        by: str,
        seconds: float | None,
        lines: int | None,
        tell: "Callable[[Analysis, bool], None]",
        failed: Callable[[str], object],
        say: Callable[[str], object],
    ) -> None:
        """Have ``tell`` called, in the owner's thread, with what is known and whether it is the last word; and ``say``
        with what must be done before, as compiling."""
        self.stop()
        stop = self._stop = threading.Event()

        def post(analysis: "Analysis", done: bool) -> None:
            self._post(lambda: None if stop.is_set() else tell(analysis, done))

        def prepared(line: str, passing: bool) -> None:
            self._post(lambda: None if stop.is_set() else say(line.strip()))

        def work() -> None:
            with self._lock:
                if stop.is_set():
                    return
                from metatac.kernel.compiled import reporting_to  # here, and not above: it is Numba's

                try:
                    with reporting_to(prepared):
                        post(_analysed(position, by, seconds, lines, stop, lambda found: post(found, False)), True)
                except (MetatacError, MemoryError) as error:
                    message = str(error) or type(error).__name__
                    self._post(lambda: None if stop.is_set() else failed(message))

        threading.Thread(target=work, name="metatac advice", daemon=True).start()

    def stop(self) -> None:
        """Nobody wants to know any more."""
        self._stop.set()


def _analysed(
    position: Position,
    by: str,
    seconds: float | None,
    lines: int | None,
    stop: threading.Event,
    tell: "Callable[[Analysis], None]",
) -> "Analysis":
    # Here, and not above: this compiles.
    from metatac.engine.alphabeta import Limits
    from metatac.engine.analysis import analyze
    from metatac.players.analysts import load_analyst

    analyst = load_analyst(by)
    limits = None
    if seconds is not None and "seconds" in analyst.takes:
        known = analyst.limits
        limits = Limits(depth=known.depth, nodes=known.nodes, seconds=seconds)
    return analyze(position, analyst, limits=limits, lines=lines, stop=stop, on_analysis=tell)
