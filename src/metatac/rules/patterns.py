"""The sets of cells that win a board: the named families, and their names again for printing."""

from collections.abc import Callable, Iterable

Pattern = tuple[int, ...]
"""Cell numbers of one pattern, ascending."""


def shown(value: object) -> str:
    """A value as an error message quotes it: not at any length."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _rows(side: int) -> list[Pattern]:
    return [tuple(row * side + column for column in range(side)) for row in range(side)]


def _columns(side: int) -> list[Pattern]:
    return [tuple(row * side + column for row in range(side)) for column in range(side)]


def _diagonals(side: int) -> list[Pattern]:
    return [tuple(i * side + i for i in range(side)), tuple(i * side + side - 1 - i for i in range(side))]


def _diamonds(side: int) -> list[Pattern]:
    """The four neighbours of each cell that is not on the edge."""
    inner = range(1, side - 1)
    return [
        tuple(sorted(((r - 1) * side + c, r * side + c - 1, r * side + c + 1, (r + 1) * side + c)))
        for r in inner
        for c in inner
    ]


FAMILIES: dict[str, Callable[[int], list[Pattern]]] = {
    "rows": _rows,
    "columns": _columns,
    "diagonals": _diagonals,
    "diamonds": _diamonds,
}


def resolve(items: Iterable[object], side: int) -> tuple[Pattern, ...]:
    """The patterns that a list of family names and explicit cell sets stands for, ascending, each once.

    Raises ValueError saying what is wrong with which item.
    """
    found: set[Pattern] = set()
    for item in items:
        if isinstance(item, str):
            if item not in FAMILIES:
                raise ValueError(f"{shown(item)} is not one of {', '.join(FAMILIES)}, or a list of cell numbers")
            family = FAMILIES[item](side)
            if not family:
                raise ValueError(f"there are no {item} on a {side} x {side} board")
            found.update(family)
        elif isinstance(item, list | tuple):
            found.add(_explicit(item, side))
        else:
            raise ValueError(f"{shown(item)} is not one of {', '.join(FAMILIES)}, or a list of cell numbers")
    return tuple(sorted(found))


def _explicit(cells: list[object] | tuple[object, ...], side: int) -> Pattern:
    size = side * side
    numbers: set[int] = set()
    for cell in cells:
        if not isinstance(cell, int) or isinstance(cell, bool) or not 0 <= cell < size:
            raise ValueError(
                f"{shown(cell)} in {shown(list(cells))} is outside the board; its cells are the numbers 0 to {size - 1}"
            )
        numbers.add(cell)
    if len(numbers) < 2 or len(numbers) != len(cells):
        raise ValueError(f"{shown(list(cells))} must be two or more different cells")
    return tuple(sorted(numbers))


def describe(patterns: Iterable[Pattern], side: int) -> list[str | list[int]]:
    """The shortest list of family names and explicit sets that ``resolve`` turns into these patterns."""
    rest = set(patterns)
    names: list[str | list[int]] = []
    for name, family in FAMILIES.items():
        members = set(family(side))
        if members and members <= rest and not members <= _covered(names, side):
            names.append(name)
    rest -= _covered(names, side)
    return names + [list(pattern) for pattern in sorted(rest)]


def _covered(names: Iterable[str | list[int]], side: int) -> set[Pattern]:
    return {pattern for name in names if isinstance(name, str) for pattern in FAMILIES[name](side)}
