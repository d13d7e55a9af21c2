"""The transformations that leave a rule set as it is, worked out from its data."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import product

from metatac.game.move import Move
from metatac.game.position import Position
from metatac.rules import RuleSet
from metatac.rules.patterns import Pattern

Permutation = tuple[int, ...]
"""Where each cell of a board goes."""

MAX_GROUP = 2000
"""Above so many (boards whose patterns are only rows and columns have millions) only turns and mirrors are kept."""


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
    choices = [list(_automorphisms(rules, group, MAX_GROUP)) for group in groups]
    total = 1
    for choice in choices:
        total *= len(choice)
    if total > MAX_GROUP or any(len(choice) > MAX_GROUP for choice in choices):
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


def _automorphisms(rules: RuleSet, group: list[int], limit: int) -> Iterator[Permutation]:
    """The permutations that keep the patterns of all these levels: a search that places one cell after the other.

    Stops after ``limit`` + 1 of them.
    """
    patterns: set[tuple[int, Pattern]] = {(level, p) for level in group for p in rules.patterns[level]}
    together = _shared_patterns(patterns, rules.size)
    colours = [(colour, together[c][c]) for c, colour in enumerate(_colours(rules, group))]
    found = 0
    stack: list[Permutation] = [()]
    while stack:
        placed = stack.pop()
        cell = len(placed)
        if cell == rules.size:
            if all((level, tuple(sorted(placed[c] for c in pattern))) in patterns for level, pattern in patterns):
                yield placed
                found += 1
                if found > limit:
                    return
            continue
        for target in range(rules.size - 1, -1, -1):
            fits = colours[cell] == colours[target] and target not in placed
            if fits and all(together[cell][c] == together[target][placed[c]] for c in range(cell)):
                stack.append((*placed, target))


def _shared_patterns(patterns: set[tuple[int, Pattern]], size: int) -> list[list[tuple[tuple[int, int], ...]]]:
    """For each two cells, the levels and lengths of the patterns that hold both: what a symmetry must keep."""
    return [
        [tuple(sorted((level, len(p)) for level, p in patterns if a in p and b in p)) for b in range(size)]
        for a in range(size)
    ]


def canonical(position: Position) -> Position:
    """The one position that stands for all that are symmetric to this one."""
    return min(
        (s.position(position) for s in symmetries(position.rules)),
        key=lambda p: (p.cells, p.owners, p.tallies, p.send),
    )
