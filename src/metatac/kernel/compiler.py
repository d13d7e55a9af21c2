"""A process beside this one that compiles into the cache.

Numba never gives back what it took to compile, a quarter of a gigabyte, and keeps the interpreter from everybody else
meanwhile. So another process does it, for one call after the other: what one of them compiled is a part of the next.
"""

import atexit
import os
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

Task = tuple[str, str, tuple[Any, ...]]
"""The module and the name of an entry point, and the signature that it is compiled for."""

IDLE_SECONDS = 10.0
"""With nothing to do for so long the process is ended."""
READY_SECONDS = 30.0
"""A process that has not answered by then is none that compiles, as where Python is a part of another program."""
PATIENCE_SECONDS = 60.0
"""Nobody waits longer for what another process compiles, and only once: it may be suspended."""
MARK = b"metatac-compiles"
"""Begins the lines that are answers: a startup file of the user's may print others."""
READY = "ready"
"""The first answer."""
PROGRAM = "import sys; sys.path[:] = sys.argv[1:]; from metatac.kernel.compiled import compile_for_another as do; do()"


class Compiler:
    """The process, which is started when there is something to compile."""

    def __init__(self, cache: Callable[[], Path]) -> None:
        """``cache`` says which folder is the cache of this process."""
        self._cache = cache
        self._forget()
        if hasattr(os, "register_at_fork"):
            # No fork comes about while another thread compiles or loads: Numba's lock would stay locked in the child.
            os.register_at_fork(
                before=lambda: self.compiling_here.acquire(),
                after_in_parent=lambda: self.compiling_here.release(),
                after_in_child=self._forget,
            )

    def _forget(self) -> None:
        """Begin anew; in a fork, which must not talk to its parent's."""
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self.compiling_here = threading.RLock()
        """For whoever compiles in this process, or loads what is compiled."""
        self._timer: threading.Timer | None = None

    def compile(self, tasks: Sequence[Task], tell: Callable[[int], None]) -> None:
        """Have tasks done, and tell which one is next. It may end before all are done, where they cannot be.

        OSError or ValueError: there can be no such process here, or it is gone.
        """
        with self._lock:
            process, done = self._started(), False
            silent = threading.Timer(READY_SECONDS, process.kill)
            silent.daemon = True
            try:
                with suppress(RuntimeError):  # there are too many threads already
                    silent.start()
                assert process.stdin is not None and process.stdout is not None
                pickle.dump(tasks, process.stdin)
                process.stdin.flush()
                for line in process.stdout:
                    mark, _, number = line.strip().partition(b" ")
                    if mark != MARK:
                        continue
                    silent.cancel()
                    if not number:
                        done = True
                        break
                    if number != READY.encode():
                        tell(int(number))
            finally:
                silent.cancel()
                if not done:
                    self._end()
            self._timer = threading.Timer(IDLE_SECONDS, self._end_idle)
            self._timer.daemon = True
            with suppress(RuntimeError):  # likewise: then it is there until we end
                self._timer.start()

    def _started(self) -> "subprocess.Popen[bytes]":
        """The process, new unless there is one."""
        if self._timer is not None:
            self._timer.cancel()
        if self._process is not None and self._process.poll() is not None:
            self._end()
        if self._process is None:
            places = [place for place in sys.path if isinstance(place, str)]
            command, pipe = [sys.executable, "-c", PROGRAM, *places], subprocess.PIPE
            environment = os.environ | {"METATAC_CACHE_DIR": str(self._cache())}  # be it relative to another folder
            self._process = subprocess.Popen(
                command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, env=environment
            )
            atexit.register(self._end)
        return self._process

    def _end_idle(self) -> None:
        with self._lock:
            if threading.current_thread() is self._timer:  # and no other was set meanwhile
                self._end()

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            atexit.unregister(self._end)
            process.kill()
            with suppress(OSError):  # what it was told last cannot be written any more
                process.communicate()


def answers() -> Callable[[str], None]:
    """In the process: how it answers. What else is printed there goes to nobody."""
    channel = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)

    def answer(text: str) -> None:
        channel.write(MARK + b" " + text.encode() + b"\n")
        channel.flush()

    return answer


@contextmanager
def alone_at(folder: str) -> Iterator[None]:
    """Be the only process of this kind at a folder, unless the system has no locks or another one takes too long."""
    try:
        import fcntl

        place = os.open(folder, os.O_RDONLY)
    except (ImportError, OSError):
        yield
        return
    try:
        end = time.monotonic() + PATIENCE_SECONDS
        while folder not in _given_up:
            try:
                fcntl.flock(place, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                time.sleep(0.05)
                if time.monotonic() > end:
                    _given_up.add(folder)
            except OSError:  # as on some file systems
                break
        yield
    finally:
        os.close(place)


_given_up: set[str] = set()
"""Folders that another process has kept too long."""
