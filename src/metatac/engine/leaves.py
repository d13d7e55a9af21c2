"""The leaves of the search in compiled code: who wins at once, what a position looks like, the last move before it."""

from metatac.engine.arrays import Ints, Numbers, Shorts, ints_at, numbers_at, shorts_at, words_at
from metatac.engine.descent import descend, undo_row
from metatac.engine.evaluate import evaluate
from metatac.engine.memory import (
    INFINITE,
    LAST_WEIGHTS,
    LOOK_FOR_WINS,
    NETWORK,
    NODES,
    NUMBERS,
    NUMBERS_ROW,
    ONE,
    PLACES,
    PLAN,
    SELECTIVE,
    SUMS,
    THREATS,
    WEIGHTS,
)
from metatac.engine.network import (
    HIDDEN,
    NO_TARGET,
    TERNARY,
    expected,
    gather,
    network_outputs,
    outputs,
    send_row,
    sum_rows,
    target_row,
)
from metatac.engine.network import SIZE as NETWORK_SIZE
from metatac.engine.threats import small_threats, upper_threats
from metatac.engine.weights import SURE
from metatac.kernel import layout as at
from metatac.kernel.bits import Words, lowest_bit, moved, popcount, word
from metatac.kernel.compiled import inlined, part
from metatac.kernel.core import AVAILABLE, GOES_ON, hot, utility, wins_small
from metatac.kernel.moves import list_moves, take_back
from metatac.kernel.places import place_of_board, place_of_upper

BOARD_SHIFT, OWN_SHIFT, CELL_MASK, SWAP_CODE = at.BOARD_SHIFT, at.OWN_SHIFT, at.CELL_MASK, at.SWAP_CODE


# -- who can win at once


@inlined
def deciding_boards(R: Words, S: Words, T: Ints, who: int) -> int:
    """The small boards that a player would win the game with; what the other owns stays his, even if it is open."""
    root = place_of_upper(R, word(0))
    boards = 0
    if R[at.LINE] == 1:
        boards = upper_threats(R, T, S[root + who]) & ~S[root + 1 - who]
    if R[at.BOARDS_TO_WIN] and popcount(S[root + who]) + 1 >= R[at.BOARDS_TO_WIN]:
        boards = R[at.FULL] & ~(S[root] | S[root + 1])
        if R[at.LINE] == 2:
            boards &= ~upper_threats(R, T, S[root + who])
    return boards


@inlined
def wins_one_of(R: Words, S: Words, T: Ints, boards: int, who: int) -> bool:
    """Whether a player who may play in any of these small boards wins one of them at once."""
    while boards:
        here = place_of_board(lowest_bit(boards))
        boards &= boards - 1
        if small_threats(R, T, S[here + who]) & S[here + AVAILABLE]:
            return True
    return False


@inlined
def can_win_now(R: Words, S: Words, T: Ints) -> bool:
    """Whether the side to move wins the game at once.

    Only for two levels, one mark a move, boards that one line wins, and where nothing is better than such a win.
    """
    boards = deciding_boards(R, S, T, S[at.TURN])
    if S[at.SPAN] == 1:
        boards &= 1 << S[at.LOW]
    return wins_one_of(R, S, T, boards, S[at.TURN])


# -- values


@inlined
def rounded(estimate: float) -> int:
    """An estimate as a value."""
    estimate *= float(ONE)
    return word(estimate + 0.5) if estimate >= 0.0 else -word(0.5 - estimate)


@inlined
def later(value: int, level: int) -> int:
    """A won game is worth a trifle less, and a lost one more, the later it ends."""
    return value - level if value > 0 else value + level if value < 0 else 0


@inlined
def estimate_here(R: Words, S: Words, G: Words, level: int) -> int:
    """What a position that is not over looks like, in the view of the side to move."""
    if G[NETWORK]:
        N, scale = shorts_at(G[NETWORK]), float(R[at.WIN_UTILITY]) * SURE
        total, _ = network_outputs(R, S, N, moved(G, PLACES), shorts_at(G[SUMS]))
        return rounded(expected(total) * scale)
    E: Numbers = moved(numbers_at(G[NUMBERS]), level * G[NUMBERS_ROW])
    value = rounded(evaluate(R, S, words_at(G[PLAN]), numbers_at(G[WEIGHTS]), E))
    return value if S[at.TURN] == 0 else -value


