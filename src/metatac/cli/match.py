"""metatac match: games between two players in pairs, and what they say about strength."""

import json
import os
import secrets
import time as clocks
from contextlib import suppress
from enum import StrEnum
from io import StringIO
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from metatac import arena
from metatac.cli.arguments import AsJson, Seed, Settings, complete_game, rules_of, value_of
from metatac.cli.screen import LiveLine, count_of
from metatac.match import TimeControl
from metatac.notation import write_record
from metatac.paths import data_dir
from metatac.players import player_entries

app = typer.Typer(add_completion=False)

GAMES = 200
GAMES_OF_A_TEST = 40_000
QUIET = 15.0
"""Seconds between two lines where the standing does not go to a terminal."""


class Counts(StrEnum):
    """What a game counts."""

    utility = "utility"
    result = "result"


def _complete_player(incomplete: str) -> list[str]:
    names = [entry.name for entry in player_entries() if entry.name != "human"]
    return [name for name in names if name.startswith(incomplete)]


@app.command()
def match(
    a: Annotated[
        str, typer.Argument(metavar="A", help="A player: random, minimax:4, …", autocompletion=_complete_player)
    ],
    b: Annotated[str, typer.Argument(metavar="B", help="Its opponent.", autocompletion=_complete_player)],
    game: Annotated[
        str, typer.Option(help="A game's name or a rules file.", autocompletion=complete_game)
    ] = "ultimate",
    settings: Settings = None,
    games: Annotated[
        int | None, typer.Option(min=2, help=f"Games, at most with --sprt.  [{GAMES}; {GAMES_OF_A_TEST} with --sprt]")
    ] = None,
    time: Annotated[float | None, typer.Option(metavar="S", help="Seconds for every move.")] = None,
    nodes: Annotated[int | None, typer.Option(min=1, help="Nodes for every move, for players that count them.")] = None,
    sprt: Annotated[
        tuple[float, float] | None, typer.Option(metavar="ELO0 ELO1", help="Stop as soon as it is clear which is true.")
    ] = None,
    alpha: Annotated[
        float | None, typer.Option(help="How often the test may find ELO1 wrongly.", show_default="0.05")
    ] = None,
    beta: Annotated[
        float | None, typer.Option(help="How often the test may find ELO0 wrongly.", show_default="0.05")
    ] = None,
    seed: Seed = None,
    plies: Annotated[
        int | None,
        typer.Option("--openings", min=0, metavar="PLIES", help="Random moves before each game.", show_default="4"),
    ] = None,
    count: Annotated[Counts, typer.Option(help="Whether points count, where the game has them.")] = Counts.utility,
    concurrency: Annotated[int, typer.Option(min=1, help="Games played at once, each in a process.")] = 1,
    threads: Annotated[
        int | None,
        typer.Option(
            min=1, help="Threads of each player that takes them.", show_default="its own; 1 with --concurrency"
        ),
    ] = None,
    margin: Annotated[float, typer.Option(min=0.0, help="Seconds over --time that are forgiven.")] = arena.MARGIN,
    adjudicate: Annotated[
        bool, typer.Option("--adjudicate", help="End a game as soon as its result is proved.")
    ] = False,
    save: Annotated[Path | None, typer.Option(help="Add the records of the games to this file.")] = None,
    as_json: AsJson = False,
) -> None:
    """Measure which of two players is stronger, by pairs of games with colours swapped."""
    if time is not None and nodes is not None:
        raise typer.BadParameter("choose one of --time and --nodes")
    if games is not None and games % 2:
        raise typer.BadParameter(f"games come in pairs, and {games} is odd")
    errors = {name: value for name, value in (("alpha", alpha), ("beta", beta)) if value is not None}
    if sprt is None and errors:
        raise typer.BadParameter(f"--{next(iter(errors))} goes with --sprt")
    rules = rules_of(game, settings)
    test = None if sprt is None else arena.Sprt(*sprt, **errors)
    threads = 1 if threads is None and concurrency > 1 else threads
    both, notes = arena.contestants(a, b, nodes=nodes, threads=threads, rules=rules)
    for note in notes:
        typer.echo(note, err=True)
    with value_of("--time"):
        limits = TimeControl() if time is None else TimeControl(move=time)
    tags = (("Event", f"{both[0].label} against {both[1].label}"), ("Date", clocks.strftime("%Y.%m.%d")))
    plan = arena.Plan(
        arena.Setup(rules, both, limits, margin, tags, arena.ADJUDICATION if adjudicate else None),
        pairs=(games or (GAMES if test is None else GAMES_OF_A_TEST)) // 2,
        seed=secrets.randbits(32) if seed is None else seed,
        plies=arena.default_plies(rules) if plies is None else plies,
        sprt=test,
        count=count.value,
        concurrency=concurrency,
    )
    path, is_new = _file_of(save, f"{rules.name}-{clocks.strftime('%Y-%m-%d-%H%M%S')}")
    standing, kept, unsaved = _play(plan, path, is_new)
    if as_json:
        missing = None if unsaved is None else unsaved._asdict()
        records = {"records": str(path) if kept else None, "kept": kept, "unsaved": missing}
        typer.echo(json.dumps(arena.as_data(standing) | records, indent=2))
    else:
        typer.echo(arena.as_text(standing))
        part = f", the first {count_of(kept, 'game')} only" if unsaved else ""
        if kept:
            typer.echo(f"  {'records':<10}{path}{part}")
    if unsaved:
        typer.echo(f"games from {unsaved.first} on could not be written to {path}: {unsaved.reason}", err=True)
    if standing.interrupted:
        raise typer.Exit(130 if standing.interrupted == "interrupted" else 1)
    if unsaved:
        raise typer.Exit(2)


