"""Game records with variations, as text and as JSON, and the notations that others use for positions."""

from metatac.notation.foreign import foreign_forms, form_of, read_foreign, write_foreign
from metatac.notation.limits import DEFAULT_LIMITS, Limits
from metatac.notation.record import MAX_DEPTH, MAX_TEXT, Ply, Record, Step
from metatac.notation.stream import count_records, read_records, write_record, write_records
from metatac.notation.verdict import BOARD_REASONS

__all__ = [
    "BOARD_REASONS",
    "DEFAULT_LIMITS",
    "MAX_DEPTH",
    "MAX_TEXT",
    "Limits",
    "Ply",
    "Record",
    "Step",
    "count_records",
    "foreign_forms",
    "form_of",
    "read_foreign",
    "read_records",
    "write_foreign",
    "write_record",
    "write_records",
]
