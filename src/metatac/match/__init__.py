"""The one referee, who may sit at a match, and the drivers that let them play."""

from typing import TYPE_CHECKING, Any

from metatac.match.driver import run
from metatac.match.events import (
    Abort,
    AcceptDraw,
    AcceptTakeback,
    Action,
    Adjudicate,
    Ask,
    Declined,
    DeclineDraw,
    DeclineTakeback,
    Ended,
    Event,
    Forfeit,
    MoveMade,
    OfferDraw,
    Offered,
    Pause,
    Played,
    Refused,
    RequestTakeback,
    Resign,
    Resume,
    Start,
    TakenBack,
    Tick,
    event_from_dict,
)
from metatac.match.player import AsyncPlayer, Instead, Offence, Player
from metatac.match.record import record_of
from metatac.match.referee import replay, step
from metatac.match.result import OFFENCES, Result, Seat
from metatac.match.state import Match, Ply, new_match
from metatac.match.time_control import UNLIMITED, Clock, TimeControl, parse_duration, print_duration

if TYPE_CHECKING:
    from metatac.match.async_driver import run_async

__all__ = [
    "OFFENCES",
    "UNLIMITED",
    "Abort",
    "AcceptDraw",
    "AcceptTakeback",
    "Action",
    "Adjudicate",
    "Ask",
    "AsyncPlayer",
    "Clock",
    "DeclineDraw",
    "DeclineTakeback",
    "Declined",
    "Ended",
    "Event",
    "Forfeit",
    "Instead",
    "Match",
    "MoveMade",
    "Offence",
    "OfferDraw",
    "Offered",
    "Pause",
    "Played",
    "Player",
    "Ply",
    "Refused",
    "RequestTakeback",
    "Resign",
    "Result",
    "Resume",
    "Seat",
    "Start",
    "TakenBack",
    "Tick",
    "TimeControl",
    "event_from_dict",
    "new_match",
    "parse_duration",
    "print_duration",
    "record_of",
    "replay",
    "run",
    "run_async",
    "step",
]


def __getattr__(name: str) -> Any:
    """The async driver loads on first use: a game between two people needs no event loop."""
    if name != "run_async":
        raise AttributeError(f"module 'metatac.match' has no attribute {name!r}")
    from metatac.match.async_driver import run_async

    return run_async
