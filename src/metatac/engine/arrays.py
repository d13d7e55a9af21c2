"""More bare pointers in compiled code: to 32-bit numbers (a tree twice as large fits the processor's caches), and by
address, so that a search which needs many arrays is handed one."""

import mmap
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol

import numpy as np
from llvmlite import ir
from numba import types as numba_types
from numba.extending import intrinsic
from numpy.typing import NDArray

from metatac.kernel.bits import Words

types: Any = numba_types
_intrinsic: Any = intrinsic
_INT = ir.IntType(32)

PAGE = 4096
"""Bytes that the system gives at once, or more."""
MOST_TOUCHED = 1 << 27
"""Bytes: about a tenth of a second."""
NO_LARGE_PAGES: int | None = getattr(mmap, "MADV_NOHUGEPAGE", None)

single: Callable[[Any], float] = types.float32
"""``single(x)`` is x as a float32."""


class Ints(Protocol):
    """In compiled code, a pointer to int32 numbers."""

    def __getitem__(self, place: int, /) -> int: ...

    def __setitem__(self, place: int, number: Any, /) -> None: ...


class Floats(Protocol):
    """In compiled code, a pointer to float32 numbers."""

    def __getitem__(self, place: int, /) -> float: ...

    def __setitem__(self, place: int, number: Any, /) -> None: ...


class Numbers(Protocol):
    """In compiled code, a pointer to float64 numbers."""

    def __getitem__(self, place: int, /) -> float: ...

    def __setitem__(self, place: int, number: float, /) -> None: ...


class Shorts(Protocol):
    """In compiled code, a pointer to int16 numbers."""

    def __getitem__(self, place: int, /) -> int: ...


def _data(kind: Any) -> Any:
    def of(typing_context: Any, array: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return context.make_array(signature.args[0])(context, builder, arguments[0]).data

        return types.CPointer(kind)(array), generate

    return of


def _at(kind: Any) -> Any:
    def of(typing_context: Any, address: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.inttoptr(arguments[0], context.get_value_type(signature.return_type))

        return types.CPointer(kind)(types.int64), generate

    return of


# To the type checker these are what compiled code makes of them.
words_at: Callable[[int], Words] = _intrinsic(_at(types.int64))
numbers_at: Callable[[int], Numbers] = _intrinsic(_at(types.float64))
ints_at: Callable[[int], Ints] = _intrinsic(_at(types.int32))
shorts_at: Callable[[int], Shorts] = _intrinsic(_at(types.int16))
ints: Callable[[Any], Ints] = _intrinsic(_data(types.int32))
floats: Callable[[Any], Floats] = _intrinsic(_data(types.float32))


def _publish(typing_context: Any, numbers: Any, place: Any, number: Any) -> Any:
    """Write an int32 number that other threads read: what was written before it is there when they see it."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = builder.gep(arguments[0], [arguments[1]], source_etype=_INT)
        builder.store_atomic(arguments[2], address, ordering="release", align=4)
        return context.get_dummy_value()

    return types.void(numbers, types.int64, types.int32), generate


def _published(typing_context: Any, numbers: Any, place: Any) -> Any:
    """Read a number that another thread may publish."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = builder.gep(arguments[0], [arguments[1]], source_etype=_INT)
        return builder.load_atomic(address, ordering="acquire", align=4, typ=_INT)

    return types.int32(numbers, types.int64), generate


publish: Callable[[Ints, int, Any], None] = _intrinsic(_publish)
published: Callable[[Ints, int], int] = _intrinsic(_published)


def _prefetch(typing_context: Any, numbers: Any, place: Any) -> Any:
    """Have the processor fetch a number of any kind, and what lies beside it, while it goes on with something else."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind_of_number = context.get_value_type(signature.args[0].dtype)
        address = builder.gep(arguments[0], [arguments[1]], source_etype=kind_of_number)
        kind = ir.FunctionType(ir.VoidType(), [address.type, _INT, _INT, _INT])
        function = builder.module.declare_intrinsic("llvm.prefetch", (address.type,), kind)
        builder.call(function, [address, *(ir.Constant(_INT, value) for value in (0, 3, 1))])
        return context.get_dummy_value()

    return types.void(numbers, types.int64), generate


prefetch: Callable[[Any, int], None] = _intrinsic(_prefetch)


def aligned_words(count: int) -> NDArray[np.int64]:
    """So many zeros, in lines of the processor's cache that nothing else is in: threads do not slow each other down."""
    array = np.zeros(count + 16, dtype=np.int64)
    first = -array.ctypes.data // 8 % 8
    return array[first : first + count]


def table_words(count: int) -> NDArray[np.int64]:
    """So many zeros for a table, which a search writes to anywhere.

    A small one has its memory at once, in large pages, with which a search is a tenth faster. To give all of a great
    one would take seconds, so its pages come as they are written to, and are small: before it looked at the clock
    again a search could have to wait for hundreds of large ones, each of them a part of a millisecond.
    """
    if 8 * count <= MOST_TOUCHED or NO_LARGE_PAGES is None:
        words = aligned_words(count)
        touch(words)
        return words
    try:
        memory = mmap.mmap(-1, 8 * count, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    except OSError as error:
        raise MemoryError(f"a table of {8 * count / 2**20:,.0f} MB: {error.strerror}") from None
    with suppress(OSError):  # a system that has no large pages knows no such advice
        memory.madvise(NO_LARGE_PAGES)
    return np.frombuffer(memory, dtype=np.int64)


def wipe(words: NDArray[np.int64]) -> None:
    """Make all of a table zeros again. A great one gives its memory back: to write to all of it would take seconds, and
    take memory that it never had."""
    memory = getattr(words.base, "obj", None)  # what the buffer is of
    if isinstance(memory, mmap.mmap):
        memory.madvise(mmap.MADV_DONTNEED)
    else:
        words[:] = 0


def touch(*arrays: NDArray[Any]) -> None:
    """Have the system give new arrays their memory now: in a search it may take it tens of milliseconds. Whoever wants
    very much of it gets it as he uses it."""
    for array in arrays:
        if array.nbytes <= MOST_TOUCHED:
            array[:: PAGE // array.itemsize] = 0
