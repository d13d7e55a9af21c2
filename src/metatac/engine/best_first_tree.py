"""Best-first search in compiled code: a tree that grows where play looks best, valued by the learned evaluation.

The tree lies in one flat array, ``N`` as int32 and ``F`` as float32, NODE numbers a node; node 0 is the root and the
children of a node stand side by side. They are made all at once, and each is valued without being visited. Values are
**in the view of the player who moves into the node**: 1 is won, -1 lost, and a draw is what memory says.

Several threads may grow one tree. Each makes nodes in a part of the array of its own, and no node is shown before its
numbers are written. What they may spoil for each other is a visit that is not counted or a family that is made twice.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numba import types

from metatac.engine.arrays import (
    Floats,
    Ints,
    floats,
    ints,
    ints_at,
    publish,
    published,
    shorts_at,
    single,
    words_at,
)
from metatac.engine.deadline import is_over
from metatac.engine.descent import descend, undo_row
from metatac.engine.leaves import can_win_now, deciding_boards, quiet_outputs
from metatac.engine.memory import (
    CODES,
    DEADLINE,
    DRAW_X,
    LAST_WEIGHTS,
    LOOK_FOR_WINS,
    NETWORK,
    NODE_LIMIT,
    NODES,
    ONE,
    PLACES,
    STATE,
    STOPPED,
    SUMS,
    TABLE,
    TABLES,
    THREATS,
)
from metatac.engine.network import SIZE, chance_of_draw, expected, gather, network_outputs, sum_rows
from metatac.engine.weights import SURE
from metatac.kernel import layout as at
from metatac.kernel.bits import Words, lowest_bit, moved, pointer, popcount, word
from metatac.kernel.compiled import compiled, inlined, part
from metatac.kernel.core import GOES_ON, hot, utility
from metatac.kernel.moves import is_quiet, list_moves, make, take_back

VALUE, SHARE, VISITS, FIRST, MOVE, STATUS, NODE = 0, 1, 2, 3, 4, 5, 6
"""The numbers of a node: its value; its share of its parent's visits before anything is known; visits; the first child
(0: none yet); the code of the move that leads here and, from FAMILY on, the number of children; what is proven."""
FAMILY = 16
CODE_MASK = (1 << FAMILY) - 1
OPEN, WON, LOST, DRAWN = 0, 1, 2, 3
"""What is proven of a node: nothing, or its result for the player who moves into it."""
USED, END, GROWN, BASE, LEFT, CONTROL = 0, 1, 2, 3, 4, 8
"""The control words of a thread, a line of the cache: the next node it may make, where its part ends, iterations; how
deep its base is, and how many iterations it has yet to make from there."""
MOST_CHILDREN = SIZE * SIZE
DEEPEST = SIZE * SIZE + 1
"""No game has more plies than cells."""
BASE_STATE = DEEPEST + 1
"""Behind a thread's path stands the state at its base."""
TIME, FULL = 1, 2
"""Why a thread has STOPPED: a limit is reached or somebody said so; its part of the tree is full."""
MOST_VISITS = 2**31 - 2**10
"""It takes an hour to count so far."""
LOOK_EVERY = 16
"""Iterations between two looks at the clock."""
MARKS = 2 * (DEEPEST + 2)
"""Where the bits are, one for each node, by which a tree is tidied up, behind the families on the way to a node; then
how many marks there are before each word of them."""

EXPLORATION = 3.0
"""How much a child's share counts that has not been visited as often as it says."""
TEMPERATURE = 0.1
"""A child that is worse than the best by this much gets a third of its share."""
EVENLY = 0.05
"""This much of all visits is shared evenly."""
BEST_COUNTS = 0.5
"""A node's value is that of its best child to this part; the rest is the mean of all visits."""
OFTEN, STAY = 256, 16
"""The base is the last node on the way down that was visited so often. A thread makes so many iterations from there
before it goes back to the root: that saves the way, and on the way threads hold each other up."""


class Tree(NamedTuple):
    """The array of a tree, as whole numbers and as numbers."""

    N: Ints
    F: Floats


# -- growing


@inlined
def add_child(K: Tree, W: Words, code: int, value: float, status: int) -> None:
    """Make the next node."""
    child = NODE * W[USED]
    W[USED] += 1
    K.F[child + VALUE] = single(value)
    K.F[child + SHARE] = single(0)
    K.N[child + VISITS] = np.int32(0)
    K.N[child + FIRST] = np.int32(0)
    K.N[child + MOVE] = np.int32(code)
    K.N[child + STATUS] = np.int32(status)


