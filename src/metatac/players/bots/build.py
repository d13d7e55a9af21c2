"""Bots that must be compiled: built once in a copy of their folder, which is named after its contents."""

import hashlib
import os
import platform
import shutil
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from metatac.errors import BotError
from metatac.match import Offence
from metatac.paths import cache_dir
from metatac.players.bots.isolation import Level
from metatac.players.bots.limits import MIB, Limits
from metatac.players.bots.manifest import Bot
from metatac.players.bots.process import BotProcess

SECONDS = 180.0
"""How long a build may take."""
LIMITS = Limits(startup=SECONDS, memory=2048 * MIB, processes=256, scratch=1024 * MIB, cpu=SECONDS, errors=64 * MIB)
LONGEST_COMPLAINT = 2000
TOOLCHAINS = {"RUSTUP_HOME": "~/.rustup"}
"""Compilers that live with the user: the variable that says where, and the place where it says nothing."""


def built(bot: Bot, level: Level) -> Bot:
    """The bot as it can be started; BotError quotes what the compiler said. A build is as little trusted as a bot."""
    if not bot.build:
        return bot
    home = cache_dir() / "bots"
    target = home / _digest(bot)
    if not target.is_dir():
        home.mkdir(parents=True, exist_ok=True)
        copy = Path(tempfile.mkdtemp(prefix="building-", dir=home))
        try:
            _copy(bot, copy)
            _run(bot, copy, level)
            os.rename(copy, target)
        except OSError as error:
            if not target.is_dir():  # else somebody else has just built the same
                raise BotError(f"{bot.folder}: it cannot be built in {home}: {error.strerror}") from None
        finally:
            shutil.rmtree(copy, ignore_errors=True)
    return replace(bot, home=target, build=())


def _run(bot: Bot, folder: Path, level: Level) -> None:
    said = []
    tools = {name: Path(os.environ.get(name, place)).expanduser() for name, place in TOOLCHAINS.items()}
    env = {name: str(place) for name, place in tools.items() if place.is_dir()}
    readable = [Path(place) for place in env.values()]
    process = BotProcess(
        bot.build, folder=folder, limits=LIMITS, isolation=level, env=env, readable=readable, builds=True
    )
    deadline = time.monotonic() + SECONDS
    reason = ""
    with process:
        try:
            while True:
                said.append(process.read_line(deadline))
        except Offence as end:  # its end, too, is told so
            if process.exit_status != "exit status 0":
                reason = process.exit_status or end.reason
    if reason:
        words = "\n".join([*said, process.stderr]).strip()[-LONGEST_COMPLAINT:]
        raise BotError(f"{bot.folder}: {' '.join(bot.build)} failed ({reason}):\n{words}")


def _files(bot: Bot) -> Iterator[tuple[Path, str]]:
    """Every file of the bot, with its name in the folder."""
    if bot.home.is_file():
        yield bot.home, bot.home.name
        return
    for folder, folders, names in os.walk(bot.home):
        folders.sort()
        for name in sorted(names):
            file = Path(folder, name)
            yield file, file.relative_to(bot.home).as_posix()


def _digest(bot: Bot) -> str:
    """What a build depends on: the files, the command and the machine."""
    digest = hashlib.sha256("\0".join((platform.platform(), *bot.build)).encode())
    for file, name in _files(bot):
        content = os.fsencode(os.readlink(file)) if file.is_symlink() else file.read_bytes()
        digest.update(f"{name}\0{len(content)}\0".encode("utf-8", "surrogateescape") + content)
    return digest.hexdigest()[:20]


def _copy(bot: Bot, folder: Path) -> None:
    """The files, links as links: what they point to is nobody's business."""
    for file, name in _files(bot):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(file, folder / name, follow_symlinks=False)
