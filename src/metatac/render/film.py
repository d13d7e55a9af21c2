"""A whole game to look at: an SVG that moves by itself, and a page with arrow keys; both need nothing else."""

import re

from metatac.errors import InvalidRecord
from metatac.game import Position
from metatac.notation import Record
from metatac.render.svg import Svg, board_svg, xml_text

LARGEST = 16 * 1024 * 1024
"""Characters; a game of thousands of cells and hundreds of moves would be more than a browser likes."""
SECONDS = 1.2
"""How long the film shows each position."""

_STYLE = re.compile(r"<style>.*?</style>\n?", re.DOTALL)


def film_svg(record: Record, *, size: float = 480) -> Svg:
    """The game as one SVG that shows a position after the other, and begins again."""
    frames = _frames(record, size)
    style = _STYLE.search(frames[0])
    total = len(frames) + 2  # the last one stays a little longer
    sizes = f'width="{size:g}" height="{size:g}" viewBox="0 0 {size:g} {size:g}"'
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" {sizes}>']
    parts.append(style[0].strip() if style else "")
    for number, frame in enumerate(frames):
        end = 1.0 if number == len(frames) - 1 else (number + 1) / total
        first = "visible" if number == 0 else "hidden"
        times, values = [0.0, number / total, end], ["hidden", "visible", "hidden"]
        if number == 0:
            times, values = [0.0, end], ["visible", "hidden"]
        if end == 1.0:
            times, values = times[:-1], values[:-1]
        timing = f'values="{";".join(values)}" keyTimes="{";".join(f"{time:.6g}" for time in times)}"'
        parts.append(
            f'<g visibility="{first}"><animate attributeName="visibility" calcMode="discrete" '
            f'dur="{total * SECONDS:g}s" repeatCount="indefinite" {timing}/>{_STYLE.sub("", frame)}</g>'
        )
    return Svg("\n".join([*parts, "</svg>"]) + "\n")


def record_html(record: Record) -> str:
    """The game as a page: every position, walked through by buttons or arrow keys."""
    frames = _frames(record, 560)
    names = " – ".join(record.tags[seat] for seat in ("X", "O") if record.tags.get(seat))
    title = xml_text(names or record.rules.title or record.rules.name)
    result = xml_text(f"{record.result} {record.termination}".strip())
    moves = "".join(f'<button data-n="{n}">{xml_text(str(move))}</button>' for n, move in enumerate(record.moves, 1))
    boards = "".join(f'<div class="at" hidden>{frame}</div>' for frame in frames)
    parts = {"TITLE": title, "RESULT": result, "MOVES": moves, "BOARDS": boards}
    # In one go: a player may be called BOARDS.
    return re.sub("TITLE|RESULT|MOVES|BOARDS", lambda word: parts[word[0]], _PAGE)


def _frames(record: Record, size: float) -> list[str]:
    frames: list[str] = []
    moves = (None, *record.moves)
    length, positions = 0, record.positions()
    for position, move in zip(positions, moves, strict=True):
        frames.append(board_svg(position, last=move, size=size))
        length += len(frames[-1])
        if length > LARGEST:
            raise InvalidRecord(f"this game is too long for a film: {_named(position)}, {len(record.moves)} moves")
    return frames


def _named(position: Position) -> str:
    return f"{position.rules.cells} cells"


_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>TITLE</title>
<style>
:root { color-scheme: light dark; font-family: system-ui, sans-serif }
main { display: flex; flex-wrap: wrap; gap: 1rem; padding: 1rem }
svg { max-width: 100%; height: auto }
nav { flex: 1; min-width: 14rem; align-content: start }
button { font: inherit; margin: 1px; padding: .2em .5em; border: 1px solid #8888; border-radius: 4px }
button[aria-current] { background: #00916a; color: white }
</style>
<h1>TITLE</h1>
<p>RESULT</p>
<main><div aria-live="polite">BOARDS</div><nav aria-label="Moves"><button data-n="0">Start</button>MOVES</nav></main>
<script>
const boards = [...document.querySelectorAll(".at")], moves = [...document.querySelectorAll("button")];
let at = 0;
function show(n) {
  at = Math.max(0, Math.min(boards.length - 1, n));
  boards.forEach((board, i) => { board.hidden = i !== at });
  moves.forEach((move) => move.removeAttribute("aria-current"));
  moves[at].setAttribute("aria-current", "step");
}
moves.forEach((move, i) => move.addEventListener("click", () => show(i)));
addEventListener("keydown", (event) => {
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: boards.length - 1 }[event.key];
  if (to !== undefined) { event.preventDefault(); show(to) }
});
show(boards.length - 1);
</script>
</html>
"""
