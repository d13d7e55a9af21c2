"""What a search keeps, as words: its own memory ``G``, which all of its parts are handed, and the table's entries."""

ONE = 1 << 32
INFINITE = 1 << 60
PUT_OFF = -(1 << 61)
"""In place of a value: nothing was searched."""

# -- G: how the search goes; where the arrays are; killers for each level; the history

NODES, NEXT_LOOK, NODE_LIMIT, STOPPED, SELECTIVE, LEVEL_LIMIT, PROVEN, LOOK_FOR_WINS = 0, 1, 2, 3, 4, 5, 6, 7
"""PROVEN: the least value that only games that are over can give. LOOK_FOR_WINS: ``can_win_now`` may be asked."""
TABLES, STATE, PLAN, WEIGHTS, NUMBERS, UNDO, CODES, THREATS, NETWORK, TABLE = 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
SUMS = 18
"""The addresses; NETWORK is 0 where there is none."""
TABLE_MASK, GENERATION, NUMBERS_ROW, UNDO_ROW, MARGIN = 19, 20, 21, 22, 23
"""MARGIN: how much a move is taken to change an estimate, as a value."""
BUSY = 24
"""Where all threads note which positions they are searching; 0 for a thread that is alone."""
HORIZON = 25
"""1: at the last ply a game that is over is estimated like any other, as the calculator does."""
DRAW_X = 26
"""What a draw is worth to X, as a value: a best-first search may be out for more."""
DEADLINE = 27  # four words: see ``deadline``
LAST_WEIGHTS, PLACES = 31, 32
"""What ``network.gather`` tells: a word, and a word for each of its places."""
ROOT_NEXT, ROOT_SEARCHED, ROOT_WAITING = 50, 51, 52
"""How far ``search.search_roots`` has come: the next move, -1 at the end; how many were searched, how many wait."""
KILLERS = 53
LEVELS = 64
HISTORY = KILLERS + 2 * LEVELS
STILL_DEPTH = 4
"""So near to the leaves an estimate that is far off what matters is believed."""
PIECE = 1 << 18
"""Nodes after which the search comes back between two moves of the root, so that the interpreter hears of a signal."""
LOOK_EVERY = 1024
"""Nodes between two looks at whether to stop."""
SHARED_DEPTH = 4
"""From so deep on threads note what they search, and put off what another one is searching already."""

# -- the positions that are being searched: a line of the processor's cache for each slot

SLOT, SLOTS = 8, 1024

# -- the table: buckets of two entries; before the first bucket the flag that stops all threads

ENTRY = 4  # key, value, depth and bound and generation, best move; the first is mixed with a stamp of the others
BUCKET = 2 * ENTRY
NO_MOVE = -2
"""In place of a move's code."""
EXACT, AT_LEAST, AT_MOST = 1, 2, 3

# -- the moves of the root: rows of a word for each of them

ROOT_CODES, ROOT_NODES, ROOT_FOUND, NO_BETTER, BEST_FOUND, WAITING = range(6)
"""Codes; nodes that went into each; values of the last search, PUT_OFF for what it did not reach; whether such a value
only says that the move is no better than those before it; the best values, and the moves that wait, as they come."""
ROOT_ROWS = 6
