"""The transformations that leave a rule set as it is, worked out from its data."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from math import prod
from typing import cast

from metatac.game.move import Move
from metatac.game.position import Position
from metatac.rules import RuleSet
from metatac.rules.patterns import Pattern

Permutation = tuple[int, ...]
"""Where each cell of a board goes."""

MAX_GROUP = 2000
"""Above so many (boards whose patterns are only rows and columns have millions) only turns and mirrors are kept."""
MAX_TRIES = 20_000
"""The same when the search for them gets longer than this."""


class Symmetry(tuple[Permutation, ...]):
    """A permutation of the cells for each level, outermost first; applied to positions and moves."""

    __slots__ = ()

    def move(self, move: Move) -> Move:
        """The move that takes a move's place."""
        last = len(self) - 1
        return Move(self[min(level, last)][number] for level, number in enumerate(move))

    def position(self, position: Position) -> Position:
        """The position with every board and cell in its new place."""
        levels = [_spread(self[: level + 1]) for level in range(len(self))]
        moved = [_permuted(owners, levels[level]) for level, owners in enumerate(position.owners)]
        tallies: list[tuple[int, int]] = list(position.tallies)
        for number, tally in enumerate(position.tallies):
            tallies[levels[-2][number]] = tally
        return position.replaced(
            cells=_permuted(position.cells, levels[-1]),
            owners=tuple(moved),
            tallies=tuple(tallies),
            send=tuple(self[level][number] for level, number in enumerate(position.send)),
        )

    def inverse(self) -> "Symmetry":
        """The symmetry that takes this one back."""
        return Symmetry(tuple(level.index(cell) for cell in range(len(level))) for level in self)


def _permuted(values: str, places: Permutation) -> str:
    moved = [""] * len(values)
    for index, value in enumerate(values):
        moved[places[index]] = value
    return "".join(moved)


@lru_cache(maxsize=512)
def _spread(levels: tuple[Permutation, ...]) -> Permutation:
    """Where each board of the last of these levels goes, among all of them."""
    places: Permutation = (0,)
    for permutation in levels:
        size = len(permutation)
        places = tuple(place * size + permutation[cell] for place in places for cell in range(size))
    return places


@lru_cache(maxsize=64)
def symmetries(rules: RuleSet) -> tuple[Symmetry, ...]:
    """Every transformation that keeps the rules' patterns, sends, bans, values and first move; the identity first."""
    groups = _tied_levels(rules)
    choices = [_automorphisms(rules, group) or [] for group in groups]
    if not 0 < prod(map(len, choices)) <= MAX_GROUP:
        choices = [[p for p in _turns_and_mirrors(rules.side) if _keeps(rules, group, p)] for group in groups]
    found = []
    for picked in product(*choices):
        by_level = {level: permutation for group, permutation in zip(groups, picked, strict=True) for level in group}
        found.append(Symmetry(by_level[level] for level in range(rules.depth)))
    identity = Symmetry((tuple(range(rules.size)),) * rules.depth)
    return (identity, *sorted(symmetry for symmetry in found if symmetry != identity))


def _tied_levels(rules: RuleSet) -> list[list[int]]:
    """The levels in groups that must move alike, since a cell of one addresses a board of another."""
    small, group = rules.depth - 1, list(range(rules.depth))

    def tie(a: int, b: int) -> None:
        old, new = group[a], group[b]
        for level in range(rules.depth):
            if group[level] == old:
                group[level] = new

    for level, word in enumerate(rules.send):
        if word in ("own", "other"):
            tie(level, small)
        elif word == "board":
            tie(level, small - 1)
    if rules.ban:
        tie(0, small)
    return [[level for level in range(rules.depth) if group[level] == name] for name in sorted(set(group))]


def _colours(rules: RuleSet, group: list[int]) -> list[tuple[object, ...]]:
    """What a cell must keep, beside patterns, to take another's place: its value, and its part in the first move."""
    first = dict(enumerate(rules.first_board))
    values = rules.values if 0 in group and rules.values else (0,) * rules.size
    return [(values[cell], *(first.get(level) == cell for level in group)) for cell in range(rules.size)]


def _keeps(rules: RuleSet, group: list[int], permutation: Permutation) -> bool:
    colours = _colours(rules, group)
    if any(colours[cell] != colours[permutation[cell]] for cell in range(rules.size)):
        return False
    return all(
        tuple(sorted(permutation[cell] for cell in pattern)) in set(rules.patterns[level])
        for level in group
        for pattern in rules.patterns[level]
    )


def _turns_and_mirrors(side: int) -> Iterator[Permutation]:
    last = side - 1
    for transpose, down, across in product((False, True), repeat=3):
        places = []
        for row, column in product(range(side), repeat=2):
            r, c = (column, row) if transpose else (row, column)
            places.append((last - r if down else r) * side + (last - c if across else c))
        yield tuple(places)


def _automorphisms(rules: RuleSet, group: list[int]) -> list[Permutation] | None:
    """The permutations that keep the patterns of all these levels: a search that places one cell after the other.

    None where there are more than MAX_GROUP, or more than MAX_TRIES attempts to make.
    """
    patterns: set[tuple[int, Pattern]] = {(level, p) for level in group for p in rules.patterns[level]}
    together = _shared_patterns(patterns, rules.size)
    colours = _refined(_numbered(_colours(rules, group)), together)
    found: list[Permutation] = []
    tries, stack = 0, [cast(Permutation, ())]
    while stack:
        placed = stack.pop()
        cell, tries = len(placed), tries + 1
        if len(found) > MAX_GROUP or tries > MAX_TRIES:
            return None
        if cell == rules.size:
            moved = ((level, tuple(sorted(placed[c] for c in pattern))) for level, pattern in patterns)
            if all(pattern in patterns for pattern in moved):
                found.append(placed)
            continue
        near = together[cell]
        for target in range(rules.size - 1, -1, -1):
            if colours[cell] != colours[target] or target in placed:
                continue
            if all(near[c] == together[target][place] for c, place in enumerate(placed)):
                stack.append((*placed, target))
    return found


def _shared_patterns(patterns: set[tuple[int, Pattern]], size: int) -> list[list[int]]:
    """For each two cells, the kinds (levels and lengths) of the patterns that hold both, as a number."""
    kinds: list[list[list[tuple[int, int]]]] = [[[] for _ in range(size)] for _ in range(size)]
    for level, pattern in patterns:
        for a, b in product(pattern, repeat=2):
            kinds[a][b].append((level, len(pattern)))
    flat = _numbered([tuple(sorted(kind)) for row in kinds for kind in row])
    return [flat[cell * size : (cell + 1) * size] for cell in range(size)]


def _refined(colours: list[int], together: list[list[int]]) -> list[int]:
    """The colours split until cells of one colour see the same colours through the same patterns."""
    while True:
        views = [
            (colour, *sorted(zip(shared, colours, strict=True)))
            for colour, shared in zip(colours, together, strict=True)
        ]
        finer = _numbered(views)
        if len(set(finer)) == len(set(colours)):
            return colours
        colours = finer


def _numbered(values: Sequence[tuple[object, ...]]) -> list[int]:
    """The same number for equal values."""
    numbers: dict[tuple[object, ...], int] = {}
    return [numbers.setdefault(value, len(numbers)) for value in values]


def canonical(position: Position) -> Position:
    """The one position that stands for all that are symmetric to this one."""
    return min(
        (s.position(position) for s in symmetries(position.rules)),
        key=lambda p: (p.cells, p.owners, p.tallies, p.send),
    )
