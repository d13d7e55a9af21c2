"""Where a bot is and how it is started: a file, or a folder with a manifest ``bot.toml``.

    name = "Tiger"              # all of these are optional but run
    author = "Ada"
    protocol = "codingame"      # or ugi, riddles, theaigames, python, course; told by reading it where it is left out
    build = "cc -O2 -o tiger tiger.c"
    run = "./tiger"             # or a Python file with choose, or with a course's class: "tiger.py"
    entry = "Tiger"             # which class or function of several
    [options]                   # set in UGI engines that have them
    Hash = 16
"""

import os
import shlex
import sys
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from metatac.errors import BotError, UnknownPlayer
from metatac.players.bots.protocols import PROTOCOLS
from metatac.players.bots.recognise import python_entry, spoken_protocol

MANIFEST = "bot.toml"
LARGEST, LONGEST_NAME = 1 << 16, 60
"""Bytes that are read of a manifest; characters of a name."""
RUNNER = "metatac.players.bots.runner"

# {file} and {name} are the source, its name without the suffix.
STARTERS: dict[str, str] = {
    ".py": "python {file}",
    ".js": "node {file}",
    ".mjs": "node {file}",
    ".cjs": "node {file}",
    ".jar": "java -jar {file}",
    ".java": "java {file}",
    ".rb": "ruby {file}",
    ".pl": "perl {file}",
    ".php": "php {file}",
    ".lua": "lua {file}",
    ".sh": "sh {file}",
}
"""How a program that needs an interpreter is started, by its suffix."""
BUILDERS: dict[str, str] = {
    ".c": "cc -O2 -o {name} {file} -lm",
    ".cpp": "c++ -O2 -std=c++17 -o {name} {file}",
    ".cc": "c++ -O2 -std=c++17 -o {name} {file}",
    ".rs": "rustc -O -o {name} {file}",
    ".go": "go build -o {name} {file}",
}
"""How a source that must be compiled first becomes a program."""


