"""Where games are played: one after the other in this process, or several at once in others.

Each is a generator of games as they end. Closing it stops what still runs.
"""

import contextlib
import multiprocessing
import signal
import time
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing.process import BaseProcess
from multiprocessing.synchronize import Event

from metatac.arena.games import GameRoom, Job, Played, Setup
from metatac.errors import ArenaError

GRACE = 2.0
"""Seconds that other processes have to end their games by themselves."""


def here(setup: Setup, jobs: Iterable[Job]) -> Generator[Played, None, None]:
    """The games one after the other."""
    room = GameRoom(setup)
    for job in jobs:
        yield room.play(job)


def spread(setup: Setup, jobs: Iterable[Job], processes: int) -> Generator[Played, None, None]:
    """The games in so many processes, in whatever order they end."""
    context = multiprocessing.get_context("spawn")
    stop = context.Event()
    pool = ProcessPoolExecutor(processes, context, _begin, (setup, stop))
    queue = iter(jobs)
    children: list[BaseProcess] = []
    try:
        with _ctrl_c_waits():
            running = {pool.submit(_play, job) for job in islice(queue, processes)}
            children += pool._processes.values()  # there is no other way to know them; all have been started by now
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            running |= {pool.submit(_play, job) for job in islice(queue, len(done))}
            yield from _finished(done)
    except BrokenProcessPool:
        raise ArenaError("a process that played a game died; what killed it is not known (memory, perhaps)") from None
    finally:
        with _ctrl_c_waits():  # a second one must not leave processes behind
            stop.set()
            pool.shutdown(wait=False, cancel_futures=True)
            _see_out(children)


def _finished(done: set["Future[Played]"]) -> list[Played]:
    return sorted((future.result() for future in done), key=lambda played: (played.job.pair, played.job.game))


def _see_out(children: list[BaseProcess]) -> None:
    """Wait until the processes have ended; one that still thinks about its move after the grace is ended."""
    deadline = time.monotonic() + GRACE
    for child in children:
        child.join(max(0.0, deadline - time.monotonic()))
        if child.is_alive():
            child.terminate()
            child.join()


@contextlib.contextmanager
def _ctrl_c_waits() -> Iterator[None]:
    """Ctrl-C is heard when this ends, and never by processes that are started in it, which inherit their deafness."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# -- in the other processes

_rooms: list[GameRoom] = []


def _begin(setup: Setup, stop: Event) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _rooms[:] = [GameRoom(setup, stop.is_set)]


def _play(job: Job) -> Played:
    return _rooms[0].play(job)
