"""A whole game analysed: the evaluation after each move, how accurately each side played, and where it went wrong.

Every position is searched once with all its moves valued. What a move gave away is the score of the best move less its
own, both from that one search and in the view of who made it; so bonus moves and swaps need no special case.
"""

import threading
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, fields
from math import exp
from statistics import fmean, harmonic_mean
from typing import Any

from metatac.engine.alphabeta import Limits
from metatac.engine.analysis import Analyst, analyze
from metatac.engine.results import Analysis, score_of
from metatac.game import Move, Position
from metatac.notation import Record

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
    """Whether there was no other move."""
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
    plies: list[PlyAnalysis] = []
    first: Analysis | None = None
    position, halted = record.start, False
    for number, move in enumerate(record.moves, 1):
        found = analyze(position, analyst, limits=limits, stop=stop)
        halted = stop is not None and stop.is_set()
        if halted:
            break
        first = first or found
        after = position.play(move)
        plies.append(_judged(number, position, move, found, _value_after(found, move, after, analyst, limits, stop)))
        if on_ply is not None:
            on_ply(plies[-1])
        position = after
    if first is None:
        first = analyze(record.start, analyst, limits=limits, stop=stop)
    return RecordAnalysis(
        rules=record.rules.spec,
        start=record.start.text,
        result=record.result,
        by=analyst.name,
        value_x=first.value_x,
        score_x=first.score_x,
        moves=tuple(plies),
        players={side: summary(ply for ply in plies if ply.turn == side) for side in "XO"},
        complete=not halted,
    )


def _value_after(
    found: Analysis,
    move: Move,
    after: Position,
    analyst: Analyst,
    limits: Limits | None,
    stop: threading.Event | None,
) -> tuple[float, bool]:
    """(value_x, proven) of the move that was made: of the same search, if it came to look at it."""
    outcome, played = after.outcome, found.of(move)
    if outcome is not None:
        return float(after.rules.utility_of(outcome.winner, outcome.points)), True
    if played is not None and played.known:
        return played.value_x, played.proven
    later = analyze(after, analyst, limits=limits, stop=stop)
    return later.value_x, later.proven


def _judged(number: int, position: Position, move: Move, found: Analysis, value: tuple[float, bool]) -> PlyAnalysis:
    sign, best = 1 if position.turn == "X" else -1, found.best
    score_x = score_of(position.rules, value[0])
    loss = 0.0 if best.move == move else max(0.0, sign * (best.score_x - score_x))
    return PlyAnalysis(
        number=number,
        turn=position.turn,
        move=move,
        value_x=value[0],
        score_x=score_x,
        proven=value[1],
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


def judgment_of(loss: float) -> str | None:
    """What a loss of score is called."""
    return next((name for name, least in JUDGMENTS.items() if loss >= least - 1e-9), None)


def accuracy_of(loss: float) -> float:
    """The accuracy of a move, from 0 to 100: the formula of lichess, a loss of 1 being all the chances."""
    return max(0.0, 100.0 - 103.1668 * (1.0 - exp(-4.354 * loss)))


def summary(plies: Iterable[PlyAnalysis]) -> SideSummary:
    """How a side played: its accuracy is midway between the mean and the harmonic mean of its moves' accuracies.

    The harmonic mean makes a blunder cost more than many good moves bring. Moves without a choice do not count.
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
