"""A whole game analysed: the evaluation after each move, how accurately each side played, and where it went wrong.

Every position is searched once with all its moves valued. What a move gave away is the score of the best move less its
own, both from that one search and in the view of who made it; so bonus moves and swaps need no special case. Where the
next search proves what the move led to, the move gave away no more than by that.
"""

import threading
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from itertools import pairwise
from math import exp
from statistics import fmean, harmonic_mean
from typing import Any

from metatac.engine.alphabeta import Limits
from metatac.engine.analysis import Analyst, analyze
from metatac.engine.results import Analysis, MoveAnalysis
from metatac.game import Move
from metatac.notation import Record

RARELY = 20
"""A tree search that visited the best move so many times as often as another hardly looked at that one."""
JUDGMENTS = {"blunder": 0.15, "mistake": 0.10, "inaccuracy": 0.05}
"""The least loss of score that each is, the worst first."""


@dataclass(frozen=True, slots=True)
class PlyAnalysis:
    """One move of the game. Values and scores are in X's view; the loss is the mover's."""

    number: int
    turn: str
    """Who made the move."""
    move: Move
    value_x: float
    """After the move."""
    score_x: float
    proven: bool
    loss: float
    """The score that was given away, from 0 to 1."""
    accuracy: float
    """Of the move, from 0 to 100."""
    judgment: str | None
    """``inaccuracy``, ``mistake``, ``blunder``, or None."""
    forced: bool
    """Whether nobody chose it: there was no other move, or it belongs to an opening that the game began with."""
    best: Move
    best_value_x: float
    line: tuple[Move, ...]
    """The best play instead, the best move first."""
    depth: int
    nodes: int

    def to_dict(self) -> dict[str, Any]:
        """Everything, JSON-ready."""
        texts = {"move": str(self.move), "best": str(self.best), "line": [str(move) for move in self.line]}
        return asdict(self) | texts


@dataclass(frozen=True, slots=True)
class SideSummary:
    """How one side played."""

    moves: int
    accuracy: float | None
    """From 0 to 100; None where the side had no choice to make."""
    loss: float
    """The mean loss of score of the moves that were not forced."""
    inaccuracies: int
    mistakes: int
    blunders: int


@dataclass(frozen=True, slots=True)
class RecordAnalysis:
    """What is known about a game."""

    rules: str
    start: str
    """The text of the first position."""
    result: str
    by: str
    unit: str
    """Of the values: ``result`` (1 is a win) or ``points``."""
    value_x: float
    """Of the first position."""
    score_x: float
    moves: tuple[PlyAnalysis, ...]
    players: dict[str, SideSummary]
    """Of ``X`` and ``O``."""
    complete: bool
    """False if it was stopped before the last move."""

    def to_dict(self) -> dict[str, Any]:
        """Everything, JSON-ready."""
        return {field.name: getattr(self, field.name) for field in fields(self)} | {
            "players": {side: asdict(summary) for side, summary in self.players.items()},
            "moves": [ply.to_dict() for ply in self.moves],
        }


def analyze_record(
    record: Record,
    analyst: Analyst | None = None,
    *,
    limits: Limits | None = None,
    stop: threading.Event | None = None,
    on_ply: Callable[[PlyAnalysis], None] | None = None,
) -> RecordAnalysis:
    """Analyse the moves of a record's main line, with the limits for each position; ``on_ply`` is told of each.

    How the game ended beside the board does not matter. With a limit of nodes the answer is the same each time.
    """
    if analyst is None:
        from metatac.engine.analysts import EngineAnalyst

        analyst = EngineAnalyst()
    ask, given = partial(analyze, analyst=analyst, limits=limits, stop=stop), given_moves(record)
    plies: list[PlyAnalysis] = []
    first = found = ask(record.start)
    complete = True
    for number, (move, (_, after)) in enumerate(zip(record.moves, pairwise(record.positions()), strict=True), 1):
        if stop is not None and stop.is_set():
            complete = False
            break
        following = ask(after)
        ply = _judged(number, move, found, following, _compared(found, move, by_visits=analyst.by_visits))
        plies.append(replace(ply, judgment=None, forced=True) if number <= given else ply)
        found = following
        if on_ply is not None:
            on_ply(plies[-1])
    return RecordAnalysis(
        rules=record.rules.spec,
        start=record.start.text,
        result=record.result,
        by=analyst.name,
        unit=first.unit,
        value_x=first.value_x,
        score_x=first.score_x,
        moves=tuple(plies),
        players={side: summary(ply for ply in plies if ply.turn == side) for side in "XO"},
        complete=complete,
    )


