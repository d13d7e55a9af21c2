"""The warden of one bot: starts it, watches what its processes use, and leaves none of them behind.

It is a program of its own and imports nothing of metatac, for it must start in no time. It outlives the referee
if that is killed, just long enough to end the bot: the control socket is at its end then. It reports there, one JSON
object a line: ``{"offence": [reason, detail]}``, then ``{"exit": [kind, number]}``. It is told there, a byte each, when
the bot's turn ends and when it comes; it answers ``{"still": true}`` to the one when nothing of the bot runs any more.
Asked by a third byte, it says so too when all of the bot sleeps by itself: it has got ready then.
"""

import contextlib
import ctypes
import json
import math
import os
import select
import signal
import sys
import time
from collections.abc import Iterable, Iterator
from typing import Any, NoReturn

INTERVAL, AT_REST = 0.025, 0.1
"""Seconds between two looks at the bot's processes, and at those that should stand still: every look takes of the
opponent's time."""

REST, GO, SETTLE = b"z", b"g", b"s"
_MOMENT, _MOMENTS, _AGAIN = 0.00004, 5, 0.001
"""Seconds from a stop to the look whether it has come about, how often so, and seconds until the next stop."""

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
_LINUX = sys.platform.startswith("linux")
_STATE, _PARENT, _GROUP, _TIMES, _THREADS, _RESIDENT = 0, 1, 2, slice(11, 15), 17, 21
"""Fields of /proc/PID/stat, counted from the one after the name; the times include those of children that ended."""
_SETTLED, _SETTLING = 3, 0.002
"""How often in a row all of a bot must be seen asleep to be ready, and seconds between two such looks."""
_WOKEN = 0.05
"""Seconds of processor time that who stands still cannot have taken."""
_STILL = "TtDZX"
"""States of threads that take no processor time, once they were told to stop."""
_PAGE, _TICKS = os.sysconf("SC_PAGE_SIZE"), os.sysconf("SC_CLK_TCK")
_SCRATCH_LOOKS, _MOST_FILES = 10, 20_000
_READY, _IN, _OUT = 7, 8, 9
"""Where a launcher finds the pipes: its own stdin and stdout must not keep the bot's open."""


def main() -> None:
    config: dict[str, Any] = json.loads(sys.argv[1])
    control: int = config["control"]
    os.set_inheritable(control, False)
    libc = ctypes.CDLL(None, use_errno=True)
    if _LINUX:
        # Whatever the bot leaves behind becomes our child, also what it made a daemon.
        libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    _come_first()
    warden = os.getpid()
    bot = os.fork()
    if bot == 0:
        _become(config, libc, warden)
    for fd in (0, 1, config["ready"], *config["keep"]):
        os.close(fd)
    _guard(config, control, bot)


def _come_first(pid: int = 0) -> None:
    """A swarm of processes must not keep us from ending it. Only root may, whom no limit of processes binds."""
    with contextlib.suppress(OSError, AttributeError):
        os.sched_setscheduler(pid, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK, os.sched_param(1))


# -- the bot's side


def _become(config: dict[str, Any], libc: ctypes.CDLL, warden: int) -> NoReturn:
    """In the child: take on the limits and become the bot, or what launches it."""
    try:
        os.setsid()
        if _LINUX:
            libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
            if os.getppid() != warden:
                os._exit(127)
        _limit(config)
        os.chdir(config["cwd"])
        # Python ignores these two, and what is ignored stays so in the program that follows.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        if config["launched"]:
            _set_aside(config["ready"])
        else:
            os.write(config["ready"], b"\n")
            os.close(config["ready"])
        for fd in config["keep"]:
            os.set_inheritable(fd, True)
        os.execvpe(config["argv"][0], config["argv"], config["env"])
    except OSError as error:
        os.write(2, f"cannot run {config['argv'][0]}: {error.strerror}\n".encode())
    os._exit(127)


