"""What level is reached, what is refused with less, and what a bot sees of the machine."""

import os
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from metatac import machine
from metatac.errors import IsolationError
from metatac.match import Offence
from metatac.players.bots import isolation
from metatac.players.bots.isolation import Level, obstacle, reach
from metatac.players.bots.limits import Limits
from metatac.players.bots.process import BotProcess
from metatac.players.bots.view import Bot, granted, search_path


@pytest.fixture
def fresh() -> Iterator[None]:
    """What was found out about the machine is forgotten, before and after."""
    obstacle.cache_clear()
    yield
    obstacle.cache_clear()


def no(name: str) -> machine.Offer:
    return machine.Offer(name, False, "refused by the test")


def test_the_best_is_taken_by_default() -> None:
    best = max(level for level in Level if obstacle(level) is None)
    assert reach("auto") is best
    assert reach("none") is Level.NONE


def test_without_namespaces_less_is_reached_and_full_refused(fresh: None, monkeypatch: pytest.MonkeyPatch) -> None:
    if obstacle(Level.LIMITED) is not None:
        pytest.skip(str(obstacle(Level.LIMITED)))
    monkeypatch.setattr(machine, "bubblewrap", lambda: no("bubblewrap"))
    assert reach("auto") is reach("limited") is Level.LIMITED
    words = r"full is out of reach here \(bubblewrap: refused by the test\); the best is isolation=limited"
    with pytest.raises(IsolationError, match=words):
        reach("full")


def test_with_nothing_only_trusted_bots_run(fresh: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "seccomp", lambda: no("seccomp"))
    assert reach("auto") is Level.NONE
    for wanted in ("limited", "full"):
        with pytest.raises(IsolationError, match=f"isolation={wanted} is out of reach here .*best is isolation=none"):
            reach(wanted)


def test_a_sandbox_that_fails_is_no_level(fresh: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A bubblewrap that can do less than we need is found out by a trial, and the bot is not blamed for it."""
    if not machine.bubblewrap().works:
        pytest.skip("bwrap does not work here")
    monkeypatch.setattr(isolation, "_bubblewrap", lambda bot, rules: ["/bin/sh", "-c", "echo no luck >&2; exit 1"])
    assert "no luck" in str(obstacle(Level.FULL))
    process = BotProcess(["true"], folder=tmp_path, isolation=Level.FULL)
    with pytest.raises(IsolationError, match="could not be started: no luck"):
        process.start()
    process.close()


def test_unknown_levels_are_said() -> None:
    with pytest.raises(IsolationError, match="none of auto, full, limited and none"):
        reach("total")


def test_strict_bots_need_isolation(tmp_path: Path) -> None:
    with pytest.raises(IsolationError, match="strict bots need isolation"):
        BotProcess(["true"], folder=tmp_path, limits=Limits(strict=True)).start()


@pytest.mark.parametrize("level", [Level.LIMITED, Level.FULL])
def test_the_referee_cannot_be_found(level: Level, tmp_path: Path) -> None:
    if (reason := obstacle(level)) is not None:
        assert "CI" not in os.environ, reason
        pytest.skip(reason)
    folder, results = tmp_path / "anna", tmp_path / "results.db"
    folder.mkdir()
    results.write_text("anna won")
    code = f"""
import os, resource
for attack in (
    lambda: os.kill({os.getpid()}, 0),
    lambda: resource.prlimit({os.getpid()}, resource.RLIMIT_CORE),
    lambda: os.setpriority(os.PRIO_PROCESS, {os.getpid()}, os.getpriority(os.PRIO_PROCESS, 0)),
):
    try:
        attack()
        print("reached")
    except OSError as error:
        print(type(error).__name__)
for path in ("/proc/{os.getpid()}/environ", "/proc/{os.getpid()}/cmdline", "/etc/shadow", {str(results)!r}):
    try:
        print("reached", open(path, "rb").read())
    except OSError as error:
        print(type(error).__name__)
print("end", flush=True)
input()
"""
    (folder / "bot.py").write_text(code)
    with BotProcess([sys.executable, "-S", "bot.py"], folder=folder, isolation=level) as process:
        lines: list[str] = []
        while not lines or lines[-1] != "end":
            lines.append(process.read_line(time.monotonic() + 60))
    assert len(lines) == 8
    assert not any("reached" in line for line in lines), lines


def test_runtimes_live(tmp_path: Path) -> None:
    """Node reserves far more memory than it may use."""
    if shutil.which("node") is None:
        assert "CI" not in os.environ, "no node"
        pytest.skip("no node here")
    script = "require('readline').createInterface({input: process.stdin}).on('line', line => console.log('js ' + line))"
    (tmp_path / "bot.js").write_text(script)
    with BotProcess(["node", "bot.js"], folder=tmp_path, isolation=reach("auto")) as process:
        process.send("hello")
        assert process.read_line(time.monotonic() + 60) == "js hello"


def test_folders_above_the_bot_are_never_shown(tmp_path: Path) -> None:
    folder = tmp_path / "bots" / "anna"
    folder.mkdir(parents=True)
    tool = tmp_path / "bin" / "tool"
    tool.parent.mkdir()
    tool.write_text("#!/bin/sh\n")
    tool.chmod(0o755)
    bot = Bot((str(tool),), folder, Limits(), (tmp_path,))
    shown = granted(bot)
    assert tmp_path not in shown and tool.resolve() in shown and shown[-1] == folder


def test_of_a_program_of_the_users_only_what_belongs_to_it_is_shown(tmp_path: Path) -> None:
    """Whoever writes a manifest names the program, and so the folder that it was installed to."""
    home, folder = tmp_path / "local", tmp_path / "anna"
    for name in ("bin/tool", "lib/tool/code.py", "share/marks.csv", "notes.txt"):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text("")
    (home / "bin" / "tool").chmod(0o755)
    folder.mkdir()
    shown = granted(Bot((str(home / "bin" / "tool"),), folder, Limits()))
    assert any((home / "lib/tool/code.py").is_relative_to(path) for path in shown)
    assert not any((home / name).is_relative_to(path) for name in ("share/marks.csv", "notes.txt") for path in shown)


def test_the_search_path_begins_with_our_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}/usr/bin")
    places = search_path(Bot(("python3",), tmp_path, Limits())).split(os.pathsep)
    assert places[0] == str(Path(sys.executable).parent) and "/usr/bin" in places
    assert str(tmp_path) not in places


def test_offences_are_repeated_after_the_end(tmp_path: Path) -> None:
    with BotProcess(["false"], folder=tmp_path) as process:
        for _ in range(2):
            with pytest.raises(Offence, match="exit status 1"):
                process.read_line(time.monotonic() + 60)
