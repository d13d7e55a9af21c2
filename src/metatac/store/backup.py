"""A copy of a live SQLite database, whole at one moment."""

import contextlib
import os
import sqlite3
from pathlib import Path

from metatac.errors import StoreError
from metatac.store.database import url_of


def back_up(source: str | os.PathLike[str], target: Path) -> int:
    """Copy the database to a new file; returns its bytes. Writers may go on meanwhile."""
    url = url_of(source)
    if url.get_backend_name() != "sqlite" or not url.database:
        raise StoreError(f"{url.render_as_string()}: back it up with PostgreSQL's own pg_dump")
    if not Path(url.database).is_file():
        raise StoreError(f"{url.database}: there is no such database")
    if target.exists():
        raise StoreError(f"{target}: there is such a file already, and it is kept")
    draft = target.with_name(f"{target.name}.part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        source_uri = f"{Path(url.database).as_uri()}?mode=ro"
        with (
            contextlib.closing(sqlite3.connect(source_uri, uri=True)) as live,
            contextlib.closing(sqlite3.connect(draft)) as copy,
        ):
            live.backup(copy)
        draft.replace(target)
    except (sqlite3.Error, OSError) as error:
        draft.unlink(missing_ok=True)
        raise StoreError(f"{url.database}: cannot be copied to {target}: {error}") from error
    return target.stat().st_size
