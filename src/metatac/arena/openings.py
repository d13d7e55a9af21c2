"""Openings: a few random moves before the players take over, so that no two pairs of games need be alike."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from metatac.errors import ArenaError
from metatac.game import Move, Position, start
from metatac.rules import RuleSet

TRIES = 200
"""Random lines tried for an opening before it is given up."""

NEW_TRIES = 20
"""Random lines tried for an opening that was not there before; in a small game there may be none left."""

EFFORT = 1000
"""Moves tried at most to tell whether a position is decided."""


@dataclass(frozen=True, slots=True)
class Opening:
    """The moves of an opening, and whether an earlier pair began in the same position."""

    moves: tuple[Move, ...]
    repeated: bool = False


def default_plies(rules: RuleSet) -> int:
    """How many random moves make an opening unless one says otherwise."""
    return min(4, rules.cells // 4)


def openings(rules: RuleSet, plies: int, seed: int) -> Iterator[Opening]:
    """Endlessly many openings, always the same for a seed; different positions for as long as there are any."""
    seen: set[Position] = set()
    for number in range(2**63):
        chance = random.Random(f"{seed}/opening/{number}")
        for attempt in range(NEW_TRIES):
            moves, position = _lively_line(rules, plies, chance)
            if position not in seen or attempt == NEW_TRIES - 1 or not plies:
                break
        yield Opening(moves, position in seen)
        seen.add(position)


def _lively_line(rules: RuleSet, plies: int, chance: random.Random) -> tuple[tuple[Move, ...], Position]:
    for _ in range(TRIES):
        position = start(rules)
        moves: list[Move] = []
        while position.outcome is None and len(moves) < plies:
            moves.append(chance.choice(position.legal_moves))
            position = position.play(moves[-1])
        if len(moves) == plies and (not plies or not is_decided(position)):
            return tuple(moves), position
    raise ArenaError(f"{rules.spec}: after {plies} random moves every game is as good as over; choose shorter openings")


def is_decided(position: Position) -> bool:
    """Whether the game is over, won by the next move or lost by the one after; False where that takes long to see."""
    if position.outcome is not None:
        return True
    mover, effort = position.turn, 0
    after = [position.play(move) for move in position.legal_moves]
    if any(child.outcome is not None and child.outcome.winner == mover for child in after):
        return True
    for child in after:
        if child.outcome is not None:
            if child.outcome.winner is None:
                return False
            continue
        effort += len(child.legal_moves)
        if child.turn == mover or effort > EFFORT or not _wins_at_once(child):
            return False
    return True


def _wins_at_once(position: Position) -> bool:
    for move in position.legal_moves:
        outcome = position.play(move).outcome
        if outcome is not None and outcome.winner == position.turn:
            return True
    return False
