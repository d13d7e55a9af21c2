"""A prover's table on disk: written whole or not at all, and read back only for the same question."""

import json
import os
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from metatac.engine.proof_table import BUCKET, ENTRY
from metatac.errors import InvalidRecord
from metatac.game import Position
from metatac.kernel.tables import Words

MAGIC = b"metatac proof 1\n"
_CHUNK = 1 << 20


def save_table(path: Path, position: Position, table: Words, facts: dict[str, Any]) -> None:
    """Write the entries of a table, with the position and facts that belong to it, in the place of an older file."""
    rows = table.reshape(-1, ENTRY)
    used = np.flatnonzero(rows[:, 3])
    crc = 0
    temporary = path.with_name(path.name + ".part")
    header: dict[str, Any] = {"position": position.text, "digest": position.rules.digest, "entries": int(used.size)}
    try:
        with open(temporary, "wb") as file:
            file.write(MAGIC + json.dumps(header | facts).encode() + b"\n")
            for first in range(0, used.size, _CHUNK):
                part = rows[used[first : first + _CHUNK]].astype("<i8").tobytes()
                crc = zlib.crc32(part, crc)
                file.write(part)
            file.write(crc.to_bytes(4, "little"))
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)  # an older file stays as it was
        raise


def load_table(path: Path, position: Position, table: Words) -> dict[str, Any]:
    """Fill an empty table of any size from a file; returns the facts. What does not fit is left out, cheapest first."""
    with open(path, "rb") as file:
        if file.read(len(MAGIC)) != MAGIC:
            raise InvalidRecord(f"{path}: this is no checkpoint of a proof")
        try:
            facts: dict[str, Any] = json.loads(file.readline())
            wanted = 8 * ENTRY * int(facts["entries"])
            about, digest = str(facts["position"]), str(facts["digest"])
            int(facts["lower_x"]), int(facts["upper_x"]), int(facts["nodes"]), float(facts["seconds"])
        except (ValueError, KeyError, TypeError):
            raise InvalidRecord(f"{path}: the checkpoint is damaged: its header cannot be read") from None
        if digest != position.rules.digest:
            raise InvalidRecord(f"{path}: the checkpoint is of other rules ({about.split(' ')[0]})")
        if about != position.text:
            raise InvalidRecord(f"{path}: the checkpoint is of another position ({about})")
        body = file.read(wanted + 5)
    if len(body) != wanted + 4 or zlib.crc32(body[:wanted]).to_bytes(4, "little") != body[wanted:]:
        raise InvalidRecord(f"{path}: the checkpoint is damaged: its entries are not what was written")
    _insert(np.frombuffer(body, "<i8", wanted // 8).astype(np.int64).reshape(-1, ENTRY), table)
    return facts


def _insert(entries: Any, table: Words) -> None:
    """Put entries into an empty table: those with the most work first, as many as a bucket holds."""
    buckets = table.size // (ENTRY * BUCKET)
    places = ((entries[:, 0].view(np.uint64) >> np.uint64(32)) * np.uint64(buckets)) >> np.uint64(32)
    order = np.lexsort((-(entries[:, 3] & 0xFFF), places))
    entries, places = entries[order], places[order].astype(np.int64)
    starts = np.searchsorted(places, places, side="left")
    rank = np.arange(places.size) - starts
    fits = rank < BUCKET
    table.reshape(-1, ENTRY)[places[fits] * BUCKET + rank[fits]] = entries[fits]
