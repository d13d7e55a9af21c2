"""metatac warmup: the kernel compiled ahead of the first use."""

import typer

from metatac.cli.waiting import interruptible

app = typer.Typer(add_completion=False)


@app.command()
def warmup() -> None:
    """Compile the fast kernel for this machine, so that nothing has to wait for it later."""
    from metatac import kernel
    from metatac.kernel.compiled import cache_folder

    seconds = interruptible(kernel.ready)
    typer.echo(f"The kernel is ready after {seconds:.1f} s; it is kept in {cache_folder()}.")
