"""What the end of a game can still come to, in compiled code: sound bounds of its utility, read off a state."""

from metatac.kernel import layout as at
from metatac.kernel.bits import Words, lowest_bit, popcount, word
from metatac.kernel.compiled import inlined, part
from metatac.kernel.core import counted, holds_pattern
from metatac.kernel.places import place_of_board, place_of_upper

AVAILABLE, TALLY = at.AVAILABLE, at.TALLY


@inlined
def may_win_small(R: Words, S: Words, board: int, who: int, available: int) -> int:
    """1 if a player may still win a small board that nobody owns, in the cells that may be marked."""
    if available == 0:
        return 0
    if R[at.TALLIES]:
        return 1
    own = S[place_of_board(board) + who]
    return holds_pattern(R, R[at.LOOKUP], R[at.WIN_OFFSET], R[at.PATTERN_OFFSET], own | available)


@inlined
def owned_or_may_win(R: Words, S: Words, board: int, who: int, available: int) -> int:
    """1 if a player owns a small board of a game of two levels, or may still in the cells that may be marked."""
    owned = (S[place_of_upper(R, 0) + who] >> board) & 1
    return owned | may_win_small(R, S, board, who, available)


@inlined
def may_own_within(R: Words, S: Words, upper: int, first: int, who: int) -> int:
    """The small boards in an upper board, the first of which is given, that a player owns or may still own."""
    place = place_of_upper(R, upper)
    reach, free = S[place + who], R[at.FULL] & ~(S[place] | S[place + 1])
    while free:
        child = lowest_bit(free)
        free &= free - 1
        available = S[place_of_board(first + child) + AVAILABLE]
        reach |= may_win_small(R, S, first + child, who, available) << child
    return reach


@part
def reachable(R: Words, S: Words, who: int) -> int:
    """What a player owns or may still own on the board of the game, as a mask."""
    if R[at.DEPTH] == 1:
        return S[place_of_board(0) + who] | S[place_of_board(0) + AVAILABLE]
    if R[at.DEPTH] == 2:
        return may_own_within(R, S, 0, 0, who)
    root, size = place_of_upper(R, 0), R[at.SIZE]
    reach, free = S[root + who], R[at.FULL] & ~(S[root] | S[root + 1])
    win, pattern = R[at.UPPER_WIN_OFFSET + 1], R[at.UPPER_PATTERN_OFFSET + 1]
    while free:
        child = lowest_bit(free)
        free &= free - 1
        inner = may_own_within(R, S, 1 + child, child * size, who)
        reach |= holds_pattern(R, R[at.LOOKUP], win, pattern, inner) << child
    return reach


@part
def most_counted(R: Words, S: Words, who: int, reach: int) -> int:
    """The most that can be counted for a player at the end: see ``core.counted``."""
    total = 0
    if R[at.COUNT] == 1:
        while reach:
            total += R[R[at.VALUE_OFFSET] + lowest_bit(reach)]
            reach &= reach - 1
    elif R[at.COUNT] == 2:
        first = R[at.LINE_OFFSET]
        for board in range(R[at.BOARDS]):
            here = place_of_board(board)
            mask = S[here + who] | S[here + AVAILABLE]
            for i in range(first + 1, first + 1 + R[first]):
                if mask & R[i] == R[i]:
                    total += 1
    return total


@inlined
def may_end_early(R: Words, owner_reach: int, other_reach: int) -> bool:
    """Whether a player may still win by a line or by boards, from what he and the other may own."""
    if R[at.LINE]:
        mask = owner_reach if R[at.LINE] == 1 else other_reach
        if holds_pattern(R, R[at.LOOKUP], R[at.UPPER_WIN_OFFSET], R[at.UPPER_PATTERN_OFFSET], mask):
            return True
    return R[at.BOARDS_TO_WIN] > 0 and popcount(owner_reach) >= R[at.BOARDS_TO_WIN]


@inlined
def worth(R: Words, lead: int) -> int:
    """The utility, in X's view, of a game that is counted out with X so far ahead."""
    if R[at.UTILITY_POINTS]:
        return lead
    if not R[at.MOST_WINS]:
        return 0
    return 1 if lead > R[at.KOMI_FLOOR] else -1 if lead < R[at.KOMI_CEILING] else 0


@part
def bounds_within(R: Words, S: Words, x: int, o: int) -> tuple[int, int]:
    """(least, most) that the utility can become, in X's view, where this is what X and O may still own."""
    low, high, win = 0, 0, R[at.WIN_UTILITY]
    if R[at.COUNT]:
        low = worth(R, counted(R, S, word(0)) - most_counted(R, S, word(1), o))
        high = worth(R, most_counted(R, S, word(0), x) - counted(R, S, word(1)))
    if may_end_early(R, x, o):
        low, high = min(low, win), max(high, win)
    if may_end_early(R, o, x):
        low, high = min(low, -win), max(high, -win)
    return low, high


