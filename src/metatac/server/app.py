"""The application: every route, behind the gate."""

import asyncio
import gc
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from metatac import __version__
from metatac.paths import data_dir
from metatac.server import analysis_api, games_api, rules_api, service_api, sockets, study_api, tournaments_api
from metatac.server.engine_seats import EngineSeats
from metatac.server.gate import Gate
from metatac.server.house import House
from metatac.server.identity import Signer, secret_key
from metatac.server.logs import set_up_logs
from metatac.server.metrics import Metrics
from metatac.server.settings import Settings
from metatac.server.studies import Studies
from metatac.server.upkeep import Upkeep
from metatac.server.web import handle_errors
from metatac.store import open_database

SETTINGS = "METATAC_SERVE"
"""The environment variable by which worker processes hear of the settings."""
SOON = 5.0
GARBAGE = (5000, 20, 1000)
"""A look at every object stops all games for a third of a second: that is left to the upkeep."""
SWITCH = 0.001
"""Seconds after which a thread that works something out lets the loop go on."""


def create_app(settings: Settings | None = None) -> ASGIApp:
    """The application of one worker."""
    if settings is None:
        settings = Settings.from_json(os.environ[SETTINGS])
    sys.setswitchinterval(SWITCH)
    set_up_logs(settings.log_json, requests=settings.log_json)
    metrics, signer = Metrics(), Signer(secret_key(data_dir()))
    app = FastAPI(
        title="metatac",
        version=__version__,
        description="Play and analyse nested tic-tac-toe games. Websockets are described in docs/serve.md.",
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=_lifespan,
    )
    app.state.settings, app.state.metrics = settings, metrics
    for routes in _routes():
        app.include_router(routes)
    app.mount("/static", _Static(directory=str(service_api.STATIC), check_dir=False))
    handle_errors(app)
    app.state.gate = gate = Gate(app, settings, signer, metrics)
    return gate


def _routes() -> tuple[Any, ...]:
    return (
        games_api.routes,
        rules_api.routes,
        study_api.routes,
        analysis_api.routes,
        tournaments_api.routes,
        sockets.routes,
        analysis_api.socket_routes,
        service_api.routes,
    )


class _Static(StaticFiles):
    """Files that are asked for again are only compared: a new version is seen at once."""

    def file_response(self, *args: Any, **settings: Any) -> Any:
        response = super().file_response(*args, **settings)
        response.headers["cache-control"] = "no-cache"
        return response


async def _describe_soon(app: FastAPI) -> None:
    """Have the OpenAPI document made when the first page is out, and in a thread: it takes a while."""
    await asyncio.sleep(SOON)
    await asyncio.to_thread(app.openapi)


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[dict[str, Any]]:
    settings: Settings = app.state.settings
    house = app.state.house = House(settings, open_database(settings.database))
    studies = app.state.studies = Studies(house)
    upkeep = app.state.upkeep = Upkeep(house, EngineSeats(house), studies)
    await house.bus.start(house.hear)
    await upkeep.start()
    house.pool.start()
    house.spawn(_describe_soon(app))
    gc.freeze()
    gc.set_threshold(*GARBAGE)
    try:
        yield {"house": house}
    finally:
        await house.stop_tasks()
        await house.lobby.stop()
        await house.pool.close()
        await house.bus.stop()
        await upkeep.stop()
        house.close()
