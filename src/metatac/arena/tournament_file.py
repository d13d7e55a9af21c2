"""A tournament's file: TOML whose every key is checked, and every refusal names the key and its line."""

import math
import os
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from metatac.arena.contestants import BOT, bot_options, entrant, option_names
from metatac.arena.executors import RETRIES
from metatac.arena.games import ADJUDICATION
from metatac.arena.openings import default_plies, openings
from metatac.arena.tournament import FORMATS, MOVE_SECONDS, TIEBREAKS, Entrant, Format, Tiebreak, Tournament
from metatac.errors import ArenaError, BotError, InvalidRecord, MetatacError
from metatac.game import Move, Position, start
from metatac.match import TimeControl, parse_duration
from metatac.notation import read_records
from metatac.players import PlayerSpec, player_entries
from metatac.players.bots.manifest import bots_in
from metatac.rules import RuleSet, load_rules

MAX_FILE = 1024 * 1024

STARTUP = 10.0
"""Seconds that a player has to get ready, unless one says otherwise."""


@dataclass(frozen=True, slots=True)
class Arranged:
    """A tournament, and how it is to be run here."""

    plan: Tournament
    folder: Path
    """Where relative paths are looked up."""
    database: str
    cores: int = 1
    retries: int = RETRIES
    isolation: tuple[str, ...] = ()
    """What the bots are kept in on this machine."""


@dataclass(frozen=True, slots=True)
class _Source:
    """Where the keys were stated, for complaints."""

    file: str
    text: str

    def bad(self, key: str, what: str) -> ArenaError:
        line = line_of(self.text, key) if self.text else 0
        place = f"{self.file}, line {line}" if line else self.file
        return ArenaError(f"{place}: {key}: {what}")


def load_tournament(path: str | os.PathLike[str], settings: Mapping[str, Any] | None = None) -> Arranged:
    """The tournament of a file, some of its keys stated otherwise; ArenaError names file, line and key."""
    file = Path(path).expanduser()
    try:
        data = file.read_bytes()
    except OSError as error:
        raise ArenaError(f"{file}: cannot be read: {error.strerror or error}") from None
    if len(data) > MAX_FILE:
        raise ArenaError(f"{file}: larger than {MAX_FILE} bytes")
    try:
        text = data.decode()
        keys = tomllib.loads(text)
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise ArenaError(f"{file}: not a TOML file: {error or 'nested too deeply'}") from None
    keys = {"name": file.stem, "database": f"{file.stem}.db"} | keys
    for key, value in (settings or {}).items():
        table = keys.get(key)
        keys[key] = table | value if isinstance(table, dict) and isinstance(value, dict) else value
    return arrange(keys, file.parent, _Source(str(file), text))


def arrange(keys: Mapping[str, Any], folder: Path, source: _Source | None = None) -> Arranged:
    """The tournament that the keys state; relative paths are looked up in the folder."""
    where = source or _Source("the command line", "")
    for key in keys:
        if key not in KEYS:
            raise where.bad(key, f"there is no such key; there are {', '.join(KEYS)}")
    values = {key: _checked(where, key, value) for key, value in keys.items()}
    rules = _rules(where, values, folder)
    try:
        return _arranged(where, values, rules, folder)
    except ArenaError as error:
        if str(error).startswith(where.file):
            raise
        raise ArenaError(f"{where.file}: {error}") from error


