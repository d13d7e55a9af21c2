"""Both drivers hold the same conversation; the async one can stop waiting."""

import asyncio
import random
import threading
import time
from collections.abc import Callable

import pytest

from metatac.errors import IsolationError, MatchError
from metatac.game import Move, Position
from metatac.match import (
    UNLIMITED,
    Action,
    Adjudicate,
    AsyncPlayer,
    Clock,
    Event,
    Instead,
    Match,
    Offence,
    OfferDraw,
    Player,
    RequestTakeback,
    Resign,
    Result,
    Seat,
    Start,
    new_match,
    run,
    run_async,
    step,
)

Drive = Callable[..., Match]


def drive_async(match: Match, players: tuple[Player, Player], **options: object) -> Match:
    return asyncio.run(run_async(match, players, **options))  # type: ignore[arg-type]


both = pytest.mark.parametrize("drive", [run, drive_async])


class Scripted:
    """Follows its script: moves and text are returned, exceptions raised, functions called."""

    name = "scripted"

    def __init__(self, *script: object, seed: int = 1) -> None:
        self.script = list(script)
        self.heard: list[object] = []
        self.random = random.Random(seed)

    def choose(self, position: Position, clock: Clock = UNLIMITED) -> Move:
        if not self.script:
            return self.random.choice(position.legal_moves)
        step = self.script.pop(0)
        if isinstance(step, BaseException):
            raise step
        return step(position) if callable(step) else step  # type: ignore[no-any-return, return-value]


class Attentive(Scripted):
    """Has every hook."""

    def game_started(self, position: Position, seat: Seat) -> None:
        self.heard.append(("started", seat))

    def opponent_moved(self, position: Position, move: Move) -> None:
        self.heard.append(("moved", str(move)))

    def refused(self, message: str) -> None:
        self.heard.append(("refused", message))

    def agrees(self, offer: str, position: Position) -> bool:
        self.heard.append(("agrees", offer))
        return True

    def game_ended(self, result: Result) -> None:
        self.heard.append(("ended", result.reason))


def finished(match: Match) -> Result:
    assert match.result is not None
    return match.result


@both
@pytest.mark.parametrize("game", ["tic-tac-toe", "ultimate", "extreme", "sudoku", "tic-tac-ku"])
def test_whole_games(drive: Drive, game: str) -> None:
    seen: list[tuple[Match, Event, tuple[Action, ...]]] = []
    match = drive(new_match(game, strict=True), (Scripted(), Scripted(seed=2)), watch=lambda *step: seen.append(step))
    assert match.position.outcome is not None
    assert finished(match).reason == match.position.outcome.reason
    assert seen[-1][0] == match
    assert isinstance(seen[0][1], Start)


def test_both_drivers_give_the_same_game() -> None:
    games = [
        drive(new_match("extreme", strict=True), (Scripted(), Scripted(seed=2)), clock=lambda: 0.0)
        for drive in (run, drive_async)
    ]
    assert games[0] == games[1]


@both
def test_hooks_are_called_in_order(drive: Drive) -> None:
    x, o = Attentive("a", "e", "i"), Attentive("b", "c")
    drive(new_match("tic-tac-toe"), (x, o))
    assert x.heard == [("started", "X"), ("moved", "b"), ("moved", "c"), ("ended", "line")]
    assert o.heard == [("started", "O"), ("moved", "a"), ("moved", "e"), ("ended", "line")]


@both
@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (RuntimeError("boom"), "crash"),
        (SystemExit(3), "crash"),
        (asyncio.CancelledError(), "crash"),
        (MemoryError(), "memory"),
        (Offence("tampering", "changed its board"), "tampering"),
        ("zz", "garbage"),
        (None, "garbage"),
        ((99, 99), "garbage"),
        ((1, 1, 1), "garbage"),
        (Move(()), "garbage"),
        ([1, 1], "garbage"),
        ("", "garbage"),
        ("bb", "illegal move"),
        (Move((1, 1)), "illegal move"),
        (Instead(Resign), "resignation"),
    ],
)
def test_programs_lose_by_the_right_reason(drive: Drive, answer: object, reason: str) -> None:
    match = drive(new_match("ultimate", strict=True), (Scripted("aa"), Scripted(answer)))
    assert (finished(match).winner, finished(match).reason) == ("X", reason)
    if reason == "crash":
        assert type(answer).__name__ in finished(match).detail


@both
def test_a_program_that_never_moves_loses(drive: Drive) -> None:
    match = drive(new_match("ultimate", strict=True), (Scripted(*[Instead(OfferDraw)] * 50), Scripted()))
    assert (finished(match).winner, finished(match).reason) == ("O", "garbage")


