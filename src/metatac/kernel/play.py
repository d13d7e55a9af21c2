"""Compiled entry points: step, undo, legal moves, random playouts, perft, batches."""

from typing import Any

from numba import uintp

from metatac.kernel import layout as at
from metatac.kernel.bits import below, lowest_bit, mix, popcount
from metatac.kernel.compiled import compiled, inlined, part
from metatac.kernel.core import (
    AVAILABLE,
    GOES_ON,
    Array,
    is_span_open,
    marks_key,
    one_mark,
    place_of_board,
    two_marks,
    utility,
    wins_small,
)

GAMMA = -0x61C8864680B583EB  # SplitMix64's step, as an int64


@inlined
def nth_bit(R: Array, mask: int, n: int) -> int:
    """The place of the n-th set bit, from 0."""
    byte = mask & 255
    here = popcount(byte)
    if R[at.LOOKUP]:  # at most 16 cells: two bytes, without a branch
        upper = 1 if n >= here else 0
        byte = (mask >> (8 * upper)) & 255
        n -= here * upper
        return ((R[uintp(R[at.SELECT_OFFSET] + byte)] >> (4 * n)) & 15) + 8 * upper
    base = 0
    while n >= here:
        n -= here
        mask >>= 8
        base += 8
        byte = mask & 255
        here = popcount(byte)
    return base + ((R[uintp(R[at.SELECT_OFFSET] + byte)] >> (4 * n)) & 15)


@inlined
def board_moves(R: Array, available: int) -> int:
    """How many moves there are in a small board."""
    blanks = popcount(available)
    if R[at.MARKS] == 1:
        return blanks
    return R[at.SIZE] if blanks == 1 else blanks * (blanks - 1)


@part
def count_moves(R: Array, S: Array, low: int, span: int) -> int:
    """How many moves there are in some small boards, the swap not counted."""
    total = 0
    for board in range(low, low + span):
        total += board_moves(R, S[uintp(place_of_board(board) + AVAILABLE)])
    return total


@inlined
def random_game(R: Array, S: Array, seed: int) -> tuple[int, int, int]:
    """Play random moves to the end. Returns (over, plies, seed). The header of the state is not kept."""
    low, span, turn, bonus, over = S[at.LOW], S[at.SPAN], S[at.TURN], S[at.IN_BONUS], S[at.OVER]
    plies = 0
    two = R[at.MARKS] == 2
    while over == GOES_ON:
        board = low
        seed += GAMMA
        if span == 1:
            available = S[uintp(place_of_board(low) + AVAILABLE)]
            n = below(seed, board_moves(R, available))
        else:
            n = below(seed, count_moves(R, S, low, span))
            available = S[uintp(place_of_board(board) + AVAILABLE)]
            here = board_moves(R, available)
            while n >= here:
                n -= here
                board += 1
                available = S[uintp(place_of_board(board) + AVAILABLE)]
                here = board_moves(R, available)
        plies += 1
        if two:
            blanks = popcount(available)
            if blanks == 1:
                a, b = lowest_bit(available), n
            else:
                a = nth_bit(R, available, n // (blanks - 1))
                b = nth_bit(R, available & ~(1 << a), n % (blanks - 1))
            low, span, turn, bonus, over = two_marks(R, S, turn, bonus, board, a, b, False)
        else:
            cell = nth_bit(R, available, n)
            low, span, turn, bonus, over = one_mark(R, S, turn, bonus, board, cell, False)
    return over, plies, seed


@compiled
def playouts(R: Array, S: Array, scratch: Array, seed: int, games: int, totals: Array) -> None:
    """Play games at random from a state. Adds to totals: games by OVER (4 words), plies, and X's utility."""
    for _ in range(games):
        for i in range(S.size):
            scratch[uintp(i)] = S[uintp(i)]
        over, plies, seed = random_game(R, scratch, seed)
        totals[over] += 1
        totals[4] += plies
        totals[5] += utility(R, scratch, over)
