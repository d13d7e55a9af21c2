"""The PGN-like text of one record, written and read.

Tags in brackets, a blank line, then the moves with their numbers, comments in braces, variations in
parentheses, and the result. Every move has a number of its own, because with bonus moves the players do
not simply take turns. ``docs/notation.md`` has the grammar.
"""

import re
from collections.abc import Iterator
from typing import Any, NoReturn

from metatac.errors import InvalidMove, InvalidRecord
from metatac.game import Move, parse_move
from metatac.notation.escape import format_comment, parse_comment, quote, unescape
from metatac.notation.limits import DEFAULT_LIMITS, Limits
from metatac.notation.origin import read_rules, read_start
from metatac.notation.record import DERIVED_TAGS, MAX_DEPTH, Line, Ply, Record, Unplayable
from metatac.rules import Points, RuleSet

WIDTH = 100  #: columns that the moves are wrapped to

#: The annotations that people write as signs.
SIGNS = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}

_TAG = re.compile(r'\[([A-Za-z][A-Za-z0-9_]*)[ \t]+"([^"\\]*+(?:\\.[^"\\]*+)*+)"[ \t]*\]')
_TOKEN = re.compile(
    r"""(?P<space>\s++)
      | (?P<result>(?:1-0|0-1|1/2-1/2|\*)(?![^\s()]))
      | (?P<number>\d{1,9}+\.++)
      | (?P<move>[A-Za-z]{1,40}+)
      | (?P<sign>[!?]{1,2}+)
      | \$(?P<nag>\d{1,3}+)
      | \{(?P<comment>[^\\}]*+(?:\\.[^\\}]*+)*+)\}
      | (?P<open>\()
      | (?P<close>\))""",
    re.VERBOSE | re.DOTALL | re.ASCII,
)
_POINTS = re.compile(r"(-?\d{1,300}(?:\.\d{1,300})?)-(-?\d{1,300}(?:\.\d{1,300})?)", re.ASCII)


# -- writing


def format_record(record: Record) -> str:
    """The text of a record, ending in a newline."""
    lines = [f"[{name} {quote(value)}]" for name, value in record.headers.items()]
    lines.append("")
    current = ""
    for word in _words(record):
        if current and len(current) + 1 + len(word) > WIDTH:
            lines.append(current)
            current = word
        else:
            current = f"{current} {word}" if current else word
    lines.append(current)
    return "\n".join(lines) + "\n"


def _words(record: Record) -> Iterator[str]:
    if record.comment:
        yield f"{{{format_comment(record.comment)}}}"
    yield from _line_words(record.plies, 1)
    yield record.result


def _line_words(line: Line, number: int) -> Iterator[str]:
    for ply in line:
        yield f"{number}. {ply.move}"
        yield from (f"${nag}" for nag in ply.nags)
        if note := format_comment(ply.comment, ply):
            yield f"{{{note}}}"
        for variation in ply.variations:
            words = list(_line_words(variation, number))
            words[0] = f"({words[0]}"
            words[-1] = f"{words[-1]})"  # it may be the first one, too
            yield from words
        number += 1


# -- reading


def parse_record(text: str, *, line: int = 1, limits: Limits = DEFAULT_LIMITS) -> Record:
    """Read one record from its text; `line` is the number of its first line, for the errors."""
    if len(text) > limits.chars:
        raise InvalidRecord(f"line {line}: the record is longer than {limits.chars} characters")
    tags, position, line_of_moves = _read_tags(text, line)
    try:
        rules = read_rules(_required(tags, "Rules"))
        start = read_start(rules, tags.get("Start"))
        result, points = tags.get("Result"), _read_points(tags.get("Points"))
    except InvalidRecord as error:
        raise InvalidRecord(f"line {line}: {error}") from error
    reader = MoveReader(rules, line_of_moves, limits)
    plies, comment, token = reader.read(text, position, open_end=result is None)
    if result is not None and token != result:
        reader.fail(f"the moves end in {token}, but the tag Result says {result!r}")
    free = {name: value for name, value in tags.items() if name not in DERIVED_TAGS}
    try:
        return Record(start, plies, token, points, tags.get("Termination", ""), free, comment)
    except Unplayable as error:
        raise InvalidRecord(f"line {reader.lines[error.index]}: {error}") from error
    except InvalidRecord as error:
        raise InvalidRecord(f"line {line}: {error}") from error


def _read_tags(text: str, line: int) -> tuple[dict[str, str], int, int]:
    """The tags, where in the text the moves begin, and the number of that line."""
    tags: dict[str, str] = {}
    position = 0
    while position < len(text):
        end = text.find("\n", position)
        end = len(text) if end < 0 else end
        first = text[position:end].strip()
        if first and not first.startswith("["):
            break
        if first:
            name, value = _read_tag(first, line)
            if name in tags:
                raise InvalidRecord(f"line {line}: tag {name} a second time")
            tags[name] = value
        position, line = end + 1, line + 1
    return tags, position, line


def _read_tag(text: str, line: int) -> tuple[str, str]:
    match = _TAG.fullmatch(text)
    if match is None:
        raise InvalidRecord(f'line {line}: {text[:60]!r} is no tag of the form [Name "value"]')
    try:
        return match[1], unescape(match[2])
    except InvalidRecord as error:
        raise InvalidRecord(f"line {line}: tag {match[1]}: {error}") from error


