"""metatac engine: the engine for other programs, by UGI."""

import os
import shutil
import sys
from pathlib import Path

import typer

from metatac.paths import cache_dir

app = typer.Typer(add_completion=False)


@app.command()
def engine() -> None:
    """Speak UGI on standard input and output, for programs that let engines play."""
    _take_compiled_code()
    from metatac.players.ugi import serve

    serve(sys.stdin.buffer, sys.stdout)


def _take_compiled_code() -> None:
    """Where somebody has compiled for us, begin with a copy: our own cache may be a scratch folder that is empty.

    It is copied whole or not at all; without it we compile for ourselves.
    """
    source = Path(os.environ.get("METATAC_CACHE_FROM", ""))
    target = cache_dir() / "compiled" / source.name
    if source.name and source.is_dir() and not target.exists():
        beside = target.with_name(f"{target.name}.{os.getpid()}")
        try:
            shutil.copytree(source, beside)
            beside.rename(target)
        except OSError:  # no room, or another engine was first
            shutil.rmtree(beside, ignore_errors=True)
