"""Flat Monte Carlo as a player."""

import random

from metatac.engine.budget import Budget
from metatac.engine.flat import FlatSearch, flat_ready
from metatac.errors import UnknownPlayer
from metatac.game import Move, Position
from metatac.match import UNLIMITED, Clock


class HeuristPlayer:
    """Plays so many random games, shared equally between the legal moves, and makes the move that did best."""

    def __init__(self, games: int = 1000, seed: int | None = None) -> None:
        if not 1 <= games <= 10**9:
            raise UnknownPlayer(f"heurist plays 1 to 1,000,000,000 games a move, not {games}")
        self.name, self.games = f"heurist:{games}", games
        self._random = random.Random(seed)
        self._search = FlatSearch()

    def game_started(self, position: Position, seat: str) -> None:
        """Have everything ready before the clock starts."""
        flat_ready()

    def choose(self, position: Position, clock: Clock = UNLIMITED) -> Move:
        seconds = Budget(nodes=self.games).within(clock, position).seconds
        found = self._search.run(position, self.games, seed=self._random.getrandbits(63), seconds=seconds)
        return found.best.move

    def interrupt(self) -> None:
        """Have ``choose``, in another thread, answer at once."""
        self._search.interrupt()

    def agrees(self, offer: str, position: Position) -> bool:
        """Takebacks are granted, draws are not: a program has time."""
        return offer == "takeback"
