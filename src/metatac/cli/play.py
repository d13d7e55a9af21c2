"""metatac play: a game in the terminal, on the full screen or line by line."""

import contextlib
import secrets
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from metatac.cli.arguments import GameOrNone, Seed, Settings, rules_if_named, rules_of, value_of
from metatac.cli.line import LineClient
from metatac.cli.questions import GAME, ask_game, ask_seats
from metatac.cli.screen import full_screen, takes_screen
from metatac.errors import MatchError, UnknownPlayer
from metatac.match import TimeControl, parse_duration
from metatac.players import PlayerSpec, player_entries
from metatac.rules import RuleSet
from metatac.table import Plan, Seats, is_person, plan_from_file, plan_game, saved_games
from metatac.table.modes import MODES, OPPONENT, computer_of, mode_seats, with_depth
from metatac.table.records import check_writable

app = typer.Typer(add_completion=False)


def _complete_player(incomplete: str) -> list[str]:
    return [entry.name for entry in player_entries() if entry.name.startswith(incomplete)]


def _complete_mode(incomplete: str) -> list[str]:
    return [mode for mode in MODES if mode.startswith(incomplete)]


@app.command()
def play(
    game: GameOrNone = None,
    settings: Settings = None,
    x: Annotated[
        str | None, typer.Option("--x", help="Who plays X: human, random, …", autocompletion=_complete_player)
    ] = None,
    o: Annotated[
        str | None, typer.Option("--o", help="Who plays O: human, random, …", autocompletion=_complete_player)
    ] = None,
    mode: Annotated[
        str | None,
        typer.Option(
            help="Who plays, in short: 1 random-random, 2 human-random, 3 human-human, 4 bot-human, 5 bot-random, "
            "6 bot-bot; or pvp, cvc, pvc, cvp, tvc, tvp (p person, c computer, t tiger).",
            autocompletion=_complete_mode,
        ),
    ] = None,
    bot: Annotated[list[str] | None, typer.Option(metavar="PATH", help="A bot of --mode 4, 5, 6; 6 takes two.")] = None,
    depth: Annotated[
        int | None, typer.Option(min=1, max=12, metavar="1..12", help="How far the calculator (minimax) looks ahead.")
    ] = None,
    toss: Annotated[bool, typer.Option("--toss", help="A coin decides who of the two plays X.")] = False,
    seed: Seed = None,
    time: Annotated[
        str | None, typer.Option(help="Seconds for each move, as 16 or 1m; or game for the game's own limit.")
    ] = None,
    clock: Annotated[str | None, typer.Option(help="A clock for the whole game, as 5m+3s.")] = None,
    series: Annotated[int, typer.Option(metavar="N", min=1, help="Play N games, with sides changed after each.")] = 1,
    save: Annotated[
        Path | None, typer.Option(help="Add the record of the game to this file; missing folders are made.")
    ] = None,
    load: Annotated[Path | None, typer.Option(help="Go on with the game of this file: a record or a save.")] = None,
    only: Annotated[int | None, typer.Option(min=1, metavar="N", help="The Nth record of the file of --load.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the game that was left last.")] = False,
    plain: Annotated[bool, typer.Option("--plain", help="Line by line, without the full screen.")] = False,
    words: Annotated[bool, typer.Option("--words", help="Tell the board in words, line by line.")] = False,
) -> None:
    """Play a game in the terminal, against a friend or an opponent of the machine."""
    screen = takes_screen() and not plain and not words
    seed = secrets.randbits(32) if seed is None else seed
    if save is not None:
        check_writable(str(save))
    if only is not None and load is None:
        raise typer.BadParameter("--only goes with --load")
    players = any((x, o, mode, bot, depth))
    plan: Plan | None = None
    if resume or load is not None:
        if time or clock or series > 1:
            raise MatchError("a game that goes on keeps its time and series; --time, --clock, --series begin another")
        plan = _continued(game, settings, load, only)
        if players or toss:
            if load is None or plan.file:
                raise MatchError("a saved game has its players; others can be named for a new game, or for a record")
            seats = _seats(plan.match.rules, x, o, mode, bot or [], depth, seed)
            plan = plan_from_file(load, seats.tossed() if toss else seats, only)
        if load is not None and not screen:
            _check_goes_on(plan, load)
    elif players or toss or game or settings or time or clock or series > 1:
        rules = rules_of(game or GAME, settings)
        seats = _seats(rules, x, o, mode, bot or [], depth, seed)
        plan = plan_game(rules, seats.tossed() if toss else seats, time=_time(time, clock, seats), games=series)
    if screen:
        full_screen(plan, save="" if save is None else str(save))
    else:
        _play_lines(plan or _asked_plan(seed), words, save)


