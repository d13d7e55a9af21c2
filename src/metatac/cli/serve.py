"""metatac serve: play and analyse in the browser."""

import math
from typing import Annotated

import typer

from metatac.paths import data_dir

app = typer.Typer(add_completion=False)


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="The address to listen at; 0.0.0.0: all of them.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65_535, help="0: any that is free.")] = 8000,
    db: Annotated[
        str | None,
        typer.Option(metavar="FILE_OR_URL", help="SQLite's file or postgresql://…", show_default="in the data folder"),
    ] = None,
    workers: Annotated[int, typer.Option(min=1, help="Processes; more than one need PostgreSQL.")] = 1,
    url: Annotated[str | None, typer.Option(help="What people call the service, behind a proxy.")] = None,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", envvar="METATAC_ALLOW_HOST", help="Answer to this name only; repeatable."),
    ] = None,
    arena: Annotated[
        list[str] | None, typer.Option(metavar="FILE_OR_URL", help="Show this database's tournaments; repeatable.")
    ] = None,
    engines: Annotated[int, typer.Option(min=1, max=64, help="Engine processes of each worker.")] = 2,
    keep_days: Annotated[float | None, typer.Option(min=0.0, help="Delete games so long after the last move.")] = None,
    sockets_per_address: Annotated[int, typer.Option(min=1, help="Websockets of one address at a worker.")] = 200,
    requests_per_second: Annotated[
        float, typer.Option(min=0.1, help="Of one visitor; an address may have five times as many.")
    ] = 20,
    log_json: Annotated[bool, typer.Option("--log-json", help="Log each request as a line of JSON.")] = False,
    browse: Annotated[bool, typer.Option("--open", help="Open a browser.")] = False,
) -> None:
    """Play and analyse in the browser: this machine becomes the server."""
    from metatac.server.run import serve as run
    from metatac.server.settings import Settings, host_name

    settings = Settings(
        database=db or str(data_dir() / "metatac.db"),
        host=host,
        port=port,
        workers=workers,
        url=url,
        names=tuple(host_name(name) for name in allow_host or ()),
        arenas=tuple(arena or ()),
        engines=engines,
        keep_days=None if keep_days is None or math.isinf(keep_days) else keep_days,
        sockets_per_address=sockets_per_address,
        requests_per_second=requests_per_second,
        log_json=log_json,
    )
    run(settings, tell=lambda line: typer.echo(line), browse=browse)
