"""Many games: who is stronger, by how much, and how sure that is."""

from metatac.arena.contestants import Contestant, contestants
from metatac.arena.elo import Estimate, elo_of, estimate, score_of
from metatac.arena.games import ADJUDICATION, MARGIN, Job, Played, Setup, Used
from metatac.arena.likelihood import CELLS, Scores
from metatac.arena.openings import Opening, default_plies, is_decided, openings
from metatac.arena.report import as_data, as_line, as_text
from metatac.arena.series import Plan, Standing, play_series
from metatac.arena.sprt import Decision, Sprt
from metatac.arena.tally import Count, Results, Tally, score

__all__ = [
    "ADJUDICATION",
    "CELLS",
    "MARGIN",
    "Contestant",
    "Count",
    "Decision",
    "Estimate",
    "Job",
    "Opening",
    "Plan",
    "Played",
    "Results",
    "Scores",
    "Setup",
    "Sprt",
    "Standing",
    "Tally",
    "Used",
    "as_data",
    "as_line",
    "as_text",
    "contestants",
    "default_plies",
    "elo_of",
    "estimate",
    "is_decided",
    "openings",
    "play_series",
    "score",
    "score_of",
]
