"""CodinGame's *Ultimate Tic-Tac-Toe*: the opponent's cell, the number of valid cells, the cells; a cell is the answer.

There the game is ``ultimate-majority``, with 1 s for the first move and 0.1 s for each later one.
"""

from metatac.errors import BotError
from metatac.game import Game, Move, start
from metatac.match import Clock, Offence
from metatac.players.bots.protocols.dialogue import Dialogue, Talk, check_plain_board, move_at, row_column, shown

FIRST, LATER = 1.0, 0.1
"""Seconds for a move, on the site and where nobody says otherwise."""


class CodinGame(Dialogue):
    """Programs that follow the game by themselves: all that they are told is what the opponent did."""

    protocol = "codingame"

    def __init__(self) -> None:
        self._told = 0
        """How many moves the program knows: those that it was told, and its own."""

    def check(self, game: Game) -> None:
        check_plain_board(self.protocol, game.rules, 3)
        if game.rules.bonus:
            raise BotError(f"the codingame protocol knows no bonus moves; it cannot tell a game of {game.rules.spec}")
        if game.start != start(game.rules) or len(game.moves) not in (self._told, self._told + 1):
            raise BotError(
                "the codingame protocol tells only the opponent's last move: a game must begin at the start "
                f"and go on without takebacks (position: {game.position.text})"
            )

    def turn(self, game: Game, clock: Clock) -> Talk[Move]:
        self.check(game)
        rules, moves = game.rules, game.moves
        row, column = row_column(rules, moves[-1]) if moves else (-1, -1)
        cells = sorted(row_column(rules, move) for move in game.legal_moves)
        lines = [f"{row} {column}", str(len(cells)), *(f"{row} {column}" for row, column in cells)]
        yield "\n".join(lines)
        answer = yield None
        words = answer.split()  # what follows the cell is a message to the public
        if len(words) < 2:
            raise Offence("garbage", f"'row col' is wanted, not {shown(answer)}")
        self._told = len(moves) + 1
        return move_at(rules, answer, words[0], words[1])

    def limit(self) -> float | None:
        return LATER if self._told else FIRST
