"""metatac db: look after the database of the service."""

import time
from pathlib import Path
from typing import Annotated

import typer

from metatac.paths import data_dir

app = typer.Typer(add_completion=False, help="Bring a database up to date, back it up, or delete old games from it.")

Db = Annotated[
    str | None,
    typer.Option("--db", metavar="FILE_OR_URL", help="A file or postgresql://…", show_default="in the data folder"),
]


def _url(db: str | None) -> str:
    return db or str(data_dir() / "metatac.db")


@app.command()
def upgrade(db: Db = None) -> None:
    """Make or upgrade the tables."""
    from metatac.store import Database, open_database

    file = Database(_url(db)).path
    made = file is not None and not file.exists()
    database = open_database(_url(db))
    typer.echo(f"{database.place} is {'made' if made else 'up to date'}.")
    database.close()


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to; it must not be there yet.")], db: Db = None
) -> None:
    """Copy SQLite's database to a file, also while it is in use."""
    from metatac.store.backup import back_up

    typer.echo(f"{back_up(_url(db), file)} bytes were written to {file}.")


@app.command()
def prune(
    keep_days: Annotated[float, typer.Option(min=0.0, help="Keep games with a move in so many days.")],
    db: Db = None,
) -> None:
    """Delete old games of the web service."""
    from metatac.store import existing_database
    from metatac.store.games import prune_games

    database = existing_database(_url(db))
    try:
        with database.write() as session:
            deleted = prune_games(session, time.time() - keep_days * 86_400)
    finally:
        database.close()
    typer.echo(f"{deleted} game{'' if deleted == 1 else 's'} deleted.")
