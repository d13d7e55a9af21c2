"""Monte-Carlo tree search from Python: a tree that is grown, looked at, and kept when the game goes on."""

import math
import time
from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from metatac.engine import tree as at_tree
from metatac.engine import tree_entries
from metatac.engine.results import SearchResult
from metatac.engine.threats import threats
from metatac.engine.tree import CODE, FIRST, HALF, MOST_PLIES, NODE
from metatac.engine.tree_view import TreeView
from metatac.errors import IllegalMove
from metatac.game import Move, Position
from metatac.kernel import entries as kernel_entries
from metatac.kernel import layout as at
from metatac.kernel.compiled import compile_all
from metatac.kernel.moves import UNDO_HEADER
from metatac.kernel.state import STEPPING, check_game, most_moves, words_of
from metatac.kernel.tables import state_size, tables
from metatac.rules import RuleSet

TEXTBOOK_C = 2 * math.sqrt(2)
"""UCB1's sqrt(2) is for results from 0 to 1; ours are from -1 to 1."""
KEEN_C = 0.8
"""In units of the results' own spread. Chosen by matches against ``uct``."""
SLICE_S = 0.002
"""About how long the compiled search runs between two looks at the clock."""
MOST_VISITS = 2**31 - 2
MOST_NODES = 2**31 - 1
"""A node knows its children by a number of 32 bits."""
URGES = 1 << 16
BYTES = {False: 4 * (NODE + 2), True: 2 * 4 * (NODE + 4)}
"""Of a node, by whether the search is keen: that one has bounds, and room to copy what it keeps of its tree."""


@lru_cache(maxsize=1)
def tree_ready() -> float:
    """Have the tree search compiled or loaded; returns the seconds it took the first time."""
    return compile_all(STEPPING | tree_entries.SIGNATURES)


@lru_cache(maxsize=8)
def _urges(c: float) -> NDArray[np.float32]:
    """c, then c * sqrt(log(n)) for each n from 1."""
    table = np.full(URGES, c, dtype=np.float32)
    table[1:] *= np.sqrt(np.log(np.arange(1, URGES, dtype=np.float64)))
    table.flags.writeable = False
    return table


def greatest_utility(rules: RuleSet) -> int:
    """No game's utility is farther from 0 than this."""
    return max(1, int(max(rules.greatest_points, rules.win_points))) if rules.points_count else 1


def _same(a: NDArray[np.int64], b: NDArray[np.int64]) -> bool:
    """Whether two states are one position; OPENING counts moves only where that matters, and then it follows."""
    return bool(np.array_equal(a[: at.OPENING], b[: at.OPENING]) and np.array_equal(a[at.HASH :], b[at.HASH :]))


def _changed(board: int, a: NDArray[np.int64], b: NDArray[np.int64]) -> bool:
    """Whether two states differ in a small board: a move changes its board for good."""
    place = at.STATE_HEADER + at.BOARD * board
    return not np.array_equal(a[place : place + at.BOARD], b[place : place + at.BOARD])


class _Tree:
    """The arrays of a tree, all allocated at once; pages that are never written cost nothing."""

    def __init__(self, capacity: int, keen: bool) -> None:
        self.nodes = np.zeros(NODE * capacity, dtype=np.int32)
        self.rates = self.nodes.view(np.float32)
        self.counts = np.zeros(2 * capacity, dtype=np.int32)
        self.bounds = np.zeros(2 * capacity if keen else 2, dtype=np.int32)

    def clear(self, reach: int) -> None:
        self.nodes[:NODE] = 0
        self.counts[:2] = 0
        self.bounds[0], self.bounds[1] = -reach, reach


