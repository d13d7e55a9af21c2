"""The game record: a value that replays. Whoever holds a `Record` holds a game that obeys its rules."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import NamedTuple

from metatac.errors import IllegalMove, InvalidMove, InvalidRecord
from metatac.game import Game, Move, Position
from metatac.game import start as start_of
from metatac.notation.verdict import format_points, settle
from metatac.rules import Points, RuleSet, tidy

MAX_DEPTH = 32  #: how deep variations may nest; it also bounds every recursion over a record
MAX_TEXT = 65_536  #: characters of one comment or tag value
MAX_SECONDS = 10_000_000  #: the longest clock

#: Tags with a place of their own, in the order in which they are written.
TAG_ORDER = ("Event", "Site", "Date", "Round", "X", "O", "TimeControl")
#: Tags that a record derives from its own fields; they cannot be set as free tags.
DERIVED_TAGS = frozenset({"Rules", "Start", "Result", "Points", "Termination"})

_TAG_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")
_SURROGATE = re.compile("[\ud800-\udfff]")

Line = tuple["Ply", ...]


class Unplayable(InvalidRecord):
    """A move that the rules refuse; `index` counts the moves written before it, variations included."""

    def __init__(self, message: str, index: int) -> None:
        super().__init__(message)
        self.index = index


@dataclass(frozen=True, slots=True)
class Ply:
    """One move and what was noted about it.

    `clock` is the mover's remaining time and `spent` what the move took, in seconds, kept to the
    millisecond. `evaluation` is the value after the move in **X's view**; `win_in` is a proven win
    instead, in plies, positive for X and negative for O. `nags` are PGN's numbers (1 is "!").
    `variations` are lines that could have been played instead of this very move.
    """

    move: Move
    comment: str = ""
    clock: float | None = None
    spent: float | None = None
    evaluation: float | None = None
    win_in: int | None = None
    nags: tuple[int, ...] = ()
    variations: tuple[Line, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.move, tuple):
            raise InvalidRecord(f"{self.move!r} is no Move; Position.parse makes one of a text")
        object.__setattr__(self, "move", Move(self.move))
        check_text("comment", self.comment)
        object.__setattr__(self, "clock", _seconds("clock", self.clock))
        object.__setattr__(self, "spent", _seconds("time spent", self.spent))
        if self.evaluation is not None:
            object.__setattr__(self, "evaluation", _number("evaluation", self.evaluation))
        if self.win_in is not None:
            if type(self.win_in) is not int or not -(10**6) <= self.win_in <= 10**6:
                raise InvalidRecord(f"a win in {self.win_in!r} plies is no whole number in range")
            if self.evaluation is not None:
                raise InvalidRecord("a move has an evaluation or a proven win, not both")
        object.__setattr__(self, "nags", tuple(self.nags))
        for nag in self.nags:
            if type(nag) is not int or not 0 <= nag <= 255:
                raise InvalidRecord(f"annotation {nag!r} is no whole number from 0 to 255")
        object.__setattr__(self, "variations", tuple(map(tuple, self.variations)))


class Step(NamedTuple):
    """One move of a walk through a record: the positions around it, its number and its depth."""

    before: Position
    ply: Ply
    after: Position
    number: int  #: counted from 1 at the start of the record, one for every move, bonus moves included
    depth: int  #: 0 on the main line, 1 in a variation of it, and so on


@dataclass(frozen=True)
class Record:
    """A game from `start` along `plies`, who played it, and how it ended.

    Building one replays every line and checks the ending, so a `Record` that exists is sound.
    `result`, `points` and `termination` may be left out where the board says them. `tags` are the
    free ones: Event, Site, Date, Round, X, O, TimeControl and whatever else one likes to keep.
    """

    start: Position
    plies: Line = ()
    result: str = ""
    points: Points | None = None
    termination: str = ""
    tags: Mapping[str, str] = field(default_factory=dict, hash=False)
    comment: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "plies", tuple(self.plies))
        object.__setattr__(self, "tags", _ordered(self.tags))
        check_text("comment", self.comment)
        check_text("termination", self.termination)
        end = self.start
        for step in self.walk():
            if not step.depth:
                end = step.after
        settled = settle(end.outcome, self.result, _checked_points(self.points), self.termination)
        for name, value in zip(("result", "points", "termination"), settled, strict=True):
            object.__setattr__(self, name, value)

    @classmethod
    def from_game(
        cls,
        game: Game,
        *,
        tags: Mapping[str, str] | None = None,
        result: str = "",
        points: Points | None = None,
        termination: str = "",
        comment: str = "",
        clocks: Sequence[float | None] | None = None,
        spent: Sequence[float | None] | None = None,
    ) -> "Record":
        """The record of a game as played; `clocks` and `spent` give a time for every move."""
        times: list[Sequence[float | None]] = []
        for given in (clocks, spent):
            times.append([None] * len(game.moves) if given is None else given)
            if len(times[-1]) != len(game.moves):
                raise InvalidRecord(f"{len(game.moves)} moves, but {len(times[-1])} times for them")
        plies = tuple(
            Ply(move, clock=clock, spent=taken) for move, clock, taken in zip(game.moves, *times, strict=True)
        )
        return cls(game.start, plies, result, points, termination, tags or {}, comment)

    @property
    def rules(self) -> RuleSet:
        return self.start.rules

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves of the main line."""
        return tuple(ply.move for ply in self.plies)

    @property
    def headers(self) -> dict[str, str]:
        """All tags as a record's text shows them, derived ones included, in their order."""
        headers = {"Rules": self.rules.spec}
        if self.start != start_of(self.rules):
            headers["Start"] = self.start.text
        headers |= {name: self.tags[name] for name in TAG_ORDER[:-1] if name in self.tags}
        headers["Result"] = self.result
        if self.points is not None:
            headers["Points"] = format_points(self.points)
        if self.termination:
            headers["Termination"] = self.termination
        return headers | dict(self.tags)

    def game(self) -> Game:
        """The main line as a `Game`, ready to be played on."""
        game = Game(self.start)
        for ply in self.plies:
            game.push(ply.move)
        return game

    def positions(self) -> Iterator[Position]:
        """The positions of the main line, from the start on."""
        position = self.start
        yield position
        for ply in self.plies:
            position = position.play(ply.move)
            yield position

    def walk(self) -> Iterator[Step]:
        """Every move with its positions in the order of writing: a move, its variations, the next move."""
        return _walk(self.start, self.plies, 1, 0, count())

    def to_text(self) -> str:
        """The record in PGN-like text, ending in a newline."""
        from metatac.notation.text import format_record

        return format_record(self)

    @classmethod
    def from_text(cls, text: str) -> "Record":
        """Read exactly one record from its text."""
        from metatac.notation.text import parse_record

        return parse_record(text)

    def to_json(self) -> str:
        """The record as one JSON object on one line, without a newline."""
        from metatac.notation.jsonform import format_json

        return format_json(self)

    @classmethod
    def from_json(cls, text: str) -> "Record":
        """Read exactly one record from its JSON object."""
        from metatac.notation.jsonform import parse_json

        return parse_json(text)


