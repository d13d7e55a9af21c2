"""The games of a tournament on a Ray cluster: the same games, on as many machines as it has.

Only the games are played there. Which ones, and what becomes of them, is decided and kept here, as everywhere.
"""

import os
import secrets
from collections import Counter
from collections.abc import Generator
from dataclasses import replace
from typing import Any

from metatac.arena.executors import Executor, Jobs, Take
from metatac.arena.games import GameRoom, Job, Played, Setup, given_up
from metatac.errors import ArenaError, IsolationError
from metatac.extras import need

SCHEME = "ray"


def ray_executor(where: str, *, cores: int, retries: int) -> Executor:
    """An executor for ``ray``, a cluster that is started here and now, or ``ray://host:port``, one that runs."""
    if where != SCHEME and not where.startswith(f"{SCHEME}://"):
        raise ArenaError(f"--on {where}: ray or ray://host:port is wanted")
    ray = need("ray", extra="ray")

    def play(setup: Setup, take: Take) -> Generator[Played, None, None]:
        _join(ray, where, cores)
        try:
            most = cores if where == SCHEME else int(ray.cluster_resources().get("CPU", 1))
            yield from _Cluster(ray, setup, most, retries).play(take)
        finally:
            ray.shutdown()

    return play


def _join(ray: Any, where: str, cores: int) -> None:
    # Ray warns that it will one day treat machines without accelerators otherwise; this is what it will do.
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    quiet = {"log_to_driver": False, "logging_level": "ERROR"}
    try:
        if where == SCHEME:
            ray.init(num_cpus=cores, include_dashboard=False, **quiet)
        else:
            ray.init(address=where, **quiet)
    except (ConnectionError, TimeoutError, RuntimeError, ValueError) as error:
        raise ArenaError(f"--on {where}: {error}") from error


class _Cluster:
    """The matches that are being played out there."""

    def __init__(self, ray: Any, setup: Setup, most: int, retries: int) -> None:
        self.ray, self.setup, self.most, self.retries = ray, setup, most, retries
        # Ray's own retries would not tell us how often a game was begun.
        self.remote = ray.remote(num_cpus=1, max_retries=0)(_play)
        self.shared, self.token = ray.put(setup), secrets.token_hex(8)
        self.running: dict[Any, Jobs] = {}
        self.again: list[Jobs] = []
        self.deaths: Counter[Job] = Counter()

    def play(self, take: Take) -> Generator[Played, None, None]:
        try:
            while self.feed(take):
                done, _ = self.ray.wait(list(self.running), num_returns=1)
                for ended in done:
                    for played in self.collect(ended):
                        yield played
                        self.feed(take)
        finally:
            for reference in self.running:
                self.ray.cancel(reference, force=True)

    def feed(self, take: Take) -> bool:
        while len(self.running) < self.most:
            jobs = self.again.pop() if self.again else take()
            if jobs is None:
                break
            self.running[self.remote.remote(self.token, self.shared, jobs)] = jobs
        return bool(self.running)

    def collect(self, reference: Any) -> list[Played]:
        jobs = self.running.pop(reference)
        errors = self.ray.exceptions
        try:
            games: list[Played] = self.ray.get(reference)
        except (errors.WorkerCrashedError, errors.NodeDiedError, errors.OutOfMemoryError) as error:
            return self.died(jobs, error)
        except errors.RayTaskError as error:
            if isinstance(error.cause, IsolationError):
                raise error.cause from None
            raise
        return [replace(played, tries=played.tries + self.deaths.pop(played.job, 0)) for played in games]

    def died(self, jobs: Jobs, error: Exception) -> list[Played]:
        """Begin the match again, or give it up: which of its games did the harm is not known from here."""
        for job in jobs:
            self.deaths[job] += 1
        if self.deaths[jobs[0]] <= self.retries:
            self.again.append(jobs)
            return []
        tries = self.deaths[jobs[0]]
        detail = f"the process that played it died {tries} times ({type(error).__name__}); memory, perhaps"
        return [replace(given_up(self.setup, job, detail), tries=tries) for job in jobs]


# -- in the cluster

_rooms: dict[str, GameRoom] = {}


def _play(token: str, setup: Setup, jobs: Jobs) -> list[Played]:
    """The games of a match; what a process has loaded for the tournament it keeps for the next match."""
    if token not in _rooms:
        _rooms.clear()
        _rooms[token] = GameRoom(setup)
    return list(_rooms[token].play(jobs))
