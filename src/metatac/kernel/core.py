"""The rules in compiled code: what a move does to the state of a game. Nothing here is checked.

``R`` is a rule set's tables and ``S`` a game's state (see ``layout``), ``r`` the tables' entries that every move needs.
The send, the turn and the bonus travel in local variables while many moves are made; who keeps the state stores them.
"""

from typing import NamedTuple

from metatac.kernel import layout as at
from metatac.kernel.bits import Words, lowest_bit, popcount, word
from metatac.kernel.compiled import inlined, part
from metatac.kernel.hashing import marks_key, owner_key, tally_key
from metatac.kernel.places import parent_of, place_of_board, place_of_upper, set_available

AVAILABLE, TALLY, CLOSED = at.AVAILABLE, at.TALLY, at.CLOSED
GOES_ON, X_WINS, O_WINS, NOBODY_WINS = at.GOES_ON, at.X_WINS, at.O_WINS, at.NOBODY_WINS
BOARD_WON = 4
"""Added to an event when the mover has won a small board; the rest of an event is what OVER becomes."""


class Hot(NamedTuple):
    """Entries of the tables, loaded once: the compiler cannot know that writing to a state leaves them alone."""

    plain: int
    size: int
    boards: int
    marks: int
    lookup: int
    win: int
    pattern: int
    base: int
    send_own: int
    send_other: int
    send_span: int
    decided_send: int
    bonus: int
    keys: int
    select: int
    select_whole: int


@inlined
def hot(R: Words) -> Hot:
    """What every move needs of the tables."""
    return hot_with(R, word(0), R[at.MARKS], R[at.LOOKUP], R[at.SEND_SPAN])


@inlined
def plain_hot(R: Words) -> Hot:
    """The same for rule sets that are PLAIN: what that means is constant here, so that the compiler drops the rest."""
    return hot_with(R, word(1), word(1), word(1), word(1))


@inlined
def hot_with(R: Words, plain: int, marks: int, lookup: int, send_span: int) -> Hot:
    return Hot(
        plain,
        R[at.SIZE],
        R[at.BOARDS],
        marks,
        lookup,
        R[at.WIN_OFFSET],
        R[at.PATTERN_OFFSET],
        R[at.SEND_BASE_OFFSET],
        R[at.SEND_OWN],
        R[at.SEND_OTHER],
        send_span,
        R[at.DECIDED_SEND],
        R[at.BONUS],
        R[at.KEY_OFFSET],
        R[at.SELECT_OFFSET],
        R[at.SELECT_WHOLE],
    )


@part
def try_patterns(R: Words, pattern: int, mask: int) -> int:
    """1 if a mask of cells holds one of the patterns listed at an offset, else 0."""
    for i in range(pattern + 1, pattern + 1 + R[pattern]):
        if mask & R[i] == R[i]:
            return 1
    return 0


@inlined
def holds_pattern(R: Words, lookup: int, win: int, pattern: int, mask: int) -> int:
    """1 if a mask of cells holds a pattern of the board whose tables lie at these offsets, else 0."""
    if lookup:
        return (R[win + (mask >> 6)] >> (mask & 63)) & 1
    return try_patterns(R, pattern, mask)


@inlined
def wins_small(r: Hot, R: Words, mask: int) -> int:
    """1 if a mask of marks wins a small board."""
    return holds_pattern(R, r.lookup, r.win, r.pattern, mask)


# -- what the marks made: rare enough to be calls


@part
def settle(R: Words, S: Words, turn: int, board: int, own_line: int, other_line: int, track: int) -> int:
    """Judge a small board that has a new line or is full. Returns the event."""
    here = place_of_board(board)
    if R[at.DEPTH] == 1:
        if own_line:
            return line_result(R, turn)
        return finish(R, S) if S[here + AVAILABLE] == 0 else GOES_ON
    winner = -1
    if R[at.TALLIES]:
        winner = tally(R, S, turn, board, own_line, other_line, track)
    elif own_line or other_line:
        upper, child = parent_of(R, board)
        place = place_of_upper(R, upper)
        if not ((S[place] | S[place + 1]) >> child) & 1:
            winner = turn if own_line else 1 - turn
    event = 0
    if winner >= 0:
        own(R, S, board, winner, track)
        event = BOARD_WON if winner == turn else 0
    if S[here + AVAILABLE] == 0:
        close(R, S, board)
    return event + judge(R, S)