def _required(tags: dict[str, str], name: str) -> str:
    if name not in tags:
        raise InvalidRecord(f"the tag {name} is missing")
    return tags[name]


def _read_points(text: str | None) -> Points | None:
    if text is None:
        return None
    match = _POINTS.fullmatch(text)
    if match is None:
        raise InvalidRecord(f"points {text[:40]!r} are not of the form 16-0")
    return float(match[1]), float(match[2])


class MoveReader:
    """Reads the moves of one record, keeping track of open variations and of the line it is on."""

    def __init__(self, rules: RuleSet, line: int, limits: Limits) -> None:
        self.rules = rules
        self.line = line
        self.limits = limits
        self.lines: list[int] = []  #: the line of every move, in the order of writing
        self.comment: list[str] = []  #: what stands before the first move
        self.nodes: list[_Node] = []  #: the moves so far of the line of play being read
        self.number = 1  #: of that line's first move
        self.parents: list[tuple[list[_Node], int]] = []  #: the lines that it is a variation of

    def fail(self, trouble: object) -> NoReturn:
        raise InvalidRecord(f"line {self.line}: {trouble}")

    def _fail_at(self, rest: str) -> NoReturn:
        if rest.startswith("{"):
            self.fail(f"the comment {rest!r} is not closed")
        self.fail(f"{rest!r} is nothing that belongs to a game")

    def read(self, text: str, position: int, *, open_end: bool = False) -> tuple[Line, str, str]:
        """The main line, the comment before it, and the result that ends it.

        With an open end moves may do without a result, which is empty then: people who write by hand leave it out.
        """
        while position < len(text):
            match = _TOKEN.match(text, position)
            if match is None:
                self._fail_at(text[position : position + 40])
            kind, position = match.lastgroup or "", match.end()
            try:
                if kind == "result":
                    return self._finish(match[kind], text[position:].strip())
                if kind != "space":
                    getattr(self, f"_{kind}")(match[kind])
            except InvalidMove as error:
                self.fail(f"ply {self._next_number()}: {error}")
            except InvalidRecord as error:
                self.fail(error)
            self.line += match[0].count("\n")
        if not (open_end and self.lines) or self.parents:
            self.fail("the moves end without a result (cut off?)")
        return self._finish("", "")

    def _finish(self, result: str, rest: str) -> tuple[Line, str, str]:
        if self.parents:
            raise InvalidRecord(f"result {result} inside a variation: a parenthesis is not closed")
        if rest:
            raise InvalidRecord(f"{rest[:40]!r} after the result {result}")
        return self._line(), "\n".join(self.comment), result

    def _line(self) -> Line:
        return tuple(node.ply() for node in self.nodes)

    def _next_number(self) -> int:
        return self.number + len(self.nodes)

    def _last(self, what: str) -> "_Node":
        if not self.nodes:
            raise InvalidRecord(f"{what} before the first move of its line")
        return self.nodes[-1]

    # -- one method for each kind of token

    def _number(self, token: str) -> None:
        if int(token.rstrip(".")) != self._next_number():
            raise InvalidRecord(f"number {token} where ply {self._next_number()} comes")

    def _move(self, token: str) -> None:
        if len(self.lines) >= self.limits.plies:
            raise InvalidRecord(f"more than {self.limits.plies} moves in one record")
        self.nodes.append(_Node(parse_move(self.rules, token)))
        self.lines.append(self.line)

    def _sign(self, token: str) -> None:
        self._last("an annotation").nags.append(SIGNS[token])

    def _nag(self, token: str) -> None:
        self._last("an annotation").nags.append(int(token))

    def _comment(self, token: str) -> None:
        comment, values = parse_comment(token)
        if not self.nodes and not self.parents:
            if values:
                raise InvalidRecord("a clock or evaluation before the first move")
            if comment:
                self.comment.append(comment)
            return
        node = self._last("a comment")
        if comment:
            node.comments.append(comment)
        for name in values.keys() & node.values.keys():
            raise InvalidRecord(f"{name} of one move given twice")
        node.values |= values

    def _open(self, token: str) -> None:
        self._last("a variation")
        if len(self.parents) == MAX_DEPTH:
            raise InvalidRecord(f"variations nest deeper than {MAX_DEPTH}")
        self.parents.append((self.nodes, self.number))
        self.number, self.nodes = self._next_number() - 1, []

    def _close(self, token: str) -> None:
        if not self.parents:
            raise InvalidRecord("a parenthesis is closed that was never opened")
        if not self.nodes:
            raise InvalidRecord("a variation without moves")
        variation = self._line()
        self.nodes, self.number = self.parents.pop()
        self.nodes[-1].variations.append(variation)


class _Node:
    """A move whose notes are still being read."""

    __slots__ = ("comments", "move", "nags", "values", "variations")

    def __init__(self, move: Move) -> None:
        self.move = move
        self.comments: list[str] = []
        self.values: dict[str, Any] = {}
        self.nags: list[int] = []
        self.variations: list[Line] = []

    def ply(self) -> Ply:
        comment = "\n".join(self.comments)
        return Ply(self.move, comment, nags=tuple(self.nags), variations=tuple(self.variations), **self.values)
