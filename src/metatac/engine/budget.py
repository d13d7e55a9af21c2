"""How much a search may do, as a value with a text: ``2s``, ``300ms``, ``50kn``."""

import re
from dataclasses import dataclass

from metatac.engine.timing import share_of
from metatac.errors import MatchError, UnknownPlayer
from metatac.game import Position
from metatac.match import Clock, parse_duration
from metatac.match.time_control import print_duration

MOST_NODES = 10**12
_NODES = re.compile(r"(\d+(?:\.\d+)?)([kM]?)n", re.ASCII)
_FACTORS = {"": 1, "k": 1000, "M": 1_000_000}


@dataclass(frozen=True, slots=True)
class Budget:
    """Seconds, nodes, or both: whatever is used up first."""

    seconds: float | None = None
    nodes: int | None = None

    @classmethod
    def parse(cls, text: str) -> "Budget":
        """The budget that a text names; UnknownPlayer lists the forms."""
        found = _NODES.fullmatch(text.strip())
        if found:
            nodes = round(float(found[1]) * _FACTORS[found[2]])
            if 1 <= nodes <= MOST_NODES:
                return cls(nodes=nodes)
        else:
            try:
                seconds = parse_duration(text.strip())
                if seconds > 0:
                    return cls(seconds=seconds)
            except MatchError:
                pass
        raise UnknownPlayer(f"{text[:40]!r} is no budget; one looks like 2s, 300ms (time) or 800n, 50kn, 2Mn (nodes)")

    def __str__(self) -> str:
        if self.nodes is not None:
            return f"{self.nodes}n" if self.nodes % 1000 else f"{self.nodes // 1000}kn"
        return print_duration(self.seconds or 0.0)

    def within(self, clock: Clock, position: Position) -> "Budget":
        """The same, but never more than a clock allows for a move in a position."""
        allowed = share_of(clock, position)
        if allowed is None:
            return self
        return Budget(allowed if self.seconds is None else min(self.seconds, allowed), self.nodes)
