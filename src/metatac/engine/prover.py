"""The prover: what a position is worth with the best play of both sides, proved.

``prove`` answers for a position. ``Prover`` keeps its table between questions; ``Prover.bounds`` is for callers that
have the kernel's state and little time.
"""

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import numpy as np

from metatac.engine import proof_search as at
from metatac.engine.arrays import aligned_words, table_words
from metatac.engine.deadline import set_deadline
from metatac.engine.proof_file import load_table, save_table
from metatac.engine.proof_table import BUCKET, ENTRY, LONGEST, TARGETS
from metatac.errors import InvalidArgument
from metatac.game import Move, Position
from metatac.kernel import playouts
from metatac.kernel.compiled import compile_all
from metatac.kernel.moves import UNDO_HEADER
from metatac.kernel.state import STEPPING, most_moves, move_of, ready_to_play_out, words_of
from metatac.kernel.tables import Words, state_size, tables
from metatac.rules import RuleSet, Winner

NO_LIMIT = 1 << 62
MOST_LEVELS, MOST_CHILDREN = 4096, 1 << 19
MOST_MEMORY = 1 << 20
"""MB that a table can be asked to have."""
FIRST_BUCKETS, GROWTH = 1 << 18, 4
"""A proof begins with so many buckets of its table, and uses so many times as many when as many nodes were searched as
there are entries."""
PIECE = 1 << 14
"""Buckets that grow at once, which takes milliseconds."""
SHORTEST_NODES = 500_000
"""What may always be spent on finding out the distance; otherwise as much as the proof took."""
LEAST_PAUSE, MOST_PAUSE = 10.0, 300.0
"""Seconds between two checkpoints."""


Reason = Literal["time", "nodes", "stopped", "too deep"]
"""Why a proof ended before the value was known; ``too deep``: the stack has no room for the game."""


@dataclass(frozen=True)
class Proof:
    """What was proved of a position. Values are utilities of the rule set, in X's view."""

    position: Position
    lower_x: int
    upper_x: int
    line: tuple[Move, ...] = ()
    """Best play of both sides to the end, replayed; empty if the time was out before it was found."""
    winner: Winner = None
    """Who wins at the end of the line, by the game's own rule."""
    distance: int | None = None
    """The plies to the end if the winner hurries and the other holds out: only where it was verified, and where the
    value is the most that the winner could get."""
    at_most: int | None = None
    """The same, but perhaps it can be had in fewer."""
    reason: Reason | None = None
    """Why it is not solved, if it is not."""
    nodes: int = 0
    seconds: float = 0.0
    unsaved: str = ""
    """Why the work could not be kept in the checkpoint, if it could not."""

    @property
    def solved(self) -> bool:
        """Whether the value is known."""
        return self.lower_x == self.upper_x

    @property
    def value_x(self) -> int | None:
        """The value, if it is known."""
        return self.lower_x if self.solved else None


@dataclass(frozen=True)
class Progress:
    """How far a proof has come."""

    lower_x: int
    upper_x: int
    target: int
    """The question at present: does X reach at least that?"""
    proof_number: int
    disproof_number: int
    nodes: int
    seconds: float


@lru_cache(maxsize=1)
def ready_to_prove() -> float:
    """Have the prover compiled or loaded; returns the seconds it took the first time."""
    return compile_all(STEPPING | at.SIGNATURES)


