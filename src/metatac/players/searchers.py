"""Players that search: exact minimax, and the engine at full strength or at a level."""

import math
import random
import threading
import weakref
from collections.abc import Callable, Iterable
from dataclasses import replace
from time import perf_counter
from typing import Any

from metatac.engine.alphabeta import AlphaBeta, Limits, exact_table, minimax, wins_at_once
from metatac.engine.best_first import CONTEMPT, draw_worth
from metatac.engine.results import SearchResult
from metatac.engine.thinker import Thinker
from metatac.engine.timing import share_of
from metatac.engine.worker import Table, engine_ready
from metatac.errors import IllegalMove, UnknownPlayer
from metatac.game import Move, Position, start
from metatac.kernel import cores
from metatac.match import UNLIMITED, Clock
from metatac.players.engine_options import HASH, LEVELS, check_engine, errors_at
from metatac.players.thinking import Thinking
from metatac.rules import RuleSet

LATE = 0.025
"""Seconds that an exact search may need to return after it was stopped: every move gets its line first."""


def _check_open(position: Position) -> None:
    if not position.legal_moves:
        raise IllegalMove(f"there is no move to choose: {position.outcome} (position: {position.text})")


def _seconds(position: Position, clock: Clock) -> float | None:
    """What a clock allows for a move; None: whatever it takes."""
    seconds = share_of(clock, position)
    return None if seconds is None else min(max(0.0, seconds - LATE), threading.TIMEOUT_MAX)


class MinimaxPlayer:
    """Looks a fixed number of moves ahead, exactly, and chooses among the moves within a margin of the best.

    A clock, if there is one, cuts it short: then the deepest search that was finished counts.
    """

    thinking: Thinking | None = None

    def __init__(self, depth: int = 4, margin: float = 0.0, seed: int = 0) -> None:
        if not 1 <= depth <= 12:
            raise UnknownPlayer(f"minimax: depth is a whole number from 1 to 12, not {depth}")
        if not 0 <= margin < math.inf:
            raise UnknownPlayer(f"minimax: margin is a number that is not negative, as {margin} is")
        self.name = f"minimax:{depth}"
        self.depth, self.margin = depth, margin
        self._random = random.Random(seed)
        self._stopped, self._table = threading.Event(), Table(0)
        """What has been searched to a depth stays true for the whole game; the table is there when the clock starts."""
        self._rules: RuleSet | None = None
        """Those of the positions in the table, which does not tell one game's from another's."""
        self._lock = threading.Lock()
        """Whoever interrupts does all of it before a search begins, or after that."""

    def game_started(self, position: Position, seat: str) -> None:
        """Have everything ready before the clock starts."""
        engine_ready()
        self._renew(position.rules)

    def _renew(self, rules: RuleSet) -> None:
        self._table, self._rules = exact_table(self.depth), rules

    def choose(self, position: Position, clock: Clock = UNLIMITED) -> Move:
        _check_open(position)
        if self._rules != position.rules:  # nobody said that a game had begun
            self._renew(position.rules)
        with self._lock:
            self._stopped.clear()
            self._table.go()
        seconds = _seconds(position, clock)
        if seconds is None:
            # Whoever watches sees it go deeper; the values of the last depth, and so the move, are the same.
            first = self.depth if self.thinking is None else 2
            found = self._searched(position, range(first, self.depth + 1)).moves
        else:
            timer = threading.Timer(seconds, self.interrupt)
            timer.daemon = True
            timer.start()
            found = self._searched(position, range(2, self.depth + 1)).moves
            timer.cancel()
            timer.join()  # or it might stop the next search
        close = [one.move for one in found if abs(one.value_x - found[0].value_x) <= self.margin]
        return self._random.choice(sorted(close))

    def _searched(self, position: Position, depths: Iterable[int]) -> SearchResult:
        """The last search that was finished; one move deep is always looked."""
        found = minimax(position, 1)
        for depth in depths:
            if self._stopped.is_set():
                break
            self._table.begin()
            deeper = minimax(position, depth, table=self._table)
            if self._stopped.is_set():
                break
            found = deeper
            if self.thinking is not None:
                self.thinking(found)
        return found

    def interrupt(self) -> None:
        """Have ``choose``, in another thread, answer at once."""
        with self._lock:
            self._stopped.set()
            self._table.stop()

    def agrees(self, offer: str, position: Position) -> bool:
        return offer == "takeback"


TELLING = 4e-6
"""Seconds that it takes to tell what a move is worth: a level asks for all of them, and there may be thousands."""
LEVELS_HASH = 16.0
"""MB that a level has for its table, whatever it is given: it must play the same everywhere."""

CAREFUL = 4
"""From this level on no won game is missed, and nothing is played instead that loses by force as far as was seen."""


PONDER_SECONDS = 600.0
"""Who thinks on the opponent's time gives up after so long: he may have gone away."""


