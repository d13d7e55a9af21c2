"""Lines of a record that were not played: each is shown as a record of its own, from which one comes back."""

from typing import TYPE_CHECKING

from metatac.errors import InvalidArgument
from metatac.notation import Record
from metatac.table import plan_record

if TYPE_CHECKING:
    from metatac.tui.client import Client


def branch(record: Record, ply: int, number: int) -> Record:
    """The record with a line that could have been played, counted from 1, in place of a move and what followed it."""
    lines = record.plies[ply - 1].variations if ply else ()
    if not lines:
        raise InvalidArgument("the record has no other line in place of this move")
    if number > len(lines):
        raise InvalidArgument(f"the record has {len(lines)} other lines in place of this move, none is {number}")
    return Record(record.start, (*record.plies[: ply - 1], *lines[number - 1]), tags=record.tags)


def step_into(client: "Client", number: int) -> None:
    """Show a line that was not played, from the move in whose place it stands."""
    record, ply = client.record, client.plies
    if record is None:
        raise InvalidArgument("other lines are a thing of records")
    line = branch(record, ply, number)
    client.above.append((record, ply))
    _show(client, line, ply)


def step_out(client: "Client") -> None:
    """Return to the line from which this one was stepped into."""
    _show(client, *client.above.pop())


def _show(client: "Client", record: Record, ply: int) -> None:
    client.record = record
    client.table.lay_out(plan_record(record))
    client.looking = ply
    client.show()
