"""Standings and games of a tournament as plain data and as CSV, for other programs."""

import csv
import io
from collections.abc import Iterable
from typing import Any

from metatac.arena.standings import GameRow, Standings


def standings_data(found: Standings) -> dict[str, Any]:
    """Everything that the games say, as JSON can hold it."""
    plan, ratings = found.plan, found.ratings
    return {
        "name": plan.name,
        "game": plan.rules,
        "format": plan.format,
        "time": plan.time,
        "seed": plan.seed,
        "games": found.played,
        "expected": found.expected,
        "finished": found.finished,
        "rank": plan.rank,
        "tiebreaks": list(plan.tiebreaks),
        "standings": [
            {
                "rank": row.rank,
                "name": row.name,
                "player": plan.players[row.player].player,
                "played": row.played,
                "won": row.won,
                "drawn": row.drawn,
                "lost": row.lost,
                "score": row.score,
                "points": row.points,
                "total": row.total,
                "byes": row.byes,
                "forfeits": row.forfeit_reasons,
                "tiebreaks": row.tiebreaks,
                "elo": None if row.rating is None else round(row.rating, 2),
                "error": None if row.error is None else round(row.error, 2),
                "los": None if row.superior is None else round(row.superior, 6),
                "seconds_per_move": round(row.seconds, 6),
                "longest_move": round(row.longest, 6),
            }
            for row in found.rows
        ],
        "crosstable": [
            {
                "player": found.name(a),
                "opponent": found.name(b),
                "won": cell.won,
                "drawn": cell.drawn,
                "lost": cell.lost,
                "score": cell.score,
            }
            for (a, b), cell in sorted(found.crosstable.items())
        ],
        "reasons": found.reasons,
        "advantage_of_x": None if ratings is None else round(ratings.advantage, 2),
        "byes": [
            {"round": round_, "player": found.name(player), "stage": stage} for round_, player, stage in found.byes
        ],
        "void": found.void,
        "left_out": [{"name": name, "reason": reason} for name, reason in plan.left_out],
    }


def standings_csv(found: Standings) -> str:
    """One line for each player."""
    rows = standings_data(found)["standings"]
    for row in rows:
        row["forfeits"] = sum(row["forfeits"].values())
        row["tiebreaks"] = "; ".join(f"{name} {value:g}" for name, value in row["tiebreaks"].items())
    return _csv(list(rows[0]), rows)


def games_csv(games: Iterable[GameRow]) -> str:
    """One line for each game; people count them from 1."""
    header = ["number", "round", "stage", "x", "o", "result", "points_x", "points_o", "reason", "detail", "moves"]
    rows = (
        {name: getattr(game, name) for name in header if not name.startswith("points")}
        | {"number": game.number + 1, "points_x": game.points[0], "points_o": game.points[1]}
        for game in games
    )
    return _csv(header, rows)


def _csv(header: list[str], rows: Iterable[dict[str, Any]]) -> str:
    """CSV in which no cell can be taken for a formula by a spreadsheet: names are chosen by strangers."""
    file = io.StringIO()
    writer = csv.DictWriter(file, header, lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({key: _harmless(value) for key, value in row.items()})
    return file.getvalue()


def _harmless(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r")) else value
