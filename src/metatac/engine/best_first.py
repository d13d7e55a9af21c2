"""The best-first searcher from Python: a tree with the learned evaluation, grown by one thread or several, and kept."""

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from metatac.engine import best_first_tree as of
from metatac.engine import memory, prospects
from metatac.engine.alphabeta import Limits
from metatac.engine.arrays import aligned_words, touch
from metatac.engine.deadline import alarm, set_deadline
from metatac.engine.helpers import helped
from metatac.engine.learned import Shorts, knows_draws
from metatac.engine.results import MoveValue, SearchResult
from metatac.engine.worker import Table, Worker
from metatac.game import Move, Position
from metatac.kernel import entries
from metatac.kernel import layout as at
from metatac.kernel.compiled import compile_all
from metatac.kernel.moves import UNDO_HEADER
from metatac.kernel.state import check_game, move_of, words_of
from metatac.kernel.tables import Words
from metatac.rules import RuleSet

FIRST_PIECE, LAST_PIECE = 500, 500_000
"""Iterations before the first report; the next ones come when there are half as many again, or about every second."""
RARELY = 8
"""When the tree is full, nodes lose their children that were visited less often than this; then four times this ..."""
LONG = 2**40
CONTEMPT = 0.6
"""What a player who despises draws wants one to count, of a lost game: see docs/engine.md."""
CONTENT, HOPEFUL = 0.7, 0.05
"""Who can hope for hardly more than a draw, the way he values it (for this part of what it costs him), is content with
one: he would only gamble. He wants more again when the position is worth the second to him, draws being worth 0."""
AS_GOOD, VISITED = 0.05, 0.1
"""He plays what promises him most against an opponent who errs, of moves that are worse than the best by no more than
the first and were visited at least the second as often."""
RESULTS = {of.WON: 1.0, of.LOST: -1.0, of.DRAWN: 0.0}

SIGNATURES = of.SIGNATURES | prospects.SIGNATURES

Report = Callable[[SearchResult], None]
Nodes = NDArray[np.int32]


def draw_worth(player: str, contempt: float) -> float:
    """What a draw is worth to X in the eyes of a player with so much contempt for it."""
    return -contempt if player == "X" else contempt


@lru_cache(maxsize=1)
def best_first_ready() -> float:
    """Have the best-first search compiled or loaded; returns the seconds it took the first time."""
    return compile_all(SIGNATURES)


class _Grower:
    """One thread's arrays."""

    def __init__(self, rules: RuleSet, table: Table, learned: Shorts) -> None:
        self.worker = Worker(rules, table, selective=True, learned=learned)
        self.control: Words = aligned_words(of.CONTROL)
        self.path: Words = aligned_words(of.BASE_STATE + self.worker.words.size)

    @property
    def nodes(self) -> int:
        """Positions valued since the search began."""
        return self.worker.nodes

    @property
    def stopped(self) -> int:
        """Why it does not grow the tree any more; 0: it would."""
        return int(self.worker.memory[memory.STOPPED])

    def begin(self, limits: Limits) -> None:
        """Begin a search within limits."""
        words = self.worker.memory
        words[memory.NODES] = self.control[of.GROWN] = 0
        words[memory.NODE_LIMIT] = 2**62 if limits.nodes is None else limits.nodes
        set_deadline(words, memory.DEADLINE, limits.seconds)

    def take(self, first: int, end: int) -> None:
        """Let it make its nodes in a part of the tree."""
        self.control[of.USED], self.control[of.END] = first, end
        self.control[of.BASE] = self.control[of.LEFT] = 0
        self.worker.memory[memory.STOPPED] = 0

    def grow(self, tree: Nodes, root: Words, iterations: int) -> None:
        """Grow a tree from a root until it is stopped or so many iterations are made."""
        of.grow(self.worker.memory, tree, tree.view(np.float32), self.control, root, self.path, iterations)


