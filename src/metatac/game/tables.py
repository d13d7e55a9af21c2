"""What the readable game looks up, worked out once for each rule set."""

from functools import lru_cache

from metatac.rules import RuleSet
from metatac.rules.patterns import Pattern


@lru_cache(maxsize=256)
def patterns_through(rules: RuleSet, level: int) -> tuple[tuple[Pattern, ...], ...]:
    """For each cell of a board of that level, the patterns that it is part of."""
    patterns = rules.patterns[level]
    return tuple(tuple(p for p in patterns if cell in p) for cell in range(rules.size))


def holds(owners: str, pattern: Pattern, who: str) -> bool:
    """Whether one player has every cell of a pattern, of the board whose cells' owners are given."""
    for cell in pattern:
        if owners[cell] != who:
            return False
    return True


def has_line(owners: str, patterns: tuple[Pattern, ...], who: str) -> bool:
    """Whether one player has every cell of any of the patterns."""
    for pattern in patterns:
        if holds(owners, pattern, who):
            return True
    return False


def held(owners: str, patterns: tuple[Pattern, ...], who: str) -> tuple[Pattern, ...]:
    """The patterns of which one player has every cell."""
    return tuple(pattern for pattern in patterns if holds(owners, pattern, who))


def other(player: str) -> str:
    """The opponent."""
    return "O" if player == "X" else "X"
