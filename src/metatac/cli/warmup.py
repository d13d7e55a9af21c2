"""metatac warmup: everything compiled ahead of the first use."""

import time

import typer

from metatac.cli.waiting import interruptible

app = typer.Typer(add_completion=False)


@app.command()
def warmup() -> None:
    """Compile the fast parts for this machine, so that nothing has to wait for them later."""
    from metatac import kernel
    from metatac.engine.best_first import best_first_ready
    from metatac.engine.greedy import greed_ready
    from metatac.engine.mcts import tree_ready
    from metatac.engine.prover import ready_to_prove
    from metatac.engine.worker import engine_ready
    from metatac.kernel.compiled import cache_folder

    parts = {
        "kernel": kernel.ready,
        "engine": engine_ready,
        "best-first search": best_first_ready,
        "tree search": tree_ready,
        "greedy": greed_ready,
        "prover": ready_to_prove,
    }
    for name, ready in parts.items():
        begin = time.perf_counter()
        interruptible(ready)
        typer.echo(f"{name} ready after {time.perf_counter() - begin:.1f} s")
    typer.echo(f"Compiled code is kept in {cache_folder()}.")