@inlined
def add_ended(K: Tree, W: Words, code: int, result: int, draw: float) -> None:
    """Make the next node, where the game is over with a result for who moves into it."""
    if result == 0:
        add_child(K, W, code, draw, word(DRAWN))
    elif result > 0:
        add_child(K, W, code, 1.0, word(WON))
    else:
        add_child(K, W, code, -1.0, word(LOST))


@inlined
def draw_for(G: Words, who: int) -> float:
    """What a draw is worth to a player."""
    return float(G[DRAW_X] * (1 - 2 * who)) / float(ONE)


@inlined
def looks(total: int, drawn: int, draw: float) -> float:
    """What a position looks like to who has just moved, from what the network gives for the other."""
    value = expected(total) * SURE
    return draw * chance_of_draw(drawn, value) - value


@part
def expand(R: Words, S: Words, G: Words, K: Tree, W: Words, node: int) -> None:
    """Give a node its children, with what each looks like."""
    r, N, T, codes = hot(R), shorts_at(G[NETWORK]), ints_at(G[THREATS]), words_at(G[CODES])
    turn, other, first = S[at.TURN], 1 - S[at.TURN], W[USED]
    G[LAST_WEIGHTS] = gather(R, S, N, other, moved(G, PLACES))
    sum_rows(N, moved(G, PLACES), shorts_at(G[SUMS]))
    threatened = deciding_boards(R, S, T, other) if G[LOOK_FOR_WINS] else word(0)
    count, rare, draw = list_moves(r, R, S, codes), word(0), draw_for(G, turn)
    for n in range(count):
        code = codes[n]
        if not is_quiet(r, R, S, code):
            codes[rare] = code
            rare += 1
            continue
        loses, value, drawn = quiet_outputs(R, S, G, N, T, code, threatened)
        if loses:
            add_child(K, W, code, -1.0, word(LOST))
        else:
            add_child(K, W, code, looks(value, drawn, draw), word(OPEN))
    for n in range(rare):
        descend(R, S, G, codes[n], word(0))
        if S[at.OVER] != GOES_ON:
            add_ended(K, W, codes[n], utility(R, S, S[at.OVER]) * (1 - 2 * turn), draw)
        elif G[LOOK_FOR_WINS] and can_win_now(R, S, T):
            add_child(K, W, codes[n], -1.0, word(LOST))
        else:
            value, drawn = network_outputs(R, S, N, moved(G, PLACES), shorts_at(G[SUMS]))
            add_child(K, W, codes[n], looks(value, drawn, draw), word(OPEN))
        take_back(R, S, undo_row(G, word(0)))
    G[NODES] += count
    share_out(K, NODE * first, NODE * W[USED])
    K.N[NODE * node + MOVE] = np.int32(K.N[NODE * node + MOVE] & CODE_MASK | count << FAMILY)
    publish(K.N, NODE * node + FIRST, np.int32(first))


@inlined
def falling(gap: float) -> float:
    """Nearly e to the power of -gap, but the same on every machine."""
    part_of = 1.0 / (1.0 + gap / 16.0)
    part_of *= part_of
    part_of *= part_of
    part_of *= part_of
    part_of *= part_of
    return part_of


@inlined
def share_out(K: Tree, first: int, last: int) -> None:
    """Say how the visits of a node should go to its children, from what these look like."""
    best, total = -1.0, 0.0
    for child in range(first, last, NODE):
        best = max(best, float(K.F[child + VALUE]))
    for child in range(first, last, NODE):
        if K.N[child + STATUS] != LOST:
            share = falling((best - float(K.F[child + VALUE])) / TEMPERATURE)
            K.F[child + SHARE] = single(share)
            total += share
    if total > 0.0:
        part_of, even = (1.0 - EVENLY) / total, EVENLY * NODE / float(last - first)
        for child in range(first, last, NODE):
            K.F[child + SHARE] = single(float(K.F[child + SHARE]) * part_of + even)


@inlined
def best_child(K: Tree, node: int) -> int:
    """The child of a node to visit next: of what is proven there is nothing to learn."""
    first = NODE * word(published(K.N, NODE * node + FIRST))
    last = first + NODE * (word(K.N[NODE * node + MOVE]) >> FAMILY)
    urge = single(EXPLORATION * math.sqrt(float(K.N[NODE * node + VISITS])))
    best, found = single(-1e30), first
    for child in range(first, last, NODE):
        if K.N[child + STATUS] == OPEN:
            score = K.F[child + VALUE] + urge * K.F[child + SHARE] / single(1 + K.N[child + VISITS])
            if score > best:
                best, found = score, child
    return found // NODE


