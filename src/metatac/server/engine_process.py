"""The engine in a process of its own: jobs come as JSON lines on standard input, answers go to standard output.

Only here is anything compiled or searched. The process ends when its input does, so it never outlives its server.
"""

import json
import os
import sys
import threading
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from metatac.errors import MetatacError
from metatac.game import Position, position
from metatac.match import Clock

OFTEN = 0.25
"""Seconds between two words about an analysis."""
MANY = 300
"""Where there are more moves, only those that are asked for are valued."""
EACH = 0.25
"""Seconds for each position of a game that is analysed."""
SMALL, ENOUGH = 16, 10.0
"""Cells of a game that is solved at once: it may take its time on a busy machine, for it ends by itself."""

Say = Callable[[dict[str, Any]], None]


class EngineProcess:
    """One job at a time; a stop may come at any moment."""

    def __init__(self, say: Say) -> None:
        self._say = say
        self._stop = threading.Event()
        self._job: int | None = None
        self._lock = threading.Lock()
        self._players: dict[str, Any] = {}
        self._analyst: Any = None

    def serve(self) -> None:
        """Read jobs until the input ends."""
        threading.Thread(target=self._get_ready, daemon=True).start()
        for line in sys.stdin:
            job = json.loads(line)
            if "stop" in job:
                with self._lock:
                    if self._job == job["stop"]:
                        self._stop.set()
                continue
            with self._lock:
                self._job = job["id"]
                self._stop.clear()
            threading.Thread(target=self._work, args=(job,), daemon=True).start()

    def _get_ready(self) -> None:
        from metatac.engine.thinker import thinker_ready

        thinker_ready()
        self._say({"ready": True})

    def _work(self, job: dict[str, Any]) -> None:
        id = job["id"]
        try:
            done = getattr(self, f"_{job['do']}")(job, lambda update: self._say({"id": id, "update": update}))
            self._say({"id": id, "done": done})
        except (MetatacError, MemoryError) as error:
            self._say({"id": id, "failed": str(error) or type(error).__name__})

    # -- jobs

    def _move(self, job: dict[str, Any], _: Say) -> str:
        from metatac.players import load_player

        level = job["level"]
        player = self._players.get(level)
        if player is None:
            text = "engine:threads=1" if level == "full" else f"engine:{level}"
            player = self._players[level] = load_player(text)
        return str(player.choose(position(job["position"]), Clock(**job["clock"])))

    def _analyse(self, job: dict[str, Any], update: Say) -> dict[str, Any]:
        from metatac.engine.alphabeta import Limits
        from metatac.engine.analysis import analyze
        from metatac.engine.results import Analysis

        now = position(job["position"])
        wanted, told = job["lines"], 0.0

        def report(found: Analysis) -> None:
            nonlocal told
            if time.monotonic() - told >= OFTEN:
                told = time.monotonic()
                update(analysis_view(now, found, wanted))

        lines = None if len(now.legal_moves) <= MANY else wanted
        limits = Limits(seconds=job["seconds"])
        found = analyze(now, self._engine(), limits=limits, lines=lines, stop=self._stop, on_analysis=report)
        return analysis_view(now, found, wanted)

    def _record(self, job: dict[str, Any], update: Say) -> dict[str, Any]:
        """A few moves of a game; ``earlier`` are those before them, as we have told them."""
        from metatac.engine.alphabeta import Limits
        from metatac.engine.record_analysis import analyze_record, summary
        from metatac.notation import Record

        record, earlier = Record.from_json(job["record"]), job["earlier"]
        limits = Limits(seconds=ENOUGH if record.rules.cells <= SMALL else EACH)
        found = analyze_record(record, self._engine(), limits=limits, stop=self._stop)
        made: list[Any] = [*(SimpleNamespace(**ply) for ply in earlier), *found.moves]
        accuracy = {side: summary(ply for ply in made if ply.turn == side).accuracy for side in "XO"}
        return {"plies": [ply_view(ply, len(earlier)) for ply in found.moves], "accuracy": accuracy}

    def _engine(self) -> Any:
        if self._analyst is None:
            from metatac.engine.analysts import EngineAnalyst

            self._analyst = EngineAnalyst(threads=1)
        return self._analyst


def analysis_view(now: Position, found: Any, lines: int) -> dict[str, Any]:
    """An analysis as the client shows it."""
    data: dict[str, Any] = found.to_dict()
    best = data.pop("moves")[:lines]
    words = ("move", "line", "score_x", "value_x", "proven", "depth")
    return data | {
        "moves": best,
        "heat": {str(move): round(heat, 3) for move, heat in found.heat().items()},
        "best": [{name: one[name] for name in words} for one in best],
        "verdict": verdict(found.score_x, found.proven, now.rules.points_count, found.value_x),
        "bar": found.score_x,
    }


def verdict(score: float, proven: bool, points: bool, value: float) -> str:
    """What an analysis comes to, in words; the score is X's."""
    if proven:
        by = f" by {abs(value):g} points" if points and value else ""
        return f"{'X wins' if value > 0 else 'O wins' if value < 0 else 'A draw'}{by} (proven)"
    lead = abs(score - 0.5)
    who = "X" if score > 0.5 else "O"
    if lead < 0.04:
        return "Even"
    return f"{who} is {'a little' if lead < 0.12 else 'clearly' if lead < 0.3 else 'far'} ahead"


MARKS = {"inaccuracy": "?!", "mistake": "?", "blunder": "??"}


def ply_view(ply: Any, before: int) -> dict[str, Any]:
    """A move of a game with what was found; ``before`` are the moves that another job has judged."""
    words = {name: getattr(ply, name) for name in ("turn", "accuracy", "forced", "judgment")}
    return words | {
        "ply": before + ply.number,
        "move": str(ply.move),
        "score_x": ply.score_x,
        "value_x": ply.value_x,
        "proven": ply.proven,
        "best": str(ply.best),
        "line": [str(move) for move in ply.line],
        "loss": ply.loss,
        "mark": MARKS.get(ply.judgment or "", ""),
    }


def main() -> None:
    os.nice(int(sys.argv[1]))
    lock = threading.Lock()
    out = sys.stdout
    # Whatever a library prints must not come between our lines.
    sys.stdout = sys.stderr

    def say(message: dict[str, Any]) -> None:
        with lock:
            out.write(json.dumps(message) + "\n")
            out.flush()

    EngineProcess(say).serve()
    os._exit(0)  # a search may still be running, and nobody wants to hear of it


if __name__ == "__main__":
    main()
