"""How a tournament looks in the terminal: the table while it runs, and the page at its end."""

import sys
import time
from collections.abc import Iterable

from rich import box
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from metatac.arena.elo import whole_elo
from metatac.arena.runner import Progress
from metatac.arena.standings import Row, Standings, standings_of

QUIET = 15.0
"""Seconds between two lines where nobody watches a terminal."""

REFRESH = 0.5

CROSSTABLE = 16
"""Players up to whose number everybody's games against everybody fit on a page."""


class Watcher:
    """The standings on stderr: a table that changes on a terminal, a line now and then elsewhere."""

    def __init__(self) -> None:
        self._console = Console(stderr=True)
        self._live = Live(console=self._console, auto_refresh=False, transient=True) if sys.stderr.isatty() else None
        self._due = 0.0 if self._live else time.monotonic() + QUIET

    def __enter__(self) -> "Watcher":
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    def show(self, progress: Progress) -> None:
        now = time.monotonic()
        if now < self._due:
            return
        if self._live is None:
            self._due = now + QUIET
            print(progress_line(progress), file=sys.stderr, flush=True)
            return
        found = standings_of(progress.plan, list(progress.results.values()))
        room = max(3, self._console.height - 5)
        head = Text(f"{progress.plan.name}  ", style="bold") + Text(progress_line(progress), style="not bold")
        self._live.update(Group(head, standings_table(found, found.rows[:room], brief=True)), refresh=True)
        # Working it out may take long with many players: the games come first.
        self._due = time.monotonic() + max(REFRESH, 10 * (time.monotonic() - now))


def progress_line(progress: Progress) -> str:
    line = f"{len(progress.results)}/{progress.expected} games"
    if progress.played:
        line += f"  {progress.rate:.2g} games/s" if progress.rate < 10 else f"  {progress.rate:.0f} games/s"
    left = progress.seconds_left
    return line + (f"  {duration(left)} left" if left is not None and left > 0 else "")


def duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {rest:02} s" if minutes else f"{rest} s"


def standings_table(found: Standings, rows: Iterable[Row], *, brief: bool = False) -> Table:
    """One line for each player; ``brief`` leaves out the tie-breaks, for which a terminal is narrow."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("", justify="right", no_wrap=True, min_width=2)
    table.add_column("player", no_wrap=True, overflow="ellipsis")
    rows = list(rows)
    main = found.plan.rank
    breaks = [name for name in found.plan.tiebreaks if not brief and any(name in row.tiebreaks for row in rows)]
    rules = found.plan.rule_set
    plain = rules.points == "result" and rules.win_points == 1  # then points are the score once more
    columns = [main, *(name for name in ("score", "points") if name != main and name not in breaks and not plain)]
    for name in (*columns, "games", "won", "drawn", "lost", "forfeits", *breaks, "Elo", "LOS"):
        table.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        values = {"score": row.score, "points": row.points} | {main: row.total}
        table.add_row(
            str(row.rank),
            Text(row.name),
            *(tidy(values[name]) for name in columns),
            *(str(value) for value in (row.played, row.won, row.drawn, row.lost)),
            str(row.forfeits or ""),
            *(tidy(row.tiebreaks[name]) if name in row.tiebreaks else "" for name in breaks),
            "" if row.rating is None or row.error is None else f"{whole_elo(row.rating)} ± {row.error:.0f}",
            "" if row.superior is None else f"{100 * row.superior:.0f} %",
        )
    return table


def crosstable(found: Standings) -> Table:
    """What each has scored against each, in the order of the standings."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("", justify="right")
    table.add_column("player", no_wrap=True)
    for place in range(1, len(found.rows) + 1):
        table.add_column(str(place), justify="right")
    for place, row in enumerate(found.rows, 1):
        cells = [found.crosstable.get((row.player, other.player)) for other in found.rows]
        table.add_row(str(place), Text(row.name), *("·" if cell is None else tidy(cell.score) for cell in cells))
    return table


def show_page(found: Standings) -> None:
    """The standings, who beat whom, how games ended, and what was odd."""
    console = Console(width=None if sys.stdout.isatty() else 200)
    plan = found.plan
    state = "finished" if found.finished else "not finished"
    head = f"{plan.format}, {len(plan.players)} players, {found.played} of {found.expected} games, {state}"
    console.print(Text(plan.name, style="bold") + Text(f"  {plan.rules}, {head}", style="not bold"))
    console.print(standings_table(found, found.rows))
    console.print()
    if len(found.rows) <= CROSSTABLE:
        console.print(crosstable(found))
        console.print()
    console.print(Text("ended by  " + ", ".join(f"{reason} {games}" for reason, games in found.reasons.items())))
    for row in found.rows:
        for reason, games in row.forfeit_reasons.items():
            console.print(Text(f"forfeits  {row.name}: {games} × {reason}"))
    if found.byes and plan.format == "swiss":
        byes = ", ".join(f"{found.name(player)} (round {number})" for number, player, _ in found.byes)
        console.print(Text(f"byes      {byes}: a meeting won"))
    for name, why in plan.left_out:
        console.print(Text(f"left out  {name}: {why}"))
    if found.void:
        console.print(
            Text(f"void      games {', '.join(str(number + 1) for number in found.void)}: they could not be played")
        )


def tidy(value: float) -> str:
    return f"{round(value, 2):g}"