@dataclass(frozen=True)
class Bot:
    """A bot that can be started. ``home`` is all that it may read: its folder, or the one file that it is."""

    name: str
    home: Path
    command: tuple[str, ...]
    protocol: str | None = None
    """None: nobody knows; it has to be asked."""
    author: str = ""
    build: tuple[str, ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    """What is set in a UGI engine."""

    @property
    def folder(self) -> Path:
        return self.home if self.home.is_dir() else self.home.parent

    @property
    def is_python(self) -> bool:
        """Whether it is a Python file."""
        return self.home.suffix == ".py"

    @property
    def is_ours(self) -> bool:
        """Whether it is metatac itself that is started, which wants its compiled code."""
        return self.command[1:3] == ("-m", "metatac")


def find_bot(path: str, *, protocol: str | None = None, entry: str | None = None, args: str = "") -> Bot:
    """The bot at a path; BotError says what is wrong with it. A protocol that is named is not guessed."""
    if not path:
        raise UnknownPlayer("bot: which one? Name its file or folder, as in bot:./mine.py")
    where = Path(path).expanduser().absolute()
    try:
        if where.is_dir():
            bot = _in_folder(where, protocol, entry)
        elif where.is_file():
            bot = _of_file(where, where, protocol, entry)
        else:
            raise BotError(f"{path}: there is no such file or folder")
    except OSError as error:
        raise BotError(f"{path}: {error.strerror}") from None
    try:
        return replace(bot, command=(*bot.command, *shlex.split(args)))
    except ValueError as error:
        raise BotError(f"{path}: args={args!r} is no command line: {error}") from None


def bots_in(path: Path, *, several: bool = False) -> list[Path]:
    """The bots at a path: itself if it is one, else everything in the folder that looks like one, by name.

    With ``several`` it is a folder of bots, whatever the files in it are called: nobody's removes the others'.
    """
    if not several and (not path.is_dir() or (path / MANIFEST).is_file()):
        return [path]
    inside = sorted(item for item in path.iterdir() if not item.name.startswith((".", "_")))
    found = [item for item in inside if item.is_dir() or _looks_like_a_bot(item)]
    if several:
        return found
    single = len(found) == 1 or any(item.stem.lower() in ("bot", "main") for item in found)
    return [path] if single and not any(item.is_dir() for item in found) else found


def _looks_like_a_bot(file: Path) -> bool:
    return file.suffix.lower() in STARTERS | BUILDERS or (file.is_file() and os.access(file, os.X_OK))


# -- folders


def _in_folder(folder: Path, protocol: str | None, entry: str | None) -> Bot:
    if (folder / MANIFEST).is_file():
        return _of_manifest(folder, protocol, entry)
    files = sorted(file for file in folder.iterdir() if file.is_file() and not file.name.startswith("."))
    named = [file for file in files if file.stem.lower() in ("bot", "main", folder.name.lower())]
    for candidates in (named, files):
        if len(candidates) == 1:
            return replace(_of_file(candidates[0], folder, protocol, entry), name=folder.name)
    raise BotError(f"{folder}: which file is the bot? Call it bot.…, or write a {MANIFEST} with run = …")


_KEYS = {"name": str, "author": str, "protocol": str, "build": (str, list), "run": (str, list), "entry": str}


def _of_manifest(folder: Path, protocol: str | None, entry: str | None) -> Bot:
    file = _own(folder, folder / MANIFEST)
    try:
        with file.open("rb") as manifest:
            data = tomllib.loads(manifest.read(LARGEST).decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BotError(f"{file}: {error}") from None
    options = data.pop("options", {})
    for key, value in data.items():
        if key not in _KEYS:
            raise BotError(f"{file}: {key!r} is no key of a manifest; there are {', '.join(_KEYS)} and [options]")
        if not isinstance(value, _KEYS[key]):  # type: ignore[arg-type]
            raise BotError(f"{file}: {key} is a text, not {value!r}")
        if key in ("name", "author") and (len(value) > LONGEST_NAME or not value.isprintable()):
            raise BotError(f"{file}: {key} is one line of at most {LONGEST_NAME} characters")
    if not isinstance(options, dict):
        raise BotError(f"{file}: [options] is a table of names and values")
    run = _words(file, "run", data.get("run", ""))
    if not run:
        raise BotError(f"{file}: run says how the bot is started, as in run = \"./bot\"; it is missing")
    name, author = data.get("name", folder.name), data.get("author", "")
    protocol = protocol or _checked(data.get("protocol"), f"{file}: ")
    build = _words(file, "build", data.get("build", ""))
    source = folder / run[0]
    if len(run) == 1 and source.is_file() and not build:
        bot = _of_file(source, folder, protocol, entry or data.get("entry"))
    else:
        bot = Bot(name, folder, _program(run), _checked(protocol) or _spoken(folder, run), build=build)
    told = tuple((key, str(value).lower() if isinstance(value, bool) else str(value)) for key, value in options.items())
    return replace(bot, name=name, author=author, options=told)


def _words(file: Path, key: str, value: Any) -> tuple[str, ...]:
    if "\0" in "".join(map(str, value)):
        raise BotError(f"{file}: {key}: a zero byte is part of no command")
    if isinstance(value, list):
        return tuple(map(str, value))
    try:
        return tuple(shlex.split(value))
    except ValueError as error:
        raise BotError(f"{file}: {key}: {error}") from None


def _spoken(folder: Path, run: tuple[str, ...]) -> str | None:
    """What the sources of a folder give away about the protocol: those that are started, then all others."""
    if run[:2] == ("metatac", "engine"):
        return "ugi"
    files = [folder / word for word in run] + sorted(folder.iterdir())
    spoken = (spoken_protocol(file) for file in files if file.is_file() and file.name != MANIFEST)
    return next((protocol for protocol in spoken if protocol is not None), None)


# -- files


def _own(home: Path, file: Path) -> Path:
    """A file of the folder's own. What a link leads to elsewhere is not the bot's to show, nor could it be run."""
    if home.is_dir() and not file.resolve().is_relative_to(home.resolve()):
        raise BotError(f"{file} leads out of the bot's folder, to what the bot cannot see")
    return file


def _of_file(file: Path, home: Path, protocol: str | None, entry: str | None) -> Bot:
    _own(home, file)
    inside = os.path.relpath(file, home if home.is_dir() else home.parent)
    suffix = file.suffix.lower()
    ours = suffix == ".py" and _checked(protocol) in (None, "python", "course")
    if ours and (found := python_entry(file, entry)) is not None:
        # -P: what lies in the bot's folder cannot stand in for what the runner needs.
        command = (sys.executable, "-P", "-m", RUNNER, inside, found.name)
        return Bot(file.stem, home, command, "course" if found.course else "python")
    if protocol in ("python", "course"):
        raise BotError(f"{file}: no Python file with a function or class choose, nor with a course's class with move")
    if entry is not None:
        raise BotError(f"{file}: entry= names a class or function of a Python file with choose or a course's move")
    spoken = protocol or spoken_protocol(file)
    words = {"file": shlex.quote(inside), "name": shlex.quote(f"./{file.stem}")}
    if suffix in BUILDERS:
        build = tuple(shlex.split(BUILDERS[suffix].format(**words)))
        return Bot(file.stem, home, (f"./{file.stem}",), spoken, build=build)
    if suffix in STARTERS:
        return Bot(file.stem, home, _program(shlex.split(STARTERS[suffix].format(**words))), spoken)
    if not os.access(file, os.X_OK):
        what = f"a {suffix} file" if suffix else "it"
        raise BotError(f"{file} is no bot: it cannot be executed, and nobody knows how {what} is started otherwise")
    return Bot(file.stem, home, (f"./{inside}",), spoken)


def _checked(protocol: str | None, place: str = "") -> str | None:
    if protocol is not None and protocol not in PROTOCOLS:
        raise BotError(f"{place}{protocol!r} is no protocol known here; there are {', '.join(PROTOCOLS)}")
    return protocol


def _program(words: list[str] | tuple[str, ...]) -> tuple[str, ...]:
    """The command with our own Python where Python or metatac is meant: what is installed there is known to work."""
    ours = {"python": (sys.executable,), "python3": (sys.executable,), "metatac": (sys.executable, "-m", "metatac")}
    return (*ours.get(words[0], (words[0],)), *words[1:])
