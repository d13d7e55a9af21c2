"""What the engine may be asked for: known before it is loaded, which takes a while."""

import math
from numbers import Integral, Real

from metatac.errors import UnknownPlayer
from metatac.rules import RuleSet

LEVELS: dict[int, tuple[int, float]] = {
    1: (300, 0.78),
    2: (300, 0.63),
    3: (300, 0.46),
    4: (400, 0.43),
    5: (500, 0.28),
    6: (900, 0.18),
    7: (1_600, 0.09),
    8: (4_000, 0.04),
    9: (10_000, 0.015),
    10: (40_000, 0.0),
    11: (180_000, 0.0),
    12: (2_000_000, 0.0),
}
"""For each level: positions searched for a move, and how often any other move is made instead."""
BEGINNERS_BOARD, MISERE = 9, 0.6
"""Cells of a board; on larger ones, where there is more time to make errors good, level 1 errs more often. So it does
where a line loses, and errors cost less: it makes this part of its good moves there. See ``errors_at``."""

HASH = 128
"""MB of memory for positions that the engine has unless it is told otherwise."""

MOST: dict[str, float] = {"time": math.inf, "nodes": 2**62, "depth": 2**62, "hash": 2**20, "threads": 512}
"""The greatest value of each option that bounds what the engine uses."""

WHOLE = ("level", "nodes", "depth", "threads", "seed")


def errors_at(level: int, rules: RuleSet) -> float:
    """How often a level makes any other move in place of the best."""
    errors = LEVELS[level][1]
    if level > 1:
        return errors
    good = (1 - errors) * min(1.0, BEGINNERS_BOARD / rules.size) ** 2
    return 1 - good * (MISERE if rules.line == "loses" else 1.0)


def check_engine(
    rules: RuleSet | None = None,
    *,
    level: int | None = None,
    ponder: bool = False,
    contempt: float | None = None,
    seed: int | None = None,
    **bounds: float | None,
) -> None:
    """UnknownPlayer where options are out of bounds or do not go together, or are not what they should be at all, which
    only a caller from Python can bring about."""
    for name, value in (bounds | {"level": level, "seed": seed, "contempt": contempt}).items():
        kind: type = Integral if name in WHOLE else Real
        if value is not None and (isinstance(value, bool) or not isinstance(value, kind)):
            raise UnknownPlayer(f"engine: {name} is a {'whole ' if name in WHOLE else ''}number, not {value!r}")
    if level is not None and level not in LEVELS:
        raise UnknownPlayer(f"engine: level is a whole number from 1 to {max(LEVELS)}, not {level}")
    if contempt is not None and not 0 <= contempt <= 1:
        raise UnknownPlayer(f"engine: contempt is a number from 0 to 1, not {contempt:g}")
    given = {name: value for name, value in (bounds | {"contempt": contempt}).items() if value is not None}
    if level is not None and given:
        raise UnknownPlayer(f"engine: a level is a fixed strength and takes no {next(iter(given))}")
    if level is not None and ponder:
        raise UnknownPlayer("engine: a level is a fixed strength and does not ponder")
    if "nodes" in given and ponder:
        raise UnknownPlayer("engine: with nodes it plays the same each time and does not ponder")
    if contempt is not None and "depth" in given:
        raise UnknownPlayer("engine: a search to a depth takes no contempt")
    for name, most in MOST.items():
        value = given.get(name, 1)
        if not 0 < value < math.inf:
            raise UnknownPlayer(f"engine: {name} must be greater than 0, not {value}")
        if value > most:
            raise UnknownPlayer(f"engine: {name} is at most {most:,}, not {value:g}")
    if "nodes" in given and given.get("threads", 1) != 1:
        raise UnknownPlayer(
            f"engine: with nodes it uses one thread, so that it plays the same each time, not {given['threads']}"
        )
