"""What a table is set for: a match, who plays it, and which of how many games it is."""

import os
import time as clocks
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from metatac.errors import InvalidRecord, MatchError, MetatacError
from metatac.game import Move, Position
from metatac.match import Match, Seat, TimeControl, new_match
from metatac.notation import Record, count_records, read_records
from metatac.players import PlayerSpec, player_entries
from metatac.rules import RuleSet
from metatac.table.seats import PERSON, Seats
from metatac.table.series import Series

VERSION = 1
"""Of the JSON form of a saved game."""
LONGEST_NAME = 100


class LaterSave(MatchError):
    """A save that a later metatac has written: there is nothing wrong with it."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that a game at a table is, at one moment; it goes to JSON and back."""

    match: Match
    seats: Seats = field(default_factory=Seats)
    series: Series = field(default_factory=Series)
    redo: tuple[Move, ...] = ()
    """Moves that were taken back and can be made again, the next one first."""
    file: str = ""
    """The save that this was read from, and that the game goes on in."""
    kept: str = ""
    """Where the record of the game is, once it is over."""

    def again(self) -> "Plan":
        """The same players for the same game, from its start."""
        match = self.match
        fresh = new_match(match.start, time=match.time, strict=match.strict, names=self.seats.names)
        return Plan(fresh, self.seats, self.series, file=self.file)

    def to_dict(self) -> dict[str, Any]:
        return {
            "metatac": "saved game",
            "version": VERSION,
            "saved": clocks.strftime("%Y-%m-%d %H:%M:%S"),
            "x": self.seats.x,
            "o": self.seats.o,
            "seed": self.seats.seed,
            "series": self.series.to_dict(),
            "redo": [str(move) for move in self.redo],
            "kept": self.kept,
            "match": self.match.to_dict(),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], file: str = "") -> "Plan":
        """The plan that ``to_dict`` wrote; MatchError says what is wrong with the data."""
        try:
            if (version := data["version"]) != VERSION:
                kind = LaterSave if type(version) is int and version > VERSION else MatchError
                raise kind(f"a save of version {version!r:.40}; this metatac reads {VERSION}")
            match = Match.from_dict(data["match"])
            seats = Seats(_text(data["x"]), _text(data["o"]), _whole(data["seed"]))
            redo, position = [], match.position
            for text in data["redo"]:
                redo.append(position.parse(_text(text)))
                position = position.play(redo[-1])
            return cls(match, seats, Series.from_dict(data["series"]), tuple(redo), file, _text(data["kept"]))
        except MatchError:
            raise
        except MetatacError as error:
            raise MatchError(f"the save cannot be: {error}") from error
        except (KeyError, TypeError, AttributeError) as error:
            raise MatchError(f"no saved game: {error!r:.200}") from error


def plan_game(
    source: "RuleSet | Position | str",
    seats: Seats,
    *,
    time: TimeControl | str | None = "none",
    games: int = 1,
    opening: Iterable[Move | str] = (),
) -> Plan:
    """A game about to start. Without people at it whatever is no legal move forfeits. ``time`` None: the game's own."""
    match = new_match(source, time=time, strict=not seats.people, names=seats.names, opening=opening)
    seats.check(match.rules)
    return Plan(match, seats, Series(games))


def plan_record(record: Record, seats: Seats | None = None) -> Plan:
    """The game of a record, to be played on from its last position, by two people unless others are named."""
    return plan_game(record.start, named_by(record, seats or Seats()), opening=record.moves)


def named_by(record: Record, seats: Seats) -> Seats:
    """The seats with people who have no name called as the record calls who sat there, if that was a person."""
    players = {entry.name for entry in player_entries()}

    def text(seat: Seat) -> str:
        name = record.tags.get(seat, "").strip()[:LONGEST_NAME]
        if not name or seats.of(seat) != PERSON or name.partition(":")[0] in players:
            return seats.of(seat)
        return str(PlayerSpec(PERSON, None, (("name", name),)))

    return replace(seats, x=text("X"), o=text("O"))


def plan_from_file(path: "str | os.PathLike[str]", seats: Seats | None = None, number: int | None = None) -> Plan:
    """A save, or a record: the only one of the file unless its number, from 1, is given. Seats are for a record.

    An OSError or a MetatacError names the file and what is wrong with it.
    """
    from metatac.table.saves import is_save, read_save

    file = Path(os.path.expanduser(path))
    if is_save(file):
        if number is not None:
            raise InvalidRecord(f"{file}: a saved game is the only one in its file, and none is {number}")
        return read_save(file)
    chosen, count = None, 0
    try:
        for count, record in enumerate(read_records(file), 1):
            if number is None and count > 1:
                many = f"there are {count_records(file)} records in it"
                raise InvalidRecord(f"{many}; say which (--only N, or :load FILE N)")
            if number in (None, count):
                chosen = record
    except InvalidRecord as error:
        raise InvalidRecord(f"{file}: {error}") from error
    if chosen is None:
        there = "there is no record in it" if not count else f"there are {count} records, none is {number}"
        raise InvalidRecord(f"{file}: {there}")
    return plan_record(chosen, seats)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise MatchError(f"no saved game: {str(value)[:40]!r} stands where a text is wanted")
    return value


def _whole(value: object) -> int:
    if type(value) is not int:
        raise MatchError(f"no saved game: {str(value)[:40]!r} stands where a whole number is wanted")
    return value
