"""Alpha-beta in compiled code: one function, for exact fixed-depth minimax and for the selective strong search.

Values are whole numbers: utility times ONE, in the view of the side to move (a bonus move keeps the view). Estimates
are rounded to the nearest 1/ONE once, in the leaves, and nothing after that rounds.

``G``, a search's memory, is all that is passed on: it holds the addresses of everything else.
"""

from typing import Any

from numba import types

from metatac.engine.arrays import Ints, Numbers, Shorts, ints_at, numbers_at, shorts_at, words_at
from metatac.engine.evaluate import evaluate, refresh, refresh_all
from metatac.engine.network import (
    NONE,
    OUT,
    OWN,
    TERNARY,
    board_row,
    expected,
    gather,
    network_value,
    output,
    send_row,
    state_of,
    sum_rows,
    target_row,
)
from metatac.engine.network import SIZE as NETWORK_SIZE
from metatac.engine.threats import small_threats, upper_threats
from metatac.engine.weights import SURE
from metatac.kernel import layout as at
from metatac.kernel.bits import Words, lowest_bit, moved, pointer, popcount, word
from metatac.kernel.compiled import compiled, inlined, part
from metatac.kernel.core import AVAILABLE, GOES_ON, Hot, hot, utility, wins_small
from metatac.kernel.hashing import position_key
from metatac.kernel.moves import list_moves, make_undoable, take_back
from metatac.kernel.places import place_of_board, place_of_upper

ONE = 1 << 32
INFINITE = 1 << 60
BOARD_SHIFT, OWN_SHIFT, CELL_MASK, SWAP_CODE = at.BOARD_SHIFT, at.OWN_SHIFT, at.CELL_MASK, at.SWAP_CODE

# -- G: how the search goes; where the arrays are; killers for each level; the history

NODES, NEXT_LOOK, NODE_LIMIT, STOPPED, SELECTIVE, LEVEL_LIMIT, PROVEN, LOOK_FOR_WINS = 0, 1, 2, 3, 4, 5, 6, 7
"""PROVEN: the least value that only games that are over can give. LOOK_FOR_WINS: ``can_win_now`` may be asked."""
TABLES, STATE, PLAN, WEIGHTS, NUMBERS, UNDO, CODES, THREATS, NETWORK, TABLE = 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
SUMS = 18
"""The addresses; NETWORK is 0 where there is none."""
TABLE_MASK, GENERATION, NUMBERS_ROW, UNDO_ROW, MARGIN = 19, 20, 21, 22, 23
"""MARGIN: how much a move is taken to change an estimate, as a value."""
PLACES = 24  # nine words, for the network
KILLERS = 40
LEVELS = 64
HISTORY = KILLERS + 2 * LEVELS
STILL_DEPTH = 4
"""So near to the leaves an estimate that is far off what matters is believed."""
LOOK_EVERY = 1024
"""Nodes between two looks at whether to stop."""

# -- the table: buckets of two entries; before the first bucket the flag that stops all threads

ENTRY = 4  # key, value, depth and bound and generation, best move; the first is mixed with the others, so that
BUCKET = 2 * ENTRY  # what two threads wrote at once is not taken for anything
EXACT, AT_LEAST, AT_MOST = 1, 2, 3


# -- who can win at once


@inlined
def deciding_boards(R: Words, S: Words, T: Ints, who: int) -> int:
    """The small boards that a player would win the game with; what the other owns stays his, even if it is open."""
    root = place_of_upper(R, word(0))
    boards = 0
    if R[at.LINE] == 1:
        boards = upper_threats(R, T, S[root + who]) & ~S[root + 1 - who]
    if R[at.BOARDS_TO_WIN] and popcount(S[root + who]) + 1 >= R[at.BOARDS_TO_WIN]:
        boards = R[at.FULL] & ~(S[root] | S[root + 1])
        if R[at.LINE] == 2:
            boards &= ~upper_threats(R, T, S[root + who])
    return boards


@inlined
def wins_one_of(R: Words, S: Words, T: Ints, boards: int, who: int) -> bool:
    """Whether a player who may play in any of these small boards wins one of them at once."""
    while boards:
        here = place_of_board(lowest_bit(boards))
        boards &= boards - 1
        if small_threats(R, T, S[here + who]) & S[here + AVAILABLE]:
            return True
    return False


