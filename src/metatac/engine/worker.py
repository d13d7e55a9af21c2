"""One thread of the alpha-beta search from Python: its arrays, and the table that it shares with others."""

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metatac.engine import memory as of
from metatac.engine.arrays import aligned_words, table_words, wipe
from metatac.engine.deadline import set_deadline
from metatac.engine.learned import Shorts
from metatac.engine.network import HIDDEN
from metatac.engine.search import SIGNATURES, known_move, prepare, search_roots
from metatac.engine.threats import threats
from metatac.engine.weights import MARGIN, knowledge
from metatac.game import Move, Position
from metatac.kernel import entries
from metatac.kernel import layout as at
from metatac.kernel.compiled import compile_all
from metatac.kernel.moves import UNDO_HEADER
from metatac.kernel.state import STEPPING, most_moves, move_of, words_of
from metatac.kernel.tables import Words, state_size, tables
from metatac.rules import RuleSet

CODE_WORDS = 1 << 22
"""Words of the stack of move lists, which bounds the depth where positions have very many moves."""


@lru_cache(maxsize=1)
def engine_ready() -> float:
    """Have the kernel and the search compiled or loaded; returns the seconds it took the first time."""
    return compile_all(STEPPING | SIGNATURES)


def least_sure(rules: RuleSet) -> int:
    """The least value that is proven: the greatest utility that a game can end with, however late. No estimate is as
    great; and a win by a line, where a count can give more, is not the best there is."""
    return _greatest(rules) * of.ONE - 2 * of.LEVELS


def counts_lines(rules: RuleSet) -> bool:
    """Whether lines are what a game is played for, as in ``sudoku``."""
    return rules.count == "lines" and rules.utility == "points"


def _greatest(rules: RuleSet) -> int:
    """The greatest utility that a game can end with."""
    return int(rules.greatest_points) if rules.points_count else 1


def _looks_for_wins(rules: RuleSet, tables: Words) -> bool:
    """Whether the search may end where the side to move completes a winning line: see ``leaves.can_win_now``."""
    return bool(tables[at.PLAIN]) and not rules.tallies and int(tables[at.WIN_UTILITY]) == _greatest(rules)


class Table:
    """A transposition table of bounded size that several workers share."""

    def __init__(self, megabytes: float) -> None:
        buckets = max(1.0, megabytes * 2**20 / (8 * of.BUCKET))
        self.mask = (1 << int(buckets).bit_length() - 1) - 1
        self.words = table_words(of.BUCKET * (self.mask + 2))
        self.busy = aligned_words(of.SLOT * of.SLOTS)
        self.generation = 0

    def stop(self) -> None:
        """Have every search that uses the table return soon."""
        self.words[0] = 1

    def go(self) -> None:
        """Take a stop back."""
        self.words[0] = 0

    def begin(self) -> None:
        """Let a new search begin; what older ones wrote is the first to be overwritten."""
        self.busy[:] = 0
        self.generation = (self.generation + 1) % 2**40

    def clear(self) -> None:
        wipe(self.words)


