"""The alpha-beta searcher from Python: exact minimax to a fixed depth, and iterative deepening on all cores."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np

from metatac.engine import memory as of
from metatac.engine.deadline import alarm
from metatac.engine.helpers import helped
from metatac.engine.learned import Shorts, network
from metatac.engine.results import MoveValue, SearchResult
from metatac.engine.worker import Table, Worker, counts_lines, engine_ready, least_sure
from metatac.game import Move, Position
from metatac.kernel import entries
from metatac.kernel import layout as at
from metatac.kernel.moves import UNDO_HEADER
from metatac.kernel.state import check_game, most_moves, move_of, words_of
from metatac.kernel.tables import Words, tables
from metatac.rules import RuleSet, load_rules

MOST_LINES = 128
"""The play after so many moves is told, the best; some positions have thousands of them."""


@dataclass(frozen=True)
class Limits:
    """When a search ends; None: not for that reason."""

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None


def exact_table(depth: int) -> Table:
    """A table for an exact search to a depth: a shallow one sees few positions, and memory takes time."""
    return Table(min(64.0, 4.0 ** (depth - 2)))


def minimax(position: Position, depth: int, *, table: Table | None = None) -> SearchResult:
    """The exact value of every legal move, searched to a fixed depth; for ``sudoku`` the calculator's.

    Where the points are lines, as there, komi is ignored: it only says who wins, not how good a position is. Through a
    table of one's own the search can be stopped; what it returns is worth nothing then.
    """
    begin = time.perf_counter()
    if position.rules.komi and counts_lines(position.rules):
        parts = (position.cells, position.owners, position.tallies, position.send, position.turn, position.bonus)
        position = Position(load_rules(position.rules, komi=0), *parts)
    worker = Worker(position.rules, exact_table(depth) if table is None else table, selective=False)
    worker.begin(position)
    roots, found = Roots(worker, position, codes_of(position)), list[MoveValue]()
    finished = roots.search(depth, lines=len(roots.codes))
    wanted = roots.rows[[of.ROOT_CODES, of.ROOT_FOUND, of.ROOT_NODES], : None if finished else 1]
    for number, (code, value, nodes) in enumerate(wanted.T.tolist()):
        move = move_of(position.rules, code)
        line = worker.line(code, depth) if number < MOST_LINES else (move,)
        found.append(MoveValue(move, roots.sign * value / of.ONE, nodes, line))
    value_x = found[0].value_x
    return SearchResult(position.text, value_x, tuple(found), worker.nodes, time.perf_counter() - begin, depth)


def wins_at_once(position: Position) -> list[Move]:
    """The moves that end the game with a win for the player to move, those of the greatest utility first."""
    engine_ready()
    rules, words = position.rules, words_of(position)
    rule_tables, undo = tables(rules), np.zeros(UNDO_HEADER + words.size, dtype=np.int64)
    codes: Words = np.zeros(most_moves(rules), dtype=np.int64)
    count = entries.legal_codes(rule_tables, words, codes)
    won, found = (at.X_WINS, at.O_WINS)[int(words[at.TURN])], list[tuple[int, Move]]()
    for code in codes[:count].tolist():
        after = words.copy()
        entries.step(rule_tables, after, undo, code)
        if after[at.OVER] == won:
            found.append((abs(int(entries.utility_of(rule_tables, after))), move_of(rules, code)))
    return [move for _, move in sorted(found, key=lambda one: -one[0])]


class AlphaBeta:
    """The strong searcher: iterative deepening with a shared table, on one thread or several."""

    def __init__(
        self,
        rules: RuleSet,
        *,
        megabytes: float = 64,
        threads: int = 1,
        learned: Shorts | Literal["own"] | None = "own",
    ) -> None:
        """``learned`` is the evaluation, "own" that of the rule set if it has one, None the one made by hand."""
        self.rules = rules
        self.table = Table(megabytes)
        given = network(rules) if isinstance(learned, str) else learned
        self.workers = [
            Worker(rules, self.table, selective=True, learned=given, shared=threads > 1) for _ in range(threads)
        ]
        self.sure = least_sure(rules)

    def stop(self) -> None:
        """Have the search that is under way, or else the next one, end as soon as it has a move. From any thread."""
        self.table.stop()

    def go(self) -> None:
        """Take back a stop that no search has heard."""
        self.table.go()

    def clear(self) -> None:
        """Forget everything that was learned."""
        self.table.clear()
        for worker in self.workers:
            worker.clear()

    def free(self) -> None:
        """Give the memory back. It can still be told to stop, but searches no more."""
        self.table, self.workers = Table(0), []

    def think(
        self,
        position: Position,
        limits: Limits,
        *,
        lines: int = 1,
        on_result: Callable[[SearchResult], None] | None = None,
    ) -> SearchResult:
        """Search until a limit is reached; every finished depth is reported. The last result is returned."""
        check_game(position, self.rules)
        begin, lines = time.perf_counter(), max(1, lines)
        self.table.begin()
        for worker in self.workers:
            worker.nodes = 0  # or, until a thread has begun, those of its last search would be counted
        codes = codes_of(position)
        crew = [Roots(worker, position, codes) for worker in self.workers]
        jobs = [partial(self._help, roots, position, limits, n) for n, roots in enumerate(crew[1:], start=1)]
        with alarm(limits.seconds, self.table.stop):
            try:
                with helped(jobs, limits.seconds, self.table.stop):
                    result = self._deepen(crew, position, limits, lines, on_result, begin)
            finally:
                self.table.go()
        deepest = max(crew, key=lambda roots: roots.depth)
        if lines > 1 or limits.depth is not None or result.proven or deepest.depth <= result.depth:
            return result
        return self._result(position, deepest, crew, begin, lines)  # this thread was kept from it

    def _help(self, roots: "Roots", position: Position, limits: Limits, number: int) -> None:
        """Search the same position on another thread, for what it leaves in the table."""
        roots.worker.begin(position, limits.nodes, limits.seconds)
        for depth in range(1 + number % 2, _deepest(limits) + 1):
            if not roots.search(depth, 1):
                return

    def _deepen(
        self,
        crew: list["Roots"],
        position: Position,
        limits: Limits,
        lines: int,
        on_result: Callable[[SearchResult], None] | None,
        begin: float,
    ) -> SearchResult:
        roots, seconds = crew[0], limits.seconds
        if seconds is not None:
            seconds -= time.perf_counter() - begin
        # The first depth is always finished, so that a win at once is never missed; but where there are thousands of
        # moves, time counts before that, unlike nodes: with a clock and without it is the same search.
        first = 2 * len(roots.codes)
        nodes = None if limits.nodes is None else max(limits.nodes, first)
        deaf = first if seconds is None else min(first, of.LOOK_EVERY // 4)
        roots.estimate = roots.worker.begin(position, nodes, seconds, deaf=deaf)
        result = self._result(position, roots, crew, begin, 1)
        for depth in range(1, _deepest(limits) + 1):
            finished = roots.search(depth, lines)
            if roots.values is not None:
                result = self._result(position, roots, crew, begin, lines)
                if on_result is not None and finished:
                    on_result(result)
            if not finished or all(one.proven for one in result.moves):
                break
        return result

    def _result(
        self, position: Position, roots: "Roots", crew: list["Roots"], begin: float, lines: int
    ) -> SearchResult:
        """What one thread has found out, with the nodes of all."""
        codes = roots.codes[:lines]
        others = nodes_of([one for one in crew if one is not roots], codes)
        value_x, depth, moves = roots.estimate, roots.depth, list[MoveValue]()
        if roots.values is not None:
            value_x = self.utility(roots.sign * roots.best)
        for number, code in enumerate(codes.tolist()):
            value = of.PUT_OFF if roots.values is None else int(roots.values[number])
            known = value != of.PUT_OFF
            move = move_of(self.rules, code)
            line = roots.worker.line(code, max(1, depth)) if number < MOST_LINES else (move,)
            worth = self.utility(roots.sign * value) if known else value_x
            own = int(roots.nodes[number])
            nodes = own + int(others[number]) if own else 0  # what only others have looked at has no value yet
            moves.append(MoveValue(move, worth, nodes, line, known and self.is_proven(value)))
        seconds, total = time.perf_counter() - begin, sum(one.nodes for one in self.workers)
        return SearchResult(position.text, value_x, tuple(moves), total, seconds, depth, moves[0].proven)

    def utility(self, value: int) -> float:
        """A value in units of utility, without the trifle that tells an early win from a late one."""
        if self.is_proven(value):
            return float(round(value / of.ONE))
        return value / of.ONE

    def is_proven(self, value: int) -> bool:
        """Whether a value can only come from games that are over: no estimate is as great."""
        return abs(value) >= self.sure


def codes_of(position: Position) -> Words:
    """The kernel's numbers for the legal moves."""
    codes: Words = np.zeros(most_moves(position.rules), dtype=np.int64)
    return codes[: entries.legal_codes(tables(position.rules), words_of(position), codes)]


