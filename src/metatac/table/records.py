"""A game added to a file of records, which the user may keep for as long as he likes."""

import contextlib
import io
import os
import time
from pathlib import Path

from metatac.match import Match
from metatac.match.record import record_of
from metatac.match.result import clean
from metatac.notation import write_record
from metatac.paths import data_dir
from metatac.rules.spec import spec_name


def games_dir() -> Path:
    """Where finished games are kept."""
    return data_dir() / "games"


def last_game() -> Path | None:
    """The file of the game that was kept last."""
    aged = []
    for file in games_dir().glob("*.txt"):
        with contextlib.suppress(OSError):
            if (state := file.stat()).st_size:  # a full disk leaves files without a game
                aged.append((state.st_mtime_ns, file))
    return max(aged)[1] if aged else None


class RecordFile:
    """One game in files of records; where it was written to the same file before, it takes its own place there."""

    def __init__(self) -> None:
        self._written: dict[str, tuple[int, int]] = {}
        """Where in each file this game stands: its first byte, and the one after its last."""
        self._default: Path | None = None

    def save(self, match: Match, name: str = "") -> Path:
        """Add the game so far to a file of records, one in the user's data folder unless named.

        Whatever hinders it is an OSError with a file name, and leaves the file as it was.
        """
        record = io.StringIO()
        try:
            write_record(record, record_of(match, {"Date": time.strftime("%Y.%m.%d")}))
            path = _path(name) if name else self._own(match)
            path.parent.mkdir(parents=True, exist_ok=True)
            data, known = record.getvalue().encode(errors="replace"), os.path.abspath(path)
            self._written[known] = _write(path, data, self._written.get(known))
        except (OSError, ValueError, RuntimeError) as error:
            raise _named(error, name or str(games_dir())) from error
        return path

    def _own(self, match: Match) -> Path:
        number = 1
        stem = f"{clean(spec_name(match.rules.name))[:80]}-{time.strftime('%Y-%m-%d-%H%M%S')}"
        while self._default is None:
            file = games_dir() / f"{stem}{'' if number == 1 else f'-{number}'}.txt"
            number += 1
            if not file.exists():
                self._default = file
        return self._default


def check_writable(name: str) -> None:
    """Raise an OSError now if a game could not be saved to the file later; the file is created."""
    try:
        path = _path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        # To open a pipe would wait for its reader, and closing it would send that one away.
        if not path.is_fifo():
            path.open("ab").close()
    except (OSError, ValueError) as error:
        raise _named(error, name) from error


def _path(name: str) -> Path:
    # Unlike Path.expanduser, this one leaves the home of nobody we know as it is.
    return Path(os.path.expanduser(name))


def _write(path: Path, data: bytes, before: tuple[int, int] | None) -> tuple[int, int]:
    """Append to a file, in place of its last bytes if they are those given; returns from where to where it stands."""
    first, last = _append(path, data)
    if before is not None and before[1] == first:
        # What was appended has its room for certain: now it is moved forward.
        with path.open("r+b", buffering=0) as file:
            file.seek(before[0])
            file.write(data)
            file.truncate()
        first, last = before[0], before[0] + len(data)
    return first, last


def _append(path: Path, data: bytes) -> tuple[int, int]:
    with path.open("ab", buffering=0) as file:
        first = file.tell() if file.seekable() else -1
        rest = data
        try:
            while rest:
                rest = rest[file.write(rest) :]
            if first >= 0:
                os.fsync(file.fileno())
        except OSError:
            # Half a record would spoil those that are added later.
            with contextlib.suppress(OSError):
                file.truncate(first)
            raise
    return first, first + len(data)


def _named(error: Exception, name: str) -> OSError:
    """The error as an OSError that says which file it is about."""
    if isinstance(error, OSError):
        return OSError(error.errno, error.strerror or str(error), error.filename or name)
    return OSError(0, str(error), name)
