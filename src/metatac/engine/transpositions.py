"""The table of positions that were searched, in compiled code: shared by all threads, without locks.

A thread may read an entry while another one writes it. So the key is stored mixed with a stamp of all the rest: what
does not belong together is not taken for anything. Whoever reads takes each word once and looks at the stamp of those.
"""

import numpy as np

from metatac.engine.arrays import words_at
from metatac.engine.memory import BUCKET, BUSY, ENTRY, GENERATION, PROVEN, SLOT, SLOTS, TABLE, TABLE_MASK
from metatac.kernel.bits import Words, moved, word
from metatac.kernel.compiled import inlined

_FACTORS = tuple(np.uint64(factor) for factor in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))
_A, _B, _C = _FACTORS
_LESS, _REST = np.uint64(23), np.uint64(41)


@inlined
def turned(bits: np.uint64) -> np.uint64:
    """The bits of a word moved around in a circle."""
    return (bits << _LESS) | (bits >> _REST)


@inlined
def stamp(value: int, rest: int, code: int) -> int:
    """A word that differs for entries that differ, however little: in one word surely, in several as if by chance."""
    bits = turned(np.uint64(value) * _A) ^ (np.uint64(rest) * _B)
    return word(turned(bits) ^ (np.uint64(code) * _C))


@inlined
def is_for(entry: Words, key: int) -> bool:
    """Whether an entry is of this position."""
    return entry[0] ^ stamp(entry[1], entry[2], entry[3]) == key


@inlined
def find(G: Words, key: int) -> Words:
    """The entry of a position; if it has none, the one to use: that of an older search or the shallower."""
    bucket: Words = moved(words_at(G[TABLE]), BUCKET * (1 + (key & G[TABLE_MASK])))
    second: Words = moved(bucket, ENTRY)
    if is_for(bucket, key):
        return bucket
    if is_for(second, key):
        return second
    return bucket if bucket[2] >> 16 != G[GENERATION] or bucket[2] & 0xFFFF <= second[2] & 0xFFFF else second


@inlined
def remember(G: Words, entry: Words, key: int, value: int, depth: int, bound: int, code: int, level: int) -> None:
    """Write an entry. Won and lost games are dated from the position, not from where the search began."""
    if value >= G[PROVEN]:
        value += level
    elif value <= -G[PROVEN]:
        value -= level
    rest = (G[GENERATION] << 16) + depth * 4 + bound
    entry[0], entry[1], entry[2], entry[3] = key ^ stamp(value, rest, code), value, rest, code


# -- what the threads are searching: a guide only, which may be wrong and never needs a lock


@inlined
def is_busy(G: Words, key: int) -> bool:
    """Whether another thread is searching a position."""
    return words_at(G[BUSY])[SLOT * (key & (SLOTS - 1))] == key


@inlined
def begin_work(G: Words, key: int) -> None:
    """Note that a position is being searched."""
    words_at(G[BUSY])[SLOT * (key & (SLOTS - 1))] = key


@inlined
def end_work(G: Words, key: int) -> None:
    """Note that it is not any more, unless another position has the slot by now."""
    slot: Words = moved(words_at(G[BUSY]), SLOT * (key & (SLOTS - 1)))
    if slot[0] == key:
        slot[0] = 0
