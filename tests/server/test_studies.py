"""Analyses of whole games, before any engine has to do with them."""

import asyncio
import threading
from typing import Any

import pytest
from serving import PATIENCE

from metatac.game import start
from metatac.notation import Ply, Record
from metatac.server.house import House
from metatac.server.settings import Settings
from metatac.server.studies import TOGETHER, Studies
from metatac.store import open_database
from metatac.store.studies import StoredStudy, add_study


def test_no_game_is_replayed_where_moves_would_wait_for_it(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    position, plies = start("ultimate"), []
    for _ in range(3 * TOGETHER):
        plies.append(Ply(position.legal_moves[0]))
        position = position.play(plies[-1].move)
    record = Record(start("ultimate"), tuple(plies))
    replayed: list[tuple[bool, str]] = []
    here = threading.current_thread()

    def watch(name: str) -> None:
        method: Any = getattr(Record, name)

        def watched(self: Record) -> Any:
            if len(self.plies) > TOGETHER:
                replayed.append((threading.current_thread() is here, name))
            return method(self)

        monkeypatch.setattr(Record, name, watched)

    async def scene(house: House) -> None:
        studies, asked = Studies(house), []
        house.pool.submit = lambda job, **_: asked.append(job) or job  # type: ignore[method-assign, func-returns-value]
        lost = StoredStudy("lost", "bob", record.to_json(), len(plies), "dead", 0.0)
        await house.desk.write(lambda session: add_study(session, lost))
        watch("walk")
        watch("positions")
        await studies.begin("ada", record)
        await studies.take_over([house.worker])
        async with asyncio.timeout(PATIENCE):
            while len(asked) < 2:
                await asyncio.sleep(0.01)
        assert {name for _, name in replayed} == {"walk", "positions"}
        assert [name for on_the_loop, name in replayed if on_the_loop] == []
        await house.stop_tasks()

    house = House(Settings(database_url), open_database(database_url))
    try:
        asyncio.run(scene(house))
    finally:
        house.close()
