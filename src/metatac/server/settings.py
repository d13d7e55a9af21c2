"""How a service is run, as one value that travels to every worker process."""

import json
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Settings:
    """What ``metatac serve`` was asked for; the limits are those of one visitor or address at one worker."""

    database: str
    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = 1
    url: str | None = None
    """What people call the service, where that is not http://host:port: behind a proxy, say."""
    arenas: tuple[str, ...] = ()
    """Databases of tournaments to show beside our own."""
    engines: int = 2
    """Engine processes of each worker; one of them never analyses."""
    keep_days: float | None = None
    log_json: bool = False
    sockets_per_visitor: int = 50
    sockets_per_address: int = 200
    requests_per_second: float = 20.0
    """Of one visitor; an address may have five times as many."""
    messages_per_second: float = 20.0
    """On one socket."""
    games_per_visitor: int = 100
    """Unfinished ones."""
    lease: float = 15.0
    """Seconds after which a worker that is not heard of counts as dead."""

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> "Settings":
        data: dict[str, Any] = json.loads(text)
        return cls(**data | {"arenas": tuple(data["arenas"])})


MAX_BODY = 64 * 1024
MAX_IMPORT = 1024 * 1024
MAX_MESSAGE = 16 * 1024
MAX_TOML = 4 * 1024
MAX_CELLS = 729
"""Bytes of a request, of one that imports games, of a websocket's message and of a rule set; cells of a board."""
