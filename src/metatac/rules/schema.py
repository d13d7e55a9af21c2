"""The keys of a rules file: what each may hold, and which of them do not go together."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from metatac.errors import RulesError
from metatac.rules.patterns import Pattern, resolve, shown
from metatac.rules.ruleset import LETTERS, LEVEL_NAMES, RuleSet, default_send, tidy

MAX_CELLS = 20_000
MAX_TEXT = 20_000
MAX_POINTS = 1_000_000


@dataclass(frozen=True)
class Origin:
    """Where a key was stated, for error messages: a file and a line (0: unknown), or an option."""

    where: str
    line: int = 0

    def __str__(self) -> str:
        return f"{self.where}, line {self.line}" if self.line else self.where


class Stated(dict[str, Any]):
    """The keys stated along a chain of files and options, each with its origin."""

    def __init__(self, where: str) -> None:
        super().__init__()
        self.where = where
        self.origins: dict[str, Origin] = {}

    def state(self, key: str, value: Any, origin: Origin) -> None:
        self[key] = value
        self.origins[key] = origin

    def error(self, key: str, message: str) -> RulesError:
        """The error for a key, naming the file, the line and the key."""
        origin = self.origins.get(key)
        if origin is None:
            return RulesError(f"{self.where}: {key}: {message}")
        if origin.where in (self.where, "option"):
            return RulesError(f"{origin}: {key}: {message}")
        return RulesError(f"{self.where}: {key} (stated in {origin}): {message}")


Check = Callable[[Any], Any]
"""Returns the value as the rule set holds it, or raises ValueError saying what is allowed."""


def _whole(low: int, high: int) -> Check:
    def check(value: Any) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise ValueError(f"{shown(value)} is not allowed; a whole number from {low} to {high} is")
        return value

    return check


def _number(low: float, high: float) -> Check:
    def check(value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            raise ValueError(f"{shown(value)} is not allowed; a number from {low} to {high} is")
        return tidy(value)

    return check


def _one_of(*words: str) -> Check:
    def check(value: Any) -> str:
        if not isinstance(value, str) or value not in words:
            raise ValueError(f"{shown(value)} is not allowed; one of {', '.join(words)} is")
        return value

    return check


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"{shown(value)} is not allowed; true or false is")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str) or len(value) > MAX_TEXT:
        raise ValueError(f"a text of at most {MAX_TEXT} characters is wanted")
    return value


def _first(value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError(f"{shown(value)} is not allowed; free, center or the letters of a board is")
    return value


def _send(value: Any) -> tuple[str, ...]:
    words = ("own", "other", "board", "any")
    if not isinstance(value, list | tuple) or any(not isinstance(v, str) or v not in words for v in value):
        raise ValueError(f"{shown(value)} is not allowed; a list of {', '.join(words)}, one a level, is")
    return tuple(value)


def _values(value: Any) -> tuple[int, ...]:
    if not isinstance(value, list | tuple):
        raise ValueError(f"{shown(value)} is not allowed; a list of whole numbers, one a board, is")
    return tuple(_whole(0, MAX_POINTS)(item) for item in value)


def _patterns(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {level: _pattern_list(items) for level, items in value.items()}
    return _pattern_list(value)


def _pattern_list(value: Any) -> tuple[Any, ...]:
    if not isinstance(value, list | tuple):
        raise ValueError(f"{shown(value)} is not allowed; a list of names and cell lists, or a table of levels, is")
    return tuple(value)


def _patterns_alone(value: Any) -> Any:
    for level in value if isinstance(value, Mapping) else ():
        if level in KEYS:
            raise ValueError(f"{level!r} is no level, but follows the heading [patterns]; put it above that")
    return _patterns(value)


KEYS: dict[str, Check] = {
    "title": _text,
    "text": _text,
    "side": _whole(2, 7),
    "depth": _whole(1, 3),
    "patterns": _patterns_alone,
    "win_board": _one_of("line", "tallies", "never"),
    "tallies": _whole(0, 9),
    "close_board": _one_of("won", "full"),
    "ban": _flag,
    "marks": _whole(1, 2),
    "bonus": _flag,
    "send": _send,
    "sent_to_decided": _one_of("free", "up", "end"),
    "first": _first,
    "swap": _flag,
    "line": _one_of("wins", "loses", "nothing"),
    "boards_to_win": _whole(0, 49),
    "count": _one_of("nothing", "boards", "lines"),
    "most_wins": _flag,
    "komi": _number(-MAX_POINTS, MAX_POINTS),
    "points": _one_of("result", "count"),
    "win_points": _number(0, MAX_POINTS),
    "values": _values,
    "utility": _one_of("result", "points"),
    "move_time": _number(0, 86_400),
    "forfeit_points": _number(0, MAX_POINTS),
}
"""Every key but ``inherits``, in the order in which a rules file is printed."""

HINTS: dict[str, str] = {
    "side": "2 to 7: cells in a row",
    "depth": "1 to 3: boards within boards",
    "patterns": "rows, columns, diagonals, diamonds, [cells]; or of each level { game, middle, small, all }",
    "win_board": "line, tallies, never: what wins a small board",
    "tallies": "0 to 9: so many win a small board",
    "close_board": "won, full: when a small board takes no more marks",
    "ban": "a closed board's number is banned in all others",
    "marks": "1 or 2 (the opponent's too) a move",
    "bonus": "who wins a small board moves again",
    "send": "own, other (mark), board, any: what names each level of the next board",
    "sent_to_decided": "free, up (the board around it), end (of the game)",
    "first": "free, center, or a board's letters",
    "swap": "the second player may take over the first move",
    "line": "wins, loses, nothing: what a line of boards does",
    "boards_to_win": "so many boards win at once; 0: never",
    "count": "nothing, boards, lines: counted when no move is left",
    "most_wins": "who has counted more wins",
    "komi": "by how much X must lead the count",
    "points": "result, count: what the players' points are",
    "win_points": "the points of a win",
    "values": "what each board counts; []: 1 each",
    "utility": "result, points: what engines make the most of",
    "move_time": "seconds for a move in a match; 0: no limit",
    "forfeit_points": "the opponent's when a player forfeits",
}
"""What each key that is no text may be, in a few words."""


def build(stated: Stated, *, name: str, base: str) -> RuleSet:
    """The rule set that the stated keys describe, checked; RulesError names what is wrong."""
    values: dict[str, Any] = {}
    for key, value in stated.items():
        try:
            values[key] = KEYS[key](value)
        except ValueError as error:
            raise stated.error(key, str(error)) from None
    defaults = RuleSet()
    side, depth = values.get("side", defaults.side), values.get("depth", defaults.depth)
    marks = values.get("marks", defaults.marks)
    if side ** (2 * depth) > MAX_CELLS:
        raise stated.error(
            "depth",
            f"side {side} and depth {depth} make {side ** (2 * depth)} cells; {MAX_CELLS} is the most",
        )
    values["patterns"] = _resolve_patterns(
        stated, values.get("patterns", ("rows", "columns", "diagonals")), side, depth
    )
    values.setdefault("send", default_send(depth, marks))
    values["first"] = _resolve_first(stated, values.get("first", "free"), side, depth)
    if values.get("values") and set(values["values"]) == {1}:
        values["values"] = ()
    rules = RuleSet(name=name, base=base, **values)
    check_combination(rules, stated)
    if "forfeit_points" not in values:
        rules = RuleSet(name=name, base=base, forfeit_points=rules.greatest_points, **values)
    return rules


def _resolve_patterns(stated: Stated, value: Any, side: int, depth: int) -> tuple[tuple[Pattern, ...], ...]:
    levels = LEVEL_NAMES[depth]
    if not isinstance(value, Mapping):
        value = {"all": value}
    for level in value:
        if level != "all" and level not in levels:
            raise stated.error("patterns", f"{shown(level)} is no level of this game; all, {', '.join(levels)} are")
    resolved = []
    for level in levels:
        items = value.get(level, value.get("all"))
        if items is None:
            raise stated.error("patterns", f"the level {level!r} (or all) is missing")
        try:
            resolved.append(resolve(items, side))
        except ValueError as error:
            raise stated.error("patterns", str(error)) from None
    return tuple(resolved)


def _resolve_first(stated: Stated, value: str, side: int, depth: int) -> str:
    if value == "free":
        return value
    if value == "center":
        middle = (side - 1) // 2
        value = LETTERS[middle * side + middle]
    letters = LETTERS[: side * side]
    if len(value) >= depth or any(letter not in letters for letter in value):
        if depth == 1:
            raise stated.error("first", "a game of depth 1 has no boards to choose from; only free is allowed")
        raise stated.error(
            "first",
            f"{shown(value)} names no board; free, center, or at most {depth - 1} of the letters {letters} do",
        )
    return value


def check_combination(rules: RuleSet, stated: Stated) -> None:
    """Raise RulesError for keys that are each allowed but make no sense together."""
    for problems in (_board_problems(rules), _move_problems(rules), _end_problems(rules)):
        for key, wrong, message in problems:
            if wrong:
                raise stated.error(key, message)


def _board_problems(r: RuleSet) -> list[tuple[str, bool, str]]:
    nested, tallied = r.depth > 1, r.win_board == "tallies"
    return [
        (
            "win_board",
            not nested and r.win_board != "line",
            "a game of depth 1 has no boards to win; leave it at line",
        ),
        (
            "win_board",
            r.win_board != "never" and not r.patterns[-1],
            "no pattern is left that could win a small board",
        ),
        ("tallies", tallied and r.tallies == 0, "win_board = tallies needs a number from 1 to 9"),
        ("tallies", not tallied and r.tallies > 0, "only with win_board = tallies; set it to 0"),
        ("close_board", not nested and r.close_board != "won", "a game of depth 1 has no boards to close"),
        (
            "close_board",
            r.close_board == "full" and tallied,
            "a tallied board is cleared and never full; use won",
        ),
        ("ban", r.ban and r.depth != 2, "squares name boards only at depth 2"),
        ("ban", r.ban and tallied, "banned squares and boards that are cleared (tallies) do not go together"),
        ("ban", r.ban and r.marks == 2, "banned squares and two marks a move do not go together"),
    ]


def _move_problems(r: RuleSet) -> list[tuple[str, bool, str]]:
    nested = r.depth > 1
    sends = any(word != "any" for word in r.send)
    tail = r.send[r.send.index("any") :] if "any" in r.send else ()
    deep = r.depth == 3
    return [
        ("marks", r.marks == 2 and not nested, "two marks a move need a nested game (depth 2 or 3)"),
        (
            "bonus",
            r.bonus and (not nested or r.win_board == "never"),
            "no small board is ever won, so no bonus",
        ),
        (
            "send",
            len(r.send) != r.depth - 1,
            f"depth {r.depth} has {r.depth - 1} levels to address, not {len(r.send)}",
        ),
        ("send", "other" in r.send and r.marks == 1, "other is the second mark of a move, but marks = 1"),
        ("send", "board" in r.send and not deep, "board (the number of the board moved in) needs depth 3"),
        (
            "send",
            any(word != "any" for word in tail),
            "any must come last: a send narrows from the outside in",
        ),
        ("sent_to_decided", r.sent_to_decided == "up" and not deep, "up needs depth 3"),
        (
            "sent_to_decided",
            r.sent_to_decided != "free" and not sends,
            "nobody is ever sent; leave it at free",
        ),
        ("swap", r.swap and r.marks == 2, "the swap rule takes over one mark; marks must be 1"),
        ("swap", r.swap and r.komi != 0, "swap and komi both make up for the first move; use one"),
    ]


def _end_problems(r: RuleSet) -> list[tuple[str, bool, str]]:
    owned = r.win_board != "never"
    decisive = r.line != "nothing" or r.boards_to_win > 0
    used = r.most_wins or r.points == "count"
    return [
        ("line", r.line != "nothing" and not owned, "boards are never won, so no line of them; use nothing"),
        ("line", r.line != "nothing" and not r.patterns[0], "no pattern is left that could end the game"),
        ("boards_to_win", r.boards_to_win > 0 and r.depth == 1, "a game of depth 1 has no boards"),
        ("boards_to_win", r.boards_to_win > 0 and not owned, "boards are never won"),
        ("boards_to_win", r.boards_to_win > r.size, f"there are only {r.size} boards"),
        (
            "count",
            r.count == "boards" and not (owned and r.depth > 1),
            "there are no boards that could be won",
        ),
        (
            "count",
            r.count == "lines" and r.win_board == "tallies",
            "tallied boards are cleared; no lines are left to count",
        ),
        ("count", r.count == "lines" and not r.patterns[-1], "there are no patterns to count"),
        (
            "count",
            r.count == "nothing" and not decisive,
            "nothing decides the game: give line, boards_to_win or count",
        ),
        (
            "count",
            r.count != "nothing" and not used,
            "counted for nothing: most_wins or points = count is missing",
        ),
        ("most_wins", r.most_wins and r.count == "nothing", "most of what? count is nothing"),
        ("points", r.points == "count" and r.count == "nothing", "count is nothing"),
        ("komi", r.komi != 0 and not r.most_wins, "komi shifts most_wins, which is false"),
        ("values", bool(r.values) and r.count != "boards", "board values need count = boards"),
        (
            "values",
            len(r.values) not in (0, r.size),
            f"{len(r.values)} values for {r.size} boards; give {r.size}, or [] for 1 each",
        ),
        (
            "utility",
            r.utility == "points" and r.points != "count",
            "the points are only the result; use result",
        ),
        ("utility", r.utility == "points" and r.win_points != int(r.win_points), "win_points must be whole"),
    ]
