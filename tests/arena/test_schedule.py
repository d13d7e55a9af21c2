"""Who meets whom: every format, with byes, ties and results of any kind."""

import random
from collections import Counter
from itertools import combinations, pairwise

import pytest

from metatac.arena.schedule import Schedule, bracket, circle, expected_games, group_members, kept_apart, schedule
from metatac.arena.standings import standings_of
from metatac.arena.swiss import pair_off
from metatac.arena.tournament import Entrant, Tournament
from metatac.arena.tournament_file import default_tiebreaks
from metatac.errors import ArenaError
from metatac.store.tournaments import StoredGame


def tournament(players: int, format: str = "round-robin", **settings: object) -> Tournament:
    entrants = tuple(Entrant(f"p{number}", "random") for number in range(players))
    breaks = default_tiebreaks(format)  # type: ignore[arg-type]
    values = {
        "name": "test",
        "rules": "ultimate",
        "players": entrants,
        "format": format,
        "tiebreaks": breaks,
    } | settings
    return Tournament(**values)  # type: ignore[arg-type]


def stored(number: int, x: int, o: int, result: str) -> StoredGame:
    score = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5, "*": 0.5}[result]
    return StoredGame(
        number=number, x=x, o=o, result=result, points_x=score, points_o=1 - score, score=score, reason="line",
        detail="", moves_x=1, moves_o=1, seconds_x=0, seconds_o=0, longest_x=0, longest_o=0, tries=1, ended=0,
    )  # fmt: skip


def play(
    plan: Tournament, better: dict[int, float] | None = None, seed: int = 1
) -> tuple[Schedule, dict[int, StoredGame]]:
    """Play it with results by chance, or always for whoever is better; games may be void and end in any order."""
    chance, results = random.Random(seed), dict[int, StoredGame]()
    for _ in range(1000):
        found = schedule(plan, results)
        left = [(number, meeting) for meeting in found.meetings for number in meeting.numbers if number not in results]
        if not left:
            assert found.finished
            return found, results
        assert not found.finished
        chance.shuffle(left)
        for number, meeting in left[: chance.randrange(1, len(left) + 1)]:
            x, o = (meeting.b, meeting.a) if number % 2 else (meeting.a, meeting.b)
            if better is None:
                result = chance.choice(("1-0", "0-1", "1/2-1/2", "*"))
            else:
                result = "1-0" if better[x] > better[o] else "0-1" if better[x] < better[o] else "1/2-1/2"
            results[number] = stored(number, x, o, result)
    raise AssertionError("it never ends")


FORMATS = [
    ("round-robin", {}),
    ("gauntlet", {"heroes": 2}),
    ("swiss", {"rounds": 3}),
    ("knockout", {}),
    ("groups", {"groups": 2}),
]


@pytest.mark.parametrize(("format", "settings"), FORMATS)
@pytest.mark.parametrize("players", [4, 5, 8, 11])
@pytest.mark.parametrize("seeding", ["order", "random"])
def test_every_format_ends_whatever_the_results(
    format: str, settings: dict[str, object], players: int, seeding: str
) -> None:
    plan = tournament(players, format, pairs=2, seeding=seeding, **settings)
    for seed in range(5):
        found, results = play(plan, seed=seed)
        numbers = [number for meeting in found.meetings for number in meeting.numbers]
        assert sorted(results) == numbers == list(range(len(numbers)))
        assert len(numbers) >= expected_games(plan)
        assert len(numbers) == expected_games(plan) or format in ("knockout", "groups")
        standings = standings_of(plan, list(results.values()), rated=False)
        assert sorted(row.player for row in standings.rows) == list(range(players))
        assert [row.rank for row in standings.rows] == sorted(row.rank for row in standings.rows)


@pytest.mark.parametrize("players", range(2, 12))
def test_in_a_round_robin_all_meet_once_and_nobody_twice_in_a_round(players: int) -> None:
    rounds = list(circle(list(range(players))))
    met = Counter(frozenset(pair) for pairs in rounds for pair in pairs)
    assert met == Counter(frozenset(pair) for pair in combinations(range(players), 2))
    for pairs in rounds:
        seated = [player for pair in pairs for player in pair]
        assert len(seated) == len(set(seated)) >= players - 1


