"""What the routes share: how errors are told, and the way from a request to the house."""

import logging
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.responses import Response

from metatac.errors import MetatacError, StoreError
from metatac.match.result import clean
from metatac.server import models, service_api
from metatac.server.house import House
from metatac.server.refusals import Refusal, out_of_order

_log = logging.getLogger(__name__)

ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": models.Error} for status in (400, 403, 404, 409, 413, 422, 429, 503)
}


def router() -> APIRouter:
    return APIRouter(prefix="/api", responses=ERRORS)


def _visitor(connection: HTTPConnection) -> str:
    visitor: str = connection.state.visitor
    return visitor


def _house(connection: HTTPConnection) -> House:
    house: House = connection.app.state.house
    return house


Visitor = Annotated[str, Depends(_visitor)]
TheHouse = Annotated[House, Depends(_house)]


def reply(data: Any, status: int = 200) -> JSONResponse:
    """A reply that is not checked against its model again: tests do that."""
    return JSONResponse(data, status)


def base_url(connection: HTTPConnection) -> str:
    """What this service is called by who asks."""
    given = connection.app.state.house.settings.url
    return (given or str(connection.base_url)).rstrip("/")


def _told(status: int, error: str, code: str) -> JSONResponse:
    return JSONResponse({"error": clean(error)[:2000], "code": code}, status)


def handle_errors(app: FastAPI) -> None:
    """Everything that goes wrong is told in one form."""

    def refused(_: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, Refusal)
        return _told(error.status, error.message, error.code)

    def broken(_: Request, error: Exception) -> JSONResponse:
        _log.error("%s", error)
        return refused(_, out_of_order())

    def wrong(_: Request, error: Exception) -> JSONResponse:
        return _told(422, str(error), type(error).__name__)

    def invalid(_: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, RequestValidationError)
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"][1:])[:100]
        return _told(422, f"{where}: {first['msg']}" if where else str(first["msg"]), "invalid")

    def http(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        if error.status_code == 404 and service_api.wants_page(request):
            return service_api.document(404)
        code = {404: "not_found", 405: "not_allowed"}.get(error.status_code, "invalid")
        told = _told(error.status_code, str(error.detail), code)
        told.headers.update(error.headers or {})
        return told

    handlers: dict[Any, Callable[[Request, Exception], Response]] = {
        Refusal: refused,
        StoreError: broken,
        MetatacError: wrong,
        RequestValidationError: invalid,
        HTTPException: http,
    }
    for kind, handler in handlers.items():
        app.add_exception_handler(kind, handler)
