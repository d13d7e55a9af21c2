"""Who meets whom. The schedule follows from the tournament and the games played so far, and from nothing else.

It is never stored: a tournament that was interrupted works out the same schedule again. Each format adds its meetings
in order and stops where it needs results that are not there yet.
"""

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from metatac.arena.ranking import ledger, ranked
from metatac.arena.swiss import pair_off
from metatac.arena.tournament import Format, Tournament
from metatac.store.tournaments import StoredGame

Results = Mapping[int, StoredGame]
"""The games played so far, by their numbers."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two players meet for some pairs of games. Pairs are numbered throughout; game 2p and 2p + 1 make pair p."""

    round: int
    """From 1; meetings of one round begin with the same openings."""
    a: int
    b: int
    first_pair: int
    pairs: int
    opening: int
    """The number of its first pair's opening."""
    stage: str = ""

    @property
    def numbers(self) -> range:
        """Of its games."""
        return range(2 * self.first_pair, 2 * (self.first_pair + self.pairs))


@dataclass(slots=True)
class Schedule:
    """The meetings that are known by now, and what they tell about the ranks."""

    plan: Tournament
    results: Results
    meetings: list[Meeting] = field(default_factory=list)
    byes: list[tuple[int, int, str]] = field(default_factory=list)
    """(round, player, stage)."""
    levels: dict[int, float] = field(default_factory=dict)
    """How far somebody came, where that ranks before all scores."""
    finished: bool = False
    """Whether there is nothing to be added."""
    pairs: int = 0

    def meet(self, round: int, a: int, b: int, stage: str = "", pairs: int | None = None, again: int = 0) -> Meeting:
        """Add a meeting. ``again`` counts those that the same two had before in this round."""
        count = self.plan.pairs if pairs is None else pairs
        opening = (round - 1) * (self.plan.pairs + self.plan.extra) + (self.plan.pairs + again - 1 if again else 0)
        meeting = Meeting(round, a, b, self.pairs, count, opening, stage)
        self.pairs += count
        self.meetings.append(meeting)
        return meeting

    @property
    def complete(self) -> bool:
        """Whether all games known so far have been played."""
        return len(self.results) >= 2 * self.pairs

    def so_far(self) -> list[StoredGame]:
        """The games of the meetings known so far, and none of those that they led to."""
        return [game for number, game in self.results.items() if number < 2 * self.pairs]

    def bye_counts(self) -> dict[int, int]:
        counts: dict[int, int] = {}
        for _, player, _ in self.byes:
            counts[player] = counts.get(player, 0) + 1
        return counts

    def score(self, meetings: list[Meeting], player: int) -> tuple[float, float]:
        """The score and the points of one of the two in these meetings."""
        score = points = 0.0
        for game in (self.results[number] for meeting in meetings for number in meeting.numbers):
            if game.result != "*":
                score += game.score if game.x == player else 1 - game.score
                points += game.points_x if game.x == player else game.points_o
        return round(score, 9), round(points, 9)


def schedule(plan: Tournament, results: Results) -> Schedule:
    """What is to be played, as far as the results so far tell."""
    found = Schedule(plan, results)
    seeds = list(range(len(plan.players)))
    if plan.seeding == "random":
        random.Random(f"{plan.seed}/seeding").shuffle(seeds)
    found.finished = _FORMATS[plan.format](found, seeds)
    return found


def expected_games(plan: Tournament) -> int:
    """How many games it will be, but for the extra ones of a knockout."""
    return 2 * plan.pairs * _MEETINGS[plan.format](plan)


# -- everybody against everybody, or some against the rest


def circle(players: list[int]) -> Iterator[list[tuple[int, int]]]:
    """The rounds in which everybody meets everybody once; with an odd number somebody rests in each."""
    ring: list[int | None] = [*players, *([None] if len(players) % 2 else [])]
    half = len(ring) // 2
    for number in range(len(ring) - 1):
        pairs = zip(ring[:half], reversed(ring[half:]), strict=True)
        # The first of the ring stays; it would always come first in its pair.
        yield [
            (b, a) if number % 2 and index == 0 else (a, b)
            for index, (a, b) in enumerate(pairs)
            if a is not None and b is not None
        ]
        ring.insert(1, ring.pop())


def _round_robin(found: Schedule, seeds: list[int]) -> bool:
    for number, pairs in enumerate(circle(seeds), 1):
        for a, b in pairs:
            found.meet(number, a, b)
    return found.complete


