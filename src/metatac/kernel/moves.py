"""Moves in compiled code: listed, chosen at random, made and taken back. Nothing here is checked."""

from metatac.kernel import layout as at
from metatac.kernel.bits import Words, below, lowest_bit, popcount, word
from metatac.kernel.compiled import inlined, part
from metatac.kernel.core import GOES_ON, Hot, hot, lead, one_mark, two_marks, wins_small
from metatac.kernel.hashing import rehash
from metatac.kernel.places import place_of_board

AVAILABLE, BOARD, STATE_HEADER = at.AVAILABLE, at.BOARD, at.STATE_HEADER
BOARD_SHIFT, OWN_SHIFT, CELL_MASK, SWAP_CODE = at.BOARD_SHIFT, at.OWN_SHIFT, at.CELL_MASK, at.SWAP_CODE

NOT_MADE = 4
"""Added to what OVER becomes where the send ended the game before a move was made."""

UNDO_HEADER = 16
"""An undo row: where the board moved in lies, the header and that board; then room for a whole state (where lies 0)."""


@inlined
def board_moves(r: Hot, available: int) -> int:
    """How many moves there are in a small board."""
    blanks = popcount(available)
    if r.marks == 1:
        return blanks
    return r.size if blanks == 1 else blanks * (blanks - 1)


@inlined
def may_swap(R: Words, S: Words) -> int:
    """1 if the player to move may take over the first move."""
    return 1 if R[at.SWAP] and S[at.OPENING] == 1 else 0


@part
def sum_moves(R: Words, S: Words, low: int, span: int) -> int:
    """How many moves there are in some small boards, one after the other."""
    r, total = hot(R), 0
    for board in range(low, low + span):
        total += board_moves(r, S[place_of_board(board) + AVAILABLE])
    return total


@inlined
def span_moves(r: Hot, R: Words, S: Words, low: int, span: int) -> int:
    """How many moves there are in some small boards."""
    if span == 1:
        return board_moves(r, S[place_of_board(low) + AVAILABLE])
    if r.marks == 1 and span == r.boards:
        return S[at.LEFT]
    return sum_moves(R, S, low, span)


@inlined
def count_moves(r: Hot, R: Words, S: Words) -> int:
    """How many legal moves there are."""
    if S[at.OVER]:
        return 0
    return span_moves(r, R, S, S[at.LOW], S[at.SPAN]) + may_swap(R, S)


@inlined
def list_moves(r: Hot, R: Words, S: Words, codes: Words) -> int:
    """Write the codes of all legal moves, ascending; returns how many."""
    count = 0
    if S[at.OVER]:
        return 0
    if may_swap(R, S):
        codes[0] = SWAP_CODE
        count = 1
    for board in range(S[at.LOW], S[at.LOW] + S[at.SPAN]):
        available = S[place_of_board(board) + AVAILABLE]
        blanks = available
        while blanks:
            cell = lowest_bit(blanks)
            blanks &= blanks - 1
            code = (board << BOARD_SHIFT) + (cell << OWN_SHIFT)
            if r.marks == 1:
                codes[count] = code
                count += 1
                continue
            rest = available & ~(1 << cell)
            if rest == 0:
                rest = R[at.FULL]
            while rest:
                codes[count] = code + lowest_bit(rest)
                count += 1
                rest &= rest - 1
    return count


# -- chosen at random


@part
def nth_bit_bytewise(R: Words, mask: int, n: int) -> int:
    """The place of the n-th set bit of a mask of any length."""
    base, here = 0, popcount(mask & 255)
    while n >= here:
        n -= here
        mask >>= 8
        base += 8
        here = popcount(mask & 255)
    return base + ((R[R[at.SELECT_OFFSET] + (mask & 255)] >> (4 * n)) & 15)


@inlined
def nth_bit(r: Hot, R: Words, mask: int, n: int) -> int:
    """The place of the n-th set bit, counted from 0."""
    if r.select_whole:
        return (R[r.select_whole + mask] >> (4 * n)) & 15
    if not r.lookup:
        return nth_bit_bytewise(R, mask, n)
    here = popcount(mask & 255)  # at most two bytes: without a branch, which nobody could predict
    upper = 1 if n >= here else 0
    byte = (mask >> (8 * upper)) & 255
    return ((R[r.select + byte] >> (4 * (n - here * upper))) & 15) + 8 * upper


