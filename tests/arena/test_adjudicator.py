"""Games that end by a proof: the same games, and the value of the position where they end."""

import pytest

import metatac
from metatac import arena
from metatac.arena import Plan, Played, Setup, play_series
from metatac.engine.prover import prove
from metatac.errors import ArenaError
from metatac.notation import Record


def games(
    game: str, a: str, b: str, adjudicate: int | None, *, pairs: int = 3, concurrency: int = 1, **options: object
) -> list[Played]:
    rules = metatac.load_rules(game, **options)
    both, _ = arena.contestants(a, b)
    kept: list[Played] = []
    setup = Setup(rules, both, adjudicate=adjudicate)
    play_series(Plan(setup, pairs, 1, arena.default_plies(rules), concurrency=concurrency), keep=kept.append)
    return sorted(kept, key=lambda played: (played.job.pair, played.job.game))


def is_adjudicated(played: Played) -> bool:
    return played.result.reason == "adjudication"


@pytest.mark.parametrize(
    ("game", "options", "a", "b"),
    [
        ("ultimate", {}, "minimax:2", "minimax:1"),
        ("misere-ultimate", {}, "random", "greedy"),
        ("sudoku", {"side": 2}, "minimax:2", "random"),
        ("sudoku", {"side": 3}, "minimax:2", "random"),
    ],
)
def test_a_game_ends_where_its_value_is_proved(game: str, options: dict[str, object], a: str, b: str) -> None:
    ended = games(game, a, b, arena.ADJUDICATION, **options)
    whole = games(game, a, b, None, **options)
    assert any(map(is_adjudicated, ended)) and not any(map(is_adjudicated, whole))
    for short, full in zip(ended, whole, strict=True):
        assert full.record.moves[: len(short.record.moves)] == short.record.moves
        if not is_adjudicated(short):
            assert short.result == full.result
            continue
        assert len(short.record.moves) < len(full.record.moves)
        *_, last = short.record.positions()
        assert prove(last, memory_mb=32, shortest=False).value_x == short.result.utility
        for move in short.result.detail.partition(": ")[2].partition(";")[0].split():
            last = last.play(move)
        assert last.outcome is not None and last.outcome[:2] == (short.result.winner, short.result.points)


@pytest.mark.parametrize(("game", "options"), [("tic-tac-toe", {}), ("sudoku", {"side": 2})])
def test_players_without_fault_would_have_come_to_the_same(game: str, options: dict[str, object]) -> None:
    ended, whole = (games(game, "minimax:12", "minimax:12", nodes, **options) for nodes in (arena.ADJUDICATION, None))
    assert all(map(is_adjudicated, ended))
    assert [played.result.utility for played in ended] == [played.result.utility for played in whole]


def test_the_record_says_how_it_ended() -> None:
    played = next(filter(is_adjudicated, games("ultimate", "minimax:2", "minimax:1", arena.ADJUDICATION, pairs=1)))
    record = played.record
    assert record.termination == "adjudication" and record.points == played.result.points
    assert record.tags["TerminationDetail"].startswith("proved with ")
    assert Record.from_text(record.to_text()) == record == Record.from_json(record.to_json())


def test_what_is_not_proved_is_played_out() -> None:
    without = games("ultimate", "random", "random", None)
    barely = games("ultimate", "random", "random", 1)
    assert sum(map(is_adjudicated, barely)) < len(barely)
    for one, other in zip(barely, without, strict=True):
        if not is_adjudicated(one):
            assert (one.record.moves, one.result) == (other.record.moves, other.result)


def test_several_processes_end_games_alike() -> None:
    alone, several = (
        games("ultimate", "random", "random", arena.ADJUDICATION, concurrency=concurrency) for concurrency in (1, 2)
    )
    assert [(p.record.moves, p.result) for p in alone] == [(p.record.moves, p.result) for p in several]


def test_no_nodes_are_refused() -> None:
    with pytest.raises(ArenaError, match="0 nodes"):
        games("ultimate", "random", "random", 0)
