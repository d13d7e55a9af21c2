"""What people type, turned into moves.

Three ways, wherever a person types; blanks, commas and semicolons may stand between letters and numbers:

- the letters of the move: ``ae``. Where a board has at most 26 cells, capitals do as well;
- ``row col`` on the whole board, counted from 1 at the top left: two numbers. A move of two marks takes two
  such pairs, the own mark's and then the opponent's, which must lie on the same small board. A second mark
  that is only an address (it names a board and is not placed) is still typed as a cell of that small board;
- ``X Y`` for each letter of the move, outermost first, counted from 1, **X being the column**:
  ``board_X board_Y X Y`` with two levels, six numbers with three, eight for a two-mark move of three levels.

How many numbers there are tells which way is meant. Only a single board, where both ways take two numbers, is
ambiguous: two numbers are always ``row col``.
"""

import re

from metatac.errors import InvalidMove
from metatac.game import Move, Position, check_move, move_length
from metatac.players.grid import path_at, place
from metatac.rules import LETTERS, RuleSet

LONGEST = 200
"""No move takes more characters than this."""

_SEPARATORS = re.compile(r"[\s,;]+")
_NUMBERS = re.compile(r"[0-9]+(?:[\s,;]+[0-9]+)*", re.ASCII)


def typed_move(position: Position, text: str) -> Move:
    """The legal move that a person means.

    InvalidMove, which lists the forms, where the text is no move; IllegalMove where it cannot be made now.
    """
    word = text.strip()
    if len(word) > LONGEST:
        raise InvalidMove(f"{word[:40]!r}… is too long for a move. {forms_text(position.rules)}")
    if _NUMBERS.fullmatch(word):
        numbers = [int(number[:9]) for number in _SEPARATORS.split(word)]
        move = _from_numbers(position.rules, word, numbers)
    else:
        move = _from_letters(position.rules, word)
    return position.parse(str(move))


def accepted_forms(rules: RuleSet) -> tuple[str, ...]:
    """Each way to type a move of this game, with an example."""
    count, middle = move_length(rules), rules.center
    example = Move((*(middle,) * (rules.depth - 1), 1, rules.side)[:count])
    forms = [f"letters, outermost first: {example}"]
    marks = [example[: rules.depth], (*example[: rules.depth - 1], example[-1])][: rules.marks]
    pairs = " ".join(f"{row + 1} {column + 1}" for row, column in (place(rules.side, path) for path in marks))
    whose = "" if rules.marks == 1 else " of the own mark, then of the opponent's"
    forms.append(f"row col on the whole board, from 1{whose}: {pairs}")
    if count > 1:
        names = ["board"] if rules.depth == 2 else ["big board", "board"]
        names += ["cell"] if rules.marks == 1 else ["own mark", "opponent's mark"]
        xy = " ".join(f"{cell % rules.side + 1} {cell // rules.side + 1}" for cell in example)
        forms.append(f"X Y (column, row) of {', '.join(names)}, from 1: {xy}")
    if rules.swap:
        forms.append("swap")
    return tuple(forms)


def forms_text(rules: RuleSet) -> str:
    """The accepted forms as one sentence."""
    return f"A move is typed as {'; or as '.join(accepted_forms(rules))}."


def _from_letters(rules: RuleSet, word: str) -> Move:
    if rules.swap and word.lower() == "swap":
        return Move.SWAP
    letters = "".join(_SEPARATORS.split(word))
    if rules.size <= 26:
        letters = letters.lower()
    known = LETTERS[: rules.size]
    if len(letters) != move_length(rules) or any(letter not in known for letter in letters):
        what = f"{rules.name} has no swap" if word.lower() == "swap" else f"{word!r} is no move of {rules.name}"
        raise InvalidMove(f"{what}. {forms_text(rules)}")
    return Move(known.index(letter) for letter in letters)


def _from_numbers(rules: RuleSet, word: str, numbers: list[int]) -> Move:
    if len(numbers) == 2 * rules.marks:
        paths = [_path(rules, word, row, column) for row, column in zip(numbers[::2], numbers[1::2], strict=True)]
        if any(path[:-1] != paths[0][:-1] for path in paths):
            raise InvalidMove(f"{word!r}: both marks go on one small board. {forms_text(rules)}")
        return check_move(rules, (*paths[0], *(path[-1] for path in paths[1:])))
    if len(numbers) == 2 * move_length(rules):
        _check_range(rules, word, numbers, rules.side)
        pairs = zip(numbers[::2], numbers[1::2], strict=True)
        return check_move(rules, tuple((y - 1) * rules.side + x - 1 for x, y in pairs))
    raise InvalidMove(f"{word!r}: {len(numbers)} numbers are no move of {rules.name}. {forms_text(rules)}")


def _path(rules: RuleSet, word: str, row: int, column: int) -> tuple[int, ...]:
    """The cell numbers, outermost first, of a place on the whole board counted from 1."""
    _check_range(rules, word, [row, column], rules.side**rules.depth)
    return path_at(rules.side, rules.depth, row - 1, column - 1)


def _check_range(rules: RuleSet, word: str, numbers: list[int], most: int) -> None:
    for number in numbers:
        if not 1 <= number <= most:
            raise InvalidMove(f"{word!r}: {number} is not from 1 to {most}. {forms_text(rules)}")
