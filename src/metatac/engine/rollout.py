"""Games played to their ends from a state, in compiled code: at random, or with an eye on wins and blocks."""

from metatac.engine.arrays import Ints
from metatac.engine.threats import small_threats, upper_threats
from metatac.kernel import layout as at
from metatac.kernel.bits import Words, below, lowest_bit, next_random, popcount, word
from metatac.kernel.compiled import inlined, part
from metatac.kernel.core import GOES_ON, NOBODY_WINS, X_WINS, Hot, hot, lead, one_mark, plain_hot, two_marks, utility
from metatac.kernel.entries import open_game
from metatac.kernel.moves import NOT_MADE, board_moves, nth_bit, random_move, span_moves
from metatac.kernel.places import place_of_board, place_of_upper

AVAILABLE = at.AVAILABLE
SECOND_THOUGHTS = 2
"""How often a keen player reconsiders a cell that gives the opponent something."""


@inlined
def worth(R: Words, G: Words, over: int) -> int:
    """The utility of a finished game in X's view."""
    if R[at.UTILITY_POINTS]:
        return utility(R, G, over)
    if over == NOBODY_WINS:
        return 0
    return 1 if over == X_WINS else -1


@inlined
def run_on(r: Hot, R: Words, G: Words, seed: int) -> tuple[int, int]:
    """Random moves to the end: (what OVER becomes, the generator's next state)."""
    low, span, turn, bonus, over = G[at.LOW], G[at.SPAN], G[at.TURN], G[at.IN_BONUS], G[at.OVER]
    while over == GOES_ON:
        seed = next_random(seed)
        low, span, turn, bonus, over = random_move(r, R, G, low, span, turn, bonus, seed)
    return (over - NOT_MADE if over >= NOT_MADE else over), seed


@part
def run_plain(R: Words, G: Words, seed: int) -> tuple[int, int]:
    return run_on(plain_hot(R), R, G, seed)


@part
def run_any(R: Words, G: Words, seed: int) -> tuple[int, int]:
    return run_on(hot(R), R, G, seed)


@inlined
def play_randomly(R: Words, G: Words, codes: Words, seed: int) -> tuple[int, int]:
    """Play a game to its end with random moves; a swap is one of them. (What OVER becomes, the next seed.)"""
    if R[at.SWAP] and G[at.OPENING] < 2:
        open_game(R, G, codes, seed)
        seed = next_random(seed)
    return run_plain(R, G, seed) if R[at.PLAIN] else run_any(R, G, seed)


# -- keen players


@inlined
def is_owned(R: Words, G: Words, board: int) -> bool:
    """Whether an open small board has an owner already, so that lines in it mean nothing (two levels)."""
    if not R[at.STAYS_OPEN] or R[at.DEPTH] != 2:
        return False
    root = place_of_upper(R, 0)
    return ((G[root] | G[root + 1]) >> board) & 1 == 1


@inlined
def lines_here(R: Words, T: Ints, G: Words, board: int, who: int) -> int:
    """The free cells of a small board where a player's mark makes a line that counts."""
    here = place_of_board(board)
    if is_owned(R, G, board):
        return 0
    return small_threats(R, T, G[here + who]) & G[here + AVAILABLE]


@inlined
def needs_one(R: Words, G: Words, who: int) -> bool:
    """Whether one more board wins the game for who has so many."""
    enough = R[at.BOARDS_TO_WIN]
    return enough > 0 and popcount(G[place_of_upper(R, 0) + who]) + 1 >= enough


@inlined
def decides(R: Words, T: Ints, G: Words, board: int, who: int) -> bool:
    """Whether a line in that small board would end the game (one and two levels)."""
    if R[at.DEPTH] == 1:
        return R[at.LINE] != 0
    if R[at.DEPTH] == 3:
        return False
    if needs_one(R, G, who):
        return True
    return (upper_threats(R, T, G[place_of_upper(R, 0) + who]) >> board) & 1 == 1


@part
def winning_board(R: Words, T: Ints, G: Words, low: int, span: int, who: int) -> int:
    """A board among these where the player can win the game at once, or -1 (two levels)."""
    if R[at.DEPTH] != 2:
        return -1
    boards = upper_threats(R, T, G[place_of_upper(R, 0) + who]) if R[at.LINE] == 1 else 0
    if needs_one(R, G, who):
        boards = R[at.FULL]
    while boards:
        board = lowest_bit(boards)
        boards &= boards - 1
        if low <= board < low + span and lines_here(R, T, G, board, who):
            return board
    return -1


