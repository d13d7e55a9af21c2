"""The arguments that several commands share: which game, and what about it is different."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from metatac.errors import IllegalMove, InvalidMove, InvalidPosition, InvalidRecord, MatchError, RulesError
from metatac.game import Game as History
from metatac.game import position, start
from metatac.match import parse_duration
from metatac.notation import read_records
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
    try:
        return load_rules(game, **options)
    except RulesError as error:
        if _is_of_records(game):
            taking = "analyze --record FILE, replay FILE and play --load FILE"
            raise RulesError(f"{game}: this is a file of records, no rules file; metatac {taking} take it") from error
        message = str(error)
        if message.startswith("option: "):  # as it is called where no command line is
            raise RulesError(f"--set: {message.removeprefix('option: ')}") from error
        raise


def _is_of_records(game: str) -> bool:
    """Whether a file begins with a game that was played, in place of the rules of one."""
    try:
        return Path(game).is_file() and next(read_records(Path(game)), None) is not None
    except (InvalidRecord, OSError, ValueError):  # ValueError: a name too long, or with a zero byte in it
        return False


def rules_if_named(game: str | None, settings: list[str] | None, otherwise: str) -> RuleSet | None:
    """The rule set of a GAME argument, if there is one; ``otherwise`` says why --set means nothing without it."""
    if game is not None:
        return rules_of(game, settings)
    if settings:
        raise typer.BadParameter(f"--set {settings[0]} needs the game that it changes: {otherwise}")
    return None


def history_of(game: str | None, settings: list[str] | None, moves: str, text: str | None) -> History:
    """The game that the arguments name, up to the position that is meant."""
    if text is not None:
        first = position(text)
        rules = rules_if_named(game, settings, "the text of a position carries its own rules")
        if rules is not None and first.rules != rules:
            raise InvalidPosition(f"the position is one of {first.rules.spec}, not of {rules.spec}: {text}")
    elif game is not None:
        first = start(rules_of(game, settings))
    else:
        raise typer.BadParameter("name a GAME or a --position")
    history = History(first)
    for number, move in enumerate(moves.replace(",", " ").split(), 1):
        try:
            history.push(move)
        except (InvalidMove, IllegalMove) as error:
            raise type(error)(f"--moves, move {number}: {error}") from error
    return history


@contextmanager
def value_of(option: str) -> Iterator[None]:
    """Have what is wrong with a time be said with the name of its option."""
    try:
        yield
    except MatchError as error:
        raise MatchError(f"{option}: {error}") from error


def seconds_of(time: str | None) -> float | None:
    """What a --time option says, if it is given."""
    with value_of("--time"):
        seconds = None if time is None else parse_duration(time)
    if seconds is not None and not seconds > 0:
        raise MatchError(f"--time {time}: more than nothing is wanted, as in 5s")
    return seconds
