"""Positions of `ultimate` in the notations that other programs use.

``ultimattt``  nelhage/ultimattt: ``O;@........;X......../........./...``
``utttai``     uttt.ai: 93 values, as digits: 81 cells, 9 boards, who moves, where, result
``groups``     ``X8/9/9/9/9/9/9/9/9 o 0``: a group for each small board, who moves, where

Each stores some things twice or not at all; what contradicts itself is refused. Their programs keep
naming a board to play in when the game is over; ours does not, so there it is dropped.
"""

import re
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import NamedTuple

from metatac.errors import InvalidPosition
from metatac.game import Position, position
from metatac.game.tables import holds
from metatac.rules import LETTERS, load_rules

_NINE = range(9)


class _Claim(NamedTuple):
    """What a foreign notation says, before anyone has checked it."""

    boards: list[str]  #: nine cells each, of ``.XO``
    turn: str
    send: int | None
    owners: str | None = None  #: ``X``, ``O``, ``#`` drawn, ``.`` open, ``@`` open and to be played in


def foreign_forms() -> tuple[str, ...]:
    """The names of the notations that are known."""
    return tuple(_FORMS)


def form_of(text: str) -> str | None:
    """The notation that a text looks like, whatever is wrong with it; None where it looks like none."""
    if ";" in text:
        return "ultimattt"
    if "/" in text:
        return "groups"
    return "utttai" if re.fullmatch("[0-9]+", text.strip()) else None


def read_foreign(source: str | bytes | Sequence[int], form: str | None = None) -> Position:
    """The position of a foreign notation; which one is told by its looks unless `form` names it.

    Only ``utttai`` may also be given as bytes or as a sequence of 93 numbers.
    """
    text = source if isinstance(source, str) else _digits(source)
    text = text.strip()
    if len(text) > 200:
        raise InvalidPosition(f"{text[:60]!r}... is longer than any position in a known notation")
    form = form or form_of(text)
    if form is None:
        raise InvalidPosition(f"{text!r} is in no notation known here: {', '.join(_FORMS)}")
    read, _ = _form(form)
    try:
        return _checked(read(text))
    except InvalidPosition as error:
        raise InvalidPosition(f"{form} position {text!r}: {error}") from error


def write_foreign(position: Position, form: str) -> str:
    """A position of `ultimate` in a foreign notation."""
    _, write = _form(form)
    if position.rules != load_rules("ultimate"):
        raise InvalidPosition(f"{form} knows only 'ultimate', not {position.rules.spec}: {position.text}")
    return write(position)


def _form(name: str) -> tuple[Callable[[str], _Claim], Callable[[Position], str]]:
    if name not in _FORMS:
        raise InvalidPosition(f"{name!r} is no notation known here: {', '.join(_FORMS)}")
    return _FORMS[name]


# -- what all of them share


def _owner(cells: str) -> str:
    """Who owns a small board with these cells; ``#`` if it is drawn, ``.`` if it is open."""
    lines = load_rules("ultimate").patterns[-1]
    winners = [who for who in "XO" if any(holds(cells, line, who) for line in lines)]
    if len(winners) > 1:
        raise InvalidPosition(f"{cells} has lines of both players")
    return winners[0] if winners else "." if "." in cells else "#"


def _states(position: Position) -> str:
    return "".join(_owner(position.board(number)) for number in _NINE)


def _checked(claim: _Claim) -> Position:
    owners = [_owner(cells) for cells in claim.boards]
    if claim.owners is not None:
        for number, (said, true) in enumerate(zip(claim.owners, owners, strict=True)):
            if said.replace("@", ".") != true:
                name, cells = LETTERS[number], claim.boards[number]
                raise InvalidPosition(f"board {name} is said to be {_WORDS[said]}, but {cells} is {_WORDS[true]}")
    body = "/".join(
        _squeeze(cells) + (f":{owner}" if owner in "XO" else "")
        for cells, owner in zip(claim.boards, owners, strict=True)
    )
    rules = load_rules("ultimate")
    free = position(f"ultimate {claim.turn} - {body}", rules)
    if claim.send is None or free.outcome is not None:
        return free
    return position(f"ultimate {claim.turn} {LETTERS[claim.send]} {body}", rules)


_WORDS = {"X": "won by X", "O": "won by O", "#": "drawn", ".": "open", "@": "open"}


