"""Where the boards lie in a state."""

from metatac.kernel import layout as at
from metatac.kernel.bits import Words, popcount
from metatac.kernel.compiled import inlined

STATE_HEADER, BOARD, AVAILABLE, UPPER = at.STATE_HEADER, at.BOARD, at.AVAILABLE, at.UPPER


@inlined
def place_of_board(board: int) -> int:
    """Where a small board lies in the state."""
    return STATE_HEADER + BOARD * board


@inlined
def place_of_upper(R: Words, upper: int) -> int:
    """Where an upper board lies in the state."""
    return STATE_HEADER + BOARD * R[at.BOARDS] + UPPER * upper


@inlined
def parent_of(R: Words, board: int) -> tuple[int, int]:
    """The upper board around a small one, and the small one's number in it."""
    if R[at.DEPTH] == 2:
        return 0, board
    return 1 + board // R[at.SIZE], board % R[at.SIZE]


@inlined
def set_available(S: Words, board: int, mask: int) -> None:
    """Replace the cells of a board that may be marked."""
    here = place_of_board(board) + AVAILABLE
    S[at.LEFT] += popcount(mask) - popcount(S[here])
    S[here] = mask
