"""What becomes of a game, decided without clocks and databases: claims, toss, offers, and what each move would do."""

import pytest

from metatac.game import start
from metatac.match import Tick
from metatac.rules import preset_names
from metatac.server import decisions, game_views
from metatac.server.decisions import Deed, IllegalDeed, Live, Wish
from metatac.server.engines import QUEUE_SECONDS
from metatac.server.positions import view
from metatac.server.refusals import Refusal
from metatac.store.games import Presence

HERE = Presence(True, 0.0)


def game(opponent: str = "friend", time: str = "none", side: str = "X", name: str = "tic-tac-toe") -> Live:
    wish = Wish(start(name), name, {}, opponent, side, time, True, ("1", "1"))
    made, token = decisions.create(wish, "ada", "Ada", 100.0)
    if opponent != "friend":
        return made
    return decisions.join(made, "bob", "Bob", token, "O", 100.0)


def do(live: Live, visitor: str, kind: str, now: float = 101.0, **parts: object) -> Live:
    return decisions.act(live, visitor, Deed(kind, **parts), {"ada": HERE, "bob": HERE}, now)  # type: ignore[arg-type]


@pytest.mark.parametrize(("time", "wait"), [("none", 120.0), ("5m+3s", 30.0), ("90/move", 30.0)])
def test_a_game_can_be_claimed_when_the_other_has_been_gone_long_enough(time: str, wait: float) -> None:
    live = game(time=time)
    gone = {"ada": Presence(False, 110.0), "bob": HERE}
    claim = Deed("claim", what="win")
    with pytest.raises(Refusal, match="wait 1 seconds more"):
        decisions.act(live, "bob", claim, gone, 110.0 + wait - 0.04)
    assert game_views.here(live, gone, 110.0 + wait - 0.04)["claim_in"] > 0
    with pytest.raises(Refusal, match="still here"):
        decisions.act(live, "ada", claim, gone, 110.0 + wait)
    won = decisions.act(live, "bob", claim, gone, 110.0 + wait)
    assert won.stored.result == "0-1" and won.stored.reason == "left"
    drawn = decisions.act(live, "bob", Deed("claim", what="draw"), gone, 110.0 + wait)
    assert drawn.stored.result == "1/2-1/2"


def test_the_clock_forgives_the_way_of_a_move_and_no_more() -> None:
    live = game(time="10/move")
    assert do(live, "ada", "move", 110.5, move="a", lag=1.0).stored.plies == 1
    assert do(live, "ada", "move", 111.5, move="a", lag=1.0).stored.reason == "overrun"
    assert decisions.tick(live, Tick(1.0), 110.5) is live
    assert decisions.tick(live, Tick(0.0), 110.0).stored.reason == "overrun"


def test_nobody_is_charged_for_a_time_in_which_nobody_served() -> None:
    live = game(time="5m+0s")  # since 100
    again = decisions.rested(live, 130.0, 1000.0)
    assert game_views.clock(again.match, 1010.0)["X"] == 260.0 and again.stored.deadline == 1270.0
    moved = do(live, "ada", "move", 150.0, move="a")  # after the last sign of life
    assert game_views.clock(decisions.rested(moved, 148.0, 1000.0).match, 1000.0)["O"] == 300.0
    assert decisions.rested(live, 500.0, 1000.0).stored.reason == "overrun"  # that was before
    assert decisions.rested(live, 900.0, 130.0).stored.deadline == 400.0  # by a clock that was ahead
    over = do(live, "ada", "resign")
    assert decisions.rested(over, 130.0, 1000.0) is over


@pytest.mark.parametrize("time", ["2/move", "2s+0s"])
def test_an_engine_may_still_wait_for_its_turn_whenever_its_clock_is_looked_at(time: str) -> None:
    live = do(game("engine", time), "ada", "move", 101.0, move="a")
    late = 103.0 + QUEUE_SECONDS
    back = do(live, "ada", "request_takeback", late - 0.1)
    assert back.stored.phase == "running" and back.stored.plies == 0 and back.match.since == late - 0.1
    assert do(live, "ada", "request_takeback", late).stored.reason == "overrun"
    again = decisions.rested(live, 121.0, 1000.0)
    assert again.engine_to_move and again.stored.deadline == 1002.0  # nothing is known of its having thought
    assert decisions.rested(live, late, 1000.0).stored.reason == "overrun"
    assert decisions.rested(live, late - 1.0, 50.0).stored.deadline == 51.0  # by a clock that was ahead
    over = do(game("engine", time, side="X"), "ada", "move", 103.0, move="a")
    assert over.stored.reason == "overrun"  # nobody forgives a person so much