def _squeeze(cells: str) -> str:
    """Cells with a number for every run of blanks."""
    return "".join(
        str(len(marks)) if mark == "." else marks for mark, run in groupby(cells) for marks in ["".join(run)]
    )


def _shape(pattern: re.Pattern[str], text: str, wanted: str) -> re.Match[str]:
    match = pattern.fullmatch(text)
    if match is None:
        raise InvalidPosition(f"not of the form {wanted}")
    return match


# -- nelhage/ultimattt

_ULTIMATTT = re.compile(r"([XO]);([XO#.@]{9});([XO.]{9}(?:/[XO.]{9}){8})")


def _read_ultimattt(text: str) -> _Claim:
    match = _shape(_ULTIMATTT, text, "X;.........;........./(nine boards of nine cells .XO)")
    turn, owners, boards = match.groups()
    if owners.count("@") > 1:
        raise InvalidPosition("more than one board is marked @ as the one to play in")
    return _Claim(boards.split("/"), turn, owners.index("@") if "@" in owners else None, owners)


def _write_ultimattt(position: Position) -> str:
    states = list(_states(position))
    for number in position.send:
        states[number] = "@"
    boards = "/".join(position.board(number) for number in _NINE)
    return f"{position.turn};{''.join(states)};{boards}"


# -- uttt.ai

_UTTTAI = re.compile(r"([0-2]{81})([0-3]{9})([12])([0-9])([0-3])", re.ASCII)
_MARKS = ".XO#"  #: the meaning of 0, 1, 2, 3


def _digits(values: Sequence[int]) -> str:
    """93 values as digits."""
    if not isinstance(values, Sequence | bytes | bytearray) or len(values) != 93:
        raise InvalidPosition("93 values are wanted")
    for value in values:
        if type(value) is not int or not 0 <= value <= 9:
            raise InvalidPosition(f"value {value!r} is no whole number from 0 to 9")
    return "".join(map(str, values))


def _read_utttai(text: str) -> _Claim:
    match = _shape(_UTTTAI, text, "81 digits 0-2, 9 digits 0-3, 1 or 2, 0-9, 0-3")
    cells, owners, turn, result = (_translate(match[part]) for part in (1, 2, 3, 5))
    boards = [cells[9 * number : 9 * number + 9] for number in _NINE]
    constraint = int(match[4])
    claim = _Claim(boards, turn, None if constraint == 9 else constraint, owners)
    outcome = _checked(claim).outcome
    true = "." if outcome is None else outcome.winner or "#"
    if result != true:
        raise InvalidPosition(f"the result is said to be {match[5]}, but it is {_MARKS.index(true)}")
    return claim


def _translate(digits: str) -> str:
    return digits.translate(str.maketrans("0123", _MARKS))


def _write_utttai(position: Position) -> str:
    outcome = position.outcome
    result = "." if outcome is None else outcome.winner or "#"
    send = str(position.send[0]) if position.send else "9"
    marks = position.cells + _states(position) + position.turn
    digits = (marks + result).translate(str.maketrans(_MARKS, "0123"))
    return digits[:-1] + send + digits[-1]


# -- one group for each small board

_GROUPS = re.compile(r"((?:[xo1-9]{1,9}/){8}[xo1-9]{1,9}) ([xo]) (-|[0-8])", re.ASCII)


def _read_groups(text: str) -> _Claim:
    match = _shape(_GROUPS, text, "9/9/9/9/9/9/9/9/9 x - (small letters; nine boards, not nine rows)")
    boards = []
    for number, group in enumerate(match[1].split("/")):
        cells = re.sub("[1-9]", lambda run: "." * int(run[0]), group).upper()
        if len(cells) != 9:
            raise InvalidPosition(f"board {LETTERS[number]}, {group!r}, has {len(cells)} cells, not 9")
        boards.append(cells)
    return _Claim(boards, match[2].upper(), None if match[3] == "-" else int(match[3]))


def _write_groups(position: Position) -> str:
    boards = "/".join(_squeeze(position.board(number)).lower() for number in _NINE)
    return f"{boards} {position.turn.lower()} {position.send[0] if position.send else '-'}"


_FORMS: dict[str, tuple[Callable[[str], _Claim], Callable[[Position], str]]] = {
    "ultimattt": (_read_ultimattt, _write_ultimattt),
    "utttai": (_read_utttai, _write_utttai),
    "groups": (_read_groups, _write_groups),
}
