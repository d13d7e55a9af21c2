"""Who plays in a series of games: a player's text, with the budget that all were given."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from metatac.errors import ArenaError, MetatacError, UnknownPlayer, suggestion
from metatac.game import Position, start
from metatac.match import Player
from metatac.match.player import hook
from metatac.players import Entry, PlayerSpec, load_player, player_entries, register
from metatac.rules import RuleSet

BUDGETS = ("nodes", "budget", "time", "depth", "level", "playouts")
"""Options that say how much a player may think; one that is stated in a player's own text is kept."""

BOT = "bot"
"""What players are called that are programs of their own."""


@dataclass(frozen=True, slots=True)
class Contestant:
    """A player that can be made anew for every game, in this process or another."""

    spec: PlayerSpec
    entry: Entry
    label: str

    def load(self, seed: int) -> Player:
        """A fresh player; one that takes a seed gets this one unless its text states its own."""
        if not any(entry.name == self.entry.name for entry in player_entries()):
            register(self.entry)  # another process knows only the built-in ones
        if "seed" in option_names(self.entry) and "seed" not in stated(self.spec, self.entry):
            return load_player(self.spec, seed=seed)
        return load_player(self.spec)


def contestants(
    first: str,
    second: str,
    *,
    nodes: int | None = None,
    threads: int | None = None,
    rules: RuleSet | None = None,
) -> tuple[tuple[Contestant, Contestant], tuple[str, ...]]:
    """Both players, checked, and notes in words about what each makes of the budget.

    ``nodes`` and ``threads`` become options of a player that has such options and does not state its own.
    A player that refuses the game of ``rules`` does so now, with its own error.
    """
    notes: list[str] = []
    found = [_prepared(text, nodes, threads, notes) for text in (first, second)]
    labels = [str(spec) for spec, _ in found]
    if labels[0] == labels[1]:
        labels = [f"{labels[0]} (A)", f"{labels[1]} (B)"]
    a, b = (Contestant(spec, entry, label) for (spec, entry), label in zip(found, labels, strict=True))
    if rules is not None:
        for contestant in (a, b):
            _ask(contestant, rules)
    return (a, b), tuple(dict.fromkeys(notes))


def entrant(
    name: str | None, text: str, given: Mapping[str, str], folder: Path | None = None, at: Position | None = None
) -> tuple[Contestant, Player]:
    """A player of a tournament, checked, and one of its kind. Without a name it is called what it calls itself.

    ``given`` are options for a bot that does not state its own; its path is looked up in the folder. Players that take
    threads get one unless they state more. One that cannot begin a game ``at`` that position says so now.
    """
    spec, entry = _prepared(text, None, 1, [], folder)
    own = stated(spec, entry)
    for option, value in given.items() if entry.name == BOT else ():
        if option in option_names(entry) and option not in own:
            spec = _with(spec, option, value)
    player = load_player(spec)
    accepts = hook(player, "accepts")
    if accepts is not None and at is not None:
        accepts(at)
    return Contestant(spec, entry, name or (player.name if entry.name == BOT else text)), player


def bot_options(startup: float, keep: str, stated: Mapping[str, str]) -> dict[str, str]:
    """The options that a tournament gives its bots: those that it states, and what follows from its other settings."""
    return {"startup": f"{startup:g}s", "keep": "yes" if keep == "match" else "no"} | dict(stated)


def threads_of(contestant: Contestant) -> int:
    """How many threads a player states for itself."""
    return int(stated(contestant.spec, contestant.entry).get("threads", "1"))


def _ask(contestant: Contestant, rules: RuleSet) -> None:
    """Have a player say now if it does not play a game. What else goes wrong has its price in the games."""
    player = contestant.load(0)
    begin, close = hook(player, "game_started"), hook(player, "close")
    if begin is not None:
        try:
            begin(start(rules), "X")
        except MetatacError:
            raise
        except Exception:
            return
        finally:
            if close is not None:
                close()


def option_names(entry: Entry) -> tuple[str, ...]:
    return tuple(option.name for option in entry.options)


def stated(spec: PlayerSpec, entry: Entry) -> dict[str, str]:
    """What a player's text states, the main option under its name."""
    main = {} if spec.main is None or entry.main is None else {entry.main.name: spec.main}
    return main | dict(spec.options)


def _prepared(
    text: str, nodes: int | None, threads: int | None, notes: list[str], folder: Path | None = None
) -> tuple[PlayerSpec, Entry]:
    spec = PlayerSpec.parse(text)
    if folder is not None and spec.name == BOT and spec.main is not None:
        spec = replace(spec, main=str(folder / Path(spec.main).expanduser()))
    entry = next((entry for entry in player_entries() if entry.name == spec.name), None)
    if entry is None:
        known = [entry.name for entry in player_entries() if entry.name != "human"]
        raise UnknownPlayer(f"{spec.name!r} is no player; {suggestion(spec.name, known, 'there are')}")
    if entry.name == "human":
        raise ArenaError("people do not play in a match of programs; metatac play lets them")
    if nodes is not None:
        spec = _with_nodes(spec, entry, nodes, notes)
    own = stated(spec, entry)
    if threads is not None and "threads" in option_names(entry) and "threads" not in own:
        if not own.keys() & {"level", "nodes"}:
            spec = _with(spec, "threads", str(threads))
        elif threads > 1:  # both are the same on every machine, and so take one
            notes.append(f"{spec} uses one thread, not {threads}")
    load_player(spec)  # a bad option is known now and not after the first game
    return spec, entry


def _with_nodes(spec: PlayerSpec, entry: Entry, nodes: int, notes: list[str]) -> PlayerSpec:
    own = [f"{name}={value}" for name, value in stated(spec, entry).items() if name in BUDGETS]
    if own:
        notes.append(f"{spec} keeps its own budget: {', '.join(own)}")
    elif "nodes" in option_names(entry):
        return _with(spec, "nodes", str(nodes))
    elif "budget" in option_names(entry):
        return _with(spec, "budget", f"{nodes}n")
    else:
        notes.append(f"{entry.name} has no option for nodes: it plays as it always does")
    return spec


def _with(spec: PlayerSpec, option: str, value: str) -> PlayerSpec:
    return PlayerSpec(spec.name, spec.main, (*spec.options, (option, value)))
