"""Engines that sit at games. The game's row is the job: whoever holds it plays, and the others take over if it dies."""

import asyncio
import logging
import time
from contextlib import suppress
from dataclasses import asdict, replace
from typing import Any

from sqlalchemy.orm import Session

from metatac.match import Abort, MoveMade
from metatac.server import decisions
from metatac.server.decisions import Live
from metatac.server.engines import MOVE_SECONDS, QUEUE_SECONDS, EngineFailed, Job
from metatac.server.house import House
from metatac.server.refusals import Refusal
from metatac.store.games import orphaned_games

PACE = 0.6
"""Seconds that a move takes at least where engines play each other, for those who watch."""
TAKEN = 100
"""Games that are taken over in one go."""

_log = logging.getLogger(__name__)


class EngineSeats:
    """Lets engines move in the games that this worker holds."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._playing: dict[str, tuple[int, asyncio.Task[Any]]] = {}
        self._seen = ""
        """How far we have come with the games of the dead: what cannot be read hides no other."""
        house.on_change = self.changed

    def changed(self, game: Live) -> None:
        """A game has changed here: what an engine was thinking about it is of no use; perhaps it is to move now."""
        id = game.stored.id
        known = self._playing.get(id)
        if known is not None and known[0] < game.stored.moved:
            if known[1] is not asyncio.current_task():  # which has just made its move
                known[1].cancel()
            del self._playing[id]
            known = None
        if known is not None and game.stored.phase != "running":
            known[1].cancel()
        if game.engine_to_move and game.stored.engine_by == self._house.worker and known is None:
            task = self._house.spawn(self._play(game))
            self._playing[id] = (game.stored.moved, task)
            task.add_done_callback(lambda done: self._forget(id, done))

    def _forget(self, id: str, task: "asyncio.Task[Any]") -> None:
        known = self._playing.get(id)
        if known is not None and known[1] is task:
            del self._playing[id]

    async def _play(self, game: Live) -> None:
        began, stored = time.monotonic(), game.stored
        seat = game.match.turn
        level = stored.x_level if seat == "X" else stored.o_level
        clock = game.match.clock(time.time())
        request = {"do": "move", "position": game.match.position.text, "level": level, "clock": asdict(clock)}
        job = Job(stored.owner, request, MOVE_SECONDS, moves=True)
        try:
            move = await self._house.pool.submit(job).answer
        except EngineFailed as error:
            _log.error("an engine could not move in game %s: %s", stored.id, error)
            await self._settle(game, Abort(f"the engine could not move: {error}"))
            return
        except asyncio.CancelledError:
            job.answer.cancel()
            raise
        if stored.opponent == "engines":
            await asyncio.sleep(max(0.0, PACE - (time.monotonic() - began)))
        await self._settle(game, MoveMade(seat, move, min(QUEUE_SECONDS, job.waited)))

    async def _settle(self, game: Live, event: Abort | MoveMade) -> None:
        def decide(now_known: Live, now: float) -> Live:
            if now_known.stored.moved != game.stored.moved or not now_known.engine_to_move:
                return now_known
            return decisions.tick(now_known, event, now)

        try:
            await self._house.surely(lambda: self._house.change(game.stored.id, decide))
        except Refusal as refusal:
            _log.warning("an engine's move was refused in game %s: %s", game.stored.id, refusal.message)

    async def take_over(self, living: list[str]) -> None:
        """Go on with what dead workers had in hand."""
        house = self._house

        def find(session: Session) -> list[str]:
            return orphaned_games(session, living, TAKEN, self._seen)

        orphans = await house.desk.read(find)
        self._seen = orphans[-1] if len(orphans) == TAKEN else ""
        for id in orphans:

            def decide(game: Live, now: float) -> Live:
                if not game.engine_to_move or game.stored.engine_by in living:
                    return game
                stored = replace(game.stored, version=game.stored.version + 1, engine_by=house.worker)
                return Live(stored, game.match)

            with suppress(Refusal):  # it is gone, or cannot be read, which was said
                await house.change(id, decide)
