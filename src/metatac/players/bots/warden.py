"""The warden of one bot: starts it, watches what its processes use, and leaves none of them behind.

It is a program of its own and imports nothing of metatac, for it must start in no time. It outlives the referee
if that is killed, just long enough to end the bot: the control socket is at its end then. It reports there, one JSON
object a line: ``{"offence": [reason, detail]}``, then ``{"exit": [kind, number]}``.
"""

import contextlib
import ctypes
import json
import os
import select
import signal
import sys
from typing import Any, NoReturn

INTERVAL = 0.025
"""Seconds between two looks at the bot's processes."""

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
_LINUX = sys.platform.startswith("linux")
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
    with contextlib.suppress(OSError):  # only root may; a swarm of processes must not keep us from ending it
        os.setpriority(os.PRIO_PROCESS, 0, -10)
    warden = os.getpid()
    bot = os.fork()
    if bot == 0:
        _become(config, libc, warden)
    for fd in (0, 1, config["ready"], *config["keep"]):
        os.close(fd)
    _guard(config, control, bot)


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
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, 0, 0)
    if config["cores"] and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, config["cores"])


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
    status: int | None = None
    while status is None:
        ready = {fd for fd, _ in poller.poll(INTERVAL * 1000)}
        status = _reap(bot)
        offence = None if status is not None else tree.offence(config)
        if offence is not None:
            _report(control, offence=offence)
        if offence is not None or control in ready:
            break
    _clear(tree, bot)
    if status is None:
        status = _reap(bot)
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


def _clear(tree: "Tree", bot: int) -> None:
    """End every process of the bot, and return when none is left."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(bot, signal.SIGKILL)
    if not _LINUX:
        return
    while True:
        # Stopped first, so that none makes new ones while the others are being ended.
        for sign in (signal.SIGSTOP, signal.SIGKILL):
            for pid in tree.pids():
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, sign)
        try:
            pid, status = os.waitpid(-1, 0)
        except ChildProcessError:
            return
        _ended[pid] = status


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
        self._page = os.sysconf("SC_PAGE_SIZE")

    def pids(self) -> list[int]:
        return [int(pid) for pid in self._numbers()]

    def _numbers(self) -> list[str]:
        try:
            present = {name for name in os.listdir("/proc") if name.isdecimal()}
        except OSError:  # no Linux
            return []
        seen = self._seen
        for pid in seen.keys() - present:
            del seen[pid]
        # A parent is older than its child, and its number smaller but for a turn of the counter.
        for pid in sorted(present - seen.keys(), key=int):
            fields = _stat(pid)
            if fields is not None:
                parent = fields[1]
                seen[pid] = parent == str(self._root) or seen.get(parent, False)
        return [pid for pid, ours in seen.items() if ours]

    def offence(self, config: dict[str, Any]) -> list[str] | None:
        """What the processes have taken too much of, as a reason and its detail."""
        pids = self._numbers()
        count = len(pids) - config["overhead"]
        if count > config["processes"]:
            return ["forbidden call", f"{count} processes at once; {config['processes']} are allowed"]
        threads = resident = 0
        for pid in pids:
            fields = _stat(pid)
            if fields is not None:
                threads += int(fields[17])
                resident += int(fields[21]) * self._page
        if threads > 8 * config["processes"]:
            return ["forbidden call", f"{threads} threads at once; {8 * config['processes']} are allowed"]
        if resident > config["memory"]:
            resident = _shared_once(pids, resident)
        if resident > config["memory"]:
            return ["memory", f"{resident >> 20} MiB resident; {config['memory'] >> 20} MiB are allowed"]
        return None


def _stat(pid: str) -> list[str] | None:
    """The fields of /proc/PID/stat after the name, or None when it has ended."""
    try:
        with open(f"/proc/{pid}/stat", "rb", buffering=0) as file:
            text = file.read(1024)
    except OSError:
        return None
    fields = text[text.rindex(b")") + 2 :].decode("ascii", "replace").split()
    return None if fields[0] == "Z" else fields


def _shared_once(pids: list[str], otherwise: int) -> int:
    """The memory of several processes with what they share counted once, as far as the kernel tells."""
    total = 0
    for pid in pids:
        try:
            with open(f"/proc/{pid}/smaps_rollup", "rb") as file:
                lines = [line for line in file if line.startswith(b"Pss:")]
        except ProcessLookupError:
            continue
        except OSError:
            return otherwise
        total += sum(int(line.split()[1]) << 10 for line in lines)
    return total


if __name__ == "__main__":
    main()
