"""The full-screen terminal client."""

from metatac.errors import MissingExtra
from metatac.notation import Record
from metatac.table import Plan


def run(plan: Plan | None, *, record: Record | None = None, save: str = "") -> str:
    """Play, or with a record step through it, until somebody leaves; returns what is to be said afterwards.

    Without a plan and a record it asks for a game first. ``save`` is a file that the record is added to at the end.
    """
    try:
        from metatac.tui.client import Client
    except ModuleNotFoundError as missing:
        raise MissingExtra(f"{missing.name} is not installed; pip install textual") from missing

    client = Client(plan, record=record, save=save)
    try:
        client.run()
    finally:
        client.close_table()
    return client.farewell
