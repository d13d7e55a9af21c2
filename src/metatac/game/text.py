"""A position as one line of text.

``RULES TURN SEND BOARDS``: the rules' spec; ``X`` or ``O``, with ``+`` while a bonus move is due; the letters of the
board that must be played in, or ``-``; and the small boards in order, ``/`` between them (``|`` between the 9 x 9
boards of three levels). In a board, marks and ``#`` (banned) stand for themselves and a number for so many blanks.
After a board, ``:`` and its tallies (X's, O's) where there are any, and its owner; after a 9 x 9 board ``::`` and its
owner.
"""

import re
from functools import lru_cache

from metatac.errors import InvalidPosition, RulesError
from metatac.game.position import Position, start
from metatac.game.tables import has_line
from metatac.rules import LETTERS, RuleSet, load_spec

MAX_LENGTH = 100_000
_BLANKS = re.compile(r"\.+")
_BOARD = re.compile(r"((?:[XO#]|[0-9]{1,2}(?![0-9]))+)(?::([0-9]{2})?([XO])?)?")


def print_position(position: Position) -> str:
    """The canonical text of a position."""
    rules = position.rules
    turn = position.turn + ("+" if position.bonus else "")
    send = "".join(LETTERS[number] for number in position.send) or "-"
    boards = [_print_board(position, number) for number in range(rules.board_count)]
    if rules.depth == 3:
        groups = [
            "/".join(boards[i * rules.size : (i + 1) * rules.size]) + ("" if owner == "." else f"::{owner}")
            for i, owner in enumerate(position.owners[0])
        ]
        body = "|".join(groups)
    else:
        body = "/".join(boards)
    return f"{rules.spec} {turn} {send} {body}"


@lru_cache(maxsize=4096)
def _squeezed(cells: str) -> str:
    return _BLANKS.sub(lambda run: str(len(run[0])), cells)


def _print_board(position: Position, number: int) -> str:
    cells = _squeezed(position.board(number))
    owner = position.owners[-1][number].replace(".", "") if position.owners else ""
    tallies = position.tallies[number] if position.tallies else (0, 0)
    tally = f"{tallies[0]}{tallies[1]}" if any(tallies) else ""
    return f"{cells}:{tally}{owner}" if tally or owner else cells


def position(text: str, rules: RuleSet | None = None) -> Position:
    """The position of a text, which is checked; the rules are those it names, unless given."""
    if not isinstance(text, str) or len(text) > MAX_LENGTH:
        raise InvalidPosition(f"a text of at most {MAX_LENGTH} characters is wanted")
    fields = text.split()
    if len(fields) != 4:
        raise InvalidPosition(f"{_short(text)}: four fields are wanted (rules, turn, send, boards), not {len(fields)}")
    if rules is None:
        try:
            rules = load_spec(fields[0])
        except RulesError as error:
            raise InvalidPosition(f"{_short(text)}: {error}") from None
    try:
        found = _parse(rules, *fields[1:])
        _check(found)
    except ValueError as error:
        raise InvalidPosition(f"{_short(text)}: {error}") from None
    return found


def _short(text: str) -> str:
    return repr(text) if len(text) <= 200 else repr(text[:200]) + "…"


def _parse(rules: RuleSet, turn: str, send: str, body: str) -> Position:
    if turn not in ("X", "O", "X+", "O+"):
        raise ValueError(f"turn {turn[:20]!r} is none of X, O, X+, O+")
    letters = LETTERS[: rules.size]
    if send != "-" and (len(send) >= rules.depth or any(letter not in letters for letter in send)):
        raise ValueError(f"send {send[:20]!r} names no board")
    groups = body.split("|") if rules.depth == 3 else [body]
    if rules.depth == 3 and len(groups) != rules.size:
        raise ValueError(f"{len(groups)} groups of boards, but {rules.size} are wanted")
    cells, owners, tallies, middle = [], [], [], []
    for group in groups:
        boards = group.split("/")
        if rules.depth == 3:
            boards[-1], owner = _split_group_owner(boards[-1])
            middle.append(owner)
        wanted = rules.size if rules.depth > 1 else 1
        if len(boards) != wanted:
            raise ValueError(f"{len(boards)} boards, but {wanted} are wanted")
        for board in boards:
            marks, tally, owner = _parse_board(rules, board)
            cells.append(marks)
            tallies.append(tally)
            owners.append(owner)
    levels: tuple[str, ...] = ("".join(middle), "".join(owners)) if rules.depth == 3 else ("".join(owners),)
    if rules.depth == 1:
        levels = ()
    return Position(
        rules,
        "".join(cells),
        levels,
        tuple(tallies) if rules.tallies else (),
        () if send == "-" else tuple(LETTERS.index(letter) for letter in send),
        turn[0],
        turn.endswith("+"),
    )


def _split_group_owner(board: str) -> tuple[str, str]:
    """The last small board of a 9 x 9 board and that board's owner: ``9::X``, ``9:21::X``."""
    head, mark, owner = board.rpartition("::")
    if not mark:
        return board, "."
    if owner not in ("X", "O"):
        raise ValueError(f"owner {owner[:20]!r} is neither X nor O")
    return head, owner