class _Unsaved(NamedTuple):
    """The round of the first game that could not be kept, and why."""

    first: str
    reason: str


def _file_of(save: Path | None, name: str) -> tuple[Path, bool]:
    """The file for the records, there from now on, and whether it is a new one; an OSError if it cannot be written.

    Where the user has named none nobody else has it, though another match began in the same second.
    """
    if save is not None:
        path = save.expanduser()
        path.parent.mkdir(parents=True, exist_ok=True)
        is_new = not path.exists()
        path.open("a").close()
        return path, is_new
    folder = data_dir() / "matches"
    folder.mkdir(parents=True, exist_ok=True)
    tries = 1
    while True:
        path = folder / f"{name}{f'-{tries}' if tries > 1 else ''}.txt"
        try:
            path.open("x").close()
            return path, True
        except FileExistsError:
            tries += 1


def _play(plan: arena.Plan, path: Path, is_new: bool) -> tuple[arena.Standing, int, _Unsaved | None]:
    """Play it; every game is on the disk before the next begins, and the standing on the screen.

    Returns, too, how many games were kept, and which was not. A disk that is full is no reason to lose the result, nor
    is a file that somebody has deleted; a new file in which there is nothing is taken away.
    """
    live = _Live()
    kept = 0
    unsaved: _Unsaved | None = None

    def keep(played: arena.Played) -> None:
        nonlocal kept, unsaved
        if unsaved is not None:
            return
        text = StringIO()
        write_record(text, played.record)
        try:
            if not kept:  # another match with the same file may have taken it away again, when it was empty
                path.touch()
            _append(path, text.getvalue())
            kept += 1
        except OSError as error:
            unsaved = _Unsaved(f"{played.job.pair + 1}.{played.job.game + 1}", error.strerror or str(error))
            if isinstance(error, FileNotFoundError):
                kept = 0  # they went with the file

    try:
        standing = arena.play_series(plan, keep=keep, show=live.show)
        return standing, kept, unsaved
    finally:
        live.end()
        if is_new and not kept:
            with suppress(OSError):
                if not path.stat().st_size:  # another match may have been given the same file
                    path.unlink()


def _append(path: Path, text: str) -> None:
    """Write at the end of the file: all of it, or nothing. It has to be there."""
    before = path.stat().st_size
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(text)
    except OSError:
        with suppress(OSError):  # of a device, which has no size
            os.truncate(path, before)
        raise


class _Live:
    """The standing on stderr, several times a second on a terminal, now and then elsewhere."""

    def __init__(self) -> None:
        self._line = LiveLine()
        self._due = clocks.monotonic() + (0 if self._line.terminal else QUIET)

    def show(self, standing: arena.Standing) -> None:
        now = clocks.monotonic()
        if now >= self._due:
            self._due = now + (0.1 if self._line.terminal else QUIET)
            self._line.show(arena.as_line(standing))

    def end(self) -> None:
        self._line.end()
