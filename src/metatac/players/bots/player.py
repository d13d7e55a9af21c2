"""A program of somebody else as a player: a process, the dialogue in its language, and the game so far."""

import time
from collections import deque
from functools import lru_cache
from typing import Any, TypeVar

from metatac.errors import BotError, IsolationError
from metatac.game import Game, Move, Position
from metatac.match import UNLIMITED, Clock, Offence, Result
from metatac.players.bots.build import built
from metatac.players.bots.isolation import Level, reach, trial
from metatac.players.bots.limits import Limits
from metatac.players.bots.manifest import MANIFEST, Bot, find_bot
from metatac.players.bots.process import BotProcess
from metatac.players.bots.protocols import PROTOCOLS, Dialogue, Python, Talk, Ugi
from metatac.players.bots.warm import FROM, compiled_code
from metatac.rules import RuleSet

OVERTIME = 0.5
"""Seconds after its limit, and after what the referee forgives, that a bot is waited for: whether it is late is for the
referee to say."""
REMEMBERED = 20
"""What is kept of the conversation, to be shown."""

T = TypeVar("T")


def check_bot(
    rules: RuleSet,
    path: str = "",
    protocol: str | None = None,
    isolation: str = "auto",
    memory: str = "512MB",
    entry: str | None = None,
    args: str = "",
    **_: Any,
) -> None:
    """A MetatacError where there is no such bot; whether it plays a game is only known when it was asked."""
    Limits.parse_size(memory)
    reach(isolation)
    find_bot(path, protocol=protocol, entry=entry, args=args)


