"""Players that search: exact minimax, and the engine at full strength or at a level."""

import random

from metatac.engine.alphabeta import AlphaBeta, Limits, minimax
from metatac.errors import IllegalMove, UnknownPlayer
from metatac.game import Move, Position
from metatac.kernel import cores
from metatac.match import UNLIMITED, Clock

MARGIN = 0.008
"""Seconds of a limit that are kept back: for stopping, and for the way from the clock to here and back."""


def _check_open(position: Position) -> None:
    if not position.legal_moves:
        raise IllegalMove(f"there is no move to choose: {position.outcome} (position: {position.text})")


class MinimaxPlayer:
    """Looks a fixed number of moves ahead, exactly, and chooses among the moves within a margin of the best."""

    def __init__(self, depth: int = 4, margin: float = 0.0, seed: int = 0) -> None:
        if not 1 <= depth <= 12:
            raise UnknownPlayer(f"minimax: depth is a whole number from 1 to 12, not {depth}")
        if margin < 0:
            raise UnknownPlayer(f"minimax: margin cannot be negative, as {margin} is")
        self.name = f"minimax:{depth}"
        self.depth, self.margin = depth, margin
        self._random = random.Random(seed)

    def choose(self, position: Position, clock: Clock = UNLIMITED) -> Move:
        _check_open(position)
        found = minimax(position, self.depth).moves
        close = [one.move for one in found if abs(one.value_x - found[0].value_x) <= self.margin]
        return self._random.choice(sorted(close))

    def agrees(self, offer: str, position: Position) -> bool:
        return offer == "takeback"


LEVELS: dict[int, tuple[int, float]] = {
    1: (300, 0.85),
    2: (300, 0.60),
    3: (300, 0.40),
    4: (400, 0.40),
    5: (600, 0.28),
    6: (1_200, 0.18),
    7: (2_500, 0.10),
    8: (8_000, 0.05),
    9: (30_000, 0.02),
    10: (120_000, 0.0),
    11: (500_000, 0.0),
    12: (2_500_000, 0.0),
}
"""For each level: positions searched for a move, and how often any other move is made instead."""

CAREFUL = 4
"""From this level on no won game is missed, and nothing is played instead that loses by force as far as was seen."""


class EnginePlayer:
    """The strong searcher, within a clock; or one of twelve levels, which are the same on every machine."""

    def __init__(
        self,
        level: int | None = None,
        time: float | None = None,
        nodes: int | None = None,
        depth: int | None = None,
        hash: float = 64,
        threads: int | None = None,
        seed: int = 0,
    ) -> None:
        if level is not None and level not in LEVELS:
            raise UnknownPlayer(f"engine: level is a whole number from 1 to {max(LEVELS)}, not {level}")
        self.name = "engine" if level is None else f"engine:{level}"
        self.level = level
        self.limits = Limits(depth=depth, nodes=nodes, seconds=time)
        self.megabytes = hash
        self.threads = 1 if level is not None or nodes is not None else threads or cores()
        self._random = random.Random(seed)
        self._searcher: AlphaBeta | None = None

    def choose(self, position: Position, clock: Clock = UNLIMITED) -> Move:
        _check_open(position)
        if self._searcher is None or self._searcher.rules != position.rules:
            self._searcher = AlphaBeta(position.rules, megabytes=self.megabytes, threads=self.threads)
        if self.level is not None:
            return self._choose_at_level(position, self._searcher, *LEVELS[self.level])
        return self._searcher.think(position, self._limits(clock)).best.move

    def _limits(self, clock: Clock) -> Limits:
        """The player's own limits, within what the clock allows."""
        seconds = self.limits.seconds
        if seconds is None and self.limits.nodes is None and self.limits.depth is None:
            seconds = 1.0
            if clock.own is not None:
                seconds = clock.own / 25 + 0.8 * clock.increment
            elif clock.limit is not None:
                seconds = clock.limit
        if clock.limit is not None:
            allowed = max(0.001, clock.limit - MARGIN)
            seconds = allowed if seconds is None else min(seconds, allowed)
        return Limits(self.limits.depth, self.limits.nodes, seconds)

    def _choose_at_level(self, position: Position, searcher: AlphaBeta, nodes: int, errors: float) -> Move:
        searcher.table.clear()  # a level's move depends on the position and the seed alone
        limits = Limits(depth=1) if nodes == 1 else Limits(nodes=nodes)
        result = searcher.think(position, limits, lines=len(position.legal_moves))
        careful = self.level is not None and self.level >= CAREFUL
        if (careful and result.proven) or self._random.random() >= errors:
            return result.best.move
        if not careful:
            return self._random.choice(position.legal_moves)
        return self._random.choice([one.move for one in result.moves if not one.proven] or [result.best.move])

    def agrees(self, offer: str, position: Position) -> bool:
        return offer == "takeback"
