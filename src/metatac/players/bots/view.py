"""What a bot sees of the file system: the system's programs, Python, and its own files. Nothing else of the user's."""

import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from metatac.players.bots.limits import Limits

PACKAGE = Path(__file__).parents[2]

_SYSTEM = tuple(map(Path, ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix/store", "/gnu/store")))
# Of /etc only what programs need to start: it holds secrets, too.
_ETC = ("ld.so.*", "alternatives", "java*", "mono", "python*", "perl", "localtime", "ssl/openssl.cnf")

# Of X, where a program X/bin/program was installed to, what belongs to programs: X may be ~/.local, with much else.
_OF_PROGRAMS = ("bin", "lib*", "libexec", "include", "conf", "jmods", "release", "pyvenv.cfg")

DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
PROC = ("cpuinfo", "meminfo", "stat", "version", "uptime", "loadavg", "filesystems", "sys/vm", "sys/kernel")
"""What of /proc is of use to a program and tells nothing of others."""


@dataclass(frozen=True, slots=True)
class Bot:
    """What is to be run, and what of the user's files it may read: a folder or one file alone, and ``readable``."""

    command: tuple[str, ...]
    folder: Path
    limits: Limits
    readable: tuple[Path, ...] = ()
    builds: bool = False
    """Whether it may write to its folder: only who builds a bot may."""

    @property
    def home(self) -> Path:
        """The folder that it runs in."""
        return self.folder if self.folder.is_dir() else self.folder.parent


def system_paths() -> Iterator[Path]:
    """The system's own folders and files, some of them links."""
    yield from (path for path in _SYSTEM if path.exists())
    for pattern in _ETC:
        yield from sorted(Path("/etc").glob(pattern))


def granted(bot: Bot) -> list[Path]:
    """What is shown beside the system: Python, this package, the program itself, and last the bot's own files."""
    found = [Path(sys.prefix), Path(sys.base_prefix), PACKAGE]
    program = _program(bot)
    if program is not None:
        found += _installed_with(program, bot)
    found += [path.absolute() for path in bot.readable]
    found += [path.resolve() for path in found]
    return [*(path for path in dict.fromkeys(found) if _may_be_shown(path, bot)), bot.folder]


def search_path(bot: Bot) -> str:
    """PATH for the bot: our own Python first, then what of the user's it can see."""
    program = _program(bot)
    places = [str(Path(sys.executable).parent), *_visible_path()]
    if program is not None and str(program.parent) not in places:
        places.append(str(program.parent))
    return os.pathsep.join(places)


def _visible_path() -> list[str]:
    places = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return [place for place in places if _is_system(Path(place))]


def _program(bot: Bot) -> Path | None:
    """The program of the bot's command, if it is not one of its own; the system's before the user's."""
    name = bot.command[0]
    found = shutil.which(name, path=os.pathsep.join(_visible_path())) or shutil.which(name)
    return None if found is None or (os.sep in name and not os.path.isabs(name)) else Path(found)


def _installed_with(program: Path, bot: Bot) -> list[Path]:
    """What a program ``X/bin/program`` was installed with: of ``X``, which whoever writes a manifest may choose, only
    what belongs to programs."""
    real = program.resolve()
    home = real.parent.parent
    if real.parent.name != "bin" or not _may_be_shown(home, bot):
        return [real]
    return sorted({path for pattern in _OF_PROGRAMS for path in home.glob(pattern)})


def _is_system(path: Path) -> bool:
    return any(path.is_relative_to(folder) for folder in _SYSTEM)


def _may_be_shown(path: Path, bot: Bot) -> bool:
    """Never again what the system's folders hold, nor a folder above the bot's: others' bots may lie there."""
    above = path == Path.home() or bot.folder.is_relative_to(path)
    return path.exists() and not above and not _is_system(path)