@both
def test_a_crash_while_getting_ready_loses(drive: Drive) -> None:
    class Broken(Scripted):
        def game_started(self, position: Position, seat: Seat) -> None:
            raise OSError("no weights")

    match = drive(new_match("ultimate", strict=True), (Broken(), Scripted()))
    assert (finished(match).winner, finished(match).reason) == ("O", "crash")
    assert not match.started


@both
def test_a_program_that_the_machine_cannot_start_has_not_crashed(drive: Drive) -> None:
    class Homeless(Scripted):
        def game_started(self, position: Position, seat: Seat) -> None:
            raise IsolationError("no room for its scratch folder")

    with pytest.raises(IsolationError, match="no room"):
        drive(new_match("ultimate", strict=True), (Homeless(), Scripted()))


@both
def test_a_crash_after_the_end_changes_nothing(drive: Drive) -> None:
    class Sore(Scripted):
        def game_ended(self, result: Result) -> None:
            raise OSError("sore loser")

    match = drive(new_match("tic-tac-toe", strict=True), (Scripted("a", "e", "i"), Sore("b", "c")))
    assert finished(match).winner == "X"


@both
def test_people_are_asked_again(drive: Drive) -> None:
    x = Attentive("zz", "a", Instead(RequestTakeback), "e", "i")
    match = drive(new_match("tic-tac-toe"), (x, Attentive("b", "d", "c")))
    assert [kind for kind, *_ in x.heard].count("refused") == 1  # type: ignore[misc, has-type]
    assert match.moves[0] == Move((4,)), "the takeback went back to X's first decision"


@both
def test_among_people_what_a_player_raises_is_passed_on_and_play_can_go_on(drive: Drive) -> None:
    saved: list[Match] = []
    with pytest.raises(EOFError):
        drive(
            new_match("tic-tac-toe"),
            (Scripted("a", EOFError()), Scripted("b")),
            watch=lambda match, *_: saved.append(match),
        )
    copy = Match.from_dict(saved[-1].to_dict())
    match = drive(copy, (Scripted("e", "i"), Scripted("c")))
    assert [str(move) for move in match.moves] == list("abeci")


@both
def test_a_player_that_cannot_hear_a_refusal_is_not_asked_forever(drive: Drive) -> None:
    with pytest.raises(MatchError, match="cannot be asked again"):
        drive(new_match("tic-tac-toe"), (Scripted("zz"), Scripted()))


def test_the_users_interrupt_passes() -> None:
    with pytest.raises(KeyboardInterrupt):
        run(new_match("tic-tac-toe", strict=True), (Scripted(KeyboardInterrupt()), Scripted()))


@both
def test_what_the_watcher_raises_is_not_the_players_fault(drive: Drive) -> None:
    def fail(*step: object) -> None:
        raise MatchError("the disk is full")

    with pytest.raises(MatchError, match="disk"):
        drive(new_match("ultimate", strict=True), (Scripted(), Scripted()), watch=fail)


@both
def test_draw_offers_are_put_to_the_other(drive: Drive) -> None:
    match = drive(new_match("ultimate"), (Scripted(Instead(OfferDraw)), Attentive()))
    assert finished(match).reason == "agreement"
    match = drive(new_match("tic-tac-toe"), (Scripted(Instead(OfferDraw), "a", "e", "i"), Scripted("b", "c")))
    assert finished(match).reason == "line"


@both
def test_a_late_answer_is_an_overrun_whatever_it_is(drive: Drive) -> None:
    for late in ("aa", "zz", None):

        def slow(position: Position, late: object = late) -> object:
            time.sleep(0.05)
            return late

        match = drive(new_match("ultimate", strict=True, time="0.02/move"), (Scripted(slow), Scripted()))
        assert (finished(match).winner, finished(match).reason) == ("O", "overrun")


@pytest.mark.parametrize(
    ("found", "reason"),
    [("memory", "memory"), ("forbidden call", "forbidden call"), ("tampering", "tampering"), ("crash", "overrun")],
)
def test_what_made_a_program_late_comes_before_lateness(found: str, reason: str) -> None:
    def hoard(position: Position) -> object:
        time.sleep(0.05)
        raise Offence(found, "seen too late")

    match = run(new_match("ultimate", strict=True, time="0.02/move"), (Scripted(hoard), Scripted()))
    assert (finished(match).winner, finished(match).reason) == ("O", reason)


