"""The learned evaluations: which rule sets have one, and how its file becomes the array that the search reads.

A file in ``networks/`` is named after its preset. It holds a vector for each state of a small board (int8, times a
scale for each column); for each role a matrix for each of the nine boards and one for the board sent to, or such
matrices alone where roles were not learned; a row for each send; where roles were, also one for each state of each
line of boards and for how many boards each player owns; and the last layer's weights, for each number of decided boards
or for all of them, with or without those for the chance of a draw.
"""

from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from metatac.engine import network as at
from metatac.engine.arrays import aligned_words
from metatac.errors import InvalidArgument
from metatac.rules import RuleSet, load_rules
from metatac.rules.patterns import Pattern

Shorts = NDArray[np.int16]
Floats = NDArray[np.float32]


LINES: Final = load_rules("ultimate").patterns[0]
"""The lines of boards, in the order of the files."""


def save(file: Path, parts: Floats, **others: Floats) -> None:
    """Write what was learned, if whole numbers can hold it."""
    scale = np.maximum(np.abs(parts).max(axis=0), np.float32(1e-9)) / 127
    learned = {name: array.astype(np.float16) for name, array in others.items()}
    _check(parts, {name: array.astype(np.float32) for name, array in learned.items()}, str(file))
    small = np.round(parts / scale).astype(np.int8)
    np.savez_compressed(file, allow_pickle=False, parts=small, scale=scale, **learned)


def _check(parts: Floats, learned: dict[str, Floats], name: str) -> None:
    """InvalidArgument if the sums that are made of a network could be greater than whole numbers of their size."""
    last = np.abs([learned[kind] for kind in ("out", "draws") if kind in learned])
    for what, most, room in (
        ("rows of a position may add up to", greatest_sum(parts, learned), 2**15),
        ("last weights are as great as", last.max() * at.FACTOR, 2**15),
        ("last weights may add up to", last.sum(-1).max() * at.UNIT, 2**31),
    ):
        if not most < room:
            raise InvalidArgument(f"{name}: the {what} {most:.0f}, and {room} is too much")


def _read(file: Path) -> tuple[Floats, dict[str, Floats]]:
    """The vectors of the states, and the other arrays."""
    with np.load(file) as saved:
        learned: dict[str, Floats] = {name: saved[name].astype(np.float32) for name in saved.files}
    return learned.pop("parts") * learned.pop("scale"), learned


def _matrices(learned: dict[str, Floats]) -> Floats:
    """The matrices of all roles and boards, as one list."""
    return learned["boards"].reshape(-1, *learned["boards"].shape[-2:])


def greatest_sum(parts: Floats, learned: dict[str, Floats]) -> int:
    """No sum of rows is greater in any position, as whole numbers."""
    blocks = np.array([np.abs(parts @ matrix).max(0) for matrix in _matrices(learned)])
    most = blocks.reshape(-1, at.SIZE + 1, blocks.shape[-1]).max(0).sum(0) + np.abs(learned["sends"]).max(0)
    if "lines" in learned:
        most += np.abs(learned["lines"]).max(1).sum(0) + np.abs(learned["counts"]).max((0, 1))
    return int(most.max() * at.CLIP) + at.PLACES + 2


def completing(mask: int) -> int:
    """The boards that complete a line for who owns these."""
    cells = [cell for line in LINES for cell in line if all(mask >> other & 1 for other in line if other != cell)]
    return sum(1 << cell for cell in set(cells) if not mask >> cell & 1)


def live(mask: int) -> int:
    """The boards that lie on a line without any of these."""
    return sum(1 << cell for cell in {cell for line in LINES if not any(mask >> c & 1 for c in line) for cell in line})


def picked(mask: int, lines: Sequence[Pattern]) -> int:
    """What a mask has of each of some lines, three bits each."""
    return sum((mask >> cell & 1) << place for place, cell in enumerate(cell for line in lines for cell in line))


def knows_draws(network: Shorts) -> bool:
    """Whether an evaluation was taught the chance of a draw."""
    return bool(network[: at.TERNARY].reshape(-1, 2, at.HIDDEN)[:, 1].any())


def expanded(file: Path) -> Shorts:
    """The array that the search reads, from a file."""
    parts, learned = _read(file)
    network: Shorts = aligned_words((at.BLOCKS + len(_matrices(learned)) * at.BLOCK) // 4).view(np.int16)
    last = network[: at.TERNARY].reshape(at.SIZE + 1, 2, at.HIDDEN)
    for number, name in enumerate(("out", "draws")):
        if name in learned:
            last[:, number, : learned[name].shape[-1]] = np.round(learned[name] * at.FACTOR)
    masks = range(2**at.SIZE)
    network[at.TERNARY : at.COMPLETING] = [sum(3**cell for cell in range(9) if mask >> cell & 1) for mask in masks]
    network[at.PICKED : at.SENDS] = [picked(mask, lines) for lines in (LINES[:4], LINES[4:]) for mask in masks]
    _write_rows(network, at.SENDS, learned["sends"])
    if "lines" in learned:
        network[at.COMPLETING : at.LIVE] = [completing(mask) for mask in masks]
        network[at.LIVE : at.PICKED] = [live(mask) for mask in masks]
        _write_rows(network, at.UPPER, learned["lines"])
        _write_rows(network, at.COUNTS, learned["counts"])
    for number, matrix in enumerate(_matrices(learned)):
        _write_rows(network, at.BLOCKS + number * at.BLOCK, parts @ matrix)
    network.flags.writeable = False
    return network


def _write_rows(network: Shorts, place: int, rows: Floats) -> None:
    """Write rows from a place on; what was learned with fewer hidden values has zeros for the others."""
    wide = network[place : place + rows.size // rows.shape[-1] * at.HIDDEN].reshape(*rows.shape[:-1], at.HIDDEN)
    wide[..., : rows.shape[-1]] = np.round(rows * at.CLIP)


@lru_cache(maxsize=1)
def _networks() -> dict[RuleSet, str]:
    """The rule sets that have a learned evaluation, and their presets' names."""
    folder = files("metatac.engine") / "networks"
    names = sorted(file.name for file in folder.iterdir() if file.name.endswith(".npz")) if folder.is_dir() else []
    return {load_rules(name.removesuffix(".npz")): name.removesuffix(".npz") for name in names}


def learned_as(rules: RuleSet) -> str | None:
    """The preset whose learned evaluation a rule set has, if any. Where a game begins makes no difference to it."""
    return _networks().get(load_rules(rules, first="free"))


@lru_cache(maxsize=2)  # up to 126 MB each
def network(rules: RuleSet) -> Shorts | None:
    """The learned evaluation of a rule set, if it has one."""
    name = learned_as(rules)
    if name is None:
        return None
    with as_file(files("metatac.engine") / "networks" / f"{name}.npz") as file:
        return expanded(file)
