"""The named players as data: what each is called, takes and does. None is imported before it is asked for."""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any, Literal, cast

from metatac.errors import MatchError, UnknownPlayer, suggestion
from metatac.match import Player, parse_duration
from metatac.players.engine_options import HASH
from metatac.players.spec import PlayerSpec
from metatac.rules import RuleSet


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a player."""

    name: str
    kind: Literal["whole", "number", "text", "duration", "budget", "switch"]
    help: str
    default: int | float | str | None = None
    main: bool = False
    """Whether it may be given without its name, right after the colon."""
    within: tuple[float, float] | None = None
    """The least and the greatest of its values: what is out of bounds is refused before anybody is loaded."""
    goes_with: str | None = None
    """The option without which it means nothing: a text that states it alone is refused. Whoever gives the same options
    to all sorts of players, as a match gives seeds, need not know of it."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A kind of player; ``home`` is the ``module:callable`` that makes one from the options."""

    name: str
    help: str
    home: str
    options: tuple[Option, ...] = ()
    check: str = ""
    """The ``module:callable`` that says, of rules and options, why such a player could not play; soon loaded."""

    @property
    def main(self) -> Option | None:
        return next((option for option in self.options if option.main), None)


_SEED = Option("seed", "whole", "the same seed plays the same moves; none: different each time")
_BUDGET = Option("budget", "budget", "for each move: time (2s, 300ms) or iterations (800n, 50kn, 2Mn)", "1s", main=True)
_HASH = Option("hash", "whole", "the most memory for the tree, in MB", 256, within=(1, 2**20))

_ENTRIES: dict[str, Entry] = {
    entry.name: entry
    for entry in (
        Entry(
            "human",
            "a person who types the moves",
            "metatac.players.human:HumanPlayer",
            (Option("name", "text", "what to call the person", "human", main=True),),
        ),
        Entry(
            "random",
            "any legal move, each as likely",
            "metatac.players.random_player:RandomPlayer",
            (replace(_SEED, main=True),),
        ),
        Entry(
            "greedy",
            "takes the game or a board if it can, blocks if it must",
            "metatac.players.greedy:GreedyPlayer",
            (replace(_SEED, main=True),),
        ),
        Entry(
            "tiger",
            "the old strategy for sudoku, and for no other game",
            "metatac.players.tiger:TigerPlayer",
            check="metatac.players.tiger:check_tiger",
        ),
        Entry(
            "heurist",
            "flat Monte Carlo: the move after which random games go best",
            "metatac.players.heurist:HeuristPlayer",
            (Option("games", "whole", "random games for each move made", 1000, main=True, within=(1, 10**9)), _SEED),
        ),
        Entry(
            "uct",
            "the textbook's tree search with random games; a yardstick that never changes",
            "metatac.players.tree_players:UctPlayer",
            (_BUDGET, _SEED, _HASH),
        ),
        Entry(
            "mcts",
            "tree search with proofs and win-or-block games, its tree kept between moves",
            "metatac.players.tree_players:MctsPlayer",
            (_BUDGET, _SEED, _HASH, Option("c", "number", "how much it explores", within=(0, 100))),
        ),
        Entry(
            "minimax",
            "looks a fixed number of moves ahead, exactly; in sudoku with the calculator's values",
            "metatac.players.searchers:MinimaxPlayer",
            (
                Option("depth", "whole", "moves to look ahead, 1 to 12", 4, main=True, within=(1, 12)),
                Option(
                    "margin",
                    "number",
                    "chooses at random among the moves so close to the best",
                    0.0,
                    within=(0, math.inf),
                ),
                Option("seed", "whole", "of the choice among equals", 0),
            ),
        ),
        Entry(
            "bot",
            "a program of yours, in any language and in its own process: see docs/write-a-bot.md",
            "metatac.players.bots.player:BotPlayer",
            (
                Option("path", "text", "its file or folder; a comma in it is written twice", main=True),
                Option("protocol", "text", "python, ugi, codingame, riddles, theaigames or course; none: recognised"),
                Option("isolation", "text", "full, limited or none; auto: the best there is here", "auto"),
                Option("memory", "text", "the most that it may use", "512MB"),
                Option("processes", "whole", "the most that it may have at once", 64),
                Option("startup", "duration", "how long it may take to get ready", "10s"),
                Option("strict", "switch", "yes: threads and unneeded system calls lose", "no"),
                Option("keep", "switch", "yes: one process for all games, where the protocol allows it", "no"),
                Option("ponder", "switch", "yes: it may go on while it is not its turn", "no"),
                Option("entry", "text", "which class or function of a Python file, where there are several"),
                Option("args", "text", "words for its command line"),
            ),
            check="metatac.players.bots.player:check_bot",
        ),
        Entry(
            "engine",
            "the strong one; a level from 1 to 12, or full strength",
            "metatac.players.searchers:EnginePlayer",
            (
                Option(
                    "level",
                    "whole",
                    "1 to 12: fixed strength on every machine; none: full strength",
                    main=True,
                    within=(1, 12),
                ),
                Option(
                    "time",
                    "duration",
                    "seconds a move; none: what the clock allows, or 1 s",
                    within=(0.001, math.inf),
                ),
                Option("nodes", "whole", "positions to search for a move, on one thread", within=(1, math.inf)),
                Option("depth", "whole", "moves to look ahead", within=(1, math.inf)),
                Option("hash", "number", "MB of memory for positions", HASH, within=(0.001, 2**20)),
                Option("threads", "whole", "none: all cores; with nodes 1", within=(1, 512)),
                replace(_SEED, help="of a level, and only there: the same seed, the same moves", goes_with="level"),
                Option("ponder", "switch", "yes: it thinks on the opponent's time, too", "no"),
                Option("contempt", "number", "0 to 1: how much it avoids draws, in ultimate", 0.6, within=(0, 1)),
            ),
            check="metatac.players.engine_options:check_engine",
        ),
    )
}


