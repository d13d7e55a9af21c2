"""metatac doctor: what one needs to know when something does not work."""

import json
import os
import platform
import re
from dataclasses import asdict
from importlib import metadata
from pathlib import Path
from typing import Annotated, Any

import typer

from metatac import __version__, machine, paths
from metatac.extras import install_command

app = typer.Typer(add_completion=False)

_LIBRARIES = (
    "numpy",
    "numba",
    "llvmlite",
    "typer",
    "rich",
    "platformdirs",
    "textual",
    "fastapi",
    "uvicorn",
    "sqlalchemy",
    "alembic",
)


@app.command()
def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Show versions, folders, extras, and what isolation this machine offers."""
    report = examine()
    if as_json:
        typer.echo(json.dumps(report, indent=2))
    else:
        typer.echo("\n".join(_lines(report)))


def examine() -> dict[str, Any]:
    """Everything that doctor shows, JSON-ready."""
    return {
        "metatac": __version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "cores": os.cpu_count(),
        "cores_usable": machine.usable_cores(),
        "libraries": {name: _version(name) for name in _LIBRARIES},
        "folders": {"data": _folder(paths.data_dir()), "cache": _folder(paths.cache_dir())},
        "extras": _extras(),
        "isolation": [asdict(offer) for offer in machine.isolation_offers()],
        "isolation_level": _level(),
    }


def _level() -> str:
    from metatac.players.bots.isolation import describe, reach

    return describe(reach("auto"))


def _version(distribution: str) -> str | None:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


def _folder(path: Path) -> dict[str, Any]:
    size = sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
    return {"path": str(path), "exists": path.is_dir(), "bytes": size}


def _extras() -> dict[str, Any]:
    """Each extra's libraries and versions, read from the installed package's own metadata."""
    found: dict[str, dict[str, str | None]] = {}
    # Run from bare sources there is no metadata, and nothing to say.
    requirements = metadata.requires("metatac") if _version("metatac") else None
    for requirement in requirements or ():
        extra = re.search(r"""extra\s*==\s*['"]([\w-]+)['"]""", requirement)
        library = re.match(r"[\w.-]+", requirement)
        # `all` consists of the others and would only repeat them.
        if extra and library and extra[1] != "all":
            found.setdefault(extra[1], {})[library[0]] = _version(library[0])
    return {
        extra: {
            "installed": None not in libraries.values(),
            "libraries": libraries,
            "install": install_command(extra),
        }
        for extra, libraries in found.items()
    }


def _lines(report: dict[str, Any]) -> list[str]:
    libraries = (f"{name} {version or '—'}" for name, version in report["libraries"].items())
    lines = [
        f"metatac {report['metatac']} on Python {report['python']}, {report['platform']}",
        f"cores: {report['cores']}, of which {report['cores_usable']} usable",
        f"libraries: {', '.join(libraries)}",
        "",
        "folders",
    ]
    for name, folder in report["folders"].items():
        state = f"{folder['bytes'] / 1e6:.1f} MB" if folder["exists"] else "not made yet"
        lines.append(f"  {name:<6} {folder['path']} ({state})")
    lines += ["", "extras"]
    for name, extra in report["extras"].items():
        lacking = [library for library, version in extra["libraries"].items() if version is None]
        state = f"lacks {', '.join(lacking)}: {extra['install']}" if lacking else "installed"
        lines.append(f"  {name:<8} {state}")
    lines += ["", f"programs of others run with {report['isolation_level']}"]
    for offer in report["isolation"]:
        lines.append(f"  {'yes' if offer['works'] else 'no ':<4}{offer['name']}: {offer['detail']}")
    return lines
