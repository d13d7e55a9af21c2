"""A person at a keyboard, line by line."""

from collections.abc import Callable

from metatac.errors import IllegalMove, InvalidMove
from metatac.game import Move, Position
from metatac.match import UNLIMITED, Clock, Instead, OfferDraw, RequestTakeback, Resign
from metatac.players.typed import accepted_forms, forms_text, typed_move

_INSTEAD: dict[str, type[Resign] | type[OfferDraw] | type[RequestTakeback]] = {
    "resign": Resign,
    "draw": OfferDraw,
    "undo": RequestTakeback,
}


class HumanPlayer:
    """Asks with one callable and talks with another: a terminal, a pipe or a test can stand behind it.

    ``ask`` is given a prompt and returns a line, as ``input`` does; EOFError and KeyboardInterrupt pass.
    ``resign``, ``draw`` and ``undo`` are understood beside moves; in a game so large that one of them is also
    a move's letters, that move is typed with blanks between. ``words`` are what ``?`` lists beside the moves.
    """

    def __init__(
        self,
        name: str = "human",
        *,
        ask: Callable[[str], str] = input,
        tell: Callable[[str], object] = print,
        words: str = ", ".join(_INSTEAD),
    ) -> None:
        self.name = name
        self.words = words
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
            if line.lower() in ("?", "help"):
                forms = "\n".join(f"  {form}" for form in accepted_forms(position.rules))
                self.tell(f"A move is typed as one of\n{forms}\nOr type {self.words}.")
                continue
            try:
                return typed_move(position, line)
            except IllegalMove as error:
                self.refused(str(error))
            except InvalidMove as error:
                reason = "" if not line else str(error).removesuffix(forms_text(position.rules))
                self.tell(f"{reason}Type a move as {accepted_forms(position.rules)[0]}; ? shows other ways.")

    def refused(self, message: str) -> None:
        # The position, which ends the message, is before the person's eyes.
        self.tell(message.rpartition(" (position: ")[0] or message)

    def agrees(self, offer: str, position: Position) -> bool:
        """Ask the person about the opponent's offer; anything but a yes is a no."""
        question = {"draw": "offers a draw", "takeback": "asks to take a move back"}[offer]
        return self.ask(f"The opponent {question}. Agreed? [y/N] ").strip().lower() in ("y", "yes")
