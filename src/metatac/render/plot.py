"""How a game went, as one self-contained SVG: the score after every move, and where it was given away.

Above the middle X is better, below it O. Under the curve stand who made each move, and the moves' numbers. Mistakes are
marked on the curve, larger the worse they are; the reader's pointer shows each move. No script, no ids.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from metatac.errors import InvalidArgument
from metatac.render.svg import Svg, style, xml_text

WIDTH, HEIGHT = 720, 240
LEFT, RIGHT, TOP, BOTTOM = 30, 14, 28, 34
MARKS = {"inaccuracy": ("?!", 3.5), "mistake": ("?", 4.5), "blunder": ("??", 5.5)}
"""The sign and the size of each kind of mistake."""
MOST_LABELS = 16

_FIXED = (
    "{s} text{{font:11px system-ui,sans-serif}}",
    "{s} .head{{font-size:13px;font-weight:600}}",
    "{s} .n,{s} .sign{{text-anchor:middle}}",
    "{s} .sign{{font-weight:700}}",
    "{s} .side{{text-anchor:end;font-weight:700}}",
    "{s} .curve,{s} .middle,{s} .quarter{{fill:none}}",
    "{s} .curve{{stroke-width:1.8;stroke-linejoin:round}}",
    "{s} .quarter{{stroke-dasharray:2 4}}",
    "{s} .area{{opacity:.35}}",
    "{s} .spot{{opacity:0}}",
    "{s} .bad{{stroke-width:1.5}}",
)
_COLORED = (
    "{s} .ground{{fill:{ground}}}",
    "{s} .field{{fill:{card}}}",
    "{s} .middle,{s} .quarter{{stroke:{grid}}}",
    "{s} .curve{{stroke:{text}}}",
    "{s} text{{fill:{text}}}",
    "{s} .x{{fill:{x}}}",
    "{s} .o{{fill:{o}}}",
    "{s} .bad{{stroke:{card}}}",
)


@dataclass(frozen=True, slots=True)
class PlotPoint:
    """A move of the game."""

    score_x: float
    """After the move, from 0 to 1 in X's view."""
    turn: str
    """Who made it."""
    move: str
    mistake: str = ""
    """``inaccuracy``, ``mistake``, ``blunder``, or nothing."""


def evaluation_svg(
    first: float, points: Sequence[PlotPoint], *, title: str = "", size: float = WIDTH, dark: bool | None = None
) -> Svg:
    """The score in X's view from the first position on and after each move, as a picture ``size`` pixels wide.

    ``dark`` chooses the colours; without it they follow the reader's settings.
    """
    for score in (first, *(point.score_x for point in points)):
        if not 0 <= score <= 1:
            raise InvalidArgument(f"a score is a number from 0 to 1, not {score!r}")
    scheme = "auto" if dark is None else "dark" if dark else "light"
    plot = _Plot([first, *(point.score_x for point in points)], points)
    bad = sum(bool(point.mistake) for point in points)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="metatac-plot {scheme}" width="{size:g}"'
        f' height="{size * HEIGHT / WIDTH:g}" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
        f"<title>{xml_text(title or 'Evaluation')}</title>",
        f"<desc>The score after each of {len(points)} moves in X's view, from 0 to 1; {bad} are mistakes.</desc>",
        f"<style>{style(f'.metatac-plot.{scheme}', dark, _FIXED, _COLORED)}</style>",
        f'<rect class="ground" width="{WIDTH}" height="{HEIGHT}" rx="6"/>',
        f'<text class="head" x="{LEFT}" y="18">{xml_text(title)}</text>' if title else "",
        *plot.draw_field(),
        *plot.draw_areas(),
        plot.draw_curve(),
        *plot.draw_movers(),
        *plot.draw_numbers(),
        *plot.draw_moves(),
    ]
    return Svg("\n".join(filter(None, [*parts, "</svg>"])) + "\n")