def _gauntlet(found: Schedule, seeds: list[int]) -> bool:
    """The heroes are the first of the list, however the others are seeded."""
    heroes = list(range(found.plan.heroes))
    others = [player for player in seeds if player not in heroes]
    for number, other in enumerate(others, 1):
        for hero in heroes:
            found.meet(number, hero, other)
    return found.complete


# -- Swiss


def _swiss(found: Schedule, seeds: list[int]) -> bool:
    place = {player: index for index, player in enumerate(seeds)}
    for number in range(1, found.plan.rounds + 1):
        if not found.complete:
            return False
        lines = ranked(found.plan, ledger(found.plan, seeds, found.so_far(), found.bye_counts()))
        order = sorted(lines, key=lambda line: (line.rank, place[line.player]))
        totals = {line.player: line.total for line in lines}
        players = [line.player for line in order]
        if len(players) % 2:
            had = {player for _, player, _ in found.byes}
            bye = next(player for player in reversed(players) if player not in had)
            players.remove(bye)
            found.byes.append((number, bye, ""))
        met = {frozenset((meeting.a, meeting.b)) for meeting in found.meetings}
        for a, b in pair_off(players, totals, met):
            found.meet(number, a, b)
    return found.complete


# -- knockout


def bracket(count: int) -> list[int | None]:
    """Seeds from 0 in the order of the draw, so that the best meet last; None where a seed has no opponent."""
    places = [0]
    while len(places) < count:
        places = [seed for place in places for seed in (place, 2 * len(places) - 1 - place)]
    return [place if place < count else None for place in places]


def kept_apart(tiers: list[list[int]], group_of: Mapping[int, int]) -> list[int]:
    """The seeds of a knockout after groups: the best places first, group mates as far apart as can be.

    Within their tier players keep their order where nothing stands against it.
    """
    draw = bracket(sum(map(len, tiers)))
    place = {seed: index for index, seed in enumerate(draw) if seed is not None}
    mates: dict[int, list[int]] = {group: [] for group in group_of.values()}
    seeds: list[int] = []
    for tier in tiers:
        seats = range(len(seeds), len(seeds) + len(tier))
        # The first round in which somebody of the same group could wait for one there.
        rounds = {
            (seat, player): min(((place[seat] ^ there).bit_length() for there in mates[group_of[player]]), default=0)
            for seat in seats
            for player in tier
        }
        options = (_seated(seats, tier, rounds, least) for least in sorted(set(rounds.values()), reverse=True))
        tier = next(order for order in options if order is not None)
        for seat, player in zip(seats, tier, strict=True):
            mates[group_of[player]].append(place[seat])
        seeds += tier
    return seeds


def _seated(seats: range, players: list[int], rounds: Mapping[tuple[int, int], int], least: int) -> list[int] | None:
    """The players in the order of the seats, none of whom meets a mate before the round ``least``; None: impossible."""
    held: dict[int, int] = {}

    def seat_one(player: int, asked: set[int]) -> bool:
        """In the first seat that is free, or in one whose holder finds another."""
        open_to = [seat for seat in seats if rounds[seat, player] >= least and seat not in asked]
        for seat in sorted(open_to, key=held.__contains__):
            if seat in asked:
                continue
            asked.add(seat)
            if seat not in held or seat_one(held[seat], asked):
                held[seat] = player
                return True
        return False

    return [held[seat] for seat in seats] if all(seat_one(player, set()) for player in players) else None


def stage_name(players: int) -> str:
    names = {2: "final", 4: "semi-finals", 8: "quarter-finals"}
    return names.get(players, f"last {players}")


def _knockout(found: Schedule, seeds: list[int], before: int = 0) -> bool:
    """``before`` is the number of rounds that were played before this."""
    rank = {player: number for number, player in enumerate(seeds)}
    alive = [None if seed is None else seeds[seed] for seed in bracket(len(seeds))]
    number, losers = before, list[int]()
    while len(alive) > 1:
        number += 1
        stage = stage_name(len(alive))
        draw = list(zip(alive[::2], alive[1::2], strict=True))
        third = tuple(losers) if len(alive) == 2 and len(losers) == 2 and found.plan.third_place else None
        winners = _play_round(found, number, stage, draw, third, rank)
        if winners is None:
            return False
        losers = [player for player in alive if player is not None and player not in winners]
        for player in winners:
            found.levels[player] = number + 1.0
        alive = list(winners)
    return True


