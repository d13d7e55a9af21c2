"""A tournament as one page of HTML, complete in itself: standings, plots, and every game on a board.

It fetches nothing. Names, reasons and what bots wrote come from strangers: all of it is escaped, or put in by the
script as text. The games lie in the page as compressed pieces; only the one that is looked at is unpacked.
"""

import base64
import html
import json
import time
import zlib
from collections.abc import Iterator
from importlib import resources
from typing import Any

from metatac import __version__
from metatac.arena.elo import whole_elo
from metatac.arena.standings import Row, Standings
from metatac.game import start
from metatac.match import OFFENCES
from metatac.notation import Record
from metatac.render import board_svg
from metatac.render.replay import replay_script, replay_steps
from metatac.store import Database
from metatac.store.tournaments import StoredGame, load_games

CHUNK = 100
"""Games in one piece."""

MOST_CROSSED = 60
"""Players up to whose number the page has a crosstable."""

MOST_STDERR = 2000
"""Characters kept of what a bot that forfeited wrote; all of it is in the database."""

MARK_WIDTH, MARK_HEIGHT = 150, 18

_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
)


def report_page(database: Database, found: Standings) -> Iterator[str]:
    """The page, piece by piece: a large tournament is never in memory whole."""
    plan, escape = found.plan, html.escape
    rules = plan.rule_set
    yield "<!DOCTYPE html>\n"
    yield f'<html lang="en"><head><meta charset="utf-8"><title>{escape(plan.name)}</title>\n'
    yield f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    yield f"<style>{_file('report.css')}</style></head><body><main>\n"
    yield f"<h1>{escape(plan.name)}</h1>\n"
    yield f'<p class="sub">{escape(_subtitle(found))}</p>\n'
    yield _podium(found)
    yield _section("Standings", _standings(found) + _notes(found))
    if len(found.rows) <= MOST_CROSSED:
        yield _section("Who beat whom", _crosstable(found))
    yield _section("How games ended", _endings(found) + _forfeits(found))
    yield _file("games.html").replace("<!-- board -->", board_svg(start(rules), size=430))
    yield f"<footer>Made by metatac {__version__} on {time.strftime('%d %B %Y')}.</footer></main>\n"
    yield from _data(database, found)
    yield f"<script>{replay_script()}</script>\n<script>{_file('report.js')}</script></body></html>\n"


def _file(name: str) -> str:
    return (resources.files("metatac.arena.page") / name).read_text("utf-8")


def _section(title: str, content: str) -> str:
    return f"<section><h2>{title}</h2>\n{content}</section>\n"


def _subtitle(found: Standings) -> str:
    plan = found.plan
    rules = plan.rule_set
    parts = [rules.title or rules.name, plan.format.replace("-", " "), f"{len(plan.players)} players"]
    parts.append(
        f"{found.played:,} games" if found.finished else f"{found.played:,} of {found.expected:,} games so far"
    )
    if found.games:
        parts.append(time.strftime("%d %B %Y", time.localtime(max(game.ended for game in found.games))))
    return " · ".join(parts)


def _podium(found: Standings) -> str:
    places = ("Winner" if found.finished else "Leader", "Second", "Third")
    cards = []
    for row in found.rows[:3]:
        if row.rank <= 3 and row.played:
            kind = ' class="first"' if row.rank == 1 else ""
            elo = "" if row.rating is None else f", Elo {whole_elo(row.rating)}"
            cards.append(
                f'<div{kind}><span class="place">{places[row.rank - 1]}</span><b>{html.escape(row.name)}</b>'
                f'<span class="dim">{found.plan.rank} {number(row.total)}, {row.won} won, {row.drawn} drawn,'
                f" {row.lost} lost{elo}</span></div>"
            )
    return f'<div class="podium">{"".join(cards)}</div>\n'


# -- the standings


