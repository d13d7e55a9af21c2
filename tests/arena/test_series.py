"""Series of games: pairs, scores, forfeits, time, several processes, early ends."""

import time
from collections.abc import Callable

import pytest

import metatac
from metatac import arena
from metatac.arena import Plan, Played, Setup, Sprt, Standing, play_series
from metatac.errors import ArenaError, MatchError
from metatac.match import Result, TimeControl


def plan(
    a: str = "random",
    b: str = "random",
    game: str = "tic-tac-toe",
    pairs: int = 4,
    seconds: float | None = None,
    margin: float = arena.MARGIN,
    sprt: Sprt | None = None,
    count: arena.Count = "utility",
    concurrency: int = 1,
    seed: int = 1,
) -> Plan:
    rules = metatac.load_rules(game)
    both, _ = arena.contestants(a, b)
    setup = Setup(rules, both, TimeControl(move=seconds), margin, (("Event", "test"),))
    return Plan(setup, pairs, seed, arena.default_plies(rules), sprt, count, concurrency)


def played_games(made: Plan) -> tuple[Standing, list[Played]]:
    kept: list[Played] = []
    return play_series(made, keep=kept.append), kept


def essence(kept: list[Played]) -> list[tuple[object, ...]]:
    games = [(p.job.pair, p.job.game, p.record.tags["X"], p.record.moves, p.result.winner) for p in kept]
    return sorted(games, key=lambda game: game[:2])


def test_pairs_share_the_opening_and_swap_the_colours() -> None:
    standing, kept = played_games(plan(game="ultimate"))
    assert len(kept) == 8 and standing.tally.pairs == 4 and not standing.interrupted
    for first, second in zip(kept[::2], kept[1::2], strict=True):
        assert first.record.moves[:4] == second.record.moves[:4] == first.job.opening
        assert (first.record.tags["X"], second.record.tags["X"]) == ("random (A)", "random (B)")
    assert [p.record.tags["Round"] for p in kept[:3]] == ["1.1", "1.2", "2.1"]
    assert len({p.job.opening for p in kept}) == 4
    assert kept[0].record.tags["Event"] == "test"


def test_a_seed_repeats_the_games_and_another_does_not() -> None:
    games = [essence(played_games(plan(seed=seed))[1]) for seed in (1, 1, 2)]
    assert games[0] == games[1] != games[2]


def test_the_tally_agrees_with_the_records() -> None:
    standing, kept = played_games(plan(pairs=20))
    tally = standing.tally
    won = sum(p.record.tags.get(p.result.winner or "") == "random (A)" for p in kept)
    assert tally.results.wins == won and tally.results.games == 40
    assert tally.as_x.games == tally.as_o.games == 20
    points = sum(index * count for index, count in enumerate(tally.cells)) / 2
    assert points == tally.results.score * 40
    found = standing.estimate
    assert found is not None and found.score == pytest.approx(tally.results.score)


def test_the_stronger_player_is_seen_to_be_stronger() -> None:
    standing = play_series(plan("winner", "first", "ultimate", pairs=15))
    found = standing.estimate
    assert found is not None and found.score > 0.6 and found.los > 0.9


@pytest.mark.parametrize("sprt", [None, Sprt(-100, 100)])
def test_concurrency_changes_nothing_but_the_time(sprt: Sprt | None) -> None:
    alone, kept = played_games(plan(pairs=12, sprt=sprt))
    several, kept_too = played_games(plan(pairs=12, sprt=sprt, concurrency=2))
    assert several.tally.cells == alone.tally.cells
    assert (several.llr, several.decision) == (alone.llr, alone.decision)
    assert essence(kept_too)[: len(kept)] == essence(kept)


def test_the_test_ends_the_series() -> None:
    shown: list[int] = []
    made = plan("winner", "crasher", pairs=1000, sprt=Sprt(0, 200))
    standing = play_series(made, show=lambda standing: shown.append(standing.tally.pairs))
    assert standing.decision == "H1" and standing.llr >= Sprt(0, 200).upper
    assert standing.tally.pairs < 20 and shown == list(range(1, standing.tally.pairs + 1))


