"""The readable truth: positions, moves, outcomes, and games as lines of positions."""

from metatac.game.game import Game
from metatac.game.move import Move, check_move, move_length, parse_move
from metatac.game.outcome import Outcome
from metatac.game.position import Position, start
from metatac.game.symmetry import Symmetry, canonical, symmetries
from metatac.game.text import position
from metatac.game.views import explain_send

__all__ = [
    "Game",
    "Move",
    "Outcome",
    "Position",
    "Symmetry",
    "canonical",
    "check_move",
    "explain_send",
    "move_length",
    "parse_move",
    "position",
    "start",
    "symmetries",
]
