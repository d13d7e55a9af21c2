"""What can be typed after ``:``, each word with its few words of help. Keys are short for the same commands."""

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from metatac.errors import InvalidArgument
from metatac.match.result import SEATS
from metatac.players import typed_move
from metatac.rules import load_rules
from metatac.table import Seats, plan_from_file, plan_game
from metatac.table.plans import named_by
from metatac.tui.choices import game_choices, player_choices
from metatac.tui.dialogs import Dialog, NewGame, Reading, Wish
from metatac.tui.palette import DARK, LIGHT
from metatac.tui.variations import step_into

if TYPE_CHECKING:
    from metatac.tui.client import Client

LONGEST_MOVE = 8
"""Letters, and blanks between them, of the longest move; what is longer was meant as a command."""


@dataclass(frozen=True, slots=True)
class Command:
    """A word, what may follow it, what it does, and the keys that do the same."""

    name: str
    run: "Callable[[Client, str], object]"
    usage: str = ""
    help: str = ""
    keys: str = ""
    game: bool = False
    """Whether it is about a game that is being played, not about a record."""


def _count(text: str, default: int = 1) -> int:
    """A whole number from 1 that somebody typed."""
    if not text:
        return default
    if not (text.isascii() and text.isdigit() and len(text) < 7 and int(text)):
        raise InvalidArgument(f"{text[:40]!r} is no whole number from 1")
    return int(text)


# -- what the computer thinks


def _hint(client: "Client", by: str) -> None:
    _advise(client, "hint", by, 1)


def _evaluate(client: "Client", by: str) -> None:
    if client.heat and not by:
        client.forget_advice()
        client.show()
    else:
        _advise(client, "eval", by, None)


def _advise(client: "Client", what: str, by: str, lines: int | None) -> None:
    if client.position.outcome is not None:
        raise InvalidArgument("the game is over: there are no moves to value")
    client.forget_advice()
    client.analysing = what
    client.table.analyse(by or None, lines=lines, position=client.position)
    client.show()


def _move_now(client: "Client", rest: str) -> None:
    if client.table.waiting != "computer":
        raise InvalidArgument("no computer is thinking")
    client.table.move_now()


def _pause(client: "Client", rest: str) -> None:
    if client.table.waiting == "paused":
        client.table.resume_play()
    else:
        client.table.pause()
        client.say("Paused; Ctrl+P goes on.")


# -- other games


def rematch(client: "Client") -> None:
    """The same game again with sides changed; where a series goes on, its next game."""
    if client.table.result is not None and not client.table.series.over:
        client.table.next_game()
        return
    match, seats = client.table.match, client.table.seats.swapped()
    client.put(plan_game(match.start, seats, time=match.time, games=client.table.series.games))


def ask_new_game(client: "Client", game: str = "") -> None:
    """Ask which game and who plays it; ``game`` is what is suggested."""
    if isinstance(client.screen, NewGame):
        return
    table = client.table
    rules = load_rules(game) if game else table.match.rules
    wish = Wish(rules.spec, table.seats.x, table.seats.o, str(table.match.time), str(table.series.games))
    client.push_screen(NewGame(game_choices(rules), player_choices(), wish), client.wished)


def ask_again(client: "Client", wish: Wish) -> None:
    """Ask again after a wish that cannot be granted, and say why not."""
    dialog = NewGame(game_choices(client.table.match.rules), player_choices(), wish, client.message)
    client.push_screen(dialog, client.wished)


def begin(client: "Client", wish: Wish) -> None:
    """Begin the game that somebody wished for."""
    if not (wish.games.isascii() and wish.games.isdigit()):
        raise InvalidArgument(f"a number of games is wanted, not {wish.games[:40]!r}")
    seats = replace(client.table.seats, x=wish.x, o=wish.o)
    time = None if wish.time == "game" else wish.time or "none"
    client.put(plan_game(load_rules(wish.game), seats, time=time, games=int(wish.games[:9])))


def _play_from_here(client: "Client", rest: str) -> None:
    match = client.table.match
    seats = client.table.seats if client.record is None else named_by(client.record, Seats())
    client.put(plan_game(match.start, seats, opening=match.moves[: client.plies]))


def _load(client: "Client", name: str) -> None:
    if not name:
        raise InvalidArgument("load which file? :load FILE")
    file, _, last = name.rpartition(" ")
    number = None
    if file and last.isascii() and last.isdigit() and not os.path.exists(os.path.expanduser(name)):
        name, number = file.rstrip(), _count(last)
    client.put(plan_from_file(name, None if client.record else client.table.seats, number))


def _resign(client: "Client", rest: str) -> None:
    def answer(button: str | None) -> None:
        if button == "yes":
            client.try_to(client.table.resign)

    buttons = (("no", "Play on"), ("yes", "Resign"))
    client.push_screen(Dialog("Resign?", "The opponent wins then.", buttons), answer)


