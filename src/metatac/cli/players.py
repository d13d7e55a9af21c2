"""metatac players: who there is to play with."""

import json

import typer

from metatac.cli.arguments import AsJson
from metatac.players import player_entries

app = typer.Typer(add_completion=False)


@app.command()
def players(as_json: AsJson = False) -> None:
    """List the players of the machine, and what can be said about each."""
    entries = player_entries()
    if as_json:
        found = {
            entry.name: {
                "help": entry.help,
                "options": {
                    option.name: {"help": option.help, "default": option.default, "main": option.main}
                    for option in entry.options
                },
            }
            for entry in entries
        }
        typer.echo(json.dumps(found, indent=2))
        return
    for entry in entries:
        main = f":{entry.main.name.upper()}" if entry.main else ""
        typer.echo(f"{entry.name + main:<20}{entry.help}")
        for option in entry.options:
            default = "" if option.default in (None, "") else f" ({option.default})"
            typer.echo(f"    {option.name + '=':<16}{option.help}{default}")
