"""Does a rule set work? Random games of it are played on `game` and on the kernel, and all is compared.

This is what `metatac rules check` runs on a file that somebody has just written.
"""

import random
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from metatac.errors import MetatacError
from metatac.game import Game, Position, position, start
from metatac.kernel.layout import NOBODY_WINS, O_WINS, X_WINS
from metatac.kernel.runs import Playouts, playouts
from metatac.kernel.state import State, ready
from metatac.notation import Record
from metatac.rules import RuleSet

MOST_SAMPLES = 100
"""Positions of one game that are compared in full; of a longer game every so-manieth."""

PLAYOUTS, PLAYOUTS_AT_ONCE = 10_000, 500
"""How many games the kernel plays for the results, and between two looks at the clock."""


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
    results: Playouts
    """Of many more games, played by the kernel alone."""
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
            "results": self.results._asdict(),
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
    ready()  # what compiling takes, once, is not the games' time
    deadline = clock() + seconds
    for number in range(games):
        game = _random_game(rules, random.Random(f"{seed}/{number}"))
        lengths.append(len(game))
        choices += [len(position.legal_moves) for position in game.positions[:-1]]
        if game.outcome is None:
            faults["every game ends"] = f"no end after {len(game)} moves; {_place(game)}"
        for name, compare in _COMPARISONS.items():
            faults[name] = faults[name] or _fault(compare, game)
        if clock() > deadline:
            break
    return SelfCheck(
        rules=rules,
        games=len(lengths),
        lengths=(min(lengths), statistics.median(lengths), max(lengths)),
        branching=(statistics.fmean(choices), max(choices)),
        results=_many_games(rules, seed, clock() + seconds / 4, clock),
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


def _many_games(rules: RuleSet, seed: int, deadline: float, clock: Callable[[], float]) -> Playouts:
    """Random games by the kernel alone: many, but not beyond the deadline, and at least a few."""
    first, sums = start(rules), [0] * len(Playouts._fields)
    for part in range(PLAYOUTS // PLAYOUTS_AT_ONCE):
        played = playouts(first, PLAYOUTS_AT_ONCE, seed=seed * PLAYOUTS + part)
        sums = [total + more for total, more in zip(sums, played, strict=True)]
        if clock() > deadline:
            break
    return Playouts(*sums)


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


def _kernel(game: Game) -> str:
    """Along the game the kernel has the same legal moves, positions, end and hash; and back to its start."""
    twin, looked_at, keys = State(game.start), set(_samples(game)), []
    for ply, here in enumerate(game.positions):
        if ply:
            twin.push(game.moves[ply - 1])
        keys.append(twin.key)
        difference = _difference(here, twin, whole=ply in looked_at)
        if difference:
            return f"{difference} in {here.text}"
    for ply in reversed(range(len(game))):
        twin.pop()
        if twin.key != keys[ply] or (ply in looked_at and twin.position != game.positions[ply]):
            return f"undo does not give {game.positions[ply].text}"
    return ""


def _difference(here: Position, twin: State, *, whole: bool) -> str:
    if twin.legal_moves != here.legal_moves:
        return "other legal moves"
    outcome = here.outcome
    if outcome is None:
        if twin.over:
            return "the game is over"
    elif twin.over != _OVER[outcome.winner]:
        return f"another winner than {outcome}"
    elif twin.utility != here.rules.utility_of(outcome.winner, outcome.points):
        return f"utility {twin.utility} of {outcome}"
    if whole:
        if twin.position != here:
            return f"position {twin.position.text}"
        if State(here).key != twin.key:
            return "another hash than that of an equal position"
    return ""


_OVER: dict[str | None, int] = {"X": X_WINS, "O": O_WINS, None: NOBODY_WINS}

_COMPARISONS: dict[str, Callable[[Game], str]] = {
    "undo restores": _undo,
    "text reads back": _text,
    "records read back": _record,
    "the kernel agrees": _kernel,
}
