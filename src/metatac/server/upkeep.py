"""What has to be done from time to time: say that we live, judge clocks that nobody watches, delete what is old."""

import asyncio
import gc
import logging
import math
import time
from zlib import crc32

from sqlalchemy.orm import Session

from metatac.server import decisions
from metatac.server.engine_seats import EngineSeats
from metatac.server.house import House
from metatac.server.rooms import MOST_LAG
from metatac.server.studies import Studies
from metatac.store.games import (
    Roll,
    absent,
    beat,
    forget_absent,
    forgive_absence,
    load_game,
    overdue_games,
    prune_games,
    retire,
    timed_games,
)
from metatac.store.studies import prune_studies

SWEEP = 1.0
ROUNDS = 15
HOUSEKEEPING = 3600.0
FORGET = 86_400.0
"""Seconds between sweeps; sweeps in which everybody is pinged once; seconds between housekeepings, and after which
who left, and what was analysed, is forgotten."""

_log = logging.getLogger(__name__)


class Upkeep:
    """The clockwork of a worker."""

    def __init__(self, house: House, engines: EngineSeats, studies: Studies) -> None:
        self._house, self._engines, self._studies = house, engines, studies
        self._round = 0
        self.beaten = 0.0
        """When the database last heard of us."""

    async def start(self) -> None:
        await self._beat(first=True)
        for work, seconds in (
            (self._beat, self._house.settings.lease / 3),
            (self._sweep, SWEEP),
            (self._ping, SWEEP),
            (self._housekeep, HOUSEKEEPING),
        ):
            self._house.spawn(self._every(work, seconds))

    async def stop(self) -> None:
        worker = self._house.worker
        await self._house.desk.write(lambda session: retire(session, worker, time.time()))

    async def _every(self, work: object, seconds: float) -> None:
        assert callable(work)
        while True:
            await asyncio.sleep(seconds)
            try:
                await work()
            except Exception:  # whatever it is: a worker that does not say that it lives is taken for dead
                _log.exception("upkeep failed, and is tried again")

    async def _beat(self, first: bool = False) -> None:
        house, now = self._house, time.time()
        # SQLite has one worker: whatever else is in the table is dead, even if its clock was ahead of ours.
        alone = house.desk.database.is_sqlite
        stale = math.inf if alone and first else now - house.settings.lease

        def work(session: Session) -> tuple[Roll, list[str]]:
            roll = beat(session, house.worker, now, stale)
            since = roll.silent_since if first else None
            silence = 0.0 if since is None else now - since
            # While the house is closed nobody can be in it.
            forgive_absence(session, silence)
            for worker, last in roll.dead.items():
                absent(session, worker, last + silence)
            # Who hears of us may judge the clocks: so they are set before anybody can.
            return roll, [] if since is None else self._give_back(session, since, now)

        roll, rested = await house.desk.write(work)
        self.beaten = time.monotonic()
        if rested:
            _log.info("nobody served; the clocks of %d games stood still meanwhile", len(rested))
        await self._engines.take_over(roll.living)
        await self._studies.take_over(roll.living)
        if roll.dead and not first:
            for id in list(house.rooms):
                await house.refresh_presence(id)

    def _give_back(self, session: Session, since: float, now: float) -> list[str]:
        """Nobody served since then, and nobody is charged for it; which games that concerned."""
        return [id for id in timed_games(session) if self._rest(session, id, since, now)]

    def _rest(self, session: Session, id: str, since: float, now: float) -> bool:
        stored = load_game(session, id)
        if stored is None:
            return False
        try:
            before = decisions.live(stored)
            after = decisions.rested(before, since, now)
        except Exception:  # whatever it is: one game must not keep the house closed
            _log.exception("the clock of game %s could not be set", id)
            return False
        return after is not before and self._house.save(session, after, before)

    async def _sweep(self) -> None:
        due = time.time() - MOST_LAG
        for id in await self._house.desk.read(lambda session: overdue_games(session, due)):
            await self._house.judge_time(id)

    async def _ping(self) -> None:
        """Ping some of the games in each round: all at once would keep moves waiting."""
        self._round = (self._round + 1) % ROUNDS
        for id, room in list(self._house.rooms.items()):
            if crc32(id.encode()) % ROUNDS == self._round:
                for socket in list(room.sockets):
                    socket.ping()

    async def _housekeep(self) -> None:
        gc.collect()
        days, now = self._house.settings.keep_days, time.time()

        def work(session: Session) -> int:
            forget_absent(session, now - FORGET)
            prune_studies(session, now - FORGET)
            return 0 if days is None else prune_games(session, now - days * 86_400)

        if deleted := await self._house.desk.write(work):
            _log.info("%d games of more than %g days ago were deleted", deleted, days)
