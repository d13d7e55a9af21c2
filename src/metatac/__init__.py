"""metatac: the whole family of nested tic-tac-toe, to play, analyse and research.

The public names load on first use, so that ``import metatac`` costs next to nothing.
"""

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from metatac.game import Game, Move, Outcome, Position, position, start
    from metatac.players import load_player
    from metatac.render import board_svg
    from metatac.rules import RuleSet, load_rules, parse_rules, preset_names

_HOMES = {
    "Game": "metatac.game",
    "Move": "metatac.game",
    "Outcome": "metatac.game",
    "Position": "metatac.game",
    "RuleSet": "metatac.rules",
    "board_svg": "metatac.render",
    "load_player": "metatac.players",
    "load_rules": "metatac.rules",
    "parse_rules": "metatac.rules",
    "position": "metatac.game",
    "preset_names": "metatac.rules",
    "start": "metatac.game",
}

__all__ = [
    "Game",
    "Move",
    "Outcome",
    "Position",
    "RuleSet",
    "board_svg",
    "load_player",
    "load_rules",
    "parse_rules",
    "position",
    "preset_names",
    "start",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'metatac' has no attribute {name!r}")
    from importlib import import_module

    value = globals()[name] = getattr(import_module(home), name)
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
