"""One bot's process: lines in and out, its end, its limits, and what happens when the referee itself is killed."""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from zookeeper import gone_by, processes_with

from metatac.errors import IsolationError
from metatac.match import Offence
from metatac.players.bots import launch, warden
from metatac.players.bots import process as process_module
from metatac.players.bots.isolation import Level, Plan, obstacle
from metatac.players.bots.limits import MIB, Limits
from metatac.players.bots.process import BotProcess

SOURCE = Path(__file__).parents[3] / "src"
LONG = 60.0
"""Seconds for what takes milliseconds on a quiet machine."""

ECHO = "import sys\nfor line in sys.stdin: print('heard', line, end='', flush=True)\n"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs poll")


@pytest.fixture(params=[level.name for level in Level])
def level(request: pytest.FixtureRequest) -> Level:
    wanted = Level[request.param]
    if (reason := obstacle(wanted)) is not None:
        assert "CI" not in os.environ, reason
        pytest.skip(f"isolation={wanted}: {reason}")
    return wanted


@pytest.fixture
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="metatac-test-") as name:
        yield Path(name)


def bot(
    folder: Path, code: str, level: Level = Level.NONE, limits: Limits | None = None, **env: str
) -> BotProcess:
    (folder / "bot.py").write_text(code)
    return BotProcess([sys.executable, "-S", "bot.py"], folder=folder, limits=limits, isolation=level, env=env)


def by(seconds: float = LONG) -> float:
    return time.monotonic() + seconds


def test_lines_go_in_and_out(folder: Path, level: Level) -> None:
    with bot(folder, ECHO, level) as process:
        for text in ("one", "zwei ☺", ""):
            process.send(text)
            assert process.read_line(by()) == f"heard {text}"
        process.check_silent()
        assert process.exit_status is None
    assert process.exit_status == "signal SIGKILL"


def test_a_line_may_end_as_on_windows(folder: Path) -> None:
    with bot(folder, "print('aa', end='\\r\\n', flush=True); input()") as process:
        assert process.read_line(by()) == "aa"


def test_whole_lines_count_after_the_end(folder: Path, level: Level) -> None:
    with bot(folder, "print('one\\ntwo\\nthr', end='')", level) as process:
        assert [process.read_line(by()), process.read_line(by())] == ["one", "two"]
        for _ in range(2):  # an offence is for good
            with pytest.raises(Offence, match="garbage: it wrote half a line, 'thr', and ended"):
                process.read_line(by())


def test_a_bot_that_does_not_read_blocks_nobody(folder: Path) -> None:
    with bot(folder, "import time; time.sleep(600)") as process:
        process.send("x" * 500_000)  # more than a pipe holds
        with pytest.raises(Offence, match="does not read what it is sent"):
            process.send("x" * 900_000)


def test_a_long_message_arrives(folder: Path, level: Level) -> None:
    with bot(folder, "import sys; print(len(sys.stdin.readline()), flush=True); input()", level) as process:
        process.send("x" * 900_000)
        assert process.read_line(by()) == "900001"


def test_a_program_that_is_not_there(folder: Path, level: Level) -> None:
    process = BotProcess(["./no-such-bot"], folder=folder, isolation=level)
    with process, pytest.raises(Offence, match=r"crash: it ended with exit status 12[67]\n.*no-such-bot"):
        process.read_line(by())


def test_a_folder_that_is_not_there() -> None:
    with pytest.raises(IsolationError, match="there is no bot at /no/such"):
        BotProcess(["true"], folder=Path("/no/such")).start()


def test_close_may_come_twice_early_and_from_another_thread(folder: Path) -> None:
    process = bot(folder, "import time; time.sleep(600)")
    process.close()
    process = bot(folder, "import time; time.sleep(600)")
    process.start()
    said: list[str] = []

    def wait() -> None:
        try:
            process.read_line()
        except Offence as offence:
            said.append(offence.reason)

    reader = threading.Thread(target=wait)
    reader.start()
    process.close()
    process.close()
    reader.join(LONG)
    assert said == ["crash"]
    with pytest.raises(Offence):
        process.send("more")