def _parse_board(rules: RuleSet, text: str) -> tuple[str, tuple[int, int], str]:
    match = _BOARD.fullmatch(text)
    if match is None or text.endswith(":"):
        raise ValueError(f"board {text[:60]!r} is not of the form 3XO4:X")
    cells = re.sub(r"\d+", lambda run: "." * int(run[0]), match[1])
    if len(cells) != rules.size:
        raise ValueError(f"board {text[:60]!r} has {len(cells)} cells, not {rules.size}")
    if match[2] and not rules.tallies:
        raise ValueError(f"board {text[:60]!r}: this game has no tallies")
    if match[3] and rules.depth == 1:
        raise ValueError(f"board {text[:60]!r}: the board of the game has no owner")
    tally = (int(match[2][0]), int(match[2][1])) if match[2] else (0, 0)
    return cells, tally, match[3] or "."


# -- what a position must be to be one


def _check(position: Position) -> None:
    """Raise ValueError where the parts of a position contradict each other."""
    rules = position.rules
    for number in range(rules.board_count):
        name = f"board {LETTERS[number]}" if rules.depth == 2 else f"board {number}"
        _check_board(position, number, name)
    if rules.depth == 3:
        for number in range(rules.size):
            children = position.owners[1][number * rules.size : (number + 1) * rules.size]
            _check_owner(rules, 1, children, position.owners[0][number], f"9 x 9 board {LETTERS[number]}")
    _check_bans(position)
    _check_counts(position)
    _check_send(position)


def _check_board(position: Position, number: int, name: str) -> None:
    rules, cells = position.rules, position.board(number)
    owner = position.owners[-1][number] if rules.depth > 1 else "."
    if rules.tallies:
        x, o = position.tallies[number]
        reached = [who for who, tally in (("X", x), ("O", o)) if tally >= rules.tallies]
        if max(x, o) > rules.tallies or (owner not in reached if reached else owner != "."):
            raise ValueError(f"{name}: tallies {x} and {o} contradict its owner {owner!r}")
        if owner != "." and cells.strip("."):
            raise ValueError(f"{name} is won by {owner} but not cleared")
        lines = [who for who in "XO" if has_line(cells, rules.patterns[-1], who)]
        if lines or "." not in cells:
            raise ValueError(f"{name} has a line or is full, but was not cleared")
    elif rules.win_board == "never":
        if owner != ".":
            raise ValueError(f"{name}: boards are never won in this game")
    elif rules.depth > 1:
        _check_owner(rules, rules.depth - 1, cells, owner, name)


def _check_owner(rules: RuleSet, level: int, cells: str, owner: str, name: str) -> None:
    lines = [who for who in "XO" if has_line(cells, rules.patterns[level], who)]
    if not lines and owner == ".":
        return
    if owner == ".":
        raise ValueError(f"{name} has a line of {lines[0]}, but no owner")
    if owner not in lines:
        raise ValueError(f"{name} is owned by {owner}, who has no line in it")
    if len(lines) > 1 and rules.close_board == "won" and rules.marks == 1:
        raise ValueError(f"{name} has lines of both players")


def _check_bans(position: Position) -> None:
    rules = position.rules
    if not rules.ban:
        if "#" in position.cells:
            raise ValueError("this game has no banned squares")
        return
    for index, (mark, wanted) in enumerate(zip(position.cells, _with_bans(position), strict=True)):
        if mark != wanted:
            board, cell = (LETTERS[number] for number in divmod(index, rules.size))
            full = f"for board {cell} is full" if wanted == "#" else f"but board {cell} is not full without such bans"
            raise ValueError(f"square {cell} of board {board} {'should be' if wanted == '#' else 'is'} banned, {full}")


def _with_bans(position: Position) -> str:
    """The cells of a position with the bans that follow from marks and owners alone."""
    size, cells = position.rules.size, position.cells.replace("#", ".")
    while True:
        closed = [not position.is_open(number, cells) for number in range(size)]
        banned = "".join(
            "#" if mark == "." and closed[index % size] and index % size != index // size else mark
            for index, mark in enumerate(cells)
        )
        if banned == cells:
            return cells
        cells = banned


def _check_counts(position: Position) -> None:
    rules = position.rules
    if rules.bonus or rules.tallies or rules.marks == 2:
        return
    lead = position.cells.count("X") - position.cells.count("O")
    allowed = {0 if position.turn == "X" else 1}
    if rules.swap:
        allowed.add(-1 if position.turn == "X" else 0)
    if lead not in allowed:
        more, fewer = ("X", "O") if lead > 0 else ("O", "X")
        marks = "1 mark" if abs(lead) == 1 else f"{abs(lead)} marks"
        found = f"{more} has {marks} more than {fewer}" if lead else "X has as many marks as O"
        raise ValueError(f"{found}, which cannot be with {position.turn} to move")


def _check_send(position: Position) -> None:
    rules, send = position.rules, position.send
    if position.bonus and not rules.bonus:
        raise ValueError("this game has no bonus moves")
    levels = sum(word != "any" for word in rules.send)
    if position == start(rules):
        return
    ended = position.replaced(send=()).outcome is not None
    if send:
        if len(send) != levels and not (rules.sent_to_decided == "up" and len(send) < levels):
            raise ValueError("this game never sends to such a board")
        if ended:
            raise ValueError("the game is over, so nobody is sent anywhere")
        if not position.is_open_path(send) and rules.sent_to_decided != "end":
            raise ValueError("the board sent to is decided, so the move is free")
    elif rules.sent_to_decided == "end" and not ended:
        raise ValueError("there is no free move in this game but the first")
    if position.bonus and ended:
        raise ValueError("the game is over, so no bonus move is due")
