"""The service itself: is it well, what has it counted, and the client's files."""

import time
from importlib import resources

from fastapi import APIRouter, Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response

from metatac import __version__
from metatac.server import models
from metatac.server.house import House
from metatac.store.games import count_games

routes = APIRouter()

PAGES = (
    "/",
    "/new",
    "/game/{id}",
    "/join/{id}/{token}",
    "/lobby",
    "/analysis",
    "/analysis/{id}",
    "/rules",
    "/rules/{game}",
    "/learn/{game}",
    "/archive",
    "/tournaments",
    "/tournaments/{id}",
    "/about",
)
STATIC = resources.files("metatac.server") / "static"


@routes.get("/healthz", response_model=models.Health, responses={503: {"model": models.Health}})
async def health(request: Request) -> JSONResponse:
    """Whether everything works; otherwise 503, with the reasons."""
    house: House = request.app.state.house
    problems = []
    try:
        await house.desk.read(count_games)
        house.desk.database.check_file()
    except Exception as error:  # whatever it is, it is what we are asked about
        problems.append(f"the database does not answer: {type(error).__name__}")
    if not house.bus.ready:
        problems.append("the database's notifications are not heard")
    if time.monotonic() - request.app.state.upkeep.beaten > house.settings.lease:
        problems.append("the upkeep is late")
    return JSONResponse({"ok": not problems, "problems": problems, "version": __version__}, 503 if problems else 200)


@routes.get("/metrics", response_class=PlainTextResponse)
async def metrics(request: Request) -> PlainTextResponse:
    """Counters of this worker, for Prometheus."""
    house: House = request.app.state.house
    games = await house.desk.read(count_games)
    gauges = {f"metatac_games_{phase}": float(count) for phase, count in sorted(games.items())}
    gauges |= {f"metatac_engine_waiting_{kind}": float(count) for kind, count in house.pool.waiting.items()}
    gauges |= {f"metatac_engine_{kind}_jobs_total": float(count) for kind, count in house.pool.done.items()}
    gauges |= {
        "metatac_engine_failed_total": float(house.pool.failed),
        "metatac_moves_total": float(house.moves),
        "metatac_rooms": float(len(house.rooms)),
        "metatac_sockets": float(request.app.state.gate.sockets.open),
    }
    return PlainTextResponse(request.app.state.metrics.text(gauges), media_type="text/plain; version=0.0.4")


def document(status: int) -> Response:
    """The client: one document, which finds out by itself what to show, also where there is nothing."""
    return FileResponse(str(STATIC / "index.html"), status, headers={"cache-control": "no-cache"})


async def page() -> Response:
    """A page of the client."""
    return document(200)


def wants_page(request: Request) -> bool:
    """Whether it is a person that asks for what is not there."""
    ours = request.url.path.startswith(("/api/", "/static/"))
    return request.method == "GET" and not ours and "text/html" in request.headers.get("accept", "")


for path in PAGES:
    routes.add_api_route(path, page, methods=["GET"], include_in_schema=False)
