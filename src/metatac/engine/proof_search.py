"""Depth-first proof-number search in compiled code: does X reach a utility of at least the target?

The proof number (pn) of a position estimates how much it takes to show that he does, the disproof number (dn) that he
does not. Where X is to move one good move is enough, where O is to move all must be met: who moves decides, not the
ply, for a bonus move gives the same player two. No position repeats in these games, so what is proved of a position is
true however it was reached.

Beside the numbers every position carries bounds of its utility, which are always true and outlive the target. A cut
horizon makes another game of it: one that is lost for who is in a hurry when so many plies have been made.
"""

from typing import Any

from metatac.engine.arrays import prefetch
from metatac.engine.bounds import (
    bounds_within,
    ends_by_owning,
    owned_or_may_win,
    owning_may_win,
    plies_left,
    reachable,
    static_bounds,
    widest_bounds,
    wins_at_once,
    wins_small_now,
)
from metatac.engine.deadline import is_over
from metatac.engine.proof_table import (
    ENTRY,
    bucket_of,
    find,
    is_of,
    key_within,
    packed,
    put,
    spread,
    store,
    stored_high,
    stored_low,
)
from metatac.kernel import layout as at
from metatac.kernel.bits import Words, moved, pointer, popcount, word
from metatac.kernel.compiled import compiled, inlined, part
from metatac.kernel.core import hot, utility
from metatac.kernel.entries import READ_ONLY, ROW, WORD
from metatac.kernel.hashing import key_after_quiet, position_key
from metatac.kernel.moves import UNDO_HEADER, is_quiet, list_moves, make_undoable, take_back
from metatac.kernel.places import place_of_board

Array = Any
"""A contiguous array of int64."""

# -- control: what the search is asked and what it answers

STOP = 0  # set from outside: end soon
NODES = 1  # positions opened so far
NODE_LIMIT = 2
TARGET = 3
HORIZON = 4  # plies after which the game is cut off; 0: it is not
CUT_VALUE = 5  # what it is then worth, in X's view
BUCKETS = 6  # of the table
LEVELS = 7  # rows of the stack
ROOM = 8  # children that fit on the stack
PN, DN = 9, 10  # of the root
LOW, HIGH = 11, 12  # bounds of the root's utility, in X's view
HEIGHT = 13  # the most plies in which the answer comes true
BEST = 14  # the code of the move that answers for the player to move, when solved
STATUS = 15
QUESTIONS = 16  # how many to ask at most; after the first one the targets close in on the utility itself
BY_MOVES = 17  # 1: the answer must come from a known move, not from what was known of the position before
DEADLINE = 18  # four words: see ``deadline``
CONTROL = 22

SOLVED, STOPPED, TOO_DEEP = 1, 2, 3

# -- the stack: a frame for each level, and the children of all levels one after the other

FIRST, COUNT, PN_LIMIT, DN_LIMIT, OWN_LOW, OWN_HIGH, OWN_HEIGHT, KEY, WORK, CHOSEN, WHOLE, SEEN = range(12)
FRAME = 12
CODE, CHILD_PN, CHILD_DN, CHILD_LOW, CHILD_HIGH, CHILD_HEIGHT, CHILD_KEY, CHILD_SEEN = range(8)
CHILD = 8

INFINITE = 1 << 30
POLL = 63
"""The stop word is looked at once in so many nodes plus one."""


@inlined
def mobility(S: Words) -> int:
    """About how many moves there are."""
    if S[at.SPAN] == 1:
        return popcount(S[place_of_board(S[at.LOW]) + at.AVAILABLE])
    return S[at.LEFT]


@inlined
def rate(C: Words, child: Words, turn: int, moves: int, pn: int, dn: int) -> None:
    """Write the numbers of a child whose bounds are known: what they say, else those given, else a guess by how many
    moves there are and whose turn it is."""
    if child[CHILD_LOW] >= C[TARGET]:
        pn, dn = word(0), word(INFINITE)
    elif child[CHILD_HIGH] < C[TARGET]:
        pn, dn = word(INFINITE), word(0)
    elif pn == 0 or dn == 0 or pn >= INFINITE or dn >= INFINITE:
        pn, dn = (word(1), moves) if turn == 0 else (moves, word(1))
    child[CHILD_PN], child[CHILD_DN] = pn, dn


