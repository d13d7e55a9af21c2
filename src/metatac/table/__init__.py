"""One game at a table as people have it, whichever front end shows it: seats, undo, advice, and nothing is lost."""

from metatac.table.news import (
    Analysed,
    Asked,
    Changed,
    Failed,
    GettingReady,
    News,
    NotAnalysed,
    Ready,
    SavedAgain,
    Thinking,
    Unsaved,
)
from metatac.table.plans import Plan, plan_from_file, plan_game, plan_record
from metatac.table.saves import latest_save, saved_games
from metatac.table.seats import Seats, is_person
from metatac.table.series import Series
from metatac.table.table import Table

__all__ = [
    "Analysed",
    "Asked",
    "Changed",
    "Failed",
    "GettingReady",
    "News",
    "NotAnalysed",
    "Plan",
    "Ready",
    "SavedAgain",
    "Seats",
    "Series",
    "Table",
    "Thinking",
    "Unsaved",
    "is_person",
    "latest_save",
    "plan_from_file",
    "plan_game",
    "plan_record",
    "saved_games",
]
