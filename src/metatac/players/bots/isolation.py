"""How far a bot is shut in: what was asked for, what the machine really does, and the command that does it."""

import enum
from dataclasses import dataclass
from pathlib import Path

from metatac.errors import IsolationError
from metatac.players.bots.limits import Limits


class Level(enum.IntEnum):
    """From nothing to everything; a higher level has all that a lower one has."""

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
    """How many processes of the launcher's stay."""


def reach(wanted: str) -> Level:
    """The level for ``auto``, ``full``, ``limited`` or ``none``; IsolationError where the machine offers less."""
    if wanted in ("auto", "none"):
        return Level.NONE
    raise IsolationError(f"isolation={wanted} is out of reach here")


def filter_for(level: Level, strict: bool) -> bytes | None:
    return None


def plan_for(bot: Bot, level: Level, scratch: str | None, filters: list[int]) -> Plan:
    """The command that runs the bot at this level."""
    return Plan([*bot.command], str(bot.home))
