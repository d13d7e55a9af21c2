"""Moves in the search's compiled code: how early to try one, how to make it and take it back, and what cuts."""

from metatac.engine.arrays import Numbers, numbers_at, words_at
from metatac.engine.evaluate import refresh, refresh_all
from metatac.engine.memory import (
    HISTORY,
    KILLERS,
    NETWORK,
    NUMBERS,
    NUMBERS_ROW,
    PLAN,
    UNDO,
    UNDO_ROW,
    WEIGHTS,
)
from metatac.kernel import layout as at
from metatac.kernel.bits import Words, moved
from metatac.kernel.compiled import inlined, part
from metatac.kernel.core import Hot, hot, wins_small
from metatac.kernel.moves import make_undoable
from metatac.kernel.places import place_of_board

BOARD_SHIFT, OWN_SHIFT, CELL_MASK, SWAP_CODE = at.BOARD_SHIFT, at.OWN_SHIFT, at.CELL_MASK, at.SWAP_CODE


@inlined
def order_score(r: Hot, R: Words, S: Words, G: Words, code: int, best: int, level: int) -> int:
    """How early a move should be tried: the table's, then boards won, killers, and what has cut before."""
    if code == best:
        return 1 << 50
    if code == SWAP_CODE:
        return 0
    board, cell = code >> BOARD_SHIFT, (code >> OWN_SHIFT) & CELL_MASK
    turn = S[at.TURN]
    score = G[HISTORY + (board * r.size + cell) * 2 + turn]
    if wins_small(r, R, S[place_of_board(board) + turn] | (1 << cell)):
        score += 1 << 45
    if code == G[KILLERS + 2 * level] or code == G[KILLERS + 2 * level + 1]:
        score += 1 << 42
    return score


@inlined
def undo_row(G: Words, level: int) -> Words:
    """What takes the move at a level back."""
    row: Words = moved(words_at(G[UNDO]), level * G[UNDO_ROW])
    return row


@part
def descend(R: Words, S: Words, G: Words, code: int, level: int) -> None:
    """Make a move at a level; the next level's row of numbers becomes what the evaluation needs there."""
    undo = undo_row(G, level)
    make_undoable(hot(R), R, S, undo, code, True)
    if G[NETWORK]:
        return
    K, W = words_at(G[PLAN]), numbers_at(G[WEIGHTS])
    E: Numbers = moved(numbers_at(G[NUMBERS]), level * G[NUMBERS_ROW])
    row: Numbers = moved(E, G[NUMBERS_ROW])
    for i in range(G[NUMBERS_ROW]):
        row[i] = E[i]
    if code == SWAP_CODE or (R[at.BAN] and undo[0] == 0):
        refresh_all(R, S, K, W, row)
    else:
        refresh(R, S, K, W, row, code >> BOARD_SHIFT)


@inlined
def note_cut(r: Hot, S: Words, G: Words, code: int, depth: int, level: int) -> None:
    """A move was too good to be allowed: try it early elsewhere."""
    if G[KILLERS + 2 * level] != code:
        G[KILLERS + 2 * level + 1] = G[KILLERS + 2 * level]
        G[KILLERS + 2 * level] = code
    if code != SWAP_CODE:
        place = (code >> BOARD_SHIFT) * r.size + ((code >> OWN_SHIFT) & CELL_MASK)
        G[HISTORY + 2 * place + S[at.TURN]] += depth * depth
