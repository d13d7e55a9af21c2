"""Running a tournament: every game goes to the database as it ends, so that it can go on after anything.

Which games are left follows from the schedule and the games that are kept. Nothing else is remembered between two runs:
a process that is killed loses the games that it was playing, and these are played again.
"""

import contextlib
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import count, islice
from pathlib import Path

from metatac.arena.contestants import Contestant, bot_options, entrant, threads_of
from metatac.arena.executors import RETRIES, Executor, Jobs, spread
from metatac.arena.games import Job, Played, Setup
from metatac.arena.openings import openings
from metatac.arena.schedule import Meeting, Schedule, expected_games, schedule
from metatac.arena.tally import score
from metatac.arena.tournament import Tournament, differences
from metatac.errors import ArenaError, MetatacError
from metatac.game import Move, start
from metatac.match import TimeControl
from metatac.notation.text import format_record
from metatac.store import Database
from metatac.store.tournaments import StoredGame, add_game, add_tournament, load_games, running


@dataclass(slots=True)
class Progress:
    """How a run stands."""

    plan: Tournament
    results: dict[int, StoredGame]
    expected: int
    """Games of the whole tournament, as far as one can know."""
    before: int
    """Games that earlier runs had played."""
    began: float = field(default_factory=time.monotonic)

    @property
    def played(self) -> int:
        """In this run."""
        return len(self.results) - self.before

    @property
    def rate(self) -> float:
        """Games a second, in this run."""
        return self.played / max(1e-9, time.monotonic() - self.began)

    @property
    def seconds_left(self) -> float | None:
        return (self.expected - len(self.results)) / self.rate if self.played else None


def run_tournament(
    plan: Tournament,
    database: Database,
    *,
    cores: int = 1,
    folder: Path | None = None,
    retries: int = RETRIES,
    executor: Executor | None = None,
    show: Callable[[Progress], None] = lambda progress: None,
) -> Progress:
    """Play what is left of the tournament. ``show`` is told of every game that is kept.

    ``folder`` is where programs' relative paths are looked up. Ctrl-C passes when all processes have ended; what was
    kept stays. ArenaError where the database has another tournament of that name, with what differs.
    """
    kept = add_tournament(database, plan.name, plan.to_dict())
    if changed := differences(Tournament.from_dict(kept.plan), plan):
        raise ArenaError(
            f"{database.path or database.url.render_as_string()} has another tournament of the name {plan.name!r}: "
            f"{'; '.join(changed)}. Give it another name, or another database"
        )
    setup = setup_of(plan, folder)
    processes = max(1, cores // max(map(threads_of, setup.contestants)))
    with running(database, kept.id):
        results = {game.number: game for game in load_games(database, kept.id)}
        progress = Progress(plan, results, expected_games(plan), len(results))
        queue = _Queue(plan, setup, results)
        play = executor or partial(spread, processes=processes, cores=cores, retries=retries)
        show(progress)
        with contextlib.closing(play(setup, queue.take)) as games:
            for played in games:
                game = stored(plan, setup, played)
                add_game(database, kept.id, game)
                results[game.number] = game
                progress.expected = max(progress.expected, queue.known)
                show(progress)
    return progress


def setup_of(plan: Tournament, folder: Path | None = None) -> Setup:
    """What all games have in common; every player is looked at, and one that cannot be is named."""
    rules = plan.rule_set
    given = bot_options(plan.startup, plan.keep, dict(plan.bot))
    limits = TimeControl.parse(plan.time)
    players: list[Contestant] = []
    for who in plan.players:
        try:
            players.append(entrant(who.name, who.player, given, folder)[0])
        except MetatacError as error:
            raise ArenaError(f"player {who.name!r}: {error}") from error
    return Setup(
        rules,
        tuple(players),
        limits,
        plan.margin,
        (("Event", plan.name),),
        plan.adjudicate,
        plan.startup,
        plan.keep,
    )


def stored(plan: Tournament, setup: Setup, played: Played) -> StoredGame:
    """A game as it is kept."""
    result, job = played.result, played.job
    x, o = played.used if job.first_seat == "X" else played.used[::-1]
    return StoredGame(
        number=2 * job.pair + job.game,
        x=job.seats[0],
        o=job.seats[1],
        result=result.text,
        points_x=result.points[0],
        points_o=result.points[1],
        score=score(setup.rules, result, plan.count),
        reason=result.reason,
        detail=_storable(result.detail),
        record=format_record(played.record),
        moves_x=x.moves,
        moves_o=o.moves,
        seconds_x=round(x.total, 6),
        seconds_o=round(o.total, 6),
        longest_x=round(x.longest, 6),
        longest_o=round(o.longest, 6),
        stderr_x=_storable(played.stderr[0]),
        stderr_o=_storable(played.stderr[1]),
        tries=played.tries,
        ended=time.time(),
    )


def _storable(text: str) -> str:
    """PostgreSQL holds no NUL, and no file half a character."""
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode()


class _Queue:
    """The games that are left, in the order of their numbers, as far as they are known."""

    def __init__(self, plan: Tournament, setup: Setup, results: dict[int, StoredGame]) -> None:
        self.plan, self.results, self.setup = plan, results, setup
        self.openings = _Openings(plan, setup)
        self.waiting: deque[Jobs] = deque()
        self.known = 0
        """Games that were given out or wait, or had been played before."""

    def take(self) -> Jobs | None:
        """The next match; None where there is none before others have ended."""
        if not self.waiting and len(self.results) >= self.known:
            self._look_ahead()
        return self.waiting.popleft() if self.waiting else None

    def _look_ahead(self) -> None:
        found: Schedule = schedule(self.plan, self.results)
        for meeting in found.meetings:
            left = tuple(self._job(meeting, number) for number in meeting.numbers if number not in self.results)
            if self.plan.keep == "match" and left:
                self.waiting.append(left)
            else:
                self.waiting.extend((job,) for job in left)
        self.known = 2 * found.pairs

    def _job(self, meeting: Meeting, number: int) -> Job:
        pair, game = divmod(number, 2)
        opening = self.openings[meeting.opening + pair - meeting.first_pair]
        return Job(pair, game, opening, self.plan.seed, (meeting.a, meeting.b))


class _Openings:
    """The openings by their numbers: the book's over and over, or random ones."""

    def __init__(self, plan: Tournament, setup: Setup) -> None:
        self._known: list[tuple[Move, ...]] = []
        self._source = self._book(plan, setup) if plan.book else self._random(plan, setup)

    def __getitem__(self, number: int) -> tuple[Move, ...]:
        self._known += islice(self._source, max(0, number + 1 - len(self._known)))
        return self._known[number]

    @staticmethod
    def _random(plan: Tournament, setup: Setup) -> Generator[tuple[Move, ...], None, None]:
        for opening in openings(setup.rules, plan.plies, plan.seed):
            yield opening.moves

    @staticmethod
    def _book(plan: Tournament, setup: Setup) -> Iterator[tuple[Move, ...]]:
        lines: list[tuple[Move, ...]] = []
        for text in plan.book:
            position, moves = start(setup.rules), []
            for word in text.split():
                moves.append(position.parse(word))
                position = position.play(moves[-1])
            lines.append(tuple(moves))
        for number in count():
            yield lines[number % len(lines)]