def _arranged(where: _Source, values: dict[str, Any], rules: RuleSet, folder: Path) -> Arranged:
    run = {"cores": values.pop("cores", 1), "retries": values.pop("retries", RETRIES)}
    database = values.pop("database", "tournament.db")
    if "://" not in database:
        database = str(folder / Path(database).expanduser())
    format: Format = values.get("format", "round-robin")
    values.setdefault("rank", "points" if rules.points_count else "score")
    values.setdefault("tiebreaks", default_tiebreaks(format))
    values.setdefault("seed", 1)
    values.setdefault("startup", STARTUP)
    values |= _openings(where, values, rules, folder)
    bot = _bot_options(where, values.pop("bot", {}))
    if "bots" in values:
        bot.setdefault("isolation", "full")  # whoever handed them in is not known
    given = bot_options(values["startup"], values.get("keep", "game"), bot)
    field = _Field(where, folder, given, _first_position(rules, values))
    field.add_players(values.pop("players", []))
    if "bots" in values:
        field.add_submissions(values.pop("bots"))
    count = len(field.players)
    if format == "swiss":
        values.setdefault("rounds", min(math.ceil(math.log2(max(count, 2))) + 2, count - 1 + count % 2))
    if format == "groups":
        values.setdefault("groups", max(2, round(count / 4)))
    values["time"] = _time(where, values.get("time"), rules, field.players)
    plan = Tournament(
        rules=rules.spec,
        players=tuple(field.players),
        left_out=tuple(field.left_out),
        bot=tuple(sorted(bot.items())),
        **values,
    )
    return Arranged(plan, folder, database, **run, isolation=tuple(sorted(field.levels)))


def default_tiebreaks(format: Format) -> tuple[Tiebreak, ...]:
    if format == "swiss":
        return ("buchholz", "sonneborn-berger", "head-to-head", "wins")
    return ("head-to-head", "sonneborn-berger", "wins")


def line_of(text: str, key: str) -> int:
    """The line on which a key of the file is stated, or its table begins; 0 where it is not found."""
    for pattern in (
        rf"""^[ \t]*["']?{re.escape(key)}["']?[ \t]*[=.]""",
        rf"""^[ \t]*\[+[ \t]*["']?{re.escape(key)}\b""",
    ):
        found = re.search(pattern, text, re.MULTILINE)
        if found:
            return text.count("\n", 0, found.start()) + 1
    return 0


# -- what each key may be


def _checked(where: _Source, key: str, value: Any) -> Any:
    try:
        return KEYS[key](value)
    except (ValueError, TypeError) as error:
        raise where.bad(key, str(error)) from None


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > 200 or not value.isprintable():
        raise ValueError(f"a text of 1 to 200 printable characters is wanted, not {value!r}")
    return value


def _whole(least: int, most: int = 10**9) -> Callable[[Any], int]:
    def check(value: Any) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise ValueError(f"a whole number from {least} to {most} is wanted, not {value!r}")
        return value

    return check


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"true or false is wanted, not {value!r}")
    return value


def _one_of(*words: str) -> Callable[[Any], str]:
    def check(value: Any) -> str:
        if value not in words:
            raise ValueError(f"one of {', '.join(words)} is wanted, not {value!r}")
        return str(value)

    return check


def _seconds(least: float, most: float) -> Callable[[Any], float]:
    def check(value: Any) -> float:
        number = isinstance(value, int | float) and not isinstance(value, bool)
        seconds = float(value) if number else parse_duration(value) if isinstance(value, str) else math.nan
        if not least <= seconds <= most:
            raise ValueError(f"seconds, or a duration like 2s, from {least:g} to {most:g} are wanted, not {value!r}")
        return seconds

    return check


def _time_control(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f'a time control is a text like "1/move" or "5m+3s", not {value!r}')
    return value if value == "game" else str(TimeControl.parse(value))


def _nodes(value: Any) -> int | None:
    if isinstance(value, bool):
        return ADJUDICATION if value else None
    return _whole(1)(value)


