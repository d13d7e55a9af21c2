"""The shapes of X and O: as marks of half blocks in cells, and as big marks under the cells of a won board."""

from functools import lru_cache

_HALVES = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}

_SMALL = {
    "X": ("▀▄ ▄▀", "  █  ", "▄▀ ▀▄"),
    "O": ("▄▀▀▀▄", "█   █", "▀▄▄▄▀"),
}
"""Drawn by hand: five columns are too few to work them out."""


@lru_cache(maxsize=64)
def mark_art(mark: str, width: int, height: int) -> tuple[str, ...]:
    """A mark for a cell of that many characters, three rows or more, in half blocks."""
    if height < 5:
        rows: tuple[str, ...] = _SMALL[mark]
    else:
        columns, lines = min(width - 2, 2 * height - 1), 2 * height - 2
        pixels = [[_on(mark, x, y, columns, lines, 0.24) for x in range(columns)] for y in range(lines)]
        pixels = [[False] * columns, *pixels, [False] * columns]
        halves = zip(pixels[::2], pixels[1::2], strict=True)
        rows = tuple("".join(_HALVES[pair] for pair in zip(*both, strict=True)) for both in halves)
    blank = " " * width
    above = (height - len(rows)) // 2
    drawn = [blank] * above + [row.center(width) for row in rows]
    return tuple(drawn + [blank] * (height - len(drawn)))


@lru_cache(maxsize=256)
def big_mark(mark: str, width: int, height: int) -> tuple[tuple[bool, ...], ...]:
    """Which characters of a won board belong to its owner's big mark, row by row."""
    return tuple(tuple(_on(mark, x, y, width, height, 0.3) for x in range(width)) for y in range(height))


def _on(mark: str, x: int, y: int, width: int, height: int, weight: float) -> bool:
    """Whether a point of the box belongs to the mark."""
    u, v = abs((2 * x + 1) / width - 1), abs((2 * y + 1) / height - 1)
    if mark == "X":
        return abs(u - v) < weight
    if mark == "O":
        return (1 - 1.8 * weight) ** 2 <= u * u + v * v <= 1.0
    return v < weight  # a drawn board: a bar