def _swap(client: "Client", rest: str) -> None:
    """Take over the first move, which only the rules can allow."""
    if not client.position.rules.swap:
        raise InvalidArgument("this game has no swap; :sides changes seats")
    client.play(typed_move(client.position, "swap"))


# -- the window


def _zoom(client: "Client", rest: str) -> None:
    steps = {"": 0, "0": 0, "+": 1, "-": -1, "in": 1, "out": -1, "fit": 0}.get(rest)
    if steps is None:
        raise InvalidArgument(f"zoom takes +, - or fit, not {rest[:40]!r}")
    client.board.action_zoom(steps)


def _theme(client: "Client", name: str) -> None:
    if client.no_color:
        raise InvalidArgument("there are no colours: NO_COLOR is set")
    schemes = {"dark": DARK, "light": LIGHT, "": LIGHT if client.palette is DARK else DARK}
    if name not in schemes:
        raise InvalidArgument(f"a theme is dark or light, not {name[:40]!r}")
    client.paint(schemes[name])


def _time(client: "Client", rest: str) -> None:
    left = ((seat, client.table.remaining_of(seat)) for seat in SEATS)
    shown = "".join(f"; {seat} has {seconds:.0f} s" for seat, seconds in left if seconds is not None)
    client.say(f"Time control: {client.table.match.time}{shown}.")


def _help(client: "Client", rest: str) -> None:
    from metatac.tui.help import help_text

    client.push_screen(Reading("metatac", help_text(client.table.match.rules, client.palette)))


def _save(client: "Client", name: str) -> None:
    client.say(f"The game so far is in {client.table.save(name)}.")


COMMANDS = (
    Command("undo", lambda c, rest: c.table.undo(_count(rest)), "[N]", "take back a move, or N", "F6 Ctrl+Z", True),
    Command("redo", lambda c, rest: c.table.redo(_count(rest)), "[N]", "make it again", "F7 Ctrl+Y", True),
    Command("hint", _hint, "[PLAYER]", "the move somebody strong would make", "F3 !"),
    Command("eval", _evaluate, "[PLAYER]", "how good every move is, as a heat map", "F4 ="),
    Command("now", _move_now, "", "the computer answers at once", "F5", True),
    Command("pause", _pause, "", "stop the computers and the clock, or go on", "Ctrl+P", True),
    Command("new", ask_new_game, "[GAME]", "a new game", "F2 Ctrl+N"),
    Command("rematch", lambda c, rest: rematch(c), "", "the same again, other sides; a series goes on", "Ctrl+R", True),
    Command("sides", lambda c, rest: c.table.swap_sides(), "", "change seats and play on", "F8", True),
    Command("swap", _swap, "", "take over the first move, in games that have the swap", "", True),
    Command("resign", _resign, "", "give up", "", True),
    Command("draw", lambda c, rest: c.table.offer_draw(), "", "offer a draw", "", True),
    Command("save", _save, "[FILE]", "add the game so far to a file of records; missing folders are made", "Ctrl+S"),
    Command("load", _load, "FILE [N]", "go on with a saved game or a record, the Nth of several"),
    Command("go", lambda c, rest: c.look(_count(rest, 0)), "N", "look at the position after N moves", ", . < >"),
    Command("line", lambda c, rest: step_into(c, _count(rest)), "[N]", "a record's other line; Esc returns", "Enter"),
    Command("play", _play_from_here, "", "play on from the position that is looked at, as a new game"),
    Command("zoom", _zoom, "+ | - | fit", "draw larger or smaller, or as large as fits", "+ - 0"),
    Command("panel", lambda c, rest: c.toggle_panel(), "", "show or hide what stands beside the board", "F9"),
    Command("theme", _theme, "[dark | light]", "other colours", "F11"),
    Command("time", _time, "", "the time control and what is left"),
    Command("rules", _help, "", "the rules of this game", "? F1"),
    Command("help", _help, "", "rules, keys and commands", "? F1"),
    Command("quit", lambda c, rest: c.exit(), "", "leave; the game is saved", "F10 Ctrl+Q"),
)


def run_command(client: "Client", line: str) -> None:
    """Do what was typed after the colon; what is no command may be a move. MetatacError says what is wrong."""
    word, _, rest = line.strip().partition(" ")
    if not word:
        return
    # A beginning is enough where only one command begins like that; a single letter is a move, or the start of one.
    begun = [command for command in COMMANDS if len(word) > 1 and command.name.startswith(word.lower())]
    meant = [command for command in begun if command.name == word.lower()] or begun
    if len(meant) == 1:
        if meant[0].game and client.record is not None:
            raise InvalidArgument(f"{meant[0].name} is for games; :play plays on from this position of the record")
        if rest.strip() and not meant[0].usage:
            raise InvalidArgument(f"{meant[0].name} takes nothing more; {rest.strip()[:40]!r} is too much")
        meant[0].run(client, rest.strip())
    elif word[0].isdigit() or len(line.strip()) <= LONGEST_MOVE:
        client.play(typed_move(client.position, line))
    else:
        raise InvalidArgument(f"there is no command {word[:40]!r}; ? lists them")
