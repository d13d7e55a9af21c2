"""The other side of UGI: what is said to an engine. ``players/ugi.py`` is the engine's own side."""

from collections.abc import Mapping

from metatac.errors import BotError, InvalidMove
from metatac.game import Game, Move, parse_move, start
from metatac.match import Clock, Instead, Offence, Resign
from metatac.players.bots.protocols.dialogue import Dialogue, Talk, check_plain_board, milliseconds, shown

UNHURRIED = "movetime 1000"
"""What an engine is told where there is no clock: without a limit many think for ever."""


class Ugi(Dialogue):
    """Any engine that speaks UGI. ``options`` are set as far as the engine has them."""

    protocol = "ugi"
    can_be_kept = True
    unhurried = UNHURRIED

    def __init__(self, options: Mapping[str, str] | None = None) -> None:
        self._options = dict(options or {})

    def begin(self, game: Game, seat: str) -> Talk[None]:
        yield "ugi"
        known: set[str] = set()
        while (line := (yield None)).split()[:1] != ["ugiok"]:
            words = line.split()
            if words[:2] == ["option", "name"] and "type" in words:
                known.add(" ".join(words[2 : words.index("type")]))
        wanted = {"Rules": game.rules.spec} | self._options
        for name, value in wanted.items():
            if name in known:
                yield f"setoption name {name} value {value}"
        yield "uginewgame"
        yield "isready"
        while (yield None).split()[:1] != ["readyok"]:
            continue

    def turn(self, game: Game, clock: Clock) -> Talk[Move]:
        yield f"{_position(game)}\n{self._go(game, clock)}"
        said = ""
        while (words := (line := (yield None)).split())[:1] != ["bestmove"]:
            if words[:2] == ["info", "string"]:
                said = " ".join(words[2:])
        if len(words) < 2:
            raise Offence("garbage", f"'bestmove MOVE' is wanted, not {shown(line)}")
        if words[1] == "resign":
            raise Instead(Resign)
        try:
            return parse_move(game.rules, words[1])
        except InvalidMove as error:
            raise self._offence(words[1], said, str(error)) from None

    def _offence(self, word: str, said: str, error: str) -> Offence:
        """Why a best move is none; what the engine said last may tell."""
        return Offence("garbage", f"bestmove {word}: {said or error}")

    def _go(self, game: Game, clock: Clock) -> str:
        words = []
        if clock.own is not None and clock.opponent is not None:
            own, opponent, step = map(milliseconds, (clock.own, clock.opponent, clock.increment))
            one, two = (own, opponent) if game.turn == "X" else (opponent, own)
            words.append(f"p1time {one} p2time {two} p1inc {step} p2inc {step}")
        if clock.limit is not None and (clock.own is None or clock.limit < clock.own):
            words.append(f"movetime {milliseconds(clock.limit)}")
        return " ".join(["go", *(words or [self.unhurried])]).strip()


class Python(Ugi):
    """Our own runner of Python files: UGI, and it names the reason where there is no move."""

    protocol = "python"
    unhurried = ""

    REASONS = ("crash", "garbage", "memory", "tampering")

    def _offence(self, word: str, said: str, error: str) -> Offence:
        reason, colon, detail = said.partition(": ")
        return Offence(reason, detail) if colon and reason in self.REASONS else super()._offence(word, said, error)


class Course(Python):
    """The same runner with a class of the 4 × 4 courses."""

    protocol = "course"

    def check(self, game: Game) -> None:
        check_plain_board(self.protocol, game.rules, 4)
        rules = game.rules
        if rules.depth != 2 or rules.close_board != "won" or rules.sent_to_decided != "free" or rules.first != "free":
            raise BotError(f"bots of the 4 × 4 courses play extreme and intelligent, not {rules.spec}")


def _position(game: Game) -> str:
    base = "startpos" if game.start == start(game.rules) else f"fen {game.start.text}"
    moves = f" moves {' '.join(map(str, game.moves))}" if game.moves else ""
    return f"position {base}{moves}"