@part
def tally(R: Words, S: Words, turn: int, board: int, own_line: int, other_line: int, track: int) -> int:
    """Give tallies, clear the board, and return who thereby wins it, or -1."""
    here = place_of_board(board)
    x, o = S[here + TALLY] & 15, S[here + TALLY] >> 4
    both = own_line == 0 and other_line == 0
    who = turn if own_line else 1 - turn
    new_x = x + 1 if both or who == 0 else x
    new_o = o + 1 if both or who == 1 else o
    if track:
        S[at.HASH] ^= tally_key(board, x, o) ^ tally_key(board, new_x, new_o) ^ marks_key(R, S, board)
    S[here + TALLY] = new_x + 16 * new_o
    S[here] = 0
    S[here + 1] = 0
    set_available(S, board, R[at.FULL])
    mine = new_x if turn == 0 else new_o
    theirs = new_o if turn == 0 else new_x
    if mine >= R[at.TALLIES]:
        return turn
    return 1 - turn if theirs >= R[at.TALLIES] else -1


@inlined
def own(R: Words, S: Words, board: int, who: int, track: int) -> None:
    """Give a small board to a player, and with it the board around it that it may win."""
    upper, child = parent_of(R, board)
    place, root = place_of_upper(R, upper), place_of_upper(R, 0)
    S[place + who] |= 1 << child
    if track:
        S[at.HASH] ^= owner_key(upper, child, who)
    if not R[at.STAYS_OPEN]:
        set_available(S, board, 0)
    if upper == 0 or ((S[root] | S[root + 1]) >> (upper - 1)) & 1:
        return
    win, pattern = R[at.UPPER_WIN_OFFSET + 1], R[at.UPPER_PATTERN_OFFSET + 1]
    if not holds_pattern(R, R[at.LOOKUP], win, pattern, S[place + who]):
        return
    S[root + who] |= 1 << (upper - 1)
    if track:
        S[at.HASH] ^= owner_key(0, upper - 1, who)
    if not R[at.STAYS_OPEN]:
        first = (upper - 1) * R[at.SIZE]
        for inner in range(first, first + R[at.SIZE]):
            set_available(S, inner, 0)
        S[place + CLOSED] = R[at.FULL]


@inlined
def close(R: Words, S: Words, board: int) -> None:
    """Note that a small board takes no more marks, and what follows: bigger boards closed, squares banned."""
    upper, child = parent_of(R, board)
    place, root = place_of_upper(R, upper), place_of_upper(R, 0)
    S[place + CLOSED] |= 1 << child
    if upper > 0:
        if S[place + CLOSED] == R[at.FULL]:
            S[root + CLOSED] |= 1 << (upper - 1)
        return
    pending = 1 << board if R[at.BAN] else 0
    while pending:
        number = lowest_bit(pending)
        pending &= pending - 1
        for other in range(R[at.BOARDS]):
            available = S[place_of_board(other) + AVAILABLE]
            if other != number and (available >> number) & 1:
                set_available(S, other, available & ~(1 << number))
                if available == 1 << number:
                    S[root + CLOSED] |= 1 << other
                    pending |= 1 << other


# -- the end


@inlined
def line_result(R: Words, who: int) -> int:
    """What OVER becomes when a player has a pattern on the board of the game."""
    if R[at.LINE] == 0:
        return GOES_ON
    return X_WINS + (who if R[at.LINE] == 1 else 1 - who)


@inlined
def judge(R: Words, S: Words) -> int:
    """What OVER becomes after a small board was settled, the send not yet looked at."""
    root = place_of_upper(R, 0)
    if R[at.LINE]:
        win, pattern = R[at.UPPER_WIN_OFFSET], R[at.UPPER_PATTERN_OFFSET]
        for who in range(2):
            if holds_pattern(R, R[at.LOOKUP], win, pattern, S[root + who]):
                return line_result(R, who)
    if R[at.BOARDS_TO_WIN]:
        for who in range(2):
            if popcount(S[root + who]) >= R[at.BOARDS_TO_WIN]:
                return X_WINS + who
    return finish(R, S) if S[root + CLOSED] == R[at.FULL] else GOES_ON


@part
def finish(R: Words, S: Words) -> int:
    """What OVER becomes when no move is left and nothing was won before."""
    if not R[at.MOST_WINS]:
        return NOBODY_WINS
    lead = counted(R, S, word(0)) - counted(R, S, word(1))
    if lead > R[at.KOMI_FLOOR]:
        return X_WINS
    return O_WINS if lead < R[at.KOMI_CEILING] else NOBODY_WINS


@part
def counted(R: Words, S: Words, who: int) -> int:
    """A player's boards, by their values, or lines: whichever the game counts."""
    total = 0
    if R[at.COUNT] == 1:
        mask = S[place_of_upper(R, 0) + who]
        while mask:
            total += R[R[at.VALUE_OFFSET] + lowest_bit(mask)]
            mask &= mask - 1
    elif R[at.COUNT] == 2:
        first = R[at.LINE_OFFSET]
        for board in range(R[at.BOARDS]):
            mask = S[place_of_board(board) + who]
            for i in range(first + 1, first + 1 + R[first]):
                if mask & R[i] == R[i]:
                    total += 1
    return total


