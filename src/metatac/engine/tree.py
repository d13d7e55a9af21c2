"""Monte-Carlo tree search in compiled code: one function for the textbook's UCT and for the keen one.

The tree lies in three flat arrays; node 0 is the root and the children of a node stand side by side.

- ``N`` and ``F``, the same memory as int32 and as float32, 4 numbers a node: all that choosing a child and going there
  needs, so that a level costs one wait for memory. The mean result in [-1, 1] **in the view of the player who moves
  here**, 1 / sqrt(visits), the first child (0: none yet), and the code of the move that leads here. UCB1 is then one
  multiplication and one addition for each child: mean + rate * (c * sqrt(log(visits of the parent))).
- ``V`` (int32, 2 a node): visits and number of children.
- ``B`` (int32, 2 a node; only the keen search has it): the least and the greatest utility, in X's view, that best play
  can still lead to. A node whose bounds meet is proven.

A move of two marks is two steps of the keen tree: its own mark first (the code's other cell is HALF), then all of it.
"""

import math
from typing import NamedTuple

import numpy as np

from metatac.engine.arrays import Floats, Ints, prefetch, single
from metatac.engine.rollout import keen_pair, play_keenly, play_randomly, worth
from metatac.kernel import layout as at
from metatac.kernel.bits import Words, below, lowest_bit, moved, next_random, word
from metatac.kernel.compiled import inlined, part
from metatac.kernel.core import GOES_ON, Hot, hot
from metatac.kernel.moves import UNDO_HEADER, list_moves, make, make_undoable, take_back
from metatac.kernel.places import place_of_board

NODE, FIRST, CODE = 4, 2, 3
HALF = at.CELL_MASK
SEED, USED, CAPACITY, KEEN, REACH, RESULTS, SQUARES, CONTROL = 0, 1, 2, 3, 4, 5, 6, 7
"""The words of a search's control array: the generator's state, nodes in use, room for nodes, whether it is keen, the
greatest utility there is, how many results there were and the sum of their squares; and how many words that makes."""
UNIT = 1024
"""What the greatest utility counts in those squares."""
MOST_PLIES = 4096
"""The tree is never deeper than this."""
LINE = 16
"""Numbers of N that lie in one line of the processor's cache."""
AGAINST = np.float32(-1e30)
"""The rate of a child that is not to be chosen any more."""
UNTRIED = np.float32(1e30)
"""What a child that was never visited is taken for: all are tried once before any is tried again."""


class Tree(NamedTuple):
    """The arrays of a tree; N and F are the same memory."""

    N: Ints
    F: Floats
    V: Ints
    B: Ints


# -- growing


@inlined
def is_half(code: int) -> bool:
    return code >= 0 and code & at.CELL_MASK == HALF


@part
def list_steps(R: Words, G: Words, pending: int, keen: int, codes: Words) -> int:
    """Write the codes of the steps from here, be they moves or halves of moves; returns how many."""
    r = hot(R)
    if keen == 0 or r.marks == 1:
        return list_moves(r, R, G, codes)
    count = 0
    if is_half(pending):
        whole = pending - HALF
        rest = G[place_of_board(whole >> at.BOARD_SHIFT) + at.AVAILABLE]
        rest &= ~(1 << ((whole >> at.OWN_SHIFT) & at.CELL_MASK))
        if rest == 0:
            rest = R[at.FULL]
        while rest:
            codes[count] = whole + lowest_bit(rest)
            count += 1
            rest &= rest - 1
        return count
    for board in range(G[at.LOW], G[at.LOW] + G[at.SPAN]):
        blanks = G[place_of_board(board) + at.AVAILABLE]
        while blanks:
            codes[count] = (board << at.BOARD_SHIFT) + (lowest_bit(blanks) << at.OWN_SHIFT) + HALF
            count += 1
            blanks &= blanks - 1
    return count


@part
def expand(R: Words, G: Words, K: Tree, W: Words, codes: Words, node: int, pending: int) -> bool:
    """Give a node its children, in random order; False if there is no room for them."""
    count, first, seed = list_steps(R, G, pending, W[KEEN], codes), W[USED], W[SEED]
    if first + count > W[CAPACITY]:
        return False
    for i in range(count):
        seed = next_random(seed)
        j = i + below(seed, count - i)
        code = codes[j]
        codes[j] = codes[i]
        child = first + i
        K.V[2 * child] = np.int32(0)
        K.N[NODE * child + FIRST] = np.int32(0)
        K.N[NODE * child + CODE] = np.int32(code)
        K.V[2 * child + 1] = np.int32(0)
        K.F[NODE * child] = UNTRIED
        K.F[NODE * child + 1] = single(0)
    K.N[NODE * node + FIRST] = np.int32(first)
    K.V[2 * node + 1] = np.int32(count)
    W[USED], W[SEED] = first + count, seed
    return True


