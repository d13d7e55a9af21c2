"""Bits, pointers, random numbers and hashing in compiled code."""

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from llvmlite import ir
from numba import types as numba_types
from numba.extending import intrinsic

from metatac.kernel.compiled import inlined


class Words(Protocol):
    """In compiled code, a pointer to int64 words: no length, no reference count, no wrap-around, one register."""

    def __getitem__(self, place: int, /) -> int: ...

    def __setitem__(self, place: int, word: int, /) -> None: ...


types: Any = numba_types
_intrinsic: Any = intrinsic
word: Callable[[Any], int] = types.int64
"""``word(0)`` is an int64 like any other; for a bare 0 Numba would compile the function that takes it once more."""

_WORD = ir.IntType(64)
_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_LCG_FACTOR = np.uint64(6364136223846793005)
_LCG_STEP = np.uint64(1442695040888963407)
_HALF = np.uint64(32)


def _pointer(typing_context: Any, array: Any) -> Any:
    """The words of an int64 array; of a float64 array, its numbers."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return context.make_array(signature.args[0])(context, builder, arguments[0]).data

    return types.CPointer(array.dtype)(array), generate


def _moved(typing_context: Any, words: Any, distance: Any) -> Any:
    """The words from a distance on."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.gep(arguments[0], [arguments[1]], source_etype=_WORD)

    return words(words, types.int64), generate


def _popcount(typing_context: Any, value: Any) -> Any:
    """How many bits of an int64 are set."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        function = builder.module.declare_intrinsic("llvm.ctpop", (_WORD,), ir.FunctionType(_WORD, [_WORD]))
        return builder.call(function, [arguments[0]])

    return types.int64(types.int64), generate


def _lowest_bit(typing_context: Any, value: Any) -> Any:
    """The place of the lowest set bit of an int64 that is not 0."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        flag = ir.IntType(1)
        kind = ir.FunctionType(_WORD, [_WORD, flag])
        function = builder.module.declare_intrinsic("llvm.cttz", (_WORD,), kind)
        return builder.call(function, [arguments[0], ir.Constant(flag, 1)])

    return types.int64(types.int64), generate


# To the type checker these are what compiled code makes of them.
pointer: Callable[[Any], Any] = _intrinsic(_pointer)
moved: Callable[[Any, int], Any] = _intrinsic(_moved)
popcount: Callable[[int], int] = _intrinsic(_popcount)
lowest_bit: Callable[[int], int] = _intrinsic(_lowest_bit)


@inlined
def mix(value: int) -> int:
    """An int64 that looks random, from any other: the finalizer of SplitMix64."""
    z = np.uint64(value) + _GAMMA
    z = (z ^ (z >> np.uint64(30))) * _MIX_1
    z = (z ^ (z >> np.uint64(27))) * _MIX_2
    return word(z ^ (z >> np.uint64(31)))


@inlined
def next_random(state: int) -> int:
    """The next state of the generator of playouts: a 64-bit linear congruence, of which only the high half is used."""
    return word(np.uint64(state) * _LCG_FACTOR + _LCG_STEP)


@inlined
def below(state: int, bound: int) -> int:
    """A number from 0 to bound - 1 (bound under 2**31), from the high half of the generator's state."""
    return word(((np.uint64(state) >> _HALF) * np.uint64(bound)) >> _HALF)
