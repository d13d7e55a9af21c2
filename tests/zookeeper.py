"""Lets the bots of the zoo play against honest ones, several games at a time, and tells how each lost.

It is a program as well, so that the zoo can be visited as another user: ``zookeeper.py ZOO LEVEL AT-ONCE BOT…`` prints
JSON.
"""

import json
import os
import sys
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

from metatac.game import Position
from metatac.match import Clock, Result, new_match, run
from metatac.players.bots.isolation import Level
from metatac.players.bots.limits import Limits
from metatac.players.bots.process import BotProcess

HERE = Path(__file__).resolve().parents[1]
MIB = 1 << 20
HONEST = 60.0
"""Seconds a move for whoever should not lose by time, however slow the machine is."""
HASTY = 1.0
"""Seconds a move for a bot that is waited for, whatever it has done by then."""
SLOW = 10.0
"""The same for one that must have done something by then, however slow the machine is."""
PATIENCE = 60.0
"""Seconds for what was told to end to be gone."""

LIMITS = Limits(memory=128 * MIB, scratch=8 * MIB, processes=16)

# How each bot loses at full isolation.
REASONS = {
    "infinite_loop": "overrun",
    "silent": "overrun",
    "deaf": "overrun",
    "sleeps_over_time": "overrun",
    "ignores_signals": "overrun",
    "half_line_and_wait": "overrun",
    "fork_bomb": "forbidden call",
    "thread_bomb": "forbidden call",
    "network_caller": "forbidden call",
    "kills_its_parent": "forbidden call",
    "signals_everybody": "forbidden call",
    "traces": "forbidden call",
    "memory_hog": "memory",
    "memory_herd": "memory",
    "disk_hog": "crash",
    "reader": "crash",
    "exits_at_once": "crash",
    "exits_with_3": "crash",
    "aborts": "crash",
    "crashes_at_move_10": "crash",
    "leaves_a_daemon": "crash",
    "closes_its_output": "crash",
    "stdout_flood": "garbage",
    "stderr_flood": "garbage",
    "one_long_line": "garbage",
    "garbage": "garbage",
    "unicode": "garbage",
    "not_utf8": "garbage",
    "zero_bytes": "garbage",
    "half_line": "garbage",
    "prints_two_moves": "garbage",
    "illegal_move": "illegal move",
}


class LinePlayer:
    """A bot that is sent the legal moves in a line and answers with one of them."""

    def __init__(self, file: Path, level: Level, seconds: float, limits: Limits, token: str) -> None:
        self.name = file.stem
        self._seconds = seconds
        command = [sys.executable, "-S", str(file)]
        self.process = BotProcess(command, folder=file, limits=limits, isolation=level, env={"ZOO": token})

    def game_started(self, position: Position, seat: str) -> None:
        self.process.start()

    def choose(self, position: Position, clock: Clock) -> str:
        deadline = time.monotonic() + self._seconds
        self.process.check_silent()
        self.process.send(" ".join(map(str, position.legal_moves)))
        move = self.process.read_line(deadline)
        self.process.rest()
        return move

    def close(self) -> None:
        self.process.close()


@dataclass(frozen=True)
class Visit:
    """One game of a bot against the honest one, as X."""

    name: str
    reason: str
    detail: str
    winner: str | None
    left: list[int]
    """Processes of either that were there when both were closed."""
    stderr: str


def visit(file: Path, level: Level, *, limits: Limits = LIMITS, seconds: float | None = None) -> Visit:
    """Let a bot play as X against the honest one."""
    token = uuid.uuid4().hex
    if seconds is None:
        waits = HASTY if REASONS.get(file.stem) == "overrun" else HONEST
        seconds = SLOW if file.stem in ("half_line_and_wait", "closes_its_output") else waits
    bot = LinePlayer(file, level, seconds, limits, token)
    honest = LinePlayer(file.with_name("honest.py"), level, HONEST, LIMITS, token)
    try:
        result = run(new_match("ultimate", strict=True), (bot, honest)).result  # type: ignore[arg-type]
    finally:
        bot.close()
        honest.close()
    assert isinstance(result, Result)
    left = processes_with(token)
    if result.reason == "tampering":  # its warden was killed: nobody waits for the end that the kernel sees to
        left = gone_by(token, time.monotonic() + PATIENCE)
    return Visit(file.stem, result.reason, result.detail, result.winner, left, bot.process.stderr)


def tour(zoo: Path, level: Level, names: list[str], at_once: int = 3) -> dict[str, Visit]:
    """All the bots named, several at a time."""
    with ThreadPoolExecutor(at_once) as pool:
        visits = pool.map(lambda name: visit(zoo / f"{name}.py", level), names)
        return {seen.name: seen for seen in visits}


def processes_with(token: str) -> list[int]:
    """The processes that carry the token in their environment, as far as we may look."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            environment = (folder / "environ").read_bytes()
        except OSError:
            continue
        if token.encode() in environment and int(folder.name) != os.getpid():
            found.append(int(folder.name))
    return found


def gone_by(token: str, deadline: float) -> list[int]:
    """The processes with the token that are still there at the deadline; it is waited for only as long as some are."""
    while (left := processes_with(token)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return left


if __name__ == "__main__":
    zoo, level, at_once, *names = sys.argv[1:]
    seen = tour(Path(zoo), Level[level], names, int(at_once))
    print(json.dumps([asdict(visit) for visit in seen.values()]))
