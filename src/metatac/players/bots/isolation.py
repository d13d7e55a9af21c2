"""How far a bot is shut in: what was asked for, what the machine really does, and the command that does it.

- ``full``: bubblewrap gives it namespaces of its own and a file system with nothing of the user's but its folder,
  and a filter forbids system calls.
- ``limited``, where namespaces are refused: Landlock hides the files, and the filter does the rest.
- ``none``: the bot is only watched.
"""

import enum
import functools
import json
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from metatac import machine
from metatac.errors import IsolationError
from metatac.players.bots.limits import Limits
from metatac.players.bots.seccomp import bot_filter, machine_known

_CONFINE = Path(__file__).with_name("confine.py")
_PACKAGE = Path(__file__).parents[2]

_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix/store", "/gnu/store")
# Of /etc only what programs need to start: it holds secrets, too.
_ETC = ("ld.so.*", "alternatives", "java*", "mono", "python*", "perl", "localtime", "ssl/openssl.cnf")
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
_PROC = ("cpuinfo", "meminfo", "stat", "version", "uptime", "loadavg", "filesystems", "sys/vm", "sys/kernel")

# The pipes lie where the warden has put them, for bubblewrap's own processes would keep stdin and stdout open.
_SIGN_AND_RUN = 'echo >&7; exec "$0" "$@" <&8 >&9 7>&- 8<&- 9>&-'


class Level(enum.IntEnum):
    """From nothing to everything."""

    NONE = 0
    LIMITED = 1
    FULL = 2

    def __str__(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Bot:
    """What is to be run, and what of the user's files it may read: a folder or one file alone, and ``readable``."""

    command: tuple[str, ...]
    folder: Path
    limits: Limits
    readable: tuple[Path, ...] = ()

    @property
    def home(self) -> Path:
        """The folder that it runs in."""
        return self.folder if self.folder.is_dir() else self.folder.parent


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
    return _trial(level)


def _trial(level: Level) -> str | None:
    """Run the smallest of programs exactly as a bot is run."""
    from metatac.players.bots.process import BotProcess, Offence

    process = BotProcess(["/bin/sh", "-c", "echo ready"], folder=_PACKAGE, isolation=level)
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
    return bot_filter(strict=strict, namespaces=level is Level.FULL)


def plan_for(bot: Bot, level: Level, scratch: str | None, filters: list[int]) -> Plan:
    """The command that runs the bot at this level, with the descriptor that its filter is read from."""
    if level is Level.FULL:
        return Plan(_bubblewrap(bot, filters[0]), "/", launched=True, overhead=2)
    if level is Level.LIMITED:
        rules = {"read": [str(path) for path in _readable(bot)], "write": [scratch], "proc": _PROC}
        argv = [sys.executable, "-I", "-S", str(_CONFINE), str(filters[0]), json.dumps(rules), *bot.command]
        return Plan(argv, str(bot.home), launched=True)
    return Plan([*bot.command], str(bot.home))


def _bubblewrap(bot: Bot, rules: int) -> list[str]:
    size = str(bot.limits.scratch)
    argv = [shutil.which("bwrap") or "bwrap"]
    argv += ["--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"]
    argv += ["--unshare-cgroup-try", "--uid", "1000", "--gid", "1000", "--cap-drop", "ALL", "--hostname", "bot"]
    argv += ["--die-with-parent", "--new-session"]
    for path in (*map(Path, _SYSTEM), *_etc()):
        if path.is_symlink():
            argv += ["--symlink", str(path.readlink()), str(path)]
        elif path.exists():
            argv += ["--ro-bind", str(path), str(path)]
    argv += ["--proc", "/proc", "--dev", "/dev", "--size", size, "--tmpfs", "/dev/shm", "--remount-ro", "/dev"]
    # The scratch folder comes before what lies in it: the bot's own folder may be below /tmp.
    argv += ["--size", size, "--tmpfs", "/tmp"]
    for path in _granted(bot):
        argv += ["--ro-bind", str(path), str(path)]
    argv += ["--remount-ro", "/", "--chdir", str(bot.home), "--seccomp", str(rules)]
    return [*argv, "--", "/bin/sh", "-c", _SIGN_AND_RUN, *bot.command]


def _readable(bot: Bot) -> Iterator[Path]:
    yield from (path for path in map(Path, (*_SYSTEM, *_DEVICES)) if path.exists())
    yield from _etc()
    yield from _granted(bot)


def _etc() -> Iterator[Path]:
    for pattern in _ETC:
        yield from sorted(Path("/etc").glob(pattern))


def _granted(bot: Bot) -> list[Path]:
    """What is shown beside the system: Python, this package, the program itself, and the bot's own files."""
    found = [Path(sys.prefix), Path(sys.base_prefix), _PACKAGE]
    program = shutil.which(bot.command[0])
    if program is not None:
        found.append(_toolchain(Path(program), bot))
    found += [path.absolute() for path in bot.readable]
    shown = [path for path in dict.fromkeys(found + [path.resolve() for path in found]) if _may_be_shown(path, bot)]
    return [*shown, bot.folder]


def _toolchain(program: Path, bot: Bot) -> Path:
    """The folder that a program was installed to, ``X`` of ``X/bin/program``; without one the program alone."""
    real = program.resolve()
    home = real.parent.parent
    return home if real.parent.name == "bin" and _may_be_shown(home, bot) else real


def _may_be_shown(path: Path, bot: Bot) -> bool:
    """Never what the system folders hold already, nor a folder above the bot's: others' bots may lie there."""
    system = any(path.is_relative_to(folder) for folder in _SYSTEM)
    return path.exists() and not system and path != Path.home() and not bot.folder.is_relative_to(path)
