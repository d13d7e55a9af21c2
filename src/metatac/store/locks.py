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
    with open(path, "a", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # Whoever had it before may have removed the file since we opened it: then it locks nothing any more.
            if not os.path.samestat(os.fstat(file.fileno()), os.stat(path)):
                raise FileNotFoundError
        except OSError:
            raise refusal from None
        try:
            yield
        finally:
            with contextlib.suppress(FileNotFoundError):  # the whole folder may be gone
                os.unlink(path)
