"""The learned evaluations: which rule sets have one, and how its file becomes the array that the search reads.

A file in ``networks/`` is named after its preset. It holds a vector for each state of a small board (int8, times a
scale for each column), a matrix for each of the nine boards and one for the board sent to, a row for each send, and
the last layer's weights; in some, also those for the chance of a draw.
"""

from functools import lru_cache
from importlib.resources import as_file, files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from metatac.engine import network as at
from metatac.rules import RuleSet, load_rules

Shorts = NDArray[np.int16]
Floats = NDArray[np.float32]


def save(file: Path, parts: Floats, boards: Floats, sends: Floats, out: Floats, draws: Floats) -> None:
    """Write what was learned."""
    scale = np.abs(parts).max(axis=0) / 127
    small = np.round(parts / scale).astype(np.int8)
    np.savez_compressed(file, parts=small, scale=scale, boards=boards, sends=sends, out=out, draws=draws)


def expanded(file: Path) -> Shorts:
    """The array that the search reads, from a file."""
    with np.load(file) as saved:
        parts = saved["parts"].astype(np.float32) * saved["scale"]
        rows = np.concatenate([*(parts @ matrix for matrix in saved["boards"]), saved["sends"]])
        out = saved["out"]
        draws = saved["draws"] if "draws" in saved else np.zeros_like(out)
    network = np.zeros(at.LENGTH, dtype=np.int16)
    most = 32767 // (at.SIZE + 2)  # the sum of all rows must not overflow
    network[: at.OUT] = np.clip(np.round(rows * at.CLIP), -most, most).ravel()
    network[at.OUT : at.TERNARY] = np.round(np.concatenate([out, draws]) * at.FACTOR)
    network[at.TERNARY :] = [sum(3**cell for cell in range(9) if mask >> cell & 1) for mask in range(512)]
    network.flags.writeable = False
    return network


@lru_cache(maxsize=1)
def _networks() -> dict[RuleSet, str]:
    """The rule sets that have a learned evaluation, and their presets' names."""
    folder = files("metatac.engine") / "networks"
    names = sorted(file.name for file in folder.iterdir() if file.name.endswith(".npz")) if folder.is_dir() else []
    return {load_rules(name.removesuffix(".npz")): name.removesuffix(".npz") for name in names}


def learned_as(rules: RuleSet) -> str | None:
    """The preset whose learned evaluation a rule set has, if any. Where a game begins makes no difference to it."""
    return _networks().get(load_rules(rules, first="free"))


@lru_cache(maxsize=4)
def network(rules: RuleSet) -> Shorts | None:
    """The learned evaluation of a rule set, if it has one."""
    name = learned_as(rules)
    if name is None:
        return None
    with as_file(files("metatac.engine") / "networks" / f"{name}.npz") as file:
        return expanded(file)
