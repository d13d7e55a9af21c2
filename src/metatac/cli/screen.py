"""How positions look on the terminal that we happen to write to."""

import os
import sys

from metatac.game import Move, Position
from metatac.render import board_text


def draw(position: Position, last: Move | None = None, *, status: bool = True) -> str:
    """The board as text: in colour on a terminal that allows it, in ASCII where there is nothing else."""
    return board_text(position, last=last, color=_wants_color(), unicode=_takes_lines(), status=status)


def count_of(count: int, thing: str) -> str:
    """1 move, 2 moves."""
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def _wants_color() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _takes_lines() -> bool:
    try:
        "┏━·░×".encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True
