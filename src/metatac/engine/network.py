"""The learned evaluation in compiled code: one hidden layer over whole small boards, in whole numbers.

Only for games of two levels and 3 x 3 boards. Each small board is in one of STATES states: its marks, or who owns it.
``N`` holds a row of HIDDEN numbers for every board in every state, for every state of the board that must be played
in, and for every send; the rows of a position are summed, clipped, squared and weighed. All in the view of the side to
move. Whole numbers give the same value on every machine.
"""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types as numba_types
from numba.extending import intrinsic

from metatac.engine.arrays import Shorts
from metatac.kernel import layout as at
from metatac.kernel.bits import Words
from metatac.kernel.compiled import inlined
from metatac.kernel.places import place_of_board, place_of_upper

types: Any = numba_types
_intrinsic: Any = intrinsic

SIZE = 9
HIDDEN = 32
OWN, OTHER, NOBODY, NONE = 19683, 19684, 19685, 19686
"""The states of a board that is decided, after those of its marks; and of no board, where the move is free."""
STATES = NONE + 1
TARGET_ROWS = SIZE * STATES
SEND_ROWS = TARGET_ROWS + STATES
ROWS = SEND_ROWS + SIZE + 1
"""In N: a row for each board and state, for each state of the board sent to, for each send; then the last weights: for
the expected utility, and for the chance of a draw (all 0 where that was not learned)."""
OUT = ROWS * HIDDEN
DRAWS = OUT + HIDDEN
TERNARY = DRAWS + HIDDEN
"""In N: for each mask of marks, the sum of the powers of three of its cells."""
LENGTH = TERNARY + 512
CLIP, FACTOR = 510, 64
"""A hidden value of 1, and a last weight of 1, in N: as fine as sums of eleven rows in 16 bits allow."""
SHIFT = 2
"""Bits that a square loses, so that all of them, weighed, have room in 32."""
UNIT = (CLIP * CLIP >> SHIFT) * FACTOR

_SHORT, _INT, _WORD = ir.IntType(16), ir.IntType(32), ir.IntType(64)
_ROW, _WIDE = ir.VectorType(_SHORT, HIDDEN), ir.VectorType(_INT, HIDDEN)


def _row(builder: Any, shorts: Any, place: Any) -> Any:
    """The row of shorts from a place on, as a vector."""
    address = builder.gep(shorts, [place], source_etype=_SHORT)
    return builder.load(builder.bitcast(address, _ROW.as_pointer()), align=2)


def _sum_rows(typing_context: Any, shorts: Any, places: Any, sums: Any) -> Any:
    """Write the sum of the rows at SIZE places to ``sums``."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        rows, where, out = arguments
        total = None
        for number in range(SIZE):
            word = builder.gep(where, [ir.Constant(_WORD, number)], source_etype=_WORD)
            row = _row(builder, rows, builder.load(word))
            total = row if total is None else builder.add(total, row)
        builder.store(total, builder.bitcast(out, _ROW.as_pointer()), align=2)
        return context.get_dummy_value()

    return types.void(shorts, places, sums), generate


def _outputs(typing_context: Any, shorts: Any, sums: Any, less: Any, more: Any, third: Any, fourth: Any) -> Any:
    """What the last layer makes of sums, less one row, plus three: by the weights at OUT and by those at DRAWS."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        rows, base, minus, *plus = arguments
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
        for place in (OUT, DRAWS):
            weights = builder.sext(_row(builder, rows, ir.Constant(_WORD, place)), _WIDE)
            total = builder.call(reduce, [builder.mul(squares, weights)])
            both.append(builder.sext(total, _WORD))
        return context.make_tuple(builder, signature.return_type, both)

    word = types.int64
    return types.UniTuple(word, 2)(shorts, sums, word, word, word, word), generate


sum_rows: Callable[[Shorts, Words, Shorts], None] = _intrinsic(_sum_rows)
outputs: Callable[[Shorts, Shorts, int, int, int, int], tuple[int, int]] = _intrinsic(_outputs)


@inlined
def state_of(R: Words, S: Words, N: Shorts, board: int, who: int) -> int:
    """The state of a small board in a player's view."""
    root = place_of_upper(R, 0)
    if (S[root + who] >> board) & 1:
        return OWN
    if (S[root + 1 - who] >> board) & 1:
        return OTHER
    here = place_of_board(board)
    if S[here + at.AVAILABLE] == 0:
        return NOBODY
    return N[TERNARY + S[here + who]] + 2 * N[TERNARY + S[here + 1 - who]]


@inlined
def board_row(board: int, state: int) -> int:
    """Where the row of a board in a state is in N."""
    return (board * STATES + state) * HIDDEN


@inlined
def target_row(state: int) -> int:
    """Where the row for the state of the board that must be played in is in N."""
    return (TARGET_ROWS + state) * HIDDEN


@inlined
def send_row(send: int) -> int:
    """Where the row of a send is in N: SIZE if the move is free."""
    return (SEND_ROWS + send) * HIDDEN


@inlined
def gather(R: Words, S: Words, N: Shorts, who: int, places: Words) -> None:
    """Write where the rows of all boards are in N, in a player's view."""
    for board in range(SIZE):
        places[board] = board_row(board, state_of(R, S, N, board, who))


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
    who = S[at.TURN]
    gather(R, S, N, who, places)
    sum_rows(N, places, sums)
    send, state = SIZE, NONE
    if S[at.SPAN] == 1:
        send = S[at.LOW]
        state = state_of(R, S, N, send, who)
    return outputs(N, sums, places[0], places[0], target_row(state), send_row(send))
