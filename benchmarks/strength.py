"""The engine's strength against others, each claim a match that can be played by itself.

python benchmarks/strength.py openspiel|uct|minimax|random|threads … [--games 200] [--game G] [--time 0.1] [--save FILE]

Games come in pairs with colours swapped from the same seeded random opening, one game at a time, since two at once
would share the cores. Who is ahead by the rule set's utility at the end has won. A match ends early where a test (SPRT,
5 %) has decided it; otherwise the score after all games counts. The exit status is 1 if a claim is missed.
To tell 30 Elo from none (``threads``) takes up to 2,000 games.

OpenSpiel (``pip install "metatac[rl]"``) plays ``ultimate``, the same game as ours: ``--check`` replays random games in
both and compares legal moves and results.
"""

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import metatac
from metatac import arena
from metatac.arena.games import GameRoom
from metatac.errors import IllegalMove
from metatac.extras import need
from metatac.game import Move, Position
from metatac.match import UNLIMITED, Clock, TimeControl
from metatac.notation import write_record
from metatac.players import Entry, Option, register

TWO_LEVELS = tuple(name for name in metatac.preset_names() if metatac.load_rules(name).depth == 2)


# -- OpenSpiel's player


class OpenSpielPlayer:
    """OpenSpiel's C++ ``MCTSBot`` with random rollouts.

    A free move is two decisions there, a board and a cell; it has the whole time for each.
    """

    name = "openspiel"

    def __init__(self, time: float = 0.1, seed: int = 0) -> None:
        self._spiel = need("pyspiel", extra="rl")
        self._game = self._spiel.load_game("ultimate_tic_tac_toe")
        self._time, self._seed = time, seed % 2**31
        self._bot: Any = None
        self._line: list[Move] = []
        self._position: Position | None = None

    def game_started(self, position: Position, seat: str) -> None:
        """Have the bot ready before the clock starts."""
        evaluator = self._spiel.RandomRolloutEvaluator(1, self._seed)
        self._bot = self._spiel.MCTSBot(
            self._game, evaluator, 2.0, 1 << 30, 1000, True, self._seed, False, max_wall_clock_time=self._time
        )
        self._line, self._position = _line_to(position), position

    def choose(self, position: Position, clock: Clock = UNLIMITED) -> Move:
        if position != self._position:
            self._follow(position)
        state = state_after(self._game, self._line)
        board = position.send[0] if position.send else self._bot.step(state)
        if not position.send:
            state.apply_action(board)
        move = Move((board, self._bot.step(state)))
        self._line, self._position = [*self._line, move], position.play(move)
        return move

    def _follow(self, position: Position) -> None:
        """Find out what the opponent did."""
        assert self._position is not None
        for move in self._position.legal_moves:
            if self._position.play(move) == position:
                self._line, self._position = [*self._line, move], position
                return
        raise IllegalMove(f"no move leads to this position (position: {position.text})")


def _line_to(position: Position) -> list[Move]:
    """Some order of a short opening's moves: OpenSpiel takes moves, not positions."""

    def search(here: Position, line: list[Move]) -> list[Move] | None:
        if here == position:
            return line
        for move in here.legal_moves:
            place = move[0] * here.rules.size + move[1]
            if position.cells[place] == here.turn:
                found = search(here.play(move), [*line, move])
                if found is not None:
                    return found
        return None

    found = search(metatac.start(position.rules), [])
    assert found is not None
    return found


def state_after(game: Any, line: Iterable[Move]) -> Any:
    """OpenSpiel's state after our moves: where a move is free, it chooses a board first."""
    state = game.new_initial_state()
    for board, cell in line:
        if "Choose" in state.action_to_string(state.current_player(), state.legal_actions()[0]):
            state.apply_action(board)
        state.apply_action(cell)
    return state


def check_open_spiel(games: int) -> None:
    """Replay random games in both, and compare who moves, the legal moves and the result."""
    game = need("pyspiel", extra="rl").load_game("ultimate_tic_tac_toe")
    for seed in range(games):
        chance, position, line = random.Random(seed), metatac.start("ultimate"), list[Move]()
        while position.outcome is None:
            state = state_after(game, line)
            assert not state.is_terminal() and "XO"[state.current_player()] == position.turn, position.text
            actions = state.legal_actions()
            legal = {(b, c) for b in actions for c in state.child(b).legal_actions()}
            if position.send:
                legal = {(position.send[0], cell) for cell in actions}
            assert legal == set(position.legal_moves), position.text
            line.append(chance.choice(position.legal_moves))
            position = position.play(line[-1])
        state, result = state_after(game, line), {"X": 1, "O": -1, None: 0}[position.outcome.winner]
        assert state.is_terminal() and state.returns() == [result, -result], position.text
    print(f"OpenSpiel's ultimate_tic_tac_toe is our ultimate in {games} random games")


# -- the claims


@dataclass(frozen=True)
class Claim:
    """What one player should score against another."""

    opponent: str
    games: tuple[str, ...]
    score: float
    """At least."""
    engine: str = "engine:threads={threads}"
    test: tuple[float, float] | None = None
    """The Elo differences of the test; None: the score claimed, and half of what is missing to 1 above it."""

    def sprt(self) -> arena.Sprt:
        better = min(self.score + 0.05, (1 + self.score) / 2)
        return arena.Sprt(*(self.test or (arena.elo_of(self.score), arena.elo_of(better))))


