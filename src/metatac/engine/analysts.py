"""The searches as analysts: the engine, exact minimax, tree search and flat Monte Carlo."""

import random
import threading
import time
from dataclasses import replace
from functools import partial

from metatac.engine.alphabeta import Limits, exact_table, minimax
from metatac.engine.analysis import Report
from metatac.engine.endgame import proven_line
from metatac.engine.flat import FlatSearch, flat_ready
from metatac.engine.mcts import TreeSearch
from metatac.engine.results import MoveValue, SearchResult
from metatac.engine.thinker import Thinker
from metatac.engine.worker import Table, engine_ready
from metatac.game import Move, Position
from metatac.kernel import cores
from metatac.kernel.layout import LEFT
from metatac.kernel.state import words_of
from metatac.rules import RuleSet

FIRST_REPORT, SLOWEST_REPORT = 0.1, 1.0
"""Seconds until a search without depths first says what it has, and the most between two such words."""
MOST_GAMES = 10**9
LINES, LONG = 12, 8
"""So many lines are made so long, if the search was as deep; those of proven moves until the game is over."""
LEAST_NODES, MOST_NODES = 200, 5_000
"""For each search by which a line is made longer."""
PROOF_NODES = 200_000
"""What the prover may spend in all on the lines of proven moves."""
PATIENCE = 0.05
"""Seconds that are spent on that at most, where time counts."""