def _standings(found: Standings) -> str:
    plan = found.plan
    rules = plan.rule_set
    breaks = [name for name in plan.tiebreaks if any(name in row.tiebreaks for row in found.rows)]
    plain = rules.points == "result" and rules.win_points == 1
    extra = [name for name in ("score", "points") if name != plan.rank and name not in breaks and not plain]
    heads = [plan.rank, *extra, "games", "won, drawn, lost", "", *breaks, "Elo", "", "LOS"]
    failing = any(row.forfeits for row in found.rows)
    heads += [*(["forfeits"] if failing else []), "s/move"]
    reach = _reach(found)
    lines = [
        f'<div class="wide"><table class="standings"><thead><tr><th></th><th class="left name">player</th>'
        f"{''.join(f'<th>{name}</th>' for name in heads)}</tr></thead><tbody>"
    ]
    for row in found.rows:
        values = {"score": row.score, "points": row.points}
        forfeits = ", ".join(f"{count} × {reason}" for reason, count in row.forfeit_reasons.items())
        cells = [number(row.total), *(number(values[name]) for name in extra), str(row.played)]
        cells += [f"+{row.won} ={row.drawn} −{row.lost}", _results_bar(row)]
        cells += [number(row.tiebreaks[name]) if name in row.tiebreaks else "" for name in breaks]
        elo = "" if row.rating is None or row.error is None else f"{whole_elo(row.rating)} ± {row.error:.0f}"
        cells += [elo, _whisker(row, reach), "" if row.superior is None else f"{100 * row.superior:.0f} %"]
        if failing:
            cells += [f'<span class="forfeit" title="{html.escape(forfeits)}">{row.forfeits or ""}</span>']
        cells += [f'<span class="dim" title="longest {row.longest:.3f} s">{row.seconds:.3f}</span>']
        lines.append(
            f'<tr><td class="dim">{row.rank}</td><td class="left name" title="{html.escape(row.name)}">'
            f"{html.escape(row.name)}</td>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"
        )
    return "\n".join([*lines, "</tbody></table></div>"])


def _reach(found: Standings) -> float:
    """How far the axis of the ratings goes to each side, in Elo."""
    ends = [abs(row.rating) + row.error for row in found.rows if row.rating is not None and row.error is not None]
    return min(max(ends, default=100.0), 2000.0) or 100.0


def _whisker(row: Row, reach: float) -> str:
    """The rating and its 95 % interval on the axis that all players share."""
    if row.rating is None or row.error is None:
        return ""

    def x(elo: float) -> float:
        return MARK_WIDTH * (0.5 + min(1.0, max(-1.0, elo / reach)) * 0.48)

    middle = MARK_HEIGHT / 2
    return (
        f'<svg class="rating" width="{MARK_WIDTH}" height="{MARK_HEIGHT}" role="img">'
        f"<title>{whole_elo(row.rating)} ± {row.error:.0f}</title>"
        f'<path class="axis" d="M{MARK_WIDTH / 2} 0v{MARK_HEIGHT}"/>'
        f'<path class="whisker" d="M{x(row.rating - row.error):.1f} {middle}H{x(row.rating + row.error):.1f}"/>'
        f'<circle class="dot" cx="{x(row.rating):.1f}" cy="{middle}" r="4"/></svg>'
    )


def _results_bar(row: Row) -> str:
    width, height, x, parts = 90, 10, 0.0, []
    for kind, count in (("won", row.won), ("drawn", row.drawn), ("lost", row.lost)):
        share = width * count / max(1, row.played)
        parts.append(f'<rect class="{kind}" x="{x:.1f}" width="{share:.1f}" height="{height}"/>' if count else "")
        x += share
    size = f'width="{width}" height="{height}"'
    return f'<svg class="results" {size} role="img"><title>{row.won} won</title>{"".join(parts)}</svg>'


def _notes(found: Standings) -> str:
    plan, ratings = found.plan, found.ratings
    notes = [
        f"Ranked by {plan.rank}" + (f", then {', '.join(plan.tiebreaks)}." if plan.tiebreaks else "."),
        f"Time: {plan.time}. Pairs of games with colours swapped, seed {plan.seed}.",
    ]
    if ratings is not None:
        notes.append(
            "Elo are relative to the mean of all players, ± is the 95 % interval, LOS how likely it is that a player "
            f"is stronger than the next. Having X was worth {whole_elo(ratings.advantage)} Elo."
        )
    if found.byes and plan.format == "swiss":
        byes = ", ".join(f"{found.name(player)} (round {round_})" for round_, player, _ in found.byes)
        notes.append(f"Byes: {byes}.")
    notes += [f"Left out: {name}: {reason}" for name, reason in plan.left_out]
    if found.void:
        notes.append(f"Games that could not be played: {', '.join(str(number + 1) for number in found.void)}.")
    return f'<div class="notes">{"".join(f"<p>{html.escape(note)}</p>" for note in notes)}</div>'


# -- who beat whom


