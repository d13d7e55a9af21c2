"""Locks beside a file of SQLite, for what only one process at a time may do with it."""

import contextlib
import os
from collections.abc import Iterator

from metatac.errors import StoreError


@contextlib.contextmanager
def file_lock(path: str, refusal: StoreError) -> Iterator[None]:
    """Hold the lock, or raise the refusal where another has it; however the process ends, the lock ends with it."""
    try:
        import fcntl
    except ImportError:  # elsewhere nobody is kept apart
        yield
        return
    try:
        file = open(path, "a", encoding="utf-8")  # noqa: SIM115 - closed below, and what is wrong with it is told
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror}, and without it nobody would know who else is at it") from error
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # Whoever had it before may have removed the file since we opened it: then it locks nothing any more.
            if not os.path.samestat(os.fstat(file.fileno()), os.stat(path)):
                raise FileNotFoundError
        except (BlockingIOError, FileNotFoundError):
            raise refusal from None
        except OSError as error:
            raise StoreError(f"{path}: this file system has no locks: {error.strerror}") from error
        try:
            yield
        finally:
            with contextlib.suppress(OSError):  # the whole folder may be gone, or no longer ours to change
                os.unlink(path)
