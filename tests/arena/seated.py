"""Small players for the tests of the arena; other processes load them by name from here."""

import os
import time

from metatac.arena import games
from metatac.errors import IsolationError
from metatac.game import Move, Position
from metatac.match import UNLIMITED, Clock
from metatac.players import Entry, Option


class First:
    """The first legal move, always."""

    name = "first"

    def choose(self, position: Position, clock: Clock = UNLIMITED) -> Move:
        return position.legal_moves[0]


class Winner(First):
    """Wins at once if it can, else the first move."""

    def choose(self, position: Position, clock: Clock = UNLIMITED) -> Move:
        for move in position.legal_moves:
            outcome = position.play(move).outcome
            if outcome is not None and outcome.winner == position.turn:
                return move
        return position.legal_moves[0]


class Counted(First):
    """Takes nodes, threads and a seed, and does nothing with them."""

    def __init__(self, nodes: int = 0, threads: int = 0, seed: int = 0) -> None:
        self.options = (nodes, threads, seed)


class Budgeted(First):
    """Takes a budget as text, as its main option."""

    def __init__(self, budget: str = "1s") -> None:
        self.budget = budget


class Crasher(First):
    """Has nothing to say when it comes to it."""

    def choose(self, position: Position, clock: Clock = UNLIMITED) -> Move:
        raise RuntimeError("no idea")


class Picky(First):
    """Cannot even sit down."""

    def game_started(self, position: Position, seat: str) -> None:
        raise RuntimeError(f"{seat} is not for me")


class Unstartable(First):
    """The machine cannot start it, and need not be asked for long."""

    def game_started(self, position: Position, seat: str) -> None:
        games.AGAIN = (0.0,)
        raise IsolationError("no processes left")


class Slow(First):
    """Uses all of its time and then some."""

    def __init__(self, over: float = 0.0) -> None:
        self.over = over

    def choose(self, position: Position, clock: Clock = UNLIMITED) -> Move:
        time.sleep((clock.limit or 0.0) + self.over)
        return position.legal_moves[0]


class Dying(First):
    """Takes its whole process with it."""

    def choose(self, position: Position, clock: Clock = UNLIMITED) -> Move:
        os._exit(3)


class Stuck(First):
    """Thinks for ten minutes as O, whatever happens around it."""

    def choose(self, position: Position, clock: Clock = UNLIMITED) -> Move:
        if position.turn == "O":
            time.sleep(600)
        return position.legal_moves[0]


class Patient(First):
    """Takes its time, but only a little."""

    def choose(self, position: Position, clock: Clock = UNLIMITED) -> Move:
        time.sleep(0.02)
        return position.legal_moves[0]


class Breaking(First):
    """The user presses Ctrl-C in the third game that this process plays."""

    games = 0

    def game_started(self, position: Position, seat: str) -> None:
        Breaking.games += 1
        if Breaking.games == 3:
            raise KeyboardInterrupt


class Mortal(First):
    """Takes its process with it, twice in all: the file counts."""

    def __init__(self, file: str) -> None:
        self.file = file

    def choose(self, position: Position, clock: Clock = UNLIMITED) -> Move:
        with open(self.file, "a+") as file:
            file.seek(0)
            if len(file.read()) < 2:
                file.write(".")
                file.flush()
                os._exit(3)
        return position.legal_moves[0]


class Deep(Mortal):
    """Leaves a line in the file and thinks for ten minutes."""

    def choose(self, position: Position, clock: Clock = UNLIMITED) -> Move:
        with open(self.file, "a") as file:
            file.write("thinking\n")
        time.sleep(600)
        return position.legal_moves[0]


class DyingAsX(First):
    """Takes its process with it where it has X."""

    def choose(self, position: Position, clock: Clock = UNLIMITED) -> Move:
        if position.turn == "X":
            os._exit(3)
        return position.legal_moves[0]


class Numbered(First):
    """Counts the games of its life, may crash in one of them, and can be closed."""

    open = 0

    def __init__(self, crash: int = 0) -> None:
        self.crash, self.games, self.stderr = crash, 0, ""

    def game_started(self, position: Position, seat: str) -> None:
        Numbered.open += not self.games
        self.games += 1
        self.stderr = str(self.games)

    def choose(self, position: Position, clock: Clock = UNLIMITED) -> Move:
        if self.games == self.crash:
            raise RuntimeError("this one is too much")
        return position.legal_moves[0]

    def close(self) -> None:
        Numbered.open -= 1


class Sleepy(First):
    """Takes so many seconds to get ready."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def game_started(self, position: Position, seat: str) -> None:
        time.sleep(self.seconds)


class Confined(First):
    """Says on stderr on how many cores it may run."""

    @property
    def stderr(self) -> str:
        return str(len(os.sched_getaffinity(0)))


ENTRIES = (
    Entry("first", "", "seated:First"),
    Entry("winner", "", "seated:Winner"),
    Entry(
        "counted",
        "",
        "seated:Counted",
        (Option("nodes", "whole", ""), Option("threads", "whole", ""), Option("seed", "whole", "")),
    ),
    Entry("budgeted", "", "seated:Budgeted", (Option("budget", "text", "", "1s", main=True),)),
    Entry("crasher", "", "seated:Crasher"),
    Entry("picky", "", "seated:Picky"),
    Entry("unstartable", "", "seated:Unstartable"),
    Entry("slow", "", "seated:Slow", (Option("over", "number", "", 0.0, main=True),)),
    Entry("dying", "", "seated:Dying"),
    Entry("stuck", "", "seated:Stuck"),
    Entry("patient", "", "seated:Patient"),
    Entry("breaking", "", "seated:Breaking"),
    Entry("mortal", "", "seated:Mortal", (Option("file", "text", "", main=True),)),
    Entry("deep", "", "seated:Deep", (Option("file", "text", "", main=True),)),
    Entry("dying_as_x", "", "seated:DyingAsX"),
    Entry("numbered", "", "seated:Numbered", (Option("crash", "whole", "", 0, main=True),)),
    Entry("sleepy", "", "seated:Sleepy", (Option("seconds", "number", "", 0.0, main=True),)),
    Entry("confined", "", "seated:Confined"),
)