class BestFirst:
    """Grows a tree of positions of one rule set that has a learned evaluation; what is of use of it is kept."""

    def __init__(self, rules: RuleSet, learned: Shorts, *, megabytes: float = 64, threads: int = 1) -> None:
        best_first_ready()
        self.rules = rules
        self.table = Table(0)
        """Not for positions: it has the word that stops all threads."""
        self.workers = [_Grower(rules, self.table, learned) for _ in range(threads)]
        rows = (int(megabytes * 2**20) - 8 * of.MARKS) // (64 * 4 * of.NODE + 2 * 8)  # two words of marks for 64 nodes
        self.capacity = min(max(64 * rows, 2 * threads * of.MOST_CHILDREN + 2), 2**31 - 1)
        self._tree: Nodes = np.zeros(of.NODE * self.capacity, dtype=np.int32)
        self._marks: Words = np.zeros(of.MARKS + 2 * (self.capacity // 64 + 1), dtype=np.int64)
        touch(self._tree, self._marks)
        self._root: Words | None = None
        self._used = 1
        self.wish_x = 0.0
        """What a draw is worth to X in the eyes of who asks: he may want more than that, unless he stands badly."""
        self.draw_x = 0.0
        """What it is worth in the tree."""
        self.tempts = False
        """Whether who wishes for more also plays, of moves that are about as good, what an opponent errs after most
        easily: near the end that costs nothing. It is for who asks to say."""
        self._knows_draws = knows_draws(learned)
        self._entries: Words = np.zeros(prospects.ENTRY * prospects.MOST, dtype=np.int64)
        self._plies: Words = np.zeros(prospects.MOST, dtype=np.int64)
        self._promised: NDArray[np.float64] = np.zeros(prospects.MOST)

    def stop(self) -> None:
        """Have the search that is under way, or else the next one, end as soon as it has a move. From any thread."""
        self.table.stop()

    def go(self) -> None:
        """Take back a stop that no search has heard."""
        self.table.go()

    def clear(self) -> None:
        """Forget the tree."""
        self._root = None

    def free(self) -> None:
        """Give the memory back. It can still be told to stop, but searches no more."""
        self._tree, self._marks, self.workers = np.zeros(0, np.int32), np.zeros(0, np.int64), []

    # -- thinking

    def think(
        self, position: Position, limits: Limits, *, lines: int = 1, on_result: Report | None = None
    ) -> SearchResult:
        """Grow the tree until a limit is reached or the result is proven, and report now and then."""
        check_game(position, self.rules)
        begin = time.perf_counter()
        for one in self.workers:
            one.begin(limits)
        with alarm(limits.seconds, self.table.stop):
            try:
                root = self._plant(position)
                while True:
                    result = self._grow(position, root, limits, lines, on_result, begin)
                    if self.workers[0].stopped != of.FULL or not self._keep(0, RARELY):
                        return result
            finally:
                self.table.go()

    def _grow(
        self, position: Position, root: Words, limits: Limits, lines: int, on_result: Report | None, begin: float
    ) -> SearchResult:
        """Grow the tree until there is a reason to stop, be it that there is no more room."""
        first, piece = self.workers[0], FIRST_PIECE
        with self._helped(root, limits.seconds):
            while True:
                first.grow(self._tree, root, piece)
                piece = min(max(FIRST_PIECE, int(first.control[of.GROWN]) // 2), LAST_PIECE)
                if first.stopped or self._tree[of.STATUS] != of.OPEN:
                    return self._result(position, lines, begin)
                if on_result is not None:
                    on_result(self._result(position, lines, begin))

    def _helped(self, root: Words, seconds: float | None) -> AbstractContextManager[object]:
        """Have the other threads grow the tree as well, each in its own part of what is left of the array."""
        size = (self.capacity - self._used) // len(self.workers)
        for number, one in enumerate(self.workers):
            one.take(self._used + number * size, self._used + (number + 1) * size)

        def stop() -> None:
            if self.workers[0].stopped != of.FULL:  # or their parts, no larger, will soon be full as well
                self.table.stop()

        return helped([partial(one.grow, self._tree, root, LONG) for one in self.workers[1:]], seconds, stop)

    # -- what is kept of the tree

    def _plant(self, position: Position) -> Words:
        """Make a position the root, with what the tree knows of it."""
        node, words = self._find_here(position), words_of(position)
        if self._decide_on_draws(position, node):
            node = -1
        self.clear()  # until the tree is the one of this position, whatever interrupts it
        if node < 0 or not self._keep(node, 0):
            self._tree[: of.NODE] = 0
            self._used = 1
        elif not self._tree[of.FIRST]:  # its moves must be there, whatever is known of it
            self._tree[of.STATUS] = of.OPEN
        self._root = words
        return words

    def _decide_on_draws(self, position: Position, node: int) -> bool:
        """Decide what a draw is worth; whether that is another value than all in the tree was worked out by."""
        before, self.draw_x = self.draw_x, 0.0
        if self._knows_draws and self.wish_x and self._hopes(position, node, before):
            self.draw_x = self.wish_x
        for one in self.workers:
            one.worker.memory[memory.DRAW_X] = round(self.draw_x * memory.ONE)
        return self.draw_x != before

    def _hopes(self, position: Position, node: int, before: float) -> bool:
        """Whether who wishes for more than a draw may hope for it, by what the tree knows of a position or else by
        what it looks like."""
        worker, sign = self.workers[0].worker, 1 if position.turn == "X" else -1
        worker.words[:] = words_of(position)
        value, drawn = of.outlook(worker.memory)
        value_x = sign * value + self.wish_x * drawn
        if node >= 0:
            value_x = -sign * float(self._tree.view(np.float32)[of.NODE * node + of.VALUE])
        own = value_x if self.wish_x < 0 else -value_x
        return bool(own > HOPEFUL if node >= 0 and not before else own > -CONTENT * abs(self.wish_x))

    def _find_here(self, position: Position) -> int:
        """The node of a position that is or follows soon on the one that the tree is of; -1: there is none."""
        if self._root is None:
            return -1
        wanted = words_of(position)
        return self._find(0, self._root, wanted, np.zeros(UNDO_HEADER + wanted.size, dtype=np.int64), 2)

    def _find(self, node: int, here: Words, wanted: Words, undo: Words, plies: int) -> int:
        """The node of a state that follows within so many moves on the one of a node; -1: there is none."""
        if int(entries.key_of(here)) == int(entries.key_of(wanted)):
            return node
        first, count = self._family(node)
        for child in range(first, first + count) if plies else ():
            after = here.copy()
            entries.step(self.workers[0].worker.tables, after, undo, self._code(child))
            found = self._find(child, after, wanted, undo, plies - 1) if after[at.OVER] == at.GOES_ON else -1
            if found >= 0:
                return found
        return -1

    def _keep(self, node: int, least: int) -> bool:
        """Forget all but what is below a node, and what was visited too rarely; False if there is no time for it."""
        most = self.capacity // 2 if least else self.capacity
        used = int(of.keep(self.workers[0].worker.memory, self._tree, self._marks, node, least, most))
        if used > 0:
            self._used = used
        elif used < 0:
            self.clear()
        return used > 0

    # -- what was found

    def _family(self, node: int) -> tuple[int, int]:
        """A node's first child, and how many there are."""
        first = int(self._tree[of.NODE * node + of.FIRST])
        return first, int(self._tree[of.NODE * node + of.MOVE]) >> of.FAMILY if first else 0

    def _code(self, node: int) -> int:
        return int(self._tree[of.NODE * node + of.MOVE]) & of.CODE_MASK

    def _ranked(self, node: int, draw: float) -> list[int]:
        """The children of a node, the one to play first: what is proven to win; then by visits, but no move that looks
        worse than a draw to the mover before a proven draw; what is proven to lose last."""
        first, count = self._family(node)
        rows = self._tree[of.NODE * first : of.NODE * (first + count)].reshape(count, of.NODE)
        values, status, visits = rows.view(np.float32)[:, of.VALUE], rows[:, of.STATUS], rows[:, of.VISITS]
        rank = np.select([status == of.WON, status == of.LOST], [2, -2], 0)
        if np.any(status == of.DRAWN):
            rank[(status == of.OPEN) & (values < draw)] = -1
        return [first + int(i) for i in np.lexsort((-values, -visits, -rank))]

    def _promising(self, ranked: list[int], draw: float) -> list[int]:
        """The root's moves with that first which promises most against an opponent who errs, of those that are about
        as good as the first; a proven draw is given up for nothing that looks worse."""
        first, count = min(ranked), len(ranked)  # not asked of the tree again: two threads may have made the root's
        rows = self._tree[of.NODE * first : of.NODE * (first + count)].reshape(count, of.NODE)
        values, status, visits = rows.view(np.float32)[:, of.VALUE], rows[:, of.STATUS], rows[:, of.VISITS]
        best = ranked[0] - first
        if status[best] in (of.WON, of.LOST):
            return ranked
        least = max(values[best] - AS_GOOD, np.float32(draw) if np.any(status == of.DRAWN) else -1.0)
        close = (status == of.DRAWN) | (status == of.OPEN) & (visits >= VISITED * visits.max())
        close &= values >= least
        close[best] = True
        promises = self._promises()[1 : 1 + count]
        close &= status != of.LOST  # other threads may just have found out
        if not close.any() or np.any(status == of.WON):
            return ranked
        promised = np.where(close, promises, -np.inf)
        chosen = first + int(np.argmax(promised))
        return [chosen, *(child for child in ranked if child != chosen)]

    def _promises(self) -> NDArray[np.float64]:
        """What the root, its moves and what comes after them promise who is to move, in the order of the tree."""
        prospects.prospects(self._tree, self._tree.view(np.float32), self._entries, self._plies, self._promised)
        return self._promised

    def _result(self, position: Position, lines: int, begin: float) -> SearchResult:
        sign, moves = 1 if position.turn == "X" else -1, list[MoveValue]()
        ranked = self._ranked(0, sign * self.draw_x)
        if self.tempts and self._knows_draws and sign * self.wish_x < 0:
            ranked = self._promising(ranked, sign * self.draw_x)
        for child in ranked[: max(1, lines)]:
            status, visits = (int(self._tree[of.NODE * child + part]) for part in (of.STATUS, of.VISITS))
            proven = status != of.OPEN
            value = RESULTS[status] if proven else self._fair_value(child, sign * self.draw_x)
            line = self._line(child, -sign * self.draw_x)
            moves.append(MoveValue(self._move(child), sign * value, visits, line, proven))
        nodes, best = sum(one.nodes for one in self.workers), moves[0]
        seconds = time.perf_counter() - begin
        known = bool(self._tree[of.STATUS] != of.OPEN)
        return SearchResult(position.text, best.value_x, tuple(moves), nodes, seconds, len(best.line), known)

    def _fair_value(self, child: int, draw: float) -> float:
        """What a move of the root is worth in the mover's view, had he not wished a draw to be worth this much."""
        value = float(self._tree.view(np.float32)[of.NODE * child + of.VALUE])
        if draw and self._root is not None:
            worker = self.workers[0].worker
            worker.words[:] = self._root
            undo = np.zeros(UNDO_HEADER + worker.words.size, dtype=np.int64)
            entries.step(worker.tables, worker.words, undo, self._code(child))
            value -= draw * float(of.outlook(worker.memory)[1])
        return min(max(value, -1.0), 1.0)

    def _move(self, node: int) -> Move:
        return move_of(self.rules, self._code(node))

    def _line(self, node: int, draw: float) -> tuple[Move, ...]:
        """The best play from the move that leads to a node on, as far as it was looked at; ``draw`` is what a draw is
        worth to who is to move then."""
        line = [self._move(node)]
        while self._family(node)[1] and len(line) < memory.LEVELS:
            node, draw = self._ranked(node, draw)[0], -draw
            place = of.NODE * node
            if not self._tree[place + of.VISITS] and self._tree[place + of.STATUS] == of.OPEN:
                break
            line.append(self._move(node))
        return tuple(line)
