"""What can be typed after ``:``, each word with its few words of help. Keys are short for the same commands."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from metatac.errors import InvalidArgument
from metatac.players import typed_move

if TYPE_CHECKING:
    from metatac.tui.client import Client


@dataclass(frozen=True, slots=True)
class Command:
    """A word, what may follow it, what it does, and the keys that do the same."""

    name: str
    run: "Callable[[Client, str], None]"
    usage: str = ""
    help: str = ""
    keys: str = ""


def _count(text: str, default: int = 1) -> int:
    """A whole number from 1 that somebody typed."""
    if not text:
        return default
    if not (text.isascii() and text.isdigit() and len(text) < 7 and int(text)):
        raise InvalidArgument(f"{text[:40]!r} is no whole number from 1")
    return int(text)


def _zoom(client: "Client", rest: str) -> None:
    steps = {"": 0, "0": 0, "+": 1, "-": -1, "in": 1, "out": -1, "fit": 0}.get(rest)
    if steps is None:
        raise InvalidArgument(f"zoom takes +, - or fit, not {rest[:40]!r}")
    client.board.action_zoom(steps)


def _swap(client: "Client", rest: str) -> None:
    """Take over the first move where the rules allow that now; else change sides."""
    if client.position.can_swap and client.table.waiting == "person":
        client.play_typed("swap")
    else:
        client.table.swap_sides()


COMMANDS = tuple(
    Command(*row)
    for row in (
        ("undo", lambda c, rest: c.undo(_count(rest)), "[N]", "take back a move, or N", "F6 Ctrl+Z"),
        ("redo", lambda c, rest: c.redo(_count(rest)), "[N]", "make it again", "F7 Ctrl+Y"),
        ("hint", lambda c, rest: c.hint(rest), "[PLAYER]", "the move somebody strong would make", "F3 !"),
        ("eval", lambda c, rest: c.evaluate(rest), "[PLAYER]", "how good every move is, as a heat map", "F4 ="),
        ("now", lambda c, rest: c.move_now(), "", "the computer answers at once", "F5"),
        ("pause", lambda c, rest: c.pause(), "", "stop the computers and the clock, or go on", "Ctrl+P"),
        ("new", lambda c, rest: c.ask_new_game(rest), "[GAME]", "a new game", "F2 Ctrl+N"),
        ("rematch", lambda c, rest: c.rematch(), "", "the same again, sides changed", "Ctrl+R"),
        ("sides", lambda c, rest: c.table.swap_sides(), "", "change sides and play on", "F8"),
        ("swap", _swap, "", "take over the first move where the rules allow it, else change sides", ""),
        ("resign", lambda c, rest: c.ask_resign(), "", "give up", ""),
        ("draw", lambda c, rest: c.table.offer_draw(), "", "offer a draw", ""),
        ("save", lambda c, rest: c.save(rest), "[FILE]", "add the game so far to a file of records", "Ctrl+S"),
        ("load", lambda c, rest: c.load(rest), "FILE", "go on with a saved game or a record", ""),
        ("go", lambda c, rest: c.look(_count(rest, 0)), "N", "look at the position after N moves", ", . < >"),
        ("play", lambda c, rest: c.play_from_here(), "", "play on from the position that is looked at", ""),
        ("zoom", _zoom, "+ | - | fit", "draw larger or smaller, or as large as fits", "+ - 0"),
        ("panel", lambda c, rest: c.toggle_panel(), "", "show or hide what stands beside the board", "F9"),
        ("theme", lambda c, rest: c.set_scheme(rest), "[dark | light]", "other colours", "F11"),
        ("time", lambda c, rest: c.tell_time(), "", "the time control and what is left", ""),
        ("rules", lambda c, rest: c.show_rules(), "", "the rules of this game", "? F1"),
        ("help", lambda c, rest: c.show_rules(), "", "rules, keys and commands", "? F1"),
        ("quit", lambda c, rest: c.leave(), "", "leave; the game is saved", "F10 Ctrl+Q"),
    )
)


def run_command(client: "Client", line: str) -> None:
    """Do what was typed after the colon; what is no command may be a move. MetatacError says what is wrong."""
    word, _, rest = line.strip().partition(" ")
    if not word:
        return
    names = [command.name for command in COMMANDS]
    # A beginning is enough where only one command, or a command as a whole, begins like that.
    meant = [name for name in names if name == word.lower()] or [n for n in names if n.startswith(word.lower())]
    if len(word) > 1 and len(meant) == 1:
        command = next(command for command in COMMANDS if command.name == meant[0])
        command.run(client, rest.strip())
        return
    if word[0].isdigit() or len(line.strip()) <= 8:
        client.play(typed_move(client.position, line))
        return
    raise InvalidArgument(f"there is no command {word[:40]!r}; ? lists them")
