"""metatac arena: tournaments, from a file or from options to the standings."""

import contextlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from metatac.cli.arguments import AsJson, Settings, complete_game
from metatac.errors import ArenaError
from metatac.rules import parse_value

app = typer.Typer(add_completion=False, no_args_is_help=True)

Database = Annotated[str, typer.Argument(metavar="DB", help="The tournament's database: a file, or postgresql://…")]
Which = Annotated[
    str | None, typer.Option("--tournament", metavar="NAME", help="Which one, where the database holds several.")
]


@app.callback()
def arena() -> None:
    """Run tournaments of any players and bots, and say what they tell."""


@app.command()
def run(
    sources: Annotated[
        list[str] | None, typer.Argument(metavar="FILE.toml | PLAYER…", help="A tournament's file, or who plays.")
    ] = None,
    bots: Annotated[str | None, typer.Option(metavar="DIR", help="Every bot in this folder plays.")] = None,
    name: Annotated[str | None, typer.Option(help="The tournament's name.")] = None,
    game: Annotated[
        str | None,
        typer.Option(help="A game's name or a rules file.", show_default="ultimate", autocompletion=complete_game),
    ] = None,
    settings: Settings = None,
    format: Annotated[
        str | None, typer.Option(help="round-robin, gauntlet, swiss, knockout or groups.", show_default="round-robin")
    ] = None,
    pairs: Annotated[int | None, typer.Option(help="Pairs of games whenever two meet.", show_default="1")] = None,
    rounds: Annotated[int | None, typer.Option(help="Rounds of a Swiss tournament.")] = None,
    time: Annotated[
        str | None, typer.Option(help="1/move, 5m+3s, none.", show_default="the game's own, or 10/move")
    ] = None,
    openings: Annotated[int | None, typer.Option(metavar="PLIES", help="Random moves before each game.")] = None,
    book: Annotated[str | None, typer.Option(metavar="FILE", help="Openings from this file instead.")] = None,
    adjudicate: Annotated[bool, typer.Option("--adjudicate", help="End a game once its result is proved.")] = False,
    keep: Annotated[
        str | None, typer.Option(help="Whether a bot lives for a game or a match.", show_default="game")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="What is random follows from it.", show_default="1")] = None,
    isolation: Annotated[str | None, typer.Option(help="What bots must be kept in: full, limited, none.")] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Threads and odd system calls of bots forfeit.")] = False,
    cores: Annotated[
        int | None, typer.Option(help="Cores to play on; one game at a time on each.", show_default="1")
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(metavar="DB", help="Where it is kept: a file, or postgresql://…", show_default="FILE.db"),
    ] = None,
    on: Annotated[str | None, typer.Option(metavar="ray[://HOST:PORT]", help="Play on a Ray cluster.")] = None,
    set_key: Annotated[
        list[str] | None, typer.Option("--key", metavar="KEY=VALUE", help="Any other key of a tournament's file.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Play a tournament, or what is left of it: after an interruption the same command goes on."""
    from metatac.arena.tournament_file import Arranged, arrange, load_tournament

    keys: dict[str, Any] = {
        "name": name, "game": game, "format": format, "pairs": pairs, "rounds": rounds, "time": time, "keep": keep,
        "openings": openings, "book": book, "seed": seed, "cores": cores, "database": database, "bots": bots,
        "adjudicate": adjudicate or None,
    }  # fmt: skip
    keys = {key: value for key, value in keys.items() if value is not None} | _pairs(set_key, "--key")
    if settings:
        keys["rules"] = _pairs(settings, "--set")
    bot = {"isolation": isolation, "strict": strict or None}
    if any(value is not None for value in bot.values()):
        keys["bot"] = {key: value for key, value in bot.items() if value is not None}
    files = [source for source in sources or () if source.endswith(".toml")]
    arranged: Arranged
    if files:
        if len(sources or ()) > 1:
            raise ArenaError(f"{files[0]} names its players itself; give the file alone, or players alone")
        arranged = load_tournament(files[0], keys)
    else:
        players = {"players": list(sources)} if sources else {}
        arranged = arrange({"name": "tournament"} | players | keys, Path())
    _run(arranged, on, as_json)


def _pairs(settings: list[str] | None, option: str) -> dict[str, Any]:
    found = {}
    for setting in settings or ():
        key, equals, value = setting.partition("=")
        if not equals:
            raise ArenaError(f"{option} {setting}: key=value is wanted")
        found[key.strip()] = parse_value(value.strip())
    return found


def _run(arranged: Any, on: str | None, as_json: bool) -> None:
    from metatac.arena.runner import run_tournament
    from metatac.cli.arena_view import Watcher, show_page
    from metatac.store import open_database
    from metatac.store.database import told

    plan = arranged.plan
    for who, why in plan.left_out:
        typer.echo(f"left out: {who}: {why}", err=True)
    if arranged.isolation:
        typer.echo(f"bots are kept in isolation: {', '.join(arranged.isolation)}", err=True)
    executor = None
    if on is not None:
        from metatac.arena.on_ray import ray_executor

        executor = ray_executor(on, cores=arranged.cores, retries=arranged.retries)
    with contextlib.closing(open_database(arranged.database)) as database:
        where = database.path or database.url.render_as_string()  # without the password
        try:
            with told(database), Watcher() as watcher:
                run_tournament(
                    plan, database, cores=arranged.cores, folder=arranged.folder, retries=arranged.retries,
                    executor=executor, show=watcher.show,
                )  # fmt: skip
        except KeyboardInterrupt:
            found = _standings(database, plan.name)
            typer.echo(f"interrupted; {found.played} of {found.expected} games are kept in {where}", err=True)
            typer.echo("the same command goes on from there", err=True)
            raise typer.Exit(130) from None
        found = _standings(database, plan.name)
    if as_json:
        _print_json(found)
    else:
        show_page(found)
        typer.echo(f"kept in   {where}")


def _standings(database: Any, which: str | None) -> Any:
    from metatac.arena.standings import standings

    return standings(database, which, rated=True)


def _print_json(found: Any) -> None:
    from metatac.arena.export import standings_data

    typer.echo(json.dumps(standings_data(found), indent=2, ensure_ascii=False))


@app.command()
def show(database: Database, which: Which = None, as_json: AsJson = False) -> None:
    """Show how a tournament stands, or stood in the end."""
    from metatac.cli.arena_view import show_page
    from metatac.store import existing_database

    with contextlib.closing(existing_database(database)) as opened:
        found = _standings(opened, which)
    if as_json:
        _print_json(found)
    else:
        show_page(found)


@app.command()
def report(
    database: Database,
    which: Which = None,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="A page with everything in it.")] = None,
    csv: Annotated[Path | None, typer.Option(metavar="FILE", help="The standings as CSV.")] = None,
    games_csv: Annotated[Path | None, typer.Option(metavar="FILE", help="The games as CSV.")] = None,
    as_json: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Everything but the games.")] = None,
    records: Annotated[Path | None, typer.Option(metavar="FILE", help="The records of all games.")] = None,
) -> None:
    """Write a tournament's results to files: a page with every game on a board, CSV, JSON, records."""
    from metatac.arena import export, page, standings
    from metatac.store import existing_database

    if not any((html, csv, games_csv, as_json, records)):
        raise typer.BadParameter("say what to write: --html, --csv, --games-csv, --json or --records FILE")
    with contextlib.closing(existing_database(database)) as opened:
        found = _standings(opened, which)
        if html is not None:
            _write(html, page.report_page(opened, found))
        if csv is not None:
            _write(csv, [export.standings_csv(found)])
        if games_csv is not None:
            _write(games_csv, [export.games_csv(standings.games(opened, found.id))])
        if as_json is not None:
            _write(as_json, [json.dumps(export.standings_data(found), indent=2, ensure_ascii=False), "\n"])
        if records is not None:
            _write(records, (f"{text}\n" for text in standings.records(opened, found.id)))


def _write(path: Path, parts: Iterable[str]) -> None:
    from metatac.cli.files import write_file

    write_file(path, parts)
    typer.echo(path)
