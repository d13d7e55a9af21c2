"""metatac replay: records stepped through or printed move by move, checked, or turned into the other form."""

import shlex
import sys
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from metatac.cli.records import how_many, last_file, missing, numbered_records, source_of
from metatac.cli.screen import count_of, draw, full_screen, takes_screen
from metatac.errors import InvalidRecord
from metatac.notation import Record, read_records, write_record

app = typer.Typer(add_completion=False)


class Form(StrEnum):
    """What a record can be written as."""

    text = "text"
    json = "json"


@app.command()
def replay(
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="FILE", help="A file of records; - reads standard input.", show_default="the game kept last"
        ),
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Only say whether every record is sound.")] = False,
    to: Annotated[Form | None, typer.Option(help="Write the records in this form instead.")] = None,
    only: Annotated[int | None, typer.Option(min=1, metavar="N", help="Only the Nth record.")] = None,
    plain: Annotated[bool, typer.Option("--plain", help="Print it, without the full screen.")] = False,
) -> None:
    """Show, check or convert the games of a file of records."""
    if check and to:
        raise typer.BadParameter("choose one of --check and --to")
    file = file or last_file()
    records = numbered_records(file, only)
    if check:
        _check(file, only)
    elif to:
        for _, record in records:
            write_record(sys.stdout, record, form=to.value)
    else:
        _show_all(file, records, on_screen=takes_screen() and not plain and str(file) != "-")


def _show_all(file: Path, records: Iterator[tuple[int, Record]], *, on_screen: bool) -> None:
    """Print the games; or step through the first on the full screen, and say how many there are."""
    if on_screen:
        number, record = next(records)
        count = how_many(file) or 1
        other = f"metatac replay {shlex.quote(str(file))} --only N shows another"
        full_screen(None, record=record, say=f"Game {number} of {count}; {other}." if count > 1 else "")
        return
    for number, record in records:
        _show(number, record)


def _check(file: Path, only: int | None) -> None:
    """Read everything, or up to the one; say each thing that is wrong, and at the end how much was right."""
    number = damaged = sound = moves = 0

    def note(error: InvalidRecord) -> None:
        nonlocal number, damaged
        number += 1
        if only in (None, number):
            damaged += 1
            typer.echo(f"{file}: {error}", err=True)

    for record in read_records(source_of(file), on_error=note):
        number += 1
        if only in (None, number):
            sound += 1
            moves += len(record.plies)
        if only is not None and number >= only:
            break
    if only is not None and number < only:
        raise missing(file, number, only)
    typer.echo(f"{file}: {count_of(sound, 'sound record')} with {count_of(moves, 'move')}, {damaged} damaged")
    if damaged or not sound:
        raise typer.Exit(1)


def _show(number: int, record: Record) -> None:
    typer.echo(f"record {number}")
    for name, value in record.headers.items():
        typer.echo(f"  {name:<12} {value}")
    if record.comment:
        typer.echo(f"  {record.comment}")
    typer.echo(f"\n{draw(record.start)}\n")
    for step in record.walk():
        indent = "  " * step.depth
        notes = [f"{step.number}. {step.before.turn} plays {step.ply.move}"]
        if step.depth:
            notes.append("(variation)")
        if step.ply.spent is not None:
            notes.append(f"in {step.ply.spent:g} s")
        if step.ply.comment:
            notes.append(f"— {step.ply.comment}")
        typer.echo(indent + " ".join(notes))
        if not step.depth:
            typer.echo(f"{draw(step.after, step.ply.move)}\n")
    typer.echo(f"result {record.result}\n")
