"""What a record says it is a game of: its rules, and the position it starts from."""

import re

from metatac.errors import InvalidPosition, InvalidRecord, RulesError
from metatac.game import Position, position
from metatac.game import start as start_of
from metatac.rules import RuleSet, load_rules, preset_names

_SPEC = re.compile(r"(?:[^={}\s]+=)?([^={}\s]+)(?:\{\S*\})?")


def read_rules(spec: str) -> RuleSet:
    """The rules that a record names. Only specs over presets: a record must never open a file."""
    match = _SPEC.fullmatch(spec)
    if match is None or match[1] not in preset_names():
        raise InvalidRecord(f"rules {spec[:80]!r} are no preset's name and no variation of one")
    try:
        return load_rules(spec)
    except RulesError as error:
        raise InvalidRecord(f"rules: {error}") from error


def read_start(rules: RuleSet, text: str | None) -> Position:
    """The position that a record starts from."""
    if text is None:
        return start_of(rules)
    if read_rules(text.split(" ", 1)[0]) != rules:
        raise InvalidRecord(f"the start position is of {text.split(' ', 1)[0][:80]!r}, not of {rules.spec}")
    try:
        return position(text, rules)
    except InvalidPosition as error:
        raise InvalidRecord(f"start position: {error}") from error
