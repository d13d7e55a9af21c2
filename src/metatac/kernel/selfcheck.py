"""Does a rule set work? Random games of it are played on `game` and on the kernel, and all is compared.

This is what `metatac rules check` runs on a file that somebody has just written.
"""

import random
import statistics
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from metatac.errors import MetatacError
from metatac.game import Game, position, start
from metatac.notation import Record
from metatac.rules import RuleSet

MOST_SAMPLES = 100
"""Positions of one game that are compared in full; of a longer game every so-manieth."""


@dataclass(frozen=True)
class Finding:
    """One thing that was checked: `fault` is empty, or the first case in which it failed."""

    name: str
    fault: str = ""

    @property
    def passed(self) -> bool:
        return not self.fault


@dataclass(frozen=True)
class SelfCheck:
    """What random games of a rule set were like, and what failed in them."""

    rules: RuleSet
    games: int
    lengths: tuple[int, float, int]
    """Plies of a game: the least, the median, the most."""
    branching: tuple[float, int]
    """Legal moves of a position: the mean, the most."""
    x_wins: int
    o_wins: int
    draws: int
    findings: tuple[Finding, ...]

    @property
    def passed(self) -> bool:
        return all(finding.passed for finding in self.findings)

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON-ready plain data."""
        return {
            "rules": self.rules.spec,
            "digest": self.rules.digest,
            "games": self.games,
            "plies": dict(zip(("min", "median", "max"), self.lengths, strict=True)),
            "branching": dict(zip(("mean", "max"), self.branching, strict=True)),
            "x_wins": self.x_wins,
            "o_wins": self.o_wins,
            "draws": self.draws,
            "findings": {finding.name: finding.fault or "ok" for finding in self.findings},
            "passed": self.passed,
        }


def check_rules(
    rules: RuleSet,
    *,
    games: int = 100,
    seconds: float = 30.0,
    seed: int = 0,
    clock: Callable[[], float] = time.monotonic,
) -> SelfCheck:
    """Play up to so many games in about so many seconds, at least one, and compare everything."""
    faults = dict.fromkeys(("every game ends", *_COMPARISONS), "")
    lengths: list[int] = []
    choices: list[int] = []
    winners: Counter[str | None] = Counter()
    deadline = clock() + seconds
    for number in range(games):
        game = _random_game(rules, random.Random(f"{seed}/{number}"))
        lengths.append(len(game))
        choices += [len(position.legal_moves) for position in game.positions[:-1]]
        if game.outcome is None:
            faults["every game ends"] = f"no end after {len(game)} moves; {_place(game)}"
        else:
            winners[game.outcome.winner] += 1
        for name, compare in _COMPARISONS.items():
            faults[name] = faults[name] or _fault(compare, game)
        if clock() > deadline:
            break
    return SelfCheck(
        rules=rules,
        games=len(lengths),
        lengths=(min(lengths), statistics.median(lengths), max(lengths)),
        branching=(statistics.fmean(choices), max(choices)),
        x_wins=winners["X"],
        o_wins=winners["O"],
        draws=winners[None],
        findings=tuple(Finding(name, fault) for name, fault in faults.items()),
    )


def longest_game(rules: RuleSet) -> int:
    """No game has more plies: each places a mark, and a board is cleared less than twice for each tally."""
    fillings = 2 * rules.tallies - 1 if rules.tallies else 1
    return rules.cells * fillings + rules.swap


def _random_game(rules: RuleSet, chance: random.Random) -> Game:
    """A game to its end, or one move past the most that any game can have."""
    game, limit = Game(start(rules)), longest_game(rules)
    while game.outcome is None and len(game) <= limit:
        game.push(chance.choice(game.legal_moves))
    return game


def _fault(compare: Callable[[Game], str], game: Game) -> str:
    """What a comparison says of a game; an error of ours on the way is a fault as well."""
    try:
        return compare(game)
    except MetatacError as error:
        return f"{type(error).__name__}: {error}; {_place(game)}"


def _place(game: Game) -> str:
    return f"moves: {' '.join(map(str, game.moves))}"


def _samples(game: Game) -> range:
    """The plies whose positions are looked at, the last one among them."""
    count = len(game) + 1
    stride = -(-count // MOST_SAMPLES)
    return range((count - 1) % stride, count, stride)


# -- the comparisons: each says what differs, or nothing


def _undo(game: Game) -> str:
    undone = game.copy()
    for before, move in zip(reversed(game.positions[:-1]), reversed(game.moves), strict=True):
        if undone.pop() != move or undone.position != before:
            return f"taking {move} back does not give {before.text}"
    return ""


def _text(game: Game) -> str:
    for ply in _samples(game):
        here = game.positions[ply]
        again = position(here.text)
        if again != here or again.text != here.text or again.legal_moves != here.legal_moves:
            return f"{here.text!r} reads as {again.text!r}"
        for move in here.legal_moves:
            if here.parse(str(move)) != move:
                return f"{str(move)!r} reads as {here.parse(str(move))} in {here.text}"
    return ""


def _record(game: Game) -> str:
    record = Record.from_game(game)
    if Record.from_text(record.to_text()) != record:
        return f"its text reads as another record; {_place(game)}"
    if Record.from_json(record.to_json()) != record:
        return f"its JSON reads as another record; {_place(game)}"
    return "" if record.game().positions == game.positions else f"it replays otherwise; {_place(game)}"


_COMPARISONS: dict[str, Callable[[Game], str]] = {
    "undo restores": _undo,
    "text reads back": _text,
    "records read back": _record,
}
