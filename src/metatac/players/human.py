"""A person at a keyboard, line by line."""

from collections.abc import Callable

from metatac.errors import IllegalMove, InvalidMove
from metatac.game import Move, Position
from metatac.match import UNLIMITED, Clock, Instead, OfferDraw, RequestTakeback, Resign
from metatac.players.typed import forms_text, typed_move

_INSTEAD: dict[str, type[Resign] | type[OfferDraw] | type[RequestTakeback]] = {
    "resign": Resign,
    "draw": OfferDraw,
    "undo": RequestTakeback,
}


class HumanPlayer:
    """Asks with one callable and talks with another: a terminal, a pipe or a test can stand behind it.

    ``ask`` is given a prompt and returns a line, as ``input`` does; EOFError and KeyboardInterrupt pass.
    ``resign``, ``draw`` and ``undo`` are understood beside moves; in a game so large that one of them is also
    a move's letters, that move is typed with blanks between.
    """

    def __init__(
        self, name: str = "human", *, ask: Callable[[str], str] = input, tell: Callable[[str], object] = print
    ) -> None:
        self.name = name
        self.ask = ask
        self.tell = tell

    def choose(self, position: Position, clock: Clock = UNLIMITED) -> Move:
        """Ask until the answer is a legal move, or a word for something else; a wrong one is told why."""
        if position.outcome is not None:
            raise IllegalMove(f"there is no move to choose: {position.outcome} (position: {position.text})")
        while True:
            line = self.ask(f"{position.turn}{'' if self.name == 'human' else f' ({self.name})'}: ").strip()
            if line.lower() in _INSTEAD:
                raise Instead(_INSTEAD[line.lower()])
            if line in ("", "?", "help"):
                self.tell(f"{forms_text(position.rules)} Or type {', '.join(_INSTEAD)}.")
                continue
            try:
                return typed_move(position, line)
            except (InvalidMove, IllegalMove) as error:
                self.tell(str(error))

    def refused(self, message: str) -> None:
        self.tell(message)

    def agrees(self, offer: str, position: Position) -> bool:
        """Ask the person about the opponent's offer; anything but a yes is a no."""
        question = {"draw": "offers a draw", "takeback": "asks to take a move back"}[offer]
        return self.ask(f"The opponent {question}. Agreed? [y/N] ").strip().lower() in ("y", "yes")
