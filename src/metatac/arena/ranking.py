"""Who stands where: what every player's games add up to, and how ties are broken.

Players are ranked by their score (or by the points that the rules award), then by the tie-breaks in their order, each
applied to those only who are still level. Who is level after all of them shares the rank.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from metatac.arena.tournament import Tiebreak, Tournament
from metatac.match import OFFENCES
from metatac.store.tournaments import StoredGame


@dataclass(slots=True)
class Line:
    """What one player's games add up to."""

    player: int
    rank: int = 0
    played: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    score: float = 0.0
    """A game gives from 0 to 1, by what the tournament counts."""
    points: float = 0.0
    """What the rules award."""
    forfeits: int = 0
    """Games lost by the referee's word."""
    byes: int = 0
    total: float = 0.0
    """What ranks: the score or the points, and what byes gave."""
    broken: dict[str, float] = field(default_factory=dict)
    """The tie-breaks that were looked at, and what they said."""


@dataclass(slots=True)
class Ledger:
    """The games of some players among themselves, and their lines."""

    lines: dict[int, Line]
    meetings: dict[tuple[int, int], float] = field(default_factory=dict)
    """What the first of two players has scored against the second."""

    def against(self, player: int) -> Iterable[tuple[int, float]]:
        return ((b, score) for (a, b), score in self.meetings.items() if a == player)


def ledger(plan: Tournament, players: Collection[int], games: Iterable[StoredGame], byes: Mapping[int, int]) -> Ledger:
    """Add up the games between these players. A bye counts as much as a meeting won, and is no game."""
    found = Ledger({player: Line(player) for player in players})
    for game in games:
        if game.x in found.lines and game.o in found.lines and game.result != "*":
            _enter(plan, found, game.x, game.o, game, game.score, game.points_x, "1-0")
            _enter(plan, found, game.o, game.x, game, 1 - game.score, game.points_o, "0-1")
    worth = 1.0 if plan.rank == "score" else plan.rule_set.forfeit_points
    for line in found.lines.values():
        line.byes = byes.get(line.player, 0)
        line.total = (line.score if plan.rank == "score" else line.points) + line.byes * 2 * plan.pairs * worth
    return found


def _enter(
    plan: Tournament, found: Ledger, player: int, rival: int, game: StoredGame, score: float, points: float, win: str
) -> None:
    line = found.lines[player]
    line.played += 1
    line.won += game.result == win
    line.drawn += game.result == "1/2-1/2"
    line.lost += game.result not in (win, "1/2-1/2")
    line.score += score
    line.points += points
    line.forfeits += game.reason in OFFENCES and game.result not in (win, "1/2-1/2")
    value = score if plan.rank == "score" else points
    found.meetings[player, rival] = found.meetings.get((player, rival), 0.0) + value


def ranked(plan: Tournament, found: Ledger, levels: Mapping[int, float] | None = None) -> list[Line]:
    """The lines from the first to the last. ``levels`` come before everything: how far somebody came.

    In a knockout (levels above 0) nothing else counts: who left in the same round shares the rank. In a gauntlet, where
    some play many games and most few, it is the share of what could be had that ranks.
    """

    def merit(line: Line) -> tuple[float, float]:
        level = (levels or {}).get(line.player, 0.0)
        if level > 0:
            return level, 0.0
        return level, line.total / max(1, line.played) if plan.format == "gauntlet" else line.total

    order: list[Line] = []
    for group in _split(list(found.lines.values()), merit):
        knocked_out = merit(group[0])[0] > 0
        for level in _broken(found, group, () if knocked_out else plan.tiebreaks):
            for line in level:
                line.rank = len(order) + 1
            order += sorted(level, key=lambda line: line.player)
    return order


def _broken(found: Ledger, tied: list[Line], breaks: Sequence[Tiebreak]) -> list[list[Line]]:
    """The players who are level, in groups that are level still, the best first."""
    if len(tied) == 1 or not breaks:
        return [tied]
    for line in tied:
        line.broken[breaks[0]] = round(_MEASURES[breaks[0]](found, line, tied), 9)
    groups = _split(tied, lambda line: line.broken[breaks[0]])
    return [level for group in groups for level in _broken(found, group, breaks[1:])]


def _split(lines: list[Line], key: Callable[[Line], object]) -> list[list[Line]]:
    """Groups with equal keys, the greatest key first; sums of halves and thirds are equal when they nearly are."""
    groups: dict[object, list[Line]] = {}
    for line in lines:
        groups.setdefault(_rounded(key(line)), []).append(line)
    return [groups[value] for value in sorted(groups, reverse=True)]  # type: ignore[type-var]


def _rounded(value: object) -> object:
    if isinstance(value, tuple):
        return tuple(_rounded(item) for item in value)
    return round(value, 9) if isinstance(value, float) else value


def _head_to_head(found: Ledger, line: Line, tied: list[Line]) -> float:
    rivals = {other.player for other in tied} - {line.player}
    return sum(score for rival, score in found.against(line.player) if rival in rivals)


def _buchholz(found: Ledger, line: Line, tied: list[Line]) -> float:
    """What all opponents have; a bye is an opponent who has as much as oneself."""
    return sum(found.lines[rival].total for rival, _ in found.against(line.player)) + line.byes * line.total


def _sonneborn_berger(found: Ledger, line: Line, tied: list[Line]) -> float:
    """What was scored against each opponent, times what that opponent has."""
    return sum(score * found.lines[rival].total for rival, score in found.against(line.player))


_MEASURES: dict[Tiebreak, Callable[[Ledger, Line, list[Line]], float]] = {
    "head-to-head": _head_to_head,
    "buchholz": _buchholz,
    "sonneborn-berger": _sonneborn_berger,
    "wins": lambda found, line, tied: line.won,
    "points": lambda found, line, tied: line.points,
    "score": lambda found, line, tied: line.score,
    "forfeits": lambda found, line, tied: -line.forfeits,
}
