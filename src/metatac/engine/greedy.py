"""What each move wins and gives away at once, on every rule set: the judgement of the greedy player."""

from functools import lru_cache
from typing import Any

import numpy as np
from numba import types

from metatac.engine.rollout import worth
from metatac.game import Move, Position
from metatac.kernel import layout as at
from metatac.kernel.bits import Words, moved, pointer
from metatac.kernel.compiled import compile_all, compiled, inlined, part
from metatac.kernel.core import hot
from metatac.kernel.moves import UNDO_HEADER, count_moves, list_moves, make_undoable, take_back
from metatac.kernel.places import parent_of, place_of_board, place_of_upper
from metatac.kernel.state import STEPPING, most_moves, move_of, words_of
from metatac.kernel.tables import state_size, tables

GAME = 1 << 20
"""What winning the game counts."""
MOST_REPLIES = 4_000_000
MIDDLE_BOARD, SMALL_BOARD, A_TALLY, A_LINE = 64, 16, 4, 1


@part
def holdings(R: Words, G: Words, board: int, who: int) -> int:
    """What a player has of a small board and of what is around it."""
    here, total = place_of_board(board), 0
    if R[at.DEPTH] > 1:
        upper, child = parent_of(R, board)
        if (G[place_of_upper(R, upper) + who] >> child) & 1:
            total += SMALL_BOARD
        if upper > 0 and (G[place_of_upper(R, 0) + who] >> (upper - 1)) & 1:
            total += MIDDLE_BOARD
        if R[at.LINE] == 2:
            total = -total
    total += A_TALLY * ((G[here + at.TALLY] >> (4 * who)) & 15)
    if R[at.COUNT] == 2:
        first = R[at.LINE_OFFSET]
        for i in range(first + 1, first + 1 + R[first]):
            if G[here + who] & R[i] == R[i]:
                total += A_LINE
    return total


@inlined
def balance(R: Words, G: Words, board: int, who: int) -> int:
    return holdings(R, G, board, who) - holdings(R, G, board, 1 - who)


@part
def gain(R: Words, G: Words, undo: Words, code: int) -> int:
    """Make a move, and say what it gains the mover; the undo row takes it back."""
    turn, board = G[at.TURN], code >> at.BOARD_SHIFT if code >= 0 else 0
    before = balance(R, G, board, turn)
    make_undoable(hot(R), R, G, undo, code, False)
    if G[at.OVER]:
        result = worth(R, G, G[at.OVER])
        result = result if turn == 0 else -result
        if G[at.OVER] != at.NOBODY_WINS:
            return GAME if result > 0 else -GAME if result < 0 else 0
        return result
    return balance(R, G, board, turn) - before if code >= 0 else 0


@compiled
def judge_moves(tables: Any, state: Any, undo: Any, codes: Any, values: Any) -> int:
    """The codes of all legal moves and what each is worth to the mover; returns how many there are.

    Twice what the move gains, less what the best reply does; or more that, where the same player moves again. Where
    there are too many moves and replies, replies are not looked at.
    """
    R, S, C, V = pointer(tables), pointer(state), pointer(codes), pointer(values)
    r, width = hot(R), UNDO_HEADER + state.size
    first, second = pointer(undo), moved(pointer(undo), width)
    count = list_moves(r, R, S, C)
    replies = moved(C, count)
    for i in range(count):
        turn = S[at.TURN]
        value = gain(R, S, first, C[i])
        value *= 2
        if not S[at.OVER] and count * count_moves(r, R, S) <= MOST_REPLIES:
            best = -2 * GAME
            for j in range(list_moves(r, R, S, replies)):
                best = max(best, gain(R, S, second, replies[j]))
                take_back(R, S, second)
            value += best if S[at.TURN] == turn else -best
        V[i] = value
        take_back(R, S, first)
    return count


ROW = types.int64[::1]
READ_ONLY = types.Array(types.int64, 1, "C", readonly=True)
SIGNATURES: dict[str, tuple[Any, tuple[Any, ...]]] = {"greed": (judge_moves, (READ_ONLY, ROW, ROW, ROW, ROW))}


@lru_cache(maxsize=1)
def greed_ready() -> float:
    """Have the judgement compiled or loaded; returns the seconds it took the first time."""
    return compile_all(STEPPING | SIGNATURES)


def greedy_values(position: Position) -> dict[Move, int]:
    """What each legal move is worth in the greedy player's eyes, in the mover's view."""
    greed_ready()
    rules = position.rules
    undo = np.zeros(2 * (UNDO_HEADER + state_size(rules)), dtype=np.int64)
    codes, values = (np.zeros(2 * most_moves(rules), dtype=np.int64) for _ in range(2))
    count = judge_moves(tables(rules), words_of(position), undo, codes, values)
    pairs = zip(codes[:count].tolist(), values[:count].tolist(), strict=True)
    return {move_of(rules, code): value for code, value in pairs}
