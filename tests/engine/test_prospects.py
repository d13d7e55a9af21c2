"""What moves promise against an opponent who errs: as it is defined; and nothing is given up for it."""

import math

import numpy as np
import pytest
from proofs import late, truth
from strategies import some_position

import metatac
from metatac.engine import best_first, prospects
from metatac.engine import best_first_tree as of
from metatac.engine.alphabeta import Limits
from metatac.engine.best_first import AS_GOOD, BestFirst, draw_worth
from metatac.engine.learned import network
from metatac.engine.thinker import Thinker
from metatac.game import Position

ULTIMATE = metatac.load_rules("ultimate")
CONTEMPT = 0.6


def searched(position: Position, nodes: int) -> BestFirst:
    learned = network(ULTIMATE)
    assert learned is not None
    search = BestFirst(ULTIMATE, learned, megabytes=8)
    search.wish_x, search.tempts = draw_worth(position.turn, CONTEMPT), True
    search.think(position, Limits(nodes=nodes))
    return search


class Plain:
    """The definition, in words that are slow: from a node down, with no arrays."""

    def __init__(self, search: BestFirst) -> None:
        self.search, self.numbers = search, search._tree.view(np.float32)
        self.least = max(prospects.LEAST, self.part(0, of.VISITS) // prospects.PART)

    def part(self, node: int, part: int) -> int:
        return int(self.search._tree[of.NODE * node + part])

    def value(self, node: int) -> float:
        return float(self.numbers[of.NODE * node + of.VALUE])

    def children(self, node: int) -> range:
        first, count = self.search._family(node)
        looked_at = not node or self.part(node, of.STATUS) != of.OPEN or self.part(node, of.VISITS) >= self.least
        return range(first, first + count) if looked_at else range(0)

    def seen(self, node: int) -> float:
        """Plies after which it is seen to be won or lost."""
        children, status = self.children(node), self.part(node, of.STATUS)
        if status in (of.OPEN, of.DRAWN):
            return math.inf
        if not children:
            return 0 if status == of.WON else 1
        if status == of.WON:
            return 1 + max(map(self.seen, children))
        return 1 + min(self.seen(child) for child in children if self.part(child, of.STATUS) == of.WON)

    def mine(self, node: int) -> float:
        """What a node that the player moves into promises him."""
        children = self.children(node)
        if not children:
            return self.value(node)
        best, weights = max(map(self.value, children)), []
        for child in children:
            status, gap = self.part(child, of.STATUS), best - self.value(child)
            seen = self.seen(child) <= prospects.FORESIGHT
            if status == of.WON and seen:
                return -1.0
            if status == of.LOST and seen:
                weights.append(1e-9)
                continue
            gap = min(gap, prospects.UNSEEN) if status == of.LOST else gap
            glance = float(self.numbers[of.NODE * child + of.SHARE])
            weights.append((1 + gap / prospects.ERROR / 16) ** -16 * math.sqrt(max(glance, 1e-4)))
        return float(np.average([self.other(child) for child in children], weights=weights))

    def other(self, node: int) -> float:
        """What a node that the opponent moves into promises the player."""
        children = self.children(node)
        if not children:
            return -self.value(node)
        most = max(self.part(child, of.VISITS) for child in children)
        counted = [
            self.mine(child)
            for child in children
            if self.part(child, of.STATUS) in (of.WON, of.DRAWN)
            or (self.part(child, of.STATUS) == of.OPEN and self.part(child, of.VISITS) * prospects.WORTH_A_LOOK >= most)
        ]
        return max([-1.0, *counted])


@pytest.mark.parametrize("plies", [0, 20, 30, 45])
def test_what_moves_promise_is_what_the_definition_says(plies: int) -> None:
    for seed in range(4):
        position = some_position("ultimate", plies, seed)
        search = searched(position, 20_000)
        plain, (first, count) = Plain(search), search._family(0)
        expected = [plain.mine(child) for child in range(first, first + count)]
        assert search._promises()[1 : 1 + count] == pytest.approx(expected, abs=1e-5), position.text


def test_a_tree_of_any_size_is_looked_at_as_far_as_there_is_room() -> None:
    search = searched(metatac.start(ULTIMATE), 3_000_000)
    search._tree[of.VISITS] = 1  # so that every part of it that was visited LEAST times is
    promises = search._promises()
    assert np.all(np.abs(promises) <= 1)
    assert np.count_nonzero(promises) > prospects.MOST * 0.99


def test_what_is_proven_is_never_given_up_for_what_tempts() -> None:
    proven = 0
    for seed in range(80):
        position = late(ULTIMATE, 6 + seed % 8, seed)
        value = truth(position)
        search = searched(position, 30_000)
        found = search.think(position, Limits(nodes=30_000))
        if value is not None and found.proven:
            assert found.value_x == value, position.text
            assert truth(position.play(found.best.move)) == value, (position.text, found.best.move)
            proven += 1
    assert proven > 40


def test_what_tempts_is_about_as_good_as_the_best_and_was_looked_at() -> None:
    others = 0
    for seed in range(60):
        position = some_position("ultimate", 34, seed)
        search = searched(position, 30_000)
        usual = search._ranked(0, -CONTEMPT)
        chosen = search._promising(usual, -CONTEMPT)[0]
        values, visits = search._tree.view(np.float32)[of.VALUE :: of.NODE], search._tree[of.VISITS :: of.NODE]
        assert values[chosen] >= values[usual[0]] - AS_GOOD - 1e-6
        assert visits[chosen] * 10 >= visits[usual[0]] or search._tree[of.NODE * chosen + of.STATUS] != of.OPEN
        others += chosen != usual[0]
    assert others > 5, "or nothing is chosen by it"


def test_among_proven_draws_none_is_given_up_by_who_despises_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(best_first, "CONTENT", 10.0)  # he never is
    drawn = 0
    for seed in range(500):
        position = late(ULTIMATE, 3 + seed % 8, seed)
        search = searched(position, 2_000)
        first, count = search._family(0)
        status = {child: int(search._tree[of.NODE * child + of.STATUS]) for child in range(first, first + count)}
        values = search._tree.view(np.float32)[of.VALUE :: of.NODE]
        usual = search._ranked(0, -CONTEMPT)
        chosen = search._promising(usual, -CONTEMPT)[0]
        assert search.draw_x == search.wish_x
        assert values[chosen] >= values[usual[0]] - AS_GOOD - 1e-6, position.text
        assert status[chosen] != of.LOST or status[usual[0]] == of.LOST, position.text
        if of.DRAWN in status.values():
            assert status[chosen] != of.OPEN or values[chosen] >= -CONTEMPT - 1e-6, position.text
            drawn += 1
    assert drawn > 10


def test_a_player_tempts_only_near_the_end() -> None:
    thinker = Thinker(ULTIMATE, megabytes=8)
    for position, near in ((metatac.start(ULTIMATE), False), (some_position("ultimate", 40, 3), True)):
        thinker.think(position, Limits(nodes=500), draw_x=draw_worth(position.turn, CONTEMPT))
        assert isinstance(thinker.searcher, BestFirst)
        assert thinker.searcher.tempts is near


def test_without_a_wish_for_more_than_a_draw_the_most_visited_move_is_played() -> None:
    for seed in range(20):
        position = some_position("ultimate", 34, seed)
        search = searched(position, 5_000)
        search.wish_x = 0.0
        found = search.think(position, Limits(nodes=20_000))
        assert found.best.move == search._move(search._ranked(0, 0.0)[0])
