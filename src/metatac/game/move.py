"""A move and its text."""

from typing import ClassVar

from metatac.errors import InvalidMove
from metatac.rules import LETTERS, RuleSet


class Move(tuple[int, ...]):
    """Cell numbers, outermost level first; of a two-mark move the own mark's cell, then the other's.

    Moves compare and sort as their numbers do. ``Move.SWAP`` takes over the opponent's first move.
    """

    __slots__ = ()
    SWAP: ClassVar["Move"]

    def __str__(self) -> str:
        return "".join([LETTERS[number] for number in self]) or "swap"

    def __repr__(self) -> str:
        return f"Move({str(self)!r})"


Move.SWAP = Move()


def move_length(rules: RuleSet) -> int:
    """Numbers, and letters, of a move."""
    return rules.depth + rules.marks - 1


def board_number(rules: RuleSet, path: tuple[int, ...]) -> int:
    """The number, among all small boards, of the first one at or below a path."""
    number = 0
    for step in path:
        number = number * rules.size + step
    return int(number * rules.size ** (rules.depth - 1 - len(path)))


def board_path(rules: RuleSet, number: int) -> tuple[int, ...]:
    """The path of a small board, outermost first."""
    if rules.depth == 2:
        return (number,)
    return () if rules.depth == 1 else divmod(number, rules.size)


def address(rules: RuleSet, move: Move) -> tuple[int, ...]:
    """The path of the board that a move names as the next to play in."""
    depth, path = rules.depth, []
    for word in rules.send:
        if word == "any":
            break
        path.append(move[depth - 2] if word == "board" else move[-1] if word == "other" else move[depth - 1])
    return tuple(path)


def parse_move(rules: RuleSet, text: str) -> Move:
    """The move that a text names, whether or not it may be made now."""
    if not isinstance(text, str):
        raise InvalidMove(f"{text!r} is no move's text")
    word = text.strip()
    if word == "swap" and rules.swap:
        return Move.SWAP
    letters, length = LETTERS[: rules.size], move_length(rules)
    if len(word) != length or any(letter not in letters for letter in word):
        shown = repr(word) if len(word) <= 40 else repr(word[:40]) + "…"
        wanted = f"{length} letter{'s' if length > 1 else ''} of {letters[0]}-{letters[min(25, len(letters) - 1)]}"
        wanted += f" and {letters[26]}-{letters[-1]}" if len(letters) > 27 else " and A" if len(letters) == 27 else ""
        raise InvalidMove(f"{shown} is no move of {rules.name}: {wanted}{' or swap' if rules.swap else ''} wanted")
    return Move(map(LETTERS.index, word))


def check_move(rules: RuleSet, numbers: tuple[int, ...]) -> Move:
    """The move of these numbers, whether or not it may be made now."""
    if not isinstance(numbers, tuple):
        raise InvalidMove(f"{numbers!r} is no move: its text or a tuple of numbers is wanted")
    if numbers == () and rules.swap:
        return Move.SWAP
    good = len(numbers) == move_length(rules)
    if not good or any(type(n) is not int or not 0 <= n < rules.size for n in numbers):
        shown = repr(tuple(numbers[:8])) + ("…" if len(numbers) > 8 else "")
        raise InvalidMove(
            f"{shown} is no move of {rules.name}: {move_length(rules)} numbers from 0 to {rules.size - 1} wanted"
        )
    return numbers if isinstance(numbers, Move) else Move(numbers)
