"""The compiled entry points: what Python calls. Arrays go in; nothing is allocated; the GIL is not held."""

from typing import Any

from numba import types

from metatac.kernel import layout as at
from metatac.kernel.bits import Words, below, mix, moved, next_random, pointer
from metatac.kernel.compiled import compiled, inlined, part
from metatac.kernel.core import GOES_ON, NOBODY_WINS, X_WINS, hot, plain_hot, utility
from metatac.kernel.hashing import position_key, rehash
from metatac.kernel.moves import (
    NOT_MADE,
    UNDO_HEADER,
    action_code,
    code_action,
    count_after_quiet,
    count_moves,
    is_legal,
    is_quiet,
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
def open_game(R: Words, game: Words, codes: Words, seed: int) -> int:
    """Make the first random moves where one of them may be a swap. Returns how many."""
    r, made = hot(R), 0
    seed = mix(seed)  # draws of its own: the game goes on with the caller's
    while game[at.OPENING] < 2 and game[at.OVER] == GOES_ON:
        seed = next_random(seed)
        make(r, R, game, codes[below(seed, list_moves(r, R, game, codes))], False)
        made += 1
    return made


@inlined
def begin_game(R: Words, S: Words, game: Words, codes: Words, seed: int) -> int:
    """Copy the state to play from; returns the moves that were made already."""
    for i in range(R[at.STATE_SIZE]):
        game[i] = S[i]
    return open_game(R, game, codes, seed) if R[at.SWAP] else 0


@inlined
def end_game(R: Words, game: Words, over: int, plies: int, T: Words) -> None:
    """Add a finished game to the totals."""
    if over >= NOT_MADE:
        over, plies = over - NOT_MADE, plies - 1
    T[over] += 1
    T[4] += plies
    if R[at.UTILITY_POINTS]:
        T[5] += utility(R, game, over)
    elif over != NOBODY_WINS:
        T[5] += 1 if over == X_WINS else -1


@part
def play_one_by_one(R: Words, S: Words, game: Words, codes: Words, seed: int, games: int, T: Words) -> None:
    """Play games of any rule set."""
    r = hot(R)
    for _ in range(games):
        plies = begin_game(R, S, game, codes, seed)
        low, span, turn, bonus = game[at.LOW], game[at.SPAN], game[at.TURN], game[at.IN_BONUS]
        over = game[at.OVER]
        while over == GOES_ON:
            seed, plies = next_random(seed), plies + 1
            low, span, turn, bonus, over = random_move(r, R, game, low, span, turn, bonus, seed)
        end_game(R, game, over, plies, T)


@compiled
def playouts(tables: Array, state: Array, scratch: Array, codes: Array, seed: int, games: int, totals: Array) -> None:
    """Play games from a state, which is not over, to their ends with random moves.

    Adds to totals: games by OVER (4 words), plies, X's utility. Of plain rule sets two games, A and B, are played in
    turn, so that the processor works on one while it waits for the other; scratch holds their states. Each has a number
    of games to play (whichever ends first must not be counted first: that would favour short games), and who is done
    plays on for nothing.
    """
    R, S, T, C = pointer(tables), pointer(state), pointer(totals), pointer(codes)
    A, B = pointer(scratch), moved(pointer(scratch), state.size)
    if not R[at.PLAIN] or games == 1:
        play_one_by_one(R, S, A, C, seed, games, T)
        return
    r = plain_hot(R)
    left_a, left_b = games - games // 2, games // 2
    plies_a, plies_b = begin_game(R, S, A, C, seed), begin_game(R, S, B, C, ~seed)
    low_a, span_a, turn_a, bonus_a = A[at.LOW], A[at.SPAN], A[at.TURN], A[at.IN_BONUS]
    low_b, span_b, turn_b, bonus_b = B[at.LOW], B[at.SPAN], B[at.TURN], B[at.IN_BONUS]
    while left_a > 0 or left_b > 0:
        seed = next_random(seed)
        low_a, span_a, turn_a, bonus_a, over_a = random_move(r, R, A, low_a, span_a, turn_a, bonus_a, seed)
        seed = next_random(seed)
        low_b, span_b, turn_b, bonus_b, over_b = random_move(r, R, B, low_b, span_b, turn_b, bonus_b, seed)
        plies_a += 1
        plies_b += 1
        if over_a:
            if left_a > 0:
                end_game(R, A, over_a, plies_a, T)
            left_a -= 1
            plies_a = begin_game(R, S, A, C, seed)
            low_a, span_a, turn_a, bonus_a = A[at.LOW], A[at.SPAN], A[at.TURN], A[at.IN_BONUS]
        if over_b:
            if left_b > 0:
                end_game(R, B, over_b, plies_b, T)
            left_b -= 1
            plies_b = begin_game(R, S, B, C, ~seed)
            low_b, span_b, turn_b, bonus_b = B[at.LOW], B[at.SPAN], B[at.TURN], B[at.IN_BONUS]


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
    row, level, leaves, plain = pointer(codes), 0, 0, R[at.PLAIN]
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
        if plain and level == depth - 2 and is_quiet(r, R, S, code):
            count = count_after_quiet(S, code)
            if count:
                leaves += count
                continue
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