def test_the_async_driver_does_not_wait_for_a_player_that_hangs() -> None:
    release = threading.Event()

    def hang(position: Position) -> object:
        release.wait(300)
        return None

    before = time.monotonic()
    match = drive_async(new_match("ultimate", strict=True, time="0.05/move"), (Scripted(hang), Scripted()))
    release.set()
    assert time.monotonic() - before < 60
    assert finished(match).reason == "overrun"


def test_coroutines_are_cancelled_at_the_limit() -> None:
    class Sleeper:
        name = "sleeper"
        cancelled = False

        async def choose(self, position: Position, clock: Clock = UNLIMITED) -> Move:
            try:
                await asyncio.sleep(300)
            except asyncio.CancelledError:
                self.cancelled = True
                raise
            return position.legal_moves[0]

    async def play() -> tuple[Match, Sleeper]:
        sleeper = Sleeper()
        assert isinstance(sleeper, AsyncPlayer)
        match = await run_async(new_match("ultimate", time="0.05/move"), (sleeper, Scripted()))
        await asyncio.sleep(0)
        return match, sleeper

    match, sleeper = asyncio.run(play())
    assert (finished(match).winner, finished(match).reason) == ("O", "overrun")
    assert sleeper.cancelled


@pytest.mark.parametrize("error", [SystemExit(1), asyncio.CancelledError(), RuntimeError()])
def test_what_a_coroutine_raises_is_its_own_fault(error: BaseException) -> None:
    class Faulty:
        name = "faulty"

        async def choose(self, position: Position, clock: Clock = UNLIMITED) -> Move:
            raise error

    match = asyncio.run(run_async(new_match("ultimate", strict=True), (Faulty(), Scripted())))
    assert (finished(match).winner, finished(match).reason) == ("O", "crash")


def test_a_thread_cannot_interrupt_the_driver() -> None:
    match = drive_async(new_match("ultimate", strict=True), (Scripted(KeyboardInterrupt()), Scripted()))
    assert finished(match).reason == "crash"


def test_a_player_that_is_not_ready_in_time_loses() -> None:
    release = threading.Event()

    class Slow(Scripted):
        def game_started(self, position: Position, seat: Seat) -> None:
            release.wait(300)

    match = drive_async(new_match("ultimate", strict=True), (Slow(), Scripted()), startup=0.05)
    release.set()
    assert (finished(match).winner, finished(match).reason) == ("O", "overrun")


def test_a_finished_match_is_left_alone() -> None:
    match, _ = step(new_match("tic-tac-toe"), Start(), 0)
    match, _ = step(match, Resign("X"), 0)
    x = Attentive()
    assert run(match, (x, x)) == match
    assert not x.heard


def test_the_mover_is_told_its_clock() -> None:
    clocks: list[Clock] = []

    class Watcher(Scripted):
        def choose(self, position: Position, clock: Clock = UNLIMITED) -> Move:
            clocks.append(clock)
            return super().choose(position, clock)

    run(new_match("tic-tac-toe", time="1m+2s"), (Watcher("a", "e", "i"), Watcher("b", "c")), clock=lambda: 7.0)
    assert [clock.own for clock in clocks] == [60, 60, 62, 62, 64]
    assert isinstance(Watcher(), Player)


def test_a_match_ends_by_what_the_adjudicator_says() -> None:
    players = Attentive(), Attentive(seed=2)
    asked: list[int] = []

    def judge(match: Match) -> Adjudicate | None:
        asked.append(len(match.plies))
        return Adjudicate("O", detail="seen enough") if len(match.plies) == 5 else None

    match = run(new_match("ultimate", opening=["ee"]), players, adjudicate=judge)
    assert asked == [2, 3, 4, 5] and len(match.plies) == 5
    assert finished(match) == Result("O", (0, 1), "adjudication", -1, "seen enough")
    assert all(player.heard[-1] == ("ended", "adjudication") for player in players)


def test_the_time_of_an_adjudicator_is_nobodys() -> None:
    now = [0.0]

    def taking(seconds: float) -> None:
        now[0] += seconds

    class Steady(Scripted):
        def choose(self, position: Position, clock: Clock = UNLIMITED) -> Move:
            taking(2.0)
            return super().choose(position, clock)

    def judge(match: Match) -> Adjudicate | None:
        taking(60.0)
        return Adjudicate(None) if len(match.plies) == 4 else None

    match = new_match("tic-tac-toe", time="100+1,10/move", strict=True)
    match = run(match, (Steady(), Steady(seed=2)), clock=lambda: now[0], adjudicate=judge)
    assert finished(match).reason == "adjudication"
    assert [ply.seconds for ply in match.plies] == [2.0] * 4
    assert match.remaining == (98.0, 98.0)