def _play_round(
    found: Schedule,
    number: int,
    stage: str,
    draw: list[tuple[int | None, int | None]],
    third: tuple[int, ...] | None,
    rank: dict[int, int],
) -> list[int] | None:
    """Who wins each pair of the draw; None while games are missing."""
    ties: list[list[Meeting]] = []
    for a, b in draw:
        if a is not None and b is not None:
            ties.append([found.meet(number, a, b, stage)])
        elif (free := a if a is not None else b) is not None:
            found.byes.append((number, free, stage))
        for player in (a, b):
            if player is not None:
                found.levels[player] = float(number)
    if third is not None:
        ties.append([found.meet(number, third[0], third[1], "third place")])
    for again in range(found.plan.extra + 1):
        if not found.complete:
            return None
        level = [tie for tie in ties if _is_level(found, tie)]
        if not level or again == found.plan.extra:
            break
        for tie in level:
            tie.append(found.meet(number, tie[0].a, tie[0].b, tie[0].stage, pairs=1, again=again + 1))
    won = {player: _winner(found, tie, rank) for tie in ties for player in (tie[0].a, tie[0].b)}
    if third is not None:
        found.levels[won[third[0]]] += 0.5
    through = (a if a is not None else b for a, b in draw)
    return [won.get(player, player) for player in through if player is not None]


def _is_level(found: Schedule, tie: list[Meeting]) -> bool:
    return found.score(tie, tie[0].a)[0] == found.score(tie, tie[0].b)[0]


def _winner(found: Schedule, tie: list[Meeting], rank: dict[int, int]) -> int:
    """By score, then by points, then the better seed."""
    players = (tie[0].a, tie[0].b)
    return max(players, key=lambda player: (*found.score(tie, player), -rank[player]))


# -- groups, then knockout


def group_members(plan: Tournament, seeds: list[int]) -> list[list[int]]:
    """The groups: seeds are dealt out to and fro, so that the groups are about as strong."""
    groups: list[list[int]] = [[] for _ in range(plan.groups)]
    for index, player in enumerate(seeds):
        lap, place = divmod(index, plan.groups)
        groups[plan.groups - 1 - place if lap % 2 else place].append(player)
    return groups


def group_name(index: int) -> str:
    return f"group {chr(ord('A') + index)}" if index < 26 else f"group {index + 1}"


def _groups(found: Schedule, seeds: list[int]) -> bool:
    groups = group_members(found.plan, seeds)
    plans = [list(circle(members)) for members in groups]
    rounds = max(map(len, plans))
    for number in range(rounds):
        for index, rounds_of_group in enumerate(plans):
            for a, b in rounds_of_group[number] if number < len(rounds_of_group) else ():
                found.meet(number + 1, a, b, group_name(index))
    if not found.complete:
        return False
    through: list[list[int]] = [[] for _ in range(found.plan.advance)]
    group_of = {player: index for index, members in enumerate(groups) for player in members}
    for members in groups:
        lines = ranked(found.plan, ledger(found.plan, members, found.so_far(), {}))
        for place, line in enumerate(lines):
            found.levels[line.player] = -float(place)
            if place < found.plan.advance:
                through[place].append(line.player)
    return _knockout(found, kept_apart(through, group_of), rounds)


_FORMATS: dict[Format, Callable[[Schedule, list[int]], bool]] = {
    "round-robin": _round_robin,
    "gauntlet": _gauntlet,
    "swiss": _swiss,
    "knockout": _knockout,
    "groups": _groups,
}


def _all_pairs(count: int) -> int:
    return count * (count - 1) // 2


def _knockout_meetings(plan: Tournament, count: int) -> int:
    return count - 1 + (plan.third_place and count >= 4)


def _group_meetings(plan: Tournament) -> int:
    members = group_members(plan, list(range(len(plan.players))))
    return sum(_all_pairs(len(group)) for group in members) + _knockout_meetings(plan, plan.groups * plan.advance)


_MEETINGS: dict[Format, Callable[[Tournament], int]] = {
    "round-robin": lambda plan: _all_pairs(len(plan.players)),
    "gauntlet": lambda plan: plan.heroes * (len(plan.players) - plan.heroes),
    "swiss": lambda plan: plan.rounds * (len(plan.players) // 2),
    "knockout": lambda plan: _knockout_meetings(plan, len(plan.players)),
    "groups": _group_meetings,
}