def _limit(config: dict[str, Any]) -> None:
    import resource

    for name, wanted in config["rlimits"].items():
        number = getattr(resource, f"RLIMIT_{name}")
        hard = resource.getrlimit(number)[1]
        value = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(number, (value, value))
    if os.geteuid() and not config["overhead"]:
        # A last bound for swarms that outrun our looks: it counts all that the user runs, and never binds root.
        mine = min(_threads_of_user() + 9 * config["processes"], resource.getrlimit(resource.RLIMIT_NPROC)[1])
        resource.setrlimit(resource.RLIMIT_NPROC, (mine, mine))
    if config["cores"] and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, config["cores"])


def _threads_of_user() -> int:
    count = 0
    for pid in _processes():
        with contextlib.suppress(OSError):  # it has ended
            if os.stat(f"/proc/{pid}").st_uid == os.getuid() and (fields := _stat(pid)):
                count += int(fields[_THREADS])
    return count


def _set_aside(ready: int) -> None:
    """Move the pipes to the numbers that the launcher hands on, and give it /dev/null instead."""
    import fcntl

    spare = [fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, _OUT + 1) for fd in (ready, 0, 1)]
    for fd, place in zip(spare, (_READY, _IN, _OUT), strict=True):
        os.dup2(fd, place)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)


# -- the warden's side


def _guard(config: dict[str, Any], control: int, bot: int) -> None:
    """Wait for the bot's end or the referee's, ending the bot when it takes too much."""
    poller = select.poll()
    poller.register(control, select.POLLIN)
    if hasattr(os, "pidfd_open"):
        with contextlib.suppress(OSError):
            poller.register(os.pidfd_open(bot), select.POLLIN)
    tree = Tree(os.getpid())
    watch = Watch(tree, config)
    turns = Turns(tree, control, bot if config["overhead"] else None)
    launcher: list[str] = []
    status: int | None = None
    look_at = time.monotonic() + INTERVAL
    while status is None:
        if len(launcher) < config["overhead"]:
            launcher = tree.pids()[: config["overhead"]]
            for pid in launcher:
                _come_first(int(pid))
        wait = min(look_at, turns.due) - time.monotonic()
        ready = {fd for fd, _ in poller.poll(max(0.0, wait) * 1000)}
        referee_gone = control in ready and not turns.hear()
        now = time.monotonic()
        if now >= turns.due:
            turns.act()
        if ready <= {control} and not referee_gone and now < look_at:
            continue
        look_at = now + (AT_REST if turns.still else INTERVAL)
        status = _reap(bot)
        offence = None if status is not None else turns.offence() if turns.still else watch.offence()
        if offence is not None:
            _report(control, offence=offence)
        if offence is not None or referee_gone:
            break
    if status is None:  # else its number is free, and may be another's
        _signal([*launcher, str(bot)], signal.SIGKILL)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(bot, signal.SIGKILL)
    if _LINUX:
        _clear(tree, bot, config["overhead"] > 0)
    status = _reap(bot) if status is None else status
    _report(control, exit=_ending(status, config["overhead"] > 0))
    if config["scratch"] is not None:
        import shutil

        shutil.rmtree(config["scratch"], ignore_errors=True)


_ended: dict[int, int] = {}


def _reap(bot: int) -> int | None:
    """Collect whoever has ended; the bot's status if it is known."""
    with contextlib.suppress(ChildProcessError):
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                break
            _ended[pid] = status
    return _ended.get(bot)


def _clear(tree: "Tree", bot: int, within: bool) -> None:
    """End every process of the bot, and return when none is left."""
    while True:
        # In a namespace all end with its first, which does not always end with its launcher: it may have asked for
        # that too late. Else they are stopped before they are ended, all of them, so that none makes new ones
        # meanwhile: they cannot be more than the limit of processes allows.
        found: set[str] = set()
        while more := set(tree.pids()) - found:
            _signal(more, signal.SIGKILL if within else signal.SIGSTOP)
            found |= more
        _signal(found, signal.SIGKILL)
        try:
            pid, status = os.waitpid(-1, 0)
        except ChildProcessError:
            return
        _ended[pid] = status
        _reap(bot)


