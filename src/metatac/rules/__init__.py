"""What a game is: ``RuleSet``, and the ways to get one."""

from metatac.rules.load import load_rules, parse_rules, preset_names
from metatac.rules.ruleset import LETTERS, Points, RuleSet, Winner, tidy
from metatac.rules.spec import parse_value

__all__ = [
    "LETTERS",
    "Points",
    "RuleSet",
    "Winner",
    "load_rules",
    "parse_rules",
    "parse_value",
    "preset_names",
    "tidy",
]
