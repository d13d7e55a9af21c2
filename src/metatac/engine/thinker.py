"""What every front end asks: a search, and near the end of a game the prover beside it.

For one move, in the games where it is better, the search is best-first; else it is alpha-beta. Search and prover take
turns: whenever the search has finished a depth, or grown its tree for a while, the prover gets some nodes. Nodes and
not time decide whose turn it is, so a search with a limit of nodes stays the same each time. What is proved stands
above what is estimated, for the position and for each of its moves.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import replace

from metatac.engine import proof_search, search
from metatac.engine.alphabeta import AlphaBeta, Limits
from metatac.engine.arrays import wipe
from metatac.engine.best_first import SIGNATURES, BestFirst
from metatac.engine.deadline import alarm, set_deadline
from metatac.engine.endgame import Endgame
from metatac.engine.learned import learned_as, network
from metatac.engine.proof_search import DEADLINE, STOP
from metatac.engine.prover import Prover
from metatac.engine.results import SearchResult
from metatac.game import Position
from metatac.kernel.compiled import compile_all
from metatac.kernel.state import STEPPING, check_game, words_of
from metatac.machine import usable_cores
from metatac.rules import RuleSet

BEST_FIRST = ("ultimate", "ultimate-majority")
"""The games in which best-first search beats alpha-beta: see docs/engine.md."""
PROVERS_PART = 0.5
"""Of the memory. The search's table has a power of two of entries: with any more the rest would be wasted."""
PROVERS_PART_BESIDE_A_TREE = 0.25
"""The same where the search is best-first, whose tree may have any size and is soon full."""
PROVERS_TURN = 12
"""The prover gets one node for so many that the search has visited."""
FIRST_TURN = 2000
"""Nodes of the prover that are spent at once, unless that were a good part of all that are allowed."""
RESISTANCE = 8
"""Where nothing is to be won, the search looks so far ahead for the move after which the opponent errs most easily."""

LEAST_THREADS = 2
"""Who asks for two gets them, be there one processor."""

Report = Callable[[SearchResult], None]


def thinker_ready(*, best_first: bool = True) -> float:
    """Have all that a thinker needs compiled or loaded, told as one piece of work; returns the seconds it took."""
    trees = SIGNATURES if best_first else {}
    return compile_all(STEPPING | search.SIGNATURES | trees | proof_search.SIGNATURES)


class Thinker:
    """Searches positions of one rule set with so much memory and so many threads, and keeps what it learns."""

    def __init__(self, rules: RuleSet, *, megabytes: float = 64, threads: int = 1, best_first: bool = True) -> None:
        """Without ``best_first`` it is always alpha-beta, for whoever asks for one line and several by turns.

        No more threads than there are processors are used, or two: they would only keep each other from being in time.
        """
        thinker_ready(best_first=best_first and learned_as(rules) in BEST_FIRST)
        self.rules = rules
        self._threads = min(threads, max(LEAST_THREADS, usable_cores()))
        self._learned = network(rules) if best_first and learned_as(rules) in BEST_FIRST else None
        provers = megabytes * (PROVERS_PART if self._learned is None else PROVERS_PART_BESIDE_A_TREE)
        self._megabytes = megabytes - provers
        self.searcher = self._searcher(best_first=True)
        self.prover = Prover(rules, provers, punctual=True)
        self._stopped = threading.Event()

    def _searcher(self, *, best_first: bool) -> AlphaBeta | BestFirst:
        """A new searcher, best-first if that is wanted and there is one."""
        if best_first and self._learned is not None:
            return BestFirst(self.rules, self._learned, megabytes=self._megabytes, threads=self._threads)
        return AlphaBeta(self.rules, megabytes=self._megabytes, threads=self._threads)

    def choose_searcher(self, limits: Limits, lines: int) -> AlphaBeta | BestFirst:
        """The searcher for a task, which takes the other's place, for there is memory for one.

        Only alpha-beta has a depth, and looks at moves closely that are not the best.
        """
        best_first = lines == 1 and limits.depth is None and self._learned is not None
        if isinstance(self.searcher, BestFirst) != best_first:
            self.searcher.free()
            try:
                self.searcher = self._searcher(best_first=best_first)
            except MemoryError:
                self.searcher = self._searcher(best_first=not best_first)
                raise
            if self.stopped:
                self.searcher.stop()
        return self.searcher

    def clear(self) -> None:
        """Forget everything, as for a new game."""
        self.searcher.clear()
        wipe(self.prover.table)

    def stop(self) -> None:
        """Have the search that is under way, or else the next one, end as soon as it has a move. From any thread."""
        self._stopped.set()
        self.searcher.stop()
        self.prover.control[STOP] = 1

    def go(self) -> None:
        """Take back a stop that no search has heard."""
        self._stopped.clear()
        self.searcher.go()

    def plies_left(self, position: Position) -> int:
        """No game goes on from a position for more plies."""
        return 0 if position.outcome is not None else self.prover.limits(words_of(position))[2]

    def think(
        self,
        position: Position,
        limits: Limits,
        *,
        lines: int = 1,
        on_result: Report | None = None,
        draw_x: float = 0.0,
    ) -> SearchResult:
        """Search until a limit is reached, it is stopped or the result is proved; every finished depth is reported.

        ``draw_x`` is what a draw is worth to X in the eyes of who asks: a player may want more than that, unless he
        stands badly. Only best-first search takes notice of it, and only in what it chooses: values are told as they
        would be without, nearly.
        """
        begin, lines, outcome = time.perf_counter(), max(1, lines), position.outcome
        if outcome is not None:
            value = float(self.rules.utility_of(outcome.winner, outcome.points))
            return SearchResult(position.text, value, (), 0, 0.0, proven=True)
        check_game(position, self.rules)
        set_deadline(self.prover.control, DEADLINE, limits.seconds)
        try:
            with alarm(limits.seconds, self.stop):
                return _Thought(self, position, limits, lines, on_result, begin, draw_x).result()
        finally:
            set_deadline(self.prover.control, DEADLINE, None)
            self.go()

    @property
    def stopped(self) -> bool:
        """Whether a stop waits to be heard."""
        return self._stopped.is_set()


