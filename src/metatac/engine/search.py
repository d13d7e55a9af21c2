"""Alpha-beta in compiled code: one function, for exact fixed-depth minimax and for the selective strong search.

Values are whole numbers: utility times ONE, in the view of the side to move (a bonus move keeps the view). Estimates
are rounded to the nearest 1/ONE once, in the leaves, and nothing after that rounds.

``G``, a search's memory, is all that is passed on: it holds the addresses of everything else.
"""

from typing import Any

from numba import types

from metatac.engine.arrays import ints_at, numbers_at, words_at
from metatac.engine.deadline import is_over
from metatac.engine.descent import descend, note_cut, order_score, undo_row
from metatac.engine.evaluate import refresh_all
from metatac.engine.leaves import can_win_now, estimate_here, last_moves, later, leaf_value
from metatac.engine.memory import (
    AT_LEAST,
    AT_MOST,
    BEST_FOUND,
    BUSY,
    CODES,
    DEADLINE,
    EXACT,
    HORIZON,
    INFINITE,
    LEVEL_LIMIT,
    LOOK_EVERY,
    LOOK_FOR_WINS,
    MARGIN,
    NETWORK,
    NEXT_LOOK,
    NO_BETTER,
    NO_MOVE,
    NODE_LIMIT,
    NODES,
    NUMBERS,
    ONE,
    PIECE,
    PLAN,
    PROVEN,
    PUT_OFF,
    ROOT_CODES,
    ROOT_FOUND,
    ROOT_NEXT,
    ROOT_NODES,
    ROOT_SEARCHED,
    ROOT_WAITING,
    SELECTIVE,
    SHARED_DEPTH,
    STATE,
    STILL_DEPTH,
    STOPPED,
    TABLE,
    TABLES,
    THREATS,
    WAITING,
    WEIGHTS,
)
from metatac.engine.transpositions import begin_work, end_work, find, is_busy, remember, stamp
from metatac.kernel import layout as at
from metatac.kernel.bits import Words, moved, pointer, word
from metatac.kernel.compiled import compiled, part
from metatac.kernel.core import GOES_ON, hot
from metatac.kernel.hashing import position_key
from metatac.kernel.moves import list_moves, take_back


@part
def search(G: Words, codes: Words, depth: int, alpha: int, beta: int, level: int) -> int:
    """The value of a position searched so deep, in the view of the side to move, within or beyond (alpha, beta)."""
    R, S = words_at(G[TABLES]), words_at(G[STATE])
    # 1. Count; look whether to stop.
    G[NODES] += 1
    if G[NODES] >= G[NEXT_LOOK]:
        G[NEXT_LOOK] = min(G[NODES] + LOOK_EVERY, G[NODE_LIMIT])
        if words_at(G[TABLE])[0] != 0 or G[NODES] >= G[NODE_LIMIT] or is_over(moved(G, DEADLINE)):
            G[STOPPED] = 1
    # 2. The game is over, or deep enough, or can be won at once.
    if depth <= 0 and G[HORIZON]:
        return estimate_here(R, S, G, level)
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
    best_code = word(NO_MOVE)
    value, rest, code = entry[1], entry[2], entry[3]
    if entry[0] ^ stamp(value, rest, code) == key:
        best_code, known, bound = code, (rest >> 2) & 0x3FFF, rest & 3
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
    # 6. Try them, best first; those that another thread is searching come last, when it may have left its answer.
    turn, best, floor = S[at.TURN], -INFINITE, alpha
    below = moved(codes, 2 * count)
    shared = G[BUSY] != 0 and depth >= SHARED_DEPTH
    n, waiting, child = word(0), word(0), word(0)
    while n < count + waiting:
        reduce = word(0)
        if n < count:
            pick = n
            for i in range(n + 1, count):
                if scores[i] > scores[pick]:
                    pick = i
            code, score = codes[pick], scores[pick]
            codes[pick], scores[pick] = codes[n], scores[n]
            if G[SELECTIVE] and depth >= 3 and n >= 2 and score < 1 << 42:
                reduce = word(1) + word(n >= 5) + word(depth >= 5)
        else:
            code, reduce = codes[n - count], scores[n - count]
        descend(R, S, G, code, level)
        n += 1
        if shared:
            child = position_key(S)
            if 1 < n <= count and is_busy(G, child):
                take_back(R, S, undo_row(G, level))
                codes[waiting], scores[waiting] = code, reduce  # where moves lay that were tried
                waiting += 1
                continue
            begin_work(G, child)
        sign = 1 if S[at.TURN] == turn and S[at.OVER] == GOES_ON else -1
        # 7. Later moves with an empty window first, less deep where they look bad; fully if they surprise.
        low, high = floor, beta
        if n > 1 and G[SELECTIVE]:
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
        if shared:
            end_work(G, child)
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


