"""A bounded pool of engine processes with fair queues.

Moves of games come before analysis, and one process is kept for them; where that is not enough an analysis gives way
and is taken up again. Within each kind visitors take turns, so that nobody waits for one who asks for much.
"""

import asyncio
import contextlib
import json
import logging
import os
import sys
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from metatac.errors import ServiceError
from metatac.server.refusals import Refusal, too_many

READY_SECONDS = 600.0
"""The engine may have to be compiled first."""
MOVE_SECONDS = 120.0
QUEUE_SECONDS = 120.0
"""What a job may wait for its turn, and for a compiler, without its being charged to an engine at a game."""
TRIES = 3
"""How often a job is begun before it has failed: its process may have been killed."""
LINE = 8 * 1024 * 1024
MOVES_NICE, STUDIES_NICE = 5, 10

_log = logging.getLogger(__name__)


class EngineFailed(ServiceError):
    """A job that could not be done."""


@dataclass(eq=False)
class Job:
    """Something for an engine to do. ``answer`` is its end; ``update`` hears what comes before."""

    visitor: str
    request: dict[str, Any]
    seconds: float
    """How long it may take before its process counts as stuck."""
    update: Callable[[dict[str, Any]], None] = lambda _: None
    moves: bool = False
    answer: "asyncio.Future[Any]" = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    tries: int = 0
    began: float | None = None
    asked: float = field(default_factory=time.monotonic)

    @property
    def waited(self) -> float:
        """Seconds in the queue."""
        return (time.monotonic() if self.began is None else self.began) - self.asked


class FairQueue:
    """Jobs by visitor, who take turns."""

    def __init__(self) -> None:
        self._by_visitor: dict[str, deque[Job]] = {}

    def __len__(self) -> int:
        return sum(map(len, self._by_visitor.values()))

    def count(self, visitor: str) -> int:
        """How many of a visitor's jobs wait that are still wanted."""
        return sum(not job.answer.done() for job in self._by_visitor.get(visitor, ()))

    def add(self, job: Job, *, first: bool = False) -> None:
        jobs = self._by_visitor.setdefault(job.visitor, deque())
        (jobs.appendleft if first else jobs.append)(job)

    def take(self) -> Job | None:
        """The next job; its visitor then goes to the end of the row."""
        while self._by_visitor:
            visitor, jobs = next(iter(self._by_visitor.items()))
            del self._by_visitor[visitor]
            job = jobs.popleft()
            if jobs:
                self._by_visitor[visitor] = jobs
            if not job.answer.done():
                return job
        return None

    def place(self, job: Job) -> int:
        """How many are served before, if nobody else comes."""
        jobs = self._by_visitor.get(job.visitor)
        if jobs is None or job not in jobs:
            return 0
        turn = jobs.index(job)
        rounds = sum(min(len(other), turn + 1) for name, other in self._by_visitor.items() if name != job.visitor)
        return turn + rounds + 1

    def discard(self, job: Job) -> None:
        jobs = self._by_visitor.get(job.visitor)
        if jobs is not None and job in jobs:
            jobs.remove(job)
            if not jobs:
                del self._by_visitor[job.visitor]

    def drain(self) -> list[Job]:
        jobs = [job for waiting in self._by_visitor.values() for job in waiting]
        self._by_visitor.clear()
        return jobs


class Pool:
    """The engine processes of one worker. They start with the first job, or when they are told to warm up."""

    def __init__(self, size: int, studies_per_visitor: int = 3) -> None:
        self._moves, self._studies = FairQueue(), FairQueue()
        self._per_visitor = studies_per_visitor
        self._engines = [_Engine(self, keeps_to_moves=number == 0 and size > 1) for number in range(size)]
        self.done = {"move": 0, "analyse": 0, "record": 0}
        self.failed = 0
        self._closed = False

    def start(self) -> None:
        for engine in self._engines:
            engine.start()

    async def close(self) -> None:
        self._closed = True
        for job in (*self._moves.drain(), *self._studies.drain()):
            job.answer.cancel()
        await asyncio.gather(*(engine.close() for engine in self._engines))

    @property
    def waiting(self) -> dict[str, int]:
        return {"moves": len(self._moves), "studies": len(self._studies)}

    def submit(self, job: Job, *, limited: bool = True) -> Job:
        """Have a job done; a visitor's positions are limited here, moves and games where they are begun."""
        if self._closed:
            raise Refusal("The server is about to stop.", "stopping", 503)
        queue = self._moves if job.moves else self._studies
        if limited and not job.moves and queue.count(job.visitor) + self._running(job.visitor) >= self._per_visitor:
            raise too_many("You have enough analyses under way; wait for one of them, or stop it.")
        job.answer.add_done_callback(lambda _: self._withdraw(job))
        queue.add(job)
        self.start()
        self.dispatch()
        return job

    def _running(self, visitor: str) -> int:
        jobs = [engine.job for engine in self._engines if engine.job is not None]
        return sum(job.visitor == visitor and not job.moves and not job.answer.done() for job in jobs)

    def place(self, job: Job) -> int:
        return self._studies.place(job)

    def _withdraw(self, job: Job) -> None:
        """Whoever asked does not want it any more: a job that is under way is stopped."""
        if job.answer.cancelled():
            (self._moves if job.moves else self._studies).discard(job)
            for engine in self._engines:
                if engine.job is job:
                    engine.stop_job()

    def dispatch(self) -> None:
        """Give work to whoever is free; if moves wait and nobody is, an analysis gives way."""
        for engine in self._engines:
            if engine.free:
                job = self._moves.take() or (None if engine.keeps_to_moves else self._studies.take())
                if job is not None:
                    engine.begin(job)
        if len(self._moves):
            studying = [one for one in self._engines if one.job is not None and not one.job.moves and not one.yielding]
            if studying and not any(one.yielding for one in self._engines):
                studying[0].give_way()

    def again(self, job: Job, *, blame: bool) -> None:
        """A job that was cut short, by a move that was more urgent or because its process died."""
        job.tries += blame
        if job.answer.done():
            return
        if job.tries >= TRIES:
            self.failed += 1
            job.answer.set_exception(EngineFailed("the engine failed at this, more than once"))
            return
        (self._moves if job.moves else self._studies).add(job, first=True)