@pytest.mark.parametrize(("name", "detail"), [("crasher", "no idea"), ("picky", "is not for me")])
def test_a_player_that_crashes_forfeits_every_game_with_the_reason(name: str, detail: str) -> None:
    standing, kept = played_games(plan("first", name, pairs=2))
    assert standing.tally.cells == [0, 0, 0, 0, 2]
    assert standing.tally.forfeits == {(1, "crash"): 4}
    assert detail in standing.tally.examples[1, "crash"]
    assert all(p.record.termination == "crash" and detail in p.record.tags["TerminationDetail"] for p in kept)


def test_players_are_told_their_time_without_the_margin() -> None:
    """`slow` takes all the time that it is told of: with the margin that would be a minute."""
    standing, kept = played_games(plan("slow", "first", pairs=1, seconds=0.05, margin=60))
    assert not standing.tally.forfeits
    assert 0.045 < standing.tally.used[0].total / standing.tally.used[0].moves < 30
    assert kept[0].record.tags["TimeControl"] == "0.05/move"


def test_beyond_the_margin_it_is_an_overrun() -> None:
    standing, _ = played_games(plan("first", "slow:2.1", pairs=1, seconds=1, margin=2))
    assert standing.tally.forfeits == {(1, "overrun"): 2}


def test_ctrl_c_ends_with_what_was_measured() -> None:
    import seated  # type: ignore[import-not-found]

    seated.Breaking.games = 0
    standing, kept = played_games(plan("breaking", "first", pairs=5))
    assert standing.interrupted == "interrupted"
    assert standing.tally.pairs == 1 and len(kept) == 2


def test_ctrl_c_stops_the_other_processes() -> None:
    def interrupt(standing: Standing) -> None:
        raise KeyboardInterrupt

    standing = play_series(plan("patient", "patient", "ultimate", pairs=50, concurrency=2), show=interrupt)
    assert standing.interrupted == "interrupted" and standing.tally.pairs == 1


def test_nobody_waits_for_a_player_that_thinks_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("metatac.arena.executors.GRACE", 0.2)
    made = plan("stuck", "first", pairs=2, concurrency=2)

    def keep(played: Played) -> None:
        time.sleep(1.0)  # the other process has begun to think
        raise KeyboardInterrupt

    before = time.monotonic()
    assert play_series(made, keep=keep).interrupted == "interrupted"
    assert time.monotonic() - before < 300


def test_a_process_that_dies_is_told() -> None:
    with pytest.raises(ArenaError, match="died"):
        play_series(plan("first", "dying", concurrency=2))


def test_a_plan_that_makes_no_sense_is_refused() -> None:
    bad: list[Callable[[], Plan]] = [
        lambda: plan(pairs=0),
        lambda: plan(concurrency=0),
        lambda: plan(seconds=0),
        lambda: plan(seconds=1, margin=-1),
    ]
    for make in bad:
        with pytest.raises((ArenaError, MatchError)):
            make()


@pytest.mark.parametrize(
    ("game", "winner", "points", "count", "score"),
    [
        ("ultimate", "X", (1, 0), "utility", 1),
        ("ultimate", None, (0.5, 0.5), "utility", 0.5),
        ("ultimate", "O", (0, 1), "utility", 0),
        ("intelligent", "X", (16, 0), "utility", 1),
        ("intelligent", None, (9, 5), "utility", 0.625),
        ("intelligent", None, (9, 5), "result", 0.5),
        ("sudoku", "O", (20, 29), "utility", 0.4375),
        ("sudoku", "O", (20, 29), "result", 0),
    ],
)
def test_what_a_game_counts(
    game: str, winner: str | None, points: tuple[float, float], count: arena.Count, score: float
) -> None:
    rules = metatac.load_rules(game)
    result = Result(winner, points, "points", rules.utility_of(winner, points))  # type: ignore[arg-type]
    assert arena.score(rules, result, count) == score


def test_points_count_where_the_utility_is_points() -> None:
    by_points, kept = played_games(plan(game="sudoku", pairs=6))
    by_result = play_series(plan(game="sudoku", pairs=6, count="result"))
    assert by_points.tally.cells == by_result.tally.cells
    expected = sum(p.result.utility * (1 if p.job.game == 0 else -1) for p in kept) / (2 * 72 * 12) + 0.5
    assert by_points.estimate is not None and by_points.estimate.score == pytest.approx(expected)
    assert by_result.estimate is not None and by_result.estimate.score == by_result.tally.results.score