class Worker:
    """The arrays of one thread that searches positions of one rule set."""

    def __init__(
        self, rules: RuleSet, table: Table, *, selective: bool, learned: Shorts | None = None, shared: bool = False
    ) -> None:
        """``shared`` says whether other threads search the same positions."""
        engine_ready()
        self.rules, self.table, self.tables = rules, table, tables(rules)
        room = most_moves(rules)
        levels = max(2, min(of.LEVELS - 1, CODE_WORDS // (2 * room)))
        numbers, undo = 2 + 2 * (rules.board_count + 1 + rules.size), UNDO_HEADER + state_size(rules)
        self.words: Words = aligned_words(state_size(rules))
        # What compiled code reaches by address must be kept alive here.
        arrays: dict[int, NDArray[Any]] = {
            of.TABLES: self.tables,
            of.STATE: self.words,
            of.PLAN: knowledge(rules).plan,
            of.WEIGHTS: knowledge(rules).weights,
            of.NUMBERS: aligned_words((levels + 2) * numbers).view(np.float64),
            of.UNDO: aligned_words((levels + 2) * undo),
            of.CODES: aligned_words((levels + 2) * 2 * room),
            of.THREATS: threats(rules),
            of.TABLE: table.words,
            of.SUMS: aligned_words(HIDDEN // 4).view(np.int16),
        }
        if learned is not None:
            arrays[of.NETWORK] = learned
        if shared:
            arrays[of.BUSY] = table.busy
        self._arrays = arrays
        self.memory: Words = aligned_words(of.HISTORY + 2 * rules.cells)
        for entry, array in arrays.items():
            self.memory[entry] = array.ctypes.data
        self.memory[of.SELECTIVE] = int(selective)
        self.memory[of.PROVEN] = least_sure(rules) if selective else of.INFINITE
        self.memory[of.MARGIN] = int(knowledge(rules).weights[MARGIN] * of.ONE)
        self.memory[of.LOOK_FOR_WINS] = int(selective and _looks_for_wins(rules, self.tables))
        self.memory[of.HORIZON] = int(not selective and counts_lines(rules) and rules.line == "nothing")
        self.memory[of.TABLE_MASK] = table.mask
        self.memory[of.NUMBERS_ROW], self.memory[of.UNDO_ROW] = numbers, undo
        self.memory[of.LEVEL_LIMIT] = levels

    @property
    def nodes(self) -> int:
        """Positions visited since the search began."""
        return int(self.memory[of.NODES])

    @nodes.setter
    def nodes(self, number: int) -> None:
        self.memory[of.NODES] = number

    @property
    def stopped(self) -> bool:
        """Whether the search ended before its end; what it returned last is worth nothing."""
        return bool(self.memory[of.STOPPED])

    def clear(self) -> None:
        """Forget what cut in earlier searches."""
        self.memory[of.KILLERS :] = 0

    def begin(
        self, position: Position, nodes: int | None = None, seconds: float | None = None, deaf: int = 0
    ) -> float:
        """Set a position up to be searched within limits; returns its estimate in X's view.

        ``deaf`` is how many positions are visited whatever the limits.
        """
        self.words[:] = words_of(position)
        memory = self.memory
        memory[of.NODES] = memory[of.STOPPED] = 0
        memory[of.NODE_LIMIT] = 2**62 if nodes is None else max(nodes, deaf)
        memory[of.NEXT_LOOK] = deaf
        set_deadline(memory, of.DEADLINE, seconds)
        memory[of.GENERATION] = self.table.generation
        memory[of.KILLERS : of.HISTORY] = of.NO_MOVE
        memory[of.HISTORY :] //= 8  # what cut in the last search cuts in this, but less surely
        return int(prepare(memory)) / of.ONE

    def search(self, roots: Words, depth: int, lines: int) -> int:
        """Search the moves of ``roots``, whose rows ``memory`` describes, so deep; returns how many it reached."""
        memory, flat = self.memory, roots.ravel()
        roots[of.ROOT_FOUND], roots[of.NO_BETTER] = of.PUT_OFF, 0
        memory[of.ROOT_NEXT] = memory[of.ROOT_SEARCHED] = memory[of.ROOT_WAITING] = 0
        count = roots.shape[1]
        while memory[of.ROOT_NEXT] >= 0:
            search_roots(memory, flat, count, depth, min(lines, count))
        return int(memory[of.ROOT_SEARCHED])

    def line(self, code: int, longest: int) -> tuple[Move, ...]:
        """The best play after a move, as far as the table remembers it."""
        words, undo = self.words.copy(), np.zeros(UNDO_HEADER + self.words.size, dtype=np.int64)
        codes: Words = np.zeros(most_moves(self.rules), dtype=np.int64)
        line: list[Move] = []
        following = code
        while following != of.NO_MOVE and len(line) < longest:
            count = entries.legal_codes(self.tables, words, codes)
            if following not in codes[:count]:  # another position's entry, by a rare chance
                break
            line.append(move_of(self.rules, following))
            entries.step(self.tables, words, undo, following)
            following = of.NO_MOVE if words[at.OVER] else int(known_move(self.memory, words))
        return tuple(line)
