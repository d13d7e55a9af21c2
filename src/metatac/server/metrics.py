"""Counters and times in the text form of Prometheus."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Seconds: the buckets of the times."""


class Times:
    """A histogram."""

    def __init__(self) -> None:
        self._counts = [0] * (len(BOUNDS) + 1)
        self._sum = 0.0

    def add(self, seconds: float) -> None:
        self._counts[bisect_left(BOUNDS, seconds)] += 1
        self._sum += seconds

    def lines(self, name: str) -> Iterable[str]:
        yield f"# TYPE {name} histogram"
        total = 0
        for bound, count in zip((*BOUNDS, "+Inf"), self._counts, strict=True):
            total += count
            yield f'{name}_bucket{{le="{bound}"}} {total}'
        yield f"{name}_sum {self._sum:.6f}"
        yield f"{name}_count {total}"


class Metrics:
    """What one worker has counted since it began."""

    def __init__(self) -> None:
        self._requests: Counter[tuple[str, int]] = Counter()
        self._refused: Counter[str] = Counter()
        self._request_seconds = Times()
        self.move_seconds = Times()
        """From a move's arrival to its acknowledgement."""

    def request(self, method: str, status: int, seconds: float) -> None:
        known = method if method in ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH") else "other"
        self._requests[known, status] += 1
        self._request_seconds.add(seconds)

    def refused(self, reason: str) -> None:
        self._refused[reason] += 1

    def text(self, gauges: Mapping[str, float]) -> str:
        lines = ["# TYPE metatac_requests_total counter"]
        for (method, status), count in sorted(self._requests.items()):
            lines.append(f'metatac_requests_total{{method="{method}",status="{status}"}} {count}')
        lines.append("# TYPE metatac_sockets_refused_total counter")
        for reason, count in sorted(self._refused.items()):
            lines.append(f'metatac_sockets_refused_total{{reason="{reason}"}} {count}')
        lines += self._request_seconds.lines("metatac_request_seconds")
        lines += self.move_seconds.lines("metatac_move_seconds")
        for name, value in gauges.items():
            kind = "counter" if name.partition("{")[0].endswith("_total") else "gauge"
            lines += [f"# TYPE {name.partition('{')[0]} {kind}", f"{name} {value:g}"]
        return "\n".join(lines) + "\n"
