"""metatac analyze: how good each move of a position is, and where a game went wrong."""

import json
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from metatac.cli.arguments import (
    AsJson,
    GameOrNone,
    Moves,
    PositionText,
    Settings,
    history_of,
    seconds_of,
)
from metatac.cli.files import check_place, write_file
from metatac.cli.records import one_record
from metatac.cli.waiting import interruptible, stop_on_interrupt
from metatac.game import Game as History
from metatac.game import Move, Position
from metatac.notation import Record
from metatac.render import Svg, board_svg

if TYPE_CHECKING:
    from metatac.engine.alphabeta import Limits
    from metatac.engine.analysis import Analyst
    from metatac.engine.results import Analysis

app = typer.Typer(add_completion=False)

SECONDS_A_MOVE = 0.5
"""For each position of a record, unless there is another limit."""


@app.command()
def analyze(
    game: GameOrNone = None,
    settings: Settings = None,
    moves: Moves = "",
    text: PositionText = None,
    file: Annotated[
        Path | None, typer.Option("--record", metavar="FILE", help="Analyse a whole game; - reads standard input.")
    ] = None,
    only: Annotated[int | None, typer.Option(min=1, metavar="N", help="The Nth record of the file.")] = None,
    player: Annotated[
        str, typer.Option("--with", metavar="PLAYER", help="Who analyses: engine, minimax:4, mcts:2s, …")
    ] = "engine",
    time: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="For a position, as in 5s.", show_default="2s; 0.5s for each of a record"),
    ] = None,
    nodes: Annotated[int | None, typer.Option(min=1, max=2**62, metavar="N", help="Positions to search.")] = None,
    depth: Annotated[int | None, typer.Option(min=1, max=2**62, metavar="N", help="Moves to look ahead.")] = None,
    lines: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Value only the N best moves, which goes deeper.", show_default="all"),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a picture (SVG): the heat map, or how the game went.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Say how good each move of a position is, or where a game went wrong, and what is better."""
    if plot is not None:
        if plot.suffix.lower() != ".svg":
            raise typer.BadParameter(f"--plot {plot}: the picture is SVG, so the file's name ends with .svg")
        check_place(plot)
    if game is None and text is None and file is None:
        raise typer.BadParameter("name a GAME, a --position or a --record")
    if file is None:
        _check_absent("--record", only=only)
        _analyze_position(history_of(game, settings, moves, text), player, (time, nodes, depth), lines, plot, as_json)
    else:
        if game is not None:
            raise typer.BadParameter(f"the record says which game it is; {game!r} is one too many")
        _check_absent("one position", set=settings, moves=moves, position=text, lines=lines)
        _analyze_record(one_record(file, only), player, (time, nodes, depth), plot, as_json)


def _check_absent(home: str, **options: object) -> None:
    for name, value in options.items():
        if value:
            raise typer.BadParameter(f"--{name} goes with {home}")


Asked = tuple[str | None, int | None, int | None]
"""--time, --nodes and --depth."""


def _limits(asked: Asked) -> "Limits | None":
    """What --time, --nodes and --depth say, if they say anything."""
    from metatac.engine.alphabeta import Limits

    time, nodes, depth = asked
    limits = Limits(depth, nodes, seconds_of(time))
    return None if limits == Limits() else limits


def _analyst(player: str, limits: "Limits | None") -> "Analyst":
    from metatac.players.analysts import load_analyst

    return load_analyst(player, limits)


def _analyze_position(
    history: History, player: str, asked: Asked, lines: int | None, plot: Path | None, as_json: bool
) -> None:
    from metatac.cli.analysis_view import LiveView, position_report
    from metatac.engine.analysis import analyze as ask
    from metatac.engine.analysis import get_ready

    here, last = history.position, history.last_move
    limits = _limits(asked)
    analyst = _analyst(player, limits)
    ready = partial(get_ready, here, analyst, limits)
    with stop_on_interrupt(ready) as stop, LiveView(here, last, lines, wanted=not as_json) as view:
        found = interruptible(
            lambda: ask(here, analyst, limits=limits, lines=lines, stop=stop, on_analysis=view.note), view.show
        )
    typer.echo(json.dumps(found.to_dict(), indent=2) if as_json else position_report(here, last, found, lines))
    if plot is not None:
        _write(plot, _heat_map(here, last, found))
    if stop.is_set():
        raise typer.Exit(130)


def _heat_map(here: Position, last: Move | None, found: "Analysis") -> Svg:
    return board_svg(here, last=last, heat=found.heat(), size=720 if here.rules.depth == 3 else 480)


def _analyze_record(record: Record, player: str, asked: Asked, plot: Path | None, as_json: bool) -> None:
    from metatac.cli.record_view import RecordProgress, evaluation_plot, record_report
    from metatac.engine.alphabeta import Limits
    from metatac.engine.analysis import get_ready
    from metatac.engine.record_analysis import analyze_record

    limits = _limits(asked)
    analyst = _analyst(player, limits)
    if limits is None and player == "engine":
        limits = Limits(seconds=SECONDS_A_MOVE)
    ready = partial(get_ready, record.start, analyst, limits)
    with stop_on_interrupt(ready) as stop, RecordProgress(len(record.plies)) as progress:
        found = interruptible(
            lambda: analyze_record(record, analyst, limits=limits, stop=stop, on_ply=progress.note), progress.show
        )
    typer.echo(json.dumps(found.to_dict(), indent=2) if as_json else record_report(record, found))
    if plot is not None:
        _write(plot, evaluation_plot(record, found))
    if stop.is_set():
        raise typer.Exit(130)


def _write(path: Path, picture: Svg) -> None:
    write_file(path, [picture])
    print(f"picture in {path}", file=sys.stderr)