def given_moves(record: Record) -> int:
    """How many moves the game began with that no player made: they took no time, where later ones did."""
    return next((number for number, ply in enumerate(record.plies) if ply.spent is not None), 0)


def _compared(found: Analysis, move: Move, *, by_visits: bool) -> MoveAnalysis | None:
    """What the search that chose among all moves says of the one that was made; None if it hardly looked at it."""
    played = found.of(move)
    if played is None or not played.known:
        return None
    rarely = by_visits and not played.proven and RARELY * played.nodes < found.best.nodes
    return None if rarely else played


def _judged(number: int, move: Move, found: Analysis, following: Analysis, played: MoveAnalysis | None) -> PlyAnalysis:
    """A move, from the search of the position before it, and from that of the position that it led to where the first
    one did not look at it or the second is certain."""
    best = found.best
    after = following if played is None or (following.proven and not played.proven) else played
    compared: list[Analysis | MoveAnalysis] = [after]
    if played is not None and not best.proven:
        compared.append(played)  # a proven result cannot be compared with an estimate as two estimates can
    sign = 1 if found.turn == "X" else -1
    top = sign * best.score_x
    if played is None and following.proven and not best.proven and not _is_lost(following, sign):
        # Nor can it where nothing was found out about the move by estimates. A lost game alone is worse than any.
        top = max((sign * one.score_x for one in found.moves if one.proven), default=sign * following.score_x)
    loss = 0.0 if best.move == move else max(0.0, min(top - sign * one.score_x for one in compared))
    return PlyAnalysis(
        number=number,
        turn=found.turn,
        move=move,
        value_x=after.value_x,
        score_x=after.score_x,
        proven=after.proven,
        loss=loss,
        accuracy=accuracy_of(loss),
        judgment=judgment_of(loss),
        forced=found.legal == 1,
        best=best.move,
        best_value_x=best.value_x,
        line=best.line,
        depth=found.depth,
        nodes=found.nodes,
    )


def _is_lost(found: Analysis, sign: int) -> bool:
    """Whether all is lost for one side (X: 1, O: -1)."""
    return found.score_x == (0.0 if sign > 0 else 1.0)


def judgment_of(loss: float) -> str | None:
    """What a loss of score is called."""
    return next((name for name, least in JUDGMENTS.items() if loss >= least - 1e-9), None)


def accuracy_of(loss: float) -> float:
    """The accuracy of a move, from 0 to 100: the formula of lichess, a loss of 1 being all the chances."""
    return max(0.0, 100.0 - 103.1668 * (1.0 - exp(-4.354 * loss)))


def summary(plies: Iterable[PlyAnalysis]) -> SideSummary:
    """How a side played: its accuracy is midway between the mean and the harmonic mean of its moves' accuracies.

    The harmonic mean makes a blunder cost more than many good moves bring. Moves that nobody chose do not count.
    """
    made = list(plies)
    chosen = [ply for ply in made if not ply.forced]
    each = [max(1.0, ply.accuracy) for ply in chosen]
    judged = [ply.judgment for ply in made]
    return SideSummary(
        moves=len(made),
        accuracy=(fmean(each) + harmonic_mean(each)) / 2 if each else None,
        loss=fmean(ply.loss for ply in chosen) if chosen else 0.0,
        inaccuracies=judged.count("inaccuracy"),
        mistakes=judged.count("mistake"),
        blunders=judged.count("blunder"),
    )
