"""No order of events breaks the referee."""

import json

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from metatac.errors import MatchError
from metatac.match import (
    Abort,
    AcceptDraw,
    AcceptTakeback,
    Action,
    Adjudicate,
    Ask,
    DeclineDraw,
    DeclineTakeback,
    Ended,
    Event,
    Forfeit,
    Match,
    MoveMade,
    OfferDraw,
    Pause,
    RequestTakeback,
    Resign,
    Result,
    Resume,
    Seat,
    Start,
    Tick,
    event_from_dict,
    new_match,
    record_of,
    replay,
    step,
)

GAMES = (
    "tic-tac-toe",
    "tic-tac-toe{swap=true}",
    "ultimate",
    "misere-ultimate",
    "extreme",
    'extreme{side=2;patterns=["rows"];values=[6,6,6,6]}',
    "sudoku{side=2}",
    "ultimate-ultimate",
    "ultimate{swap=true}",
)
SEATS: st.SearchStrategy[Seat] = st.sampled_from(("X", "O"))
TIMES = ("none", "16/move", "30s+2s", "1m", "20s+1s,5/move,9/first")


class Referee(RuleBasedStateMachine):
    """Throws every event at a match at any time and watches what must always hold."""

    def __init__(self) -> None:
        super().__init__()
        self.first = self.match = new_match("tic-tac-toe")
        self.now = 0.0
        self.log: list[tuple[Event, float]] = []
        self.result: Result | None = None

    @initialize(game=st.sampled_from(GAMES), time=st.sampled_from(TIMES), strict=st.booleans(), ready=st.booleans())
    def begin(self, game: str, time: str, strict: bool, ready: bool) -> None:
        self.first = self.match = new_match(game, time=time, strict=strict)
        if ready:
            self.send(Start())

    def send(self, event: Event) -> tuple[Action, ...]:
        """Step; an event out of place must have changed nothing."""
        before = self.match.to_dict()
        try:
            after, actions = step(self.match, event, self.now)
        except MatchError as error:
            assert str(error)
            assert self.match.to_dict() == before
            return ()
        assert self.match.to_dict() == before, "the old state is a value too"
        assert after.phase != "over" or not any(isinstance(action, Ask) for action in actions)
        assert all(action.result == after.result for action in actions if isinstance(action, Ended))
        self.match = after
        self.log.append((event, self.now))
        return actions

    @rule(seconds=st.floats(0, 6))
    def time_passes(self, seconds: float) -> None:
        self.now += seconds

    @rule(seconds=st.floats(-1000, 0))
    def time_runs_backwards(self, seconds: float) -> None:
        self.now += seconds

    @rule()
    def start(self) -> None:
        self.send(Start())

    @precondition(lambda self: self.match.phase == "running")
    @rule(data=st.data(), lag=st.sampled_from((0.0, 0.0, 0.5, 100.0)))
    def legal_move(self, data: st.DataObject, lag: float) -> None:
        legal = self.match.position.legal_moves
        move = legal[data.draw(st.integers(0, len(legal) - 1))]
        seat, plies = self.match.turn, len(self.match.plies)
        self.send(MoveMade(seat, move, lag))
        late = self.match.result is not None and self.match.result.reason == "overrun"
        assert late or len(self.match.plies) == plies + 1

    @precondition(lambda self: self.match.phase == "running")
    @rule(count=st.integers(1, 12))
    def many_moves(self, count: int) -> None:
        for index in range(count):
            if self.match.phase == "running":
                legal = self.match.position.legal_moves
                self.send(MoveMade(self.match.turn, legal[index * 37 % len(legal)]))

    @rule(seat=SEATS, text=st.text(max_size=5) | st.sampled_from(("aa", "swap", "e", "aaaa", "ba")))
    def any_text(self, seat: Seat, text: str) -> None:
        self.send(MoveMade(seat, text))

    @rule(
        kind=st.sampled_from(
            (Resign, OfferDraw, AcceptDraw, DeclineDraw, RequestTakeback, AcceptTakeback, DeclineTakeback)
        ),
        seat=SEATS,
        dice=st.integers(0, 3),
    )
    def seat_event(self, kind: type[OfferDraw], seat: Seat, dice: int) -> None:
        if kind is not Resign or not dice:  # or few games would get far
            self.send(kind(seat))

    @rule(seat=SEATS)
    def takeback(self, seat: Seat) -> None:
        before = self.match
        self.send(RequestTakeback(seat))
        self.send(AcceptTakeback("O" if seat == "X" else "X"))
        if len(self.match.plies) < len(before.plies):
            assert self.match.turn == seat
            assert self.match.position in before.positions

    @rule(event=st.sampled_from((Tick(), Tick(lag=2.0), Pause(), Resume(), Resume())))
    def clock_event(self, event: Event) -> None:
        self.send(event)

    @rule(
        event=st.sampled_from(
            (Abort("called off"), Forfeit("X", "crash"), Forfeit("O", "tampering", "x"), Adjudicate("X"))
        ),
        dice=st.integers(0, 5),
    )
    def ending(self, event: Event, dice: int) -> None:
        if not dice:
            self.send(event)

    @invariant()
    def the_clocks_are_never_negative(self) -> None:
        clock = self.match.clock(self.now)
        for seconds in (clock.limit, clock.own, clock.opponent, *(self.match.remaining or ())):
            assert seconds is None or seconds >= 0
        assert self.match.banked >= 0
        assert all(ply.seconds is None or ply.seconds >= 0 for ply in self.match.plies)
        assert (self.match.since is not None) == (self.match.phase == "running")

    @invariant()
    def the_result_is_final(self) -> None:
        assert self.result is None or self.match.result == self.result
        self.result = self.match.result
        if self.result is not None and self.match.position.outcome is not None:
            assert self.result.reason == self.match.position.outcome.reason or self.result.points == (0, 0)

    @invariant()
    def the_moves_replay(self) -> None:
        position = self.match.start
        for ply, after in zip(self.match.plies, self.match.positions[1:], strict=True):
            position = position.play(ply.move)
            assert position == after
        assert self.match.position == position
        assert (position.outcome is None) or self.match.phase == "over"

    @invariant()
    def it_survives_json(self) -> None:
        copy = Match.from_dict(json.loads(json.dumps(self.match.to_dict())))
        assert copy == self.match
        assert copy.positions == self.match.positions
        assert copy.rules.forfeit_points == self.match.rules.forfeit_points

    @invariant()
    def it_is_a_record(self) -> None:
        record = record_of(self.match)
        assert record.moves == self.match.moves
        result = self.match.result
        assert (record.result == "*") == (result is None or result.reason == "aborted")

    def teardown(self) -> None:
        assert replay(self.first, self.log) == self.match
        thawed = [(event_from_dict(json.loads(json.dumps(event.to_dict()))), now) for event, now in self.log]
        assert replay(Match.from_dict(self.first.to_dict()), thawed) == self.match


TestReferee = Referee.TestCase
TestReferee.settings = settings(max_examples=120, stateful_step_count=40, deadline=None)
