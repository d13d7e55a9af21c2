"""A position in sentences, for whoever listens to it instead of looking at it."""

from metatac.game import Move, Position, explain_send
from metatac.game.legality import board_state, path_name
from metatac.game.move import board_path
from metatac.rules import LETTERS


def position_words(position: Position, last: Move | None = None) -> str:
    """What stands where: a line for each board that has something to tell, then who plays where, and why."""
    rules = position.rules
    lines = [] if not last else [f"The last move was {last}."]
    for number in range(rules.board_count):
        path = board_path(rules, number)
        said = _board(position, number)
        if said:
            lines.append(f"Board {path_name(path)}: {said}." if path else f"{said}.")
    if rules.depth == 3:
        for number, owner in enumerate(position.owners[0]):
            if owner != ".":
                lines.append(f"Board {LETTERS[number]} as a whole is {owner}'s.")
    if not any(mark in "XO" for mark in position.cells):
        lines.append("No marks stand on the board.")
    return "\n".join([*lines, str(explain_send(position, last)["text"])])


def _board(position: Position, number: int) -> str:
    cells = position.board(number)
    parts = []
    state = board_state(position, number)
    if state != "open":
        parts.append(state)
    if position.tallies and any(position.tallies[number]):
        x, o = position.tallies[number]
        parts.append(f"tallies X {x}, O {o}")
    for mark, name in (("X", "X at"), ("O", "O at"), ("#", "banned")):
        places = [LETTERS[cell] for cell, what in enumerate(cells) if what == mark]
        if places:
            parts.append(f"{name} {' '.join(places)}")
    return ", ".join(parts)
