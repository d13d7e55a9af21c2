"""Long runs of the kernel: random playouts on several threads, and perft."""

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from metatac.errors import InvalidArgument
from metatac.game import Move, Position
from metatac.kernel import entries
from metatac.kernel.moves import UNDO_HEADER
from metatac.kernel.state import State, most_moves, ready, ready_to_play_out, words_of
from metatac.kernel.tables import state_size, tables
from metatac.machine import usable_cores as cores

MAX_CHUNK = 1 << 14
MIN_CHUNK = 8


__all__ = ["Playouts", "cores", "divide", "perft", "playouts"]


class Playouts(NamedTuple):
    """What random games came to."""

    games: int
    x_wins: int
    o_wins: int
    nobody: int
    plies: int
    utility: int
    """The sum of the rule set's utilities, in X's view."""


def playouts(position: Position, games: int, *, seed: int = 0, threads: int = 1) -> Playouts:
    """Play random games from a position to their ends. The same seed gives the same games on any number of threads."""
    if games < 0 or threads < 1 or seed < 0:
        raise InvalidArgument(f"games {games} and seed {seed} must be 0 or more, threads {threads} 1 or more")
    rules, outcome = position.rules, position.outcome
    if outcome is not None:  # every game from here is over already
        x, o, nobody = (games * (outcome.winner == who) for who in ("X", "O", None))
        return Playouts(games, x, o, nobody, 0, games * rules.utility_of(outcome.winner, outcome.points))
    ready_to_play_out()
    words = words_of(position)
    R, room, size = tables(rules), most_moves(rules), state_size(rules)
    # Every chunk has a seed of its own and its size follows from the games alone: threads change nothing but the time.
    size_of_chunk = max(MIN_CHUNK, min(MAX_CHUNK, games // 64))
    chunks = [min(size_of_chunk, games - done) for done in range(0, games, size_of_chunk)]
    seeds = np.random.SeedSequence(seed).generate_state(max(1, len(chunks)), np.uint64).view(np.int64)

    def run(number: int) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
        totals = np.zeros(6, dtype=np.int64)
        scratch, codes = np.zeros(2 * size, dtype=np.int64), np.zeros(room, dtype=np.int64)
        entries.playouts(R, words, scratch, codes, seeds[number], chunks[number], totals)
        return totals

    if threads == 1 or len(chunks) < 2:
        results = [run(number) for number in range(len(chunks))]
    else:
        with ThreadPoolExecutor(threads) as pool:
            results = list(pool.map(run, range(len(chunks))))
    totals = sum(results, np.zeros(6, dtype=np.int64)).tolist()
    return Playouts(games, totals[1], totals[2], totals[3], totals[4], totals[5])


def perft(position: Position, depth: int) -> int:
    """How many different sequences of so many legal moves there are."""
    if depth < 0:
        raise InvalidArgument(f"depth {depth} must be 0 or more")
    ready()
    if depth == 0 or position.outcome is not None:
        return 1 if depth == 0 else 0
    rules, room = position.rules, most_moves(position.rules) + 2
    undo = np.zeros(depth * (UNDO_HEADER + state_size(rules)), dtype=np.int64)
    codes = np.zeros(depth * room, dtype=np.int64)
    return int(entries.perft(tables(rules), words_of(position), depth, undo, codes, room))


def divide(position: Position, depth: int) -> dict[Move, int]:
    """The perft of each legal move, one level less deep."""
    return {move: perft(position.play(move), depth - 1) for move in State(position).legal_moves}
