"""Takes what there is, and does not look further."""

import random

from metatac.engine.greedy import greed_ready, greedy_values
from metatac.errors import IllegalMove
from metatac.game import Move, Position
from metatac.match import UNLIMITED, Clock


class GreedyPlayer:
    """Wins the game or a board (a tally, a line) if it can, and gives the opponent none if it must not; else any move.

    Where a line of boards loses it takes no board if it can help it.
    """

    name = "greedy"

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def game_started(self, position: Position, seat: str) -> None:
        """Have everything ready before the clock starts."""
        greed_ready()

    def choose(self, position: Position, clock: Clock = UNLIMITED) -> Move:
        if position.outcome is not None:
            raise IllegalMove(f"there is no move to choose: {position.outcome} (position: {position.text})")
        values = greedy_values(position)
        most = max(values.values())
        return self._random.choice([move for move, value in values.items() if value == most])

    def agrees(self, offer: str, position: Position) -> bool:
        """Takebacks are granted, draws are not: a program has time."""
        return offer == "takeback"