@inlined
def back_up(K: Tree, node: int, draw: float) -> None:
    """Work out anew what a node is worth, from its children and what a draw is worth to who makes those moves."""
    place = NODE * node
    first = NODE * word(published(K.N, place + FIRST))
    last = first + NODE * (word(K.N[place + MOVE]) >> FAMILY)
    best, total, visits, is_open, drawn = single(-2), single(0), single(0), False, False
    for child in range(first, last, NODE):
        status = K.N[child + STATUS]
        if status == WON:
            settle(K, place, word(LOST), -1.0)
            return
        if status == DRAWN:
            drawn = True
        elif status == OPEN:
            is_open = True
            value, weight = K.F[child + VALUE], single(K.N[child + VISITS])
            best = max(best, value)
            total += weight * value
            visits += weight
    if not is_open:
        settle(K, place, word(DRAWN if drawn else WON), -draw if drawn else 1.0)
        return
    mean = total / visits if visits > single(0) else best
    value = mean + single(BEST_COUNTS) * (best - mean)
    K.F[place + VALUE] = -max(value, single(draw)) if drawn else -value


@inlined
def settle(K: Tree, place: int, status: int, value: float) -> None:
    """Note what is proven of a node."""
    K.F[place + VALUE] = single(value)
    K.N[place + STATUS] = np.int32(status)


@inlined
def back_up_path(K: Tree, G: Words, Z: Words, P: Words, depth: int, top: int) -> None:
    """Work out anew what the nodes of a path are worth, from above a depth up to another."""
    while depth > top:
        depth -= 1
        back_up(K, P[depth], draw_for(G, (Z[at.TURN] + depth) & 1))


@inlined
def visit(K: Tree, node: int, times: int) -> None:
    """Count visits, on the way down: other threads see at once that somebody is there."""
    K.N[NODE * node + VISITS] = np.int32(min(K.N[NODE * node + VISITS] + times, MOST_VISITS))


@inlined
def goes_on(K: Tree, node: int) -> bool:
    """Whether there is something to choose in a node: it has children, and is not proven."""
    return published(K.N, NODE * node + FIRST) != 0 and K.N[NODE * node + STATUS] == OPEN


@inlined
def is_told(G: Words) -> bool:
    """Whether the time is over, or somebody said stop."""
    return words_at(G[TABLE])[0] != 0 or is_over(moved(G, DEADLINE))


@part
def find_base(R: Words, S: Words, K: Tree, W: Words, Z: Words, P: Words, size: int) -> None:
    """Go from the root to the node that the next iterations begin at, and count their visits."""
    r, node, depth = hot(R), word(0), word(0)
    times = word(STAY if K.N[VISITS] >= OFTEN else 1)
    for i in range(size):
        S[i] = Z[i]
    while True:
        P[depth] = node
        visit(K, node, times)
        child = best_child(K, node) if goes_on(K, node) else node
        if child == node or K.N[NODE * child + VISITS] < OFTEN or depth == DEEPEST:
            break
        make(r, R, S, word(K.N[NODE * child + MOVE]) & CODE_MASK, False)
        node = child
        depth += 1
    W[BASE], W[LEFT] = depth, times
    for i in range(size):
        P[BASE_STATE + i] = S[i]


@compiled
def grow(memory: Any, nodes: Any, numbers: Any, control: Any, root: Any, path: Any, iterations: int) -> int:
    """Grow a tree from a root by so many iterations; returns how many were made.

    It ends early when a limit is reached, the root is proven, or there is no room: memory says which. ``nodes`` and
    ``numbers`` are the same memory. A search that is cut into pieces goes exactly as one that is not.
    """
    G, K, W, Z, P = pointer(memory), Tree(ints(nodes), floats(numbers)), pointer(control), pointer(root), pointer(path)
    R, S = words_at(G[TABLES]), words_at(G[STATE])
    r = hot(R)
    for done in range(iterations):
        # 1. Look whether to stop; a first look at the root is always taken.
        if W[GROWN]:
            if W[GROWN] % LOOK_EVERY == 0 and is_told(G):
                G[STOPPED] = TIME
            if G[NODES] >= G[NODE_LIMIT]:
                G[STOPPED] = TIME
        if W[USED] + MOST_CHILDREN > W[END]:
            G[STOPPED] = FULL
        if G[STOPPED] or K.N[STATUS] != OPEN:
            back_up_path(K, G, Z, P, W[BASE], word(0))
            return done
        # 2. To the base; from there down to a node that has no children yet, or that is proven.
        if W[LEFT] == 0:
            find_base(R, S, K, W, Z, P, root.size)
        else:
            for i in range(root.size):
                S[i] = P[BASE_STATE + i]
        depth = W[BASE]
        node = P[depth]
        while goes_on(K, node) and depth < DEEPEST:
            P[depth] = node
            depth += 1
            node = best_child(K, node)
            visit(K, node, word(1))
            make(r, R, S, word(K.N[NODE * node + MOVE]) & CODE_MASK, False)
        # 3. Its children, and back to the base; now and then to the root.
        if K.N[NODE * node + STATUS] == OPEN and S[at.OVER] == GOES_ON:
            expand(R, S, G, K, W, node)
            back_up(K, node, draw_for(G, S[at.TURN]))
        back_up_path(K, G, Z, P, depth, W[BASE])
        W[LEFT] -= 1
        if W[LEFT] == 0 or K.N[NODE * P[W[BASE]] + STATUS] != OPEN:
            W[LEFT] = 0
            back_up_path(K, G, Z, P, W[BASE], word(0))
        W[GROWN] += 1
    back_up_path(K, G, Z, P, W[BASE], word(0))
    return iterations