def test_it_runs_in_its_folder_with_a_clean_environment(
    folder: Path, level: Level, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PASSWORD", "swordfish")
    code = "import os; print(os.getcwd(), dict(os.environ), flush=True); input()"
    with bot(folder, code, level, COLOUR="red") as process:
        line = process.read_line(by())
    assert line.startswith(str(folder)) and "'COLOUR': 'red'" in line
    assert "swordfish" not in line


def test_scratch_can_be_written_and_goes_away(folder: Path, level: Level) -> None:
    code = (
        "import os\n"
        "with open(os.environ['TMPDIR'] + '/x', 'w') as file: file.write('1')\n"
        "print(os.environ['TMPDIR'], flush=True)\n"
        "input()\n"
    )
    with bot(folder, code, level) as process:
        name = process.read_line(by())
        assert level is Level.FULL or Path(name).exists()
    assert level is Level.FULL or not Path(name).exists()


@pytest.mark.parametrize("within", [Level.LIMITED, Level.FULL])
def test_its_own_files_and_the_system_cannot_be_written(folder: Path, within: Level) -> None:
    if obstacle(within) is not None:
        pytest.skip(str(obstacle(within)))
    code = (
        "for path in ('bot.py', '/usr/x', '/x', '/dev/x', '/etc/x', '/proc/sys/kernel/core_pattern'):\n"
        "    try: open(path, 'a'); print('written', path)\n"
        "    except OSError as error: print('refused')\n"
        "print('end', flush=True); input()\n"
    )
    with bot(folder, code, within) as process:
        assert [process.read_line(by()) for _ in range(7)] == ["refused"] * 6 + ["end"]


def test_memory_that_is_only_reserved_does_not_count(folder: Path, level: Level) -> None:
    code = "import mmap; room = mmap.mmap(-1, 1 << 30); print('here', flush=True); input()"
    with bot(folder, code, level, Limits(memory=64 * MIB)) as process:
        assert process.read_line(by()) == "here"
        process.send("")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is read from /proc")
def test_a_bot_that_is_late_while_it_takes_too_much_loses_by_what_it_took(folder: Path, level: Level) -> None:
    """However slow the machine: before the warden ends a bot it looks once more."""
    code = "hoard = bytearray(b'x') * (100 << 20); print('taken', flush=True); input()"
    with bot(folder, f"input(); {code}", level, Limits(memory=64 * MIB)) as process:
        warden = process._process.pid  # type: ignore[union-attr]
        os.kill(warden, signal.SIGSTOP)
        process.send("go")
        assert process.read_line(by()) == "taken"
        wake = threading.Timer(0.1, os.kill, (warden, signal.SIGCONT))
        wake.start()
        with pytest.raises(Offence, match=r"memory: 1\d\d MiB resident; 64 MiB are allowed"):
            process.read_line(0.0)
        wake.join()


def test_processor_time_has_a_limit(folder: Path, level: Level) -> None:
    words = r"overrun: [\d.]+ s of processor time; 1 s are allowed"
    with bot(folder, "while True: pass", level, Limits(cpu=1)) as process, pytest.raises(Offence, match=words):
        process.read_line(by())


def test_a_bot_is_held_to_its_cores(folder: Path) -> None:
    if not hasattr(os, "sched_getaffinity"):
        pytest.skip("no affinity here")
    core = max(os.sched_getaffinity(0))
    code = "import os; print(sorted(os.sched_getaffinity(0)), flush=True); input()"
    with bot(folder, code, limits=Limits(cores=(core,))) as process:
        assert process.read_line(by()) == f"[{core}]"


@pytest.mark.parametrize("within", [Level.LIMITED, Level.FULL])
def test_a_bot_is_one_session_so_that_its_swarm_gets_one_bots_part_of_the_processor(
    folder: Path, within: Level
) -> None:
    if (reason := obstacle(within)) is not None:
        assert "CI" not in os.environ, reason
        pytest.skip(reason)
    # Without a namespace root has no forks. The leader of a group could not ask for a session anyway.
    fork = "os.fork() and os.waitpid(-1, 0) and os._exit(0)\n" if within is Level.FULL or os.geteuid() else ""
    code = f"import os\nold = os.getsid(0)\n{fork}os.setsid()\nprint(os.getsid(0) == old, flush=True)\n"
    with bot(folder, code, within) as process:
        assert process.read_line(by()) == "True"


def states(token: str) -> set[str]:
    """How the threads with the token in their environment are, but for bubblewrap's own: T is stopped."""
    found = set()
    for thread in Path("/proc").glob("[0-9]*/task/[0-9]*"):
        with contextlib.suppress(OSError):
            if token.encode() in (thread / "environ").read_bytes():
                name, _, fields = (thread / "stat").read_text().rpartition(")")
                found |= set() if name.endswith("(bwrap") else {fields.split()[0]}
    return found


def until(condition: Callable[[], bool]) -> None:
    deadline = by()
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="processes are found through /proc")
def test_all_that_a_bot_runs_stands_still_when_its_turn_is_said_to_be_over(folder: Path, level: Level) -> None:
    alone = level is Level.LIMITED and os.geteuid() == 0  # there root has no forks
    code = f"""if True:
        import contextlib, os, sys, threading
        def spin():
            while True: pass
        def leave():
            for away in (os.setsid, lambda: os.setpgid(0, 0)):
                with contextlib.suppress(PermissionError): away()
            spin()
        if not {alone} and os.fork() == 0: leave()
        for _ in range(4): threading.Thread(target=spin, daemon=True).start()
        for line in sys.stdin: print(line, end='', flush=True)
    """
    token = uuid.uuid4().hex
    with bot(folder, code, level, ZOO=token) as process:
        for word in ("one", "two"):
            process.send(word)
            assert process.read_line(by()) == word
            until(lambda: "R" in states(token))
            process.rest()
            assert states(token) <= {"T", "D"}
            process.check_silent()
        process.send("three")
        assert process.read_line(by()) == "three"
    assert processes_with(token) == []


