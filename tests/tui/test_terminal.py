"""The client in a real (pseudo-)terminal: it starts, is left, and loses nothing when the terminal is closed."""

import contextlib
import os
import re
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pty = pytest.importorskip("pty", reason="there are no pseudo-terminals here")
fcntl, termios = pytest.importorskip("fcntl"), pytest.importorskip("termios")

PATIENCE = 240.0
PROGRAM = """
from metatac import tui
from metatac.table import Seats, plan_game
print(tui.run(plan_game("ultimate", Seats("human:Ann", "human:Bob"))))
"""
RESUME = """
from metatac.table import latest_save
plan = latest_save(print)
print("none" if plan is None else " ".join(map(str, plan.match.moves)))
"""


class Terminal:
    """A program in a terminal of its own, and everything it has written."""

    def __init__(self, data: Path, controlling: bool = True, **environment: str) -> None:
        self.master, slave = pty.openpty()
        self.environment = {**os.environ, "METATAC_DATA_DIR": str(data), "TERM": "xterm-256color", **environment}
        self.written = ""
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=self.environment,
            start_new_session=True,
            # The terminal is the program's own: closing it is what a closed window is, and sends a signal.
            preexec_fn=_take_terminal if controlling else None,
        )
        os.close(slave)
        self._wake, self._woken = os.pipe()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        """Read everything as it comes: a program whose terminal is not read stands still."""
        with contextlib.suppress(OSError):  # how Linux says that an end is closed
            while self.master in select.select([self.master, self._wake], [], [])[0]:
                self.written += os.read(self.master, 65536).decode(errors="replace")

    def read_until(self, wanted: str) -> None:
        deadline = time.monotonic() + PATIENCE
        while wanted not in self.plain:
            assert time.monotonic() < deadline, f"{wanted!r} never came: {self.plain[-2000:]}"
            time.sleep(0.02)

    @property
    def plain(self) -> str:
        return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[()=>][0-9A-B]?", "", self.written)

    def write(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    def close(self) -> None:
        """Close the terminal. The reader ends first: as long as it reads, the terminal stays open."""
        if self.master >= 0:
            os.write(self._woken, b"!")
            self._reader.join()
            for end in (self.master, self._wake, self._woken):
                os.close(end)
            self.master = -1


def _take_terminal() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


@contextlib.contextmanager
def terminal(data: Path, controlling: bool = True, **environment: str) -> Iterator[Terminal]:
    opened = Terminal(data, controlling, **environment)
    try:
        yield opened
    finally:
        opened.close()
        opened.process.kill()
        opened.process.wait()


def saved_moves(opened: Terminal) -> str:
    done = subprocess.run(
        [sys.executable, "-c", RESUME],
        env=opened.environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
    )
    return done.stdout.strip()


def test_left_with_control_c_it_says_how_to_resume(tmp_path: Path) -> None:
    with terminal(tmp_path) as opened:
        opened.read_until("X begins anywhere")
        opened.write("ee")
        opened.read_until("The move ee sends O to board e")
        opened.write("\x03")
        opened.read_until("metatac play --resume")
        assert opened.process.wait(PATIENCE) == 0
        assert saved_moves(opened) == "ee"


@pytest.mark.parametrize("how", ["closed", "closed without a signal", "terminated"])
def test_a_closed_terminal_loses_nothing(tmp_path: Path, how: str) -> None:
    with terminal(tmp_path, controlling="without" not in how) as opened:
        opened.read_until("X begins anywhere")
        opened.write("ee")
        opened.read_until("The move ee sends O to board e")
        if "closed" in how:
            opened.close()
        else:
            opened.process.send_signal(signal.SIGTERM)
        opened.process.wait(PATIENCE)
        assert saved_moves(opened) == "ee"


def test_no_color_means_none(tmp_path: Path) -> None:
    with terminal(tmp_path, NO_COLOR="1") as opened:
        opened.read_until("X begins anywhere")
        opened.write("\x11")
        assert opened.process.wait(PATIENCE) == 0
        colors = re.findall(r"\x1b\[[0-9;]*[34]8;[25];[0-9;]*m|\x1b\[(?:3[0-7]|4[0-7])m", opened.written)
        assert not colors
