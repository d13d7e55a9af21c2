"""metatac engine: the engine for other programs, by UGI."""

import sys

import typer

app = typer.Typer(add_completion=False)


@app.command()
def engine() -> None:
    """Speak UGI on standard input and output, for programs that let engines play."""
    from metatac.players.ugi import serve

    serve(sys.stdin.buffer, sys.stdout)
