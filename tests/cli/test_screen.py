"""What the commands write on terminals of every width."""

import os
import select
import struct
import sys

import pytest

from metatac.cli.screen import LiveLine, cut

pty = pytest.importorskip("pty", reason="pseudo-terminals are a thing of Unix")


@pytest.mark.parametrize(
    ("width", "kept"),
    [(12, "ee ea af"), (8, "ee ea af"), (7, "ee ea …"), (6, "ee …"), (4, "ee …"), (3, "e …")],
)
def test_a_text_is_cut_between_words(width: int, kept: str) -> None:
    assert cut("ee ea af", width) == kept


def test_a_live_line_stays_on_its_row(monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 30, 0, 0))
    with open(theirs, "w") as terminal:
        monkeypatch.setattr(sys, "stderr", terminal)
        line = LiveLine()
        for number in range(3):
            line.show(f"{number} of many pairs, and so much more to be said")
        line.end()
        written = b""
        # It comes in pieces, and later than it is written.
        while written.count(b"\x1b[K") < 4 and select.select([ours], [], [], 10)[0]:
            written += os.read(ours, 4096)
    os.close(ours)
    rows = written.decode().split("\r\x1b[K")
    assert rows == ["", *(f"{number} of many pairs, and so …" for number in range(3)), ""]
    assert max(map(len, rows)) < 30