class Prover:
    """Proves positions of one rule set, with one table of a given size."""

    def __init__(self, rules: RuleSet, memory_mb: float = 256, *, punctual: bool = False) -> None:
        """``punctual`` says whether seconds count from the first one on: see ``table_words``."""
        if not 0 < memory_mb <= MOST_MEMORY:  # which nothing is that is no number
            raise InvalidArgument(f"a prover's memory is up to {MOST_MEMORY} MB, not {memory_mb:,.12g}")
        ready_to_prove()
        self.rules, self.tables = rules, tables(rules)
        buckets = max(1, min(int(memory_mb * 2**20) // (8 * ENTRY * BUCKET), 1 << 31))
        self._memory = self.table = (table_words if punctual else aligned_words)(buckets * ENTRY * BUCKET)
        self.control: Words = np.zeros(at.CONTROL, dtype=np.int64)
        self.control[at.BUCKETS] = buckets
        set_deadline(self.control, at.DEADLINE, None)
        self._codes: Words = np.zeros(most_moves(rules), dtype=np.int64)
        self._plies = self._children = 0
        self._make_room(64)

    def begin_small(self) -> None:
        """Use as little of the table's memory at first as is good for short proofs: it is in the processor's cache."""
        buckets = int(self.control[at.BUCKETS])
        while buckets >= GROWTH * FIRST_BUCKETS:
            buckets //= GROWTH
        self._use(buckets)

    @property
    def may_grow(self) -> bool:
        """Whether there is memory that is not used yet."""
        return GROWTH * self.table.size <= self._memory.size

    def grow(self, over: Callable[[], bool] = lambda: False) -> None:
        """Use more of the memory. Nothing that is known is lost.

        It is done in pieces, between which Ctrl-C is heard. If it is over before the last one, what has not got its new
        place is not found any more; whoever has no more time looks for nothing, and a checkpoint has all of it.
        """
        before = int(self.control[at.BUCKETS])
        self._use(GROWTH * before)
        for end in range(before, 0, -PIECE):
            at.grow(self.table, max(0, end - PIECE), end, GROWTH * before)
            if over():
                break

    def _use(self, buckets: int) -> None:
        self.table = self._memory[: buckets * ENTRY * BUCKET]
        self.control[at.BUCKETS] = buckets

    def _make_room(self, plies: int) -> None:
        """Have a stack for games that may go on for so many plies."""
        if plies <= self._plies:
            return
        self._plies = plies
        levels = min(plies + 2, MOST_LEVELS)
        each = self._codes.size
        self._children = min(MOST_CHILDREN, 2 + each * min(levels, 8) + levels * min(each, levels))
        self._frames: Words = np.zeros(levels * at.FRAME, dtype=np.int64)
        self._undos: Words = np.zeros(levels * (UNDO_HEADER + state_size(self.rules)), dtype=np.int64)
        self._stack: Words = np.zeros(self._children * at.CHILD, dtype=np.int64)
        self.control[at.LEVELS], self.control[at.ROOM] = levels, self._children

    def limits(self, words: Words) -> tuple[int, int, int]:
        """(least, most, plies): what can still come of a state that is not over, in X's view, and in how many plies."""
        found = np.zeros(5, dtype=np.int64)
        at.range_of(self.tables, words, found)
        return int(found[0]), int(found[1]), int(found[2])

    def prepare(self, words: Words) -> tuple[int, int]:
        """Make the control words ready for a state; returns the bounds that it shows by itself."""
        low, high, plies = self.limits(words)
        self._make_room(plies)
        control = self.control
        control[at.STOP] = control[at.HORIZON] = control[at.BY_MOVES] = 0
        control[at.LOW], control[at.HIGH] = low, high
        return low, high

    def solve(self, words: Words) -> int:
        """Ask what the control words say; returns the status."""
        at.solve(self.tables, words, self.table, self._frames, self._stack, self._undos, self._codes, self.control)
        return int(self.control[at.STATUS])

    def bounds(self, words: Words, nodes: int, guess: int = 1) -> tuple[int, int]:
        """Bounds of the utility of a state that is not over, in X's view, proved with so many nodes at most.

        The guess is the first target: what X may just reach. The table is kept from call to call.
        """
        low, high = self.prepare(words)
        if low < high:
            control = self.control
            control[at.TARGET], control[at.QUESTIONS] = max(low + 1, min(high, guess)), NO_LIMIT
            control[at.NODES], control[at.NODE_LIMIT] = 0, nodes
            self.solve(words)
            low, high = int(control[at.LOW]), int(control[at.HIGH])
        return low, high


class Allowance:
    """What a proof may still use, and who wants to hear of it."""

    def __init__(
        self,
        nodes: int | None,
        seconds: float | None,
        stop: threading.Event | None,
        on_progress: Callable[[Progress], None] | None,
        clock: Callable[[], float],
    ) -> None:
        self.nodes, self.stop, self.on_progress, self.clock = nodes, stop, on_progress, clock
        self.begin = clock()
        self.deadline = math.inf if seconds is None else self.begin + seconds
        self.spent, self.low, self.high = 0, -NO_LIMIT, NO_LIMIT
        self.next_report = self.begin + 1.0

    @property
    def over(self) -> bool:
        """Whether it is time to end."""
        return self.reached is not None

    @property
    def reached(self) -> Reason | None:
        """Why it is time to end, if it is."""
        if self.stop is not None and self.stop.is_set():
            return "stopped"
        if self.nodes is not None and self.spent >= self.nodes:
            return "nodes"
        return "time" if self.clock() >= self.deadline else None

    def run(self, prover: Prover, words: Words, most: int = NO_LIMIT, until: float = math.inf) -> int:
        """Let a prover solve what its control words say, within the limits; returns the status."""
        control = prover.control
        left = NO_LIMIT if self.nodes is None else self.nodes - self.spent
        control[at.NODES], control[at.NODE_LIMIT] = 0, max(1, min(most, left))
        done = threading.Event()

        def work() -> None:
            try:
                prover.solve(words)
            finally:
                done.set()

        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        try:
            while not done.wait(max(0.0, min(0.02, min(self.deadline, until) - self.clock()))):
                now = self.clock()
                if self.over or now >= until:
                    control[at.STOP] = 1
                    done.wait()
                elif self.on_progress is not None and now >= self.next_report:
                    self.next_report = now + 1.0
                    self.on_progress(self._progress(control))
        finally:
            control[at.STOP] = 1
            thread.join()
        self.spent += int(control[at.NODES])
        return int(control[at.STATUS])

    def _progress(self, control: Words) -> Progress:
        low, high = self.low, self.high
        if not control[at.BY_MOVES]:
            low, high = max(low, int(control[at.LOW])), min(high, int(control[at.HIGH]))
        return Progress(
            low,
            high,
            target=int(control[at.TARGET]),
            proof_number=int(control[at.PN]),
            disproof_number=int(control[at.DN]),
            nodes=self.spent + int(control[at.NODES]),
            seconds=self.clock() - self.begin,
        )


def get_ready(position: Position) -> None:
    """Have compiled what ``prove`` needs for a position, which it would do itself, without a look at ``stop``."""
    if position.outcome is None:
        ready_to_prove()
        ready_to_play_out()


def prove(
    position: Position,
    *,
    memory_mb: float = 256,
    nodes: int | None = None,
    seconds: float | None = None,
    stop: threading.Event | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    shortest: bool = True,
    checkpoint: Path | None = None,
    resume: bool = False,
    clock: Callable[[], float] = time.perf_counter,
) -> Proof:
    """Prove the value of a position, or bounds of it in the limits given, with a line of best play.

    Progress is reported about once a second. With shortest, some more work is done to find out the exact distance. A
    checkpoint is written when the value is found or the limits are reached, and now and then before; the proof says if
    that failed. With resume it is taken up first.
    """
    if seconds is not None and math.isnan(seconds):
        raise InvalidArgument("the seconds of a proof are a number")
    outcome = position.outcome
    if outcome is not None:
        value = position.rules.utility_of(outcome.winner, outcome.points)
        return Proof(position, value, value, winner=outcome.winner, distance=0, at_most=0)
    prover = Prover(position.rules, memory_mb)
    get_ready(position)  # to compile is nobody's thinking time
    limits = Allowance(nodes, seconds, stop, on_progress, clock)
    words = words_of(position)
    low, high = prover.prepare(words)
    if checkpoint is not None and resume:
        facts = load_table(checkpoint, position, prover.table, lambda: limits.over)
        low, high = max(low, int(facts["lower_x"])), min(high, int(facts["upper_x"]))
        limits.spent, limits.begin = int(facts["nodes"]), limits.begin - float(facts["seconds"])
        if nodes is not None:
            limits.nodes = nodes + limits.spent
    else:
        prover.begin_small()
    target, unsaved, pause = first_target(position, low, high), "", pause_after(0.0)
    status = at.STOPPED
    while low < high and not limits.over:
        control = prover.control
        prover.prepare(words)
        control[at.LOW], control[at.HIGH] = limits.low, limits.high = low, high
        control[at.TARGET], control[at.QUESTIONS] = max(low + 1, min(high, target)), NO_LIMIT
        until = math.inf if checkpoint is None else limits.clock() + pause
        most = prover.table.size // ENTRY if prover.may_grow else NO_LIMIT
        status = limits.run(prover, words, most, until)
        low, high, target = int(control[at.LOW]), int(control[at.HIGH]), int(control[at.TARGET])
        if checkpoint is not None:
            facts = {"lower_x": low, "upper_x": high, "nodes": limits.spent, "seconds": clock() - limits.begin}
            begun = clock()
            unsaved = _saved(checkpoint, position, prover.table, facts)
            pause = pause_after(clock() - begun)
        if status == at.TOO_DEEP:
            break
        if control[at.NODES] >= most and low < high and not limits.over:
            prover.grow(lambda: limits.over)
    limits.low, limits.high = low, high
    if low < high:
        proof = Proof(position, low, high, reason="too deep" if status == at.TOO_DEEP else limits.reached)
    else:
        proof = _distance(prover, limits, _line(prover, limits, Proof(position, low, high)), shortest)
    return replace(proof, nodes=limits.spent, seconds=clock() - limits.begin, unsaved=unsaved)


def pause_after(took: float) -> float:
    """Seconds until the next checkpoint, where the last one took so many: writing is to cost a thirtieth of it."""
    return max(LEAST_PAUSE, min(MOST_PAUSE, 30 * took))


def _saved(checkpoint: Path, position: Position, table: Words, facts: dict[str, Any]) -> str:
    """Write a checkpoint; returns why not. A full disk is no reason to lose the proof: there may be room later."""
    try:
        save_table(checkpoint, position, table, facts)
    except OSError as error:
        return f"{checkpoint}: {error.strerror or error}"
    return ""


def first_target(position: Position, low: int, high: int) -> int:
    """What to ask first: about what X gets in random games."""
    if high - low == 1:
        return high
    games = 512
    return math.floor(playouts(position, games).utility / games) + 1


def _ask(prover: Prover, limits: Allowance, words: Words, target: int, horizon: int = 0, most: int = NO_LIMIT) -> int:
    """Ask one question that a move must answer; returns the status."""
    prover.prepare(words)
    control, rules = prover.control, prover.rules
    control[at.BY_MOVES], control[at.QUESTIONS], control[at.TARGET] = 1, 1, target
    control[at.HORIZON] = horizon
    if horizon:
        worst = int(max(rules.greatest_points, 1)) + 1
        control[at.CUT_VALUE] = -worst if target > 0 else worst
    return limits.run(prover, words, most)


def _line(prover: Prover, limits: Allowance, proof: Proof, plies: int | None = None) -> Proof:
    """The proof with a line of best play, replayed; as it was, if the limits are reached before one is found.

    With the exact distance, whoever has the better of it takes no more plies and the other sees to it that they are
    needed.
    """
    position, value = proof.position, proof.lower_x
    line: list[Move] = []
    while position.outcome is None:
        target, horizon, ahead = value if position.turn == "X" else value + 1, 0, (position.turn == "X") == (value > 0)
        if plies is not None:
            target = value if value > 0 else value + 1
            horizon = plies - len(line) - (0 if ahead else 1)
        if plies is not None and horizon == 0:  # it is all over with the next move, whichever
            move = position.legal_moves[0]
        elif limits.over or _ask(prover, limits, words_of(position), target, horizon) != at.SOLVED:
            return proof
        else:
            move = move_of(position.rules, int(prover.control[at.BEST]))
        line.append(move)
        position = position.play(move)
    found = position.outcome
    if position.rules.utility_of(found.winner, found.points) != value or plies not in (None, len(line)):
        raise RuntimeError(
            f"the proof is wrong: {value} in {plies or 'any number of'} plies was proved, but the line "
            f"{' '.join(map(str, line))} ends in {found} (position: {proof.position.text})"
        )
    return replace(proof, line=tuple(line), winner=found.winner)


def _distance(prover: Prover, limits: Allowance, proof: Proof, shortest: bool) -> Proof:
    """The proof with the plies in which the value is reached, verified as the fewest if that can be done."""
    value, words = proof.lower_x, words_of(proof.position)
    low, high, plies = prover.limits(words)
    if value == 0 or value != (high if value > 0 else low):  # else the other could give more to hold out longer
        return proof
    target = value if value > 0 else value + 1
    if limits.over or _ask(prover, limits, words, target) != at.SOLVED:
        return proof
    at_most = int(prover.control[at.HEIGHT])
    if at_most >= LONGEST or high - low >= TARGETS:  # the table cannot tell then
        at_most = plies
    distance = None
    left = max(SHORTEST_NODES, limits.spent) if shortest else 0
    while left > 0 and not limits.over and distance is None:
        if at_most == 1:
            distance = 1
            break
        before = limits.spent
        if _ask(prover, limits, words, target, at_most - 1, left) != at.SOLVED:
            break
        left -= limits.spent - before
        control = prover.control
        reached = control[at.LOW] >= target if value > 0 else control[at.HIGH] < target
        if reached:
            at_most = min(at_most - 1, int(control[at.HEIGHT]))
        else:
            distance = at_most
    proof = replace(proof, distance=distance, at_most=at_most)
    return proof if distance is None else _line(prover, limits, proof, distance)
