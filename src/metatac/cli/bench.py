"""metatac bench: how fast random games are played here, and a signature of how everything plays."""

import json
import math
from dataclasses import asdict
from functools import partial
from typing import Annotated, Any

import typer

from metatac import __version__
from metatac.cli.arguments import AsJson, Settings, complete_game, rules_of
from metatac.cli.waiting import interruptible
from metatac.rules import RuleSet, preset_names

app = typer.Typer(add_completion=False)


@app.command()
def bench(
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="GAME", help="Games or rules files; all games.", autocompletion=complete_game),
    ] = None,
    settings: Settings = None,
    seconds: Annotated[float, typer.Option(min=0.01, help="Length of one measurement.")] = 0.3,
    rounds: Annotated[int, typer.Option(min=1, help="Measurements, of which the median counts.")] = 3,
    threads: Annotated[int | None, typer.Option(min=1, help="Threads beside one; all cores.")] = None,
    as_json: AsJson = False,
) -> None:
    """Measure random games a second; then the signature of a fixed piece of every search."""
    if not math.isfinite(seconds):
        raise typer.BadParameter(f"--seconds {seconds}: no measurement takes so long")
    chosen = [rules_of(game, settings) for game in games or preset_names()]
    from metatac import kernel
    from metatac.engine import bench as searches
    from metatac.kernel.bench import measure
    from metatac.kernel.bench import signature as signature_of_games

    many = threads or kernel.cores()
    report: dict[str, Any] = {"metatac": __version__, "threads": many, "games": {}}
    if not as_json:
        typer.echo(f"{'':<24}{'one thread':^26}{f'{many} threads':^26}")
        typer.echo(f"{'':<24}" + f"{'games/s':>12}{'plies/s':>14}" * 2)
    for rules in chosen:
        rates = interruptible(partial(measure, rules, (1, many), seconds=seconds, rounds=rounds))
        report["games"][rules.spec] = {
            label: {"games_per_s": round(rate.games_per_s, 1), "plies_per_s": round(rate.plies_per_s, 1)}
            for label, rate in zip(("one_thread", "all_threads"), rates, strict=True)
        }
        if not as_json:
            typer.echo(_line(rules, report["games"][rules.spec]))
    work = {rules.spec: interruptible(partial(searches.searched, rules)) for rules in chosen}
    every = [one for of_a_game in work.values() for one in of_a_game]
    report["searches"] = {spec: [asdict(one) for one in of_a_game] for spec, of_a_game in work.items()}
    report["nodes"] = sum(one.nodes for one in every)
    report["signature"] = searches.signature(every, interruptible(partial(signature_of_games, chosen)))
    if as_json:
        typer.echo(json.dumps(report, indent=2))
    else:
        typer.echo(f"nodes     {report['nodes']}")
        typer.echo(f"signature {report['signature']}")


def _line(rules: RuleSet, rates: dict[str, dict[str, float]]) -> str:
    shown = [f"{rate['games_per_s']:>12,.0f}{rate['plies_per_s']:>14,.0f}" for rate in rates.values()]
    return f"{rules.spec:<24}" + "".join(shown)
