"""The compiled entry points: what Python calls. Arrays go in; nothing is allocated; the GIL is not held."""

from typing import Any

from numba import types

from metatac.kernel import layout as at
from metatac.kernel.bits import Words, below, moved, next_random, pointer, word
from metatac.kernel.compiled import compiled, part
from metatac.kernel.core import GOES_ON, hot, position_key, rehash, utility
from metatac.kernel.moves import (
    UNDO_HEADER,
    action_code,
    code_action,
    count_moves,
    is_legal,
    list_moves,
    make,
    make_undoable,
    random_move,
    take_back,
)

Array = Any
"""A contiguous array of int64."""


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


@part
def open_game(R: Words, game: Words, codes: Words, seed: int) -> tuple[int, int]:
    """Make the first random moves where one of them may be a swap. Returns (seed, moves made)."""
    r, made = hot(R), 0
    while game[at.OPENING] < 2 and game[at.OVER] == GOES_ON:
        seed = next_random(seed)
        make(r, R, game, codes[below(seed, list_moves(r, R, game, codes))], False)
        made += 1
    return seed, made


@compiled
def playouts(
    tables: Array, state: Array, scratch: Array, codes: Array, seed: int, games: int, totals: Array
) -> None:
    """Play games from a state to their ends with random moves.

    Adds to totals: games by OVER (4 words), plies, X's utility. Two games are played in turn, so that
    the processor works on one while it waits for the other: scratch holds two states.
    """
    R, S, T = pointer(tables), pointer(state), pointer(totals)
    r, size = hot(R), state.size
    A, B = pointer(scratch), moved(pointer(scratch), size)
    begun, plies = 0, 0
    over_a, over_b = word(-1), word(-1)  # no game
    low_a, span_a, turn_a, bonus_a, low_b, span_b, turn_b, bonus_b = 0, 0, 0, 0, 0, 0, 0, 0
    while True:
        if over_a != GOES_ON:
            if over_a > 0:
                T[over_a] += 1
                if R[at.UTILITY_POINTS]:
                    T[5] += utility(R, A, over_a)
            over_a = word(-1)
            if begun < games:
                begun += 1
                for i in range(size):
                    A[i] = S[i]
                if R[at.SWAP]:
                    seed, opened = open_game(R, A, pointer(codes), seed)
                    plies += opened
                over_a, turn_a, bonus_a = A[at.OVER], A[at.TURN], A[at.IN_BONUS]
                low_a, span_a = A[at.LOW], A[at.SPAN]
            elif over_b == -1:
                break
        if over_b != GOES_ON:
            if over_b > 0:
                T[over_b] += 1
                if R[at.UTILITY_POINTS]:
                    T[5] += utility(R, B, over_b)
            over_b = word(-1)
            if begun < games:
                begun += 1
                for i in range(size):
                    B[i] = S[i]
                if R[at.SWAP]:
                    seed, opened = open_game(R, B, pointer(codes), seed)
                    plies += opened
                over_b, turn_b, bonus_b = B[at.OVER], B[at.TURN], B[at.IN_BONUS]
                low_b, span_b = B[at.LOW], B[at.SPAN]
        if over_a == GOES_ON:
            seed, plies = next_random(seed), plies + 1
            low_a, span_a, turn_a, bonus_a, over_a = random_move(
                r, R, A, low_a, span_a, turn_a, bonus_a, seed
            )
        if over_b == GOES_ON:
            seed, plies = next_random(seed), plies + 1
            low_b, span_b, turn_b, bonus_b, over_b = random_move(
                r, R, B, low_b, span_b, turn_b, bonus_b, seed
            )
    T[4] += plies
    if not R[at.UTILITY_POINTS]:
        T[5] = T[at.X_WINS] - T[at.O_WINS]


@compiled
def perft(tables: Array, state: Array, depth: int, undo: Array, codes: Array, room: int) -> int:
    """How many sequences of so many moves there are (depth 1 or more); the last moves are counted, not made.

    undo and codes hold a row for each level; room is the length of a row of codes, which begins with how many
    codes there are and which is next. The state is left as it was.
    """
    R, S = pointer(tables), pointer(state)
    r, width = hot(R), UNDO_HEADER + state.size
    if depth == 1:
        return count_moves(r, R, S)
    row, level, leaves = pointer(codes), 0, 0
    row[0], row[1] = list_moves(r, R, S, moved(row, 2)), 0
    while True:
        row = moved(pointer(codes), level * room)
        if row[1] == row[0]:
            if level == 0:
                return leaves
            level -= 1
            take_back(R, S, moved(pointer(undo), level * width))
            continue
        code = row[2 + row[1]]
        row[1] += 1
        undo_row = moved(pointer(undo), level * width)
        make_undoable(r, R, S, undo_row, code, False)
        if level == depth - 2:
            leaves += count_moves(r, R, S)
            take_back(R, S, undo_row)
        else:
            level += 1
            row = moved(pointer(codes), level * room)
            row[0], row[1] = list_moves(r, R, S, moved(row, 2)), 0


# -- many states at once


@compiled
def step_all(tables: Array, states: Array, actions: Array, utilities: Array) -> int:
    """Take an action in each of many states; finished ones are left alone.

    Writes the utility (X's view) of a game that ends. Returns the first row whose action is illegal (the rows
    before it have been stepped), or -1.
    """
    R = pointer(tables)
    r, size = hot(R), states.shape[1]
    for row in range(states.shape[0]):
        S = moved(pointer(states), row * size)
        if S[at.OVER]:
            continue
        code = action_code(r, R, actions[row])
        if not is_legal(r, R, S, code):
            return row
        make(r, R, S, code, True)
        if S[at.OVER]:
            utilities[row] = utility(R, S, S[at.OVER])
    return -1


@compiled
def mark_legal(tables: Array, states: Array, codes: Array, legal: Array) -> None:
    """Set a byte for each legal action of each state; the others become 0."""
    R = pointer(tables)
    r, size = hot(R), states.shape[1]
    for row in range(states.shape[0]):
        for action in range(legal.shape[1]):
            legal[row, action] = 0
        count = list_moves(r, R, moved(pointer(states), row * size), pointer(codes))
        for i in range(count):
            legal[row, code_action(r, codes[i], legal.shape[1])] = 1


WORD, ROW, TABLE, BYTES = types.int64, types.int64[::1], types.int64[:, ::1], types.uint8[:, ::1]
READ_ONLY = types.Array(types.int64, 1, "C", readonly=True)
SIGNATURES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "step": (step, (READ_ONLY, ROW, ROW, WORD)),
    "undo": (unstep, (READ_ONLY, ROW, ROW)),
    "legal moves": (legal_codes, (READ_ONLY, ROW, ROW)),
    "hash": (hash_anew, (READ_ONLY, ROW)),
    "key": (key_of, (ROW,)),
    "utility": (utility_of, (READ_ONLY, ROW)),
    "playouts": (playouts, (READ_ONLY, ROW, ROW, ROW, WORD, WORD, ROW)),
    "perft": (perft, (READ_ONLY, ROW, WORD, ROW, ROW, WORD)),
    "batch step": (step_all, (READ_ONLY, TABLE, ROW, ROW)),
    "batch legal moves": (mark_legal, (READ_ONLY, TABLE, ROW, BYTES)),
}
"""Every entry point, with the one signature that it is compiled for."""
