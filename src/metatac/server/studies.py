"""Whole games that are analysed. The row is the job: any worker tells about it, and if its own dies another goes on.

A game goes to the engine a few moves at a time, so that a long one keeps nobody's position waiting, and what is found
is kept as it comes.
"""

import asyncio
import json
import logging
import secrets
import time
from dataclasses import replace
from typing import Any

from metatac.errors import InvalidRecord
from metatac.game import Position
from metatac.notation import Ply, Record
from metatac.server.engines import EngineFailed, Job
from metatac.server.house import House
from metatac.server.refusals import Refusal, not_found, too_many
from metatac.store.studies import StoredStudy, add_study, load_study, orphaned_studies, save_study

TOGETHER = 4
"""Moves that go to the engine at once."""
SECONDS = 60.0
"""For those, before the process counts as stuck."""
PER_VISITOR = 2

_log = logging.getLogger(__name__)


class Studies:
    """The analyses of games that this worker has in hand."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._running: dict[str, StoredStudy] = {}

    async def begin(self, visitor: str, record: Record) -> str:
        """Have a game analysed; the name to ask for it by."""
        bare = await asyncio.to_thread(_bare, record)
        if sum(study.visitor == visitor for study in self._running.values()) >= PER_VISITOR:
            raise too_many("You have enough analyses under way; wait for one of them.")
        id, worker = secrets.token_urlsafe(12), self._house.worker
        study = StoredStudy(id, visitor, bare, len(record.moves), worker, time.time())
        self._running[id] = study
        try:
            await self._house.desk.write(lambda session: add_study(session, study))
        except BaseException:
            del self._running[id]
            raise
        self._house.spawn(self._carry_out(study))
        return id

    async def view(self, id: str) -> dict[str, Any]:
        """How far an analysis has come, whoever does it."""
        study = await self._house.desk.read(lambda session: load_study(session, id))
        if study is None:
            raise not_found("analysis")
        plies, accuracy = json.loads(study.plies), study.accuracy and json.loads(study.accuracy)
        progress = {"state": study.state, "done": len(plies), "of": study.length}
        return progress | {"plies": plies, "accuracy": accuracy, "error": study.error}

    async def take_over(self, living: list[str]) -> None:
        """Go on with what dead workers had in hand."""
        for lost in await self._house.desk.read(lambda session: orphaned_studies(session, living)):
            mine = replace(lost, worker=self._house.worker, changed=time.time())
            if await self._saved(mine, lost.worker):
                self._running[mine.id] = mine
                self._house.spawn(self._carry_out(mine))

    async def _carry_out(self, study: StoredStudy) -> None:
        try:
            record, positions = await asyncio.to_thread(_replayed, study.record)
            plies = json.loads(study.plies)
            while len(plies) < study.length:
                done = len(plies)
                part = Record(positions[done], record.plies[done : done + TOGETHER])
                found = await self._asked(study.visitor, part, plies)
                plies += found["plies"]
                study = replace(
                    study, state="running", plies=json.dumps(plies), accuracy=json.dumps(found["accuracy"])
                )
                if not await self._saved(study):
                    return  # it was taken for dead, and another has gone on
            await self._saved(replace(study, state="done"))
        except (EngineFailed, InvalidRecord, Refusal) as error:
            _log.warning("the analysis of a game failed: %s", error)
            await self._saved(replace(study, state="failed", error=str(error)))
        finally:
            self._running.pop(study.id, None)

    async def _asked(self, visitor: str, part: Record, earlier: list[dict[str, Any]]) -> dict[str, Any]:
        request = {"do": "record", "record": part.to_json(), "earlier": earlier}
        job = self._house.pool.submit(Job(visitor, request, SECONDS), limited=False)
        try:
            found: dict[str, Any] = await job.answer
        except asyncio.CancelledError:
            job.answer.cancel()
            raise
        return found

    async def _saved(self, study: StoredStudy, held_by: str | None = None) -> bool:
        now = replace(study, changed=time.time())
        held = held_by or study.worker
        return await self._house.surely(lambda: self._house.desk.write(lambda session: save_study(session, now, held)))


# A long game takes a while to be replayed, and so to be a record: that is done in threads.


def _bare(record: Record) -> str:
    """The moves of a record alone."""
    return Record(record.start, tuple(Ply(move) for move in record.moves)).to_json()


def _replayed(text: str) -> tuple[Record, tuple[Position, ...]]:
    record = Record.from_json(text)
    return record, tuple(record.positions())
