"""The root command: a table of the subcommands, each loaded only when it is invoked.

`metatac --help` thus costs hardly more than Typer itself. A test holds the table to the helps of the modules.
"""

from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from metatac import __version__

# name: its line in `metatac --help`; the module is metatac.cli.<name>, and its `app` a Typer.
COMMANDS = {
    "play": "Play a game in the terminal, against a friend or an opponent of the machine.",
    "rules": "List, show, write and check the rules of games.",
    "replay": "Show, check or convert the games of a file of records.",
    "export": "Write a position or a game as a picture (SVG), or as a page that is stepped through (HTML).",
    "solve": "Prove what a position is worth with the best play of both sides.",
    "analyze": "Say how good each move of a position is, or where a game went wrong, and what is better.",
    "players": "List the players of the machine, and what can be said about each.",
    "bot": "Write a bot to begin with, and check that a bot plays by the rules.",
    "match": "Measure which of two players is stronger, by pairs of games with colours swapped.",
    "arena": "Run tournaments of any players and bots, and say what they tell.",
    "engine": "Speak UGI on standard input and output, for programs that let engines play.",
    "perft": "Count the sequences of so many moves from the start of a game.",
    "bench": "Measure random games a second; then the signature of a fixed piece of every search.",
    "warmup": "Compile the fast parts for this machine, so that nothing has to wait for them later.",
    "serve": "Play and analyse in the browser: this machine becomes the server.",
    "db": "Bring a database up to date, back it up, or delete old games from it.",
    "doctor": "Show versions, folders, extras, and what isolation this machine offers.",
}


class LazyGroup(TyperGroup):
    """A group that lists its commands from the table and imports one when it is resolved."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        for name, line in COMMANDS.items():
            self.add_command(TyperCommand(name=name, help=line))

    # `ctx` is click's Context, which newer Typers carry privately and older ones import: no name serves both.
    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, command, rest = super().resolve_command(ctx, args)
        if name in COMMANDS:
            command = load_command(name)
        return name, command, rest

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:  # newer Typers pass on how Pydantic begins its words
            error.message = error.message.removeprefix("Value error, ")
            raise


def load_command(name: str) -> Any:
    """The real command behind a name of the table."""
    command = typer.main.get_command(import_module(f"metatac.cli.{name}").app)
    command.name = name
    return command


app = typer.Typer(cls=LazyGroup, no_args_is_help=True, pretty_exceptions_enable=False)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"metatac {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Play, analyse and research the whole family of nested tic-tac-toe games."""
