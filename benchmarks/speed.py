"""Every figure of docs/performance.md, measured as ratios in one run: machines differ, and are noisy.

python benchmarks/speed.py [--json] [--quick]

OpenSpiel (``pip install "metatac[rl]"``) is the yardstick for random games; without it that line is left out.
"""

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import metatac
from metatac import kernel
from metatac.errors import MissingExtra
from metatac.extras import need
from metatac.game import Game, Move, Position

HERE = Path(__file__).parent

ROLLOUTS = 20_000


@dataclass(frozen=True)
class Figure:
    """One measured figure beside what it should be."""

    name: str
    value: float
    unit: str
    target: str
    met: bool


def at_least(name: str, value: float, target: float, unit: str = "times") -> Figure:
    return Figure(name, value, unit, f">= {target:,g}", value >= target)


def at_most(name: str, value: float, target: float, unit: str = "s") -> Figure:
    return Figure(name, value, unit, f"<= {target:,g}", value <= target)


def seconds(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def rounds_of(works: list[Callable[[], object]], rounds: int) -> list[float]:
    """The median seconds of each piece of work; all take turns, so that all see the same weather."""
    found = [[seconds(work) for work in works] for _ in range(rounds)]
    return [statistics.median(column) for column in zip(*found, strict=True)]


# -- random games


def open_spiel_rollouts() -> Callable[[], object]:
    """20,000 random rollouts in OpenSpiel's C++: one simulation of its MCTS bot."""
    spiel = need("pyspiel", extra="rl")
    game = spiel.load_game("ultimate_tic_tac_toe")

    def run() -> None:
        evaluator = spiel.RandomRolloutEvaluator(ROLLOUTS, 1)
        spiel.MCTSBot(game, evaluator, 2.0, 1, 100, False, 1, False).step(game.new_initial_state())

    return run


def random_games(rounds: int) -> list[Figure]:
    """Games a second beside OpenSpiel's; every preset's plies a second beside ``ultimate``'s."""
    first = {name: metatac.start(name) for name in metatac.preset_names()}
    games = {name: 200 if p.rules.depth == 3 else 60_000 for name, p in first.items()}
    works: list[Callable[[], object]] = [lambda n=n: kernel.playouts(first[n], games[n], seed=1) for n in first]  # type: ignore[misc]
    try:
        works.append(open_spiel_rollouts())
    except MissingExtra as missing:
        print(f"{missing}: no comparison with OpenSpiel", file=sys.stderr)
    took = rounds_of(works, rounds)
    plies = {
        name: kernel.playouts(p, games[name], seed=1).plies * p.rules.marks / took[i]
        for i, (name, p) in enumerate(first.items())
    }
    ultimate = list(first).index("ultimate")
    figures = [at_least("random `ultimate` games/s", games["ultimate"] / took[ultimate], 0, "games/s")]
    if len(took) > len(first):
        ratio = games["ultimate"] / took[ultimate] / (ROLLOUTS / took[-1])
        figures.append(at_least("beside OpenSpiel's C++ rollouts", ratio, 12))
    for name, rate in plies.items():
        if name == "ultimate-ultimate":
            figures.append(
                at_least("marks/s of ultimate-ultimate beside ultimate's plies/s", rate / plies["ultimate"], 0.1)
            )
        elif first[name].rules.depth == 2 and name != "ultimate":
            figures.append(at_least(f"plies/s of {name} beside ultimate's", rate / plies["ultimate"], 0.5))
    leaves = 9 if rounds > 3 else 8
    start = first["ultimate"]
    counted: list[int] = []
    seconds_perft = seconds(lambda: counted.append(kernel.perft(start, leaves)))
    figures.append(
        at_least(f"perft {leaves} leaves/s beside random plies/s", counted[0] / seconds_perft / plies["ultimate"], 5)
    )
    return figures


def threads(rounds: int) -> list[Figure]:
    """Two threads beside one: the median of the rounds' ratios."""
    start = metatac.start("ultimate")
    ratios = []
    for _ in range(max(5, rounds)):
        one = seconds(lambda: kernel.playouts(start, 400_000, seed=1, threads=1))
        two = seconds(lambda: kernel.playouts(start, 400_000, seed=1, threads=2))
        ratios.append(one / two)
    return [at_least("two threads beside one", statistics.median(ratios), 1.8)]


# -- the readable game


def readable_game(rounds: int) -> list[Figure]:
    """Checked plies a second of `game` on `ultimate`, from Move objects."""
    games = [_random_game(seed) for seed in range(100)]

    def replay() -> None:
        for moves in games:
            position = metatac.start("ultimate")
            for move in moves:
                position = position.play(move)

    took = rounds_of([replay], rounds)[0]
    return [at_least("checked plies/s of `game`", sum(map(len, games)) / took, 20_000, "plies/s")]


def _random_game(seed: int) -> tuple[Move, ...]:
    chance = random.Random(seed)
    game = Game(metatac.start("ultimate"))
    while game.outcome is None:
        game.push(chance.choice(_legal(game.position)))
    return game.moves


def _legal(position: Position) -> tuple[Move, ...]:
    return position.legal_moves


# -- the start


def starting(rounds: int) -> list[Figure]:
    """`metatac --help`, and the kernel compiled and then loaded in fresh processes."""
    shown = subprocess.run(
        [sys.executable, HERE / "help_time.py", str(3 * rounds)], check=True, capture_output=True, text=True
    ).stdout
    ratio = float(shown.split()[-1])
    warm = [
        sys.executable,
        "-c",
        "import time; t = time.perf_counter(); from metatac.kernel import ready; ready(); "
        "print(time.perf_counter() - t)",
    ]
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"METATAC_CACHE_DIR": folder}

        def run() -> float:
            done = subprocess.run(warm, env=environment, check=True, capture_output=True, text=True)
            return float(done.stdout)

        compiled = run()
        loaded = statistics.median(run() for _ in range(rounds))
    return [
        at_most("`metatac --help` beside a bare Typer program", ratio, 1.4, "times"),
        at_most("kernel compiled on a fresh machine", compiled, 25),
        at_most("kernel loaded later, imports included", loaded, 1),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--quick", action="store_true", help="three rounds, and perft 8 in place of 9")
    options = parser.parse_args()
    kernel.ready()
    rounds = 3 if options.quick else 5
    figures = [f for part in (random_games, threads, readable_game, starting) for f in part(rounds)]
    if options.json:
        print(json.dumps([asdict(figure) for figure in figures], indent=2))
        return
    for figure in figures:
        value = f"{figure.value:,.0f}" if figure.value >= 1000 else f"{figure.value:.2f}"
        verdict = "" if figure.target == ">= 0" else f"{figure.target:>10}  {'met' if figure.met else 'MISSED'}"
        print(f"{figure.name:<58}{value:>12} {figure.unit:<8}{verdict}")


if __name__ == "__main__":
    main()
