"""Start the service: check what can be checked first, so that what is wrong is said in one line."""

import contextlib
import errno
import os
import socket
import sys
import webbrowser
from collections.abc import Callable

import uvicorn
from uvicorn.supervisors import Multiprocess

from metatac.errors import ServiceError, StoreError
from metatac.paths import data_dir
from metatac.server.app import SETTINGS, create_app
from metatac.server.door import Corridor, Door
from metatac.server.identity import secret_key
from metatac.server.settings import MAX_MESSAGE, Settings
from metatac.store import Database, existing_database, open_database
from metatac.store.locks import file_lock

STOP_SECONDS, HEALTH_SECONDS = 10, 60
"""How long a stop may take, and a worker may be silent (it may be starting on a busy machine) before it is replaced."""
KEPT_SECONDS = 75
"""How long a connection is kept for another request: longer than a proxy does (nginx: 60), or it would use one that we
are closing."""
FILES = 65_536
"""Files and sockets that a worker wants to be allowed."""


def serve(settings: Settings, *, tell: Callable[[str], object], browse: bool = False) -> None:
    """Serve until interrupted."""
    for arena in settings.arenas:
        existing_database(arena).close()
    database = open_database(settings.database)
    database.close()
    if database.is_sqlite and settings.workers > 1:
        raise ServiceError(
            f"{settings.workers} workers cannot share SQLite, which has no way to tell one what another has done: "
            "use one, or PostgreSQL (--db postgresql://user@host/name)"
        )
    secret_key(data_dir())
    with _alone_at(database), _listening(settings.host, settings.port) as listener:
        host, port = listener.getsockname()[:2]
        shown = "127.0.0.1" if host in ("0.0.0.0", "::") else f"[{host}]" if ":" in host else host
        url = settings.url or f"http://{shown}:{port}"
        tell(f"metatac is at {url}")
        if browse:
            webbrowser.open(url)
        _run(settings, listener)


def _alone_at(database: Database) -> contextlib.AbstractContextManager[None]:
    """Two services on one file of SQLite would hear nothing of each other, and each take the other for dead."""
    if database.path is None:
        return contextlib.nullcontext()
    file = os.path.realpath(database.path)
    refusal = StoreError(f"{file}: another metatac serves this database; end it, or give this one its own with --db")
    return file_lock(f"{file}.serve.lock", refusal)


def _allow_many_sockets() -> None:
    """Most systems allow a process 1,024 files until it asks for more, and five hundred games need more."""
    if sys.platform != "win32":
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = FILES if most == resource.RLIM_INFINITY else min(FILES, most)
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def _run(settings: Settings, listener: socket.socket) -> None:
    _allow_many_sockets()
    one = settings.workers == 1
    if not one:
        os.environ[SETTINGS] = settings.to_json()
    config = uvicorn.Config(
        create_app(settings) if one else "metatac.server.app:create_app",
        factory=not one,
        workers=settings.workers,
        log_config=None,
        access_log=False,
        server_header=False,
        lifespan="on",
        ws_max_size=MAX_MESSAGE,
        ws_per_message_deflate=False,
        http=Door,
        ws=Corridor,
        timeout_keep_alive=KEPT_SECONDS,
        timeout_graceful_shutdown=STOP_SECONDS,
        timeout_worker_healthcheck=HEALTH_SECONDS,
    )
    with contextlib.suppress(KeyboardInterrupt):
        if one:
            uvicorn.Server(config).run(sockets=[listener])
        else:
            Multiprocess(config, sockets=[listener]).run()


def _listening(host: str, port: int) -> socket.socket:
    """A socket that listens; a port in use is said in one line."""
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind)
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
            listener.listen(2048)
        except OSError:
            listener.close()
            raise
        listener.set_inheritable(True)
        return listener
    except (OSError, OverflowError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
            reason = "something else is using this port; choose another with --port"
        raise ServiceError(f"{host}:{port}: {reason}") from error