class Roots:
    """The legal moves of the position that a worker searches, best first as far as known."""

    def __init__(self, worker: Worker, position: Position, codes: Words) -> None:
        self.worker = worker
        self.sign = 1 if position.turn == "X" else -1
        self.sure = least_sure(position.rules)
        self.rows: Words = np.zeros((of.ROOT_ROWS, len(codes)), dtype=np.int64)
        """As ``memory`` describes them; others in their place after each search."""
        self.rows[of.ROOT_CODES] = codes
        self.values: Words | None = None
        """For each move, in the view of the player; PUT_OFF for one that was never reached. None: no move was."""
        self.depth = 0
        """The last one that was finished."""
        self.estimate = 0.0
        """Of the position before anything is searched, in X's view."""

    @property
    def codes(self) -> Words:
        """The kernel's numbers for the moves."""
        codes: Words = self.rows[of.ROOT_CODES]
        return codes

    @property
    def nodes(self) -> Words:
        """How many went into each move."""
        nodes: Words = self.rows[of.ROOT_NODES]
        return nodes

    @property
    def best(self) -> int:
        """The value of the best move."""
        return 0 if self.values is None else int(self.values[0])

    def search(self, depth: int, lines: int) -> bool:
        """Search all moves so deep, the best ``lines`` of them exactly; False if the search was stopped.

        A move that was only found to be no better than what is known comes after all that are known, whichever was
        tried first.
        """
        searched = self.worker.search(self.rows, depth, lines)
        if searched and (searched == len(self.codes) or lines == 1 or self.values is None):
            # Where one move is wanted, what a stopped depth had looked at is better founded than the depth before.
            values: Words = self.rows[of.ROOT_FOUND]
            if self.values is not None:
                values = np.where(values == of.PUT_OFF, _capped(self.values, int(values.max()), self.sure), values)
            order = np.lexsort((self.rows[of.NO_BETTER], -values))
            self.values, self.rows = values[order], self.rows.take(order, axis=1)  # in one piece
        stopped = self.worker.stopped
        if not stopped:
            self.depth = depth
        return not stopped


def nodes_of(crew: list[Roots], codes: Words) -> Words:
    """How many nodes some threads, which may go on meanwhile, have put into moves."""
    total: Words = np.zeros(len(codes), dtype=np.int64)
    for rows in [roots.rows for roots in crew]:
        order = np.argsort(rows[of.ROOT_CODES])
        total += rows[of.ROOT_NODES, order[np.searchsorted(rows[of.ROOT_CODES], codes, sorter=order)]]
    return total


def _capped(values: Words, best: int, sure: int) -> Words:
    """The old values of moves that a new depth did not reach: below the new best, unless that is lost."""
    return np.minimum(values, best - 1 if best > -sure else of.INFINITE)


def _deepest(limits: Limits) -> int:
    return of.LEVELS - 2 if limits.depth is None else min(limits.depth, of.LEVELS - 2)
