"""Line mode on a real pseudo-terminal and in real pipes: whole games, signals, and readers who go away."""

import os
import random
import re
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import metatac

pty = pytest.importorskip("pty", reason="pseudo-terminals are a thing of Unix")

PATIENCE = 240.0
"""Seconds after which what is waited for will not come."""
SILENCE = 5.0
"""Seconds after which people press a key again."""
FAREWELL = "metatac play --resume"
PROMPT = re.compile(r"(?:\[\d+ s\] )?[XO](?: \(\w+\))?: $")
PEOPLE = ("--plain", "--x", "human", "--o", "human")
LONG = 12
"""Plies of an opening, where a whole game would take too long."""


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "data"
    monkeypatch.setenv("METATAC_DATA_DIR", str(folder))
    monkeypatch.setenv("TERM", "xterm")
    return folder


class Terminal:
    """`metatac play` on a terminal of its own."""

    def __init__(self, *arguments: str) -> None:
        self.ours, theirs = pty.openpty()
        self.child = subprocess.Popen(
            [sys.executable, "-m", "metatac", "play", *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            preexec_fn=_own_terminal,
        )
        os.close(theirs)
        self.screen = ""

    def read(self, again: bytes = b"") -> bool:
        """Take in what is written next; False when the other side has closed. ``again`` is typed while it is silent."""
        for _ in range(int(PATIENCE / SILENCE)):
            readable, _, _ = select.select([self.ours], [], [], SILENCE)
            if readable:
                break
            if FAREWELL not in self.screen:  # it is leaving, and needs no more
                os.write(self.ours, again)
        assert readable, f"nothing is written any more after:\n{self.screen[-2000:]}"
        try:
            got = os.read(self.ours, 65536)
        except OSError:  # Linux's way to say that the other side has closed
            return False
        self.screen += got.decode(errors="replace")
        return bool(got)

    def until_asked(self) -> None:
        while not PROMPT.search(_visible(self.screen)):
            assert self.read(), f"it ended after:\n{self.screen[-2000:]}"

    def type(self, text: str | bytes) -> None:
        """Type when it asks. What was on the screen is forgotten."""
        self.until_asked()
        self.screen = ""
        os.write(self.ours, text if isinstance(text, bytes) else f"{text}\n".encode())

    def end(self, again: bytes = b"") -> tuple[int, str]:
        """The exit code, and what is on the screen in the end."""
        while self.read(again):
            pass
        return self.child.wait(PATIENCE), self.screen


def _visible(screen: str) -> str:
    """Without what terminals are told by escapes."""
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", screen)


def _own_terminal() -> None:
    """Make the pseudo-terminal the child's own, so that Ctrl-C reaches it."""
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


@contextmanager
def at_terminal(*arguments: str) -> Iterator[Terminal]:
    terminal = Terminal(*arguments)
    try:
        yield terminal
    finally:
        terminal.child.kill()
        terminal.child.wait()
        os.close(terminal.ours)


def forms_of(position: metatac.Position, move: metatac.Move, chance: random.Random) -> str:
    """The move in one of the ways in which people type it."""
    side, depth = position.rules.side, position.rules.depth
    whole = [(*move[:depth],), *([(*move[: depth - 1], move[-1])] if len(move) > depth else [])]
    rows = []
    for path in whole:
        row = column = 0
        for step in path:
            row, column = row * side + step // side, column * side + step % side
        rows.append(f"{row + 1} {column + 1}")
    letters = str(move)
    pairs = " ".join(f"{cell % side + 1} {cell // side + 1}" for cell in move)
    ways = [letters, " ".join(letters), ", ".join(rows)] + ([pairs] if len(move) > 1 else [])
    return chance.choice(ways)


@pytest.mark.parametrize("game", metatac.preset_names())
def test_a_game_of_every_kind_is_typed_to_its_end_or_far_into_it(game: str, data: Path) -> None:
    chance = random.Random(game)
    position = metatac.start(game)
    most = 10_000 if game in ("tic-tac-toe", "ultimate") else LONG
    with at_terminal(game, *PEOPLE) as terminal:
        for _ in range(most):
            move = chance.choice(position.legal_moves)
            terminal.type(forms_of(position, move, chance))
            position = position.play(move)
            if position.outcome is not None:
                break
        if position.outcome is None:
            terminal.type("quit")
        code, screen = terminal.end()
    assert code == 0 and "Traceback" not in screen
    if position.outcome is None:
        assert "metatac play --resume" in screen
    else:
        assert f"{position.outcome.reason}. Points" in screen and "metatac replay" in screen


def test_two_mark_moves_take_four_letters_or_four_pairs_and_repeat_the_question() -> None:
    with at_terminal("ultimate-ultimate", *PEOPLE) as terminal:
        terminal.type("aaab")
        terminal.type("aaab")
        terminal.until_asked()
        assert "'aaab' may not be played" in terminal.screen
        terminal.type("2 1 1 1 1 1 2 1")
        terminal.until_asked()
        assert "2. O plays baab" in terminal.screen
        terminal.type("quit")
        assert terminal.end()[0] == 0


@pytest.mark.parametrize(("keys", "code"), [(b"\x03", 130), (b"\x04", 0), (b"quit\n", 0)])
def test_leaving_is_clean_and_says_how_to_go_on(keys: bytes, code: int) -> None:
    with at_terminal("ultimate", *PEOPLE) as terminal:
        terminal.type("ee")
        terminal.type(keys)
        # Line editing does not notice a Ctrl-C or Ctrl-D that comes while it begins: people press it again.
        left, screen = terminal.end(again=keys)
    assert left == code and "Traceback" not in screen and "metatac play --resume" in screen
    with at_terminal("--plain", "--resume") as terminal:
        terminal.type("moves")
        terminal.until_asked()
        assert "Moves so far: 1. ee" in terminal.screen


def test_a_killed_game_goes_on_where_it_was() -> None:
    with at_terminal("ultimate", *PEOPLE) as terminal:
        for move in ("ee", "ea", "ab"):
            terminal.type(move)
        terminal.until_asked()
        terminal.child.send_signal(signal.SIGKILL)
        terminal.child.wait(PATIENCE)
    with at_terminal("--plain", "--resume") as terminal:
        terminal.type("moves")
        terminal.until_asked()
        assert "Moves so far: 1. ee 2. ea 3. ab" in terminal.screen


def test_computers_that_play_each_other_can_be_interrupted() -> None:
    with at_terminal("sudoku", "--plain", "--x", "minimax:12", "--o", "minimax:12") as terminal:
        while "minimax:12 (X) against" not in terminal.screen:
            assert terminal.read()
        os.write(terminal.ours, b"\x03")
        code, screen = terminal.end()
    assert code == 130 and "Traceback" not in screen


def test_enter_has_a_computer_that_thinks_move_at_once() -> None:
    with at_terminal("ultimate", "--plain", "--x", "human", "--o", "minimax:12") as terminal:
        terminal.type("ee")
        while "Enter has it move at once" not in terminal.screen:
            assert terminal.read()
        os.write(terminal.ours, b"moves\n\n")
        while "Moves so far: 1. ee 2. " not in terminal.screen:  # what was typed ahead is answered, too
            assert terminal.read()
        terminal.type("quit")
        assert terminal.end()[0] == 0


@pytest.mark.parametrize("typed", [b"", b"half a li"])
def test_a_person_who_overruns_hears_of_it_at_once(typed: bytes) -> None:
    with at_terminal("ultimate", *PEOPLE, "--time", "3") as terminal:
        while " s] X: " not in terminal.screen:  # by now the time may be up
            assert terminal.read()
        os.write(terminal.ours, typed)
        code, screen = terminal.end()
    assert code == 0 and "O (human) wins: overrun" in screen and "Traceback" not in screen


def run(*arguments: str, typed: bytes = b"") -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(
        [sys.executable, "-m", "metatac", *arguments], input=typed, capture_output=True, timeout=PATIENCE
    )


def test_bytes_that_are_no_text_are_answered() -> None:
    done = run("play", "ultimate", *PEOPLE, typed=b"\xff\xfe\nee\n\x00\xc3\n" + b"z" * 1_000_000 + b"\n")
    assert done.returncode == 0 and b"Traceback" not in done.stderr and b"1. X plays ee" in done.stdout
    assert b"metatac play --resume" in done.stdout


def test_a_terminal_that_knows_only_ascii_gets_ascii(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    done = run("play", "tic-tac-toe", *PEOPLE, typed=b"a\nb\n")
    assert done.returncode == 0 and done.stdout.isascii() and b"[X]" in done.stdout


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_mistake(closed: str, tmp_path: Path) -> None:
    """Nothing is to be read where standard input is closed, and nobody listens where the others are."""
    told = tmp_path / "told"
    command = f"{sys.executable} -m metatac play ultimate {' '.join(PEOPLE)}"
    shell = f"( {command} {closed}; echo $? > {tmp_path}/code ) > {told} 2>&1"
    subprocess.run(["sh", "-c", shell], input=b"ee\n", check=True, timeout=PATIENCE)
    assert (tmp_path / "code").read_text().strip() == "0" and "Traceback" not in told.read_text()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_disk_that_takes_no_more_of_what_is_told_is_named() -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "metatac", "play", "ultimate", *PEOPLE],
            input=b"ee\n",
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=PATIENCE,
        )
    assert (done.returncode, done.stderr) == (2, b"metatac: standard output: No space left on device\n")


def test_a_reader_who_goes_away_ends_it_quietly_and_the_game_is_kept(data: Path) -> None:
    child = subprocess.Popen(
        [sys.executable, "-m", "metatac", "play", "ultimate", *PEOPLE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert child.stdin is not None and child.stdout is not None and child.stderr is not None
    with child:
        try:
            child.stdin.write(b"ee\n")
            child.stdin.flush()
            while b"1. X plays ee" not in child.stdout.readline():
                assert child.poll() is None
            child.stdout.close()
            child.stdin.write(b"ea\nab\n")
            child.stdin.close()
            errors = child.stderr.read()
            # 1 where Typer notices first.
            assert child.wait(PATIENCE) in (1, 141) and b"Traceback" not in errors
        finally:
            child.kill()
    assert list((data / "saves").glob("*.json"))
