"""The prover's table in compiled code: what is known of positions, in so many bytes and no more.

An entry is four words: the position's key; its proof and disproof number, 32 bits each; the bounds of its utility, 32
bits each; and what ``packed`` makes of the rest. Two entries make a bucket, which is one line of
the processor's cache. A new one takes the place of the one with less work behind it, so that every bucket keeps a
costly one and the latest.

Only the bounds are ever taken for truth, and only when the key and 24 more bits of another hash agree.
"""

import numpy as np

from metatac.kernel import layout as at
from metatac.kernel.bits import Words, mix, moved, word
from metatac.kernel.compiled import inlined, part
from metatac.kernel.places import place_of_board, place_of_upper

ENTRY, BUCKET = 4, 2
LONGEST = 4095
"""A height that is not known to be less."""
TARGETS = 1 << 16
"""So many targets can be told apart."""

_FACTOR = word(0x2545F4914F6CDD1D)
_FACTOR_2 = word(0x369DEA0F31A53F85)
_LOW_HALF = word(0xFFFFFFFF)
_THIRTY_TWO = np.uint64(32)


@part
def check_bits(R: Words, S: Words) -> int:
    """24 bits of a hash of the state that has nothing in common with its key."""
    check = S[at.LOW] * 4 + S[at.IN_BONUS] * 2 + S[at.TURN]
    for board in range(R[at.BOARDS]):
        here = place_of_board(board)
        part_of = (S[here] + S[here + 1] * _FACTOR + (S[here + at.TALLY] << 50) + (board << 58)) * _FACTOR_2
        check += (part_of ^ (part_of >> 31)) * _FACTOR
    if R[at.DEPTH] > 1:
        root = place_of_upper(R, 0)
        check ^= (S[root] + S[root + 1] * _FACTOR) * _FACTOR_2
    check *= _FACTOR_2
    return ((check ^ (check >> 31)) >> 39) & 0xFFFFFF


@inlined
def packed(check: int, target: int, height: int, work: int) -> int:
    """The last word of an entry; never 0.

    The target's lowest 16 bits say which question the numbers and the height belong to; the height is the most plies
    in which the answer, if there is one, comes true; the work is the logarithm of the nodes that it took.
    """
    steps = 1
    while work > 1:
        work >>= 1
        steps += 1
    return (check << 40) | ((target & 0xFFFF) << 24) | (min(height, LONGEST) << 12) | steps


@inlined
def bucket_of(T: Words, buckets: int, key: int) -> Words:
    """The bucket of a key."""
    number = ((np.uint64(key) >> _THIRTY_TWO) * np.uint64(buckets)) >> _THIRTY_TWO
    found: Words = moved(T, word(number) * (ENTRY * BUCKET))
    return found


@inlined
def find(T: Words, buckets: int, key: int) -> Words:
    """The entry with this key, which is not 0; if there is none, one with another key."""
    entry = bucket_of(T, buckets, key)
    for _ in range(BUCKET - 1):
        if entry[0] == key:
            return entry
        entry = moved(entry, ENTRY)
    return entry


@inlined
def is_of(R: Words, S: Words, entry: Words) -> bool:
    """Whether an entry that was found by its key is the state's indeed."""
    return (entry[3] >> 40) & 0xFFFFFF == check_bits(R, S)


@part
def store(
    R: Words, S: Words, T: Words, buckets: int, key: int, pn: int, dn: int, low: int, high: int, rest: int
) -> None:
    """Write what was found out about a state; rest is the last word without its check bits."""
    entry = bucket_of(T, buckets, key)
    place, least = entry, word(1 << 62)
    for _ in range(BUCKET):
        if entry[0] == key or entry[3] == 0:
            place = entry
            break
        work = entry[3] & 0xFFF
        if work < least:
            place, least = entry, work
        entry = moved(entry, ENTRY)
    place[0] = key
    place[1] = (pn << 32) | dn
    place[2] = (low << 32) | (high & _LOW_HALF)
    place[3] = rest | (check_bits(R, S) << 40)


@part
def put(T: Words, buckets: int, entry: Words) -> None:
    """Put an entry of another table where it is looked for, unless those that are there took as much work."""
    place = here = bucket_of(T, buckets, entry[0])
    for _ in range(BUCKET - 1):
        here = moved(here, ENTRY)
        if here[3] & 0xFFF < place[3] & 0xFFF:
            place = here
    if place[3] & 0xFFF < entry[3] & 0xFFF:
        place[0], place[1], place[2], place[3] = entry[0], entry[1], entry[2], entry[3]


@part
def spread(T: Words, first: int, end: int, buckets: int) -> None:
    """Put the entries of the buckets from the first one to the end where they are looked for when there are so many
    buckets: a multiple of how many there were.

    From the last one on, so that no bucket is written to before it was emptied.
    """
    for number in range(end - 1, first - 1, -1):
        for slot in range(number * BUCKET, (number + 1) * BUCKET):
            entry = moved(T, slot * ENTRY)
            key, numbers, bounds, rest = entry[0], entry[1], entry[2], entry[3]
            if rest:
                entry[0] = entry[1] = entry[2] = entry[3] = 0
                place = moved(bucket_of(T, buckets, key), slot % BUCKET * ENTRY)
                place[0], place[1], place[2], place[3] = key, numbers, bounds, rest


@inlined
def stored_low(entry: Words) -> int:
    """The lower bound of the utility, in X's view."""
    return entry[2] >> 32


@inlined
def stored_high(entry: Words) -> int:
    """The upper bound of the utility, in X's view."""
    return (entry[2] << 32) >> 32


@inlined
def key_within(key: int, plies: int) -> int:
    """The key of a position in a game that is cut off after so many plies; 0: it is not cut off."""
    return key ^ mix((1 << 43) + plies) if plies else key