class EngineAnalyst:
    """The engine: the strong searcher and, near the end of a game, the prover.

    With a limit of nodes it uses one thread, so that the answer is the same each time.
    """

    takes, ignores_komi, by_visits = frozenset({"depth", "nodes", "seconds"}), False, False

    def __init__(
        self,
        limits: Limits | None = None,
        *,
        name: str = "engine",
        megabytes: float = 128,
        threads: int | None = None,
    ) -> None:
        self.name, self.limits = name, limits or Limits(seconds=2.0)
        self._megabytes, self._threads = megabytes, threads
        self._thinker: Thinker | None = None
        self._made_for: tuple[RuleSet, int] | None = None
        self._stopped = self._hurried = False
        self._late, self._proof_nodes = 0.0, 0

    def prepare(self, rules: RuleSet, limits: Limits) -> None:
        threads = 1 if limits.nodes is not None else self._threads or cores()
        if self._made_for != (rules, threads):
            self._made_for = (rules, threads)
            self._thinker = Thinker(rules, megabytes=self._megabytes, threads=threads, best_first=False)

    def search(self, position: Position, limits: Limits, lines: int, report: Report) -> SearchResult:
        assert self._thinker is not None
        self._stopped = False
        self._thinker.go()
        result = self._thinker.think(
            position, limits, lines=lines, on_result=lambda result: report(_with_guesses(result))
        )
        self._hurried = limits.seconds is not None
        return self._with_lines(position, _with_guesses(result))

    def _with_lines(self, position: Position, result: SearchResult) -> SearchResult:
        """Go on with lines that broke off, since the table has forgotten how they went on, by small searches."""
        nodes = max(LEAST_NODES, min(MOST_NODES, result.nodes // 100))
        self._late = time.perf_counter() + PATIENCE
        self._proof_nodes = PROOF_NODES
        moves = list[MoveValue]()
        for number, one in enumerate(result.moves):
            if one.proven:
                one = replace(one, line=self._proved(position, one))
            elif number < LINES:
                one = replace(one, line=self._extended(position, one.line, min(result.depth, LONG), nodes))
            moves.append(one)
        return replace(result, moves=tuple(moves))

    def _proved(self, position: Position, one: MoveValue) -> tuple[Move, ...]:
        """A proven move's line as the prover has it: what there is of it is certain, if it breaks off at last.

        A search's own line may well end where it should and have an error of each side on the way.
        """
        assert self._thinker is not None
        after = position.play(one.move)
        line, nodes = proven_line(self._thinker.prover, after, round(one.value_x), self._proof_nodes)
        self._proof_nodes -= nodes
        return (one.move, *line)

    def _extended(self, position: Position, line: tuple[Move, ...], plies: int, nodes: int) -> tuple[Move, ...]:
        """The line made so long, or until the game is over."""
        assert self._thinker is not None
        position = _after(position, line)
        while len(line) < plies and position.outcome is None:
            if (self._stopped or self._hurried) and time.perf_counter() > self._late:
                break
            more = self._thinker.think(position, Limits(nodes=nodes)).best.line
            line += more
            position = _after(position, more)
        return line

    def stop(self) -> None:
        self._stopped = True
        if self._thinker is not None:
            self._thinker.stop()


def _after(position: Position, line: tuple[Move, ...]) -> Position:
    for move in line:
        position = position.play(move)
    return position


def _with_guesses(result: SearchResult) -> SearchResult:
    """Moves that the search did not come to have no value yet: the position's stands in, and they come last."""
    known = [one for one in result.moves if one.nodes or one.proven]
    rest = [replace(one, value_x=result.value_x) for one in result.moves if not (one.nodes or one.proven)]
    return replace(result, moves=(*known, *rest))


class MinimaxAnalyst:
    """Exact values at every depth up to the last; in ``sudoku`` the calculator's."""

    takes, ignores_komi, by_visits = frozenset({"depth", "seconds"}), True, False

    def __init__(self, depth: int = 4) -> None:
        self.name, self.limits, self._deepest = f"minimax:{depth}", Limits(depth=depth), depth
        self._table: Table | None = None
        self._stop = threading.Event()

    def prepare(self, rules: RuleSet, limits: Limits) -> None:
        engine_ready()
        self.name = f"minimax:{self._deepest if limits.depth is None else limits.depth}"

    def search(self, position: Position, limits: Limits, lines: int, report: Report) -> SearchResult:
        self._table = None
        self._stop.clear()
        timer = None if limits.seconds is None else threading.Timer(limits.seconds, self.stop)
        if timer is not None:
            timer.daemon = True
            timer.start()
        try:
            return self._deepen(position, self._deepest if limits.depth is None else limits.depth, lines, report)
        finally:
            if timer is not None:
                timer.cancel()
                timer.join()

    def _deepen(self, position: Position, deepest: int, lines: int, report: Report) -> SearchResult:
        begin = time.perf_counter()
        kept = minimax(position, 1)  # at once, and whether or not it was stopped: there must be an answer
        nodes = kept.nodes
        for depth in range(1, deepest + 1):
            if depth > 1:
                self._table = exact_table(depth)
                if self._stop.is_set():  # looked at again: a stop before this line was for the table before
                    break
                found = minimax(position, depth, table=self._table)
                nodes += found.nodes
                if self._stop.is_set():
                    break
                kept = found
            report(_certain(position, replace(kept, seconds=time.perf_counter() - begin), lines))
            if self._stop.is_set():
                break
        return _certain(position, replace(kept, nodes=nodes, seconds=time.perf_counter() - begin), lines)

    def stop(self) -> None:
        self._stop.set()
        if self._table is not None:
            self._table.stop()


def _certain(position: Position, result: SearchResult, lines: int) -> SearchResult:
    """The best lines of an exact search, proven where it saw every game to its end."""
    rules = position.rules
    markable = int(words_of(position)[LEFT])
    to_the_end = not rules.tallies and markable + rules.swap < result.depth
    moves = tuple(replace(one, proven=to_the_end) for one in result.moves[:lines])
    return replace(result, moves=moves, proven=to_the_end)


class TreeAnalyst:
    """Monte-Carlo tree search: the textbook's (``uct``) or the keen one (``mcts``)."""

    takes, ignores_komi, by_visits = frozenset({"nodes", "seconds"}), False, True

    def __init__(
        self, name: str, limits: Limits, *, keen: bool, seed: int = 0, megabytes: float = 256, c: float | None = None
    ) -> None:
        self.name, self.limits = name, limits
        self._make = partial(TreeSearch, keen=keen, seed=seed, hash_mb=megabytes, c=c)
        self._tree: TreeSearch | None = None
        self._stopped = False

    def prepare(self, rules: RuleSet, limits: Limits) -> None:
        if self._tree is None or self._tree.rules != rules:
            self._tree = self._make(rules)

    def search(self, position: Position, limits: Limits, lines: int, report: Report) -> SearchResult:
        assert self._tree is not None
        self._stopped = False
        tree, begin, pause = self._tree, time.perf_counter(), FIRST_REPORT
        tree.set_position(position)
        while True:
            left = None if limits.nodes is None else limits.nodes - tree.iterations
            time_left = pause if limits.seconds is None else begin + limits.seconds - time.perf_counter()
            made = tree.run(iterations=left, seconds=max(0.0, min(pause, time_left)))
            pause = min(2 * pause, SLOWEST_REPORT)
            out_of_time = limits.seconds is not None and time.perf_counter() - begin >= limits.seconds
            if self._stopped or tree.proven or out_of_time or not made or made == left:
                return _cut(tree, lines)
            report(_cut(tree, lines))

    def stop(self) -> None:
        self._stopped = True
        if self._tree is not None:
            self._tree.interrupt()


def _cut(tree: TreeSearch, lines: int) -> SearchResult:
    """The best moves of a tree. That the first of them is proven does not prove the position: another may be better."""
    result = tree.result()
    return _with_guesses(replace(result, moves=result.moves[:lines], proven=tree.proven))


class FlatAnalyst:
    """Random games after every move, in rounds that double."""

    takes, ignores_komi, by_visits = frozenset({"nodes", "seconds"}), False, False

    def __init__(self, games: int = 1000, seed: int = 0) -> None:
        self.name, self.limits = f"heurist:{games}", Limits(nodes=games)
        self._seed = seed
        self._flat = FlatSearch()
        self._stopped = False

    def prepare(self, rules: RuleSet, limits: Limits) -> None:
        flat_ready()

    def search(self, position: Position, limits: Limits, lines: int, report: Report) -> SearchResult:
        self._stopped, begin, chance = False, time.perf_counter(), random.Random(self._seed)
        most = MOST_GAMES if limits.nodes is None else limits.nodes
        so_far = dict[Move, MoveValue]()
        games = min(most, max(1000, 16 * len(position.legal_moves)))
        while True:
            left = None if limits.seconds is None else max(0.0, begin + limits.seconds - time.perf_counter())
            found = self._flat.run(position, games, seed=chance.getrandbits(63), seconds=left)
            so_far = {one.move: _added(one, so_far.get(one.move)) for one in found.moves}
            result = _ranked(position, so_far, time.perf_counter() - begin, lines)
            games = min(2 * games, most - result.nodes)
            if self._stopped or games <= 0 or left == 0.0:
                return result
            report(result)

    def stop(self) -> None:
        self._stopped = True
        self._flat.interrupt()


def _added(new: MoveValue, old: MoveValue | None) -> MoveValue:
    """The same move, with the games of two rounds."""
    if old is None or not old.nodes:
        return new
    nodes = new.nodes + old.nodes
    return replace(new, nodes=nodes, value_x=(new.value_x * new.nodes + old.value_x * old.nodes) / nodes)


def _ranked(position: Position, values: dict[Move, MoveValue], seconds: float, lines: int) -> SearchResult:
    sign = 1 if position.turn == "X" else -1
    moves = sorted(values.values(), key=lambda one: (one.nodes == 0, -sign * one.value_x))
    nodes = sum(one.nodes for one in moves)
    result = SearchResult(position.text, moves[0].value_x, tuple(moves[:lines]), nodes, seconds)
    return _with_guesses(result)