class EnginePlayer:
    """The strong searcher, within a clock; or one of twelve levels, which are the same on every machine."""

    thinking: Thinking | None = None

    def __init__(
        self,
        level: int | None = None,
        time: float | None = None,
        nodes: int | None = None,
        depth: int | None = None,
        hash: float | None = None,
        threads: int | None = None,
        seed: int | None = None,
        ponder: bool = False,
        contempt: float | None = None,
    ) -> None:
        bounds: dict[str, Any] = {"time": time, "nodes": nodes, "depth": depth, "hash": hash, "threads": threads}
        check_engine(level=level, ponder=ponder, contempt=contempt, seed=seed, **bounds)
        self.name = "engine" if level is None else f"engine:{level}"
        self.level, self.ponder = level, ponder
        self.limits = Limits(depth=depth, nodes=nodes, seconds=time)
        self.megabytes = HASH if hash is None else hash
        self.threads = 1 if level is not None or nodes is not None else threads or cores()
        self.seed = seed
        self.contempt = CONTEMPT if contempt is None else contempt
        self._searcher: AlphaBeta | None = None
        self._thinker: Thinker | None = None
        self._pondering: threading.Thread | None = None
        self._last_word: Callable[[], object] = lambda: None

    def choose(self, position: Position, clock: Clock = UNLIMITED) -> Move:
        started = perf_counter()
        _check_open(position)
        if self.level is not None:
            return self._choose_at_level(position, clock, LEVELS[self.level][0], errors_at(self.level, position.rules))
        self._end_pondering()
        if len(position.legal_moves) == 1:
            return position.legal_moves[0]
        thinker = self._thinker_for(position)
        thinker.go()
        limits = self._limits(thinker, position, clock)
        if limits.seconds is not None:
            limits = replace(limits, seconds=limits.seconds - (perf_counter() - started))
        draw_x = draw_worth(position.turn, self.contempt)
        move = thinker.think(position, limits, on_result=self.thinking, draw_x=draw_x).best.move
        if self.ponder:
            self._begin_pondering(thinker, position.play(move), position.turn)
        return move

    def game_started(self, position: Position, seat: str) -> None:
        """Have everything ready before the clock starts, and forget the last game."""
        if self.level is not None:
            self._searcher_for(position)
        else:
            self._end_pondering()
            known = self._thinker
            if self._thinker_for(position) is known:
                known.clear()

    def game_ended(self, result: object) -> None:
        self._end_pondering()

    def interrupt(self) -> None:
        """Have ``choose``, in another thread, answer at once."""
        searcher = self._thinker if self.level is None else self._searcher
        if searcher is not None:
            searcher.stop()

    def agrees(self, offer: str, position: Position) -> bool:
        return offer == "takeback"

    def _searcher_for(self, position: Position) -> AlphaBeta:
        if self._searcher is None or self._searcher.rules != position.rules:
            self._searcher = AlphaBeta(position.rules, megabytes=LEVELS_HASH, threads=1)
        return self._searcher

    def _thinker_for(self, position: Position) -> Thinker:
        if self._thinker is None or self._thinker.rules != position.rules:
            self._last_word()
            self._thinker = None  # or there would be memory for two of them
            try:
                self._thinker = Thinker(position.rules, megabytes=self.megabytes, threads=self.threads)
            except MemoryError as error:
                raise UnknownPlayer(f"engine: there is no memory for hash={self.megabytes:g}: {error}") from error
            self._last_word = weakref.finalize(self, self._thinker.stop)  # nobody ponders for a player that is gone
        return self._thinker

    def _limits(self, thinker: Thinker, position: Position, clock: Clock) -> Limits:
        """The player's own limits, within what the clock allows; with neither, a second."""
        plies, whole = thinker.plies_left(position), thinker.plies_left(start(position.rules))
        allowed = share_of(clock, position, plies, whole)
        if allowed is None:
            return Limits(seconds=1.0) if self.limits == Limits() else self.limits
        own = math.inf if self.limits.seconds is None else self.limits.seconds
        return replace(self.limits, seconds=min(own, allowed))

    # -- thinking on the opponent's time

    def _begin_pondering(self, thinker: Thinker, position: Position, mover: str) -> None:
        """Go on with the position that the opponent is looking at: what is found there stays in the tables."""
        if position.outcome is None and position.turn != mover:
            limits, draw = Limits(seconds=PONDER_SECONDS), {"draw_x": draw_worth(mover, self.contempt)}
            self._pondering = threading.Thread(target=thinker.think, args=(position, limits), kwargs=draw, daemon=True)
            self._pondering.start()

    def _end_pondering(self) -> None:
        if self._pondering is not None and self._thinker is not None:
            self._thinker.stop()
            self._pondering.join()
            self._thinker.go()
            self._pondering = None

    def _choose_at_level(self, position: Position, clock: Clock, nodes: int, errors: float) -> Move:
        started, moves = perf_counter(), position.legal_moves
        careful = self.level is not None and self.level >= CAREFUL
        wins = wins_at_once(position) if careful else []
        searcher = self._searcher_for(position)
        searcher.clear()  # a level's move depends on the position and the seed alone
        chance = random.Random(None if self.seed is None else f"{self.seed} {position.text}")
        searcher.go()
        seconds = share_of(clock, position)
        if seconds is not None:
            seconds = max(0.0, seconds - (perf_counter() - started) - TELLING * len(moves))
        limits = Limits(nodes=nodes, seconds=seconds)
        result = searcher.think(position, limits, lines=len(moves), on_result=self.thinking)
        if wins:
            return result.best.move if result.best.move in wins else wins[0]
        if chance.random() >= errors or (careful and result.proven):
            return result.best.move
        if not careful:
            return chance.choice(moves)
        return chance.choice([one.move for one in result.moves if not one.proven] or [result.best.move])
