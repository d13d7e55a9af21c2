"""Whom one can play against, and the modes that older programs for these games had."""

from collections.abc import Sequence

from metatac.errors import UnknownPlayer
from metatac.players import PlayerSpec
from metatac.rules import RuleSet
from metatac.table.seats import PERSON, Seats

OPPONENT = "engine:3"
"""Whom a newcomer plays against."""
DEPTH = 6
"""Moves that the calculator looks ahead unless another number is given."""

_NUMBERED = {"1": "rr", "2": "pr", "3": "pp", "4": "bp", "5": "br", "6": "bb"}
"""For each number who plays X and O: ``p`` a person, ``r`` random, ``b`` a bot."""

MODES = (*_NUMBERED, "pvp", "cvc", "pvc", "cvp", "tvc", "tvp")
"""``p`` is a person, ``c`` the computer, ``t`` the tiger."""


def opponents(rules: RuleSet) -> list[tuple[str, str]]:
    """Whom to suggest for a game: the text of each, and a few words."""
    found = [
        ("engine:3", "a computer for beginners"),
        ("engine:6", "one that plays well"),
        ("engine:9", "a strong one"),
        ("engine", "the computer at its best"),
        (PERSON, "a friend at this keyboard"),
        ("random", "any move, each as likely"),
    ]
    if rules.count == "lines":
        found[4:4] = [(f"minimax:{DEPTH}", f"the calculator, {DEPTH} moves ahead")]
        if rules.sent_to_decided == "end":
            found[5:5] = [("tiger", "the old strategy of this game")]
    return found


def computer_of(rules: RuleSet, depth: int | None) -> str:
    """The computer of a game: the calculator where lines are counted or a depth is wanted, else the engine."""
    if depth is not None or rules.count == "lines":
        return f"minimax:{DEPTH if depth is None else depth}"
    return OPPONENT


def mode_seats(
    rules: RuleSet, mode: str, bots: Sequence[str] = (), *, depth: int | None = None, seed: int = 0
) -> Seats:
    """Who plays in a mode; ``bots`` are the paths of its bots, in the order of their seats."""
    letters = _NUMBERED.get(mode) or mode.replace("v", "", 1)
    if mode not in MODES:
        raise UnknownPlayer(f"{mode!r} is no mode; {', '.join(MODES)} are")
    wanted = letters.count("b")
    if wanted != len(bots):
        files = "none" if not wanted else "one bot" if wanted == 1 else "two bots, --bot twice"
        raise UnknownPlayer(f"mode {mode} takes {files}, not {len(bots)}")
    paths = iter(bots)
    texts = {"p": PERSON, "r": "random", "t": "tiger", "c": computer_of(rules, depth)}
    x, o = (str(PlayerSpec("bot", next(paths))) if letter == "b" else texts[letter] for letter in letters)
    return Seats(x, o, seed)


def with_depth(seats: Seats, depth: int | None) -> Seats:
    """The same seats with the calculator looking so far ahead; UnknownPlayer where it does not play."""
    if depth is None:
        return seats
    texts = [_deeper(text, depth) for text in (seats.x, seats.o)]
    if texts == [seats.x, seats.o] and not any(PlayerSpec.parse(text).name == "minimax" for text in texts):
        raise UnknownPlayer(f"--depth {depth}: neither {seats.x} nor {seats.o} is minimax, which looks moves ahead")
    return Seats(texts[0], texts[1], seats.seed)


def _deeper(text: str, depth: int) -> str:
    spec = PlayerSpec.parse(text)
    stated = spec.main is not None or "depth" in dict(spec.options)
    if spec.name != "minimax" or stated:
        return text
    return str(PlayerSpec("minimax", str(depth), spec.options))
