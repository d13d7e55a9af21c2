"""The arguments that several commands share: which game, and what about it is different."""

from collections.abc import Iterable
from typing import Annotated, Any

import typer

from metatac.errors import IllegalMove, InvalidMove, InvalidPosition, MatchError, RulesError
from metatac.game import Game as History
from metatac.game import position, start
from metatac.match import parse_duration
from metatac.rules import RuleSet, load_rules, parse_value, preset_names


def complete_game(incomplete: str) -> list[str]:
    return [name for name in preset_names() if name.startswith(incomplete)]


Game = Annotated[
    str, typer.Argument(metavar="GAME", help="A game's name or a rules file.", autocompletion=complete_game)
]
GameOrNone = Annotated[
    str | None, typer.Argument(metavar="GAME", help="A game's name or a rules file.", autocompletion=complete_game)
]
Moves = Annotated[str, typer.Option(metavar="MOVES", help='The moves played so far, as in "ee ea af".')]
PositionText = Annotated[
    str | None, typer.Option("--position", metavar="TEXT", help="A position's text, in place of the start.")
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Change one of the game's rules; may be repeated."),
]
Seed = Annotated[int | None, typer.Option(help="Make what is random repeatable.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def rules_of(game: str, settings: Iterable[str] | None) -> RuleSet:
    """The rule set of a GAME argument with its --set options."""
    options: dict[str, Any] = {}
    for setting in settings or ():
        key, equals, value = setting.partition("=")
        if not equals:
            raise RulesError(f"--set {setting}: key=value is wanted, as in --set side=4")
        options[key.strip()] = parse_value(value.strip())
    return load_rules(game, **options)


def history_of(game: str | None, settings: list[str] | None, moves: str, text: str | None) -> History:
    """The game that the arguments name, up to the position that is meant."""
    if game is None and text is None:
        raise typer.BadParameter("name a GAME or a --position")
    first = start(rules_of(game, settings)) if text is None and game is not None else position(text or "")
    if game is not None and first.rules != (rules := rules_of(game, settings)):
        raise InvalidPosition(f"the position is one of {first.rules.spec}, not of {rules.spec}: {text}")
    history = History(first)
    for number, move in enumerate(moves.replace(",", " ").split(), 1):
        try:
            history.push(move)
        except (InvalidMove, IllegalMove) as error:
            raise type(error)(f"--moves, move {number}: {error}") from error
    return history


def seconds_of(time: str | None) -> float | None:
    """What a --time option says, if it is given."""
    seconds = None if time is None else parse_duration(time)
    if seconds is not None and not seconds > 0:
        raise MatchError(f"--time {time}: more than nothing is wanted, as in 5s")
    return seconds
