"""How much a reader takes in before it calls a record damaged."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on one record, so that no input costs unbounded memory or time.

    Variations nest at most `metatac.notation.MAX_DEPTH` deep, and a comment or tag value is at most
    `metatac.notation.MAX_TEXT` characters long: these bind every record, read or not.
    """

    chars: int = 4 * 1024 * 1024  #: of one record, and so of any line
    plies: int = 50_000  #: moves of one record, variations included


DEFAULT_LIMITS = Limits()