@pytest.mark.parametrize("coin", ["X", "O"])
def test_the_coin_decides_who_sits_where_when_the_second_joins(coin: str) -> None:
    wish = Wish(start("tic-tac-toe"), "tic-tac-toe", {}, "open", "toss", "none", False)
    made, _ = decisions.create(wish, "ada", "Ada", 1.0)
    live = decisions.join(made, "bob", "Bob", None, coin, 2.0)  # type: ignore[arg-type]
    assert live.seats_of("bob") == [coin] and live.seats_of("ada") != [coin]
    assert live.match.names == (("Bob", "Ada") if coin == "X" else ("Ada", "Bob"))
    with pytest.raises(Refusal, match="taken"):
        decisions.join(live, "eve", "Eve", None, "X", 3.0)


def test_an_engine_grants_takebacks_and_declines_draws_at_once() -> None:
    live = do(game("engine"), "ada", "move", move="a")
    assert live.engine_to_move
    assert do(live, "ada", "offer_draw").match.draw_offer is None
    assert do(live, "ada", "request_takeback").stored.plies == 0


def test_moves_that_an_engine_lets_be_taken_back_bring_no_time() -> None:
    live = game("engine", "5m+3s")
    for now in (105.0, 110.0, 115.0):
        live = do(do(live, "ada", "move", now, move="a"), "ada", "request_takeback", now + 1.0)
        assert live.match.remaining == (300.0 - 5.0 - 4.0 * (now - 105.0) / 5.0, 300.0)
    short = do(game("engine", "2s+5s"), "ada", "move", 101.0, move="a")
    assert do(short, "ada", "request_takeback", 110.0).stored.plies == 0  # the engine has waited, not thought


def test_nobody_speaks_for_another_seat_nor_before_the_game() -> None:
    live = game()
    for visitor, seat in (("bob", "X"), ("ada", "O"), ("eve", None), ("eve", "X")):
        with pytest.raises(Refusal) as refused:
            do(live, visitor, "resign", seat=seat)
        assert refused.value.status == 403
    wish = Wish(start("tic-tac-toe"), "tic-tac-toe", {}, "friend", "X", "none", True)
    made, _ = decisions.create(wish, "ada", "Ada", 1.0)
    with pytest.raises(Refusal, match="not begun"):
        do(made, "ada", "move", move="a")


def test_a_stale_move_is_told_from_one_that_a_mere_offer_came_before() -> None:
    live = game()
    version = live.stored.version
    offered = do(live, "bob", "offer_draw")
    assert do(offered, "ada", "move", move="a", version=version).stored.plies == 1
    moved = do(do(live, "ada", "move", move="a"), "bob", "move", move="b")
    with pytest.raises(IllegalDeed, match="changed"):
        do(moved, "ada", "move", move="c", version=version)


def test_a_rematch_swaps_the_seats_and_keeps_the_rest() -> None:
    over = do(game(time="5m+3s"), "ada", "resign")
    offered = do(over, "bob", "rematch")
    with pytest.raises(Refusal, match="already"):
        do(offered, "bob", "rematch")
    agreed = do(offered, "ada", "rematch")
    again = decisions.rematch(agreed, 200.0)
    assert again.stored.id == agreed.stored.rematch_id and again.seats_of("ada") == ["O"]
    assert again.match.time == over.match.time and again.stored.private


def test_what_is_stored_is_the_whole_game() -> None:
    live = do(do(game(time="5m+3s"), "ada", "move", move="a"), "bob", "offer_draw")
    again = decisions.live(live.stored)
    assert again.match == live.match and game_views.lasting(again) == game_views.lasting(live)


@pytest.mark.parametrize("name", preset_names())
def test_the_targets_are_where_the_moves_really_send(name: str) -> None:
    position = start(name)
    for number in range(6):
        shown = view(position)
        if position.rules.marks == 2:
            boards = shown["choices"].items()
            moves = {board + own + other for board, cells in boards for own in cells for other in cells[own]}
            assert moves == {str(move) for move in position.legal_moves} and shown["legal"] is None
        else:
            assert set(shown["targets"]) == set(shown["legal"])
        position = position.play(position.legal_moves[(7 * number) % len(position.legal_moves)])


def test_a_game_that_is_not_begun_has_no_clock_running() -> None:
    wish = Wish(start("ultimate"), "ultimate", {}, "friend", "X", "5m+3s", True)
    made, _ = decisions.create(wish, "ada", "Ada", 1.0)
    stands = {"running": None, "X": 300.0, "O": 300.0, "move": None, "increment": 3.0}
    assert game_views.clock(made.match, 50.0) == stands and made.stored.deadline is None
