"""Who can sit at a match: the Player protocol."""

from typing import Any, Protocol, runtime_checkable

from metatac.errors import MatchError
from metatac.game import Move, Position
from metatac.match.events import OfferDraw, RequestTakeback, Resign
from metatac.match.result import OFFENCES
from metatac.match.time_control import UNLIMITED, Clock


@runtime_checkable
class Player(Protocol):
    """Anything with a name and a ``choose``. These methods are called too, where a player has them:

    - ``game_started(position, seat)`` before the clock starts;
    - ``opponent_moved(position, move)`` after the opponent's move, with the position after it;
    - ``refused(message)`` when, among people, the answer was no legal move; then it is asked again;
    - ``agrees(offer, position) -> bool`` when the opponent offers a ``"draw"`` or asks for a ``"takeback"``;
      without it the answer is no;
    - ``game_ended(result)``.
    """

    @property
    def name(self) -> str: ...

    def choose(self, position: Position, clock: Clock = UNLIMITED) -> Move:
        """The move to make now. It may raise ``Instead`` to resign, offer a draw or ask for a takeback."""
        ...


@runtime_checkable
class AsyncPlayer(Protocol):
    """A Player whose methods are coroutines, for the async driver, which can cut it off."""

    @property
    def name(self) -> str: ...

    async def choose(self, position: Position, clock: Clock = UNLIMITED) -> Move: ...


class Instead(Exception):
    """Raised by ``choose`` to do something else than move; it always speaks for the player's own seat."""

    def __init__(self, event: type[Resign] | type[OfferDraw] | type[RequestTakeback]) -> None:
        if event not in (Resign, OfferDraw, RequestTakeback):
            raise MatchError(f"{event!r} cannot be done instead of a move")
        super().__init__(event.kind)
        self.event = event


class Offence(Exception):
    """Raised by a player for a program that it speaks for: why that one forfeits, whoever sits at the match."""

    def __init__(self, reason: str, detail: str = "") -> None:
        if reason not in OFFENCES:
            raise MatchError(f"{reason!r} is no reason to forfeit; {', '.join(OFFENCES)} are")
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.reason, self.detail = reason, detail


def hook(player: object, name: str) -> Any:
    """The player's optional method of that name, or None."""
    method = getattr(player, name, None)
    return method if callable(method) else None