@part
def static_bounds(R: Words, S: Words) -> tuple[int, int]:
    """(least, most) that the utility can become, in X's view, from a state that is not over."""
    if R[at.SWAP] and S[at.OPENING] < 2:
        return widest_bounds(R)
    return bounds_within(R, S, reachable(R, S, word(0)), reachable(R, S, word(1)))


@part
def widest_bounds(R: Words) -> tuple[int, int]:
    """(least, most) that any game of the rule set can come to, in X's view."""
    most = R[at.WIN_UTILITY]
    if R[at.UTILITY_POINTS]:
        total = 0
        if R[at.COUNT] == 1:
            for i in range(R[at.SIZE]):
                total += R[R[at.VALUE_OFFSET] + i]
        else:
            total = R[at.BOARDS] * R[R[at.LINE_OFFSET]]
        most = max(most, total)
    return -most, most


@inlined
def ends_by_owning(R: Words, S: Words, board: int, who: int) -> bool:
    """Whether a player wins the game at once by winning a small board that nobody owns (no line may lose)."""
    mask, size = 1 << board, R[at.SIZE]
    root = place_of_upper(R, 0)
    if R[at.DEPTH] == 3:
        inner, child = place_of_upper(R, 1 + board // size), board % size
        if ((S[inner] | S[inner + 1]) >> child) & 1 or ((S[root] | S[root + 1]) >> (board // size)) & 1:
            return False
        win, pattern = R[at.UPPER_WIN_OFFSET + 1], R[at.UPPER_PATTERN_OFFSET + 1]
        if not holds_pattern(R, R[at.LOOKUP], win, pattern, S[inner + who] | (1 << child)):
            return False
        mask = 1 << (board // size)
    elif ((S[root] | S[root + 1]) >> board) & 1:
        return False
    mask |= S[root + who]
    win, pattern = R[at.UPPER_WIN_OFFSET], R[at.UPPER_PATTERN_OFFSET]
    if R[at.LINE] and holds_pattern(R, R[at.LOOKUP], win, pattern, mask):
        return True
    return R[at.BOARDS_TO_WIN] > 0 and popcount(mask) >= R[at.BOARDS_TO_WIN]


@inlined
def wins_small_now(R: Words, S: Words, board: int, who: int, blanks: int) -> bool:
    """Whether a mark of a player in one of these cells of a small board wins it at once."""
    here = place_of_board(board)
    if R[at.TALLIES]:
        tallies = S[here + TALLY]
        if (tallies >> 4 if who else tallies & 15) + 1 < R[at.TALLIES]:
            return False
    own = S[here + who]
    while blanks:
        bit = blanks & -blanks
        blanks ^= bit
        if holds_pattern(R, R[at.LOOKUP], R[at.WIN_OFFSET], R[at.PATTERN_OFFSET], own | bit):
            return True
    return False


@inlined
def owning_may_win(R: Words) -> bool:
    """Whether the rules let a board win the game for its owner whatever else it does: where a line loses it may not."""
    won: bool = R[at.LINE] == 1 or (R[at.LINE] == 0 and R[at.BOARDS_TO_WIN] > 0)
    return won


@inlined
def wins_at_once(R: Words, S: Words) -> bool:
    """Whether the player to move can win the game, by a line or by boards, with this very move."""
    if not owning_may_win(R):
        return False
    who = S[at.TURN]
    if R[at.DEPTH] == 1:
        return wins_small_now(R, S, word(0), who, S[place_of_board(0) + AVAILABLE])
    for board in range(S[at.LOW], S[at.LOW] + S[at.SPAN]):
        blanks = S[place_of_board(board) + AVAILABLE]
        if blanks and ends_by_owning(R, S, board, who) and wins_small_now(R, S, board, who, blanks):
            return True
    return False


@part
def plies_to_clear(R: Words, S: Words) -> int:
    """How many more plies there can be because tallied boards are cleared."""
    plies = 0
    for board in range(R[at.BOARDS]):
        here = place_of_board(board)
        if S[here + AVAILABLE]:
            given = (S[here + TALLY] & 15) + (S[here + TALLY] >> 4)
            plies += R[at.SIZE] * (2 * R[at.TALLIES] - 2 - given)
    return plies


@inlined
def plies_left(R: Words, S: Words) -> int:
    """No game goes on for more plies from a state: each places a mark, and a tallied board is cleared only so often."""
    plies = S[at.LEFT]
    if R[at.TALLIES]:
        plies += plies_to_clear(R, S)
    return plies + 1 if R[at.SWAP] and S[at.OPENING] < 2 else plies
