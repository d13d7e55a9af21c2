"""metatac bot: begin a bot, and see whether it plays."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from metatac.cli.arguments import Settings, complete_game, rules_if_named, rules_of, value_of
from metatac.cli.screen import draw
from metatac.errors import BotError, IsolationError, MetatacError
from metatac.match import TimeControl
from metatac.rules import RuleSet

if TYPE_CHECKING:
    from metatac.players.bots.check import Trial
    from metatac.players.bots.player import BotPlayer

app = typer.Typer(add_completion=False, no_args_is_help=True)


@app.callback()
def bot() -> None:
    """Write a bot to begin with, and check that a bot plays by the rules."""


def _complete_language(incomplete: str) -> list[str]:
    from metatac.players.bots.template import LANGUAGES

    return [name for name in LANGUAGES if name.startswith(incomplete)]


@app.command()
def new(
    name: Annotated[Path, typer.Argument(metavar="NAME", help="The bot's name: a folder of that name is made.")],
    language: Annotated[str, typer.Option(help="python or javascript.", autocompletion=_complete_language)] = "python",
) -> None:
    """Write a bot that plays already, to be changed."""
    from metatac.players.bots.template import new_bot

    file = new_bot(name, language)
    typer.echo(f"{file} is written. Change it, then: metatac bot check {name}")


@app.command()
def check(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="A bot's file or folder, or a folder of bots.")],
    game: Annotated[
        str | None,
        typer.Option(help="What it is to play.", show_default="what its protocol is for", autocompletion=complete_game),
    ] = None,
    settings: Settings = None,
    time: Annotated[
        str | None, typer.Option(help="Time control.", show_default="the game's, or the protocol's")
    ] = None,
    protocol: Annotated[str | None, typer.Option(help="What it speaks.", show_default="recognised")] = None,
    isolation: Annotated[
        str | None,
        typer.Option(help="auto, full, limited or none.", show_default="auto; for a folder of bots full"),
    ] = None,
    entry: Annotated[str | None, typer.Option(help="Which class of a Python file is the bot.")] = None,
    strict: Annotated[bool, typer.Option("--strict", help="As in courses: no threads.")] = False,
) -> None:
    """Let a bot play a few quick games, and say in words what is wrong with it."""
    from metatac.players.bots.isolation import reach
    from metatac.players.bots.manifest import bots_in

    found = bots_in(path)
    if not found:
        raise BotError(f"{path}: there are no bots in this folder")
    if found == [path] and path.is_dir() and len(others := bots_in(path, several=True)) > 1:
        names = ", ".join(other.name for other in others[:5])
        typer.echo(f"{path} is taken for one bot, and {names} for its parts; bots of their own go into a folder each.")
    # Whoever has a folder of bots has those of others.
    isolation = isolation or ("auto" if found == [path] else "full")
    reach(isolation)
    rules = rules_if_named(game, settings, "name it with --game")
    with value_of("--time"):
        control = None if time is None else TimeControl.parse(time)
    options: dict[str, Any] = {"isolation": isolation, "strict": strict, "protocol": protocol, "entry": entry}
    failed = [bot.name for bot in found if not _check(bot, rules, control, options)]
    if len(found) > 1:
        unlike = f" Not: {', '.join(failed)}." if failed else ""
        typer.echo(f"\n{len(found) - len(failed)} of {len(found)} bots are fine.{unlike}")
    if failed:
        raise typer.Exit(1)


def _check(path: Path, rules: RuleSet | None, time: TimeControl | None, options: dict[str, Any]) -> bool:
    """Check one bot and say what came of it; whether it is fine."""
    from metatac.players.bots.check import default_game, default_time, try_out, warnings
    from metatac.players.bots.player import BotPlayer

    trials = []
    try:
        player = BotPlayer(str(path), **options)
        rules = rules or rules_of(default_game(player.protocol), None)
        time = time or default_time(player.protocol, rules)
        typer.echo(f"{player.name}: speaks {player.protocol}, plays {rules.name} at {time}, isolation {player.level}")
        for trial in try_out(player, rules, time):
            trials.append(trial)
            _show(trial)
    except IsolationError:  # the machine's fault, and that of all others
        raise
    except MetatacError as error:
        typer.echo(f"FAIL  {error}")
        return False
    if trials[-1].at_fault:
        return False
    typer.echo(_verdict(player, trials))
    for warning in warnings(trials, time):
        typer.echo(f"      {warning}")
    return True


def _show(trial: "Trial") -> None:
    from metatac.players.bots.check import explain

    result = trial.result
    word = "FAIL" if trial.at_fault else "ok"
    how = "drew" if result.winner is None else "won" if result.winner == trial.seat else "lost"
    slowest = f", slowest move {1000 * max(trial.seconds):.0f} ms" if trial.seconds else ""
    typer.echo(
        f"{word:<6}{trial.seat} against {trial.opponent:<8}{how} ({result.reason}) "
        f"after {len(trial.match.plies)} moves{slowest}"
    )
    if trial.at_fault:
        typer.echo("\n".join(f"      {line}" for line in explain(trial)))
        if result.reason in ("illegal move", "garbage"):
            typer.echo(draw(trial.match.position, trial.match.last_move))


def _verdict(player: "BotPlayer", trials: "list[Trial]") -> str:
    won = sum(trial.result.winner == trial.seat for trial in trials)
    return f"{player.name} is fine: {len(trials)} games by the rules, {won} won."
