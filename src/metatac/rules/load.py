"""Rule sets from presets, files, specs and options."""

import os
import re
import tomllib
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

from metatac.errors import RulesError, suggestion
from metatac.rules.ruleset import RuleSet
from metatac.rules.schema import KEYS, Origin, Stated, build
from metatac.rules.spec import parse_spec

MAX_FILE = 64 * 1024
MAX_CHAIN = 16
MAX_DOTS = 50
"""In one line, outside texts: tomllib takes seconds for a key of thousands of parts."""
_LONG_TEXT = re.compile(r'"""(?:\\.|[^\\])*?"""' + r"|'''.*?'''", re.DOTALL)
_TEXT = re.compile(_LONG_TEXT.pattern + r"""|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|#[^\n]*""", re.DOTALL)


@lru_cache(maxsize=1)
def preset_names() -> tuple[str, ...]:
    """The built-in games, plainest first."""
    folder = resources.files("metatac.rules") / "presets"
    names = {entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml")}
    first = ["tic-tac-toe", "ultimate", "intelligent", "extreme", "sudoku", "ultimate-ultimate"]
    return tuple([name for name in first if name in names] + sorted(names - set(first)))


def load_rules(source: "str | os.PathLike[str] | RuleSet", /, **options: Any) -> RuleSet:
    """The rule set of a preset's name, the path of a rules file, a spec, or another rule set, with options."""
    if isinstance(source, RuleSet):
        return _override(source, options) if options else source
    if isinstance(source, str) and source in preset_names() and not options:
        return _preset(source)
    if isinstance(source, str) and parse_spec(source) is not None and not _is_file(source):
        return load_rules(load_spec(source), **options)
    name, stated, base = _chain(source)
    _state_options(stated, options, "option")
    return build(stated, name=name, base=base)


def load_spec(text: str) -> RuleSet:
    """The rule set of a preset's name or a spec; no file is ever looked for, so the text may come from anybody."""
    if text in preset_names():
        return _preset(text)
    spec = parse_spec(text)
    if spec is None:
        raise _unknown_game(text, kind="built-in game")
    name, preset, options = spec
    if preset not in preset_names():
        raise _unknown_game(preset, kind="built-in game")
    stated, _ = _resolve(_preset_text(preset), f"preset {preset}", folder=None, seen=(preset,))
    stated.where = text if len(text) <= 60 else text[:57] + "..."
    _state_options(stated, options, stated.where)
    return build(stated, name=name or preset, base=preset)


def _unknown_game(name: str, where: str = "", kind: str = "game and no rules file") -> RulesError:
    hint = suggestion(name, preset_names(), "the games are:")
    return RulesError(f"{where}{name[:80]!r} is no {kind}; {hint}")


def parse_rules(text: str, *, file: str = "<text>", name: str = "custom", **options: Any) -> RuleSet:
    """The rule set that a rules file's text describes. It may inherit presets, but no other file."""
    stated, base = _resolve(text, file, folder=None, seen=())
    _state_options(stated, options, "option")
    return build(stated, name=name, base=base)


@cache
def _preset(name: str) -> RuleSet:
    _, stated, base = _chain(name)
    return build(stated, name=name, base=base)


def _override(rules: RuleSet, options: Mapping[str, Any]) -> RuleSet:
    stated = Stated(rules.name)
    for key, value in (rules.keys | rules.match_keys).items():
        stated.state(key, value, Origin(rules.name))
    _state_options(stated, options, "option")
    return build(stated, name=rules.name, base=rules.base)


def _state_options(stated: Stated, options: Mapping[str, Any], where: str) -> None:
    for key, value in options.items():
        _check_key(key, Origin(where))
        stated.state(key, value, Origin(where))


def _check_key(key: str, origin: Origin, others: tuple[str, ...] = ()) -> None:
    if key not in KEYS:
        hint = suggestion(key, (*others, *KEYS), "the keys are:")
        raise RulesError(f"{origin}: {key[:60]!r} is no key of a rule set; {hint}")


def _chain(source: "str | os.PathLike[str]") -> tuple[str, Stated, str]:
    """(name, the keys stated along the chain of files, nearest preset) of a name, path or spec."""
    text = os.fspath(source)
    if text in preset_names():
        stated, _ = _resolve(_preset_text(text), f"preset {text}", folder=None, seen=(text,))
        return text, stated, text
    if not _means_path(text):
        raise _unknown_game(text)
    path = Path(text)
    stated, base = _resolve(_read(path), text, folder=path.parent, seen=(str(path.resolve()),))
    return path.stem, stated, base


def _means_path(text: str) -> bool:
    if not text:  # which Path takes for the folder one is in
        return False
    try:
        return text.endswith(".toml") or "/" in text or os.sep in text or Path(text).exists()
    except (OSError, ValueError):  # a name too long, or with a zero byte in it
        return False


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except (OSError, ValueError):  # a name too long, or with a zero byte in it
        return False


def _read(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE + 1)
    except FileNotFoundError:
        raise RulesError(f"{path}: no such file") from None
    except (OSError, ValueError) as error:
        # Windows calls the attempt to read a folder a lack of permission.
        if os.path.isdir(path):
            raise RulesError(f"{path}: is a directory, no rules file") from None
        reason = error.strerror if isinstance(error, OSError) else error
        raise RulesError(f"{path}: cannot be read: {reason}") from None
    if len(data) > MAX_FILE:
        raise RulesError(f"{path}: larger than {MAX_FILE} bytes")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise RulesError(f"{path}: not UTF-8 text: {error}") from None


def _preset_text(name: str) -> str:
    return (resources.files("metatac.rules") / "presets" / f"{name}.toml").read_text("utf-8")


def _resolve(text: str, file: str, *, folder: Path | None, seen: tuple[str, ...]) -> tuple[Stated, str]:
    """The keys of a file over those it inherits, and the nearest preset of the chain."""
    table = _parse(text, file)
    parent = table.pop("inherits", None)
    if parent is None:
        stated, base = Stated(file), "tic-tac-toe"
    else:
        where = Origin(file, _line_of("inherits", text))
        stated, base = _inherit(parent, where, folder, seen)
        stated.where = file
    for key, value in table.items():
        origin = Origin(file, _line_of(key, text))
        _check_key(key, origin, ("inherits",))
        stated.state(key, value, origin)
    return stated, base


def _inherit(parent: Any, where: Origin, folder: Path | None, seen: tuple[str, ...]) -> tuple[Stated, str]:
    if not isinstance(parent, str):
        raise RulesError(f"{where}: inherits: a game's name or a rules file is wanted")
    if parent in preset_names():
        if parent in seen:
            raise RulesError(f"{where}: inherits: {parent!r} inherits itself")
        stated, _ = _resolve(_preset_text(parent), f"preset {parent}", folder=None, seen=(*seen, parent))
        return stated, parent
    if folder is None:
        raise RulesError(f"{where}: inherits: {parent[:60]!r} is none of {', '.join(preset_names())}")
    path = folder / parent
    if not path.name.endswith(".toml") or not _is_file(str(path)):
        raise _unknown_game(parent, f"{where}: inherits: ")
    identity = str(path.resolve())
    if identity in seen or len(seen) >= MAX_CHAIN:
        raise RulesError(f"{where}: inherits: {parent!r} inherits itself, or through more than {MAX_CHAIN} files")
    return _resolve(_read(path), str(path), folder=path.parent, seen=(*seen, identity))


def _parse(text: str, file: str) -> dict[str, Any]:
    if len(text) > MAX_FILE:
        raise RulesError(f"{file}: longer than {MAX_FILE} characters")
    for number, line in enumerate(_without(_TEXT, text).split("\n"), start=1):
        if line.count(".") > MAX_DOTS:
            raise RulesError(f"{file}, line {number}: a key of so many parts is none of a rule set")
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise RulesError(f"{file}: not a TOML file: {str(error) or 'nested too deeply'}") from None


def _line_of(key: str, text: str) -> int:
    """The line on which a top-level key is stated; tomllib does not tell."""
    text = _without(_LONG_TEXT, text)
    for pattern in (rf"""^\s*["']?{re.escape(key)}["']?\s*[=.]""", rf"""^\s*\[+\s*["']?{re.escape(key)}\b"""):
        found = re.search(pattern, text, re.MULTILINE)
        if found:
            return text.count("\n", 0, found.start() + len(found[0]) - 1) + 1
    return 0


def _without(pattern: re.Pattern[str], text: str) -> str:
    """The text without what a pattern finds in it; every line stays where it was."""
    return pattern.sub(lambda found: "\n" * found[0].count("\n"), text)