def _signal(pids: Iterable[str], number: int) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(int(pid), number)


def _ending(status: int | None, stays: bool) -> list[Any]:
    if status is None:
        return ["signal", int(signal.SIGKILL)]
    if os.WIFSIGNALED(status):
        return ["signal", os.WTERMSIG(status)]
    code = os.WEXITSTATUS(status)
    # A launcher that stays passes a signal on as a shell does.
    return ["signal", code - 128] if stays and 128 < code <= 192 else ["status", code]


def _report(control: int, **news: Any) -> None:
    with contextlib.suppress(OSError):  # the referee may be gone
        os.write(control, json.dumps(news).encode() + b"\n")


class Tree:
    """The processes below one, followed through /proc. New ones are read once to see whose they are."""

    def __init__(self, root: int) -> None:
        self._root = root
        self._seen: dict[str, bool] = {str(root): False}

    def pids(self) -> list[str]:
        present, seen = _processes(), self._seen
        for pid in seen.keys() - present:
            del seen[pid]
        stats = {pid: _stat(pid) for pid in sorted(present - seen.keys(), key=int)}
        parents = {pid: fields[_PARENT] for pid, fields in stats.items() if fields is not None}
        for pid in parents:
            self._place(pid, parents)
        return [pid for pid, ours in seen.items() if ours]

    def stats(self) -> dict[str, list[str]]:
        """All of them with their fields. As long as none has threads, nobody else's processes need to be read."""
        found: dict[str, list[str]] = {}
        line = [str(self._root)]
        try:
            for pid in line:
                line += _read(f"/proc/{pid}/task/{pid}/children").decode().split()
            found = {pid: fields for pid in line[1:] if (fields := _stat(pid)) is not None}
        except OSError:  # one has ended meanwhile, or this kernel does not tell
            line = []
        # Children change from thread to thread when one ends, and could be missed.
        if not line or any(fields[_THREADS] != "1" for fields in found.values()):
            found = {pid: fields for pid in self.pids() if (fields := _stat(pid)) is not None}
        return found

    def _place(self, pid: str, parents: dict[str, str]) -> None:
        """Note whose a new process is, and before it whose those above it are.

        A parent is older than its child, but its number may be the larger one: they begin again when they are used up.
        """
        line = [pid]
        while line[-1] in parents and line[-1] not in self._seen and len(line) <= len(parents):
            line.append(parents[line[-1]])
        top = line.pop()
        if top in self._seen or top == "0":  # else its parent has just ended, and the next look shows another
            for one in reversed(line):
                self._seen[one] = top == str(self._root) or self._seen.get(top, False)


