"""The evaluation in compiled code: how good a position looks, in X's view, in units of the rule set's utility.

Where lines are counted (``sudoku``) it is the sum over all open lines of what their marks are worth. Elsewhere every
small board gets a chance for X and one for O from its open lines, the boards around them from the chances of theirs,
and so on up to the board of the game. ``E`` keeps what was worked out: a total (of counted lines), then two numbers for
each small board and each upper board. A move changes those of one board, and of the one around it.
"""

from metatac.engine import weights as of
from metatac.engine.arrays import Numbers
from metatac.kernel import layout as at
from metatac.kernel.bits import Words, popcount, word
from metatac.kernel.compiled import inlined, part
from metatac.kernel.places import parent_of, place_of_board, place_of_upper

AVAILABLE, TALLY, CLOSED = at.AVAILABLE, at.TALLY, at.CLOSED
MODE, UPPER_LINES, CHANCES = of.MODE, of.UPPER_LINES, of.CHANCES
LINE_CHANCE, LINE_VALUE, BOARD_VALUE, FREE_MOVE = of.LINE_CHANCE, of.LINE_VALUE, of.BOARD_VALUE, of.FREE_MOVE
BOARD_SHARE, SCALE, LINE_SHARE, SURE, KOMI = of.BOARD_SHARE, of.SCALE, of.LINE_SHARE, of.SURE, of.KOMI
TOTAL, FIRST = 0, 2
"""In E: the total of counted lines; where the first small board's two numbers are."""


@inlined
def place_of_chances(board: int) -> int:
    """Where a small board's two numbers are in E."""
    return FIRST + 2 * board


@inlined
def place_of_upper_chances(R: Words, upper: int) -> int:
    """Where an upper board's two numbers are in E."""
    return FIRST + 2 * (R[at.BOARDS] + upper)


@part
def refresh(R: Words, S: Words, K: Words, W: Numbers, E: Numbers, board: int) -> None:
    """Work out anew what E holds of a small board and of the board around it."""
    place = place_of_chances(board)
    if K[MODE] != CHANCES:
        before = E[place]
        E[place] = line_sum(R, S, W, board)
        E[TOTAL] += E[place] - before
        return
    if R[at.DEPTH] == 1:
        small_chances(R, S, W, E, board)
        return
    upper, child = parent_of(R, board)
    around = place_of_upper(R, upper)
    if (S[around] >> child) & 1 or (S[around + 1] >> child) & 1:
        E[place], E[place + 1] = float((S[around] >> child) & 1), float((S[around + 1] >> child) & 1)
    elif S[place_of_board(board) + AVAILABLE] == 0:
        E[place], E[place + 1] = 0.0, 0.0
    else:
        small_chances(R, S, W, E, board)
    if upper > 0:
        upper_chances(R, S, K, E, upper)


@part
def line_sum(R: Words, S: Words, W: Numbers, board: int) -> float:
    """X's open lines in a small board, each by its marks, minus O's."""
    here = place_of_board(board)
    x, o = S[here], S[here + 1]
    dead = R[at.FULL] & ~(x | o | S[here + AVAILABLE])
    total, first = 0.0, R[at.LINE_OFFSET]
    for i in range(first + 1, first + 1 + R[first]):
        line = R[i]
        if line & dead:
            continue
        if not line & o:
            total += W[LINE_VALUE + popcount(line & x)]
        if not line & x:
            total -= W[LINE_VALUE + popcount(line & o)]
    return total