@part
def look_ahead(R: Words, G: Words, K: Tree, undo: Words, node: int, reach: int) -> None:
    """Give the children of a node their bounds: those where the game is over are proven, the others know nothing."""
    r, first, count = hot(R), K.N[NODE * node + FIRST], K.V[2 * node + 1]
    for child in range(first, first + count):
        K.B[2 * child] = np.int32(-reach)
        K.B[2 * child + 1] = np.int32(reach)
        code = K.N[NODE * child + CODE]
        if is_half(code):
            continue
        make_undoable(r, R, G, undo, code, False)
        if G[at.OVER]:
            result = worth(R, G, G[at.OVER])
            K.B[2 * child] = np.int32(result)
            K.B[2 * child + 1] = np.int32(result)
        take_back(R, G, undo)
    tighten(K, node, G[at.TURN])


# -- proofs


@part
def tighten(K: Tree, node: int, turn: int) -> bool:
    """Draw the bounds of a node, where that player moves, from its children's; whether they changed.

    Children that can be no better than what is certain already are not to be chosen any more.
    """
    first, count = K.N[NODE * node + FIRST], K.V[2 * node + 1]
    least, most = word(K.B[2 * first]), word(K.B[2 * first + 1])
    for child in range(first + 1, first + count):
        if turn == 0:
            least, most = max(least, K.B[2 * child]), max(most, K.B[2 * child + 1])
        else:
            least, most = min(least, K.B[2 * child]), min(most, K.B[2 * child + 1])
    for child in range(first, first + count):
        if (turn == 0 and K.B[2 * child + 1] <= least) or (turn == 1 and K.B[2 * child] >= most):
            K.F[NODE * child + 1] = AGAINST
            if K.V[2 * child] == 0:
                K.F[NODE * child] = single(0)
    changed = least != K.B[2 * node] or most != K.B[2 * node + 1]
    K.B[2 * node] = np.int32(least)
    K.B[2 * node + 1] = np.int32(most)
    return changed


# -- one iteration


@inlined
def best_child(K: Tree, node: int, urge: float) -> int:
    """The child with the greatest upper confidence bound, of several the first.

    Every other child is compared by itself, since each comparison waits for the one before.
    """
    first = word(K.N[NODE * node + FIRST])
    end = first + K.V[2 * node + 1]
    best, top = first, K.F[NODE * first] + urge * K.F[NODE * first + 1]
    other, other_top = first, top
    child = first + 1
    while child + 1 < end:
        bound = K.F[NODE * child] + urge * K.F[NODE * child + 1]
        other_bound = K.F[NODE * child + NODE] + urge * K.F[NODE * child + NODE + 1]
        if bound > top:
            best, top = child, bound
        if other_bound > other_top:
            other, other_top = child + 1, other_bound
        child += 2
    if child < end:
        bound = K.F[NODE * child] + urge * K.F[NODE * child + 1]
        if bound > top:
            best, top = child, bound
    if other_top > top or (other_top == top and other < best):
        return other
    return best


@inlined
def ask_for(K: Tree, node: int) -> None:
    """Have the processor fetch what is needed of a node next, and its first dozen children, while the move is made."""
    family = NODE * K.N[NODE * node + FIRST]
    prefetch(K.V, 2 * node)
    prefetch(K.N, family)
    prefetch(K.N, family + LINE)
    prefetch(K.N, family + 2 * LINE)


@inlined
def is_untried(K: Tree, node: int, keen: int) -> bool:
    """Whether a node was never visited. Only what is proven hides that from its rate, which is at hand already."""
    return K.V[2 * node] == 0 if keen else K.F[NODE * node + 1] == 0


@inlined
def urge_of(U: Floats, size: int, visits: int) -> float:
    """c * sqrt(log(visits)), for a node that has some: from the table where that reaches. The table's entry 0 is c."""
    if visits < size:
        return U[visits]
    return U[0] * single(math.sqrt(math.log(float(visits))))


@inlined
def spread(W: Words) -> float:
    """How far from 0 results usually are, of 1. Where points count, that is far less than they could be."""
    if W[SQUARES] == 0:
        return single(1)
    return single(math.sqrt(W[SQUARES] / W[RESULTS])) / single(UNIT)


