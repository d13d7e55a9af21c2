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
from collections.abc import Callable, Sequence
from typing import Any

Task = tuple[str, str, tuple[Any, ...]]
"""The module and the name of an entry point, and the signature that it is compiled for."""

IDLE_SECONDS = 10.0
"""With nothing to do for so long the process is ended."""
PROGRAM = "import sys; sys.path[:] = sys.argv[1:]; from metatac.kernel.compiled import compile_for_another as do; do()"


class Compiler:
    """The process, which is started when there is something to compile."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._parent = 0
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None

    def compile(self, tasks: Sequence[Task], tell: Callable[[int], None]) -> None:
        """Have tasks done, and tell which one is next. It may end before all are done, where they cannot be.

        OSError: there can be no such process here.
        """
        with self._lock:
            process = self._started()
            try:
                assert process.stdin is not None and process.stdout is not None
                pickle.dump(tasks, process.stdin)
                process.stdin.flush()
                for line in process.stdout:
                    if not line.strip():
                        break
                    tell(int(line))
            except BaseException:
                self._end()
                raise
            self._timer = threading.Timer(IDLE_SECONDS, self._end_idle, [process])
            self._timer.daemon = True
            self._timer.start()

    def _started(self) -> "subprocess.Popen[bytes]":
        """The process, new unless there is one; a fork of this process must not talk to the same."""
        if self._timer is not None:
            self._timer.cancel()
        if self._process is None or self._process.poll() is not None or self._parent != os.getpid():
            pipe, command = subprocess.PIPE, [sys.executable, "-c", PROGRAM, *sys.path]
            self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)
            self._parent = os.getpid()
            atexit.register(self._end)
        return self._process

    def _end_idle(self, process: "subprocess.Popen[bytes]") -> None:
        with self._lock:
            if self._process is process and threading.current_thread() is self._timer:
                self._end()

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None and self._parent == os.getpid():
            process.kill()
            process.communicate()
            atexit.unregister(self._end)
