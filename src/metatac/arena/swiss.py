"""The pairing of a Swiss round: neighbours in the standings meet, and nobody twice."""

from collections.abc import Mapping, Sequence

EFFORT = 5_000
"""Pairings tried at most in one way before the next; among few players in late rounds there may be none at all."""

Pairs = list[tuple[int, int]]


def pair_off(players: Sequence[int], totals: Mapping[int, float], met: set[frozenset[int]]) -> Pairs:
    """Pairs of an even number of players, who come in the order of the standings.

    Within a group of the same total the first meets the first of the lower half, and so on, as in the Dutch system; who
    finds nobody there goes down to the next group. Where that leads nowhere, those who have the fewest left to meet
    choose first. Those who have met before do so again only where it must be.
    """
    for kind in (_Search, _Scarce, _Again):
        found = kind(totals, met).pairs(list(players))
        if found is not None:
            return found
    raise AssertionError("everybody may meet everybody, and yet somebody is alone")


class _Search:
    """From the top of the standings down."""

    def __init__(self, totals: Mapping[int, float], met: set[frozenset[int]]) -> None:
        self.totals, self.met = totals, met
        self.effort = 0

    def pairs(self, players: list[int]) -> Pairs | None:
        """The pairs, or None where there are none or it takes too long to see."""
        if not players:
            return []
        first = self.next(players)
        rest = [player for player in players if player != first]
        for rival in self.rivals(first, rest):
            self.effort += 1
            if self.effort > EFFORT:
                return None
            found = self.pairs([player for player in rest if player != rival])
            if found is not None:
                return [(first, rival), *found]
        return None

    def next(self, players: list[int]) -> int:
        return players[0]

    def rivals(self, first: int, rest: list[int]) -> list[int]:
        """All whom one may meet, the best opponent first."""
        return [player for player in self.preferred(first, rest) if not self.have_met(first, player)]

    def have_met(self, a: int, b: int) -> bool:
        return frozenset((a, b)) in self.met

    def preferred(self, first: int, rest: list[int]) -> list[int]:
        """All others: the nearest to the ideal in one's own group, then downwards."""
        peers = [player for player in rest if round(self.totals[player] - self.totals[first], 9) >= 0]
        ideal = len(peers) // 2
        near = sorted(range(len(peers)), key=lambda index: (abs(index - ideal), -index))
        return [peers[index] for index in near] + rest[len(peers) :]


class _Scarce(_Search):
    """Whoever has the fewest left to meet comes next: that finds pairs in late rounds, if not the nearest ones."""

    def next(self, players: list[int]) -> int:
        return min(players, key=lambda player: sum(not self.have_met(player, other) for other in players))

    def preferred(self, first: int, rest: list[int]) -> list[int]:
        return sorted(rest, key=lambda player: round(abs(self.totals[player] - self.totals[first]), 9))


class _Again(_Search):
    """Players may meet again, those who have not met before first."""

    def rivals(self, first: int, rest: list[int]) -> list[int]:
        return sorted(self.preferred(first, rest), key=lambda player: self.have_met(first, player))
