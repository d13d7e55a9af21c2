"""The page behind ``?``: the rules of the game, how to move, keys and commands."""

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from metatac.players import accepted_forms
from metatac.rules import RuleSet
from metatac.tui.commands import COMMANDS
from metatac.tui.palette import Palette
from metatac.tui.panels import style

MOVING = (
    ("arrows", "move the cursor; with Shift or Ctrl by a whole board"),
    ("Tab, Shift+Tab", "to the next cell that may be played, and back; Home and End to the first and last"),
    ("Enter, Space", "play where the cursor is; so does a click"),
    ("letters", "type the move: its board, then its cell, as both are named on the screen"),
    ("Backspace, Esc", "take back a letter, or the first of two marks"),
    (", and .", "look one move back and on; < and > at the start and the present; a click in the list does it, too"),
    (": (colon)", "type a command, or a move in another form"),
)


def help_text(rules: RuleSet, palette: Palette) -> RenderableType:
    """The page for a game."""
    plain, key = style(palette.text), style(palette.text, "bold")
    words = " ".join(rules.text.split()) or rules.to_toml()
    moving = Table.grid(padding=(0, 1))
    for name, what in MOVING:
        moving.add_row(Text(name, key, no_wrap=True), Text(what, plain))
    commands = Table.grid(padding=(0, 1))
    for command in COMMANDS:
        usage = Text(f"{command.name} {command.usage}", key, no_wrap=True)
        commands.add_row(usage, Text(command.keys, style(palette.accent), no_wrap=True), Text(command.help, plain))
    forms = Text("\n".join(accepted_forms(rules)), plain)
    parts: list[RenderableType] = []
    for title, part in (
        (rules.title or rules.name, Text(words, plain)),
        ("Moving", moving),
        ("Moves: letters typed at once, all forms after a colon", forms),
        ("Commands, after a colon, and their keys", commands),
    ):
        parts += [Text(f"\n{title}" if parts else title, style(palette.accent, "bold")), part]
    return Group(*parts)
