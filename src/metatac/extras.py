"""The optional parts: importing one that is not installed says which command installs it."""

import importlib
from types import ModuleType

from metatac.errors import MissingExtra


def need(module: str, *, extra: str) -> ModuleType:
    """Import an optional module, or raise MissingExtra with the command that installs it."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as missing:
        what = missing.name or module
        raise MissingExtra(f"{what} is not installed; {install_command(extra)}") from missing


def install_command(extra: str) -> str:
    return f'pip install "metatac[{extra}]"'
