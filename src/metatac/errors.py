"""Every exception that metatac raises on purpose. Bad input is always also a ValueError."""

from collections.abc import Sequence


def suggestion(name: str, known: Sequence[str], otherwise: str) -> str:
    """For the message about an unknown name: the one that may be meant; else all there are, after ``otherwise``."""
    import difflib  # here, and not above: everything imports this, and few need it

    near = difflib.get_close_matches(name[:80], known, n=1)
    return f"did you mean {near[0]!r}?" if near else f"{otherwise} {', '.join(known)}"


class MetatacError(Exception):
    """The root of all of them: catch this to catch what metatac reports."""


class RulesError(MetatacError, ValueError):
    """A rule set that cannot be: an unknown key, a wrong type, a combination that makes no sense."""


class InvalidMove(MetatacError, ValueError):
    """Text or numbers that are no move of this game, now or ever."""


class IllegalMove(MetatacError, ValueError):
    """A move of this game that may not be made in this position."""


class InvalidPosition(MetatacError, ValueError):
    """Text or values that describe no position of the game."""


class InvalidArgument(MetatacError, ValueError):
    """A number or value that a function cannot work with."""


class InvalidRecord(MetatacError, ValueError):
    """A game record that cannot be read or does not replay."""


class UnknownPlayer(MetatacError, ValueError):
    """A player's name or option that the registry does not know."""


class MatchError(MetatacError, ValueError):
    """An event that a match cannot take in its present state."""


class ArenaError(MetatacError, ValueError):
    """A series of games that cannot be played, or not be measured, as it was asked for."""


class MissingExtra(MetatacError, ImportError):
    """An optional part that is not installed; the message says which command installs it."""


class ProtocolError(MetatacError, ValueError):
    """A line of a program that we speak with which cannot be followed."""


class StoreError(MetatacError, ValueError):
    """A database that cannot be opened, read or written."""


class BotError(MetatacError, ValueError):
    """A bot that cannot be used: no such file, a build that fails, a protocol without words for the game."""


class IsolationError(MetatacError, ValueError):
    """A bot that cannot be kept within the bounds asked for, on this machine or at all."""


class ServiceError(MetatacError, ValueError):
    """A service that cannot be started as it was asked for: a port in use, more workers than the database allows."""
