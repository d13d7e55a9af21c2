"""How soon there is something to see, and how soon a key shows: `metatac play` on a real pseudo-terminal, from outside.

python benchmarks/terminal.py [RUNS]

Start: from the command to the first prompt, or to the last byte of the first screen. Key to redraw: from a key to the
last byte that it causes. Medians; with everything compiled and in the page cache, since each is done once unmeasured.
"""

import os
import pty
import select
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from fcntl import ioctl

QUIET = 0.15
"""Seconds without a byte after which a screen is complete."""
LONGEST = 30.0

RIGHT, LEFT = b"\x1b[C", b"\x1b[D"

GAMES = {
    "9 x 9": (["ultimate"], (100, 30), 0.050),
    "27 x 27": (["ultimate-ultimate"], (160, 50), 0.100),
    "27 x 27 at 80 x 24": (["ultimate-ultimate"], (80, 24), 0.100),
    "49 x 49": (["ultimate", "--set", "side=7"], (200, 60), 0.100),
}
"""For each board the arguments, columns and rows of the terminal, and the seconds that a key may take."""


def environment(folder: str) -> dict[str, str]:
    """A terminal with colours, a data folder of its own, and byte code that is kept."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    ours = {"METATAC_DATA_DIR": folder, "PYTHONPYCACHEPREFIX": f"{folder}/pycache"}
    return kept | ours | {"TERM": "xterm-256color", "COLORTERM": "truecolor"}


class Terminal:
    """The program on a terminal of its own."""

    def __init__(self, arguments: list[str], size: tuple[int, int], folder: str) -> None:
        self.ours, theirs = pty.openpty()
        ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
        self.begin = time.perf_counter()
        self.child = subprocess.Popen(
            [sys.executable, "-m", "metatac", "play", *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            env=environment(folder),
        )
        os.close(theirs)

    def until(self, text: bytes) -> float:
        """The moment at which the text is on the screen."""
        seen = b""
        while text not in seen:
            readable, _, _ = select.select([self.ours], [], [], LONGEST)
            if not readable:
                raise SystemExit(f"{text!r} does not come after: {seen[-500:]!r}")
            seen += os.read(self.ours, 65536)
        return time.perf_counter()

    def until_quiet(self) -> float:
        """The moment of the last byte."""
        last, wait = 0.0, LONGEST
        while select.select([self.ours], [], [], wait)[0]:
            os.read(self.ours, 65536)
            last, wait = time.perf_counter(), QUIET
        return last

    def key(self, keys: bytes) -> float:
        """Seconds from a key to the last byte that it causes."""
        begin = time.perf_counter()
        os.write(self.ours, keys)
        return self.until_quiet() - begin

    def close(self) -> None:
        self.child.kill()
        self.child.wait()
        os.close(self.ours)


def start_of_lines(folder: str) -> float:
    terminal = Terminal(["ultimate", "--plain"], (100, 30), folder)
    seconds = terminal.until(b"X: ") - terminal.begin
    terminal.close()
    return seconds


def screen(arguments: list[str], size: tuple[int, int], folder: str, keys: int) -> tuple[float, list[float]]:
    """Seconds to the first screen, and of each of so many keys once everything is ready."""
    terminal = Terminal([*arguments, "--o", "random"], size, folder)
    first = terminal.until_quiet() - terminal.begin
    times = [terminal.key(RIGHT if number % 2 else LEFT) for number in range(keys)]
    terminal.close()
    return first, times


def verdict(name: str, seconds: float, most: float) -> bool:
    good = seconds <= most
    print(f"{name:<44} {seconds * 1000:6.0f} ms, at most {most * 1000:.0f}: {'ok' if good else 'TOO SLOW'}")
    return good


def main(runs: int) -> bool:
    good = True
    with tempfile.TemporaryDirectory() as folder:
        start_of_lines(folder)
        lines = statistics.median(start_of_lines(folder) for _ in range(runs))
        good &= verdict("line mode: start to the first prompt", lines, 1.5)
        for name, (arguments, size, most) in GAMES.items():
            screen(arguments, size, folder, 0)
            found = [screen(arguments, size, folder, 8) for _ in range(runs)]
            good &= verdict(f"{name}: start to the first screen", statistics.median(first for first, _ in found), 1.5)
            keys = [seconds for _, times in found for seconds in times[1:]]
            good &= verdict(f"{name}: key to redraw", statistics.median(keys), most)
    return good


if __name__ == "__main__":
    sys.exit(0 if main(int(sys.argv[1]) if len(sys.argv) > 1 else 5) else 1)
