"""metatac analyze: how good each move of a position is."""

import json
from typing import Annotated, Any

import typer

from metatac.cli.arguments import AsJson, Game, Settings, rules_of
from metatac.cli.screen import draw
from metatac.cli.waiting import interruptible
from metatac.errors import InvalidPosition, UnknownPlayer
from metatac.game import Game as History
from metatac.game import Position, position, start
from metatac.match import parse_duration
from metatac.players import PlayerSpec, load_player

app = typer.Typer(add_completion=False)


@app.command()
def analyze(
    game: Game,
    settings: Settings = None,
    moves: Annotated[str, typer.Option(help='The moves played so far, as in "ee ea af".')] = "",
    text: Annotated[str | None, typer.Option("--position", help="A position's text, in place of the start.")] = None,
    player: Annotated[str, typer.Option("--with", help="Who analyses: engine, minimax:4, mcts:2s, …")] = "engine",
    time: Annotated[str | None, typer.Option(help="How long, as in 5s; 2s unless another limit is given.")] = None,
    nodes: Annotated[int | None, typer.Option(min=1, help="Positions to search.")] = None,
    depth: Annotated[int | None, typer.Option(min=1, help="Moves to look ahead.")] = None,
    lines: Annotated[int | None, typer.Option(min=1, help="Moves to value exactly; all unless given.")] = None,
    as_json: AsJson = False,
) -> None:
    """Say how good each move of a position is, and what the best play looks like."""
    rules = rules_of(game, settings)
    first = start(rules) if text is None else position(text)
    if first.rules != rules:
        raise InvalidPosition(f"the position is one of {first.rules.spec}, not of {rules.spec}")
    history = History(first, moves.split())
    here = history.position
    seconds = None if time is None else parse_duration(time)
    result = interruptible(lambda: _search(here, player, depth, nodes, seconds, lines))
    if as_json:
        typer.echo(json.dumps(result.to_dict(), indent=2))
        return
    typer.echo(draw(here, history.last_move))
    if not result.moves:
        return
    unit = "points" if rules.utility == "points" else "1 is a win"
    typer.echo(f"\nin X's view ({unit}): {result.value_x:+.3f}{', proven' if result.proven else ''}")
    for one in result.moves:
        best_play = " ".join(str(move) for move in one.line[1:9])
        typer.echo(f"  {one.move!s:<6}{one.value_x:>+9.3f} {'proven' if one.proven else '':<7}{best_play}")
    rate = result.nodes / max(result.seconds, 1e-9)
    typer.echo(f"depth {result.depth}, {result.nodes:,} positions in {result.seconds:.2f} s, {rate:,.0f} a second")


def _search(
    here: Position, player: str, depth: int | None, nodes: int | None, seconds: float | None, lines: int | None
) -> Any:
    from metatac.engine.alphabeta import AlphaBeta, Limits, minimax
    from metatac.engine.results import SearchResult
    from metatac.kernel import cores

    if here.outcome is not None:
        value = here.rules.utility_of(here.outcome.winner, here.outcome.points)
        return SearchResult(here.text, float(value), (), 0, 0.0, proven=True)
    spec = PlayerSpec.parse(player)
    if spec.name == "minimax":
        return minimax(here, depth or int(spec.main or 4))
    if spec.name != "engine" or spec.main is not None:
        analyse = getattr(load_player(spec), "analyze", None)
        if analyse is None:
            raise UnknownPlayer(f"{player!r} does not analyse; engine, minimax:DEPTH, mcts:BUDGET and uct:BUDGET do")
        return analyse(here)
    if depth is None and nodes is None and seconds is None:
        seconds = 2.0
    searcher = AlphaBeta(here.rules, threads=1 if nodes is not None else cores())
    return searcher.think(here, Limits(depth, nodes, seconds), lines=lines or len(here.legal_moves))
