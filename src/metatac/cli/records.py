"""The records of a file that a command was given."""

import sys
from collections.abc import Iterator
from pathlib import Path

from metatac.cli.screen import count_of
from metatac.errors import InvalidRecord
from metatac.notation import Record, count_records, read_records
from metatac.table.records import games_dir, last_game


def source_of(file: Path) -> Path | Iterator[bytes]:
    """What to read; - is standard input."""
    return iter(sys.stdin.buffer) if str(file) == "-" else file


def numbered_records(file: Path, only: int | None) -> Iterator[tuple[int, Record]]:
    """The wanted records with their numbers; a damaged one ends the reading with its error."""
    number = 0
    try:
        for number, record in enumerate(read_records(source_of(file)), 1):
            if only in (None, number):
                yield number, record
            if number == only:
                return
    except InvalidRecord as error:
        named = str(error).startswith(repr(str(file)))  # a file that cannot be opened is named already
        raise InvalidRecord(str(error) if named else f"{file}: {error}") from error
    if only is not None:
        raise missing(file, number, only)
    if number == 0:
        raise InvalidRecord(f"{file}: there is no record in it")


def one_record(file: Path, only: int | None) -> Record:
    """The wanted record; where none is named, the only one."""
    records = numbered_records(file, only)
    _, record = next(records)
    if only is None and next(records, None) is not None:
        count = how_many(file)
        there = "is more than one record" if count is None else f"are {count} records"
        raise InvalidRecord(f"{file}: there {there} in it; --only N chooses one")
    return record


def how_many(file: Path) -> int | None:
    """The number of records, unless it is a stream that can be read once only."""
    return count_records(file) if file.is_file() else None


def last_file() -> Path:
    """The file of the game that was kept last."""
    file = last_game()
    if file is None:
        raise InvalidRecord(f"{games_dir()}: no game has been kept there yet; name a file of records")
    return file


def last_record(only: int | None = None) -> Record:
    """The game that was kept last."""
    return one_record(last_file(), only)


def missing(file: Path, number: int, only: int) -> InvalidRecord:
    """The error for a record that a file of so many has not."""
    return InvalidRecord(f"{file}: there {'is' if number == 1 else 'are'} {count_of(number, 'record')}, none is {only}")