TIMERS = """if True:
    import ctypes, signal, struct, sys, threading
    def spin():
        while True: pass
    library, timers = ctypes.CDLL(None), [ctypes.c_void_p() for _ in range(40)]
    wake = struct.pack("qiiq40x", 0, signal.SIGCONT, 0, 0)
    made = all([library.timer_create(1, wake, ctypes.byref(timer)) == 0 for timer in timers])
    if made: threading.Thread(target=spin, daemon=True).start()
    for line in sys.stdin:
        for number, timer in enumerate(timers if made else ()):
            library.timer_settime(timer, 0, struct.pack("qqqq", 0, 0, 0, (number + 1) * 20_000_000), None)
        print(made, flush=True)
"""
"""Has the kernel wake it again and again after its answer."""


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "timer_create"), reason="the C library has no timers")
def test_a_bot_that_has_itself_woken_is_found_out(folder: Path, level: Level) -> None:
    with bot(folder, TIMERS, level) as process:
        process.send("go")
        assert process.read_line(by()) == str(level is Level.NONE)
        process.rest()
        if level is not Level.NONE:
            return
        with pytest.raises(Offence, match="tampering: it went on while it was not its turn"):
            for _ in range(60):  # on a busy machine it may wake up too late to take anything
                process.check_silent()
                time.sleep(0.9)
                process.send("go")
                process.read_line(by())
                process.rest()


def test_a_bot_that_cannot_be_stopped_in_its_time_has_overrun(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_module, "PATIENCE", 1.0)  # else the end of a warden that hangs is waited for
    with bot(folder, ECHO) as process:
        process.send("one")
        assert process.read_line(by()) == "heard one"
        assert process._process is not None
        os.kill(process._process.pid, signal.SIGSTOP)  # so that nobody says that all stands still
        with pytest.raises(Offence, match="overrun: it answered, but what it runs could not be stopped in time"):
            process.rest(by(0.1))


def test_a_bot_that_ends_when_it_has_answered_stands_still(folder: Path, level: Level) -> None:
    with bot(folder, "print(input(), flush=True)", level) as process:
        process.send("one")
        assert process.read_line(by()) == "one"
        process.rest(by())
        with pytest.raises(Offence, match="crash: it ended with exit status 0"):
            process.send("two")
            process.read_line(by())


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is read from /proc")
def test_a_bot_without_its_first_thread_is_watched_and_stopped_like_any_other(folder: Path) -> None:
    code = """if True:
        import ctypes, sys, threading, time
        def spin():
            while True: pass
        def play():
            while ') Z ' not in open('/proc/self/stat').read(): time.sleep(0.01)
            for line in sys.stdin:
                if line == 'grow\\n': hoard = b'x' * (200 << 20)
                else: print(line, end='', flush=True)
        for work in (spin, play): threading.Thread(target=work).start()
        ctypes.CDLL(None).syscall({exit}, 0)
    """.replace("{exit}", "60" if os.uname().machine == "x86_64" else "93")
    token = uuid.uuid4().hex
    with bot(folder, code, limits=Limits(memory=128 * MIB), ZOO=token) as process:
        process.send("one")
        assert process.read_line(by()) == "one"
        process.rest()
        assert states(token) == {"T"}
        process.send("grow")
        with pytest.raises(Offence, match=r"memory: \d+ MiB resident; 128 MiB are allowed"):
            process.read_line(by())


