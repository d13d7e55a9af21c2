"""metatac export: a position or a game as a picture, or as a page that is stepped through."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from metatac.cli.arguments import GameOrNone, Moves, PositionText, Settings, history_of
from metatac.cli.files import write_file
from metatac.cli.records import last_record, one_record
from metatac.notation import Record
from metatac.render import board_svg, position_html, record_html

app = typer.Typer(add_completion=False)


class Form(StrEnum):
    """What can be written."""

    svg = "svg"
    html = "html"


class Theme(StrEnum):
    """Which colours; auto follows the reader's settings."""

    auto = "auto"
    light = "light"
    dark = "dark"


@app.command()
def export(
    target: Annotated[
        Path, typer.Argument(metavar="OUT", help="The file to write, .svg or .html; - writes to standard output.")
    ],
    game: GameOrNone = None,
    settings: Settings = None,
    moves: Moves = "",
    text: PositionText = None,
    file: Annotated[
        Path | None,
        typer.Option(
            "--record", metavar="FILE", help="The game of a file of records.", show_default="the game kept last"
        ),
    ] = None,
    only: Annotated[int | None, typer.Option(min=1, metavar="N", help="The Nth record of the file.")] = None,
    at: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="The position after N moves.", show_default="the last")
    ] = None,
    to: Annotated[Form | None, typer.Option(help="What to write, where the name of OUT does not tell.")] = None,
    theme: Annotated[Theme, typer.Option(help="The colours.")] = Theme.auto,
    size: Annotated[int, typer.Option(min=16, max=10_000, help="Width of an SVG in pixels.")] = 480,
) -> None:
    """Write a position or a game as a picture (SVG), or as a page that is stepped through (HTML)."""
    form = to or _form_of(target)
    record = _record(game, settings, moves, text, file, only)
    if at is not None and at > len(record.plies):
        raise typer.BadParameter(f"--at {at}: the game has {len(record.plies)} moves")
    dark = {Theme.auto: None, Theme.light: False, Theme.dark: True}[theme]
    if form is Form.html:
        page = record_html(record, at=at, dark=dark) if record.plies else position_html(record.start, dark=dark)
    else:
        shown = len(record.plies) if at is None else at
        last = next((move for move in reversed(record.moves[:shown]) if move), None)
        page = board_svg(list(record.positions())[shown], last=last, size=size, dark=dark)
    if str(target) == "-":
        sys.stdout.write(page)
        return
    write_file(target, [page])
    typer.echo(f"{target}: {len(page):,} characters")


def _form_of(target: Path) -> Form:
    kinds = {".svg": Form.svg, ".html": Form.html, ".htm": Form.html}
    form = kinds.get(target.suffix.lower())
    if form is None:
        raise typer.BadParameter(f"{target}: the name ends with .svg or .html, or --to says what to write")
    return form


def _record(
    game: str | None, settings: list[str] | None, moves: str, text: str | None, file: Path | None, only: int | None
) -> Record:
    """The game that is meant, be it only a position."""
    if game is None and text is None:
        if settings or moves:
            raise typer.BadParameter("--set and --moves go with a GAME or a --position")
        return last_record(only) if file is None else one_record(file, only)
    if file is not None or only is not None:
        raise typer.BadParameter("--record and --only go without a GAME and a --position")
    return Record.from_game(history_of(game, settings, moves, text))
