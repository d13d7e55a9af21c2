"""Alpha-beta in compiled code: one function, for exact fixed-depth minimax and for the selective strong search.

Values are whole numbers: utility times ONE, in the view of the side to move (a bonus move keeps the view). Estimates
are rounded to the nearest 1/ONE once, in the leaves, and nothing after that rounds.
"""

from typing import Any

from numba import types

from metatac.engine.evaluate import Numbers, evaluate, refresh, refresh_all
from metatac.kernel import layout as at
from metatac.kernel.bits import Words, lowest_bit, moved, pointer, word
from metatac.kernel.compiled import compiled, inlined, part
from metatac.kernel.core import AVAILABLE, GOES_ON, Hot, hot, utility, wins_small
from metatac.kernel.hashing import position_key
from metatac.kernel.moves import UNDO_HEADER, list_moves, make_undoable, take_back
from metatac.kernel.places import place_of_board, place_of_upper

ONE = 1 << 32
INFINITE = 1 << 60
BOARD_SHIFT, OWN_SHIFT, CELL_MASK, SWAP_CODE = at.BOARD_SHIFT, at.OWN_SHIFT, at.CELL_MASK, at.SWAP_CODE

# -- G, what a search keeps beside the position: a header, killers for each level, then the history

NODES, SELECTIVE, TABLE_MASK, NUMBERS, NODE_LIMIT, STOPPED, LEVEL_LIMIT = 0, 1, 2, 3, 4, 5, 6
KILLERS = 16
LEVELS = 64
HISTORY = KILLERS + 2 * LEVELS

# -- the table: ENTRY words a position

ENTRY = 4  # key, value, depth * 4 + bound, best move; the first entry's first word is the flag that stops all threads
EXACT, AT_LEAST, AT_MOST = 1, 2, 3


@inlined
def winning_cells(R: Words, mask: int, available: int, first: int) -> int:
    """The available cells that would complete a pattern (listed at ``first``) for who has these marks."""
    found = 0
    for i in range(first + 1, first + 1 + R[first]):
        rest = R[i] & ~mask
        if rest & (rest - 1) == 0:
            found |= rest & available
    return found


@part
def can_win_now(R: Words, S: Words) -> bool:
    """Whether the side to move completes a winning line of boards at once. Only two levels with one mark a move, and
    boards that one line wins; what the other owns stays his, even where it takes more marks."""
    turn, root = S[at.TURN], place_of_upper(R, word(0))
    boards = winning_cells(R, S[root + turn], R[at.FULL] & ~S[root + 1 - turn], R[at.UPPER_PATTERN_OFFSET])
    if S[at.SPAN] == 1:
        boards &= 1 << S[at.LOW]
    while boards:
        here = place_of_board(lowest_bit(boards))
        boards &= boards - 1
        if S[here + AVAILABLE] and winning_cells(R, S[here + turn], S[here + AVAILABLE], R[at.PATTERN_OFFSET]):
            return True
    return False


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


@part
def descend(R: Words, S: Words, K: Words, W: Numbers, E: Numbers, undo: Words, G: Words, code: int) -> None:
    """Make a move; E, at the next level's row, becomes what the evaluation needs there."""
    row = moved(E, G[NUMBERS])
    for i in range(G[NUMBERS]):
        row[i] = E[i]
    make_undoable(hot(R), R, S, undo, code, True)
    if code == SWAP_CODE or (R[at.BAN] and undo[0] == 0):
        refresh_all(R, S, K, W, row)
    else:
        refresh(R, S, K, W, row, code >> BOARD_SHIFT)


@inlined
def later(value: int, level: int) -> int:
    """A won game is worth a trifle less, and a lost one more, the later it ends."""
    return value - level if value > 0 else value + level if value < 0 else 0


@inlined
def leaf_value(R: Words, S: Words, K: Words, W: Numbers, E: Numbers, G: Words, level: int) -> int:
    """The value of a position that is not searched on, in the view of the side to move."""
    if G[SELECTIVE] and R[at.PLAIN] and R[at.LINE] == 1 and R[at.TALLIES] == 0 and can_win_now(R, S):
        return later(R[at.WIN_UTILITY] * ONE, level + 1)
    estimate = evaluate(R, S, K, W, E) * float(ONE)
    value: int = word(estimate + 0.5) if estimate >= 0.0 else -word(0.5 - estimate)
    return value if S[at.TURN] == 0 else -value


