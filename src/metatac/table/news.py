"""What a table tells whoever shows it, beside what the referee says."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from metatac.match import Action, Seat

if TYPE_CHECKING:
    from metatac.engine.results import Analysis, SearchResult


@dataclass(frozen=True, slots=True)
class Changed:
    """The board is another one: after undo, redo, a jump, other players, a new or loaded game."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The seat is to move: a person is waited for, or a computer has begun to think."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class GettingReady:
    """What a computer does before it can play, as compiling; without a seat, whoever was asked for advice."""

    seat: Seat | None
    line: str


@dataclass(frozen=True, slots=True)
class Ready:
    seat: Seat


@dataclass(frozen=True, slots=True)
class Thinking:
    """What the computer that is to move has found so far."""

    seat: Seat
    result: "SearchResult"


@dataclass(frozen=True, slots=True)
class Failed:
    """The computer of the seat cannot play this game; the table waits for another one."""

    seat: Seat
    message: str


@dataclass(frozen=True, slots=True)
class Analysed:
    """What is known about the moves of a position; ``done`` with the last word."""

    analysis: "Analysis"
    done: bool


@dataclass(frozen=True, slots=True)
class NotAnalysed:
    message: str


@dataclass(frozen=True, slots=True)
class Unsaved:
    """The game could not be written to disk; the play goes on, and every later move tries again."""

    message: str


@dataclass(frozen=True, slots=True)
class SavedAgain:
    """After an Unsaved: the game is on disk now."""


News = (
    Action
    | Changed
    | Asked
    | GettingReady
    | Ready
    | Thinking
    | Failed
    | Analysed
    | NotAnalysed
    | Unsaved
    | SavedAgain
)
