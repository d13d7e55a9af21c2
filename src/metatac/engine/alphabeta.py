"""The alpha-beta searcher from Python: exact minimax to a fixed depth, and iterative deepening on all cores."""

import threading
import time
from bisect import insort
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from typing import Literal

import numpy as np

from metatac.engine import memory as of
from metatac.engine.deadline import alarm
from metatac.engine.learned import Shorts, network
from metatac.engine.results import MoveValue, SearchResult
from metatac.engine.worker import Table, Worker, counts_lines, engine_ready, least_sure
from metatac.game import Move, Position
from metatac.kernel import entries
from metatac.kernel import layout as at
from metatac.kernel.moves import UNDO_HEADER
from metatac.kernel.state import check_game, code_of, most_moves, move_of, words_of
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


def minimax(position: Position, depth: int, *, megabytes: float = 64, table: Table | None = None) -> SearchResult:
    """The exact value of every legal move, searched to a fixed depth; for ``sudoku`` the calculator's.

    Where the points are lines, as there, komi is ignored: it only says who wins, not how good a position is. Through a
    table of one's own the search can be stopped; the values are worth nothing then.
    """
    begin = time.perf_counter()
    if position.rules.komi and counts_lines(position.rules):
        parts = (position.cells, position.owners, position.tallies, position.send, position.turn, position.bonus)
        position = Position(load_rules(position.rules, komi=0), *parts)
    worker = Worker(position.rules, table or Table(megabytes), selective=False)
    worker.begin(position)
    sign = 1 if position.turn == "X" else -1
    found = []
    for move in position.legal_moves:
        before, code = worker.nodes, code_of(position.rules, move)
        value = sign * worker.value(code, depth) / of.ONE
        found.append(MoveValue(move, value, worker.nodes - before, worker.line(code, depth)))
    found.sort(key=lambda one: -sign * one.value_x)
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
        begin = time.perf_counter()
        self.table.begin()
        for worker in self.workers:
            worker.nodes = 0  # or, until a thread has begun, those of its last search would be counted
        helpers, codes = list[threading.Thread](), codes_of(position)
        crew = [Roots(worker, position, codes) for worker in self.workers]
        with alarm(limits.seconds, self.table.stop):
            try:
                for number, roots in enumerate(crew[1:], start=1):
                    helper = threading.Thread(target=self._help, args=(roots, position, limits, number), daemon=True)
                    with suppress(RuntimeError):  # there are too many threads already: one is enough
                        helper.start()
                        helpers.append(helper)
                result = self._deepen(crew[0], position, limits, lines, on_result, begin)
            finally:
                self.table.stop()
                for helper in helpers:
                    helper.join()
                self.table.go()
        deepest = max(crew, key=lambda roots: roots.depth)
        if lines > 1 or limits.depth is not None or result.proven or deepest.depth <= result.depth:
            return result
        return self._result(position, deepest, begin, lines)  # this thread was kept from it

    def _help(self, roots: "Roots", position: Position, limits: Limits, number: int) -> None:
        """Search the same position on another thread, for what it leaves in the table."""
        roots.worker.begin(position, limits.nodes)
        for depth in range(1 + number % 2, _deepest(limits) + 1):
            if not roots.search(depth, 1):
                return

    def _deepen(
        self,
        roots: "Roots",
        position: Position,
        limits: Limits,
        lines: int,
        on_result: Callable[[SearchResult], None] | None,
        begin: float,
    ) -> SearchResult:
        seconds = limits.seconds
        if seconds is not None:
            seconds -= time.perf_counter() - begin
        # The first depth is always finished, so that a win at once is never missed; but where there are thousands of
        # moves, time counts before that.
        deaf = 2 * len(roots.codes)
        deaf = deaf if seconds is None else min(deaf, of.LOOK_EVERY // 4)
        roots.estimate = roots.worker.begin(position, limits.nodes, seconds, deaf=deaf)
        result = self._result(position, roots, begin, 1)
        for depth in range(1, _deepest(limits) + 1):
            finished = roots.search(depth, lines)
            if roots.values:
                result = self._result(position, roots, begin, lines)
                if on_result is not None and finished:
                    on_result(result)
            known = roots.values and all(one.proven for one in result.moves)
            if not finished or known:
                break
        return result

    def _result(self, position: Position, roots: "Roots", begin: float, lines: int) -> SearchResult:
        value_x, depth, moves = roots.estimate, roots.depth, list[MoveValue]()
        if roots.values:
            value_x = self.utility(roots.sign * roots.values[roots.codes[0]])
        for number, code in enumerate(roots.codes[: max(1, lines)]):
            value = self.utility(roots.sign * roots.values.get(code, 0)) if roots.values else value_x
            proven = self.is_proven(roots.values.get(code, 0))
            move = move_of(self.rules, code)
            line = roots.worker.line(code, max(1, depth)) if number < MOST_LINES else (move,)
            moves.append(MoveValue(move, value, roots.nodes.get(code, 0), line, proven))
        nodes = sum(one.nodes for one in self.workers)
        seconds = time.perf_counter() - begin
        return SearchResult(position.text, value_x, tuple(moves), nodes, seconds, depth, moves[0].proven)

    def utility(self, value: int) -> float:
        """A value in units of utility, without the trifle that tells an early win from a late one."""
        if self.is_proven(value):
            return float(round(value / of.ONE))
        return value / of.ONE

    def is_proven(self, value: int) -> bool:
        """Whether a value can only come from games that are over: no estimate is as great."""
        return abs(value) >= self.sure


def codes_of(position: Position) -> list[int]:
    """The kernel's numbers for the legal moves."""
    return [code_of(position.rules, move) for move in position.legal_moves]


class Roots:
    """The legal moves of the position that is searched, best first as far as known."""

    def __init__(self, worker: Worker, position: Position, codes: list[int]) -> None:
        self.worker = worker
        self.sign = 1 if position.turn == "X" else -1
        self.sure = least_sure(position.rules)
        self.codes = list(codes)
        self.values: dict[int, int] = {}
        self.nodes: dict[int, int] = {}
        self.depth = 0
        """The last one that was finished."""
        self.estimate = 0.0
        """Of the position before anything is searched, in X's view."""

    def search(self, depth: int, lines: int) -> bool:
        """Search all moves so deep, the best ``lines`` of them exactly; False if the search was stopped.

        Moves that another thread is searching are put off. A move that was only found to be no better than what is
        known comes after all that are known, whichever was tried first.
        """
        worker, found, ascending, no_better = self.worker, dict[int, int](), list[int](), set[int]()
        put_off = list[int]()
        for code in chain(self.codes, put_off):
            before, many = worker.nodes, len(found) >= lines
            floor = ascending[-lines] if many else -of.INFINITE
            patient = bool(found) and code not in put_off
            value = worker.value(code, depth, floor, floor + 1 if many else of.INFINITE, patient=patient)
            if value == of.PUT_OFF:
                put_off.append(code)
                continue
            if many and value > floor and not worker.stopped:
                value = worker.value(code, depth, floor)
            if worker.stopped:
                break
            found[code] = value
            if value <= floor:
                no_better.add(code)
            insort(ascending, value)
            self.nodes[code] = self.nodes.get(code, 0) + worker.nodes - before
        if found and (len(found) == len(self.codes) or lines == 1 or not self.values):
            # Where one move is wanted, what a stopped depth had looked at is better founded than the depth before.
            kept = found if len(found) == len(self.codes) else {**found, **self._not_reached(found)}
            self.values = kept
            self.codes.sort(key=lambda code: (-kept.get(code, -of.INFINITE), code in no_better))
        if not worker.stopped:
            self.depth = depth
        return not worker.stopped

    def _not_reached(self, found: dict[int, int]) -> dict[int, int]:
        """The old values of the moves that the new depth did not reach: below the new best, unless that is lost."""
        best = max(found.values())
        most = best - 1 if best > -self.sure else of.INFINITE
        return {code: min(value, most) for code, value in self.values.items() if code not in found}


def _deepest(limits: Limits) -> int:
    return of.LEVELS - 2 if limits.depth is None else min(limits.depth, of.LEVELS - 2)
