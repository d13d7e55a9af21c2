"""What the moves of a best-first tree promise against an opponent who errs.

Where several moves are about as good, as they are where a draw is near, the search does not tell them apart. To an
opponent they are not the same: after one he sees at a glance what holds him, after another he must find it each time
among moves that look better. So the upper part of the tree is valued once more. The player takes the best; his opponent
takes each move as often as it looks good, at a glance and to the search, and sees nothing beyond a few plies.
"""

import math
from typing import Any

from numba import types

from metatac.engine.arrays import Floats, Ints, floats, ints, published
from metatac.engine.best_first_tree import (
    FAMILY,
    FIRST,
    FLOATS,
    INTS,
    LOST,
    MOVE,
    NODE,
    OPEN,
    ROW,
    SHARE,
    STATUS,
    VALUE,
    VISITS,
    WON,
    falling,
)
from metatac.kernel.bits import Words, pointer, word
from metatac.kernel.compiled import compiled, inlined

LEAST, PART = 16, 1024
"""A node is looked into that was visited so often, and a part of the root's visits."""
FORESIGHT = 4
"""The opponent sees what is won and lost within so many plies, if the tree does."""
UNSEEN = 0.3
"""What he does not see is lost looks to him no worse than the best move by more than this."""
ERROR = 0.5
"""Of moves that look the same at a glance he plays one a third as often that the search finds worse by this."""
WORTH_A_LOOK = 8
"""The player counts on moves that were visited a part as often as the most visited."""

PLACE, MINE, CHILDREN, END, ENTRY = 0, 1, 2, 3, 4
"""The numbers of an entry: a node; whether the player moves into it; where its children are, if they are listed."""
MOST = 1 << 15
"""Entries that there is room for, so that it takes no more than a millisecond; what is below is not looked at."""
NOT_SEEN = 1 << 20


@inlined
def list_nodes(N: Ints, E: Words) -> int:
    """List the upper part of a tree, parents before children; returns how many nodes it has."""
    least = max(word(LEAST), word(N[VISITS]) // PART)
    E[PLACE], E[MINE] = 0, 0
    count, at = word(1), word(0)
    while at < count:
        entry = ENTRY * at
        place = NODE * E[entry + PLACE]
        first, family = word(published(N, place + FIRST)), word(N[place + MOVE]) >> FAMILY
        E[entry + CHILDREN] = E[entry + END] = 0
        looked_at = at == 0 or N[place + STATUS] != OPEN or word(N[place + VISITS]) >= least
        if first and looked_at and count + family <= MOST:
            E[entry + CHILDREN], E[entry + END] = count, count + family
            for child in range(first, first + family):
                E[ENTRY * count + PLACE], E[ENTRY * count + MINE] = child, 1 - E[entry + MINE]
                count += 1
        at += 1
    return count


@inlined
def plies_to_see(N: Ints, E: Words, D: Words, at: int) -> int:
    """How far one must look to see that a node is won or lost."""
    status, soonest, last = N[NODE * E[ENTRY * at + PLACE] + STATUS], word(NOT_SEEN), word(0)
    if status != WON and status != LOST:
        return word(NOT_SEEN)
    if E[ENTRY * at + END] == 0:
        return word(0) if status == WON else word(1)  # the last move, or it can be made
    for child in range(E[ENTRY * at + CHILDREN], E[ENTRY * at + END]):
        if N[NODE * E[ENTRY * child + PLACE] + STATUS] == WON:
            soonest = min(soonest, D[child] + 1)
        last = max(last, D[child] + 1)
    return soonest if status == LOST else last


@inlined
def hoped_for(N: Ints, E: Words, H: Any, at: int) -> float:
    """What the player makes of a node, in which it is his turn."""
    first, end, most, best = E[ENTRY * at + CHILDREN], E[ENTRY * at + END], word(0), -1.0
    for child in range(first, end):
        most = max(most, word(N[NODE * E[ENTRY * child + PLACE] + VISITS]))
    for child in range(first, end):
        place = NODE * E[ENTRY * child + PLACE]
        visits, status = word(N[place + VISITS]), N[place + STATUS]
        if status != LOST and (status != OPEN or WORTH_A_LOOK * visits >= most):
            best = max(best, H[child])
    return best


@inlined
def to_be_expected(N: Ints, F: Floats, E: Words, D: Words, H: Any, at: int) -> float:
    """What is to be expected of a node in which it is the opponent's turn."""
    first, end, best, total, sum_of = E[ENTRY * at + CHILDREN], E[ENTRY * at + END], -1.0, 0.0, 0.0
    for child in range(first, end):
        best = max(best, float(F[NODE * E[ENTRY * child + PLACE] + VALUE]))
    for child in range(first, end):
        place = NODE * E[ENTRY * child + PLACE]
        status, gap, seen = N[place + STATUS], best - float(F[place + VALUE]), D[child] <= FORESIGHT
        if status == WON and seen:
            return -1.0
        weight = 1e-9  # what he sees to be lost he plays only if all is
        if status != LOST or not seen:
            if status == LOST:
                gap = min(gap, UNSEEN)
            weight = falling(gap / ERROR) * math.sqrt(max(float(F[place + SHARE]), 1e-4))
        total += weight
        sum_of += weight * H[child]
    return sum_of / total


@compiled
def prospects(nodes: Any, numbers: Any, entries: Any, plies: Any, promised: Any) -> None:
    """Work out what the root's moves promise the player whose turn it is: ``promised`` has them behind the root.

    ``nodes`` and ``numbers`` are the same memory; ``entries`` and ``plies`` have room for MOST nodes.
    """
    N, F, E, D = ints(nodes), floats(numbers), pointer(entries), pointer(plies)
    for at in range(list_nodes(N, E) - 1, -1, -1):
        place = NODE * E[ENTRY * at + PLACE]
        D[at] = plies_to_see(N, E, D, at)
        if E[ENTRY * at + END] == 0:
            promised[at] = F[place + VALUE] if E[ENTRY * at + MINE] else -F[place + VALUE]
        elif E[ENTRY * at + MINE]:
            promised[at] = to_be_expected(N, F, E, D, promised, at)
        else:
            promised[at] = hoped_for(N, E, promised, at)


SIGNATURES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "prospects": (prospects, (INTS, FLOATS, ROW, ROW, types.float64[::1])),
}
