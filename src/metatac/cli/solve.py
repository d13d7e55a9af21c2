"""metatac solve: the value of a position, proved."""

import json
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from metatac.cli.arguments import AsJson, GameOrNone, Moves, PositionText, Settings, history_of, seconds_of
from metatac.cli.files import check_place
from metatac.cli.screen import LiveLine
from metatac.cli.waiting import stop_on_interrupt

if TYPE_CHECKING:
    from metatac.engine.prover import Progress, Proof

app = typer.Typer(add_completion=False)

REASONS = {
    "time": "the time is over",
    "nodes": "the nodes are spent",
    "stopped": "it was stopped",
    "too deep": "the game is too large for the prover's stack",
}
"""Why a position is not solved, for people."""


@app.command()
def solve(
    game: GameOrNone = None,
    moves: Moves = "",
    text: PositionText = None,
    memory: Annotated[float, typer.Option(min=0.01, metavar="MB", help="Size of the table.")] = 256,
    time: Annotated[str | None, typer.Option(metavar="TIME", help="Time at most, as in 30s.")] = None,
    nodes: Annotated[int | None, typer.Option(min=1, metavar="N", help="Nodes at most.")] = None,
    checkpoint: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep the work in this file, every 10 s to 5 min.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on from the checkpoint.")] = False,
    settings: Settings = None,
    as_json: AsJson = False,
) -> None:
    """Prove what a position is worth with the best play of both sides."""
    if resume and checkpoint is None:
        raise typer.BadParameter("--resume needs --checkpoint FILE")
    if checkpoint is not None:
        checkpoint = Path(os.path.expanduser(checkpoint))
        _check(checkpoint, resume=resume)
    here, seconds = history_of(game, settings, moves, text).position, seconds_of(time)
    from metatac.engine.prover import get_ready, prove

    live = LiveLine()
    with stop_on_interrupt(partial(get_ready, here)) as stop, _on_termination(stop) as terminated:
        proof = prove(
            here,
            memory_mb=memory,
            nodes=nodes,
            seconds=seconds,
            stop=stop,
            on_progress=lambda progress: live.show(_progress(progress)),
            checkpoint=checkpoint,
            resume=resume,
        )
    live.end()
    typer.echo(json.dumps(_plain(proof), indent=2) if as_json else _report(proof))
    if proof.unsaved:
        typer.echo(f"the checkpoint could not be written: {proof.unsaved}", err=True)
    elif checkpoint is not None and not proof.solved:
        typer.echo(f"the work is kept in {checkpoint}; --resume goes on from there", err=True)
    if stop.is_set():
        raise typer.Exit(143 if terminated.is_set() else 130)
    if proof.unsaved:
        raise typer.Exit(2)


@contextmanager
def _on_termination(stop: threading.Event) -> Iterator[threading.Event]:
    """Have SIGTERM, too, end the work so that it is kept; the event tells that it came."""
    terminated = threading.Event()

    def note(*_: Any) -> None:
        terminated.set()
        stop.set()

    before = signal.signal(signal.SIGTERM, note)
    try:
        yield terminated
    finally:
        signal.signal(signal.SIGTERM, before)


def _check(checkpoint: Path, *, resume: bool) -> None:
    """Refuse now what could not be gone on with, or not be written when the work is done."""
    if checkpoint.is_file() and not resume:
        raise typer.BadParameter(f"{checkpoint} is there already: go on from it with --resume, or remove it")
    try:
        if resume:
            checkpoint.stat()
        check_place(checkpoint, replaced=True)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise typer.BadParameter(f"--checkpoint {checkpoint}: {reason}") from error


def _progress(progress: "Progress") -> str:
    low, high = progress.lower_x, progress.upper_x
    return (
        f"{progress.seconds:.0f} s  {_short(progress.nodes)} nodes  {_short(progress.nodes / progress.seconds)}/s  "
        f"value {low} to {high}: X at least {progress.target}?  "
        f"proof {_short(progress.proof_number)}  disproof {_short(progress.disproof_number)}"
    )


def _short(number: float) -> str:
    """A number in a few letters: the line must fit into a narrow terminal."""
    for unit, letter in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if number >= unit:
            return f"{number / unit:.1f} {letter}" if number < 100 * unit else f"{number / unit:,.0f} {letter}"
    return f"{number:.0f}"


def _plain(proof: "Proof") -> dict[str, Any]:
    return {
        "position": proof.position.text,
        "solved": proof.solved,
        "value_x": proof.value_x,
        "lower_x": proof.lower_x,
        "upper_x": proof.upper_x,
        "winner": proof.winner,
        "line": [str(move) for move in proof.line],
        "distance": proof.distance,
        "at_most": proof.at_most,
        "reason": proof.reason,
        "nodes": proof.nodes,
        "seconds": round(proof.seconds, 3),
    }


def _report(proof: "Proof") -> str:
    lines = [proof.position.text, _verdict(proof)]
    if proof.line:
        lines.append(f"line: {' '.join(map(str, proof.line))}")
    elif proof.solved and proof.position.outcome is None:
        lines.append("line: none found in the limits given")
    rate = proof.nodes / proof.seconds if proof.seconds else 0
    lines.append(f"{proof.nodes:,} nodes in {proof.seconds:.2f} s ({rate:,.0f} nodes/s)")
    return "\n".join(lines)


def _verdict(proof: "Proof") -> str:
    if not proof.solved:
        why = f" ({REASONS[proof.reason]})" if proof.reason else ""
        return f"not solved: the value is from {proof.lower_x} to {proof.upper_x} in X's view{why}"
    value = proof.lower_x
    if not proof.position.rules.points_count:  # with a komi it is who wins that counts
        found = "a draw" if value == 0 else f"{'X' if value > 0 else 'O'} wins"
    else:
        found = f"{value:+d} points in X's view"
        found += f", {proof.winner} wins" if proof.winner else ""
    if proof.position.outcome is not None:
        return f"{found}: the game is over"
    if proof.distance is not None:
        return f"{found} in {_plies(proof.distance)}, and not in fewer"
    return f"{found} in at most {_plies(proof.at_most)}" if proof.at_most is not None else found


def _plies(number: int) -> str:
    return f"{number} {'ply' if number == 1 else 'plies'}"
