"""What the games of a series add up to, from the first contestant's view."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

from metatac.arena.games import Played, Used
from metatac.arena.likelihood import CELLS
from metatac.match import OFFENCES, Result
from metatac.rules import RuleSet

Count = Literal["utility", "result"]
"""What scores: the rule set's utility, or the mere result."""


@dataclass(frozen=True, slots=True)
class Results:
    """Games won, drawn and lost."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5

    def __add__(self, other: "Results") -> "Results":
        return Results(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)


def score(rules: RuleSet, result: Result, count: Count) -> float:
    """What a result is worth in X's view, from 0 to 1.

    A win is 1, a draw ½, a loss 0. Where the rule set's utility is points, and it is the utility that counts, the
    difference of the points counts instead: ½ when there is none, 1 when it is the greatest that one player can have.
    """
    if rules.points_count and count == "utility":
        return min(1.0, max(0.0, 0.5 + result.utility / (2 * rules.greatest_points)))
    return 0.5 if result.winner is None else float(result.winner == "X")


@dataclass(slots=True)
class Tally:
    """The pairs so far. Only whole pairs count, so that nobody had the better colour more often."""

    rules: RuleSet
    count: Count = "utility"
    as_x: Results = field(default_factory=Results)
    """The first contestant's games with X."""
    as_o: Results = field(default_factory=Results)
    scores: Counter[float] = field(default_factory=Counter)
    """How many pairs had each score: the mean of both games, with what counts."""
    cells: list[int] = field(default_factory=lambda: [0] * len(CELLS))
    """The pentanomial: pairs with 0, ½, 1, 1½ and 2 points for wins and draws, whatever counts."""
    used: tuple[Used, Used] = (Used(), Used())
    forfeits: Counter[tuple[int, str]] = field(default_factory=Counter)
    """Games lost by the referee's word: (which contestant, why)."""
    examples: dict[tuple[int, str], str] = field(default_factory=dict)
    """The referee's words on the first forfeit of each kind."""
    adjudicated: int = 0
    """Games that ended by a proof."""

    @property
    def pairs(self) -> int:
        return sum(self.cells)

    @property
    def results(self) -> Results:
        return self.as_x + self.as_o

    def add(self, first: Played, second: Played) -> None:
        """Count a pair: the game in which the first contestant had X, and the other one."""
        self.as_x += _results(first)
        self.as_o += _results(second)
        points = self._value(first, self.count) + self._value(second, self.count)
        self.scores[round(points / 2, 12)] += 1
        self.cells[round(2 * (self._value(first, "result") + self._value(second, "result")))] += 1
        for played in (first, second):
            self.used = (self.used[0] + played.used[0], self.used[1] + played.used[1])
            self.adjudicated += played.result.reason == "adjudication"
            if played.result.reason in OFFENCES:
                key = (int(played.result.winner == played.job.first_seat), played.result.reason)
                self.forfeits[key] += 1
                self.examples.setdefault(key, played.result.detail)

    def _value(self, played: Played, count: Count) -> float:
        value = score(self.rules, played.result, count)
        return value if played.job.first_seat == "X" else 1 - value


def _results(played: Played) -> Results:
    winner = played.result.winner
    if winner is None:
        return Results(draws=1)
    return Results(wins=1) if winner == played.job.first_seat else Results(losses=1)
