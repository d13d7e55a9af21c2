"""The player that any other should beat."""

import random

from metatac.errors import IllegalMove
from metatac.game import Move, Position
from metatac.match import UNLIMITED, Clock


class RandomPlayer:
    """Makes any legal move, each as likely."""

    name = "random"

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def choose(self, position: Position, clock: Clock = UNLIMITED) -> Move:
        if not position.legal_moves:
            raise IllegalMove(f"there is no move to choose: {position.outcome} (position: {position.text})")
        return self._random.choice(position.legal_moves)

    def agrees(self, offer: str, position: Position) -> bool:
        """Takebacks are granted, draws are not: a program has time."""
        return offer == "takeback"
