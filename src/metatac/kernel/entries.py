"""The compiled entry points: what Python calls. Arrays go in; nothing is allocated; the GIL is not held."""

from typing import Any

import numpy as np
from numba import types

from metatac.kernel import layout as at
from metatac.kernel.bits import below, moved, next_random, pointer
from metatac.kernel.compiled import compiled
from metatac.kernel.core import GOES_ON, Hot, hot, position_key, rehash, utility
from metatac.kernel.moves import (
    UNDO_HEADER,
    count_moves,
    list_moves,
    make,
    make_undoable,
    random_move,
    take_back,
)

Array = Any
"""An int64 array, contiguous."""

BULK = 1


@compiled
def step(tables: Array, state: Array, undo: Array, code: int) -> None:
    """Make a legal move, and write to the undo row what takes it back."""
    R = pointer(tables)
    make_undoable(hot(R), R, pointer(state), pointer(undo), code, True)


@compiled
def unstep(tables: Array, state: Array, undo: Array) -> None:
    """Take back the move that the undo row was written for."""
    take_back(pointer(tables), pointer(state), pointer(undo))


@compiled
def legal_codes(tables: Array, state: Array, codes: Array) -> int:
    """Write the codes of all legal moves, ascending; returns how many."""
    R = pointer(tables)
    return list_moves(hot(R), R, pointer(state), pointer(codes))


@compiled
def key_of(state: Array) -> int:
    """The 64-bit hash of a state."""
    return position_key(pointer(state))


@compiled
def hash_anew(tables: Array, state: Array) -> None:
    """Work the hash of a state out from its parts."""
    rehash(pointer(tables), pointer(state))


@compiled
def utility_of(tables: Array, state: Array) -> int:
    """The rule set's utility of a finished game, in X's view."""
    return utility(pointer(tables), pointer(state), state[at.OVER])


@compiled
def playouts(tables: Array, state: Array, scratch: Array, codes: Array, seed: int, games: int, totals: Array) -> None:
    """Play games from a state to their ends with random moves.

    Adds to totals: games by OVER (4 words), plies, X's utility. Two games are played in turn, so that the processor works
    on one while it waits for the other: scratch holds two states.
    """
    R, S, T = pointer(tables), pointer(state), pointer(totals)
    r, size = hot(R), state.size
    A, B = pointer(scratch), moved(pointer(scratch), size)
    begun, opened = 0, 0
    over_a, over_b = -1, -1
    low_a, span_a, turn_a, bonus_a, low_b, span_b, turn_b, bonus_b = 0, 0, 0, 0, 0, 0, 0, 0
    while True:
        if over_a != GOES_ON:
            if over_a > 0:
                T[over_a] += 1
                T[5] += utility(R, A, over_a)
            over_a = -1
            if begun < games:
                begun += 1
                seed, opened = begin_game(r, R, S, A, pointer(codes), seed, size)
                T[4] += opened
                low_a, span_a, turn_a, bonus_a, over_a = A[at.LOW], A[at.SPAN], A[at.TURN], A[at.IN_BONUS], A[at.OVER]
            elif over_b == -1:
                break
        if over_b != GOES_ON:
            if over_b > 0:
                T[over_b] += 1
                T[5] += utility(R, B, over_b)
            over_b = -1
            if begun < games:
                begun += 1
                seed, opened = begin_game(r, R, S, B, pointer(codes), seed, size)
                T[4] += opened
                low_b, span_b, turn_b, bonus_b, over_b = B[at.LOW], B[at.SPAN], B[at.TURN], B[at.IN_BONUS], B[at.OVER]
        if over_a == GOES_ON:
            seed = next_random(seed)
            low_a, span_a, turn_a, bonus_a, over_a = random_move(r, R, A, low_a, span_a, turn_a, bonus_a, seed)
            T[4] += 1
        if over_b == GOES_ON:
            seed = next_random(seed)
            low_b, span_b, turn_b, bonus_b, over_b = random_move(r, R, B, low_b, span_b, turn_b, bonus_b, seed)
            T[4] += 1
