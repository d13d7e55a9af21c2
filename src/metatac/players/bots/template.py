"""A bot to begin with, in each language that there is a template for."""

import json
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from metatac.errors import BotError
from metatac.players.bots.manifest import MANIFEST


@dataclass(frozen=True)
class Language:
    """What a new bot in a language consists of."""

    file: str
    run: str
    protocol: str


LANGUAGES = {
    "python": Language("bot.py", "bot.py", "python"),
    "javascript": Language("bot.js", "node bot.js", "riddles"),
}


def new_bot(folder: Path, language: str = "python") -> Path:
    """Write a bot that plays into a new folder; the file to change. What is there already is left as it is."""
    if language not in LANGUAGES:
        raise BotError(f"there is no template in {language!r}; there are {', '.join(LANGUAGES)}")
    kind = LANGUAGES[language]
    template = files("metatac.players.bots") / "templates" / f"{kind.file}.txt"
    text = template.read_text(encoding="utf-8").replace("{name}", folder.name)
    manifest = [
        f"name = {json.dumps(folder.name, ensure_ascii=False)}",
        'author = ""',
        f'run = "{kind.run}"',
        f'protocol = "{kind.protocol}"',
    ]
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        raise BotError(f"{folder}: there is such a folder or file already; it was left as it is") from None
    (folder / MANIFEST).write_text("\n".join(manifest) + "\n", encoding="utf-8")
    (folder / kind.file).write_text(text, encoding="utf-8")
    return folder / kind.file