class BotPlayer:
    """Plays for the bot at a path. Each game has a process of its own unless it is to be kept."""

    def __init__(
        self,
        path: str = "",
        protocol: str | None = None,
        isolation: str = "auto",
        memory: str = "512MB",
        processes: int = 64,
        startup: float = 10.0,
        strict: bool = False,
        keep: bool = False,
        ponder: bool = False,
        entry: str | None = None,
        args: str = "",
    ) -> None:
        memory_size = Limits.parse_size(memory)
        self.limits = Limits(memory=memory_size, processes=processes, startup=startup, strict=strict)
        self.level = reach(isolation)
        bot = built(find_bot(path, protocol=protocol, entry=entry, args=args), self.level)
        if bot.protocol is None:
            _ask_for_ugi(bot, self.level, self.limits)
        if bot.is_ours:
            compiled_code()  # here, for to get ready is the bot's time
        self.bot, self.name = bot, bot.name
        self._kind = PROTOCOLS[bot.protocol or "ugi"]
        self._keep = keep and self._kind.can_be_kept
        self._ponder = ponder
        self._process: BotProcess | None = None
        self._closed = True
        self._dialogue = self._new_dialogue()
        self._game: Game | None = None
        self.transcript: deque[str] = deque(maxlen=REMEMBERED)
        """What was said latest, ``> `` before what was said to the bot, ``< `` before its lines."""

    @property
    def protocol(self) -> str:
        return self._kind.protocol

    @property
    def stderr(self) -> str:
        """The end of what the bot wrote to stderr in the latest game."""
        return "" if self._process is None else self._process.stderr

    # -- the game

    def accepts(self, position: Position) -> None:
        """BotError where the bot's protocol cannot tell a game that begins so."""
        self._new_dialogue().check(Game(position))

    def game_started(self, position: Position, seat: str) -> None:
        """Start the program and let it get ready, before the clock starts."""
        self._game, self._dialogue = Game(position), self._new_dialogue()
        self._dialogue.check(self._game)
        if self._closed or not self._keep or self._running().exit_status is not None:
            self._start()
        ready_by = max(self._running().ready_by, time.monotonic() + self.limits.startup)
        self._perform(self._dialogue.begin(self._game, seat), ready_by)

    def opponent_moved(self, position: Position, move: Move) -> None:
        game = self._game
        if game is not None and game.outcome is None and game.position.is_legal(move):
            game.push(move)
        self._follow(position)

    def choose(self, position: Position, clock: Clock = UNLIMITED) -> Move:
        """The bot's move. Offence says what it did instead."""
        if self._game is None or self._closed:
            self.game_started(position, position.turn)
        game = self._follow(position)
        limit, own = clock.limit, self._dialogue.limit()
        deadline = None
        if limit is not None:
            deadline = time.monotonic() + limit + clock.margin + OVERTIME
        elif own is not None:
            deadline = time.monotonic() + own
        self._running().check_silent()
        move = self._perform(self._dialogue.turn(game, clock), deadline)
        if position.is_legal(move):
            game.push(move)
        return move

    def refused(self, message: str) -> None:
        """Among people a move that cannot be made is asked for again; a program has lost by it."""
        raise Offence("illegal move", message)

    def agrees(self, offer: str, position: Position) -> bool:
        """Takebacks are granted where the bot can be told; draws are not: a program has time."""
        return offer == "takeback" and self.protocol != "codingame"

    def game_ended(self, result: Result) -> None:
        if not self._keep:
            self.close()

    def close(self) -> None:
        """End the process, if there is one. What it wrote to stderr is still known; the next game starts another."""
        self._closed = True
        if self._process is not None:
            self._process.close()

    # -- the process

    def _start(self) -> None:
        self.close()
        self.transcript.clear()
        self._process = _process_of(self.bot, self.level, self.limits)
        try:
            self._process.start()
        except IsolationError as error:
            # Where there are no processes or no room it is the machine; and where it does no better for others.
            if isinstance(error.__cause__, OSError) or trial(self.level) is not None:
                raise
            raise Offence("crash", str(error)) from None
        self._closed = False

    def _running(self) -> BotProcess:
        assert self._process is not None
        return self._process

    def _perform(self, talk: Talk[T], deadline: float | None) -> T:
        """Have the conversation with the process, which rests when it has answered, or, where it is not asked anything,
        when it has got ready or should have. Offence if it says nothing in time or ends."""
        process, answered = self._running(), False
        try:
            said = next(talk)
            while True:
                if said is not None:
                    self.transcript.append(f"> {said}")
                    process.send(said)
                    said = next(talk)
                    continue
                line = process.read_line(deadline)
                self.transcript.append(f"< {line}")
                answered = True
                said = talk.send(line)
        except StopIteration as end:
            if not answered and deadline is not None:
                process.settle(deadline)
            if not self._ponder:
                process.rest(deadline if answered else None)
            value: T = end.value
            return value

    def _follow(self, position: Position) -> Game:
        """The game up to a position: mostly as it stands, else with moves taken back, else begun there."""
        game = self._game
        if game is not None and game.position == position:
            return game
        if game is None or position not in game.positions:
            game = self._game = Game(position)
        while game.position != position:
            game.pop()
        return game

    def _new_dialogue(self) -> Dialogue:
        if issubclass(self._kind, Ugi) and not issubclass(self._kind, Python):
            return self._kind(dict(self.bot.options))
        return self._kind()


def _process_of(bot: Bot, level: Level, limits: Limits) -> BotProcess:
    env = {}
    readable = []
    if bot.is_ours:
        env[FROM] = str(compiled_code())
        readable.append(compiled_code())
    return BotProcess(bot.command, folder=bot.home, limits=limits, isolation=level, env=env, readable=readable)


@lru_cache(maxsize=256)
def _ask_for_ugi(bot: Bot, level: Level, limits: Limits) -> None:
    """Nobody knows what a program speaks: if it answers to ``ugi`` it is that, else BotError."""
    with _process_of(bot, level, limits) as process:
        try:
            process.send("ugi")
            while process.read_line(process.ready_by).split()[:1] != ["ugiok"]:
                continue
        except Offence as offence:
            kinds = ", ".join(kind for kind in PROTOCOLS if kind not in ("python", "course"))
            python = "It has no function or class choose, nor a course's class with move; it" if bot.is_python else "It"
            raise BotError(
                f"{bot.home}: what is it? {python} does not answer to ugi ({offence}). If it speaks something else, "
                f"say so: --protocol, or protocol = in {MANIFEST}, is one of {kinds}"
            ) from None
