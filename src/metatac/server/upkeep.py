"""What has to be done from time to time: say that we live, judge clocks that nobody watches, delete what is old."""

import asyncio
import gc
import logging
import math
import time
from zlib import crc32

from sqlalchemy.orm import Session

from metatac.errors import StoreError
from metatac.server import decisions
from metatac.server.engine_seats import EngineSeats
from metatac.server.engines import QUEUE_SECONDS
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
    wait_for_roll,
)
from metatac.store.studies import prune_studies

SWEEP = 1.0
ROUNDS = 15
HOUSEKEEPING = 3600.0
FORGET = 86_400.0
"""Seconds between sweeps; sweeps in which everybody is pinged once; seconds between housekeepings, and after which
who left, and what was analysed, is forgotten."""
SWEPT = 100
"""Overdue games of one sweep."""

_log = logging.getLogger(__name__)


class Upkeep:
    """The clockwork of a worker."""

    def __init__(self, house: House, engines: EngineSeats, studies: Studies) -> None:
        self._house, self._engines, self._studies = house, engines, studies
        house.on_waking = self._wake
        self._round = 0
        self._last = 0.0
        self._swept: tuple[float, str] | None = None
        """How far the sweeps have come: what cannot be judged hides no other."""
        self._forgotten = False
        """Others took us for dead, and do not know yet who is here."""
        self._heard = True
        """Whether the database took what we last had to say."""
        self.beaten = 0.0
        """When it last did."""

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
        worker, now = self._house.worker, self._house.closed or time.time()
        try:
            await self._house.desk.write(lambda session: retire(session, worker, now))
        except StoreError as error:  # then we are found dead
            _log.error("%s", error)

    async def _every(self, work: object, seconds: float) -> None:
        assert callable(work)
        said = ""
        while True:
            await asyncio.sleep(seconds)
            try:
                await work()
                said = ""
            except StoreError as error:
                if str(error) != said:
                    said = str(error)
                    _log.error("%s", said)
            except Exception:  # whatever it is: a worker that does not say that it lives is taken for dead
                _log.exception("upkeep failed, and is tried again")

    async def _beat(self, first: bool = False) -> None:
        await self._follow(await self._call_roll(first), first)

    async def _wake(self) -> None:
        """Only the clocks are waited for: who waits has a game in hand that the rest may want."""
        self._house.spawn(self._follow(await self._call_roll()))

    async def _call_roll(self, first: bool = False) -> Roll:
        house, lease = self._house, self._house.settings.lease

        def work(session: Session) -> tuple[Roll, float, list[str]]:
            wait_for_roll(session)
            now = time.time()
            # Whoever could not speak himself does not know who could, and buries nobody.
            late = not first and now - self._last > lease
            roll = beat(session, house.worker, now, -math.inf if late else now - lease, first)
            since = self._silent_since(roll, now, first)
            # While the house is closed nobody can be in it.
            forgive_absence(session, now - since)
            if roll.dead:  # who saw them alive does not know yet
                house.bus.tell(session, "lost", "")
            for worker, last in roll.dead.items():
                absent(session, worker, last + now - since)
            # Who hears of us may judge the clocks: so they are set before anybody can.
            return roll, now, [] if since == now else self._give_back(session, since, now)

        self._heard = False  # until it has: a database that takes nothing may still answer
        roll, self._last, rested = await house.desk.write(work, apart=True)
        slept = house.slept
        house.served, self._heard = self._last, True
        self.beaten = time.monotonic()
        if rested:
            _log.info("nobody served; the clocks of %d games stood still meanwhile", len(rested))
        await house.hear({"game": dict.fromkeys(rested, "")})
        if slept:
            await house.refresh_presence(list(house.rooms))
        return roll

    def _silent_since(self, roll: Roll, now: float, first: bool) -> float:
        """When anybody last served, by the clock as it was then; now, where somebody does."""
        if first:
            return now if roll.silent_since is None else roll.silent_since
        # What we did before the clock went back says nothing about what others have done since.
        since = max(roll.heard, self._house.served if self._house.served <= now else 0.0)
        return since if abs(now - since) > self._house.settings.lease else now

    async def _follow(self, roll: Roll, first: bool = False) -> None:
        """Do what the dead have left undone, and undo what was done when we were taken for dead."""
        house = self._house
        self._forgotten |= roll.new and not first
        await self._engines.take_over(roll.living)
        await self._studies.take_over(roll.living)
        if self._forgotten:
            await house.note_again()
            self._forgotten = False
        if roll.dead and not first:
            await house.refresh_presence(list(house.rooms))

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
        house = self._house
        await house.awake()
        now = time.time()
        overdue = await house.desk.read(
            lambda session: overdue_games(session, now - MOST_LAG, QUEUE_SECONDS, SWEPT, self._swept)
        )
        self._swept = overdue[-1] if len(overdue) == SWEPT else None
        if self._heard:  # as long as nothing can be saved, nobody is served
            house.served = now
        for _, id in overdue:
            await house.judge_time(id)

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

        if deleted := await self._house.desk.write(work, apart=True):
            _log.info("%d games of more than %g days ago were deleted", deleted, days)
