"""The arguments that several commands share: which game, and what about it is different."""

from collections.abc import Iterable
from typing import Annotated, Any

import typer

from metatac.errors import RulesError
from metatac.rules import RuleSet, load_rules, parse_value, preset_names


def complete_game(incomplete: str) -> list[str]:
    return [name for name in preset_names() if name.startswith(incomplete)]


Game = Annotated[
    str, typer.Argument(metavar="GAME", help="A game's name or a rules file.", autocompletion=complete_game)
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
