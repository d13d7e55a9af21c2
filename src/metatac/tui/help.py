"""The page behind ``?``: the rules of the game, how to move, keys and commands."""

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


def help_text(rules: RuleSet, palette: Palette) -> Text:
    text = Text()
    heading, key, plain = style(palette.accent, "bold"), style(palette.text, "bold"), style(palette.text)

    def section(title: str) -> None:
        text.append(f"{title}\n" if not text.plain else f"\n{title}\n", heading)

    section(rules.title or rules.name)
    text.append(" ".join(rules.text.split()) or rules.to_toml(), plain)
    text.append("\n")
    section("Moving")
    for name, words in MOVING:
        text.append(f"{name:<16}", key)
        text.append(f" {words}\n", plain)
    section("Moves, after a colon")
    for form in accepted_forms(rules):
        text.append(f"  {form}\n", plain)
    section("Commands, after a colon, and their keys")
    for command in COMMANDS:
        text.append(f"{f'{command.name} {command.usage}':<22}", key)
        text.append(f" {command.keys:<10} ", style(palette.accent))
        text.append(f"{command.help}\n", plain)
    text.right_crop(1)
    return text