@inlined
def note_win(R: Words, C: Words, child: Words, turn: int) -> None:
    """Write that the player to move in a child wins at once."""
    if turn == 0:
        child[CHILD_LOW] = max(child[CHILD_LOW], R[at.WIN_UTILITY])
        if R[at.WIN_UTILITY] >= C[TARGET]:
            child[CHILD_HEIGHT] = 1
    else:
        child[CHILD_HIGH] = min(child[CHILD_HIGH], -R[at.WIN_UTILITY])
        if -R[at.WIN_UTILITY] < C[TARGET]:
            child[CHILD_HEIGHT] = 1


@part
def appraise(R: Words, S: Words, C: Words, plies: int, known: int, child: Words) -> None:
    """Write what a state, plies before the horizon, shows by itself; its static bounds may be there already."""
    low, high, height = child[CHILD_LOW], child[CHILD_HIGH], word(0)
    goes_on = S[at.OVER] == 0 and not (C[HORIZON] and plies == 0)
    if S[at.OVER]:
        low = utility(R, S, S[at.OVER])
        high = low
    elif not goes_on:
        low = C[CUT_VALUE]
        high = low
    else:
        if not known:
            low, high = static_bounds(R, S)
        height = plies_left(R, S)
        if C[HORIZON]:
            low, high, height = min(low, C[CUT_VALUE]), max(high, C[CUT_VALUE]), min(height, plies)
    child[CHILD_LOW], child[CHILD_HIGH], child[CHILD_HEIGHT] = low, high, height
    child[CHILD_KEY] = child[CHILD_SEEN] = 0
    if goes_on:
        if wins_at_once(R, S):
            note_win(R, C, child, S[at.TURN])
        if child[CHILD_LOW] < C[TARGET] <= child[CHILD_HIGH]:
            child[CHILD_KEY] = key_within(position_key(S), plies)
    rate(C, child, S[at.TURN], mobility(S), word(0), word(0))


@part
def winning_boards(R: Words, S: Words, who: int) -> int:
    """The small boards in each of which a player, were it his turn, could win the game at once."""
    found = 0
    if owning_may_win(R):
        for board in range(R[at.BOARDS]):
            blanks = S[place_of_board(board) + at.AVAILABLE]
            if blanks and ends_by_owning(R, S, board, who) and wins_small_now(R, S, board, who, blanks):
                found |= 1 << board
    return found


@inlined
def appraise_quiet(R: Words, S: Words, C: Words, winning: int, child: Words) -> None:
    """Write what follows a quiet move, without making it: the same as ``appraise`` would where the rules are PLAIN and
    the end of the game depends on nothing but boards won.

    The static bounds are there already. ``winning`` are the opponent's winning boards.
    """
    code = child[CODE]
    board, cell, turn = code >> at.BOARD_SHIFT, (code >> at.OWN_SHIFT) & at.CELL_MASK, S[at.TURN]
    rest = S[place_of_board(board) + at.AVAILABLE] & ~(1 << cell)
    there = rest if cell == board else S[place_of_board(cell) + at.AVAILABLE]
    low, span, moves = word(0), R[at.BOARDS], S[at.LEFT] - 1
    if there:
        low, span, moves = cell, word(1), popcount(there)
        winning &= 1 << cell
    child[CHILD_HEIGHT] = S[at.LEFT] - 1
    child[CHILD_KEY] = child[CHILD_SEEN] = 0
    if winning & ~(1 << board) or (winning and wins_small_now(R, S, board, 1 - turn, rest)):
        note_win(R, C, child, 1 - turn)
    if child[CHILD_LOW] < C[TARGET] <= child[CHILD_HIGH]:
        child[CHILD_KEY] = key_after_quiet(R, S, board, cell, low, span)
    rate(C, child, 1 - turn, moves, word(0), word(0))


@part
def recall(R: Words, S: Words, C: Words, entry: Words, child: Words) -> None:
    """Write what the table knows of a state that has been appraised."""
    if not is_of(R, S, entry):
        return
    child[CHILD_LOW] = max(child[CHILD_LOW], stored_low(entry))
    child[CHILD_HIGH] = min(child[CHILD_HIGH], stored_high(entry))
    pn, dn = word(0), word(0)
    if (entry[3] >> 24) & 0xFFFF == C[TARGET] & 0xFFFF:
        child[CHILD_HEIGHT] = min(child[CHILD_HEIGHT], (entry[3] >> 12) & 0xFFF)
        pn, dn = entry[1] >> 32, entry[1] & 0xFFFFFFFF
    rate(C, child, S[at.TURN], mobility(S), pn, dn)
    child[CHILD_SEEN] = 1