def _walk(position: Position, line: Line, number: int, depth: int, index: Iterator[int]) -> Iterator[Step]:
    """The steps of a line; `index` counts the moves of the whole record, to place an error."""
    for ply in line:
        written = next(index)
        try:
            after = position.play(ply.move)
        except (IllegalMove, InvalidMove) as error:
            place = f"ply {number} in a variation" if depth else f"ply {number}"
            raise Unplayable(f"{place}: {error}", written) from error
        yield Step(position, ply, after, number, depth)
        if ply.variations and depth == MAX_DEPTH:
            raise Unplayable(f"ply {number}: variations nest deeper than {MAX_DEPTH}", written)
        for variation in ply.variations:
            if not variation:
                raise Unplayable(f"ply {number}: a variation without moves", written)
            yield from _walk(position, variation, number, depth + 1, index)
        position, number = after, number + 1


def check_text(what: str, text: str) -> str:
    """Text that any file can hold: a string of limited length that has a UTF-8 form."""
    if not isinstance(text, str):
        raise InvalidRecord(f"{what} is no text but {type(text).__name__}")
    if len(text) > MAX_TEXT:
        raise InvalidRecord(f"{what} is {len(text)} characters long; at most {MAX_TEXT} are allowed")
    if _SURROGATE.search(text):
        raise InvalidRecord(f"{what} holds half a character (a lone surrogate)")
    return text


def _ordered(tags: Mapping[str, str]) -> dict[str, str]:
    names: Iterable[str] = [*(name for name in TAG_ORDER if name in tags), *tags]
    ordered = {name: tags[name] for name in names}
    for name, value in ordered.items():
        if not isinstance(name, str) or not _TAG_NAME.fullmatch(name):
            raise InvalidRecord(f"{name!r} is no tag name (a letter, then letters, digits and _)")
        if name in DERIVED_TAGS:
            raise InvalidRecord(f"tag {name} is derived from the game and cannot be set freely")
        check_text(f"tag {name}", value)
    return ordered


def _number(what: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= 1e300:
        raise InvalidRecord(f"{what} {repr(value)[:40]} is no number in range")
    return float(value)


def _seconds(what: str, value: float | None) -> float | None:
    if value is None:
        return None
    seconds = _number(what, value)
    if not 0 <= seconds <= MAX_SECONDS:
        raise InvalidRecord(f"{what} of {value!r} s is not between 0 and {MAX_SECONDS} s")
    return round(seconds, 3)


def _checked_points(points: Points | None) -> Points | None:
    if points is None:
        return None
    if not isinstance(points, Sequence) or len(points) != 2:
        raise InvalidRecord(f"points {points!r} are no pair of numbers")
    x, o = (tidy(_number("points", side)) for side in points)
    return x, o
