"""The 64-bit hash of a position: kept up to date by every move that is tracked."""

from metatac.kernel import layout as at
from metatac.kernel.bits import Words, lowest_bit, mix, word
from metatac.kernel.compiled import inlined, part
from metatac.kernel.places import place_of_board, place_of_upper

TALLY = at.TALLY


@inlined
def tally_key(board: int, x: int, o: int) -> int:
    """The part of the hash for a board's tallies; an untouched board adds nothing."""
    return mix((1 << 40) + (board << 8) + (x << 4) + o) if x + o else 0


@inlined
def owner_key(upper: int, child: int, who: int) -> int:
    """The part of the hash for the owner of a board."""
    return mix((1 << 41) + (upper << 16) + (child << 1) + who)


@part
def marks_key(R: Words, S: Words, board: int) -> int:
    """The part of the hash for a board's marks."""
    key = 0
    for who in range(2):
        mask = S[place_of_board(board) + who]
        while mask:
            key ^= R[R[at.KEY_OFFSET] + 2 * (board * R[at.SIZE] + lowest_bit(mask)) + who]
            mask &= mask - 1
    return key


@part
def rehash(R: Words, S: Words) -> None:
    """Work the hash of marks, tallies and owners out anew."""
    key = 0
    for board in range(R[at.BOARDS]):
        counts = S[place_of_board(board) + TALLY]
        key ^= marks_key(R, S, board) ^ tally_key(board, counts & 15, counts >> 4)
    uppers = 0 if R[at.DEPTH] == 1 else 1 if R[at.DEPTH] == 2 else 1 + R[at.SIZE]
    for upper in range(uppers):
        for who in range(2):
            mask = S[place_of_upper(R, upper) + who]
            while mask:
                key ^= owner_key(upper, lowest_bit(mask), who)
                mask &= mask - 1
    S[at.HASH] = key


@inlined
def position_key(S: Words) -> int:
    """The 64-bit hash of all that a position is."""
    return S[at.HASH] ^ header_key(S[at.TURN], S[at.IN_BONUS], S[at.LOW], S[at.SPAN])


@inlined
def header_key(turn: int, bonus: int, low: int, span: int) -> int:
    """The part of the hash for whose turn it is, and where."""
    return mix((1 << 42) + turn + (bonus << 1) + (low << 2) + (span << 22))


@inlined
def key_after_quiet(R: Words, S: Words, board: int, cell: int, low: int, span: int) -> int:
    """The hash of what a quiet move of one mark leads to, and where the opponent is to play then."""
    mark = R[R[at.KEY_OFFSET] + 2 * (board * R[at.SIZE] + cell) + S[at.TURN]]
    return S[at.HASH] ^ mark ^ header_key(1 - S[at.TURN], word(0), low, span)
