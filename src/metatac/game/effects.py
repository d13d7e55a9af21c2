"""What a move does: marks, lines, tallies, owners, bans, and then the send and the turn."""

from typing import TYPE_CHECKING

from metatac.game.move import Move, address, board_number
from metatac.game.tables import has_line, other, patterns_through

if TYPE_CHECKING:
    from metatac.game.position import Position


def after(position: "Position", move: Move) -> "Position":
    """The position after a legal move."""
    if move == Move.SWAP:
        return position.replaced(cells=position.cells.replace("X", "O"), turn="X")
    draft = _Draft(position)
    draft.move(move)
    return draft.finished(move)


class _Draft:
    """A position in the making: the same parts, open to change while a move takes effect."""

    def __init__(self, position: "Position") -> None:
        self.before = position
        self.rules = position.rules
        self.mover, self.opponent = position.turn, other(position.turn)
        self.cells = position.cells
        self.owners = list(position.owners)
        self.tallies = position.tallies
        self.decided = False
        """Whether the move decided or closed a small board."""

    # -- reading

    def board(self, number: int) -> str:
        size = self.rules.size
        return self.cells[number * size : (number + 1) * size]

    def has_line(self, board: int, cell: int, who: str) -> bool:
        cells = self.board(board)
        return has_line(cells, patterns_through(self.rules, -1)[cell], who)

    # -- the marks of a move

    def move(self, move: Move) -> None:
        board = board_number(self.rules, move[: self.rules.depth - 1])
        if self.rules.marks == 1:
            self.mark(board, move[-1], self.mover)
            self.settle(board, move[-1], None)
        else:
            self.two_marks(board, move[-2], move[-1])
        if self.rules.ban and not self.before.is_open(board, self.cells, self.owners):
            self.spread_bans(board)

    def mark(self, board: int, cell: int, who: str) -> None:
        index = board * self.rules.size + cell
        self.cells = self.cells[:index] + who + self.cells[index + 1 :]

    def two_marks(self, board: int, own: int, opponents: int) -> None:
        """The mover's mark, then the opponent's; a last empty cell is judged before the second mark."""
        self.mark(board, own, self.mover)
        if "." in self.board(board):
            self.mark(board, opponents, self.opponent)
            self.settle(board, own, opponents)
            return
        self.settle(board, own, None)
        if self.before.is_open(board, self.cells, self.owners):  # it was cleared
            self.mark(board, opponents, self.opponent)

    # -- what the marks made

    def settle(self, board: int, own: int, opponents: int | None) -> None:
        """Judge a small board after the marks just made in it; the mover's line comes first."""
        winner = None
        if self.has_line(board, own, self.mover):
            winner = self.mover
        elif opponents is not None and self.has_line(board, opponents, self.opponent):
            winner = self.opponent
        full = "." not in self.board(board)
        self.decided = self.decided or full
        if self.rules.depth == 1 or self.rules.win_board == "never":
            return
        if self.rules.win_board == "tallies":
            if winner or full:
                self.tally(board, winner)
        elif winner and self.owners[-1][board] == ".":
            self.own(board, winner)

    def tally(self, board: int, winner: str | None) -> None:
        """A tally for the line, or for both where the board is full without one; the board is cleared."""
        x, o = self.tallies[board]
        x, o = x + (winner != "O"), o + (winner != "X")
        self.tallies = (*self.tallies[:board], (x, o), *self.tallies[board + 1 :])
        size = self.rules.size
        self.cells = self.cells[: board * size] + "." * size + self.cells[(board + 1) * size :]
        reached = {"X": x >= self.rules.tallies, "O": o >= self.rules.tallies}
        for who in (self.mover, self.opponent):
            if reached[who]:
                self.own(board, who)
                return

    def own(self, board: int, who: str) -> None:
        """Give a small board to a player, and with it the bigger boards below the game's that it wins."""
        self.decided = True
        level, size = self.rules.depth - 1, self.rules.size
        while True:
            owners = self.owners[level - 1]
            self.owners[level - 1] = owners[:board] + who + owners[board + 1 :]
            level -= 1
            parent, child = divmod(board, size)
            if level == 0 or self.owners[level - 1][parent] != ".":
                return
            children = self.owners[level][parent * size : (parent + 1) * size]
            if not has_line(children, patterns_through(self.rules, level)[child], who):
                return
            board = parent

    def spread_bans(self, closed: int) -> None:
        """Ban the closed board's number everywhere, and the numbers of the boards that this closes."""
        size, queue = self.rules.size, [closed]
        for number in queue:
            for board in range(self.rules.board_count):
                if board != number and self.cells[board * size + number] == ".":
                    was_open = self.before.is_open(board, self.cells, self.owners)
                    self.mark(board, number, "#")
                    if was_open and not self.before.is_open(board, self.cells, self.owners):
                        queue.append(board)

    # -- the send and the turn, judged after all effects

    def finished(self, move: Move) -> "Position":
        # Where no board was decided, each is as open as it was, and nothing can have ended but a game of one board.
        there = self.before
        if self.decided or self.rules.depth == 1:
            there = self.position(())
            if there.outcome is not None:
                return there
        send = address(self.rules, move)
        if not there.is_open_path(send):
            if self.rules.sent_to_decided == "end":
                return self.position(send)
            while send and (self.rules.sent_to_decided == "free" or not there.is_open_path(send)):
                send = send[:-1]
        won = self.rules.bonus and not self.before.bonus and self.before.won_by(self.mover, there)
        position = self.position(send, won)
        position.goes_on()
        return position

    def position(self, send: tuple[int, ...], bonus: bool = False) -> "Position":
        return self.before.replaced(
            cells=self.cells,
            owners=tuple(self.owners),
            tallies=self.tallies,
            send=send,
            turn=self.mover if bonus else self.opponent,
            bonus=bonus,
        )
