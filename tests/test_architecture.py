"""The rooms of src/metatac stand in one order; an import may only point to a room above its own.

Heavy libraries stay at home in their rooms, so that a game between two people loads none of them.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "metatac"

# From the ground up. `extras`, `paths` and `machine` are helpers that stand beside `errors`.
ROOMS = (
    "errors",
    "extras",
    "paths",
    "machine",
    "rules",
    "game",
    "notation",
    "match",
    "render",
    "kernel",
    "features",
    "engine",
    "players",
    "table",
    "store",
    "arena",
    "envs",
    "server",
    "tui",
    "cli",
)

# Library: the rooms that may import it, even inside a function.
HOMES: dict[str, set[str]] = {
    "numba": {"kernel", "features", "engine", "envs"},
    "numpy": {"kernel", "features", "engine", "envs"},
    "fastapi": {"server"},
    "textual": {"tui"},
    "sqlalchemy": {"store", "server"},
    "alembic": {"store"},
    "psycopg": {"store", "server"},
    "ray": {"arena"},
    "torch": set(),
}


def room_of(module: str) -> str | None:
    """The room a dotted module stands in; None for the package's own name and for other packages."""
    parts = module.split(".")
    return parts[1] if parts[0] == "metatac" and len(parts) > 1 else None


def imports(tree: ast.AST, package: str) -> Iterator[tuple[int, str]]:
    """Every imported module with its line, wherever in the file: a late or type-only import counts too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package.rsplit(".", node.level - 1)[0] if node.level else ""
            module = ".".join(part for part in (base, node.module) if part)
            # `from metatac import paths` names a room, `from metatac import __version__` does not.
            for alias in node.names:
                yield node.lineno, f"{module}.{alias.name}" if module == "metatac" else module


def complaints(source: str, module: str, *, is_package: bool = False) -> list[str]:
    """What is wrong with the imports of one module, each as `module:line: reason`."""
    here = room_of(module) or ""
    package = module if is_package else module.rpartition(".")[0]
    found = []
    for line, target in imports(ast.parse(source), package):
        library = target.partition(".")[0]
        if library in HOMES and here not in HOMES[library]:
            found.append(f"{module}:{line}: {library} does not belong in {here or 'the package itself'}")
        there = room_of(target)
        if there in ROOMS and here in ROOMS and ROOMS.index(there) > ROOMS.index(here):
            found.append(f"{module}:{line}: {here} imports {there}, which stands above it")
    return found


def modules() -> Iterator[tuple[Path, str]]:
    for file in sorted(SOURCE.rglob("*.py")):
        parts = ["metatac", *file.relative_to(SOURCE).with_suffix("").parts]
        yield file, ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def test_every_import_points_the_right_way() -> None:
    wrong = [
        complaint
        for file, module in modules()
        for complaint in complaints(file.read_text(), module, is_package=file.name == "__init__.py")
    ]
    assert not wrong, "\n".join(wrong)


def test_every_room_is_in_the_plan() -> None:
    rooms = {room_of(module) for _, module in modules()} - {None, "__main__"}
    assert rooms <= set(ROOMS), f"rooms that the plan does not know: {rooms - set(ROOMS)}"


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("metatac.rules.model", "from metatac.game import Position"),
        ("metatac.rules.model", "import metatac.game.position"),
        ("metatac.rules.model", "from metatac import cli"),
        ("metatac.rules.model", "from ..game import Position"),
        ("metatac.errors", "from .rules import RuleSet"),
        ("metatac.kernel.state", "def late():\n    from metatac.engine import search"),
        ("metatac.rules.model", "if TYPE_CHECKING:\n    from metatac.game import Position"),
        ("metatac.game.position", "import numpy as np"),
        ("metatac.cli.bench", "def late():\n    from numba import njit"),
        ("metatac.engine.net", "import torch.nn"),
        ("metatac.arena.web", "from fastapi.responses import Response"),
        ("metatac.cli.play", "import textual"),
    ],
)
def test_a_wrong_import_is_noticed(module: str, source: str) -> None:
    assert len(complaints(source, module)) == 1


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("metatac.game.position", "from metatac.rules import RuleSet"),
        ("metatac.game.position", "from .move import Move\nfrom ..errors import IllegalMove"),
        ("metatac.kernel.state", "import numba\nimport numpy"),
        ("metatac.server.app", "import fastapi"),
        ("metatac.cli.app", "from metatac import __version__, paths"),
    ],
)
def test_a_right_import_passes(module: str, source: str) -> None:
    assert complaints(source, module) == []


def test_a_relative_import_in_a_package_file_is_resolved_from_the_package() -> None:
    assert complaints("from ..game import Game", "metatac.rules", is_package=True)
    assert not complaints("from ..errors import RulesError", "metatac.rules", is_package=True)