def _asked_plan(seed: int) -> Plan:
    """The game that a person chooses. Who says nothing at all plays none, and that is no mistake."""
    ask = _asker()
    try:
        rules = ask_game(ask, _tell)
        return plan_game(rules, ask_seats(rules, seed, ask, _tell))
    except EOFError:
        _tell("")
        raise typer.Exit from None


def _play_lines(plan: Plan, words: bool, save: Path | None) -> None:
    name = "" if save is None else str(save)
    client = LineClient(plan, ask=_asker(), tell=_tell, words=words, save=name, terminal=_terminal())
    client.play()
    if client.failed:
        raise typer.Exit(2)


def _tell(text: str) -> None:
    """Print it at once. Unlike typer.echo this leaves the encoding of a terminal of few characters alone."""
    print(text, flush=True)


def _asker() -> Callable[[str], str]:
    """How a person is asked: with line editing at a terminal; from a pipe, what was read is shown as if typed."""
    if not sys.stdin.isatty():
        return _ask_pipe
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401
    return input


def _terminal() -> int | None:
    """Where people may type while nobody asks them; elsewhere than at a terminal what comes is for later."""
    return sys.stdin.fileno() if sys.stdin.isatty() and sys.platform != "win32" else None


def _ask_pipe(prompt: str) -> str:
    line = input(prompt)
    _tell(line[:200])
    return line


def _seats(
    rules: RuleSet,
    x: str | None,
    o: str | None,
    mode: str | None,
    bots: list[str],
    depth: int | None,
    seed: int,
) -> Seats:
    """Who plays X and O, from what was said about it."""
    if mode is not None:
        if x is not None or o is not None:
            raise UnknownPlayer("--mode says who plays: --x and --o cannot be given too")
        return with_depth(mode_seats(rules, mode, bots, depth=depth, seed=seed), depth)
    if bots:
        raise UnknownPlayer("--bot goes with --mode 4, 5 or 6; elsewhere a bot is named as --x bot:PATH")
    x, o = named_seats(x, o, OPPONENT if depth is None else computer_of(rules, depth))
    return with_depth(Seats(x, o, seed), depth)


def named_seats(x: str | None, o: str | None, computer: str) -> tuple[str, str]:
    """Who plays X and O. Who is not named is a person, or a computer where the other one is a person."""
    if x is None:
        x = computer if o is not None and is_person(o) else "human"
    if o is None:
        o = computer if is_person(x) else "human"
    return x, o


def _time(time: str | None, clock: str | None, seats: Seats) -> TimeControl | str | None:
    """The time control of the options. Bots that play each other have the game's own unless another is given."""
    bots = all(PlayerSpec.parse(text).name == "bot" for text in (seats.x, seats.o))
    if time == "game" or (time is None and clock is None and bots and not seats.people):
        return None
    parts = []
    if clock is not None:
        with value_of("--clock"):
            TimeControl.parse(clock)
        parts.append(clock)
    if time is not None and time != "none":
        with value_of("--time"):
            move = f"{parse_duration(time):.12g}/move" if time.replace(".", "").isalnum() else time
            TimeControl.parse(move)
        parts.append(move)
    return ",".join(parts) or "none"


def _check_goes_on(plan: Plan, load: Path) -> None:
    """Line by line nothing can be done with the record of a game that is over; on the full screen it can be undone."""
    if not plan.file and plan.match.position.outcome is not None:
        raise MatchError(f"{load}: the game is over, there is nothing to go on with; metatac replay shows it")


def _continued(game: str | None, settings: list[str] | None, load: Path | None, only: int | None) -> Plan:
    """The game that was left, of the kind that is named if one is."""
    wanted = rules_if_named(game, settings, "a game that goes on has its own rules")
    if load is not None:
        plan = plan_from_file(load, number=only)
        if wanted is not None and plan.match.rules != wanted:
            raise MatchError(f"{load}: the game is one of {plan.match.rules.spec}, not of {wanted.spec}")
        return plan
    for plan in saved_games(_tell):
        if wanted is None or plan.match.rules == wanted:
            return plan
    kind = "" if wanted is None else f" of {wanted.name}"
    raise MatchError(f"there is no game{kind} to go on with")
