"""Computers at a table: in the background, stopped when nobody wants them, and judged."""

import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

import odd_players
import pytest
from sittings import Sit

import metatac
from metatac.match import Offered
from metatac.players import registry
from metatac.table import Analysed, NotAnalysed, Thinking

if TYPE_CHECKING:
    from metatac.engine.results import Analysis


@pytest.fixture(autouse=True)
def odd(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The odd players can be named; their log."""
    for entry in odd_players.ENTRIES:
        monkeypatch.setitem(registry._ENTRIES, entry.name, entry)
    odd_players.LOG.clear()
    odd_players.GATE.clear()
    yield odd_players.LOG
    odd_players.GATE.set()


def test_a_person_may_move_before_the_computer_is_ready(sit: Sit, odd: list[str]) -> None:
    sitting = sit("ultimate", "human", "slow-to-start")
    assert sitting.table.waiting == "person"
    sitting.table.play("ee")
    assert odd == [] and not sitting.table.is_ready("O")
    odd_players.GATE.set()
    sitting.wait_for_person()
    assert len(sitting.moves) == 2


def test_no_clock_runs_while_somebody_gets_ready(sit: Sit, odd: list[str]) -> None:
    now = [0.0]
    sitting = sit("ultimate", "human", "slow-to-start", time="10/move", clock=lambda: now[0])
    assert sitting.table.waiting == "ready" and sitting.table.deadline is None
    now[0] = 1000.0
    sitting.table.tick()
    odd_players.GATE.set()
    sitting.wait_for_person()
    assert odd == ["ready"] and sitting.table.deadline == 1010.0


def test_what_a_computer_needs_to_get_ready_is_not_the_time_of_its_move(sit: Sit) -> None:
    now = [0.0]
    sitting = sit("ultimate", "human", "slow-to-start", clock=lambda: now[0])
    now[0] = 3.0
    sitting.table.play("ee")
    now[0] = 1000.0
    assert sitting.table.waiting == "computer"
    odd_players.GATE.set()
    sitting.wait_for_person()
    assert [ply.seconds for ply in sitting.table.match.plies] == [3.0, 0.0]


def test_a_move_may_be_taken_back_while_the_computer_gets_ready(sit: Sit) -> None:
    sitting = sit("ultimate", "human", "slow-to-start")
    sitting.table.play("ee")
    sitting.table.undo()
    assert sitting.table.waiting == "person"
    sitting.table.play("aa")
    sitting.table.pause()
    sitting.table.resume_play()
    odd_players.GATE.set()
    sitting.wait_for_person()
    assert sitting.moves == ["aa", "ab"]


def test_a_thought_that_nobody_wants_any_more_is_ended(sit: Sit, odd: list[str]) -> None:
    sitting = sit("ultimate", "human", "deep")
    table = sitting.table
    table.play("ee")
    sitting.wait(lambda: bool(sitting.of(Thinking)))
    assert table.thought == "a word"
    table.undo()
    assert table.waiting == "person" and sitting.moves == []
    table.play("aa")
    sitting.wait(lambda: len(sitting.of(Thinking)) == 2)
    assert sitting.moves == ["aa"]
    table.move_now()
    sitting.wait_for_person()
    assert sitting.moves == ["aa", "ai"] and "nobody interrupted it" not in odd


def test_move_now_is_heard_even_before_the_search_has_begun(sit: Sit, odd: list[str]) -> None:
    sitting = sit("ultimate", "human", "deep")
    for _ in range(5):
        sitting.table.play(sitting.table.position.legal_moves[0])
        sitting.table.move_now()
        sitting.wait_for_person()
    assert "nobody interrupted it" not in odd


def test_a_program_is_closed_when_nobody_wants_it_and_at_the_end(sit: Sit, odd: list[str]) -> None:
    sitting = sit("ultimate", "human", "program")
    table = sitting.table
    table.play("ee")
    _until(lambda: odd == ["asked"])
    table.undo()
    _until(lambda: "closed" in odd)
    assert table.result is None, "it is no offence to be closed"
    table.play("aa")
    _until(lambda: odd.count("asked") == 2)
    table.close()
    _until(lambda: odd.count("closed") >= 2)


def _until(done: "object") -> None:
    """Wait for what another thread does."""
    assert callable(done)
    for _ in range(24_000):
        if done():
            return
        threading.Event().wait(0.01)
    raise AssertionError("it did not come about")


@pytest.mark.parametrize(
    ("what", "reason"),
    [
        ("illegal", "illegal move"),
        ("garbage", "garbage"),
        ("number", "garbage"),
        ("none", "garbage"),
        ("exit", "crash"),
        ("memory", "memory"),
        ("offence", "tampering"),
        ("resign", "resignation"),
    ],
)
@pytest.mark.parametrize("other", ["human", "random"])
def test_what_is_no_move_loses(sit: Sit, what: str, reason: str, other: str) -> None:
    sitting = sit("ultimate", other, f"wrong:{what}", keep=False)
    if other == "human":
        sitting.table.play("ee")
    sitting.wait(lambda: sitting.table.result is not None)
    result = sitting.table.result
    assert result is not None and (result.winner, result.reason) == ("X", reason)


@pytest.mark.parametrize("other", ["human", "random"])
@pytest.mark.parametrize("time", ["none", "10/move"])
def test_a_program_that_dies_before_the_game_loses_it(sit: Sit, other: str, time: str) -> None:
    sitting = sit("ultimate", other, "still-born", time=time)
    sitting.wait(lambda: sitting.table.result is not None)
    result = sitting.table.result
    assert result is not None and (result.winner, result.reason, result.detail) == ("X", "crash", "exit status 1")


def test_a_computer_that_only_offers_draws_loses_in_the_end(sit: Sit) -> None:
    sitting = sit("ultimate", "human", "wrong:draw", keep=False)
    sitting.table.play("ee")
    sitting.wait(lambda: sitting.table.result is not None)
    assert sitting.of(Offered) and sitting.table.result is not None
    assert sitting.table.result.winner == "X"


def test_a_computer_that_overruns_loses_without_being_waited_for(sit: Sit, odd: list[str]) -> None:
    now = [0.0]
    sitting = sit("ultimate", "human", "deep", time="10/move", clock=lambda: now[0])
    sitting.wait_for_person()
    sitting.table.play("ee")
    sitting.wait(lambda: bool(sitting.of(Thinking)))
    now[0] = 11.0
    sitting.table.tick()
    assert sitting.table.result is not None and sitting.table.result.reason == "overrun"


def test_advice_is_about_the_position_and_a_move_ends_it(sit: Sit) -> None:
    sitting = sit("tic-tac-toe")
    sitting.table.analyse(seconds=20.0)
    sitting.wait(lambda: any(news.done for news in sitting.of(Analysed)))
    found: Analysis = sitting.of(Analysed)[-1].analysis
    assert {one.move for one in found.moves} == set(sitting.table.position.legal_moves)
    assert found.value_x == 0 and sitting.table.analysis is found
    sitting.table.play("a")
    assert sitting.table.analysis is None
    sitting.table.analyse("minimax:9", lines=1, seconds=None)
    sitting.wait(lambda: sitting.table.analysis is not None)
    assert str(sitting.table.analysis.best.move) == "e"  # type: ignore[union-attr]


def test_advice_that_cannot_be_had_is_said(sit: Sit) -> None:
    sitting = sit("tic-tac-toe")
    sitting.table.analyse("random")
    sitting.wait(lambda: bool(sitting.of(NotAnalysed)))
    assert "does not analyse" in sitting.of(NotAnalysed)[0].message


@pytest.mark.parametrize("player", ["minimax:3", "mcts:2kn", "engine:nodes=3000", "engine:5"])
def test_whoever_watches_a_search_changes_nothing(player: str) -> None:
    from metatac.players import load_player

    position = metatac.start("sudoku").play("ee")
    seed = {} if "nodes" in player else {"seed": 5}
    quiet, watched = load_player(player, **seed), load_player(player, **seed)
    heard: list[object] = []
    watched.thinking = heard.append  # type: ignore[attr-defined]
    assert quiet.choose(position) == watched.choose(position)