class Turns:
    """Stops a bot's processes while it is not its turn: they take nothing of its opponent's time.

    By groups, for no group outruns a signal; in a sandbox a bot is one, and its launcher another. A stop is done when
    every thread has come to it, which takes a swarm a while; the referee waits for that on the bot's own time.
    """

    def __init__(self, tree: Tree, control: int, launcher: int | None) -> None:
        self._tree, self._control, self._launcher = tree, control, str(launcher)
        self._stopped: set[str] = set()
        self.still = False
        """Whether all of the bot is stopped."""
        self._spent = 0.0
        """The processor time that it had taken then."""
        self._asleep = 0
        self.act = self.stop
        """What the referee has asked for, to be tried until it has come about."""
        self.due = math.inf
        """When to try that."""

    def hear(self) -> bool:
        """Take in what the referee says; False when it is gone."""
        try:
            said = os.read(self._control, 64)
        except ConnectionResetError:  # it went without reading all that we reported
            return False
        if said.endswith((REST, SETTLE)):
            self.act = self.stop if said.endswith(REST) else self.settle
            self.due, self._asleep = time.monotonic(), 0
        elif said.endswith(GO):
            self.due, self.still = math.inf, False
            self._send(self._stopped, signal.SIGCONT)
            self._stopped = set()
        return bool(said)

    def stop(self) -> None:
        """Stop what there is, again if need be: somebody may have been missed who had left for a group of its own."""
        stats = self._stats()
        groups = {fields[_GROUP] for fields in stats.values()}
        self._send(groups, signal.SIGSTOP)
        self._stopped |= groups
        # Whoever slept and has one thread does nothing more of its own. The threads of others run until one of
        # them, perhaps the last to get its turn, has taken the signal.
        still = all(fields[_STATE] == "S" and fields[_THREADS] == "1" for fields in stats.values())
        for _ in range(0 if still else _MOMENTS):
            time.sleep(_MOMENT)  # no event tells when grandchildren have stopped
            if still := all(map(_stands, stats)):
                break
        if still:
            self.due, self.still = math.inf, bool(stats)
            self._spent = _seconds(stats.values())
            _report(self._control, still=True)
        else:
            self.due = time.monotonic() + _AGAIN

    def offence(self) -> tuple[str, str] | None:
        """A timer of its own may wake what was stopped. It is told by the time that it takes: to come to a stop it must
        run, too, and on a busy machine it may wait long for that."""
        stats = self._stats()
        ran = _seconds(stats.values()) - self._spent
        if ran > _WOKEN:
            return "tampering", f"it went on while it was not its turn: {ran:.2f} s of processor time"
        if not all(map(_stands, stats)):
            self._send(self._stopped, signal.SIGSTOP)
        return None

    def settle(self) -> None:
        """See whether the bot has got ready: all its threads wait, and go on waiting, for somebody else."""
        asleep = all(fields[_STATE] == "S" for pid in self._stats() for fields in _threads(pid))
        self._asleep = self._asleep + 1 if asleep else 0
        self.due = time.monotonic() + _SETTLING
        if self._asleep == _SETTLED:
            self.due = math.inf
            _report(self._control, still=True)

    def _stats(self) -> dict[str, list[str]]:
        """What is known of the bot's processes, without its launcher."""
        stats = self._tree.stats()
        return {pid: fields for pid, fields in stats.items() if fields[_GROUP] != self._launcher}

    @staticmethod
    def _send(groups: Iterable[str], number: int) -> None:
        for group in groups:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(int(group), number)


def _seconds(stats: Iterable[list[str]]) -> float:
    """The processor time of processes, with those of their children that ended."""
    return sum(int(ticks) for fields in stats for ticks in fields[_TIMES]) / _TICKS


def _stands(pid: str) -> bool:
    """Whether no thread of a process runs, after it was stopped.

    One in the kernel's hands (D) stops when it leaves them; one that waits there for a child to become another program
    does so until that child, which was stopped too, goes on.
    """
    fields = _stat(pid)
    if fields is None or fields[_THREADS] == "1":
        return fields is None or fields[_STATE] in _STILL
    return all(fields[_STATE] in _STILL for fields in _threads(pid))


