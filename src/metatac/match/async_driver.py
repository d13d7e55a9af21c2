"""The async driver of a match: the same conversation, and it can stop waiting for a player."""

import asyncio
import contextlib
import inspect
import threading
import time
from collections.abc import Callable

from metatac.match.conversation import Answer, Call, Late, Raised, Said, Table, Watch, conduct
from metatac.match.driver import Method, method_of, perform
from metatac.match.player import AsyncPlayer, Player
from metatac.match.state import Match


async def run_async(
    match: Match,
    players: tuple[Player | AsyncPlayer, Player | AsyncPlayer],
    *,
    clock: Callable[[], float] = time.monotonic,
    watch: Watch | None = None,
    startup: float | None = None,
    resume: bool = True,
) -> Match:
    """Play a match to its end without blocking the loop, and stop waiting for whoever overruns.

    A player's coroutines are cancelled then; its plain methods run in a thread of their own, which cannot be
    stopped, only left behind. ``startup`` is how many seconds a player may take to get ready;
    ``resume`` is as in ``run``.
    """
    table = Table(match, clock, watch, startup, resume=resume)
    talk = conduct(table)
    with contextlib.suppress(StopIteration):
        call = next(talk)
        while True:
            call = talk.send(await _perform_async(method_of(call, players), call, clock))
    return table.match


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
    # Left alone, a player's SystemExit would end the loop, and its CancelledError the driver.
    except (Exception, SystemExit, asyncio.CancelledError) as error:
        return Raised(error)


def _in_thread(method: Method, call: Call) -> "asyncio.Future[Answer]":
    """The answer of a plain method, called in a daemon thread: one that never ends keeps no process alive."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Answer] = loop.create_future()

    def settle(answer: Answer) -> None:
        if not future.done():
            future.set_result(answer)

    def work() -> None:
        try:
            answer = perform(method, call)
        except KeyboardInterrupt as error:  # nobody interrupts a thread but the player itself
            answer = Raised(error)
        with contextlib.suppress(RuntimeError):  # the loop was closed long ago
            loop.call_soon_threadsafe(settle, answer)

    threading.Thread(target=work, name=f"metatac {call.seat} {call.method}", daemon=True).start()
    return future
