"""Positions as the client draws them: it knows no rules, so everything that may be done is said."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from metatac.errors import InvalidPosition, MetatacError, RulesError
from metatac.game import Move, Position, position, start
from metatac.game.outcome import counted
from metatac.notation import foreign_forms, form_of, read_foreign
from metatac.rules import LETTERS, RuleSet, load_rules, parse_rules, preset_names
from metatac.server.settings import MAX_CELLS, MAX_TOML

MAX_VALUES = 4_000
"""Patterns times cells of a rule set that is pasted: what a move may cost."""


def title_of(rules: RuleSet) -> str:
    """What to call a game. Rules of one's own that inherit a preset's title, or take one, are told apart from it."""
    title = rules.title or rules.name
    own = rules.name not in preset_names()
    changed = own and any(title == plain.title and rules != plain for plain in map(load_rules, preset_names()))
    return f"{title}, changed" if changed else title


def view(now: Position, last: Move | None = None, explaining: Move | None = None) -> dict[str, Any]:
    """The position with where each move would send the opponent, and what is counted.

    ``explaining`` is the last move that sends, where ``last`` is a swap.
    """
    return _view(now, last, explaining) | {"title": title_of(now.rules)}  # equal rules may have other titles


@lru_cache(maxsize=1024)
def _view(now: Position, last: Move | None, explaining: Move | None) -> dict[str, Any]:
    """What is the same for equal positions. Not to be changed."""
    rules = now.rules
    data = now.to_dict(last if explaining is None else explaining)
    data["last_move"] = None if last is None else str(last)
    data["targets"] = None
    data["counts"] = counts(now)
    if rules.marks == 2:
        data["legal"], data["choices"] = None, choices(now)
    else:
        data["targets"] = {str(move): target(after) for move, after in now.futures()}
    return data


def line_view(positions: Sequence[Position], moves: Sequence[Move]) -> dict[str, Any]:
    """The last of a line of positions, seen with the moves that led there."""
    last = moves[-1] if moves else None
    explaining = next((move for move in reversed(moves) if move != Move.SWAP), None)
    return view(positions[-1], last, explaining if last == Move.SWAP else None)


def target(after: Position) -> str:
    """Where whoever is next is sent: a board's letters, ``*`` for anywhere, nothing when the game is over."""
    if after.outcome is not None:
        return ""
    return "".join(LETTERS[number] for number in after.send) or "*"


def choices(now: Position) -> dict[str, dict[str, str]]:
    """Two-mark moves by board and own cell: the cells that the other mark may go to."""
    depth = now.rules.depth
    found: dict[str, dict[str, str]] = {}
    for move in now.legal_moves:
        text = str(move)
        cells = found.setdefault(text[: depth - 1], {})
        cells[text[-2]] = cells.get(text[-2], "") + text[-1]
    return found


def counts(now: Position) -> dict[str, Any] | None:
    """What is counted in the end, as it stands now; None where nothing is."""
    rules = now.rules
    if rules.count == "nothing":
        return None
    x, o = counted(now)
    return {"X": x, "O": o, "what": "points" if rules.values else rules.count}


# -- reading what visitors send


def pasted_rules(toml: str) -> RuleSet:
    """A rule set that a visitor wrote: presets may be inherited, files may not, and it must be affordable."""
    if len(toml.encode("utf-8", "replace")) > MAX_TOML:
        raise RulesError(f"the rules are longer than {MAX_TOML} bytes")
    return affordable(parse_rules(toml, file="your rules", name="custom"))


def affordable(rules: RuleSet) -> RuleSet:
    if rules.cells > MAX_CELLS:
        raise RulesError(f"{rules.cells} cells are too many here; {MAX_CELLS} is the most")
    if not f"{rules.title}{rules.text}".replace("\n", " ").isprintable():
        raise RulesError("title and text: a character that cannot be shown")
    patterns = sum(len(pattern) for level in rules.patterns for pattern in level)
    if patterns > MAX_VALUES:
        raise RulesError("these are too many patterns for this place")
    return rules


def rules_named(game: str, options: dict[str, Any]) -> RuleSet:
    """A preset with options."""
    if game not in preset_names():
        raise RulesError(f"{game[:60]!r} is none of the games: {', '.join(preset_names())}")
    return affordable(load_rules(game, **options))


def read_position(text: str) -> Position:
    """A position in any notation that we read: ours, which has four fields, or a foreign one; or a game's name."""
    words = text.strip()
    if words in preset_names():
        return start(words)
    if len(words.split()) == 4:
        found = position(words)
    elif form_of(words) is not None:
        found = read_foreign(words)
    else:
        raise InvalidPosition(
            f"{words[:60]!r} is neither a record, which begins with [ or {{, nor a position: wanted is the name of a "
            f"game, a text such as 'tic-tac-toe X - 9', or the notation of another: {', '.join(foreign_forms())}"
        )
    affordable(found.rules)
    return found


def played(first: Position, moves: Sequence[str], typed: bool = False) -> tuple[list[Position], list[Move]]:
    """The line of positions after moves, each as letters, or as people type them."""
    from metatac.players.typed import typed_move

    positions, made = [first], []
    for number, text in enumerate(moves, 1):
        now = positions[-1]
        try:
            move = typed_move(now, text) if typed else now.parse(text)
            positions.append(now.play(move))
        except MetatacError as error:
            raise type(error)(f"move {number}: {error}") from error
        made.append(move)
    return positions, made


def set_up(
    rules: RuleSet,
    boards: Sequence[str],
    turn: str,
    send: str | None,
    owners: Sequence[str | None] | None,
    groups: Sequence[str | None] | None,
    tallies: Sequence[Sequence[int]] | None,
    bonus: bool,
) -> Position:
    """A position from its parts, as an editor has them; what contradicts itself is refused by the reader of texts."""
    if len(boards) != rules.board_count:
        raise InvalidPosition(f"{len(boards)} boards, but {rules.board_count} are wanted")
    body = []
    for number, cells in enumerate(boards):
        if len(cells) != rules.size or set(cells) - set("XO.#"):
            raise InvalidPosition(f"board {number + 1}, {cells[:60]!r}, is not {rules.size} of X, O, . and #")
        squeezed = _squeezed(cells)
        tally = ""
        if tallies is not None and any(tallies[number]):
            tally = "".join(str(count) for count in tallies[number])
        owner = (owners[number] if owners is not None else None) or ""
        body.append(f"{squeezed}:{tally}{owner}" if tally or owner else squeezed)
    text = "/".join(body)
    if rules.depth == 3:
        size = rules.size
        parts = ["/".join(body[i * size : (i + 1) * size]) for i in range(size)]
        marks = groups or [None] * size
        text = "|".join(f"{part}::{owner}" if owner else part for part, owner in zip(parts, marks, strict=True))
    return position(f"{rules.spec} {turn}{'+' if bonus else ''} {send or '-'} {text}")


def _squeezed(cells: str) -> str:
    text, blanks = "", 0
    for mark in cells + "|":
        if mark == ".":
            blanks += 1
            continue
        text += (str(blanks) if blanks else "") + mark
        blanks = 0
    return text[:-1]
