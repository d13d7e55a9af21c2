"""One bot as a process: lines go in, lines come out, and every way to misbehave has a name.

The process is never waited for without an end, never trusted to read, and never left behind. Whatever it does, the
answer is a line or an ``Offence``, after which it is dead and every further call repeats the offence.
"""

import contextlib
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from metatac.errors import IsolationError
from metatac.match import Offence
from metatac.players.bots.isolation import Level
from metatac.players.bots.launch import PATIENCE, launch
from metatac.players.bots.limits import Limits
from metatac.players.bots.view import Bot
from metatac.players.bots.warden import GO, REST, SETTLE

GRACE = 10.0
"""How long after the end of its output a bot's own end is waited for, if it has so much time."""

KEPT = 8 << 10
"""So many bytes of the end of stderr are kept."""

_CHUNK = 64 << 10
_MAIL = 1 << 20
_QUOTED = 1500
"""So many characters of it go into the reason of a forfeit."""


class BotProcess:
    """A bot's process. ``folder`` is all that it sees of the user's files: a folder, or one file alone."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        folder: Path,
        limits: Limits | None = None,
        isolation: Level = Level.NONE,
        env: Mapping[str, str] | None = None,
        readable: Sequence[Path] = (),
        builds: bool = False,
    ) -> None:
        self.limits = limits or Limits()
        self.level = isolation
        self._bot = Bot(tuple(command), folder.absolute(), self.limits, tuple(readable), builds)
        self.ready_by = 0.0
        self.exit_status: str | None = None
        self._env = dict(env or {})
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._offence: Offence | None = None
        self._closed = False
        self._buried = False
        self._lines: list[bytes] = []
        self._half = self._news = b""
        self._mail, self._tail = bytearray(), bytearray()
        self._mute = False
        self._mute_by: float | None = None
        self._signal: int | None = None
        self._seen: tuple[str, str] | None = None
        self._resting = self._still = False
        self._written = {"stdout": 0, "stderr": 0}

    # -- its life

    def start(self) -> None:
        """Start the program; its start-up allowance begins when it has begun to run."""
        if self._process is not None:
            raise IsolationError(f"{self._bot.command[0]} was started already")
        with self._lock:
            self._process, self._control, self._scratch = launch(self._bot, self.level, self._env)
            pipes = (self._process.stdin, self._process.stdout, self._process.stderr)
            self._in, self._out, self._err = (pipe.fileno() for pipe in pipes if pipe is not None)
            for fd in (self._in, self._out, self._err):
                os.set_blocking(fd, False)
            self._poll = select.poll()
            for fd in (self._out, self._err, self._control.fileno()):
                self._poll.register(fd, select.POLLIN)
        self.ready_by = time.monotonic() + self.limits.startup

    def close(self) -> None:
        """End the program with everything that it started, and wait until it is gone."""
        self._closed = True
        if self._process is None:
            return
        with contextlib.suppress(OSError):  # closed before
            self._control.shutdown(socket.SHUT_WR)
        with self._lock:
            self._bury()

    def __enter__(self) -> "BotProcess":
        self.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    @property
    def stderr(self) -> str:
        """The end of what it wrote to stderr, safe to show."""
        return printable(self._tail.decode("utf-8", "replace"))

    # -- the conversation

    def send(self, line: str) -> None:
        """Send a line, or as much of it as the bot reads now; the rest follows while its answer is waited for."""
        with self._lock:
            self._check()
            self._tell(rest=False)
            self._written = {"stdout": 0, "stderr": 0}
            self._mail += line.encode() + b"\n"
            if len(self._mail) > _MAIL:
                self._condemn("overrun", "it does not read what it is sent")
            self._post()

    def rest(self, deadline: float | None = None) -> None:
        """It is not its turn: all that it runs is stopped until something is sent, and waited for on its own time.

        Offence if it cannot be stopped by the moment ``deadline``; one that has ended stands still.
        """
        by = time.monotonic() + PATIENCE if deadline is None else deadline
        with self._lock:
            self._tell(rest=True)
            while self._resting and not self._still and not self._buried:
                if not self._await(by):
                    self._condemn("overrun", "it answered, but what it runs could not be stopped in time")

    def settle(self, deadline: float) -> None:
        """Wait until all that it runs sleeps by itself, as who is ready and waits for its input; at most until then."""
        with self._lock:
            self._still = False
            self._say(SETTLE)
            while not self._still and not self._buried and self._await(deadline):
                continue

    def _tell(self, *, rest: bool) -> None:
        """Have the warden stop the bot, or let it go on."""
        if rest == self._resting or self._process is None or self._buried:
            return
        self._resting, self._still = rest, False
        self._say(REST if rest else GO)

    def _say(self, word: bytes) -> None:
        with contextlib.suppress(OSError):  # the warden is gone, and that is seen by whoever reads
            self._control.send(word)

    def read_line(self, deadline: float | None = None) -> str:
        """The next line of its stdout, without its end, by the moment ``deadline`` of ``time.monotonic``."""
        with self._lock:
            while not self._lines:
                self._check()
                if self._mute and self._mute_by is None:
                    self._mute_by = _patience(deadline)
                if not self._await(deadline if self._mute_by is None else self._mute_by):
                    self._too_late()
            return self._decoded(self._lines.pop(0))

    def check_silent(self) -> None:
        """Offence where there is output that nobody asked for."""
        with self._lock:
            self._check()
            self._await(0.0)
            text = b"\n".join([*self._lines, self._half]).strip()
            if text:
                self._condemn("garbage", f"output that nobody asked for: {_quoted(text)}")

    def _check(self) -> None:
        if self._offence is not None:
            raise self._offence
        if self._process is None or self._closed:
            raise Offence("crash", "the bot is not running")

    def _too_late(self) -> NoReturn:
        if self._mute:
            self._condemn("crash", "it closed its output and went on running")
        half = f"; it had written {_quoted(self._half)}" if self._half else ""
        self._condemn("overrun", f"no line of output in time{half}")

    def _condemn(self, reason: str, detail: str) -> NoReturn:
        """The bot has lost: end it, and say why with the end of its stderr."""
        self._bury()
        if reason == "overrun" and self._seen is not None:  # what the warden saw in its last look is why it was late
            reason, detail = self._seen
        self._offence = self._with_stderr(reason, detail)
        raise self._offence

    def _with_stderr(self, reason: str, detail: str) -> Offence:
        return Offence(reason, f"{detail}\n{self.stderr[-_QUOTED:]}".strip())

    def _decoded(self, line: bytes) -> str:
        if b"\0" in line:
            self._condemn("garbage", f"a line with a zero byte: {_quoted(line)}")
        try:
            return line.decode().removesuffix("\r")
        except UnicodeDecodeError:
            self._condemn("garbage", f"a line that is not UTF-8: {_quoted(line)}")

    # -- the pipes

    def _await(self, deadline: float | None) -> bool:
        """Let the pipes move once; False if nothing happened until the deadline."""
        timeout = None if deadline is None else max(0.0, deadline - time.monotonic()) * 1000
        ready = {fd for fd, _ in self._poll.poll(timeout)}
        if self._in in ready:
            self._post()
        if self._out in ready:
            self._hear()
        if self._err in ready:
            self._log()
        if self._control.fileno() in ready:  # last: after it there may be no pipes any more
            self._listen()
        return bool(ready)

    def _post(self) -> None:
        """Write what the bot takes. Its input is watched only while there is something to write."""
        waits = bool(self._mail)
        try:
            while self._mail:
                del self._mail[: os.write(self._in, self._mail[:_CHUNK])]
        except BlockingIOError:
            self._poll.register(self._in, select.POLLOUT)
            return
        except BrokenPipeError:  # it closed its input; whether that matters is seen by its answers
            self._mail.clear()
        if waits:
            with contextlib.suppress(KeyError):  # it was not watched
                self._poll.unregister(self._in)

    def _hear(self) -> None:
        data = os.read(self._out, _CHUNK)
        if not data:
            self._mute = True
            self._poll.unregister(self._out)
        self._written["stdout"] += len(data)
        self._take_in(data)
        if self._written["stdout"] > self.limits.output:
            self._condemn("garbage", f"more than {self.limits.output} bytes of output for one request")

    def _take_in(self, data: bytes) -> None:
        *lines, half = (self._half + data).split(b"\n")
        self._lines += lines
        self._half = half
        longest = max((*lines, half), key=len)
        if len(longest) > self.limits.line:
            self._condemn("garbage", f"a line longer than {self.limits.line} bytes: {_quoted(longest)}")

    def _log(self) -> None:
        data = os.read(self._err, _CHUNK)
        if not data:
            self._poll.unregister(self._err)
        self._keep(data)
        self._written["stderr"] += len(data)
        if self._written["stderr"] > self.limits.errors:
            self._condemn("garbage", f"more than {self.limits.errors} bytes to stderr for one request")

    def _keep(self, data: bytes) -> None:
        self._tail += data
        del self._tail[:-KEPT]

    # -- its end

    def _listen(self) -> None:
        """Hear the warden: an offence that it saw, or the bot's end."""
        if not self._report() and self.exit_status is None:
            self.exit_status = "unknown"
            self._condemn("tampering", "the process that watches over it was killed")
        if self._seen is not None:
            self._condemn(*self._seen)
        if self.exit_status is not None:
            self._ended()

    def _report(self) -> bool:
        """Take in what the warden reports; False when it is gone."""
        try:
            data = self._control.recv(_CHUNK)
        except ConnectionResetError:  # it went without hearing all that we said
            data = b""
        *news, self._news = (self._news + data).split(b"\n")
        for line in news:
            said: dict[str, Any] = json.loads(line)
            if "offence" in said:
                self._seen = tuple(said["offence"])
            elif "still" in said:
                self._still = True
            else:
                kind, number = said["exit"]
                self._signal = number if kind == "signal" else None
                self.exit_status = _signal_name(number) if kind == "signal" else f"exit status {number}"
        return bool(data)

    def _ended(self) -> None:
        """The bot has ended: whole lines still count, then its end is its offence."""
        with contextlib.suppress(BlockingIOError):
            while self._written["stdout"] <= self.limits.output and (data := os.read(self._out, _CHUNK)):
                self._written["stdout"] += len(data)
                self._take_in(data)
        self._bury()
        self._offence = self._with_stderr(*self._judged())

    def _judged(self) -> tuple[str, str]:
        if self._signal == getattr(signal, "SIGSYS", -1):
            thread = ", or for a thread" if self.limits.strict else ""
            what = f"one for the network, other processes or the system{thread}"
            return "forbidden call", f"it made a system call that bots may not make: {what}"
        if self.exit_status == "exit status 0" and self._half.strip():
            return "garbage", f"it wrote half a line, {_quoted(self._half)}, and ended"
        return "crash", f"it ended with {self.exit_status}"

    def _bury(self) -> None:
        """End the warden and with it the bot; what is left of its stderr is kept."""
        if self._process is None or self._buried:
            return
        self._buried = True
        with contextlib.suppress(OSError):  # the warden may have gone first
            self._control.shutdown(socket.SHUT_WR)
        self._control.settimeout(PATIENCE)
        try:
            while self._report():
                pass
        except TimeoutError:
            self._process.kill()
        self._process.wait()
        self._last_words()
        if self._scratch is not None:  # the warden does it, if it lived
            shutil.rmtree(self._scratch, ignore_errors=True)
        self._control.close()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            assert pipe is not None
            pipe.close()

    def _last_words(self) -> None:
        """The end of stderr: the pipe holds no more than its size, and nobody writes any more."""
        with contextlib.suppress(BlockingIOError):
            while data := os.read(self._err, _CHUNK):
                self._keep(data)


def _patience(deadline: float | None) -> float:
    """How long the end of a bot whose output has ended is waited for: not past its time, if that can be."""
    now = time.monotonic()
    return now + GRACE if deadline is None else min(now + GRACE, max(now + 0.1, deadline - 0.2))


def _signal_name(number: int) -> str:
    try:
        return f"signal {signal.Signals(number).name}"
    except ValueError:
        return f"signal {number}"


def printable(text: str) -> str:
    """The text without what could play tricks on a terminal."""
    return "".join(char if char.isprintable() or char in "\n\t" else "?" for char in text)


def _quoted(data: bytes) -> str:
    text = ascii(data[:80].decode("utf-8", "replace"))
    return f"{text}…" if len(data) > 80 else text
