"""metatac perft: counts of move sequences, the classic check of move rules."""

from functools import partial
from typing import Annotated

import typer

from metatac.cli.arguments import Game, Settings, rules_of
from metatac.cli.waiting import interruptible
from metatac.game import start

app = typer.Typer(add_completion=False)


@app.command()
def perft(
    game: Game,
    depth: Annotated[int, typer.Argument(min=1, metavar="DEPTH", help="Moves of a sequence.")],
    settings: Settings = None,
    divide: Annotated[bool, typer.Option("--divide", help="Count for each first move by itself.")] = False,
) -> None:
    """Count the sequences of so many moves from the start of a game."""
    first = start(rules_of(game, settings))
    from metatac import kernel

    if divide:
        counts = interruptible(partial(kernel.divide, first, depth))
        for move, count in counts.items():
            typer.echo(f"{move} {count}")
        typer.echo(f"total {sum(counts.values())}")
        return
    for level in range(1, depth + 1):
        count = interruptible(partial(kernel.perft, first, level))
        typer.echo(f"{level} {count}")
