"""The sequential probability ratio test: it goes on for as long as the answer is open, and no longer.

Two hypotheses: the first player is ``elo0`` stronger, or ``elo1``. After every pair the log-likelihood ratio of the two
is compared with two bounds; whichever is crossed ends the test. It is the generalised test: what is not known, the
distribution of the pairs' scores, is for each hypothesis taken as the likeliest that has the hypothesis' mean.
"""

import math
from dataclasses import dataclass
from typing import Literal

from metatac.arena.elo import score_of
from metatac.arena.likelihood import Scores, loss, smoothed
from metatac.errors import ArenaError

Decision = Literal["H0", "H1"]

MOST_ELO = 4000
"""How far from 0 a hypothesis may lie: beyond that its score is hardly to be told from 0 or 1, and at last is that."""


@dataclass(frozen=True, slots=True)
class Sprt:
    """A test of ``elo0`` against ``elo1`` (logistic Elo)."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    """How likely H1 may be accepted although H0 is true."""
    beta: float = 0.05
    """How likely H0 may be accepted although H1 is true."""

    def __post_init__(self) -> None:
        if not all(map(math.isfinite, (self.elo0, self.elo1))) or not self.elo0 < self.elo1:
            raise ArenaError(f"the test wants elo0 below elo1, not {self.elo0:g} and {self.elo1:g}")
        if max(abs(self.elo0), abs(self.elo1)) > MOST_ELO:
            raise ArenaError(
                f"the test wants Elo from -{MOST_ELO} to {MOST_ELO}, not {self.elo0:g} and {self.elo1:g}: "
                "further out all scores are 0 or 1"
            )
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ArenaError(f"errors of a test lie between 0 and 0.5, not at {self.alpha:g} and {self.beta:g}")

    @property
    def lower(self) -> float:
        """At or below this log-likelihood ratio H0 is accepted."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """At or above this log-likelihood ratio H1 is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    def llr(self, scores: Scores) -> float:
        """The log-likelihood ratio of H1 to H0."""
        if not any(scores.values()):
            return 0.0
        means = score_of(self.elo0), score_of(self.elo1)
        counts = smoothed(scores, *means)
        return loss(counts, means[0]) - loss(counts, means[1])

    def decision(self, llr: float) -> Decision | None:
        """The hypothesis that this ratio accepts, None while the test goes on."""
        return "H0" if llr <= self.lower else "H1" if llr >= self.upper else None
