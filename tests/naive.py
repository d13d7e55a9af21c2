"""The games once more, written down naively from their rules and sharing nothing with the package.

Slow and plain on purpose: dictionaries keyed by (row, column), a deep copy for each move, everything worked out anew
each time. A third opinion beside ``game`` and ``kernel``; the tests count and play with all three.

Each game is four functions, found by name in ``GAMES``: ``begin()`` returns a game; ``moves(game)`` its legal moves as
tuples of numbers; ``play(game, move)`` the next game; ``result(game)`` None or (winner, points of X, points of O).
``game["turn"]`` is the player to move.
"""

from copy import deepcopy
from types import SimpleNamespace
from typing import Any

Game = dict[str, Any]


def spots(side: int) -> list[tuple[int, int]]:
    return [(row, column) for row in range(side) for column in range(side)]


def straight(side: int) -> list[list[tuple[int, int]]]:
    lines = [[(row, column) for column in range(side)] for row in range(side)]
    return lines + [[(row, column) for row in range(side)] for column in range(side)]


def slanted(side: int) -> list[list[tuple[int, int]]]:
    return [[(i, i) for i in range(side)], [(i, side - 1 - i) for i in range(side)]]


DIAMONDS = [
    [(0, 1), (1, 0), (1, 2), (2, 1)],
    [(0, 2), (1, 1), (1, 3), (2, 2)],
    [(1, 1), (2, 0), (2, 2), (3, 1)],
    [(1, 2), (2, 1), (2, 3), (3, 2)],
]


def has(board: dict[tuple[int, int], str], lines: list[list[tuple[int, int]]], player: str) -> bool:
    for line in lines:
        if [board[spot] for spot in line] == [player] * len(line):
            return True
    return False


def enemy(player: str) -> str:
    return {"X": "O", "O": "X"}[player]


# -- tic-tac-toe: a list of nine characters


def begin_tic_tac_toe() -> Game:
    return {"turn": "X", "cells": list(".........")}


def moves_tic_tac_toe(game: Game) -> list[tuple[int, ...]]:
    if result_tic_tac_toe(game) is not None:
        return []
    return [(i,) for i in range(9) if game["cells"][i] == "."]


def play_tic_tac_toe(game: Game, move: tuple[int, ...]) -> Game:
    cells = list(game["cells"])
    cells[move[0]] = game["turn"]
    return {"turn": enemy(game["turn"]), "cells": cells}


def result_tic_tac_toe(game: Game) -> tuple[str | None, float, float] | None:
    triples = ["012", "345", "678", "036", "147", "258", "048", "246"]
    for player in "XO":
        for triple in triples:
            if all(game["cells"][int(digit)] == player for digit in triple):
                return (player, 1, 0) if player == "X" else (player, 0, 1)
    return None if "." in game["cells"] else (None, 0.5, 0.5)


# -- the two-level games with owned boards, told apart by a few facts


