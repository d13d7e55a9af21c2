"""A grown tree, read from Python: its best move, and what it says about every move."""

from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from metatac.engine.results import MoveValue, SearchResult
from metatac.engine.tree import CODE, FIRST, HALF, NODE
from metatac.game import Move, Position
from metatac.kernel.state import code_of, move_of

LONGEST_LINE = 64


@dataclass(frozen=True, slots=True)
class _Child:
    """A step from a node, a move or the first half of one. Values are in the view of who makes it."""

    node: int
    code: int
    visits: int
    value: float
    least: int
    most: int

    @property
    def proven(self) -> bool:
        return self.least == self.most


class TreeView:
    """The tree of a search from a position; bounds are None where nothing was proved."""

    def __init__(
        self,
        position: Position,
        nodes: NDArray[np.int32],
        counts: NDArray[np.int32],
        bounds: "NDArray[np.int32] | None",
        reach: int,
    ) -> None:
        self.position, self.nodes, self.counts, self.bounds, self.reach = position, nodes, counts, bounds, reach
        self.rates = nodes.view(np.float32)

    def best(self) -> Move:
        """The move to make."""
        return self._next(0, self.position)[1]

    def result(self, nodes: int, seconds: float) -> SearchResult:
        """All that was found, in X's view: the best move first, whose value is the position's too; others as ranked."""
        sign = 1 if self.position.turn == "X" else -1
        unknown, steps = self._value(0, sign), self._children(0, sign)
        wholes = [self._children(step.node, sign) if _is_half(step.code) else [step] for step in steps]
        found = [self._move_value(child, sign, unknown) for child in _ranked(list(chain(*wholes)))]
        best = self.best()
        listed = {value.move for value in found}
        rest = [move for move in self.position.legal_moves if move not in listed]
        found += [MoveValue(move, _in_x_view(sign, unknown), 0, (move,), False) for move in rest]
        found.sort(key=lambda value: value.move != best)
        return SearchResult(self.position.text, found[0].value_x, tuple(found), nodes, seconds)

    def _move_value(self, child: _Child, sign: int, unknown: float) -> MoveValue:
        move = move_of(self.position.rules, child.code)
        value = child.value if child.visits or child.proven else min(max(unknown, child.least), child.most)
        line = [move]
        if self.nodes[NODE * child.node + FIRST]:
            line += self._line(child.node, self.position.play(move))
        return MoveValue(move, _in_x_view(sign, value), child.visits, tuple(line), child.proven)

    def _line(self, node: int, position: Position) -> list[Move]:
        """The best play from a node on, as far as there was a choice to make."""
        line: list[Move] = []
        while node >= 0 and self.nodes[NODE * node + FIRST] and len(line) < LONGEST_LINE:
            node, move = self._next(node, position)
            position = position.play(move)
            line.append(move)
        return line

    def _next(self, node: int, position: Position) -> tuple[int, Move]:
        """The best move at a node, and the node it leads to (-1: it is not in the tree)."""
        sign = 1 if position.turn == "X" else -1
        if not self.nodes[NODE * node + FIRST]:
            return -1, position.legal_moves[0]
        child = _ranked(self._children(node, sign))[0] if self.bounds is not None else self._most_visited(node, sign)
        if not _is_half(child.code):
            return child.node, move_of(position.rules, child.code)
        wholes = _ranked(self._children(child.node, sign))
        if wholes:
            return wholes[0].node, move_of(position.rules, wholes[0].code)
        own = child.code - HALF
        move = next(move for move in position.legal_moves if code_of(position.rules, move) & ~HALF == own)
        return -1, move

    def _value(self, node: int, sign: int) -> float:
        """The value of a node in the view of who moves there: proven, or the mean of what was tried."""
        if self.bounds is not None and self.bounds[2 * node] == self.bounds[2 * node + 1]:
            return float(sign * self.bounds[2 * node])
        children = self._children(node, sign)
        visits = sum(child.visits for child in children)
        return sum(child.value * child.visits for child in children) / visits if visits else 0.0

    def _children(self, node: int, sign: int) -> list[_Child]:
        """The steps from a node, for who moves there (X: 1, O: -1)."""
        first, count = int(self.nodes[NODE * node + FIRST]), int(self.counts[2 * node + 1])
        return [self._child(child, sign) for child in range(first, first + count)] if first else []

    def _most_visited(self, node: int, sign: int) -> _Child:
        """The first of ``_ranked`` where nothing is proven; quick, however many children there are."""
        first, count = int(self.nodes[NODE * node + FIRST]), int(self.counts[2 * node + 1])
        visits = self.counts[2 * first : 2 * (first + count) : 2]
        most = np.flatnonzero(visits == visits.max())
        return self._child(first + int(most[np.argmax(self.rates[NODE * (first + most)])]), sign)

    def _child(self, node: int, sign: int) -> _Child:
        visits, value = int(self.counts[2 * node]), float(self.rates[NODE * node]) * self.reach
        least, most = -self.reach, self.reach
        if self.bounds is not None:
            low, high = int(self.bounds[2 * node]), int(self.bounds[2 * node + 1])
            least, most = (low, high) if sign == 1 else (-high, -low)
        value = min(max(value if visits else 0.0, least), most)
        return _Child(node, int(self.nodes[NODE * node + CODE]), visits, float(value), least, most)


def _ranked(children: list[_Child]) -> list[_Child]:
    """Steps, best first: all that are proven to be the best of the proven ones together, the others by visits."""
    open_ones = sorted((c for c in children if not c.proven), key=lambda c: (c.visits, c.value), reverse=True)
    proven = sorted((c for c in children if c.proven), key=lambda c: (c.value, c.visits), reverse=True)
    ties = [c for c in proven if c.value == proven[0].value]
    if proven and (not open_ones or not open_ones[0].visits or proven[0].value >= open_ones[0].value):
        return [*ties, *open_ones, *proven[len(ties) :]]
    certain = max((c.least for c in children), default=0)
    hopeful = [c for c in open_ones if c.most > certain]
    return [*hopeful, *ties, *(c for c in open_ones if c.most <= certain), *proven[len(ties) :]]


def _in_x_view(sign: int, value: float) -> float:
    return sign * value + 0.0  # a draw is not -0


def _is_half(code: int) -> bool:
    return code >= 0 and code & HALF == HALF
