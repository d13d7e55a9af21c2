"""What a game is: one frozen value."""

import hashlib
import json
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from metatac.rules.patterns import Pattern, describe, resolve

Winner = Literal["X", "O"] | None
Points = tuple[float, float]
"""Points of X and of O; whole numbers are ints."""

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""The name of each cell of a board, row by row."""

LEVEL_NAMES = {1: ("game",), 2: ("game", "small"), 3: ("game", "middle", "small")}
"""What the levels of a game are called in a rules file, outermost first."""


def center_of(side: int) -> int:
    """The centre cell of a board; of an even side the top left one of the four middle ones."""
    middle = (side - 1) // 2
    return middle * side + middle


def default_send(depth: int, marks: int) -> tuple[str, ...]:
    """Where a move sends when a rules file does not say: every level is addressed by the last marks made."""
    if marks == 2:
        return ((), ("other",), ("other", "own"))[depth - 1]
    return ((), ("own",), ("board", "own"))[depth - 1]


@dataclass(frozen=True, kw_only=True)
class RuleSet:
    """A game of the family. Equal rule sets are the same game: names, texts, times and forfeits do not count.

    ``load_rules`` and ``parse_rules`` make one, and check it; the constructor checks nothing.
    """

    name: str = field(default="custom", compare=False)
    title: str = field(default="", compare=False)
    text: str = field(default="", compare=False)
    base: str = field(default="tic-tac-toe", compare=False)
    """The nearest preset that this rule set was made from; only used to print it briefly."""

    side: int = 3
    depth: int = 1
    patterns: tuple[tuple[Pattern, ...], ...] = (resolve(("rows", "columns", "diagonals"), 3),)
    """What wins, for each level, outermost first."""

    win_board: Literal["line", "tallies", "never"] = "line"
    tallies: int = 0
    close_board: Literal["won", "full"] = "won"
    ban: bool = False
    marks: int = 1
    bonus: bool = False
    send: tuple[str, ...] = ()
    """What addresses each level of the send, outermost first: own, other (mark), board, any."""
    sent_to_decided: Literal["free", "up", "end"] = "free"
    first: str = "free"
    """``free``, or the letters of the board that the first move must be made in."""
    swap: bool = False

    line: Literal["wins", "loses", "nothing"] = "wins"
    boards_to_win: int = 0
    count: Literal["nothing", "boards", "lines"] = "nothing"
    most_wins: bool = False
    komi: float = 0
    points: Literal["result", "count"] = "result"
    win_points: float = 1
    values: tuple[int, ...] = ()
    utility: Literal["result", "points"] = "result"

    move_time: float = field(default=0, compare=False)
    forfeit_points: float = field(default=0, compare=False)

    def __hash__(self) -> int:
        return hash(self.digest)

    def __str__(self) -> str:
        return self.spec

    # -- sizes

    @cached_property
    def size(self) -> int:
        """Cells of one board."""
        return self.side**2

    @cached_property
    def cells(self) -> int:
        """Cells of the whole game."""
        return int(self.size**self.depth)

    @cached_property
    def board_count(self) -> int:
        """Small boards of the whole game."""
        return int(self.size ** (self.depth - 1))

    @cached_property
    def center(self) -> int:
        """The centre cell; of an even side the top left one of the four middle ones."""
        return center_of(self.side)

    @cached_property
    def first_board(self) -> tuple[int, ...]:
        """The path of the board that the first move must be made in; empty: anywhere."""
        if self.first == "free":
            return ()
        return tuple(LETTERS.index(letter) for letter in self.first)

    # -- what a result is worth

    def result_points(self, winner: Winner) -> Points:
        """The points of a game that was won, or drawn, by the game's own rule."""
        if winner is None:
            half = tidy(self.win_points / 2)
            return (half, half)
        return (self.win_points, 0) if winner == "X" else (0, self.win_points)

    def utility_of(self, winner: Winner, points: Points) -> int:
        """The whole number, in X's view, that ratings and search make the most of."""
        if self.points_count:
            return int(points[0] - points[1])
        return 0 if winner is None else 1 if winner == "X" else -1

    @cached_property
    def points_count(self) -> bool:
        """Whether the utility is the difference of the points. With komi that would not be what wins."""
        return self.utility == "points" and self.komi == 0

    # -- identity and print

    @cached_property
    def keys(self) -> dict[str, Any]:
        """Everything a rules file can state, as plain data; what follows from the rest is left out."""
        keys: dict[str, Any] = {"side": self.side, "depth": self.depth, "patterns": self._pattern_key()}
        keys["win_board"] = self.win_board
        if self.tallies:
            keys["tallies"] = self.tallies
        keys |= {"close_board": self.close_board, "ban": self.ban, "marks": self.marks, "bonus": self.bonus}
        if self.send != default_send(self.depth, self.marks):
            keys["send"] = list(self.send)
        keys |= {"sent_to_decided": self.sent_to_decided}
        if self.first != "free" and self.first_board == (self.center,):
            keys["first"] = "center"
        else:
            keys["first"] = self.first
        keys |= {
            "swap": self.swap,
            "line": self.line,
            "boards_to_win": self.boards_to_win,
            "count": self.count,
        }
        keys |= {"most_wins": self.most_wins, "komi": self.komi, "points": self.points}
        keys |= {"win_points": self.win_points}
        if self.values:
            keys["values"] = list(self.values)
        return keys | {"utility": self.utility}

    def _pattern_key(self) -> Any:
        levels = [describe(level, self.side) for level in self.patterns]
        if all(level == levels[0] for level in levels):
            return levels[0]
        return dict(zip(LEVEL_NAMES[self.depth], levels, strict=True))

    @cached_property
    def match_keys(self) -> dict[str, Any]:
        """The keys that do not change the game: for matches and for people."""
        keys: dict[str, Any] = {"title": self.title, "text": self.text, "move_time": self.move_time}
        if self.forfeit_points != self.greatest_points:
            keys["forfeit_points"] = self.forfeit_points
        return keys

    @cached_property
    def greatest_points(self) -> float:
        """The most points one player can have: what a forfeit gives unless the rules say otherwise."""
        if self.points == "result":
            return self.win_points
        if self.count == "lines":
            counted = self.board_count * len(self.patterns[-1])
        else:
            counted = sum(self.values) if self.values else self.size
        return max(self.win_points, counted) if self.line != "nothing" or self.boards_to_win else counted

    @cached_property
    def digest(self) -> str:
        """16 hexadecimal digits, the same on every machine, that change only when the game does."""
        plain = json.dumps(self.keys, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(plain.encode()).hexdigest()[:16]

    @cached_property
    def spec(self) -> str:
        """One word, without spaces, that ``load_rules`` turns back into this rule set."""
        from metatac.rules.spec import print_spec

        return print_spec(self)

    def to_toml(self) -> str:
        """The whole rule set as a rules file that inherits nothing."""
        from metatac.rules.spec import print_toml

        return print_toml(self)


def tidy(number: float) -> float:
    """The same number, as an int where it is whole, so that 1.0 prints, compares and hashes as 1."""
    return int(number) if number == int(number) else number