@part
def utility(R: Words, S: Words, over: int) -> int:
    """The rule set's integer utility of a finished game, in X's view."""
    if R[at.UTILITY_POINTS] and not won_early(R, S):
        return counted(R, S, word(0)) - counted(R, S, word(1))
    if over == NOBODY_WINS:
        return 0
    return R[at.WIN_UTILITY] if over == X_WINS else -R[at.WIN_UTILITY]


@part
def won_early(R: Words, S: Words) -> bool:
    """Whether a finished game was won by a line or by boards: not counted out."""
    place = place_of_board(0) if R[at.DEPTH] == 1 else place_of_upper(R, 0)
    for who in range(2):
        mask = S[place + who]
        if R[at.LINE] and holds_pattern(R, R[at.LOOKUP], R[at.UPPER_WIN_OFFSET], R[at.UPPER_PATTERN_OFFSET], mask):
            return True
        if R[at.BOARDS_TO_WIN] and popcount(mask) >= R[at.BOARDS_TO_WIN]:
            return True
    return False


# -- a move


@part
def is_span_open(S: Words, low: int, span: int) -> bool:
    """Whether any of these small boards takes marks."""
    for board in range(low, low + span):
        if S[place_of_board(board) + AVAILABLE]:
            return True
    return False


@part
def lead_on(R: Words, S: Words, low: int) -> tuple[int, int, int]:
    """(low, span, over) where the board sent to is decided and that does not simply make the move free."""
    if R[at.DECIDED_SEND] == 2:
        return low, R[at.SEND_SPAN], finish(R, S)
    around = low // R[at.SIZE] * R[at.SIZE]
    if is_span_open(S, around, R[at.SIZE]):
        return around, R[at.SIZE], GOES_ON
    return 0, R[at.BOARDS], GOES_ON


@inlined
def lead(r: Hot, R: Words, S: Words, low: int, span: int) -> tuple[int, int, int]:
    """(low, span, over): where a send leads, and whether that ends the game."""
    if S[place_of_board(low) + AVAILABLE] or (span > 1 and is_span_open(S, low, span)):
        return low, span, GOES_ON
    if r.decided_send:
        return lead_on(R, S, low)
    return 0, r.boards, GOES_ON


@inlined
def pass_on(
    r: Hot, R: Words, turn: int, bonus: int, board: int, own_cell: int, other_cell: int, event: int
) -> tuple[int, int, int, int, int]:
    """(low, span, turn, bonus, over) after a move; the send is what the move names, wherever it leads."""
    if event & 3:
        return 0, r.boards, 1 - turn, 0, event & 3
    low = own_cell if r.plain else R[r.base + board] + r.send_own * own_cell + r.send_other * other_cell
    if event and r.bonus and not bonus:
        return low, r.send_span, turn, 1, GOES_ON
    return low, r.send_span, 1 - turn, 0, GOES_ON


@inlined
def put(r: Hot, R: Words, S: Words, board: int, cell: int, who: int, track: int) -> None:
    """Place a mark."""
    here = place_of_board(board)
    S[here + who] |= 1 << cell
    S[here + AVAILABLE] &= ~(1 << cell)
    S[at.LEFT] -= 1
    if track:
        S[at.HASH] ^= R[r.keys + 2 * (board * r.size + cell) + who]


@inlined
def one_mark(
    r: Hot, R: Words, S: Words, turn: int, bonus: int, board: int, cell: int, track: bool
) -> tuple[int, int, int, int, int]:
    """Make a move of one mark. Returns what ``pass_on`` does."""
    here = place_of_board(board)
    mask = S[here + turn] | (1 << cell)
    available = S[here + AVAILABLE] & ~(1 << cell)
    put(r, R, S, board, cell, turn, track)
    line = wins_small(r, R, mask)
    event = 0
    if line or available == 0:
        event = settle(R, S, turn, board, line, word(0), word(track))
    return pass_on(r, R, turn, bonus, board, cell, 0, event)


@part
def two_marks(
    R: Words, S: Words, turn: int, bonus: int, board: int, own_cell: int, other_cell: int, track: int
) -> tuple[int, int, int, int, int]:
    """Make a move of two marks. Returns what ``pass_on`` does."""
    r, here, event = hot(R), place_of_board(board), 0
    put(r, R, S, board, own_cell, turn, track)
    if S[here + AVAILABLE] == 0:  # it was the last empty cell: judged before the second mark
        event = settle(R, S, turn, board, wins_small(r, R, S[here + turn]), word(0), track)
        if S[here + AVAILABLE]:
            put(r, R, S, board, other_cell, 1 - turn, track)
    else:
        put(r, R, S, board, other_cell, 1 - turn, track)
        own_line, other_line = wins_small(r, R, S[here + turn]), wins_small(r, R, S[here + 1 - turn])
        if own_line or other_line or S[here + AVAILABLE] == 0:
            event = settle(R, S, turn, board, own_line, other_line, track)
    return pass_on(r, R, turn, bonus, board, own_cell, other_cell, event)
