"""Files that commands write: whole or not at all, and what hinders it is said with the file's name."""

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from typer.testing import CliRunner

from metatac.cli.app import app
from metatac.cli.files import check_place, write_file

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links and limits are others there")


@contextmanager
def little_room(size: int) -> Iterator[None]:
    """No file may grow beyond so many bytes meanwhile: the full disk of whoever may not mount one."""
    import resource

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


COMMANDS = {
    "analyze": ["analyze", "tic-tac-toe", "--with", "minimax:1", "--plot"],
    "rules": ["rules", "new", "--inherits", "extreme"],
    "export": ["export", "--position", "tic-tac-toe X - 9"],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_full_disk_is_named_and_leaves_no_half_of_a_picture(command: str, tmp_path: Path) -> None:
    old, new = tmp_path / "old.svg", tmp_path / "new.svg"
    files = (new,) if command == "rules" else (old, new)
    old.write_text("mine")
    CliRunner().invoke(app, [*COMMANDS[command], str(tmp_path / "x.svg")])  # what is compiled is written now
    (tmp_path / "x.svg").unlink()
    for file in files:
        with little_room(100):
            done = CliRunner().invoke(app, [*COMMANDS[command], str(file)])
        assert isinstance(done.exception, OSError)
        assert (done.exception.filename, done.exception.strerror) == (str(file), "File too large")
    assert old.read_text() == "mine" and list(tmp_path.iterdir()) == [old]


def test_a_link_stays_and_what_it_leads_to_is_written(tmp_path: Path) -> None:
    real, link = tmp_path / "real.svg", tmp_path / "link.svg"
    link.symlink_to(real)
    for text in ("once", "twice"):
        check_place(link)
        write_file(link, [text])
        assert link.is_symlink() and real.read_text() == text
        real.chmod(0o640)
    assert stat.S_IMODE(real.stat().st_mode) == 0o640


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full disk here")
def test_a_device_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    link = tmp_path / "link.svg"
    link.symlink_to("/dev/full")
    check_place(link)
    with pytest.raises(OSError, match=f"No space left on device: '{link}'"):
        write_file(link, ["text"])
    assert link.is_char_device() and list(tmp_path.iterdir()) == [link]


def test_what_cannot_be_written_is_known_before_the_work(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("mine")
    for path, reason in ((tmp_path, "Is a directory"), (file / "x.svg", "Not a directory|File exists")):
        for refuse in (check_place, lambda path: write_file(path, ["text"])):
            with pytest.raises(OSError, match=reason) as caught:
                refuse(path)
            assert str(caught.value.filename) == str(path)
    if os.geteuid():
        file.chmod(0o400)
        with pytest.raises(PermissionError):
            check_place(file)
    check_place(tmp_path / "new" / "x.svg")
    assert file.read_text() == "mine" and not list((tmp_path / "new").iterdir())