def test_a_bot_that_rests_can_be_closed(folder: Path, level: Level) -> None:
    token = uuid.uuid4().hex
    with bot(folder, ECHO, level, ZOO=token) as process:
        process.send("one")
        assert process.read_line(by()) == "heard one"
        process.rest()
        until(lambda: states(token) == {"T"})
    assert processes_with(token) == [] and process.exit_status == "signal SIGKILL"
    process.rest()


def test_a_file_alone_is_all_that_it_sees(folder: Path) -> None:
    if obstacle(Level.FULL) is not None:
        pytest.skip(str(obstacle(Level.FULL)))
    (folder / "neighbour.py").write_text("")
    (folder / "bot.py").write_text("import os; print(os.listdir('.'), flush=True); input()")
    process = BotProcess([sys.executable, "-S", "bot.py"], folder=folder / "bot.py", isolation=Level.FULL)
    with process:
        assert process.read_line(by()) == "['bot.py']"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="daemons are followed on Linux only")
def test_nothing_is_left_when_the_referee_is_killed(folder: Path, level: Level) -> None:
    token = uuid.uuid4().hex
    # As root a bot has no children at limited isolation, and so no daemons.
    name = "honest.py" if level is Level.LIMITED and os.geteuid() == 0 else "daemon_and_plays.py"
    (folder / "bot.py").write_text((Path(__file__).parent / "zoo" / name).read_text())
    referee = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "from metatac.players.bots.isolation import Level\n"
        "from metatac.players.bots.process import BotProcess\n"
        f"folder, level, env = Path({str(folder)!r}), Level.{level.name}, {{'ZOO': {token!r}}}\n"
        "process = BotProcess([sys.executable, '-S', 'bot.py'], folder=folder, isolation=level, env=env)\n"
        "process.start(); process.send('aa'); print(process.read_line(), flush=True); time.sleep(600)\n"
    )
    scratch = folder / "scratch"
    scratch.mkdir()
    env = {**os.environ, "PYTHONPATH": str(SOURCE), "TMPDIR": str(scratch)}
    with subprocess.Popen([sys.executable, "-c", referee], stdout=subprocess.PIPE, env=env) as started:
        assert started.stdout is not None and started.stdout.readline() == b"aa\n"
        assert processes_with(token)
        os.kill(started.pid, signal.SIGKILL)
        started.wait(LONG)
    until = by()
    assert gone_by(token, until) == []
    while list(scratch.iterdir()) and time.monotonic() < until:
        time.sleep(0.05)
    assert list(scratch.iterdir()) == []


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the warden finds strays through /proc")
def test_what_outlives_its_launcher_is_ended(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bubblewrap's first process ends with its launcher only from the moment when it has asked for it."""
    stubborn = """setsid sh -c "setsid sh -c 'echo >&7; exec sleep 1000' & wait" & wait"""
    plan = Plan(["/bin/sh", "-c", stubborn], "/", launched=True, overhead=2)
    monkeypatch.setattr(launch, "plan_for", lambda *_: plan)
    token = uuid.uuid4().hex
    process = bot(folder, "", ZOO=token)
    process.start()
    began = time.monotonic()
    process.close()
    assert processes_with(token) == []
    assert time.monotonic() - began < launch.PATIENCE


def test_the_tree_of_processes_is_seen_whole_whatever_their_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers begin again when they are used up: a child may have a smaller one, and its parent may just have ended."""
    parents = {"1": "0", "90": "1", "95": "90", "97": "95", "3": "97", "5": "3", "7": "1", "8": "96"}
    monkeypatch.setattr(warden, "_processes", lambda: set(parents))
    monkeypatch.setattr(warden, "_stat", lambda pid: ["S", parents[pid]])
    tree = warden.Tree(90)
    assert tree.pids() == ["95", "97", "3", "5"]
    parents["8"] = "90"  # whoever was its parent has ended, and the warden has taken it in
    del parents["3"]
    assert tree.pids() == ["95", "97", "5", "8"]


@pytest.mark.parametrize(("text", "size"), [("512MB", 512 * MIB), ("64k", 65536), ("1 GiB", 1 << 30), ("1000", 1000)])
def test_sizes_are_read(text: str, size: int) -> None:
    assert Limits.parse_size(text) == size


@pytest.mark.parametrize("text", ["", "MB", "-1", "1e9", "½GB", "9" * 40])
def test_what_is_no_size_is_said(text: str) -> None:
    with pytest.raises(IsolationError, match="no size"):
        Limits.parse_size(text)


def test_limits_of_nothing_are_refused() -> None:
    with pytest.raises(IsolationError, match="memory = 0"):
        Limits(memory=0)
