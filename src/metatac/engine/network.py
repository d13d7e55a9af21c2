"""The learned evaluation in compiled code: one hidden layer over whole small boards, in whole numbers.

Only for games of two levels and 3 x 3 boards. Each small board is in one of STATES states, its marks or who owns it,
and plays one of ROLES roles: whether it would complete a line of boards, and for whom. ``N`` holds a row of HIDDEN
numbers for every board in every role and state, for the role and state of the board that must be played in, for every
send, for every state of every line of boards, and for how many boards each player owns. The rows of a position are
summed, clipped, squared, and weighed by weights for its number of decided boards. All in the view of the side to move.
Whole numbers give the same value on every machine.
"""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types as numba_types
from numba.extending import intrinsic

from metatac.engine.arrays import Shorts
from metatac.kernel import layout as at
from metatac.kernel.bits import Words, popcount
from metatac.kernel.compiled import inlined
from metatac.kernel.places import place_of_board, place_of_upper

types: Any = numba_types
_intrinsic: Any = intrinsic

SIZE = 9
HIDDEN = 64
OWN, OTHER, NOBODY, NONE = 19683, 19684, 19685, 19686
"""The states of a board that is decided, after those of its marks; and of no board, where the move is free."""
STATES = NONE + 1
ROLES = 5
"""0: no line of boards through it is left to anybody, or it is decided; 1: one is; 2, 3, 4: it would complete one for
who is to move, for the other, for both."""
LINES, LINE_STATES = 8, 64

# -- N: everything small first, then the rows

DRAWS, BUCKET = HIDDEN, 2 * HIDDEN
"""First the last weights, a bucket for each number of decided boards: HIDDEN for the expected utility, and HIDDEN for
the chance of a draw (all 0 where that was not learned)."""
TERNARY = BUCKET * (SIZE + 1)
"""For each mask of marks, the sum of the powers of three of its cells."""
COMPLETING = TERNARY + 512
"""For each mask of boards that a player owns, those that complete a line for him."""
LIVE = COMPLETING + 512
"""For each mask of boards that a player will never own, those that lie on a line without any of them."""
PICKED = LIVE + 512
"""For each mask of boards, its three bits of each of the first four lines; then of the others."""
SENDS = PICKED + 2 * 512
UPPER = SENDS + (SIZE + 1) * HIDDEN
"""For each line of boards a row for each of its states: the bits of what is the own one's or nobody's, and those of
what is the other's or nobody's."""
COUNTS = UPPER + LINES * LINE_STATES * HIDDEN
"""For how many boards the own one has, a row for each number of the other's."""
BLOCKS = COUNTS + (SIZE + 1) ** 2 * HIDDEN
"""For each role, a block of rows for each board and one for the board that must be played in. Evaluations that know no
roles have those of role 0 alone, and nothing in COMPLETING and LIVE."""
BLOCK = STATES * HIDDEN
TARGET = SIZE
ROLE = (SIZE + 1) * BLOCK
CLIP, FACTOR = 768, 256
"""A hidden value of 1, and a last weight of 1, in N: as fine as sums of so many rows in 16 bits allow."""
SHIFT = 6
"""Bits that a square loses, so that all of them, weighed, have room in 32."""
UNIT = (CLIP * CLIP >> SHIFT) * FACTOR

PLACES = SIZE + LINES + 1
"""The rows that do not depend on the send: of boards, lines and counts."""

_SHORT, _INT, _WORD = ir.IntType(16), ir.IntType(32), ir.IntType(64)
_ROW, _WIDE = ir.VectorType(_SHORT, HIDDEN), ir.VectorType(_INT, HIDDEN)


def _row(builder: Any, shorts: Any, place: Any) -> Any:
    """The row of shorts from a place on, as a vector."""
    address = builder.gep(shorts, [place], source_etype=_SHORT)
    return builder.load(builder.bitcast(address, _ROW.as_pointer()), align=2)


