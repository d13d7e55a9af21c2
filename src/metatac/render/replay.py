"""Games that a page replays: what every move changes on the board, for `replay.js`, which knows no rules.

The page draws the start with ``board_svg`` and lets the script put marks into it. What a move changes is one short
text: who is to move then (``.`` when it is over), the boards that may be played in as a hexadecimal number (bit n is
board n), and what is different, each after a comma: ``40X`` a cell, ``w4X`` the owner of board 4, ``g4X`` of a group of
boards (``g0X``, where there are none: of the whole game), ``s4`` a board that takes no more marks, ``t4:1:0`` what is
counted for X and O in it, ``l3:5`` the cells of the move where these are not just the new marks (a board may be cleared
by the move that completes it).
"""

from collections.abc import Sequence
from importlib import resources
from itertools import pairwise
from typing import TypeVar

from metatac.game import Move, Position
from metatac.game.move import board_number
from metatac.notation import Record

T = TypeVar("T")


def replay_script() -> str:
    """The script, which a page must hold once: ``new Replay(svg, side, depth).show(steps, ply)``."""
    return (resources.files("metatac.render") / "replay.js").read_text("utf-8")


def replay_steps(record: Record) -> list[str]:
    """How the board changes: first what the start has that an empty board has not, then one text for every move."""
    positions = list(record.positions())
    blank = _State("." * record.rules.cells, record.rules.board_count, record.rules.size)
    states = [blank, *map(_State.of, positions)]
    moves = [None, *record.moves]
    return [_step(*two, at, move) for two, at, move in zip(pairwise(states), positions, moves, strict=True)]


class _State:
    """What is drawn of a position, as lists that can be compared item by item."""

    __slots__ = ("cells", "groups", "open", "owners", "tallies")

    def __init__(self, cells: str, boards: int, groups: int) -> None:
        self.cells, self.owners, self.groups = cells, "." * boards, "." * groups
        self.open, self.tallies = [True] * boards, [(0, 0)] * boards

    @classmethod
    def of(cls, position: Position) -> "_State":
        rules = position.rules
        state = cls(position.cells, rules.board_count, rules.size)
        winner = (position.outcome and position.outcome.winner) or "."
        state.owners = position.owners[-1] if rules.depth > 1 else winner
        if rules.depth > 1:
            state.groups = position.owners[0] if rules.depth == 3 else winner.ljust(rules.size, ".")
        state.open = [position.is_open(number) for number in range(rules.board_count)]
        state.tallies = list(position.tallies) or state.tallies
        return state


def _step(before: _State, after: _State, position: Position, move: Move | None) -> str:
    over = position.outcome is not None
    lit = 0 if over else sum(1 << number for number in position.open_boards(position.send))
    parts = [f"{'.' if over else position.turn}{lit:x}"]
    cells = _changed(before.cells, after.cells)
    parts += [f"{number}{mark}" for number, mark in cells]
    parts += [f"w{number}{owner}" for number, owner in _changed(before.owners, after.owners)]
    parts += [f"g{number}{owner}" for number, owner in _changed(before.groups, after.groups)]
    parts += [f"s{number}" for number, is_open in _changed(before.open, after.open) if not is_open]
    parts += [f"t{number}:{x}:{o}" for number, (x, o) in _changed(before.tallies, after.tallies)]
    if move is not None:
        made = _cells_of(position, move)
        if made != [number for number, mark in cells if mark in "XO"]:
            parts.append(f"l{':'.join(map(str, made))}")
    return ",".join(parts)


def _cells_of(position: Position, move: Move) -> list[int]:
    """The numbers of the cells that a move is made in; a swap is made in none."""
    rules = position.rules
    inner = rules.depth - 1
    first = board_number(rules, move[:inner]) * rules.size if move else 0
    return sorted({first + cell for cell in move[inner:]})


def _changed(before: Sequence[T], after: Sequence[T]) -> list[tuple[int, T]]:
    return [(number, new) for number, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]
