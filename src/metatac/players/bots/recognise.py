"""What kind of bot a file is, told by reading it; nothing of it is run.

A Python file is a bot by its function ``choose``, a class with ``choose``, or a course's class with ``move(self, board,
old_move, flag)``. Any other program gives itself away by the words of its protocol.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from metatac.errors import BotError

LARGEST = 1 << 20
"""Bytes of a Python file, and how much of another one is looked at."""


@dataclass(frozen=True)
class Entry:
    """The function or class of a Python file that is the bot."""

    name: str
    course: bool = False
    """Whether it is a class of the 4 × 4 courses."""


# -- Python files


def python_entry(file: Path, wanted: str | None = None) -> Entry | None:
    """The bot in a Python file, by name if one is wanted; None where the file is a program of its own.

    BotError where it is Python 2, is no Python at all, or where several classes could be meant.
    """
    tree = _parse(file)
    functions = set(_functions(tree))
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    choosing = [name for name in classes if _arguments(name, "choose", classes)]
    moving = [name for name in classes if _arguments(name, "move", classes) == 4]
    if wanted is not None:
        if wanted not in functions | {*choosing, *moving}:
            there = ", ".join([*sorted(functions), *choosing, *moving]) or "none"
            raise BotError(f"{file}: there is no bot called {wanted!r} in it; functions and classes: {there}")
        return Entry(wanted, wanted in moving and wanted not in choosing)
    if "choose" in functions:
        return Entry("choose")
    if choosing:
        return Entry(_only(file, choosing))
    if moving:
        return Entry(_only(file, moving), course=True)
    return None


def _functions(tree: ast.Module) -> Iterator[str]:
    """Names at the top of the file that can be functions: defined, imported or assigned."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node.name
        elif isinstance(node, ast.ImportFrom):
            yield from (alias.asname or alias.name for alias in node.names)
        elif isinstance(node, ast.Assign):
            yield from (target.id for target in node.targets if isinstance(target, ast.Name))


def _parse(file: Path) -> ast.Module:
    source = _read(file)
    if len(source) > LARGEST:
        raise BotError(f"{file}: {len(source):,} bytes are too many for a bot in Python; {LARGEST:,} is the most")
    try:
        tree = ast.parse(source, str(file))
    except SyntaxError as error:
        line = (error.text or "").strip()
        if _is_python_2(error, line):
            raise BotError(f"{file}, line {error.lineno}: this is Python 2, which is not run: {line[:80]!r}") from None
        raise BotError(f"{file}, line {error.lineno}: {error.msg}: {line[:80]!r}") from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise BotError(f"{file} cannot be read as Python: {error}") from None
    _refuse_python_2_names(file, tree)
    return tree


_OLD_LINES = re.compile(
    r"""(print|exec)\s+[^=(\s] | print$ | except\s+[^:]+,\s*\w+\s*: | raise\s+\w+\s*,
      | <> | ` | \b\d+[lL]\b | \b0[0-7]+\b | \bur['"]""",
    re.VERBOSE,
)


def _is_python_2(error: SyntaxError, line: str) -> bool:
    """Whether what Python 3 stumbles over is what Python 2 would have read."""
    return isinstance(error, TabError) or "Missing parentheses" in error.msg or bool(_OLD_LINES.search(line))


_OLD_NAMES = {"xrange", "raw_input", "unicode", "unichr", "basestring", "execfile", "reduce"}


def _refuse_python_2_names(file: Path, tree: ast.Module) -> None:
    """A file that only parses by chance: it calls what Python 3 has not, and does not make it itself."""
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp) and isinstance(node.left, ast.Name) and node.left.id == "print":
            raise BotError(f"{file}, line {node.lineno}: this is Python 2, which is not run: it uses print >>")
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    known = {name.id for name in names if not isinstance(name.ctx, ast.Load)}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            known.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            known |= {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.arg):
            known.add(node.arg)
    if "*" in known:
        return
    for name in names:
        if name.id in _OLD_NAMES - known:
            raise BotError(f"{file}, line {name.lineno}: this is Python 2, which is not run: it uses {name.id}")


def _arguments(name: str, method: str, classes: dict[str, ast.ClassDef], depth: int = 0) -> int:
    """How many arguments the class's own or inherited method takes, self included; 0 if it has none."""
    for node in classes[name].body:
        if isinstance(node, ast.FunctionDef) and node.name == method:
            return len(node.args.posonlyargs) + len(node.args.args)
    bases = [base.id for base in classes[name].bases if isinstance(base, ast.Name) and base.id in classes]
    return max((_arguments(base, method, classes, depth + 1) for base in bases if depth < 10), default=0)


def _only(file: Path, names: list[str]) -> str:
    """The class that is meant: the only one, or the only one that is called after a team or a player."""
    for prefix in ("", "team", "player"):
        fitting = [name for name in names if name.lower().startswith(prefix)]
        if len(fitting) == 1:
            return fitting[0]
    raise BotError(f"{file}: {', '.join(names)} could each be the bot; name one with entry=")


# -- other programs

_WORDS = (
    ("ugi", re.compile(rb"bestmove")),
    ("riddles", re.compile(rb"place_move")),
    ("codingame", re.compile(rb"opponent_?row|valid_?action_?count", re.IGNORECASE)),
)
_DOT = re.compile(rb"""(['"])\.\1""")


def spoken_protocol(file: Path) -> str | None:
    """The protocol that a program's source, or the words in its binary, give away; None where nothing does."""
    source = _read(file, LARGEST)
    for protocol, words in _WORDS:
        if words.search(source):
            # Of the two dialects only one has a dot for an empty cell.
            return "theaigames" if protocol == "riddles" and not _DOT.search(source) else protocol
    return None


def _read(file: Path, most: int = -1) -> bytes:
    try:
        with file.open("rb") as source:
            return source.read(most)
    except OSError as error:
        raise BotError(f"{file}: {error.strerror}") from None
