"""The protocol of theaigames.com and, with other symbols, of its successor riddles.io.

``settings …`` once, ``update game …`` and ``action move T`` for each move; the answer is ``place_move x y``, where x is
the column. Settings are said with the first move, since only then the clock is known.
"""

from typing import ClassVar

from metatac.game import Game, Move
from metatac.match import Clock, Offence
from metatac.players.bots.protocols.dialogue import (
    Dialogue,
    Talk,
    check_plain_board,
    milliseconds,
    move_at,
    shown,
)
from metatac.players.grid import path_at

BANK, STEP = 10.0, 0.5
"""Seconds to begin with and for each move, on the sites and where nobody says otherwise."""


class Riddles(Dialogue):
    """Programs that are told the whole position for each move; riddles.io's symbols."""

    protocol = "riddles"
    marks: ClassVar[dict[str, str]] = {".": ".", "X": "0", "O": "1"}
    """The symbol of an empty cell or of a board that nobody owns, of X and of O, who are also called so."""
    counts_moves: ClassVar[bool] = False
    """Whether the number of the move is told beside that of the round."""

    def __init__(self) -> None:
        self._introduced = False

    def check(self, game: Game) -> None:
        check_plain_board(self.protocol, game.rules, 3)

    def turn(self, game: Game, clock: Clock) -> Talk[Move]:
        self.check(game)
        if not self._introduced:
            self._introduced = True
            yield "\n".join(self._settings(game, clock))
        yield "\n".join(self._updates(game, clock))
        answer = yield None
        words = answer.split()
        if len(words) != 3 or words[0] != "place_move":
            raise Offence("garbage", f"'place_move x y' is wanted, not {shown(answer)}")
        return move_at(game.rules, answer, words[2], words[1])

    def _settings(self, game: Game, clock: Clock) -> list[str]:
        """The match's own clock, as far as the words go: what there is at the start, and what each move adds."""
        bank, step = BANK, STEP
        if clock.own is not None:
            bank, step = clock.own, clock.increment
        elif clock.limit is not None:
            bank = step = clock.limit
        names = {seat: f"player{self.marks[seat]}" for seat in "XO"}
        return [
            f"settings timebank {milliseconds(bank)}",
            f"settings time_per_move {milliseconds(step)}",
            f"settings player_names {names['X']},{names['O']}",
            f"settings your_bot {names[game.turn]}",
            f"settings your_botid {self.marks[game.turn]}",
        ]

    def _updates(self, game: Game, clock: Clock) -> list[str]:
        made = sum(mark in "XO" for mark in game.position.cells)
        updates = [f"round {made // 2 + 1}"]
        if self.counts_moves:
            updates.append(f"move {made + 1}")
        updates += [f"field {self._field(game)}", f"macroboard {self._macroboard(game)}"]
        left = BANK if clock.limit is None else clock.limit
        return [f"update game {update}" for update in updates] + [f"action move {milliseconds(left)}"]

    def _field(self, game: Game) -> str:
        """Every cell, row by row of the whole board."""
        side, depth, cells = game.rules.side, game.rules.depth, game.position.cells
        width = side**depth
        numbers = (path_at(side, depth, row, column) for row in range(width) for column in range(width))
        return ",".join(self.marks[cells[_number(path, game.rules.size)]] for path in numbers)

    def _macroboard(self, game: Game) -> str:
        """For each small board -1 if it may be played in now, else its owner."""
        position = game.position
        owners = position.owners[0] if position.owners else "."
        playable = {move[0] for move in game.legal_moves} if position.owners else {0}
        return ",".join("-1" if board in playable else self.marks[owner] for board, owner in enumerate(owners))


class TheAiGames(Riddles):
    """The older symbols: an empty cell is 0, the players are 1 and 2."""

    protocol = "theaigames"
    marks: ClassVar[dict[str, str]] = {".": "0", "X": "1", "O": "2"}
    counts_moves: ClassVar[bool] = True


def _number(path: tuple[int, ...], size: int) -> int:
    number = 0
    for step in path:
        number = number * size + step
    return number
