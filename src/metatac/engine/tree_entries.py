"""The compiled entry points of tree search: what Python calls. Nothing is allocated; the GIL is not held."""

from typing import Any

import numpy as np
from numba import types

from metatac.engine.arrays import Floats, Ints, floats, ints
from metatac.engine.tree import FIRST, KEEN, NODE, USED, Tree, iterate
from metatac.kernel import layout as at
from metatac.kernel.bits import Words, moved, pointer, word
from metatac.kernel.compiled import compiled, inlined
from metatac.kernel.core import Hot, hot, plain_hot

Array = Any
"""A contiguous array; the signatures below say of what."""


@compiled
def search(
    tables: Array,
    threats: Array,
    state: Array,
    nodes: Array,
    rates: Array,
    counts: Array,
    bounds: Array,
    urges: Array,
    control: Array,
    room: Array,
    stop: Array,
    iterations: int,
) -> int:
    """Grow a tree (see ``tree``) by so many iterations; returns how many were made.

    It ends early when ``stop`` holds anything but 0, and when the root is proven. room holds a state, then what
    ``iterate`` needs. A search that is cut into pieces goes exactly as one that is not.
    """
    R, T, S, G = pointer(tables), ints(threats), pointer(state), pointer(room)
    K, U = Tree(ints(nodes), floats(rates), ints(counts), ints(bounds)), floats(urges)
    W, Z = pointer(control), pointer(stop)
    rest = moved(G, state.size)
    if R[at.PLAIN]:
        return grow(plain_hot(R), R, T, S, G, K, U, urges.size, W, rest, Z, iterations)
    return grow(hot(R), R, T, S, G, K, U, urges.size, W, rest, Z, iterations)


@inlined
def grow(
    r: Hot,
    R: Words,
    T: Ints,
    S: Words,
    G: Words,
    K: Tree,
    U: Floats,
    u_size: int,
    W: Words,
    rest: Words,
    Z: Words,
    iterations: int,
) -> int:
    """The same where the rules' constants are at hand: see ``plain_hot``."""
    for done in range(iterations):
        if Z[0] or (W[KEEN] and K.N[FIRST] and K.B[0] == K.B[1]):
            return done
        iterate(r, R, T, S, G, K, U, u_size, W, rest)
    return iterations


@compiled
def transplant(
    nodes: Array,
    counts: Array,
    bounds: Array,
    root: int,
    nodes_2: Array,
    counts_2: Array,
    bounds_2: Array,
    control: Array,
) -> None:
    """Copy the part of a tree below a node to a second tree, of which that node becomes the root."""
    N, V, B = ints(nodes), ints(counts), ints(bounds)
    N2, V2, B2 = ints(nodes_2), ints(counts_2), ints(bounds_2)
    copy_node(N, V, B, root, N2, V2, B2, word(0))
    used, node = 1, 0
    while node < used:  # every copy still names its first child in the first tree
        first = N2[NODE * node + FIRST]
        if first:
            N2[NODE * node + FIRST] = np.int32(used)
            for child in range(first, first + V2[2 * node + 1]):
                copy_node(N, V, B, child, N2, V2, B2, used)
                used += 1
        node += 1
    control[USED] = used


@inlined
def copy_node(N: Ints, V: Ints, B: Ints, node: int, N2: Ints, V2: Ints, B2: Ints, place: int) -> None:
    for i in range(NODE):
        N2[NODE * place + i] = N[NODE * node + i]
    for i in range(2):
        V2[2 * place + i], B2[2 * place + i] = V[2 * node + i], B[2 * node + i]


WORD, ROW = types.int64, types.int64[::1]
READ_ONLY = types.Array(types.int64, 1, "C", readonly=True)
INTS, FLOATS = types.int32[::1], types.float32[::1]
READ_ONLY_INTS = types.Array(types.int32, 1, "C", readonly=True)
READ_ONLY_FLOATS = types.Array(types.float32, 1, "C", readonly=True)
SIGNATURES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "tree search": (
        search,
        (READ_ONLY, READ_ONLY_INTS, ROW, INTS, FLOATS, INTS, INTS, READ_ONLY_FLOATS, ROW, ROW, ROW, WORD),
    ),
    "tree kept": (transplant, (INTS, INTS, INTS, WORD, INTS, INTS, INTS, ROW)),
}
"""Every entry point, with the one signature that it is compiled for."""
