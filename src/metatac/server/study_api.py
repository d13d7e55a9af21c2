"""Positions and records over HTTP: any notation in, everything that a board shows out.

These are plain functions, which run in threads: replaying a long line must not keep the loop.
"""

import contextlib
from typing import Any

from fastapi import Response
from starlette.responses import JSONResponse

from metatac.errors import IllegalMove, InvalidMove, InvalidPosition, InvalidRecord
from metatac.game import Move, Position, start
from metatac.notation import Limits, Ply, Record, foreign_forms, read_records, write_foreign
from metatac.rules import load_spec
from metatac.server import models
from metatac.server.exports import exported
from metatac.server.positions import (
    affordable,
    line_view,
    pasted_rules,
    played,
    read_position,
    rules_named,
    set_up,
    title_of,
    view,
)
from metatac.server.refusals import Refusal
from metatac.server.settings import MAX_IMPORT
from metatac.server.web import reply, router

routes = router()

MOST_RECORDS = 50
LIMITS = Limits(chars=MAX_IMPORT, plies=5000)


@routes.post("/positions", response_model=models.Position)
def find_position(body: models.PositionWanted) -> JSONResponse:
    """A position: the start of a game, a text in any notation, or a position with moves."""
    given = [name for name in ("game", "toml", "text", "position") if getattr(body, name) is not None]
    if len(given) != 1:
        raise Refusal("One of game, toml, text and position is wanted.")
    if body.game is not None:
        first = start(rules_named(body.game, body.options))
    elif body.toml is not None:
        first = start(pasted_rules(body.toml))
    elif body.text is not None:
        return reply(_last_of(body.text))
    else:
        first = read_position(body.position or "")
    return reply(line_view(*played(first, body.moves)))


def _last_of(text: str) -> dict[str, Any]:
    """The position that a text is, or that the game in it has come to."""
    if text.lstrip()[:1] in ("[", "{"):
        record = first_record(text)
        return line_view(tuple(record.positions()), record.moves)
    return view(read_position(text))


def first_record(text: str) -> Record:
    """The first game of a text that a visitor sent."""
    for record in read_records(_lines(text), limits=LIMITS):
        affordable(record.rules)
        return record
    raise InvalidRecord("there is no record in this text")


def _lines(text: str) -> list[str]:
    """The text as lines: a text by itself could be taken for the path of a file, which nobody here may open."""
    return text.splitlines(keepends=True)


@routes.post("/positions/play", response_model=models.Position)
def play(body: models.PositionPlay) -> JSONResponse:
    """The position after a move, which may be written in any way that people write moves."""
    return reply(line_view(*played(read_position(body.position), [body.move], typed=True)))


@routes.post("/positions/walk", response_model=models.Positions)
def walk(body: models.PositionWalk) -> JSONResponse:
    """Every position of a line, the first included."""
    positions, moves = played(read_position(body.position), body.moves)
    return reply({"positions": [line_view(positions[: n + 1], moves[:n]) for n in range(len(positions))]})


@routes.post("/positions/prune", response_model=models.PrunedTree)
def prune(body: models.PositionTree) -> JSONResponse:
    """A tree of variations without what is not legal and all that follows it, and why the first of that is not."""
    known = {-1: (-1, read_position(body.position))}
    tree: list[dict[str, Any]] = []
    problem: str | None = None
    for number, node in enumerate(body.tree):
        check_order(number, node)
        if node.parent not in known:
            continue
        parent, before = known[node.parent]
        try:
            known[number] = (len(tree), before.play(node.move))
        except (InvalidMove, IllegalMove) as error:
            problem = problem or str(error)
        else:
            tree.append(node.model_dump() | {"parent": parent})
    return reply({"tree": tree, "problem": problem})


@routes.post("/positions/forms", response_model=models.PositionForms)
def forms(body: models.PositionGiven) -> JSONResponse:
    """A position in the notations of others, those that have one for its game."""
    position = read_position(body.position)
    found: dict[str, str] = {}
    for form in foreign_forms():
        with contextlib.suppress(InvalidPosition):
            found[form] = write_foreign(position, form)
    return reply({"forms": found})


