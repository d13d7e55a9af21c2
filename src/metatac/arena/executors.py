"""Where games are played: one after the other in this process, or several at once in others.

Each is a generator of games as they end. It asks ``take`` for the next match whenever somebody is free to play it; None
means that there is nothing now, and perhaps again when a game that still runs has ended. Closing it stops what still
runs. A process that dies while it plays is replaced and its game begun again, a few times; after that the game is given
up, with the reason.
"""

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field, replace
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from queue import SimpleQueue

from metatac.arena.games import GameRoom, Job, Played, Setup, Stopped, given_up
from metatac.errors import IsolationError

GRACE = 2.0
"""Seconds that other processes have to end their games by themselves."""

RETRIES = 2
"""How often a game is begun again after the process that played it died, unless one says otherwise."""

Jobs = tuple[Job, ...]
"""The games of a match: they are played by one process, in this order."""

Take = Callable[[], Jobs | None]

Executor = Callable[[Setup, Take], Generator[Played, None, None]]

Cores = frozenset[int] | None
"""Those that a process stays on with the bots that it plays; None: all."""

Answer = Played | IsolationError
"""Of another process: a game, or why it cannot play any."""


def here(setup: Setup, take: Take) -> Generator[Played, None, None]:
    """The games one after the other."""
    room = GameRoom(setup)
    while (jobs := take()) is not None:
        yield from room.play(jobs)


def spread(
    setup: Setup, take: Take, processes: int, retries: int = RETRIES, cores: int | None = None
) -> Generator[Played, None, None]:
    """The games in so many processes, in whatever order they end; on so many cores at most, if that is said."""
    pool = _Pool(setup, processes, retries, cores)
    try:
        while pool.feed(take):
            for played in pool.collect():
                yield played
                pool.feed(take)
    finally:
        with _ctrl_c_waits():  # a second one must not leave processes behind
            pool.end()


@dataclass(slots=True)
class _Worker:
    """Another process that plays, and the games that it has not reported yet."""

    process: BaseProcess
    connection: "Connection[Jobs, Answer]"
    cores: Cores
    jobs: list[Job] = field(default_factory=list)


class _Pool:
    """The other processes; each is started when there is work for it."""

    def __init__(self, setup: Setup, processes: int, retries: int, cores: int | None) -> None:
        self.setup, self.processes, self.retries = setup, processes, retries
        self.workers: list[_Worker] = []
        self.again: list[Jobs] = []
        self.deaths: Counter[Job] = Counter()
        self.shares = [None] * processes if cores is None else _shares(cores, processes)

    def feed(self, take: Take) -> bool:
        """Give everybody who is free a match; whether anybody plays now."""
        while sum(bool(worker.jobs) for worker in self.workers) < self.processes:
            jobs = self.again.pop() if self.again else take()
            if jobs is None:
                break
            self.give(jobs)
        return any(worker.jobs for worker in self.workers)

    def give(self, jobs: Jobs) -> None:
        worker = next((worker for worker in self.workers if not worker.jobs), None) or self.start()
        try:
            worker.connection.send(jobs)
        except OSError:  # it died while it waited
            self.bury(worker)
            self.give(jobs)
        else:
            worker.jobs = list(jobs)

    def start(self) -> _Worker:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        free = list(self.shares)
        for worker in self.workers:
            free.remove(worker.cores)
        with _ctrl_c_waits(), theirs:
            process = context.Process(target=_work, args=(theirs, self.setup, free[0]), name="metatac game")
            process.start()
        worker = _Worker(process, ours, free[0])
        self.workers.append(worker)
        return worker

    def collect(self) -> Iterator[Played]:
        """The games that have ended, once there is one, and those that are given up."""
        busy = {worker.connection: worker for worker in self.workers if worker.jobs}
        for connection in wait(list(busy)):
            worker = busy[connection]  # type: ignore[index]
            try:
                played = worker.connection.recv()
            except (EOFError, OSError):
                yield from self.died(worker)
                continue
            if isinstance(played, IsolationError):
                raise played
            worker.jobs.remove(played.job)
            yield replace(played, tries=played.tries + self.deaths.pop(played.job, 0))

    def died(self, worker: _Worker) -> Iterator[Played]:
        self.bury(worker)
        first, *rest = worker.jobs
        self.deaths[first] += 1
        if self.deaths[first] <= self.retries:
            self.again.append((first, *rest))
            return
        tries = self.deaths.pop(first)
        if rest:
            self.again.append(tuple(rest))
        detail = f"the process that played it died {tries} times ({_fate(worker.process)}); memory, perhaps"
        yield replace(given_up(self.setup, first, detail), tries=tries)

    def bury(self, worker: _Worker) -> None:
        self.workers.remove(worker)
        worker.connection.close()
        worker.process.join()

    def end(self) -> None:
        """Close the pipes, which stops the games; a process that still thinks after the grace is ended."""
        for worker in self.workers:
            worker.connection.close()
        deadline = time.monotonic() + GRACE
        for worker in self.workers:
            worker.process.join(max(0.0, deadline - time.monotonic()))
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()


def _fate(process: BaseProcess) -> str:
    code = process.exitcode
    if code is not None and code < 0:
        with contextlib.suppress(ValueError):
            return signal.Signals(-code).name
    return f"exit status {code}"


def _shares(cores: int, processes: int) -> list[Cores]:
    """So many cores dealt out, so that games do not slow each other down; tournaments side by side begin elsewhere."""
    there = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    each = cores // processes
    if cores > len(there) or each == 0:
        return [None] * processes
    first = os.getpid() * cores % len(there)
    ours = (there + there)[first : first + cores]
    return [frozenset(ours[number * each : (number + 1) * each]) for number in range(processes)]


@contextlib.contextmanager
def _ctrl_c_waits() -> Iterator[None]:
    """Ctrl-C is heard when this ends, and never by processes that are started in it, which inherit their deafness."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # for whoever starts it, as the first process would, hears Ctrl-C again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# -- in the other processes


def _work(connection: "Connection[Answer, Jobs]", setup: Setup, cores: Cores) -> None:
    """Play what comes through the pipe until it is closed: then nobody waits any more, or nobody is left."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):  # bots should not inherit the mask, only that Ctrl-C is not for them
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    if cores is not None:
        os.sched_setaffinity(0, cores)
    stop = threading.Event()
    matches: SimpleQueue[Jobs | None] = SimpleQueue()
    threading.Thread(target=_listen, args=(connection, matches, stop), daemon=True).start()
    room = GameRoom(setup, stop.is_set)
    # A game that is given up, and a game that nobody takes, end this process quietly.
    with contextlib.suppress(Stopped, BrokenPipeError, ConnectionResetError):
        while (jobs := matches.get()) is not None:
            try:
                with contextlib.closing(room.play(jobs)) as games:  # type: ignore[type-var]
                    for played in games:
                        connection.send(played)
            except IsolationError as error:
                connection.send(error)


def _listen(connection: "Connection[Answer, Jobs]", matches: "SimpleQueue[Jobs | None]", stop: threading.Event) -> None:
    with contextlib.suppress(EOFError, OSError):
        while True:
            matches.put(connection.recv())
    stop.set()
    matches.put(None)
    # Even a player that thinks for hours does not outlive whom it plays for.
    time.sleep(GRACE)
    os._exit(1)
