"""A series of games between two players, in pairs with colours swapped, and what it measures."""

import contextlib
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass

from metatac.arena.elo import Estimate, estimate
from metatac.arena.executors import here, spread
from metatac.arena.games import Job, Played, Setup
from metatac.arena.openings import openings
from metatac.arena.sprt import Decision, Sprt
from metatac.arena.tally import Count, Tally
from metatac.errors import ArenaError


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be played. The same plan with deterministic players gives the same games, whatever the concurrency."""

    setup: Setup
    pairs: int
    """At most, where there is a test."""
    seed: int
    plies: int
    """Random moves of every opening."""
    sprt: Sprt | None = None
    count: Count = "utility"
    concurrency: int = 1

    def __post_init__(self) -> None:
        for name, least in (("pairs", 1), ("plies", 0), ("concurrency", 1)):
            if getattr(self, name) < least:
                raise ArenaError(f"{name} cannot be {getattr(self, name)}; at least {least} is wanted")


@dataclass(slots=True)
class Standing:
    """How a series stands, or ended."""

    plan: Plan
    tally: Tally
    repeated: int = 0
    """Pairs whose opening an earlier pair had."""
    llr: float = 0.0
    decision: Decision | None = None
    interrupted: str = ""
    """Why the series ended before its end, in words."""

    @property
    def estimate(self) -> Estimate | None:
        return estimate(self.tally.scores)

    def count(self, first: Played, second: Played, repeated: bool) -> None:
        """Add a pair, and ask the test."""
        self.tally.add(first, second)
        self.repeated += repeated
        if self.plan.sprt is not None:
            self.llr = self.plan.sprt.llr(self.tally.scores)
            self.decision = self.plan.sprt.decision(self.llr)


def play_series(
    plan: Plan,
    *,
    keep: Callable[[Played], None] = lambda played: None,
    show: Callable[[Standing], None] = lambda standing: None,
) -> Standing:
    """Play the series. ``keep`` gets every game as it ends, ``show`` the standing after every pair.

    Pairs count in the order of their numbers, not in that in which they end: so the test decides the same however many
    games run at once, and quick games do not count before slow ones. Ctrl-C ends the series where it is.
    """
    standing = Standing(plan, Tally(plan.setup.rules, plan.count))
    repeats: list[bool] = []
    jobs = _jobs(plan, repeats)
    games = _games(plan, jobs)
    try:
        with contextlib.closing(games):
            for first, second in _pairs(games, keep):
                standing.count(first, second, repeats[first.job.pair])
                show(standing)
                if standing.decision is not None:
                    break
    except KeyboardInterrupt:
        standing.interrupted = "interrupted"
    except ArenaError as error:
        if not standing.tally.pairs:
            raise
        standing.interrupted = str(error)
    return standing


def _games(plan: Plan, jobs: Iterator[Job]) -> Generator[Played, None, None]:
    def take() -> tuple[Job, ...] | None:
        job = next(jobs, None)
        return None if job is None else (job,)

    games = here(plan.setup, take) if plan.concurrency == 1 else spread(plan.setup, take, plan.concurrency, retries=0)
    with contextlib.closing(games):
        for played in games:
            if played.result.reason == "aborted":
                raise ArenaError(f"game {played.job.pair + 1}.{played.job.game + 1}: {played.result.detail}")
            yield played


def _jobs(plan: Plan, repeats: list[bool]) -> Iterator[Job]:
    """Every game in order; each is what it is by its pair's number and the seed alone."""
    for pair, opening in zip(range(plan.pairs), openings(plan.setup.rules, plan.plies, plan.seed), strict=False):
        repeats.append(opening.repeated)
        for game in (0, 1):
            yield Job(pair, game, opening.moves, plan.seed)


def _pairs(games: Iterator[Played], keep: Callable[[Played], None]) -> Iterator[tuple[Played, Played]]:
    """The pairs by their numbers, each as soon as it and all before it are complete."""
    ended: dict[tuple[int, int], Played] = {}
    due = 0
    for played in games:
        keep(played)
        ended[played.job.pair, played.job.game] = played
        while (due, 0) in ended and (due, 1) in ended:
            yield ended.pop((due, 0)), ended.pop((due, 1))
            due += 1