def register(entry: Entry) -> None:
    """Add a kind of player; a name can be given only once."""
    if entry.name in _ENTRIES:
        raise UnknownPlayer(f"there is a player called {entry.name!r} already")
    _ENTRIES[entry.name] = entry


def player_entries() -> tuple[Entry, ...]:
    """Every kind of player, by name."""
    return tuple(sorted(_ENTRIES.values(), key=lambda entry: entry.name))


def load_player(spec: str | PlayerSpec, **options: Any) -> Player:
    """The player that a text names: ``random``, ``random:seed=7``. Options given here override the text's.

    UnknownPlayer names what is unknown and what there is.
    """
    parts = spec if isinstance(spec, PlayerSpec) else PlayerSpec.parse(spec)
    entry = _entry(parts)
    values = _values(entry, parts) | options
    for name in options:
        _option(entry, name)
    make: Callable[..., Player] = _named(entry.home)
    return make(**values)


def check_player(spec: str | PlayerSpec, rules: RuleSet) -> None:
    """A MetatacError says why the player that a text names could not play a game, as far as that can be told before it
    is loaded: a game that has begun would be stuck."""
    parts = spec if isinstance(spec, PlayerSpec) else PlayerSpec.parse(spec)
    entry, options = _entry(parts), options_of(parts)
    if entry.check:
        _named(entry.check)(rules, **options)


def options_of(parts: PlayerSpec) -> dict[str, Any]:
    """The options that a player's text states, as values; UnknownPlayer names what is unknown."""
    return _values(_entry(parts), parts)


def _named(place: str) -> Callable[..., Any]:
    """What is at a ``module:callable``."""
    module, _, name = place.partition(":")
    return cast(Callable[..., Any], getattr(import_module(module), name))


def _entry(parts: PlayerSpec) -> Entry:
    entry = _ENTRIES.get(parts.name)
    if entry is None:
        raise UnknownPlayer(f"{parts.name!r} is no player; {suggestion(parts.name, sorted(_ENTRIES), 'there are')}")
    return entry


def _values(entry: Entry, parts: PlayerSpec) -> dict[str, Any]:
    given = dict(parts.options)
    if parts.main is not None:
        if entry.main is None:
            raise UnknownPlayer(f"{str(parts)!r}: {entry.name} takes nothing right after the colon")
        if entry.main.name in given:
            raise UnknownPlayer(f"{str(parts)!r} states {entry.main.name} twice")
        given[entry.main.name] = parts.main
    for option in entry.options:
        if option.goes_with is not None and option.name in given and option.goes_with not in given:
            raise UnknownPlayer(f"{str(parts)!r}: {option.name} goes with a {option.goes_with}, and none is given")
    return {name: _value(parts, _option(entry, name), text) for name, text in given.items()}


def _option(entry: Entry, name: str) -> Option:
    for option in entry.options:
        if option.name == name:
            return option
    known = ", ".join(option.name for option in entry.options) or "none"
    raise UnknownPlayer(f"{entry.name} has no option {name!r}; its options: {known}")


def _value(parts: PlayerSpec, option: Option, text: str) -> int | float | str:
    read, wanted = _KINDS[option.kind]
    try:
        value = read(text)
    except (ValueError, KeyError, MatchError):
        raise UnknownPlayer(f"{str(parts)!r}: {option.name} is {wanted}, not {text!r}") from None
    least, most = option.within or (-math.inf, math.inf)
    if option.within is not None and not least <= cast(float, value) <= most:
        bounds = f"at least {least:,}" if most == math.inf else f"from {least:,} to {most:,}"
        raise UnknownPlayer(f"{str(parts)!r}: {option.name} is {bounds}, not {text}")
    return value


def _whole(text: str) -> int:
    if not _WHOLE.fullmatch(text):  # int() would take underscores and the digits of every script
        raise ValueError
    return int(text)


def _number(text: str) -> float:
    if not text.isascii() or "_" in text or not math.isfinite(number := float(text)):
        raise ValueError
    return number


def _budget(text: str) -> str:
    from metatac.engine.budget import Budget

    Budget.parse(text)
    return text


_WHOLE = re.compile(r"[+-]?[0-9]{1,18}")
"""What fits into a word of the machine."""

_KINDS: dict[str, tuple[Callable[[str], int | float | str], str]] = {
    "whole": (_whole, "a whole number of at most 18 digits"),
    "number": (_number, "a number"),
    "duration": (parse_duration, "a duration like 2s"),
    "budget": (_budget, "time like 2s, 300ms or iterations like 800n, 50kn, 2Mn"),
    "switch": ({"yes": True, "no": False}.__getitem__, "yes or no"),
    "text": (str, "a text"),
}
"""How the text of each kind of option is read, and what is wanted."""
