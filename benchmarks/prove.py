"""How long proofs of self-play positions of `ultimate` take, and how fast the search is against the kernel.

python benchmarks/prove.py [--ply 36] [--count 40] [--time 60]
"""

import argparse
import statistics
import time
from pathlib import Path

import metatac
from metatac.engine.prover import Proof, prove
from metatac.kernel import playouts

FILE = Path(__file__).parent / "positions" / "ultimate-selfplay.txt"


def positions(ply: int) -> list[metatac.Position]:
    """The positions of the file after so many plies."""
    found = []
    for line in FILE.read_text().splitlines():
        position = metatac.start("ultimate")
        for move in line.split()[:ply]:
            position = position.play(move)
        found.append(position)
    return found


def plies_per_second() -> float:
    """Random plies of the kernel in a second, on one thread."""
    start, begin = metatac.start("ultimate"), time.perf_counter()
    return playouts(start, 200_000).plies / (time.perf_counter() - begin)


def main() -> None:
    parser = argparse.ArgumentParser(description="Prove self-play positions of ultimate.")
    parser.add_argument("--ply", type=int, default=36)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--time", type=float, default=60.0, help="seconds for a position at most")
    parser.add_argument("--memory", type=float, default=256.0, help="MB")
    chosen = parser.parse_args()
    playouts(metatac.start("ultimate"), 1000)
    prove(metatac.start("tic-tac-toe"), memory_mb=1)
    proofs: list[Proof] = []
    for number, position in enumerate(positions(chosen.ply)[: chosen.count], 1):
        proof = prove(position, memory_mb=chosen.memory, seconds=chosen.time, shortest=False)
        proofs.append(proof)
        value = proof.value_x if proof.solved else f"{proof.lower_x}..{proof.upper_x}"
        print(f"{number:>3}  value {value!s:>5}  {proof.nodes:>12,} nodes  {proof.seconds:8.3f} s", flush=True)
    rates = [proof.nodes / proof.seconds for proof in proofs if proof.nodes > 500_000]
    plies = statistics.median(plies_per_second() for _ in range(3))
    print(f"ply {chosen.ply}: {sum(proof.solved for proof in proofs)} of {len(proofs)} solved")
    print(f"median {statistics.median(proof.seconds for proof in proofs):.3f} s")
    print(f"median {statistics.median(proof.nodes for proof in proofs):,.0f} nodes")
    if rates:
        rate = statistics.median(rates)
        print(f"{rate:,.0f} nodes/s, {100 * rate / plies:.1f} % of {plies:,.0f} random plies/s")


if __name__ == "__main__":
    main()