@part
def open_node(
    R: Words, S: Words, T: Words, C: Words, frame: Words, children: Words, undo: Words, codes: Words, plies: int
) -> None:
    """List the moves of a state and see what each leads to: first by itself, then, if need be, in the table.

    The table's words are fetched while the next children are appraised: those of all, or of the most promising so far.
    """
    r, turn, target = hot(R), S[at.TURN], C[TARGET]
    plies = plies - 1 if C[HORIZON] else plies
    count = list_moves(r, R, S, codes)
    frame[COUNT], frame[WHOLE] = count, 1
    # A mark that settles nothing leaves its player what he may own, and takes from the other at most its own board.
    simple = R[at.DEPTH] == 2 and r.marks == 1 and R[at.COUNT] != 2 and not (R[at.SWAP] and S[at.OPENING] < 2)
    mine, theirs, low, high, winning = word(0), word(0), word(0), word(0), word(0)
    unmade = simple and R[at.PLAIN] and not (R[at.DECIDED_SEND] or R[at.SWAP] or R[at.TALLIES] or C[HORIZON])
    if simple:
        mine, theirs = reachable(R, S, turn), reachable(R, S, 1 - turn)
        low, high = bounds_within(R, S, mine, theirs) if turn == 0 else bounds_within(R, S, theirs, mine)
        if unmade:
            winning = winning_boards(R, S, 1 - turn)
    number, least = CHILD_PN if turn == 0 else CHILD_DN, word(INFINITE)
    for i in range(count):
        child, code = moved(children, CHILD * i), codes[i]
        child[CODE] = code
        known = 1 if simple and is_quiet(r, R, S, code) else 0
        if known:
            child[CHILD_LOW], child[CHILD_HIGH] = low, high
            board, cell = code >> at.BOARD_SHIFT, (code >> at.OWN_SHIFT) & at.CELL_MASK
            rest = S[place_of_board(board) + at.AVAILABLE] & ~(1 << cell)
            if (theirs >> board) & 1 and not owned_or_may_win(R, S, board, 1 - turn, rest):
                left = theirs & ~(1 << board)
                child[CHILD_LOW], child[CHILD_HIGH] = (
                    bounds_within(R, S, mine, left) if turn == 0 else bounds_within(R, S, left, mine)
                )
        if known and unmade:
            appraise_quiet(R, S, C, winning, child)
        else:
            make_undoable(r, R, S, undo, code, True)
            appraise(R, S, C, plies, known, child)
            take_back(R, S, undo)
        if child[CHILD_KEY]:
            if frame[SEEN] or child[number] < least:
                least = child[number]
                prefetch(bucket_of(T, C[BUCKETS], child[CHILD_KEY]), 0)
        elif (turn == 0 and child[CHILD_LOW] >= target) or (turn == 1 and child[CHILD_HIGH] < target):
            frame[COUNT] = i + 1
            frame[WHOLE] = 1 if i + 1 == count else 0
            return
    if not frame[SEEN]:
        return
    for i in range(count):
        child = moved(children, CHILD * i)
        if child[CHILD_KEY]:
            entry = find(T, C[BUCKETS], child[CHILD_KEY])
            if entry[0] == child[CHILD_KEY]:
                make_undoable(r, R, S, undo, child[CODE], True)
                recall(R, S, C, entry, child)
                take_back(R, S, undo)


@part
def enter(R: Words, S: Words, undo: Words, code: int) -> None:
    """Make a move on the way down."""
    make_undoable(hot(R), R, S, undo, code, True)


