"""The game that is being played, on disk after every move, so that it survives whatever happens to the program.

A save is written to another file first, which then takes its place: at every moment there is a whole one. A lock
beside it says that somebody plays the game now; it goes when its process does.
"""

import contextlib
import json
import os
import secrets
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO

from metatac.errors import MatchError
from metatac.match.result import clean
from metatac.paths import data_dir
from metatac.rules.spec import spec_name
from metatac.table.plans import LaterSave, Plan

LONGEST = 50_000_000
"""Bytes of a save: far more than any game has."""


def saves_dir() -> Path:
    return data_dir() / "saves"


def is_save(file: Path) -> bool:
    """Whether the file is one of this folder, or looks like a saved game."""
    with file.open("rb") as opened:
        return opened.read(200).lstrip().startswith(b'{"metatac": "saved game"')


def read_save(file: Path) -> Plan:
    """The game of a save; MatchError, which names the file, where it is damaged."""
    with file.open("rb") as opened:
        data = opened.read(LONGEST)
    try:
        found = json.loads(data)
        if not isinstance(found, dict):
            raise MatchError("no saved game")
        return Plan.from_dict(found, str(file))
    except (MatchError, ValueError, RecursionError) as error:
        reason = "it is empty" if not data.strip() else str(error)
        kind = LaterSave if isinstance(error, LaterSave) else MatchError
        raise kind(f"{file}: {reason}") from error


def saved_games(tell: Callable[[str], object]) -> Iterator[Plan]:
    """The games that nobody plays now, the latest first. A damaged save is told of and put aside.

    One of a later version is told of, too, and stays for that version.
    """
    for file in _by_age(saves_dir()):
        with contextlib.suppress(FileNotFoundError):
            try:
                if _is_played(file):
                    continue
                plan = read_save(file)
            except LaterSave as error:
                tell(f"A saved game cannot be read: {error}.")
                continue
            except (MatchError, OSError) as error:
                reason = str(error) if isinstance(error, MatchError) else f"{file}: {error.strerror}"
                tell(f"A saved game cannot be read: {reason}. {_put_aside(file)}")
                continue
            yield plan


def latest_save(tell: Callable[[str], object]) -> Plan | None:
    """The game to go on with, or None where there is none."""
    return next(saved_games(tell), None)


def _by_age(folder: Path) -> list[Path]:
    aged = []
    for file in folder.glob("*.json"):
        with contextlib.suppress(OSError):
            if not file.is_fifo():  # whoever opens a pipe waits for its writer
                aged.append((file.stat().st_mtime_ns, file))
    return [file for _, file in sorted(aged, reverse=True)]


def _put_aside(file: Path) -> str:
    """Move a damaged save where it does not stand in the way, and say where that is."""
    folder = file.parent / "damaged"
    try:
        folder.mkdir(exist_ok=True)
        return f"It is now {file.replace(folder / file.name)}."
    except OSError as error:
        return f"It stays where it is: {error.strerror}."


def _locked(file: Path) -> IO[bytes] | None:
    """The lock of a save, held until it is closed; None while another process holds it."""
    lock = file.with_suffix(".lock").open("ab")
    if _take(lock):
        return lock
    lock.close()
    return None


def _is_played(file: Path) -> bool:
    try:
        with file.with_suffix(".lock").open("rb") as lock:
            return not _take(lock)
    except FileNotFoundError:
        return False


def _take(lock: IO[bytes]) -> bool:
    if sys.platform != "win32":  # where there are no such locks, two may play on from one save
        import fcntl

        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


class Keeper:
    """Keeps one game: a thread writes it down, always the latest state, while the play goes on."""

    def __init__(self, file: str, told: Callable[[OSError | None], None]) -> None:
        self.file: Path | None = Path(file) if file else None
        """The save; None until there is one."""
        self.error: OSError | None = None
        """Why the latest state is not on disk."""
        self._told = told
        self._lock: IO[bytes] | None = None
        self._wanted: Plan | None = None
        self._state = threading.Condition()
        self._busy = self._closed = False
        self._thread: threading.Thread | None = None

    def take(self) -> None:
        """Hold the save that the game was read from, so that nobody else goes on with it; one that is held is left."""
        if self.file is not None:
            with contextlib.suppress(OSError):  # the first move will say what is wrong with the folder
                self._lock = _locked(self.file)
                self.file = self.file if self._lock is not None else None

    def keep(self, plan: Plan) -> None:
        """Have this state written; does not wait for it."""
        with self._state:
            self._wanted, self._closed = plan, False
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="metatac saves", daemon=True)
                self._thread.start()
            self._state.notify_all()

    def flush(self) -> None:
        """Wait until what was to be written is, or has failed."""
        with self._state:
            self._state.wait_for(lambda: self._wanted is None and not self._busy)

    def close(self, *, discard: bool = False) -> None:
        """Write what is to be written, or remove the save, and let go of it. It can be taken up again."""
        with self._state:
            if discard:
                self._wanted = None
        self.flush()
        with self._state:
            self._closed = True
            self._state.notify_all()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        with contextlib.suppress(OSError):  # a folder that takes nothing more gives nothing away, either
            self._let_go(discard)

    def _let_go(self, discard: bool) -> None:
        lock, self._lock = self._lock, None
        if lock is not None:
            lock.close()
        if self.file is not None:
            self.file.with_suffix(".lock").unlink(missing_ok=True)
            if discard:
                self.file.unlink(missing_ok=True)
                self.file = None

    def _run(self) -> None:
        while True:
            with self._state:
                self._state.wait_for(lambda: self._wanted is not None or self._closed)
                plan, self._wanted = self._wanted, None
                if plan is None:
                    return
                self._busy = True
            self.error = None
            try:
                self._write(plan)
            except OSError as raised:
                raised.filename = str(self.file or saves_dir())  # writing itself does not name the file
                self.error = raised
            self._told(self.error)
            with self._state:
                self._busy = False
                self._state.notify_all()

    def _write(self, plan: Plan) -> None:
        if self._lock is None:
            self._begin(plan)
        assert self.file is not None
        write_whole(self.file, [json.dumps(plan.to_dict(), ensure_ascii=True).encode()])

    def _begin(self, plan: Plan) -> None:
        """Take the save that the game was read from; where there is none, or another has it, a new one."""
        if self.file is not None:
            self._lock = _locked(self.file)
        folder, number = saves_dir(), 1
        folder.mkdir(parents=True, exist_ok=True)
        name = f"{clean(spec_name(plan.match.rules.name))[:80]}-{time.strftime('%Y-%m-%d-%H%M%S')}"
        while self._lock is None:
            file = folder / f"{name}{'' if number == 1 else f'-{number}'}.json"
            number += 1
            if not file.exists():
                self._lock, self.file = _locked(file), file


def write_whole(file: Path, parts: Iterable[bytes], *, mode: int = 0o600) -> None:
    """Write a file so that there is always a whole one, the old or the new, on disk as well."""
    name = file.with_name(f".{file.name[:40]}-{secrets.token_hex(6)}")
    try:
        with open(name, "xb", opener=lambda path, flags: os.open(path, flags, mode)) as opened:
            opened.writelines(parts)
            opened.flush()
            os.fsync(opened.fileno())
        os.replace(name, file)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise
    if sys.platform != "win32":
        folder = os.open(file.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
