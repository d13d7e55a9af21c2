"""A position as one self-contained SVG: every size and depth, light and dark, no script, no ids.

Boards that may be played in are bright and framed; cells of the last move are yellow; a won board has its
owner's colour and a big mark under its cells; a board that takes no more marks is dim; banned squares are
hatched; tallies are small marks above the board's right corner. With a heat map the cells of good moves are green, the
better the stronger, and the best have a dot. X and O differ in shape and in colour, blue and
orange, which nearly everybody can tell apart. The drawing knows no rules: it shows what the position tells.
"""

import re
from xml.sax.saxutils import escape, quoteattr

from metatac.game import Move, Position, check_move, explain_send
from metatac.game.move import board_path
from metatac.render.heat import STEPS, Heat, heat_of_cells, step_of
from metatac.rules import LETTERS

CELL = 20
PAD = 6
GROUP_GAP = 8

Rules = tuple[str, ...]

_LIGHT, _DARK = 0, 1
_COLORS = {
    "ground": ("#e6eaef", "#12161b"),
    "frame": ("#d5dbe3", "#1d232b"),
    "card": ("#f4f6f8", "#262d36"),
    "lit": ("#ffffff", "#3b4652"),
    "accent": ("#00916a", "#35d6a6"),
    "shut": ("#dfe3e8", "#1b2027"),
    "x card": ("#cfe4f5", "#163750"),
    "o card": ("#fbe0cb", "#4c2c18"),
    "x": ("#0069a8", "#62bbff"),
    "o": ("#c94f08", "#ffa04d"),
    "grid": ("#c2c9d3", "#46515f"),
    "last": ("#ffdf70", "#75620f"),
    "last edge": ("#d9a800", "#c9a935"),
    "ban": ("#cdd3da", "#20262d"),
    "hatch": ("#8a94a2", "#6a7583"),
    "text": ("#5a6573", "#9ba7b5"),
}
"""The light colour and the dark one of each thing."""

_FIXED = (
    "{s} text{{font:7px system-ui,sans-serif}}",
    "{s} .n{{text-anchor:middle}}",
    "{s} .cell{{font-size:5px}}",
    "{s} .grid,{s} .edge,{s} .hatch,{s} .x,{s} .o{{fill:none}}",
    "{s} .hatch{{stroke-width:1.5}}",
    "{s} .x,{s} .o{{stroke-linecap:round}}",
    "{s} .mark{{stroke-width:3}}",
    "{s} .turn{{stroke-width:2}}",
    "{s} .tally{{stroke-width:1.4}}",
    "{s} .lit .edge{{stroke-width:2.5}}",
    "{s} .lit .name{{font-weight:700}}",
    "{s} .shut .mark{{opacity:.6}}",
    "{s} .big{{opacity:.3}}",
    "{s} .over{{opacity:.4}}",
)
_HEAT = ("{s} .heat{{fill:{accent}}}", "{s} .best{{fill:{lit};stroke:{accent}}}")
"""Rules of the style that are the same in light and dark; ``s`` is the class of the scheme."""

_COLORED = (
    "{s} .ground{{fill:{ground}}}",
    "{s} .frame{{fill:{frame};stroke:{grid}}}",
    "{s} .card{{fill:{card}}}",
    "{s} .shut .card{{fill:{shut}}}",
    "{s} .lit .card{{fill:{lit}}}",
    "{s} .won-x .card{{fill:{x card}}}",
    "{s} .won-o .card{{fill:{o card}}}",
    "{s} .frame.won-x{{fill:{x card};stroke:{x}}}",
    "{s} .frame.won-o{{fill:{o card};stroke:{o}}}",
    "{s} .x{{stroke:{x}}}",
    "{s} .o{{stroke:{o}}}",
    "{s} .grid,{s} .edge{{stroke:{grid}}}",
    "{s} .lit .edge{{stroke:{accent}}}",
    "{s} .last{{fill:{last};stroke:{last edge}}}",
    "{s} .ban{{fill:{ban}}}",
    "{s} .hatch{{stroke:{hatch}}}",
    "{s} text{{fill:{text}}}",
    "{s} .lit .name{{fill:{accent}}}",
)

