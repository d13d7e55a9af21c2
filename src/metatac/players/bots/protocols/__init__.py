"""The languages that programs speak, as dialogues apart from any process."""

from metatac.players.bots.protocols.codingame import CodinGame
from metatac.players.bots.protocols.dialogue import Dialogue, Talk
from metatac.players.bots.protocols.riddles import Riddles, TheAiGames
from metatac.players.bots.protocols.ugi import Course, Python, Ugi

PROTOCOLS: dict[str, type[Dialogue]] = {
    kind.protocol: kind for kind in (Python, Ugi, CodinGame, Riddles, TheAiGames, Course)
}

__all__ = ["PROTOCOLS", "CodinGame", "Course", "Dialogue", "Python", "Riddles", "Talk", "TheAiGames", "Ugi"]