@routes.post("/positions/setup", response_model=models.Position)
def setup(body: models.PositionSetup) -> JSONResponse:
    """A position from its parts, as an editor has them."""
    rules = affordable(load_spec(body.rules))
    for name, given, count in (
        ("owners", body.owners, rules.board_count),
        ("tallies", body.tallies, rules.board_count),
        ("groups", body.groups, rules.size),
    ):
        if given is not None and len(given) != count:
            raise InvalidPosition(f"{name}: {len(given)} are given, but {count} are wanted")
    parts = (body.turn, body.send, body.owners, body.groups, body.tallies, body.bonus)
    return reply(view(set_up(rules, body.boards, *parts)))


# -- records


@routes.post("/records/import", response_model=models.Records)
def read(body: models.RecordText) -> JSONResponse:
    """The games of a text: records in any form that we read, or a position, which is a game without moves."""
    text = body.text.strip()
    if not text:
        raise InvalidRecord("the text is empty")
    if text[:1] not in ("[", "{"):
        return reply({"records": [record_view(Record(read_position(text)))]})
    found = []
    for record in read_records(_lines(text), limits=LIMITS):
        affordable(record.rules)
        found.append(record_view(record))
        if len(found) == MOST_RECORDS:
            break
    return reply({"records": found})


def record_view(record: Record) -> dict[str, Any]:
    names = " – ".join(record.tags[seat] for seat in ("X", "O") if record.tags.get(seat))
    return {
        "title": names or record.tags.get("Event") or title_of(record.rules),
        "rules": record.rules.spec,
        "start": record.start.text,
        "moves": [str(move) for move in record.moves],
        "result": record.result,
        "tags": dict(record.tags),
        "tree": tree_of(record),
    }


def tree_of(record: Record) -> list[dict[str, Any]]:
    """Every move with the number of the one before it; of several that follow one, the first is the main line."""
    tree: list[dict[str, Any]] = []

    def add(line: tuple[Ply, ...], parent: int) -> None:
        for ply in line:
            node: dict[str, Any] = {"move": str(ply.move), "parent": parent}
            if ply.comment:
                node["comment"] = ply.comment
            tree.append(node)
            own = len(tree) - 1
            for variation in ply.variations:
                add(variation, parent)
            parent = own

    add(record.plies, -1)
    return tree


@routes.post("/records/export", response_class=Response)
def write(body: models.RecordExport) -> Response:
    """A game, with variations, as a file."""
    if (body.moves is None) == (body.tree is None):
        raise Refusal("One of moves and tree is wanted.")
    first = read_position(body.start)
    if body.moves is not None:
        _, moves = played(first, body.moves)
        plies = tuple(Ply(move) for move in moves)
    else:
        plies = _line(first, body.tree or [])
    return exported(Record(first, plies, tags=body.tags), body.format, "metatac")


def check_order(number: int, node: models.TreeNode) -> None:
    if node.parent >= number:
        raise InvalidRecord(f"tree: move {number} comes before its parent {node.parent}")


def _line(first: Position, tree: list[models.TreeNode]) -> tuple[Ply, ...]:
    """The plies of a flat tree: children of one parent become the first one and its variations."""
    positions: list[Position] = []
    moves: list[Move] = []
    children: dict[int, list[int]] = {}
    for number, node in enumerate(tree):
        check_order(number, node)
        before = first if node.parent < 0 else positions[node.parent]
        moves.append(before.parse(node.move))
        positions.append(before.play(moves[-1]))
        children.setdefault(node.parent, []).append(number)

    def line(number: int, depth: int, others: list[int]) -> tuple[Ply, ...]:
        """The line that begins with a move, whose siblings are its variations."""
        if depth > 30:
            raise InvalidRecord("variations nest too deeply")
        plies = []
        while True:
            variations = tuple(line(other, depth + 1, []) for other in others)
            plies.append(Ply(moves[number], tree[number].comment or "", variations=variations))
            following = children.get(number)
            if not following:
                return tuple(plies)
            number, *others = following

    roots = children.get(-1)
    return line(roots[0], 0, roots[1:]) if roots else ()
