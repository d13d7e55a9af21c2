"""How a game ends, and what the end is worth."""

from typing import TYPE_CHECKING, NamedTuple

from metatac.game.tables import has_line, held, holds, other
from metatac.rules import Points, Winner
from metatac.rules.patterns import Pattern

if TYPE_CHECKING:
    from metatac.game.position import Position


class Outcome(NamedTuple):
    """The end of a game by its own rules."""

    winner: Winner
    points: Points
    """Of X and of O."""
    reason: str
    """``line``, ``boards`` (enough owned), ``majority``, ``points`` or ``draw``."""

    def __str__(self) -> str:
        x, o = self.points
        who = "nobody wins" if self.winner is None else f"{self.winner} wins"
        return f"{who} ({self.reason}), {x:g} to {o:g}"


def judge(position: "Position") -> Outcome | None:
    """The outcome of a position, None while the game goes on."""
    rules, top = position.rules, _top(position)
    if rules.line != "nothing":
        for who in "XO":
            if who in top and has_line(top, rules.patterns[0], who):
                return _won(position, who if rules.line == "wins" else other(who), "line")
    if rules.boards_to_win:
        for who in "XO":
            if top.count(who) >= rules.boards_to_win:
                return _won(position, who, "boards")
    if position.can_move():
        return None
    return _counted(position)


def deciding_lines(position: "Position") -> tuple[Pattern, ...]:
    """The patterns of the outermost board that ended the game; none where something else did, or nothing yet."""
    rules, outcome = position.rules, position.outcome
    if outcome is None or outcome.winner is None or outcome.reason != "line":
        return ()
    who = outcome.winner if rules.line == "wins" else other(outcome.winner)
    return held(_top(position), rules.patterns[0], who)


def _top(position: "Position") -> str:
    """Who has each place of the outermost board."""
    return position.owners[0] if position.rules.depth > 1 else position.cells


def _won(position: "Position", winner: str, reason: str) -> Outcome:
    who: Winner = "X" if winner == "X" else "O"
    return Outcome(who, position.rules.result_points(who), reason)


def _counted(position: "Position") -> Outcome:
    """The outcome when no move is left and nothing was won before."""
    rules = position.rules
    if rules.count == "nothing":
        return Outcome(None, rules.result_points(None), "draw")
    x, o = counted(position)
    lead = x - o - rules.komi
    winner: Winner = None
    if rules.most_wins and lead != 0:
        winner = "X" if lead > 0 else "O"
    if rules.points == "count":
        return Outcome(winner, (x, o), "points")
    return Outcome(winner, rules.result_points(winner), "majority")


def counted(position: "Position") -> tuple[int, int]:
    """What X and O have by now of that which is counted in the end: lines, or what their boards are worth."""
    rules = position.rules
    if rules.count == "lines":
        return count_lines(position)
    values = rules.values or (1,) * rules.size
    x, o = (sum(value for value, owner in zip(values, position.owners[0], strict=True) if owner == who) for who in "XO")
    return x, o


def count_lines(position: "Position") -> tuple[int, int]:
    """The complete own patterns of X and of O in all small boards."""
    rules = position.rules
    boards = [position.board(number) for number in range(rules.board_count)]
    x, o = (
        sum(holds(board, pattern, who) for board in boards if who in board for pattern in rules.patterns[-1])
        for who in "XO"
    )
    return x, o
