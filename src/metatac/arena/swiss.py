"""The pairing of a Swiss round: neighbours in the standings meet, and nobody twice."""

from collections.abc import Mapping, Sequence

EFFORT = 20_000
"""Pairings tried at most before players are let meet again; among few players in late rounds there may be no other."""


def pair_off(players: Sequence[int], totals: Mapping[int, float], met: set[frozenset[int]]) -> list[tuple[int, int]]:
    """Pairs of an even number of players, who come in the order of the standings.

    Within a group of the same total the first meets the first of the lower half, and so on, as in the Dutch system; who
    finds nobody there goes down to the next group. Those who have met before do so again only where it must be.
    """
    for allowed in (met, set[frozenset[int]]()):
        found = _Search(totals, allowed).pairs(list(players))
        if found is not None:
            return found
    raise AssertionError("everybody may meet everybody, and yet somebody is alone")


class _Search:
    def __init__(self, totals: Mapping[int, float], met: set[frozenset[int]]) -> None:
        self.totals, self.met = totals, met
        self.effort = 0

    def pairs(self, players: list[int]) -> list[tuple[int, int]] | None:
        """The pairs, or None where there are none or it takes too long to see."""
        if not players:
            return []
        first, rest = players[0], players[1:]
        for rival in self.preferred(first, rest):
            self.effort += 1
            if self.effort > EFFORT:
                return None
            if frozenset((first, rival)) not in self.met:
                found = self.pairs([player for player in rest if player != rival])
                if found is not None:
                    return [(first, rival), *found]
        return None

    def preferred(self, first: int, rest: list[int]) -> list[int]:
        """All others, the best opponent first: the nearest to the ideal in one's own group, then downwards."""
        peers = [player for player in rest if round(self.totals[player] - self.totals[first], 9) >= 0]
        ideal = len(peers) // 2
        near = sorted(range(len(peers)), key=lambda index: (abs(index - ideal), -index))
        return [peers[index] for index in near] + rest[len(peers) :]
