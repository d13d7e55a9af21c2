"""Games as files: text, JSON, a picture of the last position, a page."""

from starlette.responses import Response

from metatac.notation import Record
from metatac.render.svg import board_svg
from metatac.server.refusals import Refusal

TYPES = {
    "txt": "text/plain; charset=utf-8",
    "json": "application/json",
    "svg": "image/svg+xml",
    "html": "text/html; charset=utf-8",
}


def exported(record: Record, form: str, name: str) -> Response:
    """The record as a download."""
    if form == "txt":
        text = record.to_text()
    elif form == "json":
        text = record.to_json()
    elif form == "svg":
        *_, last = record.positions()
        text = board_svg(last, last=record.moves[-1] if record.moves else None)
    else:
        text = page(record)
    headers = {"content-disposition": f'attachment; filename="{name}.{form}"'}
    return Response(text.encode("utf-8", "replace"), media_type=TYPES[form], headers=headers)


def page(record: Record) -> str:
    """A self-contained page that shows the game."""
    try:
        from metatac.render.page import record_html
    except ImportError:
        raise Refusal("This kind of file cannot be made here.", "invalid", 422) from None
    text: str = record_html(record)
    return text
