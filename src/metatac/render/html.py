"""A game as one self-contained web page that is stepped through with buttons and keys.

It loads nothing from anywhere, and says so to the browser. Without scripts it shows the last position and all moves.
The pictures are those of ``svg``; the page holds each piece of one only once, and for every move which pieces it has.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

from metatac.game import Move, Position, explain_send
from metatac.notation import Record
from metatac.render.svg import Picture, palette, xml_text

LONG = 0.1
"""Seconds from which on it is told what a move took."""
INK = {"ink": ("#1d242c", "#e3e9ef"), "x-ink": ("#005c93", "#62bbff"), "o-ink": ("#a03c00", "#ffa04d")}
"""The colours of the page's own words, light and dark: thin letters need more contrast than marks."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One position of the game and what is said about it."""

    position: Position
    last: Move | None = None
    """The move that led here and left marks."""
    label: str = ""
    """The move's text; empty at the start."""
    mover: str = ""
    note: str = ""
    """A comment, the time it took."""


def record_html(record: Record, *, at: int | None = None, dark: bool | None = None) -> str:
    """A game record as a page, which opens at the end, or where so many moves stand."""
    frames = [Frame(record.start, note=record.comment)]
    last = None
    for step in record.walk():
        if step.depth:
            continue
        last = step.ply.move or last  # a swap takes over the move before it
        spent = "" if (step.ply.spent or 0) < LONG else f"{step.ply.spent:.1f} s"
        note = " · ".join(filter(None, (spent, step.ply.comment)))
        frames.append(Frame(step.after, last, str(step.ply.move), step.before.turn, note))
    tags = record.tags
    names = (tags.get("X", "X"), tags.get("O", "O"))
    how = f", {record.termination}" if record.termination else ""
    result = "" if record.result == "*" else f"{record.result.replace('1/2', '½').replace('-', '–')}{how}"
    told = ("Event", "Site", "Round", "Date", "TimeControl")
    facts = [tags[name] for name in told if tags.get(name, "none") != "none"]
    return _page(frames, names, result, facts, at, dark)


def position_html(position: Position, last: Move | None = None, *, dark: bool | None = None) -> str:
    """A position as a page."""
    return _page([Frame(position, last)], ("X", "O"), "", [], None, dark)


def _page(
    frames: Sequence[Frame],
    names: tuple[str, str],
    result: str,
    facts: Sequence[str],
    at: int | None,
    dark: bool | None,
) -> str:
    shown = len(frames) - 1 if at is None else max(0, min(at, len(frames) - 1))
    rules = frames[0].position.rules
    pieces, places = _pieces(frames)
    data = {
        "pieces": pieces,
        "frames": places,
        "said": [_said(frame) for frame in frames],
        "notes": [frame.note for frame in frames],
        "at": shown,
    }
    picture = Picture(frames[shown].position, frames[shown].last, True, {})
    board = "\n".join(
        [*picture.head(480, dark), *(f"<g>{pieces[place]}</g>" for place in _absolute(places, shown)), "</svg>"]
    )
    scheme = "light dark" if dark is None else "dark" if dark else "light"
    slots = {
        "title": xml_text(f"{rules.title or rules.name}: {names[0]} – {names[1]}"),
        "game": xml_text(rules.title or rules.name),
        "scheme": scheme,
        "style": _style(dark),
        "x": xml_text(names[0]),
        "o": xml_text(names[1]),
        "result": xml_text(result),
        "facts": xml_text(" · ".join(facts)),
        "board": board,
        "said": xml_text(_said(frames[shown])),
        "note": xml_text(frames[shown].note),
        "moves": "".join(_move(number, frame, number == shown) for number, frame in enumerate(frames) if number),
        "count": str(len(frames) - 1),
        "at": str(shown),
        # A script's data must not look like the end of the script.
        "data": json.dumps(data, ensure_ascii=True, separators=(",", ":")).replace("<", "\\u003c"),
        "script": _asset("page.js"),
    }
    page = _asset("page.html")
    return "".join(slots[part] if index % 2 else part for index, part in enumerate(page.split("@@")))


def _pieces(frames: Sequence[Frame]) -> tuple[list[str], list[dict[str, int] | list[int]]]:
    """Every different piece of the pictures; and of each frame which it has: all at first, then those that change."""
    known: dict[str, int] = {}
    places: list[dict[str, int] | list[int]] = []
    before: list[int] = []
    for frame in frames:
        layers = Picture(frame.position, frame.last, True, {}).layers()
        now = [known.setdefault("".join(layer), len(known)) for layer in layers]
        changed = {str(layer): piece for layer, piece in enumerate(now) if before and before[layer] != piece}
        places.append(changed if before else now)
        before = now
    return list(known), places


def _absolute(places: Sequence[dict[str, int] | list[int]], at: int) -> list[int]:
    """The pieces of one frame."""
    first = places[0]
    assert isinstance(first, list)
    now = list(first)
    for changed in places[1 : at + 1]:
        assert isinstance(changed, dict)
        for layer, piece in changed.items():
            now[int(layer)] = piece
    return now


def _said(frame: Frame) -> str:
    return str(explain_send(frame.position, frame.last)["text"])


def _move(number: int, frame: Frame, shown: bool) -> str:
    here = ' aria-current="step"' if shown else ""
    title = f' title="{xml_text(frame.note).replace(chr(34), "&quot;")}"' if frame.note else ""
    return (
        f'<li><button type="button" data-at="{number}"{here}{title}><span class="n">{number}</span>'
        f'<span class="{frame.mover.lower()}">{xml_text(frame.mover)}</span> {xml_text(frame.label)}</button></li>'
    )


def _style(dark: bool | None) -> str:
    """The page's colours as variables, those of the pictures, and its style sheet."""

    def variables(is_dark: bool) -> str:
        colors = palette(is_dark) | {name: pair[is_dark] for name, pair in INK.items()}
        return "".join(f"--{name.replace(' ', '-')}:{color};" for name, color in colors.items())

    own = f":root{{{variables(bool(dark))}}}"
    if dark is None:
        own += f"@media(prefers-color-scheme:dark){{:root{{{variables(True)}}}}}"
    return own + _asset("page.css")


def _asset(name: str) -> str:
    return (files("metatac.render") / "page" / name).read_text("utf-8")