@inlined
def can_win_now(R: Words, S: Words, T: Ints) -> bool:
    """Whether the side to move wins the game at once.

    Only for two levels, one mark a move, boards that one line wins, and where nothing is better than such a win.
    """
    boards = deciding_boards(R, S, T, S[at.TURN])
    if S[at.SPAN] == 1:
        boards &= 1 << S[at.LOW]
    return wins_one_of(R, S, T, boards, S[at.TURN])


# -- moves


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


# -- values


@inlined
def rounded(estimate: float) -> int:
    """An estimate as a value."""
    estimate *= float(ONE)
    return word(estimate + 0.5) if estimate >= 0.0 else -word(0.5 - estimate)


@inlined
def later(value: int, level: int) -> int:
    """A won game is worth a trifle less, and a lost one more, the later it ends."""
    return value - level if value > 0 else value + level if value < 0 else 0


@inlined
def estimate_here(R: Words, S: Words, G: Words, level: int) -> int:
    """What a position that is not over looks like, in the view of the side to move."""
    if G[NETWORK]:
        N, scale = shorts_at(G[NETWORK]), float(R[at.WIN_UTILITY]) * SURE
        return rounded(network_value(R, S, N, moved(G, PLACES), shorts_at(G[SUMS])) * scale)
    E: Numbers = moved(numbers_at(G[NUMBERS]), level * G[NUMBERS_ROW])
    value = rounded(evaluate(R, S, words_at(G[PLAN]), numbers_at(G[WEIGHTS]), E))
    return value if S[at.TURN] == 0 else -value


@inlined
def final_value(R: Words, S: Words, G: Words, level: int) -> int:
    """The value of a game that is over, in the view of the side to move."""
    value = utility(R, S, S[at.OVER]) * ONE
    value = value if S[at.TURN] == 0 else -value
    return later(value, level) if G[SELECTIVE] else value


@inlined
def leaf_value(R: Words, S: Words, G: Words, level: int) -> int:
    """The value of a position that is not searched on, in the view of the side to move."""
    if S[at.OVER] != GOES_ON:
        return final_value(R, S, G, level)
    if G[LOOK_FOR_WINS] and can_win_now(R, S, ints_at(G[THREATS])):
        return later(R[at.WIN_UTILITY] * ONE, level + 1)
    return estimate_here(R, S, G, level)


# -- the last move before the leaves, where there is a network


@inlined
def quiet_leaf(R: Words, S: Words, G: Words, N: Shorts, T: Ints, code: int, threatened: int) -> int:
    """The estimate after a move that decides no board, in the mover's view, without making it; -INFINITE: it loses.

    G holds the sums of the rows before the move, in the opponent's view, and ``threatened`` the boards with which the
    opponent wins the game.
    """
    board, cell = code >> BOARD_SHIFT, (code >> OWN_SHIFT) & CELL_MASK
    other = 1 - S[at.TURN]
    here, there = place_of_board(board), place_of_board(cell)
    rest = S[here + AVAILABLE] & ~(1 << cell)
    open_there = rest if cell == board else S[there + AVAILABLE]
    after = state_of(R, S, N, board, other)
    if after < OWN:  # an owned board that is still open stays what it is
        after += 2 * N[TERNARY + (1 << cell)]
    send, state = NETWORK_SIZE, NONE
    if open_there:
        send = cell
        state = after if cell == board else state_of(R, S, N, cell, other)
        threatened &= 1 << cell
    if threatened:
        if (threatened >> board) & 1 and small_threats(R, T, S[here + other]) & rest:
            return -INFINITE
        if wins_one_of(R, S, T, threatened & ~(1 << board), other):
            return -INFINITE
    less, more = G[PLACES + board], board_row(board, after)
    total = output(N, shorts_at(G[SUMS]), OUT, less, more, target_row(state), send_row(send))
    return -rounded(expected(total) * float(R[at.WIN_UTILITY]) * SURE)