def _sum_rows(typing_context: Any, shorts: Any, places: Any, sums: Any) -> Any:
    """Write the sum of the rows at PLACES places to ``sums``."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        rows, where, out = arguments
        total = None
        for number in range(PLACES):
            word = builder.gep(where, [ir.Constant(_WORD, number)], source_etype=_WORD)
            row = _row(builder, rows, builder.load(word))
            total = row if total is None else builder.add(total, row)
        builder.store(total, builder.bitcast(out, _ROW.as_pointer()), align=2)
        return context.get_dummy_value()

    return types.void(shorts, places, sums), generate


def _outputs(
    typing_context: Any, shorts: Any, sums: Any, less: Any, more: Any, third: Any, fourth: Any, bucket: Any
) -> Any:
    """What the last layer makes of sums, less one row, plus three: by the two rows of weights of a bucket."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        rows, base, minus, *plus, last = arguments
        total = builder.sub(builder.load(builder.bitcast(base, _ROW.as_pointer()), align=2), _row(builder, rows, minus))
        for place in plus:
            total = builder.add(total, _row(builder, rows, place))
        zero = ir.Constant(_ROW, [0] * HIDDEN)
        clip = ir.Constant(_ROW, [CLIP] * HIDDEN)
        total = builder.select(builder.icmp_signed(">", total, zero), total, zero)
        total = builder.select(builder.icmp_signed("<", total, clip), total, clip)
        wide = builder.sext(total, _WIDE)
        squares = builder.lshr(builder.mul(wide, wide), ir.Constant(_WIDE, [SHIFT] * HIDDEN))
        name = f"llvm.vector.reduce.add.v{HIDDEN}i32"
        reduce = builder.module.globals.get(name) or ir.Function(
            builder.module, ir.FunctionType(_INT, [_WIDE]), name=name
        )
        both = []
        for place in (0, DRAWS):
            weights = builder.sext(_row(builder, rows, builder.add(last, ir.Constant(_WORD, place))), _WIDE)
            total = builder.call(reduce, [builder.mul(squares, weights)])
            both.append(builder.sext(total, _WORD))
        return context.make_tuple(builder, signature.return_type, both)

    word = types.int64
    return types.UniTuple(word, 2)(shorts, sums, word, word, word, word, word), generate


sum_rows: Callable[[Shorts, Words, Shorts], None] = _intrinsic(_sum_rows)
outputs: Callable[[Shorts, Shorts, int, int, int, int, int], tuple[int, int]] = _intrinsic(_outputs)


@inlined
def gather(R: Words, S: Words, N: Shorts, who: int, places: Words) -> int:
    """Write where the rows that do not depend on the send are in N, in a player's view; returns where the last weights
    are."""
    root = place_of_upper(R, 0)
    own, other = S[root + who], S[root + 1 - who]
    nobody = S[root + at.CLOSED] & ~(own | other)
    decided = own | other | nobody
    live = (N[LIVE + (other | nobody)] | N[LIVE + (own | nobody)]) & ~decided
    completing, other_completing = N[COMPLETING + own] & ~decided, N[COMPLETING + other] & ~decided
    for board in range(SIZE):
        here = place_of_board(board)
        state = N[TERNARY + S[here + who]] + 2 * N[TERNARY + S[here + 1 - who]]
        if (decided >> board) & 1:
            state = OWN if (own >> board) & 1 else OTHER if (other >> board) & 1 else NOBODY
        role = ((live >> board) & 1) + ((completing >> board) & 1) + 2 * ((other_completing >> board) & 1)
        places[board] = BLOCKS + board * BLOCK + role * ROLE + state * HIDDEN
    for half in range(2):
        low, high = N[PICKED + 512 * half + (own | nobody)], N[PICKED + 512 * half + (other | nobody)]
        for n in range(LINES // 2):
            line = LINES // 2 * half + n
            state = ((low >> 3 * n) & 7) + 8 * ((high >> 3 * n) & 7)
            places[SIZE + line] = UPPER + (line * LINE_STATES + state) * HIDDEN
    places[SIZE + LINES] = COUNTS + ((SIZE + 1) * popcount(own) + popcount(other)) * HIDDEN
    return BUCKET * popcount(decided)


@inlined
def send_row(send: int) -> int:
    """Where the row of a send is in N: SIZE if the move is free."""
    return SENDS + send * HIDDEN


@inlined
def target_row(board: int, place: int) -> int:
    """Where the row for the board that must be played in is in N, from the board's number and the place of its row."""
    return place + (TARGET - board) * BLOCK


NO_TARGET = BLOCKS + TARGET * BLOCK + NONE * HIDDEN
"""Where that row is if the move is free."""


@inlined
def expected(total: int) -> float:
    """The expected utility, of a won game's, from what the last layer gave."""
    z = float(total) / UNIT
    return z / (1.0 + abs(z))


@inlined
def chance_of_draw(total: int, value: float) -> float:
    """The chance of a draw, from what the last layer gave for it and from the expected utility."""
    return max(0.0, min(float(total) / UNIT, 1.0 - abs(value)))


@inlined
def network_outputs(R: Words, S: Words, N: Shorts, places: Words, sums: Shorts) -> tuple[int, int]:
    """What the last layer gives for a position, in the view of the side to move."""
    last = gather(R, S, N, S[at.TURN], places)
    sum_rows(N, places, sums)
    send, target = SIZE, NO_TARGET
    if S[at.SPAN] == 1:
        send = S[at.LOW]
        target = target_row(send, places[send])
    return outputs(N, sums, places[0], places[0], target, send_row(send), last)