class Watch:
    """Looks at what the processes of a tree use, against what they may."""

    def __init__(self, tree: Tree, config: dict[str, Any]) -> None:
        self._tree, self._config = tree, config
        self._looks = 0

    def offence(self) -> tuple[str, str] | None:
        """What they have taken too much of, as a reason and its detail."""
        pids, allowed = self._tree.pids(), self._config["processes"]
        count = len(pids) - self._config["overhead"]
        if count > allowed:
            return "forbidden call", f"{count} processes at once; {allowed} are allowed"
        stats = [fields for pid in pids if (fields := _stat(pid)) is not None]
        threads = sum(int(fields[_THREADS]) for fields in stats)
        if threads > 8 * allowed:
            return "forbidden call", f"{threads} threads at once; {8 * allowed} are allowed"
        seconds = _seconds(stats)
        if seconds > self._config["cpu"]:
            return "overrun", f"{seconds:.1f} s of processor time; {self._config['cpu']:g} s are allowed"
        memory, resident = self._config["memory"], sum(int(fields[_RESIDENT]) for fields in stats) * _PAGE
        if resident > memory:
            resident = _shared_once(pids, resident)
        if resident > memory:
            return "memory", f"{resident >> 20} MiB resident; {memory >> 20} MiB are allowed"
        self._looks += 1
        return self._hoard(pids) if self._looks % _SCRATCH_LOOKS == 0 else None

    def _hoard(self, pids: list[str]) -> tuple[str, str] | None:
        """Too much in the scratch folder. Where it is in memory its size has a bound, the number of files has none."""
        scratch, most, size = self._config["scratch"], self._config["scratch_limit"], 0
        if scratch is None:
            files = _files_within(pids)
        else:
            files, size = _measure(scratch)
        if size > most:
            return "memory", f"{size >> 20} MiB in its scratch folder; {most >> 20} MiB are allowed"
        if files > _MOST_FILES:
            return "memory", f"more than {_MOST_FILES} files in its scratch folder"
        return None


def _measure(folder: str) -> tuple[int, int]:
    """How many files there are below a folder, counted no further than matters, and their size on disk."""
    files = size = 0
    folders = [folder]
    while folders and files <= _MOST_FILES:
        try:
            entries = list(os.scandir(folders.pop()))
        except OSError:  # it was removed meanwhile
            continue
        for entry in entries:
            with contextlib.suppress(OSError):
                size += entry.stat(follow_symlinks=False).st_blocks * 512
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
        files += len(entries)
    return files, size


def _files_within(pids: list[str]) -> int:
    """The files on the memory disks inside the sandbox, /tmp and /dev/shm, as far as the kernel lets us look."""
    files = 0
    for pid in pids[-1:]:
        for folder in ("tmp", "dev/shm"):
            with contextlib.suppress(OSError):
                disk = os.statvfs(f"/proc/{pid}/root/{folder}")
                files += disk.f_files - disk.f_ffree
    return files


def _processes() -> set[str]:
    try:
        return {name for name in os.listdir("/proc") if name.isdecimal()}
    except OSError:  # no Linux
        return set()


def _stat(pid: str) -> list[str] | None:
    """The fields of /proc/PID/stat after the name, or None when it has ended.

    A process outlives its first thread, for which alone the state and the memory in that file are.
    """
    fields = _fields(f"/proc/{pid}/stat")
    if fields is None or fields[_STATE] != "Z":
        return fields
    alive = next((other for other in _threads(pid) if other[_STATE] != "Z"), None)
    if alive is not None:
        fields[_STATE], fields[_RESIDENT] = alive[_STATE], alive[_RESIDENT]
    return None if alive is None else fields


def _threads(pid: str) -> Iterator[list[str]]:
    """The fields of each thread of a process."""
    with contextlib.suppress(OSError):  # it has ended
        for thread in os.listdir(f"/proc/{pid}/task"):
            if (fields := _fields(f"/proc/{pid}/task/{thread}/stat")) is not None:
                yield fields


def _fields(path: str) -> list[str] | None:
    """The fields of such a file after the name, or None when it is gone."""
    try:
        text = _read(path)
    except OSError:
        return None
    return text[text.rindex(b")") + 2 :].decode("ascii", "replace").split()


def _read(path: str) -> bytes:
    with open(path, "rb", buffering=0) as file:
        return file.read(1 << 16)


def _shared_once(pids: list[str], otherwise: int) -> int:
    """The memory of several processes with what they share counted once, as far as the kernel tells."""
    total = 0
    for pid in pids:
        try:
            with open(f"/proc/{pid}/smaps_rollup", "rb") as file:
                lines = [line for line in file if line.startswith(b"Pss:")]
        except OSError:
            if _stat(pid) is not None:
                return otherwise
            continue
        total += sum(int(line.split()[1]) << 10 for line in lines)
    return total


if __name__ == "__main__":
    main()
