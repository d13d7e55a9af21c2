"""The analysis of a position as text: the board with a heat map, and a table of moves that changes while it deepens."""

import os
import shutil
import sys
from types import TracebackType
from typing import TYPE_CHECKING, Any

from metatac.cli.screen import cut, draw, output_width
from metatac.game import Move, Position

if TYPE_CHECKING:
    from metatac.engine.results import Analysis, MoveAnalysis

SHOWN = 12
"""Moves in the table where no number of lines was asked for."""
LEAST_LINE = 12
"""Columns for the best play at least."""
AROUND = 9
"""Rows of the screen that are not the board or the table."""


def position_report(position: Position, last: Move | None, found: "Analysis", lines: int | None) -> str:
    """Everything about a position, on as many lines as it takes."""
    return "\n".join([_board(position, last, found), *_table(found, lines or SHOWN)])


def _board(position: Position, last: Move | None, found: "Analysis") -> str:
    heat = found.heat()
    text = draw(position, last, heat=heat)
    return f"{text}\nheat: 9 is the best move, 0 the worst" if heat else text


def _table(found: "Analysis", most: int, *, so_far: bool = False) -> list[str]:
    unit = "points" if found.unit == "points" else "1 is a win"
    proven = ", proven" if found.proven else ""
    rows = [f"\nin X's view: value {found.value_x:+.3f} ({unit}), score {found.score_x:.3f}{proven}"]
    if found.moves:
        rows.append(_heads(found))
        rows += [_row(found, one) for one in found.moves[:most]]
    if len(found.moves) > most:
        rest = "" if so_far else f"; --lines {len(found.moves)} shows all"
        rows.append(f"  {most} of {found.legal} moves shown{rest}")
    return [*rows, _work(found)] if found.outcome is None else rows


def _heads(found: "Analysis") -> str:
    depth = f"{'depth':>6}" if found.depth else ""
    return f"  {'move':<6}{'value':>8}{'score':>7}{depth}{_unit(found):>13}          best play"


def _unit(found: "Analysis") -> str:
    return "nodes" if found.depth else "visits"


def _row(found: "Analysis", one: "MoveAnalysis") -> str:
    depth = f"{one.depth:>6}" if found.depth else ""
    known = f"{one.value_x:>+8.3f}{one.score_x:>7.3f}" if one.known else f"{'?':>8}{'?':>7}"
    row = f"  {one.move!s:<6}{known}{depth}{one.nodes:>13,}  {'proven' if one.proven else '':<8}"
    return row + cut(" ".join(map(str, one.line)), max(LEAST_LINE, output_width() - len(row)))


def _work(found: "Analysis") -> str:
    depth = f"depth {found.depth}, " if found.depth else ""
    unit = "positions" if found.depth else "visits"
    return f"{found.by}: {depth}{found.nodes:,} {unit} in {found.seconds:.2f} s, {found.nodes_per_second:,.0f} a second"


class LiveView:
    """What is known so far, in place on a terminal; elsewhere nothing is shown before the end."""

    def __init__(self, position: Position, last: Move | None, lines: int | None, *, wanted: bool) -> None:
        self.position, self.last, self.lines = position, last, lines
        terminal = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
        self._wanted = wanted and terminal and position.outcome is None
        self._live: Any = None
        self._latest: Analysis | None = None
        self._shown: Analysis | None = None

    def __enter__(self) -> "LiveView":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def note(self, found: "Analysis") -> None:
        """Remember what is new; called by the thread that searches."""
        self._latest = found

    def show(self) -> None:
        """Show what is new."""
        if not self._wanted or self._latest is None or self._latest is self._shown:
            return
        from rich.live import Live
        from rich.text import Text

        if self._live is None:
            self._live = Live(auto_refresh=False, transient=True, redirect_stdout=False, redirect_stderr=False)
            self._live.start()
        self._shown = self._latest
        self._live.update(Text.from_ansi(self._frame(self._latest), no_wrap=True, overflow="crop"), refresh=True)

    def _frame(self, found: "Analysis") -> str:
        """As much as the screen takes: where it is low, the table without the board."""
        rows = shutil.get_terminal_size().lines
        most = self.lines or SHOWN
        board = _board(self.position, self.last, found)
        height = board.count("\n") + 1 + min(most, len(found.moves)) + AROUND
        if height > rows:
            board, most = "", max(1, min(most, rows - AROUND))
        table = _table(found, most, so_far=True)
        return "\n".join([*([board] if board else []), *table, "Ctrl-C ends it"])
