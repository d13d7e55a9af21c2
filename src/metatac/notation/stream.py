"""Files of many records, read and written one at a time."""

import io
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from itertools import chain
from pathlib import Path
from typing import Any, Literal, NamedTuple, TextIO

from metatac.errors import InvalidRecord
from metatac.notation.jsonform import format_json, parse_json
from metatac.notation.limits import DEFAULT_LIMITS, Limits
from metatac.notation.record import Record
from metatac.notation.text import format_record, parse_record

Form = Literal["text", "json"]
OnError = Literal["raise", "skip"] | Callable[[InvalidRecord], object]


def read_records(
    source: "str | os.PathLike[str] | Iterable[str] | Iterable[bytes]",
    *,
    on_error: OnError = "raise",
    limits: Limits = DEFAULT_LIMITS,
) -> Iterator[Record]:
    """The records of a file (by its path), an open file, lines, or a string that is itself the text of records.

    Text and JSON lines are told apart by their first character. One record at a time is held in
    memory. `on_error` says what becomes of a damaged record: "raise" its error, "skip" it, or call a
    function with its error and go on with the next.
    """
    if on_error not in ("raise", "skip") and not callable(on_error):
        raise ValueError(f"on_error {on_error!r} is neither 'raise' nor 'skip' nor a function")
    return _read(source, on_error, limits)


def _read(source: Any, on_error: OnError, limits: Limits) -> Iterator[Record]:
    with _opened(source) as lines:
        for chunk in _chunks(_lines(lines, limits), limits):
            try:
                if chunk.damage:
                    raise InvalidRecord(f"line {chunk.line}: {chunk.damage}")
                read = parse_json if chunk.form == "json" else parse_record
                record = read(chunk.text, line=chunk.line, limits=limits)
            except InvalidRecord as error:
                if on_error == "raise":
                    raise
                if on_error != "skip":
                    on_error(error)
                continue
            yield record


def count_records(source: "str | os.PathLike[str] | Iterable[str] | Iterable[bytes]") -> int:
    """How many records there are, sound or damaged: quicker than to read them."""
    with _opened(source) as lines:
        return sum(1 for _ in _chunks(_lines(lines, DEFAULT_LIMITS), DEFAULT_LIMITS))


def write_record(file: TextIO, record: Record, *, form: Form = "text") -> None:
    """Append a record to an open text file, in text (followed by a blank line) or as a JSON line."""
    if form not in ("text", "json"):
        raise ValueError(f"form {form!r} is neither 'text' nor 'json'")
    written = format_json(record) if form == "json" else format_record(record)
    if len(written) > DEFAULT_LIMITS.chars:
        raise InvalidRecord(f"{len(written)} characters are more than the {DEFAULT_LIMITS.chars} of a record")
    file.write(written + "\n")


def write_records(file: TextIO, records: Iterable[Record], *, form: Form = "text") -> int:
    """Append records to an open text file; returns how many."""
    count = 0
    for record in records:
        write_record(file, record, form=form)
        count += 1
    return count


# -- lines


class _Line(NamedTuple):
    number: int
    text: str
    damage: str = ""


def _opened(source: Any) -> Any:
    """Something to take lines from. Files are read as bytes, so that one bad byte costs one record only."""
    if isinstance(source, str) and (not source.strip() or "\n" in source or source.lstrip("\ufeff \t")[:1] in "[{"):
        return nullcontext(io.StringIO(source))
    if isinstance(source, str | os.PathLike):
        try:
            return Path(source).open("rb")
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            raise InvalidRecord(f"{os.fspath(source)[:200]!r} cannot be read: {reason}") from None
    return nullcontext(source)


def _lines(source: Any, limits: Limits) -> Iterator[_Line]:
    """The lines of a source without their ends; what is too long or not UTF-8 is marked as damaged."""
    readline = getattr(source, "readline", None)
    raw = _bounded(readline, limits.chars) if callable(readline) else iter(source)
    number = 0
    try:
        for number, line in enumerate(raw, 1):
            text, damage = _decoded(line)
            if len(text) > limits.chars:
                text, damage = text[:1], f"a line longer than {limits.chars} characters"
            yield _Line(number, text.removeprefix("\ufeff") if number == 1 else text, damage)
    except UnicodeDecodeError as error:  # a text file decodes by itself, and cannot go on after this
        yield _Line(number + 1, "", f"no valid {error.encoding} text: {error.reason}")


def _decoded(line: object) -> tuple[str, str]:
    if isinstance(line, bytes):
        try:
            return line.decode("utf-8").rstrip("\r\n"), ""
        except UnicodeDecodeError as error:
            return line.decode("utf-8", "replace").rstrip("\r\n"), f"no valid UTF-8 text: {error.reason}"
    if isinstance(line, str):
        return line.rstrip("\r\n"), ""
    raise InvalidRecord(f"lines of text are wanted, not {type(line).__name__}")


def _bounded(readline: Callable[[int], Any], limit: int) -> Iterator[Any]:
    """The lines of a file; of one that is too long only the beginning is kept, but all of it is passed."""
    while line := readline(4 * limit + 2):  # in bytes a character takes up to four
        end = "\n" if isinstance(line, str) else b"\n"
        rest = line
        while not rest.endswith(end) and (rest := readline(limit)):
            pass
        yield line


# -- records


class _Chunk(NamedTuple):
    form: Form
    line: int
    text: str
    damage: str


def _chunks(lines: Iterator[_Line], limits: Limits) -> Iterator[_Chunk]:
    """The stretches of lines that are one record each. Damage within one does not reach the next."""
    first = next((line for line in lines if line.text.strip() or line.damage), None)
    if first is None:
        return
    everything = chain([first], lines)
    if first.text.lstrip().startswith("{"):
        yield from _json_chunks(everything)
    else:
        yield from _text_chunks(everything, limits)


def _json_chunks(lines: Iterator[_Line]) -> Iterator[_Chunk]:
    for line in lines:
        if line.text.strip() or line.damage:
            yield _Chunk("json", line.number, line.text, line.damage)


def _text_chunks(lines: Iterator[_Line], limits: Limits) -> Iterator[_Chunk]:
    """A record begins at a tag that follows a blank line or a line of moves."""
    kept: list[str] = []
    start, size, damage, in_tags = 1, 0, "", False
    for line in lines:
        is_tag = line.text.startswith("[")
        if is_tag and not in_tags and (kept or damage):
            yield _Chunk("text", start, "\n".join(kept), damage)
            kept, size, damage = [], 0, ""
        if not kept and not damage:
            if not line.text.strip() and not line.damage:
                continue
            start = line.number
        in_tags = is_tag
        size += len(line.text) + 1
        damage = damage or line.damage
        if size > limits.chars + 1 and not damage:
            damage = f"the record is longer than {limits.chars} characters"
        if damage:
            kept = []
        else:
            kept.append(line.text)
    if kept or damage:
        yield _Chunk("text", start, "\n".join(kept), damage)