def two_levels(
    side: int = 3,
    lines: list[list[tuple[int, int]]] | None = None,
    *,
    stay_open: bool = False,
    line_loses: bool = False,
    five_win: bool = False,
    majority: bool = False,
    again: bool = False,
    prize: int | None = None,
    worth: dict[tuple[int, int], int] | None = None,
) -> SimpleNamespace:
    """The functions of a game. prize: what a win is worth where the boards are points; worth: of each board."""
    every = spots(side)
    winning = lines if lines is not None else straight(side) + slanted(side)

    def begin() -> Game:
        boards = {big: dict.fromkeys(every, ".") for big in every}
        return {"turn": "X", "boards": boards, "owner": dict.fromkeys(every), "sent": None, "bonus": False}

    def takes_marks(game: Game, big: tuple[int, int]) -> bool:
        if not stay_open and game["owner"][big] is not None:
            return False
        return "." in game["boards"][big].values()

    def moves(game: Game) -> list[tuple[int, ...]]:
        if result(game) is not None:
            return []
        allowed = [big for big in every if takes_marks(game, big)]
        if game["sent"] in allowed:
            allowed = [game["sent"]]
        return [
            (every.index(big), every.index(small))
            for big in allowed
            for small in every
            if game["boards"][big][small] == "."
        ]

    def play(game: Game, move: tuple[int, ...]) -> Game:
        game = deepcopy(game)
        big, small, mover = every[move[0]], every[move[1]], game["turn"]
        game["boards"][big][small] = mover
        wins = game["owner"][big] is None and has(game["boards"][big], winning, mover)
        if wins:
            game["owner"][big] = mover
        game["sent"] = small
        if again and wins and not game["bonus"] and result(game) is None:
            game["bonus"] = True
        else:
            game["bonus"] = False
            game["turn"] = enemy(mover)
        return game

    def result(game: Game) -> tuple[str | None, float, float] | None:
        owners = game["owner"]
        counts = {player: sum((worth or {}).get(big, 1) for big in every if owners[big] == player) for player in "XO"}
        for player in "XO":
            owned = list(owners.values()).count(player)
            if owned >= 5 if five_win else has(owners, winning, player):
                winner = enemy(player) if line_loses else player
                points = prize or 1
                return (winner, points, 0) if winner == "X" else (winner, 0, points)
        if any(takes_marks(game, big) for big in every):
            return None
        if prize is not None:
            return (None, counts["X"], counts["O"])
        if majority and counts["X"] != counts["O"]:
            return ("X", 1, 0) if counts["X"] > counts["O"] else ("O", 0, 1)
        return (None, 0.5, 0.5)

    return SimpleNamespace(begin=begin, moves=moves, play=play, result=result)


def worth_in_extreme() -> dict[tuple[int, int], int]:
    worth = {}
    for row, column in spots(4):
        edges = (row in (0, 3)) + (column in (0, 3))
        worth[row, column] = {0: 3, 1: 4, 2: 6}[edges]
    return worth


# -- sudoku: a list of grids, each a list of characters


def sudoku(side: int = 3, *, center: bool = False, komi: float = 0) -> SimpleNamespace:
    size = side * side
    lines = [[row * side + column for row, column in line] for line in straight(side) + slanted(side)]

    def begin() -> Game:
        first = None
        if center:
            middle = side // 2 if side % 2 else side // 2 - 1
            first = middle * side + middle
        return {"turn": "X", "grids": [["."] * size for _ in range(size)], "sent": first}

    def moves(game: Game) -> list[tuple[int, ...]]:
        grids = range(size) if game["sent"] is None else [game["sent"]]
        return [(grid, square) for grid in grids for square in range(size) if game["grids"][grid][square] == "."]

    def play(game: Game, move: tuple[int, ...]) -> Game:
        game = deepcopy(game)
        grids = game["grids"]
        grids[move[0]][move[1]] = game["turn"]
        changed = True
        while changed:
            changed = False
            for full in [number for number in range(size) if "." not in grids[number]]:
                for grid in range(size):
                    if grid != full and grids[grid][full] == ".":
                        grids[grid][full] = "#"
                        changed = True
        game["sent"] = move[1]
        game["turn"] = enemy(game["turn"])
        return game

    def result(game: Game) -> tuple[str | None, float, float] | None:
        if moves(game):
            return None
        x, o = (
            sum([grid[square] for square in line] == [player] * side for grid in game["grids"] for line in lines)
            for player in "XO"
        )
        margin = x - o - komi
        return ("X" if margin > 0 else "O" if margin < 0 else None, x, o)

    return SimpleNamespace(begin=begin, moves=moves, play=play, result=result)


# -- ultimate-ultimate: nine dictionaries of nine dictionaries

NINE = range(9)
THREES = [[3 * row + column for row, column in line] for line in straight(3) + slanted(3)]


def line_in(values: list[Any], player: str) -> bool:
    return any([values[i] for i in line] == [player] * 3 for line in THREES)


def begin_ultimate_ultimate() -> Game:
    def small() -> Game:
        return {"cells": ["."] * 9, "X": 0, "O": 0, "owner": None}

    return {
        "turn": "X",
        "nines": [{"smalls": [small() for _ in NINE], "owner": None} for _ in NINE],
        "sent": None,
    }