@part
def search(R: Words, S: Words, T: Words, F: Words, A: Words, U: Words, K: Words, C: Words) -> None:
    """Search until the question is answered, the nodes are spent or the stop word is set. The state is left as it was.

    1. Sum up the children of the node on top. 2. If it is solved or has reached its limits, keep it in the table and go
    back to its parent. 3. Else go into the most promising child, with limits that bring us back as soon as another one
    is clearly more promising.
    """
    width = UNDO_HEADER + R[at.STATE_SIZE]
    target, level, horizon = C[TARGET], word(0), C[HORIZON]
    frame = F
    C[STATUS] = 0
    root = moved(A, 0)
    appraise(R, S, C, horizon, word(0), root)
    if root[CHILD_KEY]:
        entry = find(T, C[BUCKETS], root[CHILD_KEY])
        if entry[0] == root[CHILD_KEY]:
            recall(R, S, C, entry, root)
    frame[FIRST], frame[PN_LIMIT], frame[DN_LIMIT], frame[WORK] = 1, INFINITE, INFINITE, C[NODES]
    frame[OWN_LOW], frame[OWN_HIGH], frame[OWN_HEIGHT] = root[CHILD_LOW], root[CHILD_HIGH], root[CHILD_HEIGHT]
    if C[BY_MOVES]:
        frame[OWN_LOW], frame[OWN_HIGH] = widest_bounds(R)
        frame[OWN_LOW] -= 1
        frame[OWN_HIGH] += 1
    frame[KEY], frame[SEEN] = key_within(position_key(S), horizon), 1
    open_node(R, S, T, C, frame, moved(A, CHILD), U, K, horizon)
    C[NODES] += 1
    while True:
        # 1. the numbers and bounds of this node from its children's
        turn, count, first = S[at.TURN], frame[COUNT], moved(A, CHILD * frame[FIRST])
        best, second, total, chosen = word(INFINITE), word(INFINITE), word(0), word(0)
        low, high, tallest, shortest = word(1 << 40), word(-1 << 40), word(0), word(1 << 40)
        if turn == 0:
            low, high = high, high
        else:
            high = low
        mine, other = (CHILD_PN, CHILD_DN) if turn == 0 else (CHILD_DN, CHILD_PN)
        for i in range(count):
            child = moved(first, CHILD * i)
            number = child[mine]
            total += child[other]
            if number < best:
                best, second, chosen = number, best, i
            elif number < second:
                second = number
            tallest = max(tallest, child[CHILD_HEIGHT])
            if turn == 0:
                low, high = max(low, child[CHILD_LOW]), max(high, child[CHILD_HIGH])
                if child[CHILD_LOW] >= target:
                    shortest = min(shortest, child[CHILD_HEIGHT])
            else:
                low, high = min(low, child[CHILD_LOW]), min(high, child[CHILD_HIGH])
                if child[CHILD_HIGH] < target:
                    shortest = min(shortest, child[CHILD_HEIGHT])
        if not frame[WHOLE]:
            if turn == 0:
                high = frame[OWN_HIGH]
            else:
                low = frame[OWN_LOW]
        total = min(total, word(INFINITE - 1))
        pn, dn = (best, total) if turn == 0 else (total, best)
        low, high = max(low, frame[OWN_LOW]), min(high, frame[OWN_HIGH])
        solved, height = low >= target or high < target, frame[OWN_HEIGHT]
        if solved:
            pn, dn = (word(0), word(INFINITE)) if low >= target else (word(INFINITE), word(0))
            for_mover = (low >= target) == (turn == 0)
            if for_mover and shortest < 1 << 40:
                height = shortest + 1
            elif not for_mover and frame[WHOLE]:
                height = tallest + 1
        if level == 0:
            C[PN], C[DN], C[LOW], C[HIGH], C[HEIGHT] = pn, dn, low, high, height
            C[BEST] = moved(first, CHILD * chosen)[CODE]
        most = S[at.LEFT] + 1 if R[at.MARKS] == 1 else (S[at.LEFT] + R[at.SIZE]) * R[at.SIZE]
        full = frame[FIRST] + count + most >= C[ROOM] or level + 1 >= C[LEVELS]
        # 2. done here
        halted = C[STATUS] != 0 or C[NODES] >= C[NODE_LIMIT]
        if C[NODES] & POLL == 0 and (C[STOP] != 0 or is_over(moved(C, DEADLINE))):
            halted = True
        if solved or halted or pn >= frame[PN_LIMIT] or dn >= frame[DN_LIMIT]:
            rest = packed(word(0), target, height, C[NODES] - frame[WORK])
            store(R, S, T, C[BUCKETS], frame[KEY], pn, dn, low, high, rest)
            if halted and C[STATUS] == 0:
                C[STATUS] = STOPPED
            if level == 0:
                if solved:
                    C[STATUS] = SOLVED
                return
            level -= 1
            frame = moved(F, FRAME * level)
            take_back(R, S, moved(U, width * level))
            child = moved(A, CHILD * (frame[FIRST] + frame[CHOSEN]))
            child[CHILD_PN], child[CHILD_DN] = pn, dn
            child[CHILD_LOW], child[CHILD_HIGH], child[CHILD_HEIGHT] = low, high, height
            continue
        if full:
            C[STATUS] = TOO_DEEP
            continue
        # 3. deeper
        child = moved(first, CHILD * chosen)
        mine_limit, other_limit = (
            (frame[PN_LIMIT], frame[DN_LIMIT]) if turn == 0 else (frame[DN_LIMIT], frame[PN_LIMIT])
        )
        mine_limit = min(mine_limit, second + (second >> 1) + 1)
        other_limit = min(word(INFINITE), other_limit - total + child[other])
        frame[CHOSEN] = chosen
        prefetch(bucket_of(T, C[BUCKETS], child[CHILD_KEY]), 0)
        below = moved(F, FRAME * (level + 1))
        below[FIRST] = frame[FIRST] + count
        below[PN_LIMIT], below[DN_LIMIT] = (mine_limit, other_limit) if turn == 0 else (other_limit, mine_limit)
        enter(R, S, moved(U, width * level), child[CODE])
        if not frame[SEEN] and not child[CHILD_SEEN]:
            entry = find(T, C[BUCKETS], child[CHILD_KEY])
            if entry[0] == child[CHILD_KEY]:
                recall(R, S, C, entry, child)
                if child[CHILD_PN] >= below[PN_LIMIT] or child[CHILD_DN] >= below[DN_LIMIT]:
                    take_back(R, S, moved(U, width * level))
                    continue
        below[OWN_LOW], below[OWN_HIGH] = child[CHILD_LOW], child[CHILD_HIGH]
        below[OWN_HEIGHT], below[WORK], below[SEEN] = child[CHILD_HEIGHT], C[NODES], child[CHILD_SEEN]
        child[CHILD_SEEN] = 1
        level += 1
        frame = below
        plies = horizon - level if horizon else word(0)
        frame[KEY] = child[CHILD_KEY]
        open_node(R, S, T, C, frame, moved(A, CHILD * frame[FIRST]), moved(U, width * level), K, plies)
        C[NODES] += 1