CLAIMS: dict[str, Claim] = {
    "openspiel": Claim("openspiel:{time}s", ("ultimate",), 0.95),
    "uct": Claim("uct:{time}s", TWO_LEVELS, 0.75),
    "minimax": Claim("minimax:4", ("ultimate",), 0.99),
    "random": Claim("random", ("ultimate",), 0.99),
    "threads": Claim("engine:threads=1", ("ultimate",), arena.score_of(30), "engine:threads=2", (0, 30)),
}


@dataclass
class Match:
    """A match so far: pairs by who was ahead at their ends, and what the arena counts beside."""

    claim: Claim
    sprt: arena.Sprt
    tally: arena.Tally
    scores: Counter[float]

    @property
    def decision(self) -> arena.Decision | None:
        return self.sprt.decision(self.sprt.llr(self.scores))

    @property
    def estimate(self) -> arena.Estimate:
        found = arena.estimate(self.scores)
        assert found is not None
        return found

    @property
    def met(self) -> bool:
        """Whether the claim holds. A match in which the opponent crashed or overran measures nothing."""
        if any(who == 1 for who, _ in self.tally.forfeits):
            return False
        return self.estimate.score >= self.claim.score if self.decision is None else self.decision == "H1"


def ahead(played: arena.Played) -> float:
    """1, ½ or 0 for the first contestant, by whose utility is greater."""
    value = played.result.utility if played.job.first_seat == "X" else -played.result.utility
    return 0.5 if value == 0 else float(value > 0)


def play(claim: Claim, game: str, options: argparse.Namespace, keep: Callable[[arena.Played], None]) -> Match:
    """Play until the test decides or all games are played."""
    rules = metatac.load_rules(game)
    texts = [text.format(time=options.time, threads=options.threads) for text in (claim.engine, claim.opponent)]
    both, _ = arena.contestants(*texts)
    room = GameRoom(arena.Setup(rules, both, TimeControl(move=options.time), options.margin))
    match = Match(claim, claim.sprt(), arena.Tally(rules), Counter())
    openings = arena.openings(rules, arena.default_plies(rules), options.seed)
    for pair, opening in enumerate(islice(openings, (options.games + 1) // 2)):
        jobs = tuple(arena.Job(pair, number, opening.moves, options.seed) for number in (0, 1))
        first, second = room.play(jobs)
        keep(first)
        keep(second)
        match.tally.add(first, second)
        match.scores[(ahead(first) + ahead(second)) / 2] += 1
        show_progress(f"{game}: {both[0].label} against {both[1].label}: {line(match)}")
        if match.decision is not None:
            break
    return match


# -- what is shown


def line(match: Match) -> str:
    """Games, score and its 95 % interval, and Elo."""
    found = match.estimate
    low, high = (100 * arena.score_of(elo) for elo in (found.low, found.high))
    return f"{2 * int(found.pairs):>5}{100 * found.score:>8.1f}  {f'{low:.1f} to {high:.1f}':<15}{found.elo:>+6.0f}"


def show_progress(text: str) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()


def show(name: str, game: str, match: Match) -> None:
    verdict = ("met" if match.met else "MISSED") + (", by the test" if match.decision else "")
    show_progress("")
    print(f"{name:<12}{game:<20}{line(match)}  >= {100 * match.claim.score:<6.1f}{verdict}", flush=True)
    for who, used in zip(("engine", "opponent"), match.tally.used, strict=True):
        print(f"{'':<12}{who}: {used.total / max(1, used.moves):.3f} s a move, longest {used.longest:.3f}")
    for key, count in match.tally.forfeits.items():
        print(f"{'':<12}{count} forfeited, such as: {match.tally.examples[key]}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("claims", nargs="*", help=f"{', '.join(CLAIMS)}; all of them if none is named")
    parser.add_argument("--games", type=int, default=200, help="at most, of each match")
    parser.add_argument("--game", action="append", help="only this game of a claim")
    parser.add_argument("--time", type=float, default=0.1, help="seconds a move")
    parser.add_argument("--margin", type=float, default=0.2, help="seconds over the time that are forgiven")
    parser.add_argument("--threads", type=int, default=1, help="of the engine against others, which have one")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", type=Path, help="add the records of all games to this file")
    parser.add_argument("--check", action="store_true", help="only see that OpenSpiel's game is ours")
    options = parser.parse_args()
    for name in options.claims:
        if name not in CLAIMS:
            parser.error(f"{name!r} is no claim; there are {', '.join(CLAIMS)}")
    time, seed = Option("time", "duration", "for each decision", 0.1, main=True), Option("seed", "whole", "", 0)
    register(Entry("openspiel", "OpenSpiel's MCTSBot", "__main__:OpenSpielPlayer", (time, seed)))
    if options.check:
        check_open_spiel(options.games)
        return
    print(f"{'match':<12}{'game':<20}{'games':>5}{'score %':>8}  {'95 %':<15}{'Elo':>6}  target   (1 game at once)")
    missed = False
    for name in options.claims or CLAIMS:
        for game in [g for g in CLAIMS[name].games if not options.game or g in options.game]:
            match = played_and_kept(CLAIMS[name], game, options)
            show(name, game, match)
            missed |= not match.met
    raise SystemExit(int(missed))


def played_and_kept(claim: Claim, game: str, options: argparse.Namespace) -> Match:
    if options.save is None:
        return play(claim, game, options, lambda played: None)
    with options.save.open("a", encoding="utf-8") as file:

        def keep(played: arena.Played) -> None:
            write_record(file, played.record)
            file.flush()

        return play(claim, game, options, keep)


if __name__ == "__main__":
    main()