# -- keeping what is still of use


@part
def mark(N: Ints, G: Words, M: Words, size: int, root: int, least: int) -> int:
    """Mark the nodes below one, without the families of nodes visited less often than ``least``.

    Returns how many they are; -1 if the time was over before.
    """
    for i in range(size):
        M[MARKS + i] = 0
    marked, seen, depth = word(0), word(0), word(0)
    M[0], M[1] = root, root + 1
    while depth >= 0:
        node = M[2 * depth]
        if node == M[2 * depth + 1]:
            depth -= 1
            continue
        M[2 * depth] = node + 1
        first, count = word(N[NODE * node + FIRST]), word(N[NODE * node + MOVE]) >> FAMILY
        if first and (node == root or N[NODE * node + VISITS] >= least):
            for child in range(first, first + count):
                M[MARKS + (child >> 6)] |= word(1) << (child & 63)
            marked += count
            depth += 1
            M[2 * depth], M[2 * depth + 1] = first, first + count
        seen += 1
        if seen % 1024 == 0 and is_told(G):
            return word(-1)
    return marked


@inlined
def move_node(N: Ints, M: Words, size: int, node: int, place: int) -> None:
    """Move a node; its children, if they are marked, will be where there are as many marks before them."""
    first = word(N[NODE * node + FIRST])
    marks, below = M[MARKS + (first >> 6)], (word(1) << (first & 63)) - 1
    for i in range(NODE):
        N[NODE * place + i] = N[NODE * node + i]
    there = M[MARKS + size + (first >> 6)] + popcount(marks & below)
    N[NODE * place + FIRST] = np.int32(there if first and (marks >> (first & 63)) & 1 else 0)


@part
def slide(N: Ints, G: Words, M: Words, size: int, root: int) -> int:
    """Move a root and what is marked below it to the beginning of the array, over what is not.

    Returns how many nodes there are then; -1 if the time was over before, and there is no tree any more.
    """
    used = word(1)
    for i in range(size):
        M[MARKS + size + i] = used
        used += popcount(M[MARKS + i])
    move_node(N, M, size, root, word(0))
    for i in range(size):
        left, place = M[MARKS + i], M[MARKS + size + i]
        while left:
            move_node(N, M, size, 64 * i + lowest_bit(left), place)
            left &= left - 1
            place += 1
        if i % 64 == 63 and is_told(G):
            return word(-1)
    return used


@compiled
def keep(memory: Any, nodes: Any, marks: Any, root: int, least: int, most: int) -> int:
    """Make a node the root and drop all that is not below it; and the families of nodes visited less often than
    ``least``, or than four times that and so on, until there are at most so many nodes.

    Returns how many there are then; 0 if the time was over before, and -1 if there is no tree any more by that.
    """
    G, N, M = pointer(memory), ints(nodes), pointer(marks)
    size, marked = (marks.size - MARKS) // 2, word(most + 1)
    while marked > most:
        marked = mark(N, G, M, size, root, least)
        least *= 4
    return slide(N, G, M, size, root) if marked >= 0 else word(0)


@compiled
def outlook(memory: Any) -> tuple[float, float]:
    """What the position that is set up in memory looks like to the side to move, and the chance of a draw."""
    G = pointer(memory)
    N, sums = shorts_at(G[NETWORK]), shorts_at(G[SUMS])
    total, drawn = network_outputs(words_at(G[TABLES]), words_at(G[STATE]), N, moved(G, PLACES), sums)
    value = expected(total) * SURE
    return value, chance_of_draw(drawn, value)


WORD, ROW = types.int64, types.int64[::1]
INTS, FLOATS = types.int32[::1], types.float32[::1]
SIGNATURES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "outlook": (outlook, (ROW,)),
    "best-first kept": (keep, (ROW, INTS, ROW, WORD, WORD, WORD)),
    "best-first search": (grow, (ROW, INTS, FLOATS, ROW, ROW, ROW, WORD)),
}
"""The entry points, each with the one signature that it is compiled for."""