@compiled
def solve(
    tables: Array,
    state: Array,
    table: Array,
    frames: Array,
    children: Array,
    undos: Array,
    codes: Array,
    control: Array,
) -> None:
    """Ask one question, or one after the other until the bounds of the utility meet.

    The bounds in the control words are taken for true and made narrower; they are in X's view. The first target is the
    one given there. The next ones are ever farther from the bound that was just found, at most half way to the other.
    """
    R, S, T, C = pointer(tables), pointer(state), pointer(table), pointer(control)
    low, high, step = C[LOW], C[HIGH], word(1)
    while True:
        search(R, S, T, pointer(frames), pointer(children), pointer(undos), pointer(codes), C)
        low, high = max(low, C[LOW]), min(high, C[HIGH])
        C[QUESTIONS] -= 1
        if C[STATUS] != SOLVED or C[QUESTIONS] <= 0:
            break
        C[LOW], C[HIGH] = low, high
        if low >= high:
            break
        far = min(step, (high - low + 1) // 2)
        C[TARGET] = low + far if C[TARGET] <= low else high - far + 1
        step *= 2
    if not C[BY_MOVES] and not C[HORIZON]:
        C[LOW], C[HIGH] = low, high


@compiled
def range_of(tables: Array, state: Array, out: Array) -> None:
    """Write the least and the most that the utility (X's view) can become, and the most plies that can be left."""
    R, S = pointer(tables), pointer(state)
    out[0], out[1] = static_bounds(R, S)
    out[2] = plies_left(R, S)
    out[3], out[4] = widest_bounds(R)


@compiled
def grow(table: Array, first: int, end: int, buckets: int) -> None:
    """Have a piece of a table's buckets use more of them, a multiple of how many there were; the last piece first."""
    spread(pointer(table), word(first), word(end), word(buckets))


@compiled
def fill(table: Array, buckets: int, entries: Array) -> None:
    """Put entries of another table, of any size, into this one; the costliest stay."""
    T, E = pointer(table), pointer(entries)
    for i in range(entries.size // ENTRY):
        put(T, word(buckets), moved(E, ENTRY * i))


SIGNATURES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "range of the result": (range_of, (READ_ONLY, ROW, ROW)),
    "larger table": (grow, (ROW, WORD, WORD, WORD)),
    "filled table": (fill, (ROW, WORD, READ_ONLY)),
    "proof search": (solve, (READ_ONLY, ROW, ROW, ROW, ROW, ROW, ROW, ROW)),
}
"""The prover's entry points, each with the one signature that it is compiled for."""
