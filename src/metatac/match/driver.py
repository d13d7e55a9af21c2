"""The blocking driver of a match: it performs the calls of the conversation one by one."""

import contextlib
import time
from collections.abc import Callable

from metatac.match.conversation import Answer, Call, Judge, Raised, Said, Table, Watch, conduct
from metatac.match.player import Player, hook
from metatac.match.result import SEATS
from metatac.match.state import Match


def run(
    match: Match,
    players: tuple[Player, Player],
    *,
    clock: Callable[[], float] = time.monotonic,
    watch: Watch | None = None,
    adjudicate: Judge | None = None,
    resume: bool = True,
) -> Match:
    """Play a match to its end with X's and O's players. A move that comes too late is judged when it comes.

    In a strict match a player that raises forfeits; otherwise what it raises is passed on, and the match as
    ``watch`` saw it last can be run again. KeyboardInterrupt always passes, and so does IsolationError: a machine
    that cannot start a program is nobody's offence. A match that runs already goes on with
    its clock set anew, unless ``resume`` is False: then the clock must be the one that it ran by before.
    ``adjudicate`` is asked after every move, on nobody's time, and ends the match by what it returns, if anything.
    """
    table = Table(match, clock, watch, adjudicate=adjudicate, resume=resume)
    talk = conduct(table)
    with contextlib.suppress(StopIteration):
        call = next(talk)
        while True:
            call = talk.send(perform(method_of(call, players), call))
    return table.match


Method = Callable[..., object]


def method_of(call: Call, players: tuple[object, object]) -> Method | None:
    method: Method | None = hook(players[SEATS.index(call.seat)], call.method)
    return method


def perform(method: Method | None, call: Call) -> Answer:
    """Call the method. Whatever it raises, SystemExit included, is an answer; only the user may interrupt."""
    if method is None:
        return Said(missing=True)
    try:
        return Said(method(*call.arguments))
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return Raised(error)
