"""The alpha-beta searcher from Python: exact minimax to a fixed depth, and iterative deepening on all cores."""

import threading
import time
from bisect import insort
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from metatac.engine import search as compiled
from metatac.engine.arrays import aligned_words
from metatac.engine.learned import Shorts, network
from metatac.engine.network import HIDDEN
from metatac.engine.results import MoveValue, SearchResult
from metatac.engine.threats import threats
from metatac.engine.weights import MARGIN, knowledge
from metatac.game import Move, Position
from metatac.kernel import entries
from metatac.kernel import layout as at
from metatac.kernel.compiled import compile_all
from metatac.kernel.moves import UNDO_HEADER
from metatac.kernel.state import code_of, most_moves, move_of, ready_to_step, words_of
from metatac.kernel.tables import Words, state_size, tables
from metatac.rules import RuleSet, load_rules

CODE_WORDS = 1 << 22
"""Words of the stack of move lists, which bounds the depth where positions have very many moves."""


@lru_cache(maxsize=1)
def engine_ready() -> float:
    """Have the kernel and the search compiled or loaded; returns the seconds it took the first time."""
    return ready_to_step() + compile_all(compiled.SIGNATURES)


@dataclass(frozen=True)
class Limits:
    """When a search ends; None: not for that reason."""

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None


def least_sure(rules: RuleSet) -> int:
    """The least value that is proven: the greatest utility that a game can end with, however late. No estimate is as
    great; and a win by a line, where a count can give more, is not the best there is."""
    return _greatest(rules) * compiled.ONE - 2 * compiled.LEVELS


def _greatest(rules: RuleSet) -> int:
    """The greatest utility that a game can end with."""
    return int(rules.greatest_points) if rules.points_count else 1


def _looks_for_wins(rules: RuleSet, tables: Words) -> bool:
    """Whether the search may end where the side to move completes a winning line: see ``search.can_win_now``."""
    return bool(tables[at.PLAIN]) and not rules.tallies and int(tables[at.WIN_UTILITY]) == _greatest(rules)


class Table:
    """A transposition table of bounded size that several workers share."""

    def __init__(self, megabytes: float) -> None:
        buckets = max(1.0, megabytes * 2**20 / (8 * compiled.BUCKET))
        self.mask = (1 << int(buckets).bit_length() - 1) - 1
        self.words = aligned_words(compiled.BUCKET * (self.mask + 2))
        self.generation = 0

    def stop(self) -> None:
        """Have every search that uses the table return soon."""
        self.words[0] = 1

    def go(self) -> None:
        """Let a new search begin; what older ones wrote is the first to be overwritten."""
        self.words[0] = 0
        self.generation = (self.generation + 1) % 2**40

    def clear(self) -> None:
        self.words[:] = 0

    def best_code(self, words: Words) -> int | None:
        """The best move that is known for a state."""
        key = int(entries.key_of(words))
        bucket = compiled.BUCKET * (1 + (key & self.mask))
        for place in (bucket, bucket + compiled.ENTRY):
            entry = [int(word) for word in self.words[place : place + compiled.ENTRY]]
            if entry[0] ^ entry[1] ^ entry[2] ^ entry[3] == key:
                return entry[3]
        return None


