"""How a service is run, as one value that travels to every worker process."""

import contextlib
import json
import re
from dataclasses import asdict, dataclass
from ipaddress import ip_address
from typing import Any

from metatac.errors import ServiceError

_NAME = re.compile(r"[a-z0-9_.-]+")


@dataclass(frozen=True, slots=True)
class Settings:
    """What ``metatac serve`` was asked for."""

    database: str
    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = 1
    url: str | None = None
    """What people call the service, where that is not http://host:port: behind a proxy, say."""
    names: tuple[str, ...] = ()
    """The only hosts' names that are answered to, beside this machine's own and the url's; none given: to any."""
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

    def share(self, allowance: float) -> float:
        """One worker's part of what a visitor or an address may have of all: the workers do not count together."""
        return allowance / self.workers

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> "Settings":
        data: dict[str, Any] = json.loads(text)
        return cls(**data | {name: tuple(data[name]) for name in ("arenas", "names")})


def host_name(text: str) -> str:
    """A host's name or address as it is compared; a ServiceError where it is more or less than that."""
    name = text.strip().removesuffix(".").lower().removeprefix("[").removesuffix("]")
    with contextlib.suppress(ValueError):
        return str(ip_address(name))
    if not _NAME.fullmatch(name):
        raise ServiceError(f"{text!r} is no host's name: that alone is wanted, without port and path")
    return name


MAX_BODY = 64 * 1024
MAX_IMPORT = 1024 * 1024
MAX_MESSAGE = 16 * 1024
MAX_TOML = 4 * 1024
MAX_CELLS = 729
"""Bytes of a request, of one that imports games, of a websocket's message and of a rule set; cells of a board."""