class _Enough(Exception):
    """Ends the search at once, with the result."""

    def __init__(self, result: SearchResult) -> None:
        self.result = result


class _Thought:
    """One search, from its beginning to its end."""

    def __init__(
        self,
        thinker: Thinker,
        position: Position,
        limits: Limits,
        lines: int,
        report: Report | None,
        begin: float,
        draw_x: float,
    ) -> None:
        self.thinker, self.position, self.limits, self.lines = thinker, position, limits, lines
        self.report, self.begin, self.draw_x = report, begin, draw_x
        self.deadline = deadline = None if limits.seconds is None else begin + limits.seconds

        def is_over() -> bool:
            """Whether it is time to end. It knows nothing of this thought: in a ring with it the tables, tens of
            megabytes, would be there until the garbage is collected."""
            return thinker.stopped or (deadline is not None and time.perf_counter() >= deadline)

        self.is_over = is_over
        endgame = Endgame(thinker.prover, position, is_over)
        self.endgame = endgame if endgame.is_near else None

    def result(self) -> SearchResult:
        """Search, and say what was found."""
        nodes = self.limits.nodes
        if nodes is not None and self.endgame is not None:
            nodes -= nodes // (PROVERS_TURN + 1)
        searcher = self.thinker.choose_searcher(self.limits, self.lines)
        seconds = None if self.deadline is None else max(0.0, self.deadline - time.perf_counter())
        limits, crew = Limits(self.limits.depth, nodes, seconds), searcher.workers
        if isinstance(searcher, BestFirst):
            searcher.wish_x, searcher.tempts = self.draw_x, self.endgame is not None
        if nodes is not None:
            searcher.workers = crew[:1]  # several would search more than that, and not the same each time
        try:
            listens = self.report is not None or self.endgame is not None
            on_result = self._finished_depth if listens else None
            found = searcher.think(self.position, limits, lines=self.lines, on_result=on_result)
            return self._judged(found)
        except _Enough as end:
            return end.result
        finally:
            searcher.workers = crew

    def _finished_depth(self, found: SearchResult) -> None:
        """Let the prover have its turn, tell what is known by now, and end if that is enough."""
        endgame = self.endgame
        if endgame is not None:
            self._prove(endgame, found)
        judged = self._judged(found)
        if self.report is not None:
            self.report(judged)
        if self.is_over() or (endgame is not None and self._is_enough(endgame, judged)):
            raise _Enough(judged)

    def _prove(self, endgame: Endgame, found: SearchResult) -> None:
        at_once = FIRST_TURN if self.limits.nodes is None else min(FIRST_TURN, self.limits.nodes // 8)
        allowed = max(at_once, found.nodes // (len(self.thinker.searcher.workers) * PROVERS_TURN))
        endgame.prove(found, allowed - endgame.nodes, each_move=self.lines > 1)

    def _is_enough(self, endgame: Endgame, judged: SearchResult) -> bool:
        """Whether more search would change nothing."""
        if not all(one.proven for one in judged.moves) or not judged.proven:
            return False
        return endgame.is_won or judged.depth >= RESISTANCE or self.lines > 1

    def _judged(self, found: SearchResult) -> SearchResult:
        """What the search found, as the prover sees it."""
        seconds = time.perf_counter() - self.begin
        if self.endgame is None:
            return replace(found, seconds=seconds)
        return replace(self.endgame.judged(found), nodes=found.nodes + self.endgame.nodes, seconds=seconds)
