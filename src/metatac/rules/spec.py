"""A rule set as one word, and as a rules file."""

import json
import re
from typing import Any

from metatac.errors import RulesError
from metatac.rules.ruleset import RuleSet
from metatac.rules.schema import KEYS

_SPEC = re.compile(r"(?:(?P<name>[^={}\s]+)=)?(?P<base>[^={}\s]+?)(?:\{(?P<options>\S*)\})?")
_BARE = re.compile(r"[A-Za-z][A-Za-z-]*")
_NAME = re.compile(r"[^A-Za-z0-9_.+-]+")


def print_spec(rules: RuleSet) -> str:
    """``base``, ``base{key=value;…}``, or ``name=base{…}`` where the rules are not a preset's own."""
    from metatac.rules.load import load_rules

    base = load_rules(rules.base)
    mine, theirs = _all_keys(rules), _all_keys(base)
    options = [
        f"{key}={_word(mine.get(key, getattr(rules, key)))}"
        for key in KEYS
        if mine.get(key) != theirs.get(key) and key not in ("title", "text")
    ]
    prefix = "" if rules.name == rules.base else f"{spec_name(rules.name)}="
    return f"{prefix}{rules.base}" + (f"{{{';'.join(options)}}}" if options else "")


def spec_name(name: str) -> str:
    """A name as it may stand in a spec: one word of letters, digits and ``_.+-``."""
    return _NAME.sub("-", name) or "custom"


def _all_keys(rules: RuleSet) -> dict[str, Any]:
    return rules.keys | rules.match_keys


def _word(value: Any) -> str:
    if isinstance(value, str) and _BARE.fullmatch(value) and value not in ("true", "false", "null"):
        return value
    return json.dumps(value, separators=(",", ":"))


def parse_spec(text: str) -> tuple[str | None, str, dict[str, Any]] | None:
    """(name, base, options) of a spec, or None where the text has not the form of one."""
    match = _SPEC.fullmatch(text)
    if match is None or (match["name"] is None and match["options"] is None):
        return None
    options: dict[str, Any] = {}
    for part in filter(None, (match["options"] or "").split(";")):
        key, equals, value = part.partition("=")
        if not equals:
            raise RulesError(f"{text}: {part!r} is not of the form key=value")
        options[key] = parse_value(value)
    return match["name"], match["base"], options


def parse_value(text: str) -> Any:
    """An option's value as typed on a command line: a number, true, false, a JSON list, or else a word."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def print_toml(rules: RuleSet) -> str:
    """A rules file that states every key and inherits nothing."""
    keys = _all_keys(rules)
    lines = [f"{key} = {_toml(keys[key])}" for key in KEYS if key in keys and keys[key] != ""]
    return "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_toml(item)}" for key, item in value.items()) + " }"
    if isinstance(value, str) and "\n" in value and "'''" not in value and value.replace("\n", "").isprintable():
        return f"'''\n{value}'''"
    # JSON's numbers, booleans, lists and (with DEL escaped) strings are TOML's too.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def print_key(key: str, value: Any) -> str:
    """A key and its value as a rules file states them."""
    return f"{key} = {_toml(value)}"
