"""How much memory the engine takes when it plays at full speed, game after game.

    python benchmarks/memory.py [--minutes 1] [--hash 64] [--threads 2]

Wanted: never more than hash plus 450 MB. Each kind of game is played in a process of its own, by one engine for both
sides, with short moves so that there are many games.
"""

import argparse
import multiprocessing
import resource
import time
from pathlib import Path

import metatac
from metatac.players.searchers import EnginePlayer

ALLOWED = 450
GAMES = ["ultimate", "extreme", "sudoku{side=7}", "ultimate{side=7}", "ultimate{depth=3}", "ultimate-ultimate"]


def resident() -> float:
    """MB of memory that this process has now; where that is not told, the most that it has had."""
    status = Path("/proc/self/status")
    if status.exists():
        return int(next(line for line in status.read_text().splitlines() if line.startswith("VmRSS")).split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def play(game: str, seconds: float, megabytes: float, threads: int) -> None:
    """Play a kind of game for so long, and say what it took."""
    begin, moves, games, after_a_tenth = time.perf_counter(), 0, 0, 0.0
    player = EnginePlayer(time=0.02, hash=megabytes, threads=threads)
    while time.perf_counter() < begin + seconds:
        position = metatac.start(game)
        player.game_started(position, "X")
        while position.outcome is None and time.perf_counter() < begin + seconds:
            position = position.play(player.choose(position))
            moves += 1
            if not after_a_tenth and time.perf_counter() > begin + seconds / 10:
                after_a_tenth = resident()
        games += position.outcome is not None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    verdict = "" if peak <= megabytes + ALLOWED else "  TOO MUCH"
    print(f"{game:<22}{games:>7}{moves:>9}{after_a_tenth:>12.0f}{resident():>9.0f}{peak:>9.0f}{verdict}", flush=True)


def main() -> None:
    """Measure and print MB: after a tenth of the time, at the end, and the most there was."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=1.0, help="for each kind of game")
    parser.add_argument("--hash", type=float, default=64.0)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    print(f"at most {options.hash + ALLOWED:.0f} MB")
    print(f"{'':<22}{'games':>7}{'moves':>9}{'at a tenth':>12}{'at end':>9}{'most':>9}")
    context = multiprocessing.get_context("spawn")
    for game in GAMES:
        child = context.Process(target=play, args=(game, 60 * options.minutes, options.hash, options.threads))
        child.start()
        child.join()


if __name__ == "__main__":
    main()
