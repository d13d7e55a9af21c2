"""Cells by row and column of the whole board, counted from 0 at the top left."""


def place(side: int, path: tuple[int, ...]) -> tuple[int, int]:
    """The row and column of a cell, which is given by its numbers, outermost first."""
    row = column = 0
    for step in path:
        row, column = row * side + step // side, column * side + step % side
    return row, column


def path_at(side: int, depth: int, row: int, column: int) -> tuple[int, ...]:
    """The cell's numbers, outermost first, of a row and column."""
    path = []
    for _ in range(depth):
        (row, i), (column, j) = divmod(row, side), divmod(column, side)
        path.append(i * side + j)
    return tuple(reversed(path))
