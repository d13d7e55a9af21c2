"""`metatac --help` takes at most 1.4 times what a bare Typer program takes."""

import runpy
from pathlib import Path

BENCHMARK = Path(__file__).parents[1] / "benchmarks" / "help_time.py"


def test_help_is_hardly_slower_than_a_bare_typer_program() -> None:
    measure = runpy.run_path(str(BENCHMARK))["measure"]
    # A busy machine may spoil one measurement; it will not spoil three.
    ratios = []
    for _ in range(3):
        ours, bare = measure(7)
        ratios.append(ours / bare)
        if ratios[-1] <= 1.4:
            return
    raise AssertionError(f"metatac --help takes {ratios} times as long")
