"""A fixed piece of work for every search: what it amounts to changes only when a search does."""

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from metatac.engine import proof_search
from metatac.engine.alphabeta import AlphaBeta, Limits
from metatac.engine.best_first import CONTEMPT, BestFirst, draw_worth
from metatac.engine.learned import Shorts, network
from metatac.engine.mcts import TreeSearch
from metatac.engine.prover import Prover
from metatac.game import Position, start
from metatac.kernel.state import words_of
from metatac.rules import RuleSet

PLIES = (0, 6, 17, 40)
"""How far into a game the positions are that are searched."""
NODES = 15_000
ITERATIONS = 1_500
PROOF_NODES = 4_000


@dataclass(frozen=True, slots=True)
class Searched:
    """What one search made of one position."""

    search: str
    position: str
    nodes: int
    found: str
    """The best move; of a proof, the bounds."""


def fixed_position(rules: RuleSet, plies: int) -> Position:
    """A position so many moves into a game, or the last one before its end: the same everywhere and for ever.

    The moves are taken by a stride through the legal ones, which looks random and needs no generator.
    """
    position = start(rules)
    for ply in range(1, plies + 1):
        legal = position.legal_moves
        following = position.play(legal[7919 * ply * ply % len(legal)])
        if following.outcome is not None:
            break
        position = following
    return position


def searched(rules: RuleSet, *, nodes: int = NODES) -> tuple[Searched, ...]:
    """Every search on some positions of a game, on one thread and from scratch, so that nothing depends on the machine.

    Of nodes each gets what it can do in about the same time.
    """
    searches: dict[str, Callable[[Position, int], tuple[int, str]]] = {
        "engine": _by_engine,
        "uct": lambda position, most: _by_tree(position, max(1, most * ITERATIONS // NODES), keen=False),
        "mcts": lambda position, most: _by_tree(position, max(1, most * ITERATIONS // NODES), keen=True),
        "prover": lambda position, most: _by_prover(position, max(1, most * PROOF_NODES // NODES)),
    }
    learned = network(rules)
    if learned is not None:
        searches["best-first"] = lambda position, most: _best_first(position, most, learned, 0.0)
        searches["best-first, draws despised"] = lambda position, most: _best_first(position, most, learned, CONTEMPT)
    positions = dict.fromkeys(fixed_position(rules, plies) for plies in PLIES)
    return tuple(
        Searched(name, position.text, *search(position, nodes))
        for name, search in searches.items()
        for position in positions
    )


def signature(work: Iterable[Searched], played: str = "") -> str:
    """12 digits of what the searches found and how many nodes it took, and of how random games are ``played``."""
    digest = hashlib.sha256(played.encode())
    for one in work:
        digest.update(f"\n{one.search} {one.position} {one.nodes} {one.found}".encode())
    return digest.hexdigest()[:12]


def _by_engine(position: Position, nodes: int) -> tuple[int, str]:
    result = AlphaBeta(position.rules, megabytes=1).think(position, Limits(nodes=nodes))
    return result.nodes, str(result.best.move)


def _best_first(position: Position, nodes: int, learned: Shorts, contempt: float) -> tuple[int, str]:
    search = BestFirst(position.rules, learned, megabytes=4)
    search.wish_x, search.tempts = draw_worth(position.turn, contempt), contempt > 0
    result = search.think(position, Limits(nodes=nodes))
    return result.nodes, f"{result.best.move} {result.value_x:.4f}"


def _by_tree(position: Position, iterations: int, *, keen: bool) -> tuple[int, str]:
    search = TreeSearch(position.rules, keen=keen, seed=1, hash_mb=4)
    search.set_position(position)
    return search.run(iterations=iterations), str(search.best())


def _by_prover(position: Position, nodes: int) -> tuple[int, str]:
    prover = Prover(position.rules, memory_mb=1)
    low, high = prover.bounds(words_of(position), nodes)
    return int(prover.control[proof_search.NODES]), f"{low} to {high}"
