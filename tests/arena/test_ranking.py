"""Ranks and tie-breaks, by hand."""

from dataclasses import replace

import pytest

from metatac.arena.ranking import ledger, ranked
from metatac.arena.tournament import Entrant, Tiebreak, Tournament
from metatac.store.tournaments import StoredGame

RESULTS = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5, "*": 0.5}


def game(x: int, o: int, result: str, reason: str = "line", points: tuple[float, float] | None = None) -> StoredGame:
    score = RESULTS[result]
    px, po = points or (score, 1 - score)
    return StoredGame(
        number=0, x=x, o=o, result=result, points_x=px, points_o=po, score=score, reason=reason, detail="", moves_x=0,
        moves_o=0, seconds_x=0, seconds_o=0, longest_x=0, longest_o=0, tries=1, ended=0,
    )  # fmt: skip


def plan(players: int, *breaks: Tiebreak, rank: str = "score", rules: str = "ultimate") -> Tournament:
    entrants = tuple(Entrant(f"p{number}", "random") for number in range(players))
    return Tournament(name="test", rules=rules, players=entrants, tiebreaks=breaks, rank=rank)  # type: ignore[arg-type]


def ranks(made: Tournament, games: list[StoredGame], byes: dict[int, int] | None = None) -> list[tuple[int, int]]:
    """(player, rank) from the first to the last."""
    lines = ranked(made, ledger(made, range(len(made.players)), games, byes or {}))
    return [(line.player, line.rank) for line in lines]


# 0 beat 1, 1 beat 2, 2 beat 0 and 3; 3 drew with 0 and 1.
ROUND = [
    game(0, 1, "1-0"),
    game(1, 2, "1-0"),
    game(2, 0, "1-0"),
    game(2, 3, "1-0"),
    game(3, 0, "1/2-1/2"),
    game(1, 3, "1/2-1/2"),
]


def test_scores_rank_and_equal_ones_share_a_rank() -> None:
    assert ranks(plan(4), ROUND) == [(2, 1), (0, 2), (1, 2), (3, 4)]


def test_head_to_head_is_among_those_who_are_level() -> None:
    assert ranks(plan(4, "head-to-head"), ROUND) == [(2, 1), (0, 2), (1, 3), (3, 4)]


def test_sonneborn_berger_is_what_the_beaten_have() -> None:
    """0 beat 1 (1½) and drew with 3 (1): 2. 1 beat 2 (2) and drew with 3 (1): 2½."""
    lines = ranked(plan(4, "sonneborn-berger"), ledger(plan(4), range(4), ROUND, {}))
    assert [(line.player, line.broken.get("sonneborn-berger")) for line in lines] == [
        (2, None),
        (1, 2.5),
        (0, 2.0),
        (3, None),
    ]


def test_buchholz_is_what_the_opponents_have_and_a_bye_is_an_opponent_like_oneself() -> None:
    """Two rounds: 0 and 2 won both; 0's opponents 3 and 1 have one win and none, 2's 4 and 3 nothing and one."""
    games = [game(0, 3, "1-0"), game(0, 1, "1-0"), game(2, 4, "1-0"), game(2, 1, "1-0"), game(3, 4, "1-0")]
    lines = ranked(plan(5, "buchholz"), ledger(plan(5), range(5), games, {}))
    assert [(line.player, line.broken.get("buchholz")) for line in lines[:2]] == [(0, 1.0), (2, 0.0)]
    with_bye = ledger(plan(5), range(5), games, {3: 1})
    assert with_bye.lines[3].total == 3.0  # a bye is a meeting won: two games
    lines = ranked(plan(5, "buchholz"), with_bye)
    assert lines[0].player == 3


def test_tie_breaks_are_tried_in_their_order_and_only_on_ties() -> None:
    """0, 1 and 2 have 1½ each; 0 has fewer wins; 1 and 2 have as many, and 2 has forfeited."""
    games = [game(0, 3, "1/2-1/2")] * 3
    games += [game(1, 3, "1-0"), game(1, 3, "1/2-1/2"), game(1, 3, "0-1")]
    games += [game(2, 3, "1-0"), game(2, 3, "1/2-1/2"), game(2, 3, "0-1", "crash")]
    made = plan(4, "wins", "forfeits")
    lines = ranked(made, ledger(made, range(4), games, {}))
    assert [line.player for line in lines] == [3, 1, 2, 0]
    assert [sorted(line.broken) for line in lines] == [[], ["forfeits", "wins"], ["forfeits", "wins"], ["wins"]]


def test_fewer_forfeits_are_better() -> None:
    games = [game(0, 1, "1-0", "crash"), game(2, 0, "1-0"), game(1, 2, "1-0")]
    assert ranks(plan(3, "forfeits"), games) == [(0, 1), (2, 1), (1, 3)]


def test_void_games_count_for_nobody() -> None:
    assert ranks(plan(2), [game(0, 1, "*"), game(1, 0, "1-0")]) == [(1, 1), (0, 2)]


def test_points_rank_where_they_are_what_ranks() -> None:
    games = [game(0, 1, "1-0", points=(16, 3)), game(1, 0, "1-0", points=(16, 9))]
    made = plan(2, rank="points", rules="intelligent")
    assert ranks(made, games) == [(0, 1), (1, 2)]
    assert ranks(replace(made, rank="score"), games) == [(0, 1), (1, 1)]


def test_thirds_that_add_up_to_the_same_are_the_same() -> None:
    games = [replace(game(0, 2, "1-0"), score=0.1)] * 3 + [replace(game(1, 2, "1-0"), score=0.3)]
    assert ranks(plan(3), games)[1:] == [(0, 2), (1, 2)]


def test_the_share_ranks_in_a_gauntlet() -> None:
    games = [game(0, 1, "1-0"), game(0, 2, "1-0"), game(0, 3, "0-1")]
    made = replace(plan(4), format="gauntlet")
    assert ranks(made, games) == [(3, 1), (0, 2), (1, 3), (2, 3)]


@pytest.mark.parametrize("breaks", [(), ("head-to-head",), ("buchholz", "sonneborn-berger", "wins", "points", "score")])
def test_nobody_is_lost_in_a_tie_of_all(breaks: tuple[Tiebreak, ...]) -> None:
    games = [game(a, b, "1/2-1/2") for a in range(5) for b in range(5) if a != b]
    assert ranks(plan(5, *breaks), games) == [(player, 1) for player in range(5)]
