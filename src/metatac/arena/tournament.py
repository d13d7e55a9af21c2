"""A tournament as a value: who plays what, how they are paired, and everything else that its games follow from.

How many cores play it, and where it is kept, is no part of it: the same tournament may go on elsewhere.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, get_args

from metatac.arena.games import MARGIN, Keep
from metatac.arena.tally import Count
from metatac.errors import ArenaError, MetatacError
from metatac.match import TimeControl
from metatac.rules import RuleSet, load_spec

Format = Literal["round-robin", "gauntlet", "swiss", "knockout", "groups"]
Ranking = Literal["score", "points"]
Tiebreak = Literal["head-to-head", "buchholz", "sonneborn-berger", "wins", "points", "score", "forfeits"]

FORMATS: tuple[Format, ...] = get_args(Format)
TIEBREAKS: tuple[Tiebreak, ...] = get_args(Tiebreak)

MOVE_SECONDS = 10.0
"""For a move, where neither the tournament nor the game's rules say."""

LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class Entrant:
    """Who takes part: a name of its own, and the player's text as `metatac play` takes it."""

    name: str
    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tournament:
    """Everything that decides which games are played. ``tournament_file`` says what each key means."""

    name: str
    rules: str
    """The rule set, as its spec."""
    players: tuple[Entrant, ...]
    format: Format = "round-robin"
    pairs: int = 1
    """Pairs of games whenever two players meet."""
    rounds: int = 0
    """Of a Swiss tournament."""
    heroes: int = 1
    """Of a gauntlet: the first so many players meet all the others."""
    groups: int = 0
    advance: int = 2
    """Of groups: so many of each go on to the knockout."""
    third_place: bool = True
    """Of a knockout: whether those who lose the semi-finals meet."""
    extra: int = 2
    """Of a knockout: pairs that are added at most, one by one, where two players are level."""
    seeding: Literal["order", "random"] = "order"
    rank: Ranking = "score"
    tiebreaks: tuple[Tiebreak, ...] = ()
    count: Count = "utility"
    seed: int = 0
    plies: int = 0
    """Random moves of every opening."""
    book: tuple[str, ...] = ()
    """Openings in place of random ones: each the text of its moves."""
    time: str = "none"
    margin: float = MARGIN
    startup: float = 10.0
    adjudicate: int | None = None
    keep: Keep = "game"
    bot: tuple[tuple[str, str], ...] = ()
    """Options for all players that are programs of their own and do not state them."""
    left_out: tuple[tuple[str, str], ...] = ()
    """Who could not be admitted, and why."""

    def __post_init__(self) -> None:
        if len(self.players) < 2:
            raise ArenaError(f"a tournament wants two players at least, not {len(self.players)}")
        names = [entrant.name for entrant in self.players]
        for name in names:
            if not name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
                raise ArenaError(f"{name[:80]!r} cannot be a player's name: 1 to {LONGEST_NAME} printable characters")
            if names.count(name) > 1:
                raise ArenaError(f"two players are called {name!r}")
        TimeControl.parse(self.time)
        for check in (self._check_swiss, self._check_gauntlet, self._check_groups):
            check()

    def _check_swiss(self) -> None:
        most = len(self.players) - 1 + len(self.players) % 2
        if self.format == "swiss" and not 1 <= self.rounds <= most:
            raise ArenaError(
                f"{len(self.players)} players can play 1 to {most} rounds without meeting again, not {self.rounds}"
            )

    def _check_gauntlet(self) -> None:
        if self.format == "gauntlet" and not 1 <= self.heroes < len(self.players):
            raise ArenaError(f"of {len(self.players)} players {self.heroes} cannot meet all the others")

    def _check_groups(self) -> None:
        if self.format != "groups":
            return
        smallest = len(self.players) // self.groups if self.groups else 0
        if self.groups < 1 or smallest < 2:
            raise ArenaError(f"{len(self.players)} players cannot be put into {self.groups} groups of two or more")
        if not 1 <= self.advance <= smallest or self.advance * self.groups < 2:
            raise ArenaError(f"{self.advance} of every group cannot go on: the smallest has {smallest} players")

    @property
    def rule_set(self) -> RuleSet:
        return load_spec(self.rules)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as JSON gives it back."""
        data = asdict(self)
        data["players"] = [[entrant.name, entrant.player] for entrant in self.players]
        for key in ("tiebreaks", "book"):
            data[key] = list(data[key])
        for key in ("bot", "left_out"):
            data[key] = [list(item) for item in data[key]]
        return data

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Tournament":
        """The tournament that ``to_dict`` wrote; ArenaError where it is none that this metatac knows."""
        known = {field.name for field in fields(cls)}
        if strange := sorted(set(data) - known):
            raise ArenaError(f"a tournament of a later metatac, with {', '.join(strange)}: update metatac")
        try:
            values = dict(data)
            values["players"] = tuple(Entrant(name, player) for name, player in data["players"])
            for key in ("tiebreaks", "book"):
                values[key] = tuple(data[key])
            for key in ("bot", "left_out"):
                values[key] = tuple((str(a), str(b)) for a, b in data[key])
            return cls(**values)
        except MetatacError:
            raise
        except (KeyError, TypeError, ValueError) as error:
            raise ArenaError(f"no tournament: {error!r}") from error


def differences(old: Tournament, new: Tournament) -> list[str]:
    """What is not the same, each in words; nothing where they are the same tournament."""
    before, after = old.to_dict(), new.to_dict()
    found = []
    for key in before:
        if before[key] == after[key] or key == "left_out":
            continue
        if key == "players":
            gone = [": ".join(item) for item in before[key] if item not in after[key]]
            come = [": ".join(item) for item in after[key] if item not in before[key]]
            words = ["players"]
            words += [f"without {', '.join(gone)}"] if gone else []
            words += [f"with {', '.join(come)}"] if come else []
            found.append(" ".join(words) if gone or come else "players in another order")
        else:
            found.append(f"{key} was {_brief(before[key])} and is {_brief(after[key])}")
    return found


def _brief(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