def nine_is_decided(nine: Game) -> bool:
    return nine["owner"] is not None or all(small["owner"] is not None for small in nine["smalls"])


def moves_ultimate_ultimate(game: Game) -> list[tuple[int, ...]]:
    if result_ultimate_ultimate(game) is not None:
        return []

    def is_open(n: int, s: int) -> bool:
        return not nine_is_decided(game["nines"][n]) and game["nines"][n]["smalls"][s]["owner"] is None

    places = [(n, s) for n in NINE for s in NINE if is_open(n, s)]
    if game["sent"] in places:
        places = [game["sent"]]
    found = []
    for n, s in places:
        cells = game["nines"][n]["smalls"][s]["cells"]
        blanks = [i for i in NINE if cells[i] == "."]
        for a in blanks:
            seconds = NINE if blanks == [a] else [b for b in blanks if b != a]
            found += [(n, s, a, b) for b in seconds]
    return found


def play_ultimate_ultimate(game: Game, move: tuple[int, ...]) -> Game:
    game = deepcopy(game)
    n, s, a, b = move
    me, you = game["turn"], enemy(game["turn"])
    nine = game["nines"][n]
    small = nine["smalls"][s]
    eight_marks = small["cells"].count(".") == 1
    small["cells"][a] = me
    if eight_marks:
        judge_small(small, me, [me])
        if small["owner"] is None:
            small["cells"][b] = you
    else:
        small["cells"][b] = you
        judge_small(small, me, [me, you])
    for player in "XO":
        if nine["owner"] is None and line_in([one["owner"] for one in nine["smalls"]], player):
            nine["owner"] = player
    game["sent"] = (b, a)
    game["turn"] = you
    return game


def judge_small(small: Game, mover: str, players: list[str]) -> None:
    tallied = [player for player in players if line_in(small["cells"], player)][:1]
    if not tallied and "." not in small["cells"]:
        tallied = ["X", "O"]
    if not tallied:
        return
    small["cells"] = ["."] * 9
    for player in tallied:
        small[player] += 1
    for player in (mover, enemy(mover)):
        if small["owner"] is None and small[player] == 3:
            small["owner"] = player


def result_ultimate_ultimate(game: Game) -> tuple[str | None, float, float] | None:
    for player in "XO":
        if line_in([nine["owner"] for nine in game["nines"]], player):
            return (player, 1, 0) if player == "X" else (player, 0, 1)
    return (None, 0.5, 0.5) if all(nine_is_decided(nine) for nine in game["nines"]) else None


GAMES: dict[str, SimpleNamespace] = {
    "tic-tac-toe": SimpleNamespace(
        begin=begin_tic_tac_toe, moves=moves_tic_tac_toe, play=play_tic_tac_toe, result=result_tic_tac_toe
    ),
    "ultimate": two_levels(),
    "intelligent": two_levels(4, prize=16),
    "extreme": two_levels(4, straight(4) + DIAMONDS, again=True, prize=68, worth=worth_in_extreme()),
    "sudoku": sudoku(),
    "sudoku{side=2}": sudoku(2),
    "sudoku{side=4;first=center}": sudoku(4, center=True),
    "sudoku{first=center;komi=1.5}": sudoku(3, center=True, komi=1.5),
    "ultimate-ultimate": SimpleNamespace(
        begin=begin_ultimate_ultimate,
        moves=moves_ultimate_ultimate,
        play=play_ultimate_ultimate,
        result=result_ultimate_ultimate,
    ),
    "ultimate-majority": two_levels(majority=True),
    "ultimate-open": two_levels(stay_open=True),
    "tic-tac-ku": two_levels(five_win=True),
    "misere-ultimate": two_levels(line_loses=True),
}
"""By the spec of the rule set that each is the naive twin of."""


def perft(name: str, game: Game, depth: int) -> int:
    """How many sequences of so many moves there are."""
    if depth == 0:
        return 1
    functions = GAMES[name]
    if depth == 1:
        return len(functions.moves(game))
    return sum(perft(name, functions.play(game, move), depth - 1) for move in functions.moves(game))
