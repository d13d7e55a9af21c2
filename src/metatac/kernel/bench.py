"""How fast the kernel plays random games here, and a signature of how it plays them."""

import hashlib
import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from metatac.game import Position, start
from metatac.kernel.runs import playouts
from metatac.kernel.state import ready
from metatac.rules import RuleSet

SIGNATURE_GAMES = 1000


@dataclass(frozen=True)
class Rate:
    """What so many threads together play in a second."""

    threads: int
    games_per_s: float
    plies_per_s: float


def measure(
    rules: RuleSet,
    threads: Iterable[int],
    *,
    seconds: float = 0.3,
    rounds: int = 3,
    clock: Callable[[], float] = time.perf_counter,
) -> tuple[Rate, ...]:
    """The median rates for each number of threads; the rounds take turns, so that all see the same weather."""
    ready()
    first, counts = start(rules), tuple(threads)
    games = _games_for(first, seconds, clock)
    found = [[_once(first, count, games, clock) for count in counts] for _ in range(rounds)]
    return tuple(
        Rate(
            count,
            statistics.median(row[column].games_per_s for row in found),
            statistics.median(row[column].plies_per_s for row in found),
        )
        for column, count in enumerate(counts)
    )


def signature(games: Iterable[RuleSet]) -> str:
    """12 digits that change only when random games of these are played otherwise than before."""
    digest = hashlib.sha256()
    for rules in games:
        totals = playouts(start(rules), SIGNATURE_GAMES, seed=0)
        digest.update(f"{rules.digest} {tuple(totals)}\n".encode())
    return digest.hexdigest()[:12]


def _games_for(first: Position, seconds: float, clock: Callable[[], float]) -> int:
    """About how many games one thread plays in so many seconds."""
    games = 16
    while True:
        begin = clock()
        playouts(first, games)
        took = clock() - begin
        if took >= seconds / 8:
            return max(1, round(games * seconds / took))
        games *= 4


def _once(first: Position, threads: int, games: int, clock: Callable[[], float]) -> Rate:
    """So many games for each thread, played together."""
    begin = clock()
    played = playouts(first, threads * games, threads=threads)
    took = clock() - begin
    return Rate(threads, played.games / took, played.plies / took)