@part
def move_value(G: Words, code: int, depth: int, alpha: int, beta: int, patient: bool) -> int:
    """The value of a move of the root, searched ``depth`` plies with it, in the view of the side that makes it.

    PUT_OFF, where one is patient and another thread is searching it.
    """
    R, S = words_at(G[TABLES]), words_at(G[STATE])
    turn = S[at.TURN]
    descend(R, S, G, code, word(0))
    shared, child = G[BUSY] != 0 and depth >= SHARED_DEPTH, position_key(S)
    if shared:
        if patient and is_busy(G, child):
            take_back(R, S, undo_row(G, word(0)))
            return word(PUT_OFF)
        begin_work(G, child)
    value = word(0)
    if S[at.TURN] == turn and S[at.OVER] == GOES_ON:
        value = search(G, words_at(G[CODES]), depth - 1, alpha, beta, word(1))
    else:
        value = -search(G, words_at(G[CODES]), depth - 1, -beta, -alpha, word(1))
    take_back(R, S, undo_row(G, word(0)))
    if shared:
        end_work(G, child)
    return value


@compiled
def search_roots(memory: Any, roots: Any, count: int, depth: int, lines: int) -> None:
    """Search moves of the root in their order, the best ``lines`` (1 or more) of them exactly, until there is a stop or
    all are done; or a piece of that, to be called again.

    ``roots`` are the rows that ``memory`` describes, of ``count`` words each, ROOT_NEXT and so on say how far it has
    come. Moves that another thread is searching are put off.
    """
    G, rows = pointer(memory), pointer(roots)
    codes, nodes = moved(rows, ROOT_CODES * count), moved(rows, ROOT_NODES * count)
    found, no_better = moved(rows, ROOT_FOUND * count), moved(rows, NO_BETTER * count)
    best, waiting = moved(rows, BEST_FOUND * count), moved(rows, WAITING * count)
    enough = G[NODES] + PIECE
    while G[ROOT_NEXT] < count + G[ROOT_WAITING]:
        if G[NODES] >= enough:
            return
        n, searched = G[ROOT_NEXT], G[ROOT_SEARCHED]
        G[ROOT_NEXT] += 1
        i = n if n < count else waiting[n - count]
        patient, many = searched > 0 and n < count, searched >= lines
        floor = best[lines - 1] if many else word(-INFINITE)
        before = G[NODES]
        value = move_value(G, codes[i], depth, floor, floor + 1 if many else word(INFINITE), patient)
        if value == PUT_OFF:
            waiting[G[ROOT_WAITING]] = i
            G[ROOT_WAITING] += 1
            continue
        if many and value > floor and not G[STOPPED]:
            value = move_value(G, codes[i], depth, floor, word(INFINITE), False)
        if G[STOPPED]:
            break
        found[i], no_better[i] = value, word(value <= floor)
        nodes[i] += G[NODES] - before
        if lines < count and value > floor:
            place = min(searched, lines - 1)
            while place > 0 and best[place - 1] < value:
                best[place] = best[place - 1]
                place -= 1
            best[place] = value
        G[ROOT_SEARCHED] += 1
    G[ROOT_NEXT] = -1


@compiled
def prepare(memory: Any) -> int:
    """Make ready to search from the state; returns its estimate in X's view, as a value."""
    G = pointer(memory)
    R, S = words_at(G[TABLES]), words_at(G[STATE])
    if G[NETWORK] == 0:
        refresh_all(R, S, words_at(G[PLAN]), numbers_at(G[WEIGHTS]), numbers_at(G[NUMBERS]))
    value = estimate_here(R, S, G, word(0))
    return value if S[at.TURN] == 0 else -value


@compiled
def known_move(memory: Any, state: Any) -> int:
    """The best move that the table knows for a state, or NO_MOVE."""
    G, key = pointer(memory), position_key(pointer(state))
    entry = find(G, key)
    value, rest, code = entry[1], entry[2], entry[3]
    return code if entry[0] ^ stamp(value, rest, code) == key else NO_MOVE


WORD, ROW = types.int64, types.int64[::1]
SIGNATURES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "evaluation": (prepare, (ROW,)),
    "known move": (known_move, (ROW, ROW)),
    "search": (search_roots, (ROW, ROW, WORD, WORD, WORD)),
}
"""The entry points of the search, each with the one signature that it is compiled for."""
