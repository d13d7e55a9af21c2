"""How good each move of a position is: the one question that every front end asks here.

``analyze`` answers it with any ``Analyst``; ``metatac.players.analysts.load_analyst`` makes one of a player's text.
It tells what it knows while it goes deeper, and stops when it is asked to.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from metatac.engine.alphabeta import Limits
from metatac.engine.results import Analysis, MoveAnalysis, SearchResult, score_of
from metatac.engine.worker import counts_lines
from metatac.errors import InvalidArgument
from metatac.game import Position
from metatac.rules import RuleSet, load_rules

Report = Callable[[SearchResult], None]

HEARING = 0.01
"""Seconds between two looks at whether it is time to stop."""


class Analyst(Protocol):
    """A search that values moves. It may keep what it learns from one position to the next."""

    name: str
    """Its text, as a player's."""
    limits: Limits
    """When it stops unless it is told otherwise."""
    takes: frozenset[str]
    """Which limits it can keep, of ``depth``, ``nodes`` and ``seconds``."""
    ignores_komi: bool
    """Whether it counts lines even where a komi says who wins."""
    by_visits: bool
    """Whether it knows a move as well as it has visited it: a value that few visits gave is hardly one."""

    def prepare(self, rules: RuleSet, limits: Limits) -> None:
        """Have everything compiled and allocated before the time counts."""

    def search(self, position: Position, limits: Limits, lines: int, report: Report) -> SearchResult:
        """Value the best ``lines`` moves of a position that is not over; report whatever is new on the way."""

    def stop(self) -> None:
        """Have the search, in another thread, end as soon as there is a result."""


def analyze(
    position: Position,
    analyst: Analyst | None = None,
    *,
    limits: Limits | None = None,
    lines: int | None = None,
    stop: threading.Event | None = None,
    on_analysis: Callable[[Analysis], None] | None = None,
) -> Analysis:
    """Value the moves of a position: the best ``lines`` of them, or all.

    The analyst is the engine unless one is given. Its own limits hold unless others are given; ``Limits()`` is none at
    all. ``on_analysis`` is called, in the thread that searches, with what is known by then; a search that is too short
    to report anything tells its result, so that it is called once at least unless the game is over. Once ``stop`` is
    set the latest is returned. A finished position has its utility and no moves.
    """
    if analyst is None:
        from metatac.engine.analysts import EngineAnalyst

        analyst = EngineAnalyst()
    outcome = position.outcome
    if outcome is not None:
        value = float(_valued(position.rules, analyst).utility_of(outcome.winner, outcome.points))
        return _analysis(position, analyst, SearchResult(position.text, value, (), 0, 0.0, proven=True))
    get_ready(position, analyst, limits)
    wanted = analyst.limits if limits is None else limits
    told = False

    def report(result: SearchResult) -> None:
        nonlocal told
        told = True
        if on_analysis is not None:
            on_analysis(_analysis(position, analyst, result))

    with _watched(analyst, stop):
        result = analyst.search(position, wanted, lines or len(position.legal_moves), report)
        if not told:
            report(result)
    return _analysis(position, analyst, result)


def get_ready(position: Position, analyst: Analyst, limits: Limits | None = None) -> None:
    """Have compiled and allocated what ``analyze`` needs, which it would do itself, without a look at ``stop``."""
    if position.outcome is None:
        wanted = analyst.limits if limits is None else limits
        check_limits(analyst, wanted)
        analyst.prepare(position.rules, wanted)


def check_limits(analyst: Analyst, limits: Limits) -> None:
    """InvalidArgument where a limit is asked for that the analyst cannot keep."""
    for name in ("depth", "nodes", "seconds"):
        if getattr(limits, name) is not None and name not in analyst.takes:
            takes = ", ".join(sorted(analyst.takes))
            raise InvalidArgument(f"{analyst.name} cannot be limited by {name}; it takes {takes}")


def _valued(rules: RuleSet, analyst: Analyst) -> RuleSet:
    """The rules that say what the analyst's values mean."""
    return load_rules(rules, komi=0) if rules.komi and counts_lines(rules) and analyst.ignores_komi else rules


def _analysis(position: Position, analyst: Analyst, result: SearchResult) -> Analysis:
    rules = _valued(position.rules, analyst)
    moves = tuple(
        MoveAnalysis(
            move=one.move,
            value_x=one.value_x,
            score_x=score_of(rules, one.value_x),
            depth=result.depth,
            nodes=one.nodes,
            line=one.line,
            proven=one.proven,
        )
        for one in result.moves
    )
    return Analysis(
        position=position.text,
        turn=position.turn,
        by=analyst.name,
        value_x=result.value_x,
        score_x=score_of(rules, result.value_x),
        depth=result.depth,
        nodes=result.nodes,
        seconds=result.seconds,
        proven=result.proven,
        unit="points" if rules.points_count else "result",
        legal=len(position.legal_moves),
        outcome=position.outcome,
        moves=moves,
    )


@contextmanager
def _watched(analyst: Analyst, stop: threading.Event | None) -> Iterator[None]:
    """Have the analyst stopped once the event is set, and again if it did not hear."""
    done = threading.Event()

    def watch(asked: threading.Event) -> None:
        while not done.wait(HEARING):
            if asked.is_set():
                analyst.stop()

    watcher = None if stop is None else threading.Thread(target=watch, args=(stop,), daemon=True)
    if watcher is not None:
        watcher.start()
    try:
        yield
    finally:
        done.set()
        if watcher is not None:
            watcher.join()
