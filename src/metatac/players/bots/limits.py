"""What a bot may use. Whoever takes more loses by it."""

import re
from dataclasses import dataclass

from metatac.errors import IsolationError

MIB = 1 << 20

_SIZE = re.compile(r"(\d{1,12})\s*([kmg]?)i?b?", re.ASCII | re.IGNORECASE)
_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds for one bot: sizes are in bytes, times in seconds."""

    startup: float = 10.0
    """From its start until it says that it is ready; no move's time."""
    memory: int = 512 * MIB
    """Resident, of all its processes together: what a virtual machine only reserves does not count."""
    processes: int = 64
    """At once, and eight times as many threads."""
    scratch: int = 64 * MIB
    """What its scratch folder may hold; no file is larger either."""
    cpu: float = 3600.0
    """Of all its processes together, in their life."""
    output: int = MIB
    """Written to stdout for one request."""
    errors: int = 8 * MIB
    """Written to stderr for one request; only the end of it is kept."""
    line: int = 64 << 10
    """The longest line of stdout."""
    strict: bool = False
    """Threads, further processes and system calls beyond what a bot needs forfeit."""
    cores: tuple[int, ...] = ()
    """The processors that it may run on; none named: all."""

    def __post_init__(self) -> None:
        for name in ("startup", "memory", "processes", "scratch", "cpu", "output", "errors", "line"):
            if not getattr(self, name) > 0:
                raise IsolationError(f"a bot cannot live with {name} = {getattr(self, name)!r}")

    @staticmethod
    def parse_size(text: str) -> int:
        """Bytes from ``512MB``, ``64k``, ``1GiB`` or ``1000``; the units are powers of 1024."""
        found = _SIZE.fullmatch(text.strip())
        if found is None:
            raise IsolationError(f"{text[:40]!r} is no size; one looks like 512MB, 64k or 1GB")
        return int(found[1]) * _UNITS[found[2].lower()]