class Worker:
    """The arrays of one thread that searches positions of one rule set."""

    def __init__(self, rules: RuleSet, table: Table, *, selective: bool, learned: Shorts | None = None) -> None:
        engine_ready()
        self.rules, self.table, self.tables = rules, table, tables(rules)
        room = most_moves(rules)
        levels = max(2, min(compiled.LEVELS - 1, CODE_WORDS // (2 * room)))
        numbers, undo = 2 + 2 * (rules.board_count + 1 + rules.size), UNDO_HEADER + state_size(rules)
        self.words: Words = np.zeros(state_size(rules), dtype=np.int64)
        # What compiled code reaches by address must be kept alive here.
        arrays: dict[int, NDArray[Any]] = {
            compiled.TABLES: self.tables,
            compiled.STATE: self.words,
            compiled.PLAN: knowledge(rules).plan,
            compiled.WEIGHTS: knowledge(rules).weights,
            compiled.NUMBERS: np.zeros((levels + 2) * numbers),
            compiled.UNDO: np.zeros((levels + 2) * undo, dtype=np.int64),
            compiled.CODES: np.zeros((levels + 2) * 2 * room, dtype=np.int64),
            compiled.THREATS: threats(rules),
            compiled.TABLE: table.words,
            compiled.SUMS: np.zeros(HIDDEN, dtype=np.int16),
        }
        if learned is not None:
            arrays[compiled.NETWORK] = learned
        self._arrays = arrays
        self._memory: Words = np.zeros(compiled.HISTORY + 2 * rules.cells, dtype=np.int64)
        for entry, array in arrays.items():
            self._memory[entry] = array.ctypes.data
        self._memory[compiled.SELECTIVE] = int(selective)
        self._memory[compiled.PROVEN] = least_sure(rules) if selective else compiled.INFINITE
        self._memory[compiled.MARGIN] = int(knowledge(rules).weights[MARGIN] * compiled.ONE)
        self._memory[compiled.LOOK_FOR_WINS] = int(selective and _looks_for_wins(rules, self.tables))
        self._memory[compiled.TABLE_MASK] = table.mask
        self._memory[compiled.NUMBERS_ROW], self._memory[compiled.UNDO_ROW] = numbers, undo
        self._memory[compiled.LEVEL_LIMIT] = levels

    @property
    def nodes(self) -> int:
        """Positions visited since the search began."""
        return int(self._memory[compiled.NODES])

    @nodes.setter
    def nodes(self, number: int) -> None:
        self._memory[compiled.NODES] = number

    @property
    def stopped(self) -> bool:
        """Whether the search ended before its end; what it returned last is worth nothing."""
        return bool(self._memory[compiled.STOPPED])

    def clear(self) -> None:
        """Forget what cut in earlier searches."""
        self._memory[compiled.KILLERS :] = 0

    def begin(self, position: Position, nodes: int | None = None) -> float:
        """Set a position up to be searched; returns its estimate in X's view."""
        self.words[:] = words_of(position)
        memory = self._memory
        memory[compiled.NODES] = memory[compiled.NEXT_LOOK] = memory[compiled.STOPPED] = 0
        memory[compiled.NODE_LIMIT] = 2**62 if nodes is None else nodes
        memory[compiled.GENERATION] = self.table.generation
        memory[compiled.KILLERS : compiled.HISTORY] = -2
        memory[compiled.HISTORY :] //= 8  # what cut in the last search cuts in this, but less surely
        return int(compiled.prepare(memory)) / compiled.ONE

    def value(self, code: int, depth: int, alpha: int = -compiled.INFINITE, beta: int = compiled.INFINITE) -> int:
        """The value of a move in the view of the side that makes it, searched so many plies with it."""
        return int(compiled.search_move(self._memory, code, depth, alpha, beta))

    def line(self, code: int, longest: int) -> tuple[Move, ...]:
        """The best play after a move, as far as the table remembers it."""
        words, undo = self.words.copy(), np.zeros(UNDO_HEADER + self.words.size, dtype=np.int64)
        codes: Words = np.zeros(most_moves(self.rules), dtype=np.int64)
        line: list[Move] = []
        following: int | None = code
        while following is not None and len(line) < longest:
            count = entries.legal_codes(self.tables, words, codes)
            if following not in codes[:count]:  # another position's entry, by a rare chance
                break
            line.append(move_of(self.rules, following))
            entries.step(self.tables, words, undo, following)
            following = None if words[at.OVER] else self.table.best_code(words)
        return tuple(line)


def minimax(position: Position, depth: int, *, megabytes: float = 64, table: Table | None = None) -> SearchResult:
    """The exact value of every legal move, searched to a fixed depth; for ``sudoku`` the calculator's.

    Where the points are lines, as there, komi is ignored: it only says who wins, not how good a position is. Through a
    table of one's own the search can be stopped; the values are worth nothing then.
    """
    begin = time.perf_counter()
    if position.rules.komi and position.rules.count == "lines" and position.rules.utility == "points":
        parts = (position.cells, position.owners, position.tallies, position.send, position.turn, position.bonus)
        position = Position(load_rules(position.rules, komi=0), *parts)
    worker = Worker(position.rules, table or Table(megabytes), selective=False)
    worker.begin(position)
    sign = 1 if position.turn == "X" else -1
    found = []
    for move in position.legal_moves:
        before, code = worker.nodes, code_of(position.rules, move)
        value = sign * worker.value(code, depth) / compiled.ONE
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
        self.workers = [Worker(rules, self.table, selective=True, learned=given) for _ in range(threads)]
        self.sure = least_sure(rules)

    def stop(self) -> None:
        """Have a search that is under way end as soon as it can."""
        self.table.stop()

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
        self.table.go()
        for worker in self.workers:
            worker.nodes = 0  # or, until a thread has begun, those of its last search would be counted
        timer = threading.Timer(limits.seconds, self.table.stop) if limits.seconds is not None else None
        helpers = [
            threading.Thread(target=self._help, args=(worker, position, limits, number), daemon=True)
            for number, worker in enumerate(self.workers[1:], start=1)
        ]
        for thread in (*helpers, timer):
            if thread is not None:
                thread.daemon = True
                thread.start()
        try:
            return self._deepen(position, limits, lines, on_result)
        finally:
            self.table.stop()
            if timer is not None:
                timer.cancel()
            for helper in helpers:
                helper.join()

    def _help(self, worker: Worker, position: Position, limits: Limits, number: int) -> None:
        """Search the same position on another thread, for what it leaves in the table."""
        worker.begin(position, limits.nodes)
        roots = Roots(worker, position)
        for depth in range(1 + number % 2, _deepest(limits) + 1):
            if not roots.search(depth, 1):
                return

    def _deepen(
        self, position: Position, limits: Limits, lines: int, on_result: Callable[[SearchResult], None] | None
    ) -> SearchResult:
        begin, worker = time.perf_counter(), self.workers[0]
        least = 2 * len(position.legal_moves)  # the first depth is always finished: a win at once is never missed
        estimate = worker.begin(position, None if limits.nodes is None else max(least, limits.nodes))
        roots = Roots(worker, position)
        result = self._result(position, roots, 0, estimate, begin, lines)
        for depth in range(1, _deepest(limits) + 1):
            finished = roots.search(depth, lines)
            if roots.values:
                value = self.utility(roots.sign * roots.values[roots.codes[0]])
                result = self._result(position, roots, depth if finished else depth - 1, value, begin, lines)
                if on_result is not None and finished:
                    on_result(result)
            known = roots.values and all(one.proven for one in result.moves)
            if not finished or (len(roots.codes) == 1 and limits.depth is None) or known:
                break
        return result

    def _result(
        self, position: Position, roots: "Roots", depth: int, value_x: float, begin: float, lines: int
    ) -> SearchResult:
        worker = self.workers[0]
        moves = []
        for code in roots.codes[: max(1, lines)]:
            value = self.utility(roots.sign * roots.values.get(code, 0)) if roots.values else value_x
            proven = self.is_proven(roots.values.get(code, 0))
            line = worker.line(code, max(1, depth))
            moves.append(MoveValue(move_of(self.rules, code), value, roots.nodes.get(code, 0), line, proven))
        nodes = sum(one.nodes for one in self.workers)
        seconds = time.perf_counter() - begin
        return SearchResult(position.text, value_x, tuple(moves), nodes, seconds, depth, moves[0].proven)

    def utility(self, value: int) -> float:
        """A value in units of utility, without the trifle that tells an early win from a late one."""
        if self.is_proven(value):
            return float(round(value / compiled.ONE))
        return value / compiled.ONE

    def is_proven(self, value: int) -> bool:
        """Whether a value can only come from games that are over: no estimate is as great."""
        return abs(value) >= self.sure


class Roots:
    """The legal moves of the position that is searched, best first as far as known."""

    def __init__(self, worker: Worker, position: Position) -> None:
        self.worker = worker
        self.sign = 1 if position.turn == "X" else -1
        self.sure = least_sure(position.rules)
        self.codes = [code_of(position.rules, move) for move in position.legal_moves]
        self.values: dict[int, int] = {}
        self.nodes: dict[int, int] = {}

    def search(self, depth: int, lines: int) -> bool:
        """Search all moves so deep, the best ``lines`` of them exactly; False if the search was stopped."""
        worker, found, ascending = self.worker, dict[int, int](), list[int]()
        for code in self.codes:
            before = worker.nodes
            floor = ascending[-lines] if len(found) >= lines else -compiled.INFINITE
            value = worker.value(code, depth, floor, compiled.INFINITE if len(found) < lines else floor + 1)
            if len(found) >= lines and value > floor and not worker.stopped:
                value = worker.value(code, depth, floor)
            if worker.stopped:
                break
            found[code] = value
            insort(ascending, value)
            self.nodes[code] = self.nodes.get(code, 0) + worker.nodes - before
        if found and (len(found) == len(self.codes) or lines == 1 or not self.values):
            # Where one move is wanted, what a stopped depth had looked at is better founded than the depth before.
            kept = found if len(found) == len(self.codes) else {**found, **self._not_reached(found)}
            self.values = kept
            self.codes.sort(key=lambda code: -kept.get(code, -compiled.INFINITE))
        return not worker.stopped

    def _not_reached(self, found: dict[int, int]) -> dict[int, int]:
        """The old values of the moves that the new depth did not reach: below the new best, unless that is lost."""
        best = max(found.values())
        most = best - 1 if best > -self.sure else compiled.INFINITE
        return {code: min(value, most) for code, value in self.values.items() if code not in found}


def _deepest(limits: Limits) -> int:
    return compiled.LEVELS - 2 if limits.depth is None else min(limits.depth, compiled.LEVELS - 2)
