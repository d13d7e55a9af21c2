"""The referee's word on single situations."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import metatac
from metatac.errors import MatchError
from metatac.match import (
    Abort,
    AcceptDraw,
    AcceptTakeback,
    Adjudicate,
    Ask,
    Declined,
    DeclineDraw,
    DeclineTakeback,
    Ended,
    Event,
    Forfeit,
    Match,
    MoveMade,
    OfferDraw,
    Offered,
    Pause,
    Played,
    Refused,
    RequestTakeback,
    Resign,
    Result,
    Resume,
    Start,
    TakenBack,
    Tick,
    event_from_dict,
    new_match,
    replay,
    step,
)


def started(source: str = "tic-tac-toe", now: float = 0.0, **options: object) -> Match:
    return step(new_match(source, **options), Start(), now)[0]  # type: ignore[arg-type]


def moved(match: Match, *moves: str, now: float = 0.0) -> Match:
    for move in moves:
        match, _ = step(match, MoveMade(match.turn, move), now)
    return match


def result_of(match: Match) -> Result:
    assert match.result is not None
    return match.result


# -- playing


def test_a_game_from_start_to_its_line() -> None:
    match, actions = step(new_match("tic-tac-toe"), Start(), 0)
    assert actions == (Ask("X"),)
    match, actions = step(match, MoveMade("X", "a"), 1)
    assert actions == (Played("X", "a"), Ask("O"))
    match = moved(match, "b", "e", "c", now=2)
    match, actions = step(match, MoveMade("X", metatac.Move((8,))), 3)
    assert actions[-1] == Ended(result_of(match))
    assert result_of(match) == Result("X", (1, 0), "line", 1)
    assert match.phase == "over"
    assert [ply.seconds for ply in match.plies] == [1, 1, 0, 0, 1]


def test_a_match_from_a_finished_position_ends_at_once() -> None:
    finished = moved(started(), "a", "b", "e", "c", "i").position
    match, actions = step(new_match(finished), Start(), 0)
    assert result_of(match).reason == "line"
    assert actions == (Ended(result_of(match)),)


def test_an_opening_costs_no_time_and_is_checked() -> None:
    match = new_match("tic-tac-toe", opening=["a", "b"], time="1m")
    assert match.turn == "X"
    assert [ply.seconds for ply in match.plies] == [None, None]
    with pytest.raises(metatac.errors.IllegalMove):
        new_match("tic-tac-toe", opening=["a", "a"])


@pytest.mark.parametrize(("move", "word"), [("zz", "no move"), ("a", "taken"), ("swap", "no move"), ("", "no move")])
def test_people_are_told_why_a_move_is_none(move: str, word: str) -> None:
    match = moved(started(), "a")
    after, actions = step(match, MoveMade("O", move), 1)
    assert after == match
    (refused,) = actions
    assert isinstance(refused, Refused)
    assert word in refused.message


@pytest.mark.parametrize(("move", "reason"), [("zz", "garbage"), ("a", "illegal move")])
def test_programs_forfeit(move: str, reason: str) -> None:
    match = moved(started("intelligent", strict=True), "aa") if move == "zz" else moved(started(strict=True), "a")
    match, _ = step(match, MoveMade("O", move), 1)
    result = result_of(match)
    assert (result.winner, result.reason) == ("X", reason)
    assert result.points == ((16, 0) if move == "zz" else (1, 0))
    assert result.detail


def test_forfeits_give_the_rules_own_points() -> None:
    for reason in ("crash", "memory", "tampering", "forbidden call", "left"):
        match, _ = step(started("extreme"), Forfeit("X", reason, "why"), 1)
        assert result_of(match) == Result("O", (0, 68), reason, result_of(match).utility, "why")
    match, _ = step(started("extreme"), Resign("O"), 1)
    assert result_of(match).points == (68, 0)
    assert result_of(match).reason == "resignation"


def test_a_bot_may_forfeit_before_the_start() -> None:
    match, _ = step(new_match("ultimate"), Forfeit("O", "crash", "no such file"), 0)
    assert result_of(match).winner == "X"


def test_swap_changes_the_mark_and_not_the_seats() -> None:
    rules = metatac.load_rules("tic-tac-toe", swap=True)
    match = moved(started(rules.spec), "e", "swap")
    assert match.position.cells == "....O...."
    assert match.turn == "X"
    match, actions = step(match, MoveMade("X", "a"), 1)
    assert actions[-1] == Ask("O")
    assert Match.from_dict(match.to_dict()) == match


@pytest.mark.parametrize("known", ["", "e", "e a", "e a i b h c", "e c", "a e i"])
def test_what_is_known_of_a_match_need_not_be_replayed(known: str) -> None:
    match = moved(started("tic-tac-toe"), "e", "a", "i", "b", "h")
    other = moved(started("tic-tac-toe"), *known.split())
    again = Match.from_dict(match.to_dict(), other)
    assert again == match and again.positions == match.positions
    shared = [one is two for one, two in zip(again.positions, other.positions, strict=False)]
    assert shared[0] and shared == [one == two for one, two in zip(match.positions, other.positions, strict=False)]


def test_a_match_from_another_start_is_not_taken_for_known() -> None:
    match = moved(started("ultimate"), "ee", "ea")
    other = moved(started("misere-ultimate"), "ee", "ea")
    assert Match.from_dict(match.to_dict(), other) == match


def test_adjudication_and_abort() -> None:
    match, _ = step(started("ultimate"), Adjudicate("O", detail="proven"), 1)
    assert result_of(match) == Result("O", (0, 1), "adjudication", -1, "proven")
    match, _ = step(started("intelligent"), Adjudicate(None, points=(9, 7)), 1)
    assert result_of(match).points == (9, 7)
    match, _ = step(new_match("ultimate"), Abort("nobody came"), 1)
    assert result_of(match) == Result(None, (0, 0), "aborted", 0, "nobody came")
    assert result_of(match).text == "*"


# -- time


def test_the_rules_own_limit_is_the_default() -> None:
    assert str(new_match("extreme").time) == "16/move"
    assert str(new_match("intelligent").time) == "15/move"
    assert str(new_match("ultimate").time) == "none"


def test_an_overrun_is_noticed_when_the_move_comes_and_on_a_tick() -> None:
    match = started("extreme", now=100)
    assert match.deadline == 116
    for event in (MoveMade("X", "aa"), Tick()):
        ended, _ = step(match, event, 116)
        assert (result_of(ended).winner, result_of(ended).reason) == ("O", "overrun")
        assert step(match, event, 115.9)[0].result is None
    assert step(match, Tick(lag=1), 116.5)[0].result is None
    assert step(match, MoveMade("X", "aa", lag=1), 116.5)[0].plies[0].seconds == pytest.approx(15.5)


def test_lateness_comes_before_illegality() -> None:
    match, _ = step(started("extreme", strict=True), MoveMade("X", "zz"), 20)
    assert result_of(match).reason == "overrun"


def bonus_match(now: float = 0.0, **options: object) -> Match:
    """Extreme, with a bonus move to be made: whoever can win a board does."""
    match = started("extreme", now=now, **options)
    while not match.position.bonus:
        position = match.position
        winning = [move for move in position.legal_moves if position.play(move).bonus]
        scattered = position.legal_moves[7 * len(match.plies) % len(position.legal_moves)]
        match = moved(match, str(winning[0] if winning else scattered), now=now)
    return match


def test_a_bonus_move_has_a_fresh_limit_and_its_increment() -> None:
    match = bonus_match(now=50.0)
    assert match.deadline == 66.0
    seat = match.turn
    match, _ = step(match, MoveMade(seat, match.position.legal_moves[0]), 65.0)
    assert match.result is None
    assert match.turn != seat
    assert match.deadline == 81.0
    timed = bonus_match(now=0.0, time="1m+2s")
    seat = timed.turn
    before = timed.clock(0).own or 0
    timed, _ = step(timed, MoveMade(seat, timed.position.legal_moves[0]), 3.0)
    assert timed.clock(3.0).opponent == pytest.approx(before - 3 + 2)


def test_a_total_clock_counts_down_and_up() -> None:
    match = started(time="10s+2s", now=5)
    match, _ = step(match, MoveMade("X", "a"), 9)
    assert match.remaining == (8, 10)
    assert match.plies[0].remaining == 8
    clock = match.clock(10)
    assert (clock.limit, clock.own, clock.opponent, clock.increment) == (9, 9, 8, 2)
    assert match.remaining_at(10) == (8, 9)
    match, _ = step(match, Tick(), 19)
    assert (result_of(match).winner, match.remaining) == ("X", (8, 0))


def test_the_first_move_may_have_its_own_limit() -> None:
    match = started(time="0.1/move,1/first")
    assert match.limit == 1
    match = moved(match, "a", now=0.9)
    assert match.limit == 1
    match = moved(match, "b", now=1.2)
    assert match.limit == 0.1


def test_time_running_backwards_charges_nothing() -> None:
    match = started(time="10s", now=100)
    match, _ = step(match, MoveMade("X", "a"), 50)
    match, _ = step(match, Tick(), -1000)
    match, _ = step(match, MoveMade("O", "b"), 52)
    assert match.remaining == (10, 8)
    for now in (float("nan"), float("inf"), "noon"):
        with pytest.raises(MatchError):
            step(match, Tick(), now)  # type: ignore[arg-type]


def test_a_pause_stops_the_clock_and_a_resume_after_a_crash_forgives() -> None:
    match = started(time="10s", now=0)
    match, _ = step(match, Pause(), 4)
    assert match.phase == "paused"
    assert step(match, Tick(), 1000)[0] == match
    with pytest.raises(MatchError, match="paused"):
        step(match, MoveMade("X", "a"), 5)
    match, actions = step(match, Resume(), 500)
    assert actions == (Ask("X"),)
    assert match.deadline == 506
    match, _ = step(match, Resume(), 900)  # the process died at some time after 500
    match, _ = step(match, MoveMade("X", "a"), 901)
    assert match.remaining == (5, 10)


# -- agreements


def test_a_draw_is_offered_and_accepted() -> None:
    match, actions = step(started("ultimate"), OfferDraw("O"), 0)
    assert actions == (Offered("draw", "O"),)
    for event in (AcceptDraw("X"), OfferDraw("X")):
        drawn, _ = step(match, event, 0)
        assert result_of(drawn) == Result(None, (0.5, 0.5), "agreement", 0)
    with pytest.raises(MatchError, match="already"):
        step(match, OfferDraw("O"), 0)
    with pytest.raises(MatchError, match="X has offered none"):
        step(match, AcceptDraw("O"), 0)


def test_an_agreed_draw_gives_both_the_same_where_points_are_counted() -> None:
    match, _ = step(started("extreme"), OfferDraw("O"), 0)
    match, _ = step(match, AcceptDraw("X"), 0)
    assert result_of(match).points == (34, 34)


def test_an_offer_stands_until_the_other_moves_or_declines() -> None:
    match, _ = step(started(), OfferDraw("X"), 0)
    match = moved(match, "a")
    assert match.draw_offer == "X"
    after, actions = step(match, MoveMade("O", "b"), 0)
    assert after.draw_offer is None
    assert Declined("draw", "O") in actions
    for seat in ("X", "O"):
        after, actions = step(match, DeclineDraw(seat), 0)  # type: ignore[arg-type]
        assert after.draw_offer is None


def test_a_takeback_returns_to_the_askers_last_decision() -> None:
    match = moved(started(), "a", "b", "c")
    for asker, granter, left, turn in (("X", "O", 2, "X"), ("O", "X", 1, "O")):
        asked, actions = step(match, RequestTakeback(asker), 0)  # type: ignore[arg-type]
        assert actions == (Offered("takeback", asker),)  # type: ignore[arg-type]
        back, actions = step(asked, AcceptTakeback(granter), 0)  # type: ignore[arg-type]
        assert actions == (TakenBack(asker, 3 - left), Ask(turn))  # type: ignore[arg-type]
        assert len(back.plies) == left
        assert back.position == match.positions[left]
        assert moved(back, "i").position.cells.count(turn)


def test_a_takeback_in_a_bonus_goes_back_to_the_move_that_won_it() -> None:
    match = bonus_match()
    seat = match.turn
    assert match.decision_before(seat) == len(match.plies) - 1
    other = "O" if seat == "X" else "X"
    match, _ = step(match, RequestTakeback(seat), 0)
    match, _ = step(match, AcceptTakeback(other), 0)  # type: ignore[arg-type]
    assert match.turn == seat
    assert not match.position.bonus


def test_a_takeback_keeps_the_clocks() -> None:
    match = started(time="1m")
    match = moved(match, "a", now=10)
    match, _ = step(match, RequestTakeback("X"), 12)
    match, _ = step(match, AcceptTakeback("O"), 15)
    assert match.remaining == (50, 55)
    assert match.deadline == 65


def test_a_takeback_takes_back_what_the_moves_brought_and_gives_no_time() -> None:
    match = moved(moved(started(time="1m+5s"), "a", now=10), "b", now=12)
    assert match.remaining == (55, 63)
    match, _ = step(match, RequestTakeback("X"), 15)
    match, _ = step(match, AcceptTakeback("O"), 16)
    assert match.remaining == (46, 58)
    opening = moved(started(time="1m+5s", opening=["a"]), "b", now=1)
    opening, _ = step(opening, RequestTakeback("X"), 1)
    assert step(opening, AcceptTakeback("O"), 2)[0].remaining == (59, 59), "an opening has brought nothing"


def test_a_move_whose_increment_is_used_up_cannot_be_taken_back() -> None:
    match = moved(moved(started(time="2s+5s"), "a", now=1), "b", now=1)
    asked, _ = step(match, RequestTakeback("X"), 1.9)
    assert step(asked, AcceptTakeback("O"), 1.9)[0].remaining == (pytest.approx(0.1), 2)
    late, actions = step(asked, AcceptTakeback("O"), 2)
    assert late.plies == match.plies and late.takeback is None
    assert actions == (Declined("takeback", "O"),)
    with pytest.raises(MatchError, match="used up"):
        step(match, RequestTakeback("X"), 2)


@given(
    game=st.sampled_from(("tic-tac-toe", "extreme")),
    time=st.sampled_from(("9s+2s", "30s+0.1s", "20s+3s,6/move")),
    deeds=st.lists(
        st.tuples(st.sampled_from(("move", "move", "X", "O")), st.floats(0, 4), st.sampled_from((0.0, 0.5))),
        max_size=40,
    ),
)
def test_no_moves_and_takebacks_give_anybody_time(
    game: str, time: str, deeds: list[tuple[str, float, float]]
) -> None:
    """A clock is the whole time, less every second that was thought, more one increment for each move that stands."""
    match, now = started(game, time=time), 0.0
    used = {"X": 0.0, "O": 0.0}
    for deed, seconds, lag in deeds:
        thinker, since, plies = match.turn, now, len(match.plies)
        now += seconds
        try:
            if deed == "move":
                match = step(match, MoveMade(thinker, match.position.legal_moves[0], lag), now)[0]
            else:
                asked, _ = step(match, RequestTakeback(deed), now)  # type: ignore[arg-type]
                match, _ = step(asked, AcceptTakeback("O" if deed == "X" else "X"), now)
        except MatchError:
            now = since
            continue
        if match.result is not None:
            return
        used[thinker] += max(0.0, seconds - lag) if len(match.plies) > plies else seconds
        assert match.remaining is not None and match.time.total is not None
        for seat, left in zip("XO", match.remaining, strict=True):
            stand = sum(before.turn == seat for before in match.positions[:-1])
            assert left == pytest.approx(match.time.total + stand * match.time.increment - used[seat], abs=1e-4)
            assert left > 0


def test_a_takeback_cannot_undo_an_overrun() -> None:
    match = moved(started(time="5/move"), "a")
    match, _ = step(match, RequestTakeback("X"), 1)
    match, _ = step(match, AcceptTakeback("O"), 6)
    assert result_of(match).reason == "overrun"


def test_takebacks_that_cannot_be() -> None:
    with pytest.raises(MatchError, match="no move yet"):
        step(moved(started(), "a"), RequestTakeback("O"), 0)
    match, _ = step(moved(started(), "a"), RequestTakeback("X"), 0)
    with pytest.raises(MatchError, match="asked for none"):
        step(match, AcceptTakeback("X"), 0)
    with pytest.raises(MatchError, match="answered first"):
        step(match, RequestTakeback("O"), 0)
    after, _ = step(match, DeclineTakeback("O"), 0)
    assert after.takeback is None
    after, actions = step(match, MoveMade("O", "b"), 0)
    assert after.takeback is None
    assert Declined("takeback", "O") in actions


# -- out of place


@pytest.mark.parametrize(
    ("match", "event", "why"),
    [
        (new_match("tic-tac-toe"), MoveMade("X", "a"), "not started"),
        (new_match("tic-tac-toe"), Resign("X"), "not started"),
        (started(), Start(), "is running"),
        (started(), MoveMade("O", "a"), "out of turn"),
        (started(), AcceptDraw("O"), "offered none"),
        (started(), DeclineTakeback("O"), "none is asked"),
        (step(started(), Resign("X"), 0)[0], MoveMade("X", "a"), "over: O wins .resignation."),
        (step(started(), Resign("X"), 0)[0], Abort(), "over"),
    ],
)
def test_events_out_of_place_say_what_and_why(match: Match, event: Event, why: str) -> None:
    with pytest.raises(MatchError, match=why):
        step(match, event, 0)


# -- JSON


@pytest.mark.parametrize(
    "event",
    [
        Start(),
        MoveMade("X", "aa", lag=0.2),
        Tick(),
        Tick(lag=1),
        OfferDraw("O"),
        Forfeit("X", "crash", "boom"),
        Adjudicate("X", (1, 0)),
        Adjudicate(None),
        Abort("x"),
        Pause(),
        Resume(),
    ],
)
def test_events_travel_as_json(event: Event) -> None:
    assert event_from_dict(json.loads(json.dumps(event.to_dict()))) == event


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"kind": "win"},
        {"kind": ["move"]},
        {"kind": "move", "seat": "Z", "move": "a"},
        {"kind": "move", "seat": "X", "move": 3},
        {"kind": "move", "seat": "X"},
        {"kind": "move", "seat": "X", "move": "a", "lag": -1},
        {"kind": "move", "seat": "X", "move": "a", "spin": 1},
        {"kind": "forfeit", "seat": "X", "reason": "ugly"},
        {"kind": "forfeit", "seat": "X", "reason": "crash", "detail": 3},
        {"kind": "adjudicate", "winner": "X", "points": [1]},
        {"kind": "tick", "lag": "soon"},
    ],
)
def test_bad_events_are_refused(data: dict[str, object]) -> None:
    with pytest.raises(MatchError):
        event_from_dict(data)


def test_a_match_goes_on_in_another_process() -> None:
    match = moved(started("extreme", strict=True, time="5m+3s", names=("Ada", "Bo")), "ab", now=7.25)
    copy = Match.from_dict(json.loads(json.dumps(match.to_dict())))
    assert copy == match
    assert copy.positions == match.positions
    assert copy.rules.forfeit_points == 68
    assert step(copy, Resign("O"), 8)[0] == step(match, Resign("O"), 8)[0]


@pytest.mark.parametrize(
    "change",
    [
        {"version": 99},
        {"start": "chess"},
        {"time": "soon"},
        {"plies": [["zz", 1, None]]},
        {"plies": [["a", 1, None], ["a", 1, None]]},
        {"plies": 3},
        {"names": ["one"]},
        {"names": [1, 2]},
        {"strict": "yes"},
        {"since": "noon"},
        {"banked": None},
        {"remaining": [1]},
        {"draw_offer": "Z"},
        {"result": {"winner": "Q", "points": [1, 0], "reason": "line", "utility": 1, "detail": ""}},
        {"result": 7},
    ],
)
def test_damaged_match_data_are_refused(change: dict[str, object]) -> None:
    data = moved(started(), "a").to_dict() | change
    with pytest.raises(MatchError):
        Match.from_dict(data)


def test_replaying_the_events_gives_the_same_match() -> None:
    events: list[tuple[Event, float]] = [
        (Start(), 0),
        (MoveMade("X", "a"), 1),
        (OfferDraw("X"), 2),
        (Resign("O"), 3),
    ]
    assert replay(new_match("tic-tac-toe"), events) == replay(new_match("tic-tac-toe"), events)


def test_the_state_is_frozen() -> None:
    match = started()
    with pytest.raises(AttributeError):
        match.strict = True  # type: ignore[misc]
    assert replace(match, strict=True) != match
    assert hash(match) == hash(Match.from_dict(match.to_dict()))
