"""Two thin drivers of a match: one blocks, one is async. Both hold the same conversation with the players."""

import asyncio
import contextlib
import inspect
import threading
import time
from collections.abc import Callable

from metatac.match.conversation import Answer, Call, Late, Raised, Said, Table, Watch, conduct
from metatac.match.player import AsyncPlayer, Player, hook
from metatac.match.result import SEATS
from metatac.match.state import Match


def run(
    match: Match,
    players: tuple[Player, Player],
    *,
    clock: Callable[[], float] = time.monotonic,
    watch: Watch | None = None,
) -> Match:
    """Play a match to its end with X's and O's players. A move that comes too late is judged when it comes.

    In a strict match a player that raises forfeits; otherwise what it raises is passed on, and the match as
    ``watch`` saw it last can be run again. KeyboardInterrupt always passes.
    """
    table = Table(match, clock, watch)
    talk = conduct(table)
    with contextlib.suppress(StopIteration):
        call = next(talk)
        while True:
            call = talk.send(_perform(_method(call, players), call))
    return table.match


async def run_async(
    match: Match,
    players: tuple[Player | AsyncPlayer, Player | AsyncPlayer],
    *,
    clock: Callable[[], float] = time.monotonic,
    watch: Watch | None = None,
    startup: float | None = None,
) -> Match:
    """Play a match to its end without blocking the loop, and stop waiting for whoever overruns.

    A player's coroutines are cancelled then; its plain methods run in a thread of their own, which cannot be
    stopped, only left behind. ``startup`` is how many seconds a player may take to get ready.
    """
    table = Table(match, clock, watch, startup)
    talk = conduct(table)
    with contextlib.suppress(StopIteration):
        call = next(talk)
        while True:
            call = talk.send(await _perform_async(_method(call, players), call, clock))
    return table.match


Method = Callable[..., object]


def _method(call: Call, players: tuple[object, object]) -> Method | None:
    method: Method | None = hook(players[SEATS.index(call.seat)], call.method)
    return method


def _perform(method: Method | None, call: Call) -> Answer:
    if method is None:
        return Said(missing=True)
    try:
        return Said(method(*call.arguments))
    except (Exception, SystemExit) as error:  # the conversation decides: a forfeit, or raised again
        return Raised(error)


async def _perform_async(method: Method | None, call: Call, clock: Callable[[], float]) -> Answer:
    if method is None:
        return Said(missing=True)
    if inspect.iscoroutinefunction(method):
        answer: asyncio.Future[Answer] = asyncio.ensure_future(_awaited(method, call))
    else:
        answer = _in_thread(method, call)
    timeout = None if call.deadline is None else max(0.0, call.deadline - clock())
    try:
        done, _ = await asyncio.wait({answer}, timeout=timeout)
        return answer.result() if done else Late()
    finally:
        answer.cancel()


async def _awaited(method: Method, call: Call) -> Answer:
    try:
        coroutine = method(*call.arguments)
        assert inspect.isawaitable(coroutine)
        return Said(await coroutine)
    except (Exception, SystemExit) as error:  # as above; asyncio would let a SystemExit end the loop
        return Raised(error)


def _in_thread(method: Method, call: Call) -> "asyncio.Future[Answer]":
    """The answer of a plain method, called in a daemon thread: one that never ends keeps no process alive."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Answer] = loop.create_future()

    def settle(answer: Answer) -> None:
        if not future.done():
            future.set_result(answer)

    def work() -> None:
        answer = _perform(method, call)
        with contextlib.suppress(RuntimeError):  # the loop was closed long ago
            loop.call_soon_threadsafe(settle, answer)

    threading.Thread(target=work, name=f"metatac {call.seat} {call.method}", daemon=True).start()
    return future
