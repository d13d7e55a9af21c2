"""A bot tried out: a few quick games under the referee's eyes, and what is wrong in words."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from metatac.game import Move, Position, start
from metatac.match import OFFENCES, UNLIMITED, Clock, Match, Result, Seat, TimeControl, new_match, run
from metatac.match.result import SEATS
from metatac.players.bots.player import BotPlayer
from metatac.players.registry import load_player
from metatac.rules import RuleSet

OPPONENTS = ("random", "greedy")
GAMES = {"codingame": "ultimate-majority", "course": "extreme"}
"""What bots of a protocol play where nobody says otherwise; all others play ``ultimate``."""
TIMES = {"codingame": "100ms/move,1s/first"}
TIME = "1/move"
MARGIN = 0.1
"""Seconds beyond the time before it is an overrun, as in tournaments: who uses all of it is not late."""

NEAR = 0.8
"""The part of a move's time beyond which somebody should be warned."""


@dataclass(frozen=True)
class Trial:
    """One game of a bot, from its seat."""

    opponent: str
    seat: Seat
    match: Match
    stderr: str
    transcript: tuple[str, ...] = ()
    """The end of the conversation, where it is the bot that speaks and not our own runner."""

    @property
    def result(self) -> Result:
        assert self.match.result is not None
        return self.match.result

    @property
    def at_fault(self) -> bool:
        return self.result.reason in OFFENCES and self.result.winner != self.seat

    @property
    def seconds(self) -> list[float]:
        """What each of the bot's moves took."""
        plies = zip(self.match.plies, self.match.positions, strict=False)
        return [ply.seconds for ply, before in plies if before.turn == self.seat and ply.seconds is not None]


def default_game(protocol: str) -> str:
    return GAMES.get(protocol, "ultimate")


def default_time(protocol: str, rules: RuleSet) -> TimeControl:
    """The game's own limit, or the one that the protocol is known for, or a second."""
    if rules.move_time:
        return TimeControl(move=rules.move_time)
    return TimeControl.parse(TIMES.get(protocol, TIME))


def try_out(player: BotPlayer, rules: RuleSet, time: TimeControl, seed: int = 0) -> Iterator[Trial]:
    """Games against easy opponents from both seats, until one goes wrong; BotError for a game that it cannot play."""
    player.accepts(start(rules))
    for opponent in OPPONENTS:
        for seat in SEATS:
            trial = _play(player, opponent, seat, rules, time, seed)
            yield trial
            if trial.at_fault:
                return


def _play(player: BotPlayer, opponent: str, seat: Seat, rules: RuleSet, time: TimeControl, seed: int) -> Trial:
    other = load_player(opponent, seed=seed)
    match, tried = new_match(rules, time=time.with_margin(MARGIN), strict=True), _Tried(player)
    try:
        match = run(match, (tried, other) if seat == "X" else (other, tried))
    finally:
        player.close()
    ours = player.protocol in ("python", "course")
    return Trial(opponent, seat, match, player.stderr, () if ours else tuple(player.transcript))


class _Tried:
    """The bot, told its time without the margin."""

    def __init__(self, player: BotPlayer) -> None:
        self.name, self._player = player.name, player

    def choose(self, position: Position, clock: Clock = UNLIMITED) -> Move:
        return self._player.choose(position, clock.without_margin(MARGIN))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._player, name)


def warnings(trials: Sequence[Trial], time: TimeControl) -> Iterator[str]:
    """What may go wrong another time: a move that took nearly all of its limit."""
    taken = [
        (seconds / limit, seconds, limit)
        for trial in trials
        for number, seconds in enumerate(trial.seconds)
        if (limit := time.move_limit(number == 0)) is not None
    ]
    share, seconds, limit = max(taken, default=(0.0, 0.0, 0.0))
    if share > NEAR:
        yield f"But its slowest move took {seconds:.3f} s of {limit:g} s: a busier machine, and it is late."


_WORDS = {
    "illegal move": "It made a move that is not allowed.",
    "garbage": "What it said is no move.",
    "overrun": "It took too long.",
    "crash": "It crashed.",
    "memory": "It used too much memory.",
    "forbidden call": "It did something that bots may not do.",
    "tampering": "It changed what it was given to look at.",
    "resignation": "It gave up.",
}


def explain(trial: Trial) -> list[str]:
    """What went wrong in a game, in words, without the board."""
    reason, detail = trial.result.reason, trial.result.detail
    lines = [_WORDS.get(reason, f"It lost by {reason}."), *detail.split("\n")]
    if reason == "overrun" and trial.seconds:
        lines.append("Its moves before took " + ", ".join(f"{seconds:.3f}" for seconds in trial.seconds[-10:]) + " s.")
    if trial.stderr and trial.stderr.strip()[-200:] not in detail:
        lines += ["Its standard error ends with:", *(f"  {line}" for line in trial.stderr.strip().split("\n")[-20:])]
    if reason in ("garbage", "overrun", "crash") and trial.transcript:
        lines += ["The conversation ended so (> to the bot, < from it):"]
        lines += [f"  {line[:160]}" for said in trial.transcript[-8:] for line in _abridged(said)]
    return [*lines, *_hints(trial)]


def _abridged(said: str) -> list[str]:
    first, *others = said.split("\n")
    rest = [f"> {line}" for line in others]
    return [first, *rest] if len(rest) < 12 else [first, *rest[:3], f"> … {len(rest) - 4} more lines …", rest[-1]]


def _hints(trial: Trial) -> Iterator[str]:
    """Mistakes that everybody makes once."""
    text = trial.result.detail + trial.stderr
    if "indices must be integers" in text and "float" in text:
        yield "Hint: in Python 3 the division / gives a fraction; // gives a whole number."
    if trial.result.reason == "overrun" and trial.transcript and not any(line[0] == "<" for line in trial.transcript):
        yield "Hint: nothing at all was heard from it. Is what it prints flushed after each line?"
