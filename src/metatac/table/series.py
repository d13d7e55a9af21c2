"""Several games between the same two players, who change sides after each."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from metatac.errors import MatchError
from metatac.match import Result

RESULTS = {"1-0": (1.0, 0.0), "0-1": (0.0, 1.0), "1/2-1/2": (0.5, 0.5), "*": (0.0, 0.0)}
"""What X and O score by a game's result; one that was called off counts for nobody."""

MOST_GAMES = 10_000


@dataclass(frozen=True, slots=True)
class Series:
    """How many games there are to be, and what came out of those that are over.

    The first player is the one who has X in the first game, the third, and so on.
    """

    games: int = 1
    results: tuple[str, ...] = ()
    """Of each game that is over, as X's and O's score."""
    points: tuple[float, float] = (0, 0)
    """The sum of what the rules give for each game, to the first player and the second."""

    def __post_init__(self) -> None:
        if type(self.games) is not int or not 1 <= self.games <= MOST_GAMES:
            raise MatchError(f"a series has 1 to {MOST_GAMES:,} games, not {str(self.games)[:40]}")
        if any(result not in RESULTS for result in self.results):
            raise MatchError(f"a game of a series ends with one of {', '.join(RESULTS)}, not {self.results!r:.80}")

    @property
    def number(self) -> int:
        """Of the game that is being played, or was the last, from 1."""
        return min(len(self.results) + 1, self.games)

    @property
    def over(self) -> bool:
        return len(self.results) >= self.games

    @property
    def scores(self) -> tuple[float, float]:
        """What the first player and the second have scored: 1 for a win, ½ for a draw."""
        first = second = 0.0
        for index, result in enumerate(self.results):
            x, o = RESULTS[result]
            first, second = (first + x, second + o) if index % 2 == 0 else (first + o, second + x)
        return first, second

    def after(self, result: Result) -> "Series":
        """The series with one more game over."""
        x, o = result.points
        if len(self.results) % 2:
            x, o = o, x
        points = (self.points[0] + x, self.points[1] + o)
        return replace(self, results=(*self.results, result.text), points=points)

    def text(self, first: str, second: str) -> str:
        """The score in words, as ``Ann 1½, engine:3 ½``."""
        one, two = self.scores
        return f"{first} {halves(one)}, {second} {halves(two)}"

    def to_dict(self) -> dict[str, Any]:
        return {"games": self.games, "results": list(self.results), "points": list(self.points)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Series":
        try:
            one, two = (float(number) for number in data["points"])
            return cls(data["games"], tuple(data["results"]), (one, two))
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise MatchError(f"no series of games: {error!r:.200}") from None


def halves(score: float) -> str:
    """A score as people write it: 1½."""
    whole, half = divmod(score, 1)
    return f"{whole:.0f}½" if half and whole else "½" if half else f"{whole:.0f}"