class _Plot:
    """Where everything stands."""

    def __init__(self, scores: list[float], points: Sequence[PlotPoint]) -> None:
        self.scores, self.points = scores, points
        self.width, self.height = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
        self.step = self.width / max(1, len(points))

    def x(self, number: float) -> float:
        return LEFT + number * self.step

    def y(self, score: float) -> float:
        return TOP + (1 - score) * self.height

    def draw_field(self) -> list[str]:
        lines = "".join(f"M{LEFT} {self.y(score):g}h{self.width:g}" for score in (0.25, 0.75))
        return [
            f'<rect class="field" x="{LEFT}" y="{TOP}" width="{self.width}" height="{self.height}"/>',
            f'<path class="quarter" d="{lines}"/>',
            f'<path class="middle" d="M{LEFT} {self.y(0.5):g}h{self.width:g}"/>',
            f'<text class="side x" x="{LEFT - 6}" y="{TOP + 10}">X</text>',
            f'<text class="side" x="{LEFT - 6}" y="{self.y(0.5) + 4:g}">½</text>',
            f'<text class="side o" x="{LEFT - 6}" y="{TOP + self.height:g}">O</text>',
        ]

    def draw_areas(self) -> list[str]:
        """What lies between the curve and the middle: X's above it, O's below."""
        spots = self.crossed()
        parts = []
        for who, better in (("x", max), ("o", min)):
            edge = " ".join(f"{self.x(number):.1f},{self.y(better(score, 0.5)):.1f}" for number, score in spots)
            ends = f"{self.x(spots[-1][0]):.1f},{self.y(0.5):.1f} {LEFT},{self.y(0.5):.1f}"
            parts.append(f'<polygon class="area {who}" points="{edge} {ends}"/>')
        return parts

    def crossed(self) -> list[tuple[float, float]]:
        """(number, score) along the curve, with the places where it crosses the middle."""
        spots: list[tuple[float, float]] = []
        for number, score in enumerate(self.scores):
            before = spots[-1][1] if spots else score
            if (before - 0.5) * (score - 0.5) < 0:
                spots.append((number - 1 + (0.5 - before) / (score - before), 0.5))
            spots.append((number, score))
        return spots

    def draw_curve(self) -> str:
        spots = " ".join(f"{self.x(number):.1f},{self.y(score):.1f}" for number, score in enumerate(self.scores))
        return f'<polyline class="curve" points="{spots}"/>'

    def draw_movers(self) -> list[str]:
        """A strip that says who made each move: with bonus moves the players do not simply take turns."""
        parts = []
        for who in "XO":
            bars = "".join(
                f"M{self.x(number):.1f} {TOP + self.height + 3:g}h{max(self.step - 1, self.step / 2):.1f}v4"
                f"H{self.x(number):.1f}z"
                for number, point in enumerate(self.points)
                if point.turn == who
            )
            parts.append(f'<path class="{who.lower()}" d="{bars}"/>' if bars else "")
        return parts

    def draw_numbers(self) -> list[str]:
        count = len(self.points)
        steps = (factor * 10**power for power in range(9) for factor in (1, 2, 5))
        step = next(step for step in steps if count <= MOST_LABELS * step)
        return [
            f'<text class="n" x="{self.x(number):.1f}" y="{HEIGHT - 12}">{number}</text>'
            for number in range(step, count + 1, step)
        ]

    def draw_moves(self) -> list[str]:
        """A spot for each move, which tells about it; mistakes can be seen."""
        parts = []
        for number, point in enumerate(self.points, 1):
            x, y = self.x(number), self.y(point.score_x)
            sign, radius = MARKS.get(point.mistake, ("", 5.0))
            tip = f"{number}. {point.turn} {point.move}{sign}: {point.score_x:.2f}" + (
                f" ({point.mistake})" if point.mistake else ""
            )
            kind = f"bad {point.turn.lower()}" if sign else "spot"
            circle = f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}">'
            parts.append(f"{circle}<title>{xml_text(tip)}</title></circle>")
            if sign:
                parts.append(self.draw_sign(number, sign))
        return parts

    def draw_sign(self, number: int, sign: str) -> str:
        """The sign of a mistake: on the side of its spot that the curve does not come from, or beside it at the rim."""
        x, y = self.x(number), self.y(self.scores[number])
        up = self.scores[number] > self.scores[number - 1]
        if not TOP + 20 < y < TOP + self.height - 20:
            x, y = x - 16, y + (10 if up else -3)
        else:
            y += -9 if up else 17
        return f'<text class="sign" x="{x:.1f}" y="{y:.1f}">{sign}</text>'