@part
def random_board(R: Words, G: Words, low: int, span: int, seed: int) -> int:
    """One of these boards, as likely as it has moves."""
    r = hot(R)
    n = below(seed, span_moves(r, R, G, low, span))
    board, here = low, board_moves(r, G[place_of_board(low) + AVAILABLE])
    while n >= here:
        n -= here
        board += 1
        here = board_moves(r, G[place_of_board(board) + AVAILABLE])
    return board


@inlined
def gives(r: Hot, R: Words, T: Ints, G: Words, turn: int, board: int, cell: int) -> bool:
    """Whether a mark sends the opponent to a board where he has a line, or free while he could win the game."""
    there = R[r.base + board] + r.send_own * cell
    if G[place_of_board(there) + AVAILABLE] == 0:
        return winning_board(R, T, G, word(0), r.boards, 1 - turn) >= 0
    lines = lines_here(R, T, G, there, 1 - turn)
    if there == board:
        lines &= ~(1 << cell)
    return lines != 0


@inlined
def keen_cell(r: Hot, R: Words, T: Ints, G: Words, turn: int, bonus: int, board: int, seed: int) -> tuple[int, int]:
    """The cell of a keen player's mark in a board, and the next seed."""
    here = place_of_board(board)
    cells, lines, misere = G[here + AVAILABLE], lines_here(R, T, G, board, turn), R[at.LINE] == 2
    seed = next_random(seed)
    if lines and not misere:
        cells = lines
        if (r.bonus and not bonus) or decides(R, T, G, board, turn):
            return nth_bit(r, R, cells, below(seed, popcount(cells))), seed
    elif lines and cells & ~lines and decides(R, T, G, board, turn):
        cells &= ~lines
    elif R[at.DEPTH] == 1 and not misere:
        blocks = lines_here(R, T, G, board, 1 - turn)
        cells = blocks if blocks else cells
    cell = nth_bit(r, R, cells, below(seed, popcount(cells)))
    if R[at.DEPTH] == 1 or r.send_span > 1 or misere:
        return cell, seed
    for _ in range(SECOND_THOUGHTS):
        if not gives(r, R, T, G, turn, board, cell):
            break
        seed = next_random(seed)
        cell = nth_bit(r, R, cells, below(seed, popcount(cells)))
    return cell, seed


@inlined
def keen_pair(r: Hot, R: Words, T: Ints, G: Words, turn: int, board: int, own_cell: int, seed: int) -> int:
    """The cell of the opponent's mark: where it makes him no line, if that can be."""
    here = place_of_board(board)
    cells = G[here + AVAILABLE] & ~(1 << own_cell)
    if cells == 0:
        cells = R[at.FULL]
    quiet = cells & ~small_threats(R, T, G[here + 1 - turn])
    if quiet:
        cells = quiet
    return nth_bit(r, R, cells, below(seed, popcount(cells)))


@part
def play_keenly(R: Words, T: Ints, G: Words, codes: Words, seed: int) -> tuple[int, int]:
    """Play a game to its end: wins are taken, the opponent's next ones avoided, all else is random.

    Returns what OVER becomes, and the next seed.
    """
    r = hot(R)
    if R[at.SWAP] and G[at.OPENING] < 2:
        open_game(R, G, codes, seed)
    low, span, turn, bonus, over = G[at.LOW], G[at.SPAN], G[at.TURN], G[at.IN_BONUS], G[at.OVER]
    while over == GOES_ON:
        if span > 1 or G[place_of_board(low) + AVAILABLE] == 0:
            if span == r.send_span:
                low, span, over = lead(r, R, G, low, span)
                if over:
                    break
            seed = next_random(seed)
            board = winning_board(R, T, G, low, span, turn)
            if board < 0:
                board = random_board(R, G, low, span, seed)
        else:
            board = low
        if r.marks == 1:
            cell, seed = keen_cell(r, R, T, G, turn, bonus, board, seed)
            low, span, turn, bonus, over = one_mark(r, R, G, turn, bonus, board, cell, False)
        else:
            cells, lines = G[place_of_board(board) + AVAILABLE], lines_here(R, T, G, board, turn)
            cells = lines if lines else cells
            seed = next_random(seed)
            cell = nth_bit(r, R, cells, below(seed, popcount(cells)))
            seed = next_random(seed)
            second = keen_pair(r, R, T, G, turn, board, cell, seed)
            low, span, turn, bonus, over = two_marks(R, G, turn, bonus, board, cell, second, word(0))
    return over, seed
