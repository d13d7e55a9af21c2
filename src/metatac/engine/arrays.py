"""Arrays of 32-bit numbers in compiled code, as bare pointers: a tree twice as large fits the processor's caches."""

from collections.abc import Callable
from typing import Any, Protocol

from numba import types as numba_types
from numba.extending import intrinsic

types: Any = numba_types
_intrinsic: Any = intrinsic

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


def _data(kind: Any) -> Any:
    def of(typing_context: Any, array: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return context.make_array(signature.args[0])(context, builder, arguments[0]).data

        return types.CPointer(kind)(array), generate

    return of


# To the type checker these are what compiled code makes of them.
ints: Callable[[Any], Ints] = _intrinsic(_data(types.int32))
floats: Callable[[Any], Floats] = _intrinsic(_data(types.float32))
