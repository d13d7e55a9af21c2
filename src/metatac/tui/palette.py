"""Colours, and the styles made of them. Blue and orange can be told apart by nearly everybody.

Without colours everything is still said: by the shape of marks and frames, by shading, underlining and reverse video.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from rich.style import Style


class Ink(NamedTuple):
    """How a character is drawn; None is the terminal's own colour."""

    front: str | None = None
    back: str | None = None
    attributes: str = ""

    def on(self, back: str | None) -> "Ink":
        return self._replace(back=back)


@lru_cache(maxsize=4096)
def style_of(ink: Ink) -> Style:
    words = set(ink.attributes.split())
    return Style(
        color=ink.front,
        bgcolor=ink.back,
        bold="bold" in words or None,
        dim="dim" in words or None,
        underline="underline" in words or None,
        reverse="reverse" in words or None,
    )


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of one scheme; None everywhere where there are none."""

    name: str
    ground: str | None
    card: str | None
    lit: str | None
    shut: str | None
    x_card: str | None
    x_big: str | None
    o_card: str | None
    o_big: str | None
    drawn_big: str | None
    x: str | None
    o: str | None
    x_faint: str | None
    o_faint: str | None
    grid: str | None
    frame: str | None
    accent: str | None
    last: str | None
    cursor: str | None
    cursor_text: str | None
    cursor_soft: str | None
    pending: str | None
    hatch: str | None
    text: str | None
    faint: str | None
    heat: tuple[tuple[str | None, str | None], ...]
    """Front and back of each step, the worst move first."""

    @property
    def mono(self) -> bool:
        return self.ground is None

    def of(self, mark: str) -> str | None:
        return self.x if mark == "X" else self.o


DARK = Palette(
    name="dark",
    ground="#12161b",
    card="#222932",
    lit="#36424f",
    shut="#191e25",
    x_card="#13344d",
    x_big="#1f5682",
    o_card="#45290f",
    o_big="#7a4818",
    drawn_big="#2b333d",
    x="#6cc0ff",
    o="#ffa450",
    x_faint="#4a86b4",
    o_faint="#b5783f",
    grid="#465260",
    frame="#76859a",
    accent="#35d6a6",
    last="#75620f",
    cursor="#e9eef4",
    cursor_text="#12161b",
    cursor_soft="#62798f",
    pending="#1d6b55",
    hatch="#59636f",
    text="#dfe6ee",
    faint="#8b98a7",
    heat=(
        ("#b9c2cc", "#2a2f36"),
        ("#b9c2cc", "#2c3a3a"),
        ("#c5ced6", "#2b443f"),
        ("#d3dbe2", "#285045"),
        ("#e2e8ee", "#245c4b"),
        ("#eef3f7", "#1f6a54"),
        ("#ffffff", "#19795d"),
        ("#ffffff", "#128a68"),
        ("#062019", "#1cab82"),
        ("#062019", "#3fe3b2"),
    ),
)

LIGHT = Palette(
    name="light",
    ground="#e6eaef",
    card="#f4f6f8",
    lit="#ffffff",
    shut="#d9dee4",
    x_card="#cfe4f5",
    x_big="#a5cdec",
    o_card="#fbe0cb",
    o_big="#f4c19b",
    drawn_big="#c8cfd7",
    x="#005f9a",
    o="#b34200",
    x_faint="#5d93b8",
    o_faint="#c1845c",
    grid="#b3bcc7",
    frame="#7d8998",
    accent="#007a59",
    last="#ffdf70",
    cursor="#1d232b",
    cursor_text="#ffffff",
    cursor_soft="#b9c6d4",
    pending="#bfe8da",
    hatch="#9aa4b0",
    text="#1d232b",
    faint="#66717e",
    heat=(
        ("#4a5561", "#dfe3e7"),
        ("#4a5561", "#d8e2e0"),
        ("#3f4a56", "#cce2db"),
        ("#36414d", "#bce1d4"),
        ("#2b3641", "#a7ddcb"),
        ("#202b36", "#8ed7bf"),
        ("#10231c", "#70cfb0"),
        ("#0a1f18", "#4cc49d"),
        ("#ffffff", "#0b8a66"),
        ("#ffffff", "#006b4d"),
    ),
)

PLAIN = Palette(
    name="plain",
    **dict.fromkeys([name for name in Palette.__slots__ if name not in ("name", "heat")]),
    heat=((None, None),) * 10,
)
"""No colours at all."""