@part
def nth_pair(R: Words, available: int, n: int) -> tuple[int, int]:
    """The cells of the n-th move of two marks in a small board."""
    r, others = hot(R), popcount(available) - 1
    if others == 0:
        return lowest_bit(available), n
    own_cell = nth_bit(r, R, available, n // others)
    return own_cell, nth_bit(r, R, available & ~(1 << own_cell), n % others)


@inlined
def random_move(
    r: Hot, R: Words, S: Words, low: int, span: int, turn: int, bonus: int, seed: int
) -> tuple[int, int, int, int, int]:
    """Make one of the legal moves (the swap is none here), all alike likely. Returns what ``pass_on`` does.

    Where the send leads is looked at here, not after the move before. If that ends the game no move is made, and
    NOT_MADE is added to what OVER becomes.
    """
    board, available = low, S[place_of_board(low) + AVAILABLE]
    if available and span == 1:
        n = below(seed, board_moves(r, available))
    else:
        if span == r.send_span:
            low, span, over = lead(r, R, S, low, span)
            if over:
                return low, span, turn, bonus, over + NOT_MADE
        n = below(seed, span_moves(r, R, S, low, span))
        board, available = low, S[place_of_board(low) + AVAILABLE]
        here = board_moves(r, available)
        while n >= here:
            n -= here
            board += 1
            available = S[place_of_board(board) + AVAILABLE]
            here = board_moves(r, available)
    if r.marks == 1:
        return one_mark(r, R, S, turn, bonus, board, nth_bit(r, R, available, n), False)
    own_cell, other_cell = nth_pair(R, available, n)
    return two_marks(R, S, turn, bonus, board, own_cell, other_cell, word(0))


# -- made and taken back, the whole state kept


@part
def swap_marks(R: Words, S: Words) -> None:
    """Take over the first move: its mark changes hands."""
    for board in range(R[at.BOARDS]):
        here = place_of_board(board)
        S[here], S[here + 1] = S[here + 1], S[here]
    S[at.TURN] = 0
    S[at.OPENING] = 2
    rehash(R, S)


@inlined
def make(r: Hot, R: Words, S: Words, code: int, track: bool) -> None:
    """Make a move."""
    if code == SWAP_CODE:
        swap_marks(R, S)
        return
    board, own_cell, other_cell = code >> BOARD_SHIFT, (code >> OWN_SHIFT) & CELL_MASK, code & CELL_MASK
    if r.marks == 1:
        low, span, turn, bonus, over = one_mark(r, R, S, S[at.TURN], S[at.IN_BONUS], board, own_cell, track)
    else:
        low, span, turn, bonus, over = two_marks(
            R, S, S[at.TURN], S[at.IN_BONUS], board, own_cell, other_cell, word(track)
        )
    if over == GOES_ON:
        low, span, over = lead(r, R, S, low, span)
        if over:
            turn, bonus = 1 - S[at.TURN], 0
    S[at.LOW], S[at.SPAN], S[at.TURN], S[at.IN_BONUS], S[at.OVER] = low, span, turn, bonus, over
    if S[at.OPENING] < 2:
        S[at.OPENING] += 1


@inlined
def is_quiet(r: Hot, R: Words, S: Words, code: int) -> bool:
    """Whether a move changes nothing but the header and the small board that it is made in."""
    if code == SWAP_CODE:
        return False
    board, own_cell, other_cell = code >> BOARD_SHIFT, (code >> OWN_SHIFT) & CELL_MASK, code & CELL_MASK
    here, turn = place_of_board(board), S[at.TURN]
    rest = S[here + AVAILABLE] & ~(1 << own_cell)
    if r.marks == 2:
        rest &= ~(1 << other_cell)
        if wins_small(r, R, S[here + 1 - turn] | (1 << other_cell)):
            return False
    return rest != 0 and not wins_small(r, R, S[here + turn] | (1 << own_cell))


@inlined
def count_after_quiet(S: Words, code: int) -> int:
    """How many moves follow a quiet move where the rules are PLAIN; 0: the board sent to is decided."""
    board, cell = code >> BOARD_SHIFT, (code >> OWN_SHIFT) & CELL_MASK
    available = S[place_of_board(cell) + AVAILABLE]
    return popcount(available & ~(1 << cell) if cell == board else available)


@inlined
def make_undoable(r: Hot, R: Words, S: Words, undo: Words, code: int, track: bool) -> None:
    """Make a move, and write to an undo row what takes it back."""
    if is_quiet(r, R, S, code):
        here = place_of_board(code >> BOARD_SHIFT)
        undo[0] = here
        for i in range(STATE_HEADER):
            undo[1 + i] = S[i]
        for i in range(BOARD):
            undo[1 + STATE_HEADER + i] = S[here + i]
    else:
        undo[0] = 0
        for i in range(R[at.STATE_SIZE]):
            undo[UNDO_HEADER + i] = S[i]
    make(r, R, S, code, track)


@inlined
def take_back(R: Words, S: Words, undo: Words) -> None:
    """Take back the move that an undo row was written for."""
    here = undo[0]
    if here:
        for i in range(STATE_HEADER):
            S[i] = undo[1 + i]
        for i in range(BOARD):
            S[here + i] = undo[1 + STATE_HEADER + i]
    else:
        for i in range(R[at.STATE_SIZE]):
            S[i] = undo[UNDO_HEADER + i]


# -- checked, and numbered through for learners


@inlined
def is_legal(r: Hot, R: Words, S: Words, code: int) -> bool:
    """Whether a code, which may be any number, is a legal move."""
    if S[at.OVER] or code < 0:
        return code == SWAP_CODE and S[at.OVER] == 0 and may_swap(R, S) == 1
    board, own_cell, other_cell = code >> BOARD_SHIFT, (code >> OWN_SHIFT) & CELL_MASK, code & CELL_MASK
    if not S[at.LOW] <= board < S[at.LOW] + S[at.SPAN]:
        return False
    available = S[place_of_board(board) + AVAILABLE]
    if not (available >> own_cell) & 1:
        return False
    if r.marks == 1:
        return other_cell == 0
    rest = available & ~(1 << own_cell)
    return ((rest if rest else R[at.FULL]) >> other_cell) & 1 == 1


@inlined
def action_code(r: Hot, R: Words, action: int) -> int:
    """The code of an action, or -2 if there is none such. Actions number all moves through, the swap last."""
    cells = r.boards * r.size
    count = cells if r.marks == 1 else cells * r.size
    if action == count:
        return SWAP_CODE
    if action < 0 or action > count:
        return -2
    place = action if r.marks == 1 else action // r.size
    other_cell = 0 if r.marks == 1 else action % r.size
    return (place // r.size << BOARD_SHIFT) + (place % r.size << OWN_SHIFT) + other_cell


@inlined
def code_action(r: Hot, code: int, actions: int) -> int:
    """The action of a code, of so many actions in all."""
    if code == SWAP_CODE:
        return actions - 1
    place = (code >> BOARD_SHIFT) * r.size + ((code >> OWN_SHIFT) & CELL_MASK)
    return place if r.marks == 1 else place * r.size + (code & CELL_MASK)
