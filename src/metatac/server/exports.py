"""Games as files: text, JSON, a picture of the last position, a film, a page."""

from starlette.responses import Response

from metatac.notation import Record
from metatac.render.film import film_svg, record_html
from metatac.render.svg import board_svg

TYPES = {
    "txt": "text/plain; charset=utf-8",
    "json": "application/json",
    "svg": "image/svg+xml",
    "film": "image/svg+xml",
    "html": "text/html; charset=utf-8",
}


def exported(record: Record, form: str, name: str) -> Response:
    """The record as a download."""
    ending = "svg" if form == "film" else form
    headers = {"content-disposition": f'attachment; filename="{name}.{ending}"'}
    return Response(_text(record, form).encode("utf-8", "replace"), media_type=TYPES[form], headers=headers)


def _text(record: Record, form: str) -> str:
    if form == "txt":
        return record.to_text()
    if form == "json":
        return record.to_json()
    if form == "html":
        return record_html(record)
    if form == "film":
        return film_svg(record)
    *_, last = record.positions()
    return board_svg(last, last=record.moves[-1] if record.moves else None)