@part
def small_chances(R: Words, S: Words, W: Numbers, E: Numbers, board: int) -> None:
    """The chances to win an open small board, from its open lines and tallies."""
    here, place = place_of_board(board), place_of_chances(board)
    x, o = S[here], S[here + 1]
    dead = R[at.FULL] & ~(x | o | S[here + AVAILABLE])
    no_x, no_o, first = 1.0, 1.0, R[at.LINE_OFFSET]
    for i in range(first + 1, first + 1 + R[first]):
        line = R[i]
        if line & dead:
            continue
        length = popcount(line)
        if not line & o:
            no_x *= 1.0 - W[LINE_CHANCE + length - popcount(line & x)]
        if not line & x:
            no_o *= 1.0 - W[LINE_CHANCE + length - popcount(line & o)]
    chance_x, chance_o = 1.0 - no_x, 1.0 - no_o
    if R[at.TALLIES]:
        need_x = R[at.TALLIES] - (S[here + TALLY] & 15) - 0.5 * chance_x
        need_o = R[at.TALLIES] - (S[here + TALLY] >> 4) - 0.5 * chance_o
        chance_x = need_o * need_o / (need_x * need_x + need_o * need_o)
        chance_o = 1.0 - chance_x
    E[place], E[place + 1] = chance_x * (1.0 - 0.5 * chance_o), chance_o * (1.0 - 0.5 * chance_x)


@part
def upper_chances(R: Words, S: Words, K: Words, E: Numbers, upper: int) -> None:
    """The chances to win a board of boards that is not the game's."""
    place, root = place_of_upper_chances(R, upper), place_of_upper(R, word(0))
    child = upper - 1
    if (S[root] >> child) & 1 or (S[root + 1] >> child) & 1:
        E[place], E[place + 1] = float((S[root] >> child) & 1), float((S[root + 1] >> child) & 1)
        return
    if (S[root + CLOSED] >> child) & 1:
        E[place], E[place + 1] = 0.0, 0.0
        return
    chance_x, chance_o = lines_of_boards(K, E, K[UPPER_LINES + 1], place_of_chances(child * R[at.SIZE]))
    E[place], E[place + 1] = chance_x * (1.0 - 0.5 * chance_o), chance_o * (1.0 - 0.5 * chance_x)


@inlined
def lines_of_boards(K: Words, E: Numbers, first: int, children: int) -> tuple[float, float]:
    """The chances of X and of O to own a line of boards whose own chances lie from ``children`` on."""
    no_x, no_o, i = 1.0, 1.0, first + 1
    for _ in range(K[first]):
        all_x, all_o, length = 1.0, 1.0, K[i]
        for j in range(i + 1, i + 1 + length):
            cell = children + 2 * K[j]
            all_x *= E[cell]
            all_o *= E[cell + 1]
        no_x *= 1.0 - all_x
        no_o *= 1.0 - all_o
        i += 1 + length
    return 1.0 - no_x, 1.0 - no_o


@inlined
def evaluate(R: Words, S: Words, K: Words, W: Numbers, E: Numbers) -> float:
    """How good a position that is not over looks, in X's view, in units of utility."""
    if K[MODE] != CHANCES:
        lead, most = E[TOTAL] - W[KOMI], SURE * W[SCALE]
        return min(most, max(-most, lead)) if R[at.UTILITY_POINTS] else most * lead / (1.0 + abs(lead))
    mover = 1.0 if S[at.TURN] == 0 else -1.0
    if R[at.DEPTH] == 1:
        return (E[FIRST] - E[FIRST + 1] + mover * W[FREE_MOVE]) * W[SCALE] * SURE
    children = place_of_chances(0) if R[at.DEPTH] == 2 else place_of_upper_chances(R, 1)
    value = 0.0
    if W[LINE_SHARE] != 0.0:
        chance_x, chance_o = lines_of_boards(K, E, K[UPPER_LINES], children)
        value = W[LINE_SHARE] * (chance_x - chance_o)
    if W[BOARD_SHARE] != 0.0:
        boards = -W[KOMI]
        for child in range(R[at.SIZE]):
            boards += W[BOARD_VALUE + child] * (E[children + 2 * child] - E[children + 2 * child + 1])
        value += W[BOARD_SHARE] * boards
    if S[at.SPAN] == R[at.BOARDS]:
        value += mover * W[FREE_MOVE]
    value = min(1.0, max(-1.0, value))
    return value * W[SCALE] * SURE


@part
def refresh_all(R: Words, S: Words, K: Words, W: Numbers, E: Numbers) -> None:
    """Work out everything that E holds."""
    E[TOTAL] = 0.0
    for board in range(R[at.BOARDS]):
        E[place_of_chances(board)] = 0.0
    for board in range(R[at.BOARDS]):
        refresh(R, S, K, W, E, board)
