"""A player's text as an analyst: the same search, asked about every move."""

from collections.abc import Callable
from typing import Any

from metatac.engine.alphabeta import Limits
from metatac.engine.analysis import Analyst
from metatac.engine.analysts import EngineAnalyst, FlatAnalyst, MinimaxAnalyst, TreeAnalyst
from metatac.engine.budget import Budget
from metatac.errors import UnknownPlayer
from metatac.players.registry import load_player, options_of
from metatac.players.spec import PlayerSpec


def load_analyst(spec: str | PlayerSpec = "engine", limits: Limits | None = None) -> Analyst:
    """The analyst that a player's text names: ``engine``, ``minimax:4``, ``mcts:2s``, ``uct:50kn``, ``heurist:1000``.

    UnknownPlayer where there is no such player, or it values no moves, or not to the depth of the limits that it is
    going to be given.
    """
    parts = spec if isinstance(spec, PlayerSpec) else PlayerSpec.parse(spec)
    options = options_of(parts)
    make = _MAKERS.get(parts.name)
    if make is None:
        raise UnknownPlayer(f"{str(parts)!r} does not analyse; {', '.join(sorted(_MAKERS))} do")
    load_player(parts)  # which checks what the options say
    if parts.name == "minimax" and limits is not None and limits.depth is not None:
        load_player(parts.name, depth=limits.depth)
    return make(parts, options)


def _engine(parts: PlayerSpec, options: dict[str, Any]) -> Analyst:
    from metatac.players.engine_options import HASH, LEVELS

    for name in ("contempt", "ponder"):
        if name in options:
            raise UnknownPlayer(f"{str(parts)!r}: {name} is for who plays, and means nothing to an analysis")
    nodes = LEVELS[options["level"]][0] if "level" in options else options.get("nodes")
    limits = Limits(depth=options.get("depth"), nodes=nodes, seconds=options.get("time"))
    return EngineAnalyst(
        None if limits == Limits() else limits,
        name=str(parts),
        megabytes=options.get("hash", HASH),
        threads=options.get("threads"),
    )


def _minimax(parts: PlayerSpec, options: dict[str, Any]) -> Analyst:
    return MinimaxAnalyst(options.get("depth", 4))


def _tree(parts: PlayerSpec, options: dict[str, Any]) -> Analyst:
    budget = Budget.parse(options.get("budget", "1s"))
    return TreeAnalyst(
        str(parts),
        Limits(nodes=budget.nodes, seconds=budget.seconds),
        keen=parts.name == "mcts",
        seed=options.get("seed", 0),
        megabytes=options.get("hash", 256),
        c=options.get("c"),
    )


def _flat(parts: PlayerSpec, options: dict[str, Any]) -> Analyst:
    return FlatAnalyst(options.get("games", 1000), options.get("seed", 0))


_MAKERS: dict[str, Callable[[PlayerSpec, dict[str, Any]], Analyst]] = {
    "engine": _engine,
    "heurist": _flat,
    "mcts": _tree,
    "minimax": _minimax,
    "uct": _tree,
}