def test_a_gauntlet_is_heroes_against_the_rest() -> None:
    found = schedule(tournament(5, "gauntlet", heroes=2, seeding="random", seed=3), {})
    assert {(m.a, m.b) for m in found.meetings} == {(h, o) for h in (0, 1) for o in (2, 3, 4)}


def test_nobody_meets_twice_or_rests_twice_in_a_swiss_tournament() -> None:
    for players in (6, 7, 12, 13):
        found, _ = play(tournament(players, "swiss", rounds=5), seed=players)
        met = [frozenset((m.a, m.b)) for m in found.meetings]
        assert len(met) == len(set(met)) == 5 * (players // 2)
        resting = [player for _, player, _ in found.byes]
        assert len(resting) == len(set(resting)) == (5 if players % 2 else 0)


def test_a_swiss_round_pairs_players_of_equal_score_upper_half_against_lower() -> None:
    found = schedule(tournament(8, "swiss", rounds=3), {})
    assert [(m.a, m.b) for m in found.meetings] == [(0, 4), (1, 5), (2, 6), (3, 7)]
    found, _ = play(tournament(8, "swiss", rounds=2), {n: -n for n in range(8)})
    second = {frozenset((m.a, m.b)) for m in found.meetings if m.round == 2}
    assert second == {frozenset(pair) for pair in [(0, 2), (1, 3), (4, 6), (5, 7)]}


def test_the_best_wins_a_swiss_tournament() -> None:
    plan = tournament(16, "swiss", rounds=6)
    _, results = play(plan, {n: -n for n in range(16)})
    rows = standings_of(plan, list(results.values()), rated=False).rows
    assert rows[0].player == 0 and rows[-1].player == 15


def test_where_all_have_met_they_meet_again() -> None:
    everybody = {frozenset(pair) for pair in combinations(range(4), 2)}
    assert len(pair_off(range(4), dict.fromkeys(range(4), 0.0), everybody)) == 2


def test_large_swiss_rounds_are_paired_quickly_even_late() -> None:
    chance = random.Random(5)
    met: set[frozenset[int]] = set()
    for _ in range(12):
        totals = {n: float(chance.randrange(8)) for n in range(200)}
        order = sorted(totals, key=lambda n: -totals[n])
        pairs = pair_off(order, totals, met)
        assert sorted(n for pair in pairs for n in pair) == list(range(200))
        assert not met & {frozenset(pair) for pair in pairs}
        met |= {frozenset(pair) for pair in pairs}


def test_nobody_meets_twice_in_a_long_swiss_tournament() -> None:
    """With n players and no more than n / 2 rounds there is always somebody left for everybody (Dirac)."""
    for players, seed in ((30, 1), (40, 1)):
        chance = random.Random(seed)
        met: set[frozenset[int]] = set()
        totals = dict.fromkeys(range(players), 0.0)
        for _ in range(players // 2):
            pairs = pair_off(sorted(totals, key=lambda n: (-totals[n], n)), totals, met)
            assert not met & {frozenset(pair) for pair in pairs}
            for a, b in pairs:
                met.add(frozenset((a, b)))
                totals[a if chance.random() < 1 / (1 + 2 ** ((a - b) / 3)) else b] += 1


def test_the_draw_of_a_knockout_keeps_the_best_apart() -> None:
    assert bracket(8) == [0, 7, 3, 4, 1, 6, 2, 5]
    assert bracket(6) == [0, None, 3, 4, 1, None, 2, 5]


@pytest.mark.parametrize("players", [2, 3, 4, 6, 8, 13])
def test_a_knockout_is_won_by_the_best_and_the_final_lost_by_the_second(players: int) -> None:
    plan = tournament(players, "knockout")
    found, results = play(plan, {n: -n for n in range(players)})
    rows = standings_of(plan, list(results.values()), rated=False).rows
    assert [row.player for row in rows[:2]] == [0, 1]
    if players >= 4:
        assert [(row.player, row.rank) for row in rows[2:4]] == [(2, 3), (3, 4)]
    assert len(found.byes) == (1 << (players - 1).bit_length()) - players


def test_who_leaves_a_knockout_in_the_same_round_shares_the_rank() -> None:
    plan = tournament(8, "knockout", third_place=False)
    _, results = play(plan, {n: -n for n in range(8)})
    rows = standings_of(plan, list(results.values()), rated=False).rows
    assert [row.rank for row in rows] == [1, 2, 3, 3, 5, 5, 5, 5]


def test_level_players_get_extra_games_then_the_better_seed_goes_on() -> None:
    plan = tournament(2, "knockout", extra=3)
    found, results = play(plan, {0: 1.0, 1: 1.0})
    assert [(m.pairs, m.stage) for m in found.meetings] == [(1, "final")] * 4 and len(results) == 8
    assert len({m.opening for m in found.meetings}) == 4
    assert standings_of(plan, list(results.values()), rated=False).rows[0].player == 0


def test_groups_are_dealt_to_and_fro_and_the_first_of_each_do_not_meet_at_once() -> None:
    plan = tournament(8, "groups", groups=2)
    assert group_members(plan, list(range(8))) == [[0, 3, 4, 7], [1, 2, 5, 6]]
    found, results = play(plan, {n: -n for n in range(8)})
    semi = [{m.a, m.b} for m in found.meetings if m.stage == "semi-finals"]
    assert semi == [{0, 2}, {1, 3}]
    rows = standings_of(plan, list(results.values()), rated=False).rows
    assert [row.player for row in rows[:4]] == [0, 1, 2, 3] and {row.player for row in rows[4:]} == {4, 5, 6, 7}


def test_first_and_second_of_one_of_three_groups_do_not_meet_at_once() -> None:
    plan = tournament(9, "groups", groups=3)
    found, _ = play(plan, {n: -n for n in range(9)})
    assert group_members(plan, list(range(9))) == [[0, 5, 6], [1, 4, 7], [2, 3, 8]]
    first = [{m.a, m.b} for m in found.meetings if m.stage == "quarter-finals"]
    assert first == [{4, 3}, {2, 5}]  # the winners of A and B rest, and that of C meets A's second
    assert [player for _, player, _ in found.byes] == [0, 1]


@pytest.mark.parametrize("advance", [1, 2, 3, 4])
@pytest.mark.parametrize("groups", [2, 3, 4, 5, 6, 7, 8, 12, 16])
def test_who_was_in_one_group_meets_as_late_as_can_be(groups: int, advance: int) -> None:
    tiers = [[advance * group + place for group in range(groups)] for place in range(advance)]
    group_of = {player: player // advance for tier in tiers for player in tier}
    seeds = kept_apart(tiers, group_of)
    assert [sorted(seeds[start : start + groups]) for start in range(0, len(seeds), groups)] == tiers
    assert seeds[:groups] == tiers[0]
    draw = [None if seed is None else group_of[seeds[seed]] for seed in bracket(len(seeds))]
    # Two of a group are in different halves; of three or four no two meet in the first round.
    size = len(draw) // 2 if advance == 2 else 2
    for start in range(0, len(draw), size):
        part = [group for group in draw[start : start + size] if group is not None]
        assert len(part) == len(set(part))


def test_meetings_of_one_round_begin_with_the_same_openings() -> None:
    found = schedule(tournament(6, pairs=3), {})
    by_round: dict[int, set[int]] = {}
    for meeting in found.meetings:
        by_round.setdefault(meeting.round, set()).add(meeting.opening)
    assert all(len(openings) == 1 for openings in by_round.values())
    firsts = sorted(min(openings) for openings in by_round.values())
    assert all(b - a >= 3 for a, b in pairwise(firsts))


@pytest.mark.parametrize(
    ("players", "format", "settings", "words"),
    [
        (1, "round-robin", {}, "two players"),
        (4, "swiss", {"rounds": 4}, "1 to 3 rounds"),
        (4, "gauntlet", {"heroes": 4}, "4 cannot meet"),
        (4, "groups", {"groups": 3}, "groups of two"),
        (6, "groups", {"groups": 3, "advance": 3}, "cannot go on"),
    ],
)
def test_a_tournament_that_cannot_be_is_refused(
    players: int, format: str, settings: dict[str, object], words: str
) -> None:
    with pytest.raises(ArenaError, match=words):
        tournament(players, format, **settings)
