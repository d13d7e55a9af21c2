"""The JSON form of one record: one object, on one line, that says what the text says."""

import json
import re
from collections.abc import Sequence
from typing import Any

from metatac.errors import InvalidMove, InvalidRecord
from metatac.game import parse_move
from metatac.game import start as start_of
from metatac.notation.limits import DEFAULT_LIMITS, Limits
from metatac.notation.origin import read_rules, read_start
from metatac.notation.record import MAX_DEPTH, Line, Ply, Record
from metatac.rules import RuleSet

_KINDS: dict[str, tuple[type, ...]] = {
    "rules": (str,),
    "start": (str,),
    "result": (str,),
    "points": (list,),
    "termination": (str,),
    "tags": (dict,),
    "comment": (str,),
    "moves": (list,),
}
_PLY_KINDS: dict[str, tuple[type, ...]] = {
    "move": (str,),
    "comment": (str,),
    "clock": (int, float),
    "spent": (int, float),
    "evaluation": (int, float),
    "win_in": (int,),
    "nags": (list,),
    "variations": (list,),
}
#: JSON leaves these bare in its strings, but some readers end a line at them.
_LINE_ENDS = re.compile("[\x7f-\x9f\u2028\u2029]")


def format_json(record: Record) -> str:
    """A record as one JSON object on one line; what is empty is left out."""
    data: dict[str, Any] = {"rules": record.rules.spec}
    if record.start != start_of(record.rules):
        data["start"] = record.start.text
    data["result"] = record.result
    if record.points is not None:
        data["points"] = list(record.points)
    if record.termination:
        data["termination"] = record.termination
    if record.tags:
        data["tags"] = dict(record.tags)
    if record.comment:
        data["comment"] = record.comment
    data["moves"] = _format_line(record.plies)
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return _LINE_ENDS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _format_line(line: Line) -> list[Any]:
    return [_format_ply(ply) for ply in line]


def _format_ply(ply: Ply) -> Any:
    data: dict[str, Any] = {"move": str(ply.move)}
    if ply.comment:
        data["comment"] = ply.comment
    for name in ("clock", "spent", "evaluation", "win_in"):
        if (value := getattr(ply, name)) is not None:
            data[name] = value
    if ply.nags:
        data["nags"] = list(ply.nags)
    if ply.variations:
        data["variations"] = [_format_line(variation) for variation in ply.variations]
    return data if len(data) > 1 else data["move"]


def parse_json(text: str, *, line: int = 1, limits: Limits = DEFAULT_LIMITS) -> Record:
    """Read one record from its JSON object; `line` is the number of its line, for the errors."""
    try:
        if len(text) > limits.chars:
            raise InvalidRecord(f"the record is longer than {limits.chars} characters")
        data = _checked(_load(text), _KINDS, ("rules", "moves"), "the record")
        rules = read_rules(data["rules"])
        return Record(
            read_start(rules, data.get("start")),
            _LineReader(rules, limits).read(data["moves"], 1, 0),
            data.get("result", ""),
            tuple(data["points"]) if "points" in data else None,
            data.get("termination", ""),
            data.get("tags", {}),
            data.get("comment", ""),
        )
    except InvalidRecord as error:
        raise InvalidRecord(f"line {line}: {error}") from error


def _load(text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_no_repeats, parse_constant=_no_constant)
    except InvalidRecord:
        raise
    except RecursionError:
        raise InvalidRecord("nested too deeply") from None
    except ValueError as error:
        raise InvalidRecord(f"no JSON: {error}") from error


def _no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for name, value in pairs:
        if name in data:
            raise InvalidRecord(f"{name[:40]!r} a second time in one object")
        data[name] = value
    return data


def _no_constant(word: str) -> Any:
    raise InvalidRecord(f"{word} is no number")


def _checked(data: Any, kinds: dict[str, tuple[type, ...]], required: Sequence[str], what: str) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise InvalidRecord(f"{what} is no JSON object")
    for name in required:
        if name not in data:
            raise InvalidRecord(f"{what} has no {name!r}")
    for name, value in data.items():
        if name not in kinds:
            raise InvalidRecord(f"{what} has an unknown key {name[:40]!r}; known are {', '.join(kinds)}")
        if type(value) not in kinds[name]:
            raise InvalidRecord(f"{name} of {what} is {type(value).__name__}")
    return data


class _LineReader:
    """Reads lines of moves, counting them."""

    def __init__(self, rules: RuleSet, limits: Limits) -> None:
        self.rules = rules
        self.limits = limits
        self.count = 0

    def read(self, moves: Any, number: int, depth: int) -> Line:
        if not isinstance(moves, list):
            raise InvalidRecord(f"a variation of ply {number} is no list")
        if depth > MAX_DEPTH:
            raise InvalidRecord(f"variations nest deeper than {MAX_DEPTH}")
        return tuple(self._ply(data, place, depth) for place, data in enumerate(moves, number))

    def _ply(self, data: Any, number: int, depth: int) -> Ply:
        self.count += 1
        if self.count > self.limits.plies:
            raise InvalidRecord(f"more than {self.limits.plies} moves in one record")
        if isinstance(data, str):
            data = {"move": data}
        data = _checked(data, _PLY_KINDS, ("move",), f"ply {number}")
        try:
            move = parse_move(self.rules, data["move"])
            variations = [self.read(line, number, depth + 1) for line in data.get("variations", ())]
            return Ply(**data | {"move": move, "variations": variations})
        except InvalidMove as error:
            raise InvalidRecord(f"ply {number}: {error}") from error
