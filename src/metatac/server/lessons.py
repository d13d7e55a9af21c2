"""The rules pages and lessons: texts and example positions for every preset, in ``lesson_files``.

What a solved step must have done is stated beside it (``after``), and a test holds every step to that.
"""

import tomllib
from functools import lru_cache
from importlib import resources
from typing import Any

from metatac.game import Move, Position, start
from metatac.render.svg import board_svg
from metatac.server.positions import line_view, played, read_position


@lru_cache(maxsize=64)
def lesson_file(game: str) -> dict[str, Any]:
    """The file of a preset."""
    text = (resources.files("metatac.server") / "lesson_files" / f"{game}.toml").read_text("utf-8")
    return tomllib.loads(text)


def summary_of(game: str) -> str:
    """One sentence for a list."""
    summary: str = lesson_file(game)["summary"]
    return summary


def line_of(game: str, entry: dict[str, Any]) -> tuple[list[Position], list[Move]]:
    """The positions that an entry's ``position`` and ``moves`` lead through."""
    first = read_position(entry["position"]) if "position" in entry else start(game)
    return played(first, entry.get("moves", "").split())


@lru_cache(maxsize=64)
def sections_of(game: str) -> list[dict[str, Any]]:
    """The parts of the rules page; those with a position have a picture. Not to be changed."""
    found = []
    for entry in lesson_file(game).get("section", []):
        section = {"title": entry["title"], "text": entry["text"].strip()}
        if "moves" in entry or "position" in entry:
            positions, moves = line_of(game, entry)
            section["svg"] = str(board_svg(positions[-1], last=moves[-1] if moves else None))
        found.append(section)
    return found


@lru_cache(maxsize=64)
def lesson_of(game: str) -> list[dict[str, Any]]:
    """The steps of the lesson. Not to be changed."""
    found = []
    for entry in lesson_file(game)["step"]:
        wanted = entry.get("wanted")
        found.append(
            {
                "title": entry["title"],
                "text": entry["text"].strip(),
                "position": line_view(*line_of(game, entry)),
                "wanted": None if wanted is None else wanted.split(),
                "answer": entry.get("answer", "").strip(),
                "hint": entry.get("hint", "").strip(),
            }
        )
    return found
