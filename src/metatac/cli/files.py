"""Files that commands write: whole or not at all, and what hinders it is said with the name that the user gave."""

import errno
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from metatac.table.saves import write_whole


def check_place(path: Path, *, replaced: bool = False) -> None:
    """Raise an OSError now if the file could not be written when the work is done; nothing but its folder is made.

    ``replaced`` says that only a new file in the old one's place will do.
    """
    with _named(path):
        target, beside = _target(path)
        if beside:
            trial = target.with_name(f".{target.name[:40]}.{os.getpid()}")
            trial.open("xb").close()
            trial.unlink()
        elif replaced:
            raise OSError(errno.EINVAL, "no new file can be put in its place")


def write_file(path: Path, parts: Iterable[str]) -> None:
    """Write a file: whoever looks at it meanwhile sees the old one, and if there is no room, that one stays."""
    data = (part.encode(errors="replace") for part in parts)
    with _named(path):
        target, beside = _target(path)
        if beside:
            mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else None
            write_whole(target, data, mode=mode or 0o666)
            if mode is not None:
                target.chmod(mode)  # which the user's mask is no part of
            return
        with target.open("wb") as file:
            file.writelines(data)


def _target(path: Path) -> tuple[Path, bool]:
    """The file behind all links, its folder made; and whether a new one can be put in its place.

    That is not so with devices and pipes, and where only the file may be written, but not its folder.
    """
    path = Path(os.path.expanduser(path))
    if path.exists() and not path.is_file():
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        return path, False
    target = Path(os.path.realpath(path))
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return target, not target.exists() or os.access(target.parent, os.W_OK)


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Have errors name the file that is meant: those of writing name none, others one that nobody knows."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from error
    except ValueError as error:  # a zero byte in its name
        raise OSError(errno.EINVAL, str(error), str(path)) from error
