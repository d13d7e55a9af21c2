"""What is said to a program, and what is made of its answers, apart from any process.

A dialogue is a generator: a text that it yields is a line to be said, None waits for a line of the program, which is
sent in. So every protocol can be tested without one, and whoever performs it keeps the time.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Generator
from typing import ClassVar, TypeVar

from metatac.errors import BotError
from metatac.game import Game, Move, check_move
from metatac.match import Clock, Offence
from metatac.players.grid import path_at, place
from metatac.rules import RuleSet

T = TypeVar("T")
Talk = Generator[str | None, str, T]

_NUMBER = re.compile(r"-?[0-9]{1,9}", re.ASCII)

LONGEST_SHOWN = 100
"""An answer that is told to people is cut to this many characters."""


class Dialogue(ABC):
    """The conversation of one game; ``begin`` once, ``turn`` for each move that is wanted."""

    protocol: ClassVar[str]

    can_be_kept: ClassVar[bool] = False
    """Whether a program can be told that another game begins."""

    def check(self, game: Game) -> None:
        """BotError where this protocol has no words for the game, or for how it stands."""
        return

    def begin(self, game: Game, seat: str) -> Talk[None]:
        """What is said before the clock starts."""
        yield from ()

    @abstractmethod
    def turn(self, game: Game, clock: Clock) -> Talk[Move]:
        """Ask for a move. Offence where the answer is none; Instead where the program resigns."""

    def limit(self) -> float | None:
        """Seconds for the next move where the match has no clock."""
        return None


def shown(line: str) -> str:
    """A program's line as it is quoted to people."""
    return repr(line if len(line) <= LONGEST_SHOWN else line[:LONGEST_SHOWN] + "…")


def milliseconds(seconds: float) -> int:
    """Whole milliseconds, rounded down: nobody is promised more than there is."""
    return max(0, int(seconds * 1000 + 1e-6))


def row_column(rules: RuleSet, move: Move) -> tuple[int, int]:
    """Where a move of one mark lies on the whole board."""
    return place(rules.side, move)


def move_at(rules: RuleSet, line: str, row: str, column: str) -> Move:
    """The move of a row and column that a program's line states; what is no such thing is garbage."""
    most = rules.side**rules.depth - 1
    if not _NUMBER.fullmatch(row) or not _NUMBER.fullmatch(column):
        raise Offence("garbage", f"two numbers are wanted, not {shown(line)}")
    numbers = int(row), int(column)
    if not all(0 <= number <= most for number in numbers):
        raise Offence("garbage", f"rows and columns go from 0 to {most}; the answer was {shown(line)}")
    return check_move(rules, path_at(rules.side, rules.depth, *numbers))


def check_plain_board(protocol: str, rules: RuleSet, side: int) -> None:
    """BotError unless moves are single marks on one board, or a board of boards, of that side."""
    plain = rules.marks == 1 and not rules.swap and not rules.ban and not rules.tallies
    if not plain or rules.side != side or rules.depth > 2:
        raise BotError(
            f"the {protocol} protocol knows boards of {side} × {side} cells, one mark a move, "
            f"no bans, tallies or swap; it cannot tell a game of {rules.spec}"
        )