@part
def last_moves(R: Words, S: Words, G: Words, codes: Words, beta: int, level: int) -> int:
    """The value of a position from the estimates after each of its moves, in the view of the side to move."""
    r, N, T = hot(R), shorts_at(G[NETWORK]), ints_at(G[THREATS])
    turn, other = S[at.TURN], 1 - S[at.TURN]
    gather(R, S, N, other, moved(G, PLACES))
    sum_rows(N, moved(G, PLACES), shorts_at(G[SUMS]))
    threatened = deciding_boards(R, S, T, other)
    lost = -later(R[at.WIN_UTILITY] * ONE, level + 2)
    count, best, rare = list_moves(r, R, S, codes), -INFINITE, 0
    for n in range(count):
        code = codes[n]
        board, cell = code >> BOARD_SHIFT, (code >> OWN_SHIFT) & CELL_MASK
        here = place_of_board(board)
        if code == SWAP_CODE or S[here + AVAILABLE] == 1 << cell or wins_small(r, R, S[here + turn] | (1 << cell)):
            codes[rare] = code
            rare += 1
            continue
        G[NODES] += 1
        value = max(lost, quiet_leaf(R, S, G, N, T, code, threatened))
        if value > best:
            best = value
            if value >= beta:
                return best
    for n in range(rare):
        descend(R, S, G, codes[n], level)
        G[NODES] += 1
        value = leaf_value(R, S, G, level + 1)
        value = value if S[at.TURN] == turn and S[at.OVER] == GOES_ON else -value
        take_back(R, S, undo_row(G, level))
        if value > best:
            best = value
            if value >= beta:
                return best
    return best


# -- the table


@inlined
def find(G: Words, key: int) -> Words:
    """The entry of a position; if it has none, the one to use: that of an older search or the shallower."""
    bucket: Words = moved(words_at(G[TABLE]), BUCKET * (1 + (key & G[TABLE_MASK])))
    second: Words = moved(bucket, ENTRY)
    if bucket[0] ^ bucket[1] ^ bucket[2] ^ bucket[3] == key:
        return bucket
    if second[0] ^ second[1] ^ second[2] ^ second[3] == key:
        return second
    return bucket if bucket[2] >> 16 != G[GENERATION] or bucket[2] & 0xFFFF <= second[2] & 0xFFFF else second


@inlined
def is_for(entry: Words, key: int) -> bool:
    """Whether an entry is of this position."""
    return entry[0] ^ entry[1] ^ entry[2] ^ entry[3] == key


@inlined
def remember(G: Words, entry: Words, key: int, value: int, depth: int, bound: int, code: int, level: int) -> None:
    """Write an entry. Won and lost games are dated from the position, not from where the search began."""
    if value >= G[PROVEN]:
        value += level
    elif value <= -G[PROVEN]:
        value -= level
    rest = (G[GENERATION] << 16) + depth * 4 + bound
    entry[0], entry[1], entry[2], entry[3] = key ^ value ^ rest ^ code, value, rest, code


# -- the search


