"""What `metatac play` asks where nothing was said: which game, against whom, which side. Enter takes the default."""

from collections.abc import Callable

from metatac.errors import MetatacError
from metatac.rules import RuleSet, load_rules, preset_names
from metatac.table import Seats
from metatac.table.modes import opponents

Ask = Callable[[str], str]
Tell = Callable[[str], object]

GAME = "ultimate"
_SIDES = {"": "x", "x": "x", "o": "o", "toss": "toss", "t": "toss", "?": "toss"}


def ask_game(ask: Ask, tell: Tell) -> RuleSet:
    """The rules of the game that somebody chooses."""
    games = [load_rules(name) for name in preset_names()]
    for number, rules in enumerate(games, 1):
        tell(f"{number:>3}  {rules.name:<20} {rules.title}")
    while True:
        line = ask(f"Which game? A number, a name or a rules file [{GAME}]: ").strip() or GAME
        try:
            return games[_choice(line, len(games))] if line.isdigit() else load_rules(line)
        except (MetatacError, OSError) as error:
            tell(str(error))


def ask_seats(rules: RuleSet, seed: int, ask: Ask, tell: Tell) -> Seats:
    """Who sits where, from the opponent and the side that somebody chooses."""
    known = opponents(rules)
    for number, (text, words) in enumerate(known, 1):
        tell(f"{number:>3}  {text:<12} {words}")
    while True:
        line = ask(f"Against whom? A number or any player [{known[0][0]}]: ").strip() or known[0][0]
        try:
            seats = Seats("human", known[_choice(line, len(known))][0] if line.isdigit() else line, seed)
            seats.check(rules)
            break
        except MetatacError as error:
            tell(str(error))
    while seats.o != "human":
        side = _SIDES.get(ask("Which side? x begins, o, or toss [x]: ").strip().lower())
        if side is not None:
            return seats.tossed() if side == "toss" else seats.swapped() if side == "o" else seats
        tell("x, o or toss is wanted.")
    return seats


def _choice(line: str, most: int) -> int:
    number = int(line[:9]) if line.isascii() else 0
    if not 1 <= number <= most:
        raise MetatacError(f"{line[:40]!r} is not from 1 to {most}")
    return number - 1