@inlined
def final_value(R: Words, S: Words, G: Words, level: int) -> int:
    """The value of a game that is over, in the view of the side to move."""
    value = utility(R, S, S[at.OVER]) * ONE
    value = value if S[at.TURN] == 0 else -value
    return later(value, level) if G[SELECTIVE] else value


@inlined
def leaf_value(R: Words, S: Words, G: Words, level: int) -> int:
    """The value of a position that is not searched on, in the view of the side to move."""
    if S[at.OVER] != GOES_ON:
        return final_value(R, S, G, level)
    if G[LOOK_FOR_WINS] and can_win_now(R, S, ints_at(G[THREATS])):
        return later(R[at.WIN_UTILITY] * ONE, level + 1)
    return estimate_here(R, S, G, level)


# -- the last move before the leaves, where there is a network


@inlined
def quiet_outputs(
    R: Words, S: Words, G: Words, N: Shorts, T: Ints, code: int, threatened: int
) -> tuple[bool, int, int]:
    """What follows a move that decides no board, without making it, in the opponent's view: whether he wins at once,
    and if not what the network's last layer gives.

    G holds the sums of the rows before the move, in the opponent's view, and ``threatened`` the boards with which the
    opponent wins the game.
    """
    board, cell = code >> BOARD_SHIFT, (code >> OWN_SHIFT) & CELL_MASK
    other, root = 1 - S[at.TURN], place_of_upper(R, 0)
    here, there = place_of_board(board), place_of_board(cell)
    rest = S[here + AVAILABLE] & ~(1 << cell)
    open_there = rest if cell == board else S[there + AVAILABLE]
    less = more = G[PLACES + board]
    if not ((S[root] | S[root + 1]) >> board) & 1:  # an owned board that is still open stays what it is
        more += 2 * N[TERNARY + (1 << cell)] * HIDDEN
    send, target = NETWORK_SIZE, NO_TARGET
    if open_there:
        send = cell
        target = target_row(cell, more if cell == board else G[PLACES + cell])
        threatened &= 1 << cell
    if threatened:
        if (threatened >> board) & 1 and small_threats(R, T, S[here + other]) & rest:
            return True, 0, 0
        if wins_one_of(R, S, T, threatened & ~(1 << board), other):
            return True, 0, 0
    value, draw = outputs(N, shorts_at(G[SUMS]), less, more, target, send_row(send), G[LAST_WEIGHTS])
    return False, value, draw


@inlined
def quiet_leaf(R: Words, S: Words, G: Words, N: Shorts, T: Ints, code: int, threatened: int) -> int:
    """The estimate after a move that decides no board, in the mover's view; -INFINITE: it loses."""
    loses, total, _ = quiet_outputs(R, S, G, N, T, code, threatened)
    return -INFINITE if loses else -rounded(expected(total) * float(R[at.WIN_UTILITY]) * SURE)


@part
def last_moves(R: Words, S: Words, G: Words, codes: Words, beta: int, level: int) -> int:
    """The value of a position from the estimates after each of its moves, in the view of the side to move."""
    r, N, T = hot(R), shorts_at(G[NETWORK]), ints_at(G[THREATS])
    turn, other = S[at.TURN], 1 - S[at.TURN]
    G[LAST_WEIGHTS] = gather(R, S, N, other, moved(G, PLACES))
    sum_rows(N, moved(G, PLACES), shorts_at(G[SUMS]))
    threatened = deciding_boards(R, S, T, other)
    lost = -later(R[at.WIN_UTILITY] * ONE, level + 2)
    count, best, rare = list_moves(r, R, S, codes), -INFINITE, 0
    for n in range(count):
        code = codes[n]
        board, cell = code >> BOARD_SHIFT, (code >> OWN_SHIFT) & CELL_MASK
        here = place_of_board(board)
        if code == SWAP_CODE or S[here + AVAILABLE] == 1 << cell or wins_small(r, R, S[here + turn] | (1 << cell)):
            codes[rare] = code
            rare += 1
            continue
        G[NODES] += 1
        value = max(lost, quiet_leaf(R, S, G, N, T, code, threatened))
        if value > best:
            best = value
            if value >= beta:
                return best
    for n in range(rare):
        descend(R, S, G, codes[n], level)
        G[NODES] += 1
        value = leaf_value(R, S, G, level + 1)
        value = value if S[at.TURN] == turn and S[at.OVER] == GOES_ON else -value
        take_back(R, S, undo_row(G, level))
        if value > best:
            best = value
            if value >= beta:
                return best
    return best