def _breaks(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or len(set(map(str, value))) != len(value):
        raise ValueError(f"a list of different tie-breaks is wanted, not {value!r}")
    return tuple(_one_of(*TIEBREAKS)(item) for item in value)


def _table(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"a table is wanted, not {value!r}")
    return value


def _entrants(value: Any) -> list[tuple[str | None, str]]:
    """(name, player) of each; a name of its own may be missing."""
    if not isinstance(value, list):
        raise ValueError(f'a list of players is wanted, like ["random", "minimax:4"], not {value!r}')
    found: list[tuple[str | None, str]] = []
    for item in value:
        if isinstance(item, str):
            found.append((None, item))
        elif isinstance(item, dict) and set(item) <= {"name", "player"} and "player" in item:
            found.append((_text(item["name"]) if "name" in item else None, _text(item["player"])))
        else:
            raise ValueError(f'a player is a text, or {{ name = "…", player = "…" }}, not {item!r}')
    return found


KEYS: dict[str, Callable[[Any], Any]] = {
    "name": _text,
    "game": _text,
    "rules": _table,
    "players": _entrants,
    "bots": _text,
    "bot": _table,
    "format": _one_of(*FORMATS),
    "pairs": _whole(1, 100_000),
    "rounds": _whole(1, 10_000),
    "heroes": _whole(1),
    "groups": _whole(1),
    "advance": _whole(1),
    "third_place": _flag,
    "extra": _whole(0, 100),
    "seeding": _one_of("order", "random"),
    "rank": _one_of("score", "points"),
    "tiebreaks": _breaks,
    "count": _one_of("utility", "result"),
    "seed": _whole(0, 2**63 - 1),
    "openings": _whole(0, 100),
    "book": _text,
    "time": _time_control,
    "margin": _seconds(0, 60),
    "startup": _seconds(0.001, 3600),
    "adjudicate": _nodes,
    "keep": _one_of("game", "match"),
    "cores": _whole(1, 4096),
    "retries": _whole(0, 100),
    "database": _text,
}
"""What a file may state, and what makes a value of it or refuses it."""


# -- what needs more than one key


def _rules(where: _Source, values: dict[str, Any], folder: Path) -> RuleSet:
    game, options = values.pop("game", "ultimate"), values.pop("rules", {})
    try:
        path = folder / game
        return load_rules(path if game.endswith(".toml") and path.is_file() else game, **options)
    except MetatacError as error:
        raise where.bad("game", str(error)) from error


def _time(where: _Source, time: str | None, rules: RuleSet, players: list[Entrant]) -> str:
    if time is None or time == "game":
        return str(TimeControl(move=rules.move_time or MOVE_SECONDS))
    if time == "none" and any(entrant.player.startswith(f"{BOT}:") for entrant in players):
        raise where.bad("time", "a bot that never answers would hold everything up for ever: bots need a limit")
    return time


def _bot_options(where: _Source, options: dict[str, Any]) -> dict[str, str]:
    known = next((option_names(entry) for entry in player_entries() if entry.name == BOT), ())
    found = {}
    for key, value in options.items():
        if key not in known:
            raise where.bad("bot", f"bots have no option {key!r}; there are {', '.join(known)}")
        found[key] = ("yes" if value else "no") if isinstance(value, bool) else str(value)
    return found


class _Field:
    """Who takes part, each with a name of its own; and who of the submissions cannot, and why."""

    def __init__(self, where: _Source, folder: Path, given: Mapping[str, str], at: Position) -> None:
        self.where, self.folder, self.given, self.at = where, folder, given, at
        self.players: list[Entrant] = []
        self.left_out: list[tuple[str, str]] = []
        self.levels: set[str] = set()
        self.reserved: set[str] = set()
        """What the submissions are called as files and folders: no other may claim such a name."""

    def add_players(self, listed: list[tuple[str | None, str]]) -> None:
        for name, text in listed:
            try:
                self._add(name, text)
            except MetatacError as error:
                raise self.where.bad("players", str(error)) from error

    def add_submissions(self, bots: str) -> None:
        """Every bot in the folder. One that cannot be loaded does not take part, and the reason is kept."""
        home = self.folder / Path(bots).expanduser()
        if not home.is_dir():
            raise self.where.bad("bots", f"{home}: there is no such folder")
        found = bots_in(home, several=True)
        self.reserved = {_own_name(path) for path in found}
        for path in found:
            text = str(PlayerSpec(BOT, os.path.relpath(path, self.folder)))
            if path.is_symlink():  # to another's bot, perhaps, or to what nobody is to see
                self.left_out.append((path.name, "it is a link; a bot is a file or a folder"))
                continue
            try:
                self._add(None, text, _own_name(path))
            except BotError as error:
                self._leave_out(path.name, text, error)
        if not self.players:
            reasons = "; ".join(f"{name}: {reason}" for name, reason in self.left_out)
            raise self.where.bad("bots", f"there is no bot in {home}{': ' if reasons else ''}{reasons}")

    def _add(self, name: str | None, text: str, own: str = "") -> None:
        contestant, player = entrant(name, text, self.given, self.folder, self.at)
        if contestant.entry.name == BOT:  # an engine's level is how strong it is
            self.levels.add(str(getattr(player, "level", "")))
        self.players.append(Entrant(self._unlike(contestant.label, own), text))

    def _leave_out(self, name: str, text: str, error: BotError) -> None:
        """Unless it is only the openings that it cannot play: that is not for the bot to change."""
        try:
            entrant(None, text, self.given, self.folder, start(self.at.rules))
        except BotError:
            # The reason is published: where the folder lies is nobody's business.
            self.left_out.append((name, str(error).replace(f"{self.folder.resolve()}{os.sep}", "")))
        else:
            raise self.where.bad("openings", f"{name}: {error}; with openings = 0 it can play")

    def _unlike(self, name: str, own: str) -> str:
        """The name, or one that nobody has yet and that is nobody else's own."""
        taken = {entrant.name for entrant in self.players} | self.reserved - {own}
        base = "".join(mark if mark.isprintable() else "?" for mark in name.strip())[:50] or "?"
        names = (base if number == 1 else f"{base} ({number})" for number in count(1))
        return next(name for name in names if name not in taken)


def _own_name(path: Path) -> str:
    """What a submission is called that does not claim another name."""
    return path.name if path.is_dir() else path.stem


def _openings(where: _Source, values: dict[str, Any], rules: RuleSet, folder: Path) -> dict[str, Any]:
    """The keys of a plan that say how games begin."""
    plies, book = values.pop("openings", None), values.pop("book", None)
    if plies is not None and book is not None:
        raise where.bad("book", "openings come from a book or at random, not both")
    if book is not None:
        return {"book": _book(where, book, rules, folder), "plies": 0}
    return {"plies": default_plies(rules) if plies is None else plies}


def _first_position(rules: RuleSet, values: dict[str, Any]) -> Position:
    """Where the first game begins: whoever can begin there can begin all of them."""
    position = start(rules)
    if book := values.get("book"):
        moves: Sequence[Move | str] = book[0].split()
    else:
        moves = next(openings(rules, values["plies"], values["seed"])).moves
    for move in moves:
        position = position.play(move)
    return position


def _book(where: _Source, name: str, rules: RuleSet, folder: Path) -> tuple[str, ...]:
    """The openings of a file: the moves of one on every line, or a file of records."""
    path = folder / Path(name).expanduser()
    try:
        text = path.read_text("utf-8")
        if text.lstrip().startswith("["):
            lines = [(0, " ".join(map(str, record.moves))) for record in read_records(path)]
        else:
            lines = [(number, line.partition("#")[0]) for number, line in enumerate(text.splitlines(), 1)]
    except (OSError, UnicodeDecodeError, InvalidRecord) as error:
        raise where.bad("book", f"{path}: {error}") from None
    book = []
    for number, line in lines:
        if not line.strip():
            continue
        position = start(rules)
        try:
            for word in line.split():
                position = position.play(word)
        except MetatacError as error:
            raise where.bad("book", f"{path}{f', line {number}' if number else ''}: {error}") from error
        if position.outcome is not None:
            raise where.bad(
                "book", f"{path}{f', line {number}' if number else ''}: the game is over after {line.strip()}"
            )
        book.append(" ".join(line.split()))
    if not book:
        raise where.bad("book", f"{path}: there is no opening in it")
    return tuple(book)