class _Engine:
    """One process, replaced when it dies."""

    def __init__(self, pool: Pool, keeps_to_moves: bool) -> None:
        self._pool, self.keeps_to_moves = pool, keeps_to_moves
        self.job: Job | None = None
        self.yielding = False
        self._process: asyncio.subprocess.Process | None = None
        self._task: asyncio.Task[None] | None = None
        self._ready = False
        self._number = 0
        self._timer: asyncio.TimerHandle | None = None

    @property
    def free(self) -> bool:
        return self._ready and self.job is None

    def start(self) -> None:
        if self._task is None:
            self._task = asyncio.create_task(self._live())

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def _live(self) -> None:
        """Keep a process running."""
        quick = 0
        while True:
            began = time.monotonic()
            try:
                await self._run()
            except (OSError, ValueError) as error:  # it cannot be started, or says what is no JSON
                _log.error("an engine process failed: %s", error)
            finally:
                self._cut_short()
            quick = quick + 1 if time.monotonic() - began < 5 else 0
            _log.warning("an engine process ended and is replaced")
            await asyncio.sleep(min(30.0, 0.1 * 2**quick))

    async def _run(self) -> None:
        nice = MOVES_NICE if self.keeps_to_moves else STUDIES_NICE
        self._process = process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "metatac.server.engine_process",
            str(nice),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=LINE,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        )
        self._watch(READY_SECONDS)
        assert process.stdout is not None
        try:
            async for line in process.stdout:
                self._heard(json.loads(line))
        finally:
            self._ready = False
            self._unwatch()
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            if process.stdin is not None:
                process.stdin.close()
            await process.wait()

    def _heard(self, message: dict[str, Any]) -> None:
        if "ready" in message:
            self._ready = True
            self._unwatch()
            self._pool.dispatch()
            return
        job = self.job
        if job is None or message["id"] != self._number:
            return
        if "update" in message:
            if not job.answer.done() and not self.yielding:
                job.update(message["update"])
            return
        self.job = None
        self._unwatch()
        yielded, self.yielding = self.yielding, False
        if not job.answer.done():
            if yielded and not job.moves:
                self._pool.again(job, blame=False)
            elif "failed" in message:
                self._pool.failed += 1
                job.answer.set_exception(EngineFailed(message["failed"]))
            else:
                self._pool.done[job.request["do"]] += 1
                job.answer.set_result(message["done"])
        self._pool.dispatch()

    def begin(self, job: Job) -> None:
        self.job = job
        self._number += 1
        job.began = time.monotonic()
        self._tell(job.request | {"id": self._number})
        self._watch(job.seconds)

    def give_way(self) -> None:
        self.yielding = True
        self.stop_job()

    def stop_job(self) -> None:
        self._tell({"stop": self._number})
        self._watch(10.0)

    def _tell(self, message: dict[str, Any]) -> None:
        if self._process is not None and self._process.stdin is not None and not self._process.stdin.is_closing():
            self._process.stdin.write(json.dumps(message).encode() + b"\n")

    def _watch(self, seconds: float) -> None:
        self._unwatch()
        self._timer = asyncio.get_running_loop().call_later(seconds, self._stuck)

    def _unwatch(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _stuck(self) -> None:
        _log.warning("an engine process does not answer and is ended")
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()

    def _cut_short(self) -> None:
        """The process has died, or is being ended."""
        job, self.job, self.yielding = self.job, None, False
        if job is not None and not self._pool._closed:
            self._pool.again(job, blame=True)
            self._pool.dispatch()
        elif job is not None:
            job.answer.cancel()
