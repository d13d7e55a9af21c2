"""What line mode says about a game as a whole: its heading, its end, the score of a series."""

from metatac.cli.screen import count_of
from metatac.players import accepted_forms
from metatac.table import Table

WORDS = (
    "undo [N], redo [N], hint [PLAYER], eval [PLAYER], now, draw, resign, sides, new, board, words, moves, rules, "
    "save [FILE], quit"
)


def heading(table: Table) -> str:
    match, series = table.match, table.series
    rules, (x, o) = match.rules, table.seats.names
    clock = "" if str(match.time) == "none" else f", time {match.time}"
    text = f"{rules.title or rules.name}: {x} (X) against {o} (O){clock}."
    if series.games > 1:
        text = f"Game {series.number} of {series.games}. {text}"
    if table.people:
        text += f"\nType a move as {accepted_forms(rules)[0]}; ? shows other ways.\nOr type {WORDS}."
    return f"{text}\n"


def ending(table: Table) -> str:
    """Who has won, how, and with how many points."""
    result = table.result
    assert result is not None
    x, o = result.points
    return f"{table.verdict}: {result.reason}. Points {x:g} to {o:g}."


def score(table: Table) -> str:
    """How a series stands after a game."""
    series = table.series
    seats = table.seats if len(series.results) % 2 else table.seats.swapped()
    after = "Final score" if series.over else f"Score after {count_of(len(series.results), 'game')}"
    line = f"{after}: {series.text(*seats.names)}."
    if table.match.rules.points == "count":
        line += f" Points {series.points[0]:g} to {series.points[1]:g}."
    return f"{line}\n"