@part
def finish_half(R: Words, T: Ints, G: Words, pending: int, seed: int) -> None:
    """Make the move whose own mark was chosen, with some other mark."""
    r, whole = hot(R), pending - HALF
    board, own_cell = whole >> at.BOARD_SHIFT, (whole >> at.OWN_SHIFT) & at.CELL_MASK
    make(r, R, G, whole + keen_pair(r, R, T, G, G[at.TURN], board, own_cell, seed), False)


@inlined
def play_out(R: Words, T: Ints, G: Words, W: Words, codes: Words, pending: int) -> int:
    """Play from a leaf to the end of the game; returns X's utility."""
    seed, over = W[SEED], word(0)
    if W[KEEN] == 0:
        over, seed = play_randomly(R, G, codes, seed)
    else:
        if is_half(pending):
            seed = next_random(seed)
            finish_half(R, T, G, pending, seed)
        over = G[at.OVER]
        if over == GOES_ON:
            over, seed = play_keenly(R, T, G, codes, seed)
    W[SEED] = seed
    return worth(R, G, over)


@inlined
def add_result(K: Tree, node: int, result: float) -> None:
    """Count a result, in the view of who moves to the node."""
    visits = K.V[2 * node] + 1
    K.V[2 * node] = np.int32(visits)
    share = single(1) / single(visits)
    mean = K.F[NODE * node] if visits > 1 else single(0)
    K.F[NODE * node] = mean + (single(result) - mean) * share
    K.F[NODE * node + 1] = single(math.sqrt(share))


@inlined
def within(K: Tree, node: int, result: int) -> int:
    """The result, but never beyond what is proven for a node."""
    return min(max(result, word(K.B[2 * node])), word(K.B[2 * node + 1]))


@part
def back_up_proofs(K: Tree, path: Words, movers: Words, depth: int, result: int, reach: int, grown: int) -> None:
    """Tell the nodes on the way a result, never beyond what is proven for them; bounds go up as far as they change.

    The node at depth ``grown``, if any, has new bounds already.
    """
    changed = False
    for d in range(depth, 0, -1):
        node, changed = path[d], changed or d == grown
        result = within(K, node, result)
        value = result / reach
        add_result(K, node, value if movers[d] == 0 else -value)
        if changed:
            changed = tighten(K, path[d - 1], movers[d])
    K.V[0] = np.int32(K.V[0] + 1)


@inlined
def iterate(
    r: Hot, R: Words, T: Ints, S: Words, G: Words, K: Tree, U: Floats, u_size: int, W: Words, room: Words
) -> None:
    """Walk down the tree, add a node, play out from it, and tell the nodes on the way.

    room: MOST_PLIES words each for the nodes on the way and for who moved to them, an undo row, and codes.
    """
    keen, size = W[KEEN], R[at.STATE_SIZE]
    path, movers = room, moved(room, MOST_PLIES)
    undo, codes = moved(room, 2 * MOST_PLIES), moved(room, 2 * MOST_PLIES + UNDO_HEADER + size)

    # 1. From the root ...
    for i in range(size):
        G[i] = S[i]
    node, depth, pending, grown = word(0), word(0), word(0), word(-1)
    wide = spread(W) if keen else single(1)
    # 2. ... down to a node that has never been visited, or where the game is over or decided.
    while depth < MOST_PLIES - 1:
        if K.N[NODE * node + FIRST] == 0:
            if (node > 0 and is_untried(K, node, keen)) or not expand(R, G, K, W, codes, node, pending):
                break
            if keen:
                look_ahead(R, G, K, undo, node, W[REACH])
                grown = depth
                if K.B[2 * node] == K.B[2 * node + 1]:
                    break
        child = best_child(K, node, wide * urge_of(U, u_size, K.V[2 * node]))
        ask_for(K, child)
        depth += 1
        path[depth] = child
        movers[depth] = G[at.TURN]
        node, pending = child, word(K.N[NODE * child + CODE])
        if not is_half(pending):
            make(r, R, G, pending, False)
            if G[at.OVER]:
                break
    # 3. To the end of the game.
    if G[at.OVER]:
        result = worth(R, G, G[at.OVER])
    elif keen and K.B[2 * node] == K.B[2 * node + 1]:
        result = word(K.B[2 * node])
    else:
        result = play_out(R, T, G, W, codes, pending)
    # 4. Back to the root. What is proven overrules what was played.
    if not keen:
        scale = single(1) / single(W[REACH])
        value = single(result) * scale
        for d in range(depth, 0, -1):
            add_result(K, path[d], value if movers[d] == 0 else -value)
        K.V[0] = np.int32(K.V[0] + 1)
        return
    W[RESULTS] += 1
    W[SQUARES] += (result * UNIT // W[REACH]) ** 2
    back_up_proofs(K, path, movers, depth, result, W[REACH], grown)
