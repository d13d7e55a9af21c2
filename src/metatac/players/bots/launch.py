"""How a bot's process comes into being: the referee starts a warden, the warden starts the bot."""

import contextlib
import fcntl
import json
import os
import select
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from metatac.errors import IsolationError
from metatac.players.bots.isolation import Level, Plan, filter_for, plan_for
from metatac.players.bots.view import PACKAGE, Bot, search_path

PATIENCE = 60.0
"""Seconds that our own part of a start or an end may take: the machine's time, not the bot's."""

_WARDEN = Path(__file__).with_name("warden.py")
_FREE_FD = 10
"""The numbers below are the warden's to use."""


Launched = tuple[subprocess.Popen[bytes], socket.socket, str | None]
"""The warden, its control socket, and the scratch folder that it removes at the end."""


def launch(bot: Bot, level: Level, env: Mapping[str, str]) -> Launched:
    """Start a bot; come back when its own program begins to run. IsolationError where this machine cannot."""
    if not bot.folder.exists():
        raise IsolationError(f"there is no bot at {bot.folder}")
    try:
        return _launch(bot, level, env)
    except OSError as error:  # no room for a scratch folder, no process or descriptor left
        raise IsolationError(f"the bot's process could not be started: {error}") from error


def _launch(bot: Bot, level: Level, env: Mapping[str, str]) -> Launched:
    rules, keep = filter_for(level, bot.limits.strict), list[int]()
    with contextlib.ExitStack() as undo, contextlib.ExitStack() as ours, contextlib.ExitStack() as handed:
        # At full isolation the scratch folder is inside, in memory; else it is a folder that the warden removes.
        scratch = None
        if level is not Level.FULL:
            scratch = tempfile.mkdtemp(prefix="metatac-bot-")
            undo.callback(shutil.rmtree, scratch, ignore_errors=True)
        control, theirs = socket.socketpair()
        undo.callback(control.close)
        handed.callback(theirs.close)
        signs, ready = os.pipe()
        ours.callback(os.close, signs)
        handed.callback(os.close, ready)
        if rules is not None:
            keep.append(_pipe_with(rules))
            handed.callback(os.close, keep[0])
        plan = plan_for(bot, level, scratch, keep)
        config = _config(bot, plan, env, scratch) | {"control": theirs.fileno(), "ready": ready, "keep": keep}
        process = _start(config, (theirs.fileno(), ready, *keep))
        handed.close()
        _see_it_run(process, signs)
        undo.pop_all()
    return process, control, scratch


def _config(bot: Bot, plan: Plan, env: Mapping[str, str], scratch: str | None) -> dict[str, object]:
    limits = bot.limits
    return {
        "argv": plan.argv,
        "cwd": plan.cwd,
        "env": _environment(bot, scratch or "/tmp") | dict(env),
        "rlimits": {"CORE": 0, "FSIZE": limits.scratch, "NOFILE": 1024},
        "cpu": limits.cpu,
        "cores": limits.cores,
        "memory": limits.memory,
        "processes": limits.processes,
        "overhead": plan.overhead,
        "launched": plan.launched,
        "scratch": scratch,
        "scratch_limit": limits.scratch,
    }


def _start(config: dict[str, object], fds: tuple[int, ...]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-I", "-S", str(_WARDEN), json.dumps(config)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        cwd="/",
        pass_fds=fds,
        start_new_session=True,
    )


def _see_it_run(process: subprocess.Popen[bytes], signs: int) -> None:
    """Wait for the sign that the bot's program begins; without one the sandbox has failed, not the bot."""
    if select.select([signs], [], [], PATIENCE)[0] and os.read(signs, 1):
        return
    process.kill()
    _, complaint = process.communicate()
    raise IsolationError(f"the bot's process could not be started: {complaint.decode(errors='replace').strip()[-500:]}")


def _environment(bot: Bot, scratch: str) -> dict[str, str]:
    """A small environment that tells nothing about the user; strict: libraries that make a thread a core make none."""
    environment = {
        "PATH": search_path(bot),
        "HOME": scratch,
        "TMPDIR": scratch,
        "LANG": "C.UTF-8",
        "PYTHONPATH": str(PACKAGE.parent),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    if bot.limits.strict:
        environment |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    return environment


def _pipe_with(data: bytes) -> int:
    """The end of a pipe from which the data can be read; they fit into its buffer."""
    source, sink = os.pipe()
    try:
        os.write(sink, data)
        return fcntl.fcntl(source, fcntl.F_DUPFD_CLOEXEC, _FREE_FD)
    finally:
        os.close(source)
        os.close(sink)