@part
def search(G: Words, codes: Words, depth: int, alpha: int, beta: int, level: int) -> int:
    """The value of a position searched so deep, in the view of the side to move, within or beyond (alpha, beta)."""
    R, S = words_at(G[TABLES]), words_at(G[STATE])
    # 1. Count; look whether to stop.
    G[NODES] += 1
    if G[NODES] >= G[NEXT_LOOK]:
        G[NEXT_LOOK] = min(G[NODES] + LOOK_EVERY, G[NODE_LIMIT])
        if words_at(G[TABLE])[0] != 0 or G[NODES] >= G[NODE_LIMIT]:
            G[STOPPED] = 1
    # 2. The game is over, or deep enough, or can be won at once.
    if S[at.OVER] != GOES_ON or depth <= 0 or level >= G[LEVEL_LIMIT]:
        return leaf_value(R, S, G, level)
    if G[LOOK_FOR_WINS]:
        if can_win_now(R, S, ints_at(G[THREATS])):
            return later(R[at.WIN_UTILITY] * ONE, level + 1)
        if depth == 1 and G[NETWORK]:
            return last_moves(R, S, G, codes, beta, level)
    # 3. What the table knows. Exact minimax takes only what was searched just as deep.
    key = position_key(S)
    entry = find(G, key)
    best_code = word(-2)
    if is_for(entry, key):
        best_code = entry[3]
        value, known, bound = entry[1], (entry[2] >> 2) & 0x3FFF, entry[2] & 3
        proven = abs(value) >= G[PROVEN]
        if value >= G[PROVEN]:
            value -= level
        elif value <= -G[PROVEN]:
            value += level
        deep_enough = known == depth or (G[SELECTIVE] and (known > depth or proven))
        fits = bound == EXACT or (bound == AT_LEAST and value >= beta) or (bound == AT_MOST and value <= alpha)
        if deep_enough and fits:
            return value
    # 4. Near the leaves: far above what matters it stays above; far below, the last moves say whether it comes back.
    if G[SELECTIVE] and depth <= STILL_DEPTH and abs(beta) < G[PROVEN]:
        still = estimate_here(R, S, G, level)
        if still - G[MARGIN] * depth >= beta:
            return still
        if G[NETWORK] and depth <= 2 and still + G[MARGIN] * depth <= alpha:
            value = last_moves(R, S, G, codes, beta, level)
            if value <= alpha:
                return value
    # 5. List the moves and say how early each should be tried.
    r = hot(R)
    count = list_moves(r, R, S, codes)
    scores = moved(codes, count)
    for i in range(count):
        scores[i] = order_score(r, R, S, G, codes[i], best_code, level)
    # 6. Try them, best first.
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
        descend(R, S, G, code, level)
        sign = 1 if S[at.TURN] == turn and S[at.OVER] == GOES_ON else -1
        # 7. Later moves with an empty window first, less deep where they look bad; fully if they surprise.
        reduce = word(0)
        if G[SELECTIVE] and depth >= 3 and n >= 2 and score < 1 << 42:
            reduce = word(1) + word(n >= 5) + word(depth >= 5)
        low, high = floor, beta
        if n > 0 and G[SELECTIVE]:
            high = floor + 1
        value = word(0)
        while True:
            if sign > 0:
                value = search(G, below, depth - 1 - reduce, low, high, level + 1)
            else:
                value = -search(G, below, depth - 1 - reduce, -high, -low, level + 1)
            if value <= floor or (reduce == 0 and (high == beta or value >= beta)):
                break
            if reduce == 0:
                high = beta
            reduce = word(0)
        take_back(R, S, undo_row(G, level))
        if G[STOPPED]:
            return best
        if value > best:
            best, best_code = value, code
            if value > floor:
                floor = value
                if floor >= beta:
                    note_cut(r, S, G, code, depth, level)
                    break
    # 8. Remember.
    bound = AT_LEAST if best >= beta else EXACT if best > alpha else AT_MOST
    remember(G, entry, key, best, depth, bound, best_code, level)
    return best


@compiled
def search_move(memory: Any, code: int, depth: int, alpha: int, beta: int) -> int:
    """The value of a move, searched ``depth`` plies with it, in the view of the side that makes it."""
    G = pointer(memory)
    R, S = words_at(G[TABLES]), words_at(G[STATE])
    turn = S[at.TURN]
    descend(R, S, G, code, word(0))
    if S[at.TURN] == turn and S[at.OVER] == GOES_ON:
        value = search(G, words_at(G[CODES]), depth - 1, alpha, beta, word(1))
    else:
        value = -search(G, words_at(G[CODES]), depth - 1, -beta, -alpha, word(1))
    take_back(R, S, undo_row(G, word(0)))
    return value


@compiled
def prepare(memory: Any) -> int:
    """Make ready to search from the state; returns its estimate in X's view, as a value."""
    G = pointer(memory)
    R, S = words_at(G[TABLES]), words_at(G[STATE])
    if G[NETWORK] == 0:
        refresh_all(R, S, words_at(G[PLAN]), numbers_at(G[WEIGHTS]), numbers_at(G[NUMBERS]))
    value = estimate_here(R, S, G, word(0))
    return value if S[at.TURN] == 0 else -value


WORD, ROW = types.int64, types.int64[::1]
SIGNATURES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "evaluation": (prepare, (ROW,)),
    "search": (search_move, (ROW, WORD, WORD, WORD, WORD)),
}
"""The entry points of the search, each with the one signature that it is compiled for."""