_NOT_XML = re.compile("[^\t\n\r\u0020-\u007e\u00a0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Svg(str):
    """The text of an SVG, which a notebook shows as the picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


def board_svg(
    position: Position,
    *,
    last: Move | None = None,
    size: float = 480,
    coordinates: bool = True,
    dark: bool | None = None,
    heat: Heat | None = None,
) -> Svg:
    """The position as an SVG picture of ``size`` × ``size`` pixels.

    ``last`` is the move that led here. ``coordinates`` numbers rows and columns from 1 and gives boards the
    letters that moves call them by. ``dark`` chooses the colours; without it they follow the reader's settings.
    ``heat`` says how good moves are, from 0 to 1.
    """
    if last is not None:
        last = check_move(position.rules, last)
    return Svg(Picture(position, last, coordinates, heat_of_cells(position, heat or {})).draw(size, dark))


class Picture:
    """Where everything stands, and the parts of the picture."""

    def __init__(
        self, position: Position, last: Move | None, coordinates: bool, heat: dict[tuple[int, ...], float]
    ) -> None:
        rules, self.heat = position.rules, heat
        self.position, self.last, self.coordinates = position, last, coordinates
        self.side, self.depth = rules.side, rules.depth
        self.board = self.side * CELL
        self.gap = (10 if position.tallies or coordinates else 5) if self.depth > 1 else 0
        self.inner = self.side * (self.board + self.gap) + self.gap if self.depth > 1 else self.board
        whole = self.side * (self.inner + GROUP_GAP) - GROUP_GAP if self.depth == 3 else self.inner
        self.edge = PAD + 9 if coordinates else PAD
        self.width = self.edge + whole + PAD
        self.lit = {move[: self.depth - 1] for move in position.legal_moves if move}

    # -- places

    def origin(self, path: tuple[int, ...]) -> tuple[int, int]:
        """The x and y of the top left corner of a small board, or of a group of them (a path of one at depth 3)."""
        x = y = self.edge
        if self.depth == 3 and path:
            row, column = divmod(path[0], self.side)
            x, y = x + column * (self.inner + GROUP_GAP), y + row * (self.inner + GROUP_GAP)
        if self.depth > 1 and len(path) == self.depth - 1:
            row, column = divmod(path[-1], self.side)
            x += self.gap + column * (self.board + self.gap)
            y += self.gap + row * (self.board + self.gap)
        return x, y

    def corner(self, cell: int) -> tuple[int, int]:
        """The x and y of a cell on its small board."""
        row, column = divmod(cell, self.side)
        return column * CELL, row * CELL

    # -- the picture

    def draw(self, size: float, dark: bool | None) -> str:
        drawn = (part for layer in self.layers() for part in layer)
        return "\n".join([*self.head(size, dark), *drawn, "</svg>"]) + "\n"

    def head(self, size: float, dark: bool | None) -> list[str]:
        """Everything before what is drawn."""
        scheme = "auto" if dark is None else "dark" if dark else "light"
        width, colored = self.width, (*_COLORED, *_HEAT) if self.heat else _COLORED
        return [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="metatac {scheme}" width="{size:g}" height="{size:g}"'
            f' viewBox="0 0 {width} {width}" role="img" data-position={_attribute(self.position.text)}>',
            f"<title>{xml_text(self.title())}</title>",
            f"<desc>{xml_text(self.description())}</desc>",
            f"<style>{style(f'.metatac.{scheme}', dark, _FIXED, colored)}</style>",
            f'<rect class="ground" width="{width}" height="{width}" rx="{PAD}"/>',
        ]

    def layers(self) -> list[list[str]]:
        """What is drawn, from below: the margins, the frames, each board, the owners of groups of boards."""
        boards = [self.draw_board(number) for number in range(self.position.rules.board_count)]
        margins = self.draw_margins() if self.coordinates else []
        return [margins, self.draw_frames(), *boards, self.draw_group_owners()]

    def title(self) -> str:
        position, rules = self.position, self.position.rules
        name = rules.title or rules.name
        if position.outcome is not None:
            return f"{name}: {position.outcome}"
        return f"{name}: {position.turn} to move"

    def description(self) -> str:
        position, rules = self.position, self.position.rules
        sentences = [str(explain_send(position, self.last)["text"])]
        if self.last:
            sentences.append(f"Last move: {self.last}.")
        for level, owners in enumerate(position.owners, 1):
            for who in "XO":
                names = [
                    _name(board_path(rules, number) if level == rules.depth - 1 else (number,))
                    for number, owner in enumerate(owners)
                    if owner == who
                ]
                if names:
                    sentences.append(f"{who} owns board{'s' * (len(names) > 1)} {', '.join(names)}.")
        return " ".join(sentences)

    def draw_margins(self) -> list[str]:
        """Rows and columns numbered from 1, and the mark of the player to move in the corner."""
        parts = []
        if self.position.outcome is None:
            parts.append(_mark(self.position.turn, (PAD - 3, PAD - 3), 10, "turn"))
        for place in range(self.side**self.depth):
            path, rest = [], place
            for _ in range(self.depth - 1):
                rest, step = divmod(rest, self.side)
                path.append(step)
            # From the innermost: the last step found is the outermost's. Rows and columns stand alike.
            steps = [rest, *reversed(path)]
            x = self.origin(tuple(steps[:-1]))[0] + steps[-1] * CELL + CELL // 2
            parts.append(f'<text class="n" x="{x}" y="{self.edge - 3}">{place + 1}</text>')
            parts.append(f'<text class="n" x="{self.edge - 7}" y="{x + 2.5:g}">{place + 1}</text>')
        return parts

    def draw_frames(self) -> list[str]:
        if self.depth == 1:
            return []
        outcome = self.position.outcome
        owners = self.position.owners[0] if self.depth == 3 else (outcome and outcome.winner) or "."
        parts = []
        for number, owner in enumerate(owners):
            x, y = self.origin((number,) if self.depth == 3 else ())
            won = f" won-{owner.lower()}" if owner != "." else ""
            parts.append(
                f'<rect class="frame{won}" x="{x}" y="{y}" width="{self.inner}" height="{self.inner}" rx="5"/>'
            )
        return parts

    def draw_board(self, number: int) -> list[str]:
        position, path = self.position, board_path(self.position.rules, number)
        owner = position.owners[-1][number] if path else (position.outcome and position.outcome.winner) or "."
        kinds = ["board"]
        kinds += ["lit"] if path in self.lit else []
        kinds += ["shut"] if path and not position.is_open(number) else []
        kinds += [f"won-{owner.lower()}"] if owner != "." else []
        x, y = self.origin(path)
        name = f' data-board="{_name(path)}"' if path else ""
        side = self.board
        parts = [
            f'<g class="{" ".join(kinds)}"{name} transform="translate({x} {y})">',
            f'<rect class="card" width="{side}" height="{side}" rx="2"/>',
            *self.draw_grounds(position.board(number), path),
            f'<path class="grid" d="{self.grid()}"/>',
            f'<rect class="edge" width="{side}" height="{side}" rx="2"/>',
        ]
        if path and owner != ".":
            parts.append(_big_mark(owner, (0, 0), side, "big", 0.13))
        parts += self.draw_marks(position.board(number))
        parts += self.draw_names(path)
        if position.tallies:
            parts += self.draw_tallies(position.tallies[number])
        return [*parts, "</g>"]

    def grid(self) -> str:
        places = range(CELL, self.board, CELL)
        return "".join(f"M{p} 0v{self.board}" for p in places) + "".join(f"M0 {p}h{self.board}" for p in places)

    def draw_grounds(self, cells: str, path: tuple[int, ...]) -> list[str]:
        """What lies under the marks: the heat, the cells of the last move, the banned squares."""
        warm = [cell for cell in range(len(cells)) if (*path, cell) in self.heat]
        parts = [self.draw_heat(cell, self.heat[*path, cell]) for cell in warm]
        if self.last and self.last[: self.depth - 1] == path:
            parts.append(self.cells_path("last", sorted(set(self.last[self.depth - 1 :]))))
        banned = [cell for cell, mark in enumerate(cells) if mark == "#"]
        if banned:
            corners = [self.corner(cell) for cell in banned]
            lines = "".join(f"M{x} {y + 10}l10 -10M{x} {y + 20}l20 -20M{x + 10} {y + 20}l10 -10" for x, y in corners)
            parts.append(self.cells_path("ban", banned))
            parts.append(f'<path class="hatch" d="{lines}"/>')
        return parts

    def draw_heat(self, cell: int, warmth: float) -> str:
        x, y = self.corner(cell)
        square = f'<rect class="heat" x="{x}" y="{y}" width="{CELL}" height="{CELL}" opacity="{warmth * 0.75:.3g}"/>'
        if step_of(warmth) < STEPS - 1:
            return square
        return f'{square}<circle class="best" cx="{x + CELL / 2:g}" cy="{y + CELL / 2:g}" r="4"/>'

    def cells_path(self, kind: str, cells: list[int]) -> str:
        squares = "".join(f"M{x} {y}h{CELL}v{CELL}h-{CELL}z" for x, y in map(self.corner, cells))
        return f'<path class="{kind}" d="{squares}"/>'

    def draw_marks(self, cells: str) -> list[str]:
        parts = []
        for who in "XO":
            spots = [self.corner(cell) for cell, mark in enumerate(cells) if mark == who]
            if spots:
                shape = "".join(_shape(who, spot, CELL) for spot in spots)
                parts.append(f'<path class="mark {who.lower()}" d="{shape}"/>')
        return parts

    def draw_names(self, path: tuple[int, ...]) -> list[str]:
        if not self.coordinates:
            return []
        if path:
            return [f'<text class="name" x="1" y="-2.5">{_name(path)}</text>']
        blanks = [cell for cell, mark in enumerate(self.position.cells) if mark == "."]
        return [
            f'<text class="cell" x="{x + 2}" y="{y + 6}">{LETTERS[cell]}</text>'
            for cell, (x, y) in ((cell, self.corner(cell)) for cell in blanks)
        ]

    def draw_tallies(self, tallies: tuple[int, int]) -> list[str]:
        """Small marks above the right corner: X's, then O's."""
        parts, total = [], sum(tallies)
        step = min(7.0, (self.board - 11) / max(total, 1))
        x = self.board - total * step
        for who, count in zip("XO", tallies, strict=True):
            if count:
                shape = "".join(_shape(who, (x + i * step, -8), 7) for i in range(count))
                parts.append(f'<path class="tally {who.lower()}" d="{shape}"/>')
            x += count * step
        return parts

    def draw_group_owners(self) -> list[str]:
        if self.depth < 3:
            return []
        parts = []
        for number, owner in enumerate(self.position.owners[0]):
            if owner != ".":
                parts.append(_big_mark(owner, self.origin((number,)), self.inner, "over", 0.08))
        return parts


def _name(path: tuple[int, ...]) -> str:
    return "".join(LETTERS[step] for step in path)


def _shape(who: str, corner: tuple[float, float], size: float) -> str:
    """The path of a mark in the middle of a square of that size; it has one ``M``."""
    x, y = corner
    if who == "X":
        a, b = size / 4, size / 2
        return f"M{x + a:g} {y + a:g}l{b:g} {b:g}m0 -{b:g}l-{b:g} {b:g}"
    r = size * 0.28
    arc = f"a{r:g} {r:g} 0 1 0"
    return f"M{x + size / 2 - r:g} {y + size / 2:g}{arc} {2 * r:g} 0{arc} -{2 * r:g} 0"


def _mark(who: str, corner: tuple[float, float], size: float, kind: str) -> str:
    return f'<path class="{kind} {who.lower()}" d="{_shape(who, corner, size)}"/>'


def _big_mark(who: str, corner: tuple[float, float], size: float, kind: str, thick: float) -> str:
    """An owner's mark, which takes most of the square."""
    more = size * 0.14
    shape = _shape(who, (corner[0] - more, corner[1] - more), size + 2 * more)
    return f'<path class="{kind} {who.lower()}" stroke-width="{size * thick:g}" d="{shape}"/>'


def style(selector: str, dark: bool | None, fixed_rules: Rules, colored_rules: Rules) -> str:
    """A style sheet for what has the class; ``dark`` chooses the colours, or leaves it to the reader."""

    def colored(scheme: int) -> str:
        return "".join(rule.format(s=selector, **palette(scheme == _DARK)) for rule in colored_rules)

    fixed = "".join(rule.format(s=selector) for rule in fixed_rules)
    if dark is not None:
        return fixed + colored(_DARK if dark else _LIGHT)
    return f"{fixed}{colored(_LIGHT)}@media(prefers-color-scheme:dark){{{colored(_DARK)}}}"


def palette(dark: bool) -> dict[str, str]:
    """The colour of each thing."""
    return {name: pair[_DARK if dark else _LIGHT] for name, pair in _COLORS.items()}


def xml_text(text: str) -> str:
    """A text that may stand between tags."""
    return escape(_NOT_XML.sub("\ufffd", text))


def _attribute(text: str) -> str:
    return quoteattr(_NOT_XML.sub("\ufffd", text))
