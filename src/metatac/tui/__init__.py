"""The full-screen terminal client."""

from metatac.notation import Record
from metatac.table import Plan


def run(plan: Plan | None, *, record: Record | None = None, save: str = "", say: str = "") -> str:
    """Play, or with a record step through it, until somebody leaves; returns what is to be said afterwards.

    Without a plan and a record it asks for a game first. ``save`` is a file that the record is added to at the end;
    ``say`` is said at first.
    """
    from metatac.tui.client import Client

    client = Client(plan, record=record, save=save, say=say)
    try:
        client.run()
    finally:
        client.close_table()
    return client.farewell