def _crosstable(found: Standings) -> str:
    """Shares of what could be had: blue where the player of the row has more, orange where less."""
    places = range(1, len(found.rows) + 1)
    lines = [
        f'<div class="wide"><table class="cross"><thead><tr><th></th><th class="left">player</th>'
        f"{''.join(f'<th>{place}</th>' for place in places)}</tr></thead><tbody>"
    ]
    for place, row in enumerate(found.rows, 1):
        cells = []
        for other in found.rows:
            cell = found.crosstable.get((row.player, other.player))
            if other is row or cell is None:
                cells.append('<td class="self"></td>' if other is row else "<td></td>")
                continue
            lead = 2 * cell.score / cell.played - 1
            soft = "var(--x-soft)" if lead > 0 else "var(--o-soft)"
            title = html.escape(f"{row.name} – {other.name}: +{cell.won} ={cell.drawn} −{cell.lost}")
            shade = f"color-mix(in srgb,{soft} {abs(lead) * 100:.0f}%,transparent)"
            cells.append(f'<td style="background:{shade}" title="{title}">{number(cell.score)}</td>')
        name = html.escape(row.name)
        lines.append(
            f'<tr><td class="dim">{place}</td><td class="left" title="{name}">{name}</td>{"".join(cells)}</tr>'
        )
    return "\n".join([*lines, "</tbody></table></div>"])


# -- how games ended


def _endings(found: Standings) -> str:
    if not found.reasons:
        return "<p>No game has ended yet.</p>"
    most, height = max(found.reasons.values()), 26
    bars = []
    for index, (reason, count) in enumerate(found.reasons.items()):
        y, width = index * height, max(2.0, 420 * count / most)
        kind = "lost" if reason in OFFENCES else "bar"
        bars.append(
            f'<text x="130" y="{y + 17}" text-anchor="end">{html.escape(reason)}</text>'
            f'<rect class="{kind}" x="140" y="{y + 5}" width="{width:.1f}" height="16" rx="3"/>'
            f'<text class="count" x="{148 + width:.1f}" y="{y + 17}">{count:,}</text>'
        )
    size = f'viewBox="0 0 640 {height * len(bars)}" width="640" height="{height * len(bars)}"'
    return f'<svg class="ends" {size} role="img"><title>How games ended</title>{"".join(bars)}</svg>'


def _forfeits(found: Standings) -> str:
    rows = [row for row in found.rows if row.forfeits]
    if not rows:
        return ""
    lines = [
        '<table><thead><tr><th class="left">forfeits</th><th>games</th><th class="left">why</th></tr></thead><tbody>'
    ]
    for row in rows:
        why = ", ".join(f"{count} × {reason}" for reason, count in row.forfeit_reasons.items())
        name = html.escape(row.name)
        lines.append(f'<tr><td class="left name">{name}</td><td>{row.forfeits}</td><td class="left">{why}</td></tr>')
    return '<div class="wide">' + "\n".join(lines) + "</tbody></table></div>"


# -- the games


def _data(database: Database, found: Standings) -> Iterator[str]:
    """What the script shows: the list of games, and what is needed to replay them, in pieces."""
    plan = found.plan
    index = {
        "names": [entrant.name for entrant in plan.players],
        "chunk": CHUNK,
        "side": plan.rule_set.side,
        "depth": plan.rule_set.depth,
        "games": [
            [
                game.number, *found.rounds.get(game.number, (0, "")), game.x, game.o, game.result, game.reason,
                game.detail, game.points_x, game.points_o,
            ]
            for game in found.games
        ],
    }  # fmt: skip
    yield _packed("index", index)
    numbers = [game.number for game in found.games]
    for piece, first in enumerate(range(0, len(numbers), CHUNK)):
        games = load_games(database, found.id, numbers=numbers[first : first + CHUNK], heavy=True)
        yield _packed(f"piece-{piece}", [_replayable(game) for game in games])


def _replayable(game: StoredGame) -> list[Any]:
    record = Record.from_text(game.record)
    opening = next((n for n, ply in enumerate(record.plies) if ply.spent is not None), len(record.plies))
    failed = game.reason in OFFENCES
    errors = [text[-MOST_STDERR:] if failed else "" for text in (game.stderr_x, game.stderr_o)]
    return [" ".join(map(str, record.moves)), "|".join(replay_steps(record)), opening, errors]


def _packed(name: str, data: Any) -> str:
    plain = json.dumps(data, separators=(",", ":"), ensure_ascii=False).encode()
    return f'<script type="text/plain" id="{name}">{base64.b64encode(zlib.compress(plain, 9)).decode()}</script>\n'


def number(value: float) -> str:
    return f"{round(value, 2):g}"
