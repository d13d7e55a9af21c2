"""A prover's table on disk: written whole or not at all, and read back only for the same question."""

import json
import os
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from metatac.engine.proof_search import fill
from metatac.engine.proof_table import BUCKET, ENTRY
from metatac.errors import InvalidRecord
from metatac.game import Position
from metatac.kernel.tables import Words

FAMILY, MAGIC = b"metatac proof ", b"metatac proof 2\n"
LONGEST_HEADER = 1 << 20
_CHUNK = 1 << 18
"""Entries that are read or written at once, 8 MB: the memory that a proof was given is its table's."""


def save_table(path: Path, position: Position, table: Words, facts: dict[str, Any]) -> None:
    """Write the entries of a table, with the position and facts that belong to it, in the place of an older file.

    A link stays, and the file that it leads to is replaced.

    A header of JSON, its checksum, the entries, and the checksum of all that.
    """
    rows = table.reshape(-1, ENTRY)
    pieces = [rows[first : first + _CHUNK] for first in range(0, len(rows), _CHUNK)]
    entries = sum(int(np.count_nonzero(piece[:, 3])) for piece in pieces)
    about = {"position": position.text, "digest": position.rules.digest, "entries": entries}
    header = json.dumps(about | facts).encode() + b"\n"
    crc = zlib.crc32(header)
    path = Path(os.path.realpath(path))
    short = path.name if len(os.fsencode(path.name)) <= 250 else path.name[:60]  # a name has at most 255 bytes
    temporary = path.with_name(short + ".part")
    try:
        with open(temporary, "wb") as file:
            file.write(MAGIC + header + _seal(crc))
            for piece in pieces:
                part = piece[piece[:, 3] != 0].astype("<i8", copy=False).tobytes()
                crc = zlib.crc32(part, crc)
                file.write(part)
            file.write(_seal(crc))
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)  # an older file stays as it was
        raise


def load_table(
    path: Path, position: Position, table: Words, over: Callable[[], bool] = lambda: False
) -> dict[str, Any]:
    """Fill an empty table of any size from a file; returns the facts. What does not fit is left out, cheapest first.

    If it is over before all is read, the table is good for nothing; the facts are true nevertheless.
    """
    damaged = f"{path}: the checkpoint is damaged"
    with open(path, "rb") as file:
        magic = file.read(len(MAGIC))
        if not magic.startswith(FAMILY):
            raise InvalidRecord(f"{path}: this is no checkpoint of a proof")
        if magic != MAGIC:
            raise InvalidRecord(f"{path}: the checkpoint is of another version of metatac, and cannot be gone on with")
        header = file.readline(LONGEST_HEADER)
        crc = zlib.crc32(header)
        if file.read(4) != _seal(crc):
            raise InvalidRecord(f"{damaged}: its header is not what was written")
        facts: dict[str, Any] = json.loads(header)
        if facts["digest"] != position.rules.digest:
            raise InvalidRecord(f"{path}: the checkpoint is of other rules ({facts['position'].split(' ')[0]})")
        if facts["position"] != position.text:
            raise InvalidRecord(f"{path}: the checkpoint is of another position ({facts['position']})")
        for first in range(0, facts["entries"], _CHUNK):
            if over():
                return facts
            part = file.read(8 * ENTRY * min(_CHUNK, facts["entries"] - first))
            crc = zlib.crc32(part, crc)
            whole = len(part) // (8 * ENTRY) * ENTRY
            fill(table, table.size // (ENTRY * BUCKET), np.frombuffer(part, "<i8", whole).astype(np.int64, copy=False))
        if file.read(5) != _seal(crc):
            raise InvalidRecord(f"{damaged}: its entries are not what was written")
    return facts


def _seal(crc: int) -> bytes:
    return crc.to_bytes(4, "little")
