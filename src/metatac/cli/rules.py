"""metatac rules: the games as data."""

import json
import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from metatac.cli.arguments import AsJson, Game, Settings, rules_of
from metatac.cli.files import write_file
from metatac.cli.screen import rules_text, wrapped
from metatac.cli.waiting import interruptible
from metatac.errors import RulesError
from metatac.rules import RuleSet, load_rules, preset_names
from metatac.rules.schema import HINTS
from metatac.rules.spec import print_key

if TYPE_CHECKING:
    from metatac.kernel.selfcheck import SelfCheck

app = typer.Typer(add_completion=False, no_args_is_help=True, help="List, show, write and check the rules of games.")


@app.command("list")
def list_games(as_json: AsJson = False) -> None:
    """List the built-in games."""
    games = [load_rules(name) for name in preset_names()]
    if as_json:
        typer.echo(json.dumps([_summary(rules) for rules in games], indent=2, ensure_ascii=False))
        return
    for rules in games:
        typer.echo(f"{rules.name:<18} {_extent(rules):<9} {rules.title}")


@app.command()
def show(
    game: Game,
    settings: Settings = None,
    as_toml: Annotated[bool, typer.Option("--toml", help="Print a complete rules file.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show the rules of a game, for people or as a file."""
    rules = rules_of(game, settings)
    if as_toml and as_json:
        raise typer.BadParameter("choose one of --toml and --json")
    if as_json:
        everything = _summary(rules) | {"keys": rules.keys | rules.match_keys}
        typer.echo(json.dumps(everything, indent=2, ensure_ascii=False))
    elif as_toml:
        typer.echo(rules.to_toml(), nl=False)
    else:
        typer.echo(wrapped(f"{rules.title or rules.name} ({_extent(rules)} cells)"))
        if text := rules_text(rules):
            typer.echo(f"\n{text}")
        typer.echo(f"\nname  {rules.spec}\nhash  {rules.digest}")


@app.command()
def new(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The rules file to write.", dir_okay=False)],
    inherits: Annotated[str, typer.Option(help="The game that yours differs from.")] = "ultimate",
) -> None:
    """Write a rules file to begin a game of your own with."""
    rules = load_rules(inherits)
    if inherits not in preset_names():
        if not Path(inherits).is_file():
            raise RulesError(f"--inherits {inherits}: a file inherits a built-in game or another rules file")
        # A file that is inherited is looked for from the folder of the file that inherits it.
        inherits = os.path.relpath(inherits, file.parent)
    text = _template(rules, inherits, file.stem)
    if file.exists():
        raise RulesError(f"{file}: there is such a file already; it was left as it is")
    write_file(file, [text])
    typer.echo(f"{file} is written. Edit it, then: metatac rules check {file}")


@app.command()
def check(
    game: Game,
    settings: Settings = None,
    games: Annotated[int, typer.Option(min=1, help="Random games to play.")] = 100,
    seconds: Annotated[float, typer.Option(min=0, help="Begin no further game after this time.")] = 30.0,
    seed: Annotated[int, typer.Option(help="Other games for another seed.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Load a rules file strictly, play random games of it, and check that everything about it works."""
    rules = rules_of(game, settings)
    from metatac.kernel.selfcheck import check_rules

    report = interruptible(partial(check_rules, rules, games=games, seconds=seconds, seed=seed))
    if as_json:
        typer.echo(json.dumps(report.to_dict(), indent=2, ensure_ascii=False))
    else:
        typer.echo("\n".join(_report_lines(report)))
    if not report.passed:
        raise typer.Exit(1)


def _report_lines(report: "SelfCheck") -> list[str]:
    rules, many = report.rules, report.results
    low, middle, high = report.lengths
    x, o, nobody = (100 * count / many.games for count in (many.x_wins, many.o_wins, many.nobody))
    lines = [
        f"{rules.title or rules.name}: {rules.spec}",
        f"random games  {report.games} compared move by move, {many.games} more played by the kernel",
        f"length        {low} to {high} moves, median {middle:g}",
        f"branching     {report.branching[0]:.1f} legal moves on average, at most {report.branching[1]}",
        f"results       X wins {x:.1f} %, O wins {o:.1f} %, nobody {nobody:.1f} % (first player {x - o:+.1f} %)",
        "",
    ]
    for found in report.findings:
        lines.append(f"ok    {found.name}" if found.passed else f"FAIL  {found.name}: {found.fault}")
    return lines


def _template(rules: RuleSet, inherits: str, name: str) -> str:
    """A file that inherits and changes nothing, and shows every key that it could change."""
    keys = {key: getattr(rules, key) for key in HINTS} | rules.keys
    lines = [f"# {print_key(key, value)}" for key, value in keys.items()]
    width = min(max(map(len, lines)), 44)
    return "\n".join(
        [
            f"# {name}: a game that is {rules.name}, but for what this file states.",
            f"inherits = {json.dumps(inherits, ensure_ascii=False)}",
            f"title = {json.dumps(name, ensure_ascii=False)}",
            'text = """',
            "How the game is played, for people.",
            '"""',
            "",
            "# What it inherits. Take the # away from what you change.",
            *(f"{line:<{width}}  # {hint}" for line, hint in zip(lines, HINTS.values(), strict=True)),
            "",
        ]
    )


def _extent(rules: RuleSet) -> str:
    width = rules.side**rules.depth
    return f"{width} × {width}"


def _summary(rules: RuleSet) -> dict[str, Any]:
    return {
        "name": rules.name,
        "title": rules.title,
        "spec": rules.spec,
        "digest": rules.digest,
        "side": rules.side,
        "depth": rules.depth,
        "cells": rules.cells,
    }
