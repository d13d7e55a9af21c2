"""A player as one word of text: ``name``, ``name:main`` or ``name:main,option=value,…``.

``main`` stands for the one option that the player calls its main one: ``minimax:4`` is ``minimax:depth=4``. A
comma within a value is written twice.
"""

import re
from dataclasses import dataclass

from metatac.errors import UnknownPlayer

LONGEST = 1000

_NAME = re.compile(r"[a-z][a-z0-9_-]*")
_OPTION = re.compile(r"([a-z][a-z0-9_-]*)=(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class PlayerSpec:
    """The parts of a player's text, still as text."""

    name: str
    main: str | None = None
    options: tuple[tuple[str, str], ...] = ()

    @classmethod
    def parse(cls, text: str) -> "PlayerSpec":
        """The parts; UnknownPlayer where the text has not the form of a player."""
        if len(text) > LONGEST:
            raise UnknownPlayer(f"{text[:40]!r}… is too long for a player's name")
        name, _, rest = text.strip().partition(":")
        if not _NAME.fullmatch(name):
            raise UnknownPlayer(f"{text!r} is no player; one looks like random, minimax:4 or random:seed=7")
        main: str | None = None
        options: dict[str, str] = {}
        for index, item in enumerate(_items(rest)):
            option = _OPTION.fullmatch(item)
            if option is None and index == 0:
                main = item
            elif option is None:
                raise UnknownPlayer(f"{text!r}: {item!r} is not of the form option=value")
            elif option[1] in options:
                raise UnknownPlayer(f"{text!r} states {option[1]} twice")
            else:
                options[option[1]] = option[2]
        return cls(name, main, tuple(options.items()))

    def __str__(self) -> str:
        items = [] if self.main is None else [self.main]
        items += [f"{key}={value}" for key, value in self.options]
        return self.name + (":" + ",".join(item.replace(",", ",,") for item in items) if items else "")


def _items(text: str) -> list[str]:
    """The parts between single commas; a doubled comma is one that belongs to a part."""
    if not text:
        return []
    parts = [""]
    for piece in re.findall(r",,|,|[^,]+", text):
        if piece == ",":
            parts.append("")
        else:
            parts[-1] += "," if piece == ",," else piece
    return parts