@part
def search(
    R: Words,
    S: Words,
    K: Words,
    W: Numbers,
    E: Numbers,
    undo: Words,
    codes: Words,
    T: Words,
    G: Words,
    depth: int,
    alpha: int,
    beta: int,
    level: int,
) -> int:
    """The value of a position searched so deep, in the view of the side to move, within or beyond (alpha, beta)."""
    # 1. Count; look whether to stop.
    G[NODES] += 1
    if G[NODES] & 1023 == 0 and (T[0] != 0 or G[NODES] >= G[NODE_LIMIT]):
        G[STOPPED] = 1
    # 2. The game is over, or deep enough.
    if S[at.OVER] != GOES_ON:
        value = utility(R, S, S[at.OVER]) * ONE
        value = value if S[at.TURN] == 0 else -value
        return later(value, level) if G[SELECTIVE] else value
    if depth <= 0 or level >= G[LEVEL_LIMIT]:
        return leaf_value(R, S, K, W, E, G, level)
    # 3. What the table knows. Exact minimax takes only what was searched just as deep.
    key = position_key(S)
    entry: Words = moved(T, ENTRY + ENTRY * (key & G[TABLE_MASK]))
    best_code = word(-2)
    if G[TABLE_MASK] > 0 and entry[0] == key:
        best_code = entry[3]
        known, bound = entry[2] >> 2, entry[2] & 3
        if known == depth or (known > depth and G[SELECTIVE]):
            value = entry[1]
            if bound == EXACT or (bound == AT_LEAST and value >= beta) or (bound == AT_MOST and value <= alpha):
                return value
    # 4. List the moves and say how early each should be tried.
    r = hot(R)
    count = list_moves(r, R, S, codes)
    scores = moved(codes, count)
    for i in range(count):
        scores[i] = order_score(r, R, S, G, codes[i], best_code, level)
    # 5. Try them, best first.
    turn, best, floor = S[at.TURN], -INFINITE, alpha
    below = moved(codes, 2 * count)
    for n in range(count):
        pick = n
        for i in range(n + 1, count):
            if scores[i] > scores[pick]:
                pick = i
        code, score = codes[pick], scores[pick]
        codes[pick], scores[pick] = codes[n], scores[n]
        codes[n], scores[n] = code, score
        descend(R, S, K, W, E, undo, G, code)
        row = moved(E, G[NUMBERS])
        next_undo = moved(undo, UNDO_HEADER + R[at.STATE_SIZE])
        same = S[at.TURN] == turn and S[at.OVER] == GOES_ON
        # 6. Later moves with an empty window first, less deep where they look bad; fully if they surprise.
        reduce = word(0)
        if G[SELECTIVE] and depth >= 3 and n >= 4 and score < 1 << 42:
            reduce = word(1) if n < 9 else word(2)
        full = n == 0 or G[SELECTIVE] == 0
        value = word(0)
        if not full:
            if same:
                value = search(R, S, K, W, row, next_undo, below, T, G, depth - 1 - reduce, floor, floor + 1, level + 1)
            else:
                value = -search(
                    R, S, K, W, row, next_undo, below, T, G, depth - 1 - reduce, -floor - 1, -floor, level + 1
                )
            full = value > floor and (value < beta or reduce > 0)
        if full:
            if same:
                value = search(R, S, K, W, row, next_undo, below, T, G, depth - 1, floor, beta, level + 1)
            else:
                value = -search(R, S, K, W, row, next_undo, below, T, G, depth - 1, -beta, -floor, level + 1)
        take_back(R, S, undo)
        if G[STOPPED]:
            return best
        if value > best:
            best, best_code = value, code
            if value > floor:
                floor = value
                if floor >= beta:
                    note_cut(r, S, G, code, depth, level)
                    break
    # 7. Remember.
    if G[TABLE_MASK] > 0:
        entry[0], entry[1], entry[3] = key, best, best_code
        entry[2] = depth * 4 + (AT_LEAST if best >= beta else EXACT if best > alpha else AT_MOST)
    return best


@inlined
def note_cut(r: Hot, S: Words, G: Words, code: int, depth: int, level: int) -> None:
    """A move was too good to be allowed: try it early elsewhere."""
    if G[KILLERS + 2 * level] != code:
        G[KILLERS + 2 * level + 1] = G[KILLERS + 2 * level]
        G[KILLERS + 2 * level] = code
    if code != SWAP_CODE:
        place = (code >> BOARD_SHIFT) * r.size + ((code >> OWN_SHIFT) & CELL_MASK)
        G[HISTORY + 2 * place + S[at.TURN]] += depth * depth


@compiled
def search_move(
    tables: Any,
    state: Any,
    plan: Any,
    weights: Any,
    numbers: Any,
    undo: Any,
    codes: Any,
    table: Any,
    memory: Any,
    code: int,
    depth: int,
    alpha: int,
    beta: int,
) -> int:
    """The value of a move, searched ``depth`` plies with it, in the view of the side that makes it."""
    R, S, K, W, E = pointer(tables), pointer(state), pointer(plan), pointer(weights), pointer(numbers)
    U, C, T, G = pointer(undo), pointer(codes), pointer(table), pointer(memory)
    turn = S[at.TURN]
    descend(R, S, K, W, E, U, G, code)
    row, next_undo = moved(E, G[NUMBERS]), moved(U, UNDO_HEADER + R[at.STATE_SIZE])
    if S[at.TURN] == turn and S[at.OVER] == GOES_ON:
        value = search(R, S, K, W, row, next_undo, C, T, G, depth - 1, alpha, beta, word(1))
    else:
        value = -search(R, S, K, W, row, next_undo, C, T, G, depth - 1, -beta, -alpha, word(1))
    take_back(R, S, U)
    return value


@compiled
def prepare(tables: Any, state: Any, plan: Any, weights: Any, numbers: Any) -> float:
    """Fill the first row of numbers for a state; returns its estimate in X's view."""
    R, S, K, W, E = pointer(tables), pointer(state), pointer(plan), pointer(weights), pointer(numbers)
    refresh_all(R, S, K, W, E)
    return evaluate(R, S, K, W, E)


WORD, ROW, FLOATS = types.int64, types.int64[::1], types.float64[::1]
READ_ONLY = types.Array(types.int64, 1, "C", readonly=True)
SIGNATURES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "evaluation": (prepare, (READ_ONLY, ROW, ROW, FLOATS, FLOATS)),
    "search": (
        search_move,
        (READ_ONLY, ROW, ROW, FLOATS, FLOATS, ROW, ROW, ROW, ROW, WORD, WORD, WORD, WORD),
    ),
}
"""The entry points of the search, each with the one signature that it is compiled for."""
