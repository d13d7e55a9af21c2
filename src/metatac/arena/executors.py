"""Where games are played: one after the other in this process, or several at once in others.

Each is a generator of games as they end. Closing it stops what still runs.
"""

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing.queues import SimpleQueue
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
    stop, pids = context.Event(), context.SimpleQueue()
    pool = ProcessPoolExecutor(processes, context, _begin, (setup, stop, pids))
    queue = iter(jobs)
    try:
        with _children_ignore_ctrl_c():
            running = {pool.submit(_play, job) for job in islice(queue, processes)}
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            running |= {pool.submit(_play, job) for job in islice(queue, len(done))}
            yield from _finished(done)
    except BrokenProcessPool:
        raise ArenaError("a process that played a game died; what killed it is not known (memory, perhaps)") from None
    finally:
        stop.set()
        pool.shutdown(wait=False, cancel_futures=True)
        _see_out(pids)


def _finished(done: set["Future[Played]"]) -> list[Played]:
    return sorted((future.result() for future in done), key=lambda played: (played.job.pair, played.job.game))


def _see_out(pids: "SimpleQueue[int]") -> None:
    """Wait until the processes have ended; one that still thinks about its move after the grace is ended."""
    ours = set()
    while not pids.empty():
        ours.add(pids.get())
    deadline = time.monotonic() + GRACE
    for child in multiprocessing.active_children():
        if child.pid in ours:
            child.join(max(0.0, deadline - time.monotonic()))
            if child.is_alive():
                child.terminate()
                child.join()


@contextlib.contextmanager
def _children_ignore_ctrl_c() -> Iterator[None]:
    """Processes started in here leave Ctrl-C to this one, from their first moment on: it is inherited."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


# -- in the other processes

_rooms: list[GameRoom] = []


def _begin(setup: Setup, stop: Event, pids: "SimpleQueue[int]") -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    pids.put(os.getpid())
    _rooms[:] = [GameRoom(setup, stop.is_set)]


def _play(job: Job) -> Played:
    return _rooms[0].play(job)
