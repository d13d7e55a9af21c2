"""Where everything lies in the two flat arrays of the kernel: the tables of a rule set, and the state of a game.

Both are plain int64 arrays, so that one compiled function serves every rule set. Players are 0 (X) and 1 (O). Small
boards are numbered through from 0. ``Upper`` boards are 0, the board of the game, and, of three levels, 1 to size,
those between.
"""

# -- the tables: a header, then the lists that the OFFSET entries point to

SIZE = 0  # cells of a board
BOARDS = 1  # small boards
DEPTH = 2
MARKS = 3
FULL = 4  # mask of all cells of a board
LOOKUP = 5  # 1: winning masks are looked up (boards up to 4 x 4); 0: patterns are tried
WIN_OFFSET = 6  # bit table of the masks that win a small board
UPPER_WIN_OFFSET = 7  # the same for upper board 0, and in the next entry for the others
PATTERN_OFFSET = 9  # what wins a small board: how many patterns, then their masks
UPPER_PATTERN_OFFSET = 10  # the same for upper board 0, and in the next entry for the others
LINE_OFFSET = 12  # the patterns of a small board that count at the end: how many, then their masks
TALLIES = 13  # to win a small board; 0: no tallies
STAYS_OPEN = 14  # 1: a won board stays open until it is full
BAN = 15
BONUS = 16
SEND_BASE_OFFSET = (
    17  # a send begins at small board base[board moved in] + SEND_OWN * own cell + SEND_OTHER * other cell
)
SEND_OWN = 18
SEND_OTHER = 19
SEND_SPAN = 20  # small boards that a send spans
DECIDED_SEND = 21  # leads: 0 to a free move, 1 up, 2 to the end of the game
SWAP = 22
LINE = 23  # who owns a pattern of boards: 0 nothing, 1 wins, 2 loses
BOARDS_TO_WIN = 24
COUNT = 25  # at the end: 0 nothing, 1 boards, 2 lines
MOST_WINS = 26
KOMI_FLOOR = 27
KOMI_CEILING = 28
VALUE_OFFSET = 29  # of each board on the board of the game
UTILITY_POINTS = 30  # 1: the utility is the points' difference
WIN_UTILITY = 31  # of a game won by a line or by boards
KEY_OFFSET = 32  # a random number for each cell and player, for the hash
SELECT_OFFSET = 33  # for each byte, the places of its set bits, four bits each
SELECT_WHOLE = 34  # the same for each mask of a board of up to nine cells; 0: boards are larger
STATE_SIZE = 35
PLAIN = 36  # 1: one mark a move, two levels, boards up to 4 x 4, and the own cell numbers the board sent to
TABLE_HEADER = 37

# -- the state: a header, then BOARD words for each small board, then UPPER words for each upper board

TURN = 0
LOW = 1  # small boards LOW to LOW + SPAN - 1 may be played in, as far as they are open
SPAN = 2
IN_BONUS = 3
OVER = 4  # one of the four below
OPENING = 5  # 0: no move made; 1: one; 2: more. For the swap rule
HASH = 6  # of marks, tallies and owners; key() adds the rest
LEFT = 7  # cells that may be marked, over all boards
STATE_HEADER = 8

BOARD = 4
AVAILABLE = 2  # after the masks of X's and O's marks: the cells that may be marked; 0: the board is closed
TALLY = 3  # X's tallies + 16 * O's

UPPER = 4
CLOSED = 2  # after the masks of what X and O own: what takes no more marks

GOES_ON, X_WINS, O_WINS, NOBODY_WINS = 0, 1, 2, 3

# -- a move is one number: its small board, the own mark's cell, the other mark's cell

BOARD_SHIFT, OWN_SHIFT, CELL_MASK = 12, 6, 63
SWAP_CODE = -1
