"""How positions look on the terminal that we happen to write to."""

import os
import re
import shutil
import sys
import textwrap
from collections.abc import Mapping
from typing import Any

from metatac.game import Move, Position
from metatac.render import board_text
from metatac.rules import RuleSet, load_rules
from metatac.rules.schema import KEYS
from metatac.rules.spec import print_key

WIDEST = 100
"""Longer lines are hard to read, however wide the terminal."""
PIPE_WIDTH = 120
"""Columns of output that goes to no terminal."""


def draw(
    position: Position, last: Move | None = None, *, status: bool = True, heat: Mapping[Move, float] | None = None
) -> str:
    """The board as text: in colour on a terminal that allows it, in ASCII where there is nothing else."""
    return board_text(position, last=last, color=wants_color(), unicode=takes_lines(), status=status, heat=heat)


def wrapped(text: str) -> str:
    """Each line of the text broken between words where the terminal ends; what is indented stays so."""
    width = max(20, min(shutil.get_terminal_size().columns, WIDEST))
    return "\n".join(_wrapped_line(line, width) for line in text.split("\n"))


def _wrapped_line(line: str, width: int) -> str:
    indent = line[: len(line) - len(line.lstrip())]
    return textwrap.fill(
        line, width, subsequent_indent=indent and indent + "  ", break_long_words=False, break_on_hyphens=False
    )


def reflowed(text: str) -> str:
    """Paragraphs set anew for the terminal. Lines that are indented, or items of a list, begin on their own."""
    return wrapped(re.sub(r"(?<=\S)[ \t]*\n(?=[^\s*•–-]|[*-]\S)", " ", text.strip()))


def rules_text(rules: RuleSet) -> str:
    """The rules for people. Where a game has no words of its own, what it changes in another's is listed."""
    base = load_rules(rules.base)
    parts = [reflowed(rules.text)]
    if rules.text in ("", base.text):
        changes = _changes(rules, base)
        parts += [wrapped(f"differs from {base.name} in: {', '.join(changes)}")] if changes else []
    return "\n\n".join(filter(None, parts))


def _changes(rules: RuleSet, base: RuleSet) -> list[str]:
    mine, theirs = rules.keys | rules.match_keys, base.keys | base.match_keys
    return [
        print_key(key, mine.get(key, getattr(rules, key)))
        for key in KEYS
        if mine.get(key) != theirs.get(key) and key not in ("title", "text")
    ]


def output_width() -> int:
    """The columns for tables."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else PIPE_WIDTH


def cut(text: str, width: int) -> str:
    """The text, ended between two words where it is too long."""
    if len(text) <= width:
        return text
    end = text.rfind(" ", 0, width - 1)
    return text[: end if end > 0 else max(0, width - 2)] + " …"


def count_of(count: int, thing: str) -> str:
    """1 move, 2 moves."""
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def takes_screen() -> bool:
    """Whether this is a terminal on which a program may draw where it likes."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"


def full_screen(*arguments: Any, **named: Any) -> None:
    """Give the terminal to the full-screen client until it is left."""
    from metatac.tui import run

    words = run(*arguments, **named)
    if words:
        print(words)


def wants_color() -> bool:
    """Whether standard output is a terminal that shows colours, and the user likes them."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def takes_lines() -> bool:
    """Whether standard output takes more than ASCII."""
    try:
        "┏━·░×".encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


class LiveLine:
    """A line on stderr that changes, where that is a terminal; elsewhere one after the other.

    It is cut to the terminal's width: of one that goes on below, every change would leave a row behind.
    """

    def __init__(self) -> None:
        self.terminal = sys.stderr.isatty()
        self._shown = False

    def show(self, line: str) -> None:
        text = f"\r\x1b[K{cut(line, _error_width() - 1)}" if self.terminal else f"{line}\n"
        self._shown = True
        sys.stderr.write(text)
        sys.stderr.flush()

    def end(self) -> None:
        """Leave nothing of it on the terminal."""
        if self.terminal and self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def _error_width() -> int:
    """The columns of the terminal behind stderr, which may be one where standard output is none."""
    try:
        columns = os.get_terminal_size(sys.stderr.fileno()).columns
    except (OSError, ValueError):  # a stream without a file behind it
        columns = 0
    return columns or shutil.get_terminal_size().columns
