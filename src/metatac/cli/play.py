"""metatac play: a game in the terminal, line by line."""

import contextlib
import random
import secrets
import sys
from pathlib import Path
from typing import Annotated

import typer

from metatac.cli.arguments import Game, Seed, Settings, rules_of
from metatac.cli.table import Table, check_writable
from metatac.cli.waiting import MadeReady
from metatac.match import Player, Seat, new_match
from metatac.players import PlayerSpec, load_player, player_entries

app = typer.Typer(add_completion=False)

OPPONENT = "engine:3"
"""Whom a newcomer plays against."""


def _complete_player(incomplete: str) -> list[str]:
    return [entry.name for entry in player_entries() if entry.name.startswith(incomplete)]


@app.command()
def play(
    game: Game = "ultimate",
    settings: Settings = None,
    x: Annotated[
        str | None, typer.Option("--x", help="Who plays X: human, random, …", autocompletion=_complete_player)
    ] = None,
    o: Annotated[
        str | None, typer.Option("--o", help="Who plays O: human, random, …", autocompletion=_complete_player)
    ] = None,
    seed: Seed = None,
    time: Annotated[
        str, typer.Option(help="Time control: none, 30/move, 5m+3s, or game for the game's own limit.")
    ] = "none",
    toss: Annotated[bool, typer.Option("--toss", help="A coin decides who of the two plays X.")] = False,
    save: Annotated[Path | None, typer.Option(help="Add the record of the game to this file.")] = None,
) -> None:
    """Play a game in the terminal, against a friend or an opponent of the machine."""
    rules = rules_of(game, settings)
    # Where nobody can type, and nobody was named, a game is shown instead.
    shown = x is None and o is None and not sys.stdin.isatty()
    if shown:
        typer.echo("No terminal to play at: two random players are shown.")
    specs = _specs(x, o, "human" if sys.stdin.isatty() else "random")
    seed = secrets.randbits(32) if seed is None else seed
    chance = random.Random(seed)
    if toss and chance.random() < 0.5:
        specs.reverse()
    names = (_name(specs[0]), _name(specs[1]))
    table = Table(new_match(rules, time=None if time == "game" else time, names=names))
    players = (_sit(table, "X", specs[0], seed), _sit(table, "O", specs[1], seed))
    if table.people:
        # Line editing and history at the prompt, where Python has them.
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401
    if save is not None:
        check_writable(str(save))
    try:
        table.play(players)
    finally:
        # However it was left, with Ctrl-C too.
        kept = table.keep("" if save is None else str(save))
    if not kept:
        raise typer.Exit(2)


def _specs(x: str | None, o: str | None, person: str) -> list[PlayerSpec]:
    """Who plays X and O. Who is not named is an opponent for a person who is, and else whoever may sit here."""
    if x is None:
        x = OPPONENT if o is not None and PlayerSpec.parse(o).name == "human" else person
    if o is None:
        o = OPPONENT if PlayerSpec.parse(x).name == "human" else person
    return [PlayerSpec.parse(x), PlayerSpec.parse(o)]


def _name(spec: PlayerSpec) -> str:
    return spec.main if spec.name == "human" and spec.main else str(spec)


def _sit(table: Table, seat: Seat, spec: PlayerSpec, seed: int) -> Player:
    """The player of a seat. One seed serves both seats, each with its own stream."""
    if spec.name == "human":
        return table.seat_human(seat, load_player(spec).name)
    options = {}
    entry = next((entry for entry in player_entries() if entry.name == spec.name), None)
    if entry is not None and any(option.name == "seed" for option in entry.options):
        main = entry.main.name if entry.main is not None and spec.main is not None else None
        if main != "seed" and "seed" not in dict(spec.options):
            options["seed"] = random.Random(f"{seed}/{seat}").getrandbits(32)
    player = load_player(spec, **options)
    # Where there is a clock, all must be ready before it starts.
    return player if str(table.match.time) != "none" else MadeReady(player, table.tell)