class TreeSearch:
    """A search of one rule set's positions: the textbook's UCT, or the keen one with proofs and better playouts.

    The same seed, positions and numbers of iterations give the same results.
    """

    def __init__(
        self,
        rules: RuleSet,
        *,
        keen: bool,
        seed: int = 0,
        hash_mb: float = 256,
        c: float | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        tree_ready()
        self.rules, self.keen, self.clock = rules, keen, clock
        self.reach = greatest_utility(rules)
        self.capacity = min(max(int(hash_mb * 2**20) // BYTES[keen], most_moves(rules) + 2), MOST_NODES)
        self._urges = _urges((KEEN_C if keen else TEXTBOOK_C) if c is None else c)
        self._tables, self._threats = tables(rules), threats(rules)
        self._tree = _Tree(self.capacity, keen)
        # For what is kept: made at once, so that there is memory for it before the game begins, or none is played.
        self._spare = _Tree(self.capacity, keen) if keen else None
        size = state_size(rules)
        self._room = np.zeros(2 * size + 2 * MOST_PLIES + UNDO_HEADER + most_moves(rules), dtype=np.int64)
        self._stop = np.zeros(1, dtype=np.int64)
        self._control = np.zeros(at_tree.CONTROL, dtype=np.int64)
        chance = np.random.SeedSequence(seed % 2**64).generate_state(1, np.uint64)
        self._control[at_tree.SEED] = chance.view(np.int64)[0]
        self._control[at_tree.CAPACITY], self._control[at_tree.KEEN] = self.capacity, int(keen)
        self._control[at_tree.REACH] = self.reach
        self.position: Position | None = None
        self._words = np.zeros(size, dtype=np.int64)
        self.iterations, self.seconds = 0, 0.0

    # -- where

    def clear(self) -> None:
        """Forget the tree."""
        self.position = None

    def set_position(self, position: Position) -> bool:
        """Search here from now on; returns whether some of the tree could be kept."""
        if position.outcome is not None:
            raise IllegalMove(f"there is no move to choose: {position.outcome} (position: {position.text})")
        check_game(position, self.rules)
        words = words_of(position)
        node = self._find(words) if self.keen and self.position is not None else 0
        if node and self._spare is not None:
            old, new = self._tree, self._spare
            tree_entries.transplant(
                old.nodes, old.counts, old.bounds, node, new.nodes, new.counts, new.bounds, self._control
            )
            self._tree, self._spare = new, old
        else:
            self._tree.clear(self.reach)
            self._control[at_tree.USED] = 1
            self._control[at_tree.RESULTS] = self._control[at_tree.SQUARES] = 0
        self.position, self._words = position, words
        self.iterations, self.seconds = 0, 0.0
        return node > 0

    def _find(self, words: NDArray[np.int64]) -> int:
        """The node of a state that follows within a few moves on the present one, or 0."""
        plies = 4 if self.rules.bonus else 2
        return self._find_below(0, self._words, words, plies)

    def _find_below(self, node: int, here: NDArray[np.int64], wanted: NDArray[np.int64], plies: int) -> int:
        tree, undo = self._tree, np.zeros(UNDO_HEADER + wanted.size, dtype=np.int64)
        first, count = int(tree.nodes[NODE * node + FIRST]), int(tree.counts[2 * node + 1])
        for child in range(first, first + count) if first else ():
            code = int(tree.nodes[NODE * child + CODE])
            if code >= 0 and not _changed(code >> at.BOARD_SHIFT, here, wanted):
                continue
            if code >= 0 and code & HALF == HALF:
                found = self._find_below(child, here, wanted, plies)
            else:
                after = here.copy()
                kernel_entries.step(self._tables, after, undo, code)
                if _same(after, wanted):
                    return child
                found = self._find_below(child, after, wanted, plies - 1) if plies > 1 else 0
            if found:
                return found
        return 0

    # -- how long

    def interrupt(self) -> None:
        """Have a running search, in another thread, return as soon as its present iteration is done."""
        self._stop[0] = 1

    def run(self, *, iterations: int | None = None, seconds: float | None = None) -> int:
        """Search until so many iterations are made, so much time is over, all is proven or it is interrupted.

        One iteration is always made. Returns how many were.
        """
        if self.position is None:
            raise IllegalMove("the search has no position yet")
        begin, done, piece = self.clock(), 0, 1
        most = min(MOST_VISITS - int(self._tree.counts[0]), MOST_VISITS if iterations is None else iterations)
        now = begin
        while done < most and not (done and self._stop[0]):
            wanted = min(piece, most - done)
            asked, self._stop[0] = int(self._stop[0]), 0 if not done else self._stop[0]
            made = self._grow(wanted)
            self._stop[0] |= asked
            done += made
            before, now = now, self.clock()
            if made < wanted or (seconds is not None and now - begin >= seconds):
                break
            pace = max(now - before, 1e-7) / made
            left = SLICE_S if seconds is None else min(SLICE_S, seconds - (now - begin))
            piece = max(1, min(4 * piece, int(left / pace)))
        self._stop[0] = 0
        self.iterations += done
        self.seconds += now - begin
        return done

    def _grow(self, iterations: int) -> int:
        tree = self._tree
        return int(
            tree_entries.search(
                self._tables,
                self._threats,
                self._words,
                tree.nodes,
                tree.rates,
                tree.counts,
                tree.bounds,
                self._urges,
                self._control,
                self._room,
                self._stop,
                iterations,
            )
        )

    # -- what was found

    @property
    def nodes(self) -> int:
        """Nodes of the tree, those not yet visited included."""
        return int(self._control[at_tree.USED])

    @property
    def proven(self) -> bool:
        """Whether the value of the position is certain."""
        return self.keen and bool(self._tree.bounds[0] == self._tree.bounds[1])

    def best(self) -> Move:
        """The move to make: the most visited; of the keen search a proven one that is no worse, if there is."""
        return self._view().best()

    def result(self) -> SearchResult:
        """All that was found."""
        return self._view().result(self.iterations, self.seconds)

    def _view(self) -> TreeView:
        if self.position is None:
            raise IllegalMove("the search has no position yet")
        tree = self._tree
        return TreeView(self.position, tree.nodes, tree.counts, tree.bounds if self.keen else None, self.reach)
