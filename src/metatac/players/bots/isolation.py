"""How far a bot is shut in: what was asked for, what the machine really does, and the command that does it.

- ``full``: bubblewrap gives it namespaces of its own and a file system with nothing of the user's but its folder,
  and a filter forbids system calls.
- ``limited``, where namespaces are refused: Landlock hides the files, and the filter does the rest.
- ``none``: the bot is only watched.
"""

import enum
import functools
import json
import os
import shutil
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from metatac import machine
from metatac.errors import IsolationError
from metatac.players.bots.seccomp import bot_filter, machine_known
from metatac.players.bots.view import DEVICES, PACKAGE, PROC, Bot, granted, system_paths

_CONFINE = Path(__file__).with_name("confine.py")

# The pipes lie where the warden has put them, for bubblewrap's own processes would keep stdin and stdout open.
# The number of processes and threads, which never binds root, is counted afresh in a namespace. It is a little more
# than the warden allows, so that it is the warden who says so. Shells differ in its letter.
_RUN = 'ulimit -u {0} 2>&- || ulimit -p {0} 2>&-; echo >&7; exec "$0" "$@" <&8 >&9 7>&- 8<&- 9>&-'


_PAUSES = (0.0, 0.2, 1.0)
"""Seconds before each trial."""


class Level(enum.IntEnum):
    """From nothing to everything."""

    NONE = 0
    LIMITED = 1
    FULL = 2

    def __str__(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Plan:
    """A command that runs a bot at some level."""

    argv: list[str]
    cwd: str
    launched: bool = False
    """Whether the command is a launcher, which finds the bot's pipes set aside."""
    overhead: int = 0
    """How many processes of the launcher's stay beside the bot."""


# -- what can be reached


def reach(wanted: str) -> Level:
    """The level for ``auto``, ``full``, ``limited`` or ``none``; IsolationError where the machine offers less.

    A machine that offers more than was asked for gives it.
    """
    if wanted == "none":
        return Level.NONE
    if wanted not in ("auto", "limited", "full"):
        raise IsolationError(f"isolation={wanted[:40]!r} is none of auto, full, limited and none")
    obstacles = {level: obstacle(level) for level in (Level.FULL, Level.LIMITED)}
    best = next((level for level, reason in obstacles.items() if reason is None), Level.NONE)
    if wanted != "auto" and best < Level[wanted.upper()]:
        reason = obstacles[Level[wanted.upper()]]
        raise IsolationError(f"isolation={wanted} is out of reach here ({reason}); the best is isolation={best}")
    return best


@functools.cache
def obstacle(level: Level) -> str | None:
    """Why this machine does not offer the level, found by trying it; None if it does."""
    if level is Level.NONE:
        return None
    wants: tuple[Callable[[], machine.Offer], ...] = (machine.seccomp,)
    wants += (machine.bubblewrap,) if level is Level.FULL else (machine.landlock,)
    for offer in (want() for want in wants):
        if not offer.works:
            return f"{offer.name}: {offer.detail}"
    if not machine_known():
        return "no table of system calls for this machine"
    for pause in _PAUSES:  # what is found is believed from then on, and it may only have been a bad moment
        time.sleep(pause)
        reason = trial(level)
        if reason is None:
            break
    return reason


def trial(level: Level) -> str | None:
    """Run the smallest of programs exactly as a bot is run; why that does not work."""
    from metatac.match import Offence
    from metatac.players.bots.process import BotProcess

    process = BotProcess(["/bin/sh", "-c", "echo ready"], folder=PACKAGE, isolation=level)
    try:
        with process:
            return None if process.read_line(process.ready_by) == "ready" else "a trial said something else"
    except (Offence, IsolationError) as error:
        return f"a trial failed: {error}"


def describe(level: Level) -> str:
    """The level in words, for people who should know what they rely on."""
    return {
        Level.FULL: "full isolation (bubblewrap namespaces, system call filter, limits)",
        Level.LIMITED: "limited isolation (Landlock, system call filter, limits; no namespaces)",
        Level.NONE: "no isolation (only time, memory and processes are watched)",
    }[level]


# -- how it is done


def filter_for(level: Level, strict: bool) -> bytes | None:
    """The system call filter of the level, or None."""
    if level is Level.NONE:
        if strict:
            raise IsolationError("strict bots need isolation: without it nobody sees their system calls")
        return None
    # Nothing bounds how many processes root has, and without a namespace a swarm of them cannot be caught.
    forks = level is Level.FULL or os.geteuid() != 0
    return bot_filter(strict=strict, namespaces=level is Level.FULL, forks=forks)


def plan_for(bot: Bot, level: Level, scratch: str | None, filters: list[int]) -> Plan:
    """The command that runs the bot at this level, with the descriptor that its filter is read from."""
    if level is Level.FULL:
        return Plan(_bubblewrap(bot, filters[0]), "/", launched=True, overhead=2)
    if level is Level.LIMITED:
        return Plan(_confine(bot, scratch, filters[0]), str(bot.home), launched=True)
    return Plan([*bot.command], str(bot.home))


def _bubblewrap(bot: Bot, rules: int) -> list[str]:
    size = str(bot.limits.scratch)
    argv = [shutil.which("bwrap") or "bwrap"]
    argv += ["--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"]
    argv += ["--unshare-cgroup-try", "--uid", "1000", "--gid", "1000", "--cap-drop", "ALL", "--hostname", "bot"]
    argv += ["--die-with-parent", "--new-session"]
    for path in system_paths():
        link = path.is_symlink()
        argv += ["--symlink", str(path.readlink()), str(path)] if link else ["--ro-bind", str(path), str(path)]
    # Root's settings in /proc/sys obey root even in a namespace, whatever its capabilities.
    argv += ["--proc", "/proc", "--remount-ro", "/proc"]
    argv += ["--dev", "/dev", "--size", size, "--tmpfs", "/dev/shm", "--remount-ro", "/dev"]
    # The scratch folder comes before what lies in it: the bot's own folder may be below /tmp.
    argv += ["--size", size, "--tmpfs", "/tmp"]
    for path in granted(bot):
        argv += ["--bind" if bot.builds and path == bot.folder else "--ro-bind", str(path), str(path)]
    argv += ["--remount-ro", "/", "--chdir", str(bot.home), "--seccomp", str(rules)]
    return [*argv, "--", "/bin/sh", "-c", _RUN.format(9 * bot.limits.processes), *bot.command]


def _confine(bot: Bot, scratch: str | None, rules: int) -> list[str]:
    paths = {
        "read": [str(path) for path in (*system_paths(), *map(Path, DEVICES), *granted(bot))],
        # Only the names: Python looks for a module by listing the folder that it lies in.
        "list": [str(PACKAGE.parent)],
        "write": [scratch, *([str(bot.folder)] if bot.builds else [])],
        "proc": PROC,
    }
    return [sys.executable, "-I", "-S", str(_CONFINE), str(rules), json.dumps(paths), *bot.command]
