"""The analysis of a game as text and as a plot, and how far it has come."""

import shutil
import time
from types import TracebackType
from typing import TYPE_CHECKING

from metatac.cli.screen import LiveLine, count_of, cut, output_width, takes_lines, wants_color
from metatac.notation import Record
from metatac.render import PlotPoint, Svg, evaluation_svg
from metatac.render.plot import MARKS

if TYPE_CHECKING:
    from metatac.engine.record_analysis import PlyAnalysis, RecordAnalysis

BARS, DIGITS = "▁▂▃▄▅▆▇█", "0123456789"
LONGEST_LINE = 8
"""Moves of the best play that are shown."""
QUIET = 15.0
"""Seconds between two words of progress where they do not go to a terminal."""
SGR = {"inaccuracy": "33", "mistake": "38;5;208", "blunder": "1;31"}


def title_of(record: Record) -> str:
    """The game, who played it, and how it ended."""
    tags = record.tags
    names = f"{tags.get('X', 'X')} – {tags.get('O', 'O')}, " if "X" in tags or "O" in tags else ""
    how = f" ({record.termination})" if record.termination else ""
    return f"{record.rules.name}: {names}{record.result}{how}"


def record_report(record: Record, found: "RecordAnalysis") -> str:
    """The moves with what is to be said about them, the course of the game, and how each side played."""
    unit = "points" if found.unit == "points" else "1 is a win"
    rows = [title_of(record), f"by {found.by}; values in X's view ({unit})", ""]
    rows += [_ply(ply) for ply in found.moves]
    if not found.moves:
        rows.append(f"no moves; the position is worth {found.value_x:+.3f}")
    if not found.complete:
        rows.append(f"stopped after {len(found.moves)} of {count_of(len(record.plies), 'move')}")
    if found.moves:
        scores = [found.score_x, *(ply.score_x for ply in found.moves)]
        rows += ["", f"score  {sparkline(scores)}", *_players(record, found)]
    return "\n".join(rows)


def _ply(ply: "PlyAnalysis") -> str:
    sign = MARKS[ply.judgment][0] if ply.judgment else ""
    proven = " proven" if ply.proven else ""
    row = f"{ply.number:>4}. {ply.turn} {str(ply.move) + sign:<8}{ply.value_x:>+9.3f}{proven:<7}"
    if ply.judgment is None:
        return row.rstrip()
    best_play = " ".join(map(str, ply.line[:LONGEST_LINE])) + (" …" if len(ply.line) > LONGEST_LINE else "")
    said = f"{ply.judgment}, {ply.loss:.3f} lost; better ({ply.best_value_x:+.3f}): "
    best = len(str(ply.line[0])) + len(" …") if ply.line else 0  # which is to be told in any case
    said += cut(best_play, max(best, output_width() - len(row) - 2 - len(said)))
    color = SGR[ply.judgment]
    return f"{row}  \x1b[{color}m{said}\x1b[0m" if wants_color() else f"{row}  {said}"


def _players(record: Record, found: "RecordAnalysis") -> list[str]:
    heads = ("accuracy", "mean loss", "inaccuracies", "mistakes", "blunders")
    names = {side: f"{side}  {record.tags.get(side, '')[:22]}".rstrip() for side in found.players}
    width = max(6, *map(len, names.values()))
    rows = ["", " " * width + "".join(f"{head:>{len(head) + 2}}" for head in heads)]
    for side, one in found.players.items():
        accuracy = "–" if one.accuracy is None else f"{one.accuracy:.1f} %"
        cells = (accuracy, f"{one.loss:.3f}", one.inaccuracies, one.mistakes, one.blunders)
        shown = (f"{cell:>{len(head) + 2}}" for head, cell in zip(heads, cells, strict=True))
        rows.append(f"{names[side]:<{width}}" + "".join(shown))
    return rows


def sparkline(scores: list[float]) -> str:
    """The course of a game on one line: the higher, the better for X. Long games are shown in fewer steps."""
    marks = BARS if takes_lines() else DIGITS
    most = max(10, min(shutil.get_terminal_size().columns, 100) - 8)
    if len(scores) > most:
        scores = [scores[round(place * (len(scores) - 1) / (most - 1))] for place in range(most)]
    return "".join(marks[min(len(marks) - 1, int(score * len(marks)))] for score in scores)


def evaluation_plot(record: Record, found: "RecordAnalysis") -> Svg:
    """How the game went, as a picture."""
    points = [PlotPoint(ply.score_x, ply.turn, str(ply.move), ply.judgment or "") for ply in found.moves]
    return evaluation_svg(found.score_x, points, title=title_of(record))


class RecordProgress:
    """How many moves are done, on stderr: several times a second on a terminal, now and then elsewhere."""

    def __init__(self, moves: int) -> None:
        self.moves, self._done, self._shown = moves, 0, -1
        self._line = LiveLine()
        self._due = time.monotonic() + (0.2 if self._line.terminal else QUIET)

    def __enter__(self) -> "RecordProgress":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._line.end()

    def note(self, ply: "PlyAnalysis") -> None:
        """Count a move; called by the thread that searches."""
        self._done = ply.number

    def show(self) -> None:
        """Show what is new, if it is time for that."""
        if self._done == self._shown or time.monotonic() < self._due:
            return
        self._shown, self._due = self._done, time.monotonic() + (0.1 if self._line.terminal else QUIET)
        line = f"{self._done} of {self.moves} moves analysed"
        self._line.show(f"{line}; Ctrl-C ends it" if self._line.terminal else line)
