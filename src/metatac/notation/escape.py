r"""Strings inside the text of a record: escapes, and the commands that a comment carries.

Tag values and comments share one set of escapes, ``\\ \" \{ \} \[ \n \r \t \uXXXX``, so that any text
fits on one line. A comment's commands are ``[%clk h:mm:ss.fff]``, ``[%emt h:mm:ss.fff]`` and
``[%eval number]`` or ``[%eval #plies]``; a ``[%`` that belongs to the comment itself is written ``\[%``.
"""

import re

from metatac.errors import InvalidRecord
from metatac.notation.record import Ply

#: What may not stand in a line as it is: controls, and whatever Unicode counts as a line's end.
_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_SPACE = "\\u0020"
_NAMED = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|([\\\"{}\[nrt])|(.?))", re.DOTALL)
_PLAIN = {"n": "\n", "r": "\r", "t": "\t"}
_COMMAND = re.compile(r"\\.|[ ]?\[%(clk|emt|eval) ([^\]\s]*)\]", re.DOTALL)
_CLOCK = re.compile(r"(\d{1,5}):([0-5]\d):([0-5]\d)(?:\.(\d{1,3}))?", re.ASCII)
_WIN = re.compile(r"#(-?\d{1,7})", re.ASCII)
_NUMBER = re.compile(r"[+-]?\d{1,320}(?:\.\d{1,320})?(?:e[+-]?\d{1,3})?", re.ASCII)


def quote(text: str) -> str:
    """A tag's value in its quotation marks."""
    return '"' + _one_line(text.replace("\\", "\\\\").replace('"', '\\"')) + '"'


def unescape(text: str) -> str:
    """The string that an escaped one stands for."""
    return _ESCAPE.sub(_meaning, text)


def _meaning(match: re.Match[str]) -> str:
    code, plain, wrong = match.groups()
    if code:
        return chr(int(code, 16))
    if plain:
        return _PLAIN.get(plain, plain)
    raise InvalidRecord(f"unknown escape '\\{wrong}'" if wrong else "a lone backslash at the end")


def _one_line(text: str) -> str:
    return _UNSAFE.sub(lambda found: _NAMED.get(found[0]) or f"\\u{ord(found[0]):04x}", text)


def format_comment(comment: str, ply: Ply | None = None) -> str:
    """The text between the braces after a move: its commands, then its comment."""
    words = []
    if ply is not None:
        if ply.clock is not None:
            words.append(f"[%clk {format_clock(ply.clock)}]")
        if ply.spent is not None:
            words.append(f"[%emt {format_clock(ply.spent)}]")
        if ply.evaluation is not None:
            words.append(f"[%eval {ply.evaluation!r}]")
        if ply.win_in is not None:
            words.append(f"[%eval #{ply.win_in}]")
    if comment:
        words.append(_escape_comment(comment))
    return " ".join(words)


def _escape_comment(text: str) -> str:
    """Spaces around a comment mean nothing, so those that belong to it are written as escapes too."""
    text = text.replace("\\", "\\\\").replace("}", "\\}").replace("[%", "\\[%")
    head = len(text) - len(text.lstrip(" "))
    body = text[head:].rstrip(" ")
    tail = len(text) - head - len(body)
    return _SPACE * head + _one_line(body) + _SPACE * tail


def parse_comment(text: str) -> tuple[str, dict[str, float | int]]:
    """The comment proper, and what its commands say, by the names of `Ply`'s fields."""
    values: dict[str, float | int] = {}

    def note(found: re.Match[str]) -> str:
        if found[1] is None:
            return found[0]  # an escape: it hides what follows the backslash from being a command
        name, value = _command(found[1], found[2])
        if name in values:
            raise InvalidRecord(f"[%{found[1]} ...] twice in one comment")
        values[name] = value
        return ""

    return unescape(_COMMAND.sub(note, text).strip(" \t\r\n")), values


def _command(name: str, value: str) -> tuple[str, float | int]:
    if name in ("clk", "emt"):
        return ("clock" if name == "clk" else "spent"), parse_clock(value)
    if win := _WIN.fullmatch(value):
        return "win_in", int(win[1])
    if not _NUMBER.fullmatch(value):
        raise InvalidRecord(f"[%eval {value[:40]}] is neither a number nor # and a number of plies")
    return "evaluation", float(value)


def format_clock(seconds: float) -> str:
    """``15.2`` as ``0:00:15.2``."""
    whole, thousandths = divmod(round(seconds * 1000), 1000)
    fraction = f".{thousandths:03}".rstrip("0") if thousandths else ""
    return f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}{fraction}"


def parse_clock(text: str) -> float:
    """``0:00:15.2`` as ``15.2`` seconds."""
    match = _CLOCK.fullmatch(text)
    if match is None:
        raise InvalidRecord(f"{text[:40]!r} is no time of the form h:mm:ss or h:mm:ss.fff")
    hours, minutes, seconds, fraction = match.groups()
    whole = int(hours) * 3600 + int(minutes) * 60 + int(seconds)
    return (whole * 1000 + int((fraction or "").ljust(3, "0"))) / 1000
