"""The cache of compiled code: it notices every edit, is used again, and breaks nothing when it cannot be used.

Each test runs a copy of the package in other processes, with a cache folder of its own, and compiles one small entry
point only.
"""

import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import metatac
from metatac.kernel import compiler

PROGRAM = """
import json, sys
import numpy as np
from metatac.kernel import compiled, entries, layout
compiled.compile_all({"key": entries.SIGNATURES["key"]})
state = np.zeros(layout.STATE_HEADER, dtype=np.int64)
stats = entries.key_of.stats
json.dump({
    "key": int(entries.key_of(state)),
    "hits": sum(stats.cache_hits.values()),
    "misses": sum(stats.cache_misses.values()),
    "folder": str(compiled.cache_folder()),
}, sys.stdout)
"""


class Sandbox:
    """A copy of the package and an empty cache folder."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.cache = folder, folder / "cache"
        self.package = folder / "src" / "metatac"
        shutil.copytree(Path(metatac.__file__).parent, self.package, ignore=shutil.ignore_patterns("__pycache__"))
        self.stderr = ""

    def run(self, program: str = PROGRAM) -> dict[str, Any]:
        done = self.start(program)
        self.stderr = done.stderr
        assert done.returncode == 0, done.stderr
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    def start(self, program: str) -> "subprocess.CompletedProcess[str]":
        paths = {"PYTHONPATH": str(self.folder / "src"), "METATAC_CACHE_DIR": str(self.cache)}
        environment = os.environ | paths | {"HOME": str(self.folder), "XDG_CACHE_HOME": str(self.folder / "xdg")}
        environment.pop("NUMBA_CACHE_DIR", None)
        return subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=600
        )

    def edit(self, file: str, old: str, new: str) -> None:
        path = self.package / file
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new, 1))

    def cached(self, ending: str) -> list[Path]:
        return sorted(self.cache.rglob(f"*key_of*.{ending}"))


@pytest.fixture
def sandbox(tmp_path: Path) -> Sandbox:
    return Sandbox(tmp_path)


def test_an_edit_in_a_callee_is_noticed(sandbox: Sandbox) -> None:
    """The entry point is in entries.py; what it calls, two files on, is edited: the new result comes out."""
    first = sandbox.run()
    assert "compiling" in sandbox.stderr
    again = sandbox.run()
    assert again == first
    assert sandbox.stderr == ""
    sandbox.edit("kernel/bits.py", "0x9E3779B97F4A7C15", "0x9E3779B97F4A7C17")
    edited = sandbox.run()
    assert "compiling" in sandbox.stderr
    assert edited["key"] != first["key"]
    assert edited["folder"] != first["folder"]
    sandbox.edit("kernel/bits.py", "0x9E3779B97F4A7C17", "0x9E3779B97F4A7C15")
    back = sandbox.run()
    assert back == again
    # and none of it lies beside the sources, where nothing would notice an edit
    assert not list(sandbox.package.rglob("*.nb[ic]"))


@pytest.mark.parametrize(("ending", "damage"), [("nbi", b"nonsense"), ("nbi", b"cut"), ("nbc", b""), ("nbc", b"cut")])
def test_damaged_files_are_compiled_anew(sandbox: Sandbox, ending: str, damage: bytes) -> None:
    first = sandbox.run()
    (path,) = sandbox.cached(ending)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2] if damage == b"cut" else damage)
    again = sandbox.run()
    assert again["key"] == first["key"]
    assert "Traceback" not in sandbox.stderr
    assert sandbox.run() == first | {"hits": 1, "misses": 0}, "the damage was not repaired"


def test_a_cache_folder_that_cannot_be(sandbox: Sandbox) -> None:
    """Here a file is in the folder's place. It works, says so in one line, and caches nothing anywhere else."""
    sandbox.cache.write_text("a file")
    first = sandbox.run()
    assert first["hits"] == 0
    complaints = [line for line in sandbox.stderr.splitlines() if "cache" in line]
    assert len(complaints) == 1
    assert str(sandbox.cache) in complaints[0]
    assert not list(sandbox.folder.rglob("*.nb[ic]"))
    sandbox.edit("kernel/bits.py", "0x9E3779B97F4A7C15", "0x9E3779B97F4A7C17")
    assert sandbox.run()["key"] != first["key"]


def test_a_disk_that_is_full(sandbox: Sandbox) -> None:
    """Writing fails at the moment of saving: the compiled code is used all the same."""
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\ncompiled.compile_all"
    first = sandbox.run(PROGRAM.replace("compiled.compile_all", limit))
    assert "Traceback" not in sandbox.stderr
    assert "File too large" in sandbox.stderr
    assert sandbox.run()["key"] == first["key"]


def test_another_process_compiles_and_this_one_loads(sandbox: Sandbox) -> None:
    """What a compiler takes is never given back, and would be too much beside an engine's tables."""
    found = sandbox.run()
    assert "1/1 key" in sandbox.stderr
    assert (found["hits"], found["misses"]) == (1, 0)


def test_entry_points_of_one_name_are_kept_apart(sandbox: Sandbox) -> None:
    """Two are called ``grow``: when one was compiled, the other was taken to be."""
    program = """
import json, sys
from metatac.engine import best_first_tree, proof_search
from metatac.kernel import compiled
assert best_first_tree.grow.__name__ == proof_search.grow.__name__
compiled.compile_all({"larger table": proof_search.SIGNATURES["larger table"]})
json.dump({"cached": [compiled.is_cached(entry) for entry in (proof_search.grow, best_first_tree.grow)]}, sys.stdout)
"""
    assert sandbox.run(program) == {"cached": [True, False]}


def test_two_at_once_compile_everything_once(sandbox: Sandbox) -> None:
    pytest.importorskip("fcntl", reason="there are no such locks")
    counted = f"""
import sys, time; sys.path[:] = sys.argv[1:]
from metatac.kernel import compiled
compile_now = compiled._compile
def count(entry, signature):
    with open({str(sandbox.folder / "count")!r}, "a") as file:
        file.write("one ")
    time.sleep(3)  # so that the other one comes meanwhile
    compile_now(entry, signature)
compiled._compile = count
compiled.compile_for_another()
"""
    program = f"from metatac.kernel import compiler\ncompiler.PROGRAM = {counted!r}\n{PROGRAM}"
    with ThreadPoolExecutor() as both:
        found = list(both.map(sandbox.start, [program] * 2))
    assert [done.returncode for done in found] == [0, 0], found
    assert (sandbox.folder / "count").read_text().split() == ["one"]


def test_who_asked_is_told_what_is_compiled_for_him(sandbox: Sandbox) -> None:
    """And of what another thread has compiled, whoever was named for all."""
    program = """
import json, sys, threading
from metatac.kernel import compiled, entries
lines = {"his": [], "others": []}
compiled.report_to(lambda line, passing: lines["others"].append(line))
other = threading.Thread(target=compiled.compile_all, args=({"utility": entries.SIGNATURES["utility"]},))
with compiled.reporting_to(lambda line, passing: lines["his"].append(line)):
    other.start()
    compiled.compile_all({"key": entries.SIGNATURES["key"]})
    other.join()
json.dump({who: [line.strip() for line in told if "/" in line] for who, told in lines.items()}, sys.stdout)
"""
    assert sandbox.run(program) == {"his": ["1/1 key"], "others": ["1/1 utility"]}
    assert sandbox.stderr == ""


def test_who_compiles_for_ever_is_waited_for_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a program that was suspended while it compiled: the others compile for themselves."""
    fcntl = pytest.importorskip("fcntl", reason="there are no such locks")
    monkeypatch.setattr(compiler, "PATIENCE_SECONDS", 0.3)
    monkeypatch.setattr(compiler, "_given_up", set())
    held = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    waits: list[float] = []
    monkeypatch.setattr("time.sleep", waits.append)  # and so nobody really waits
    with compiler.alone_at(str(tmp_path)):
        first = len(waits)
    with compiler.alone_at(str(tmp_path)):
        assert first and len(waits) == first
    os.close(held)


@pytest.mark.parametrize(
    "broken",
    [
        "compiler.PROGRAM = 'raise SystemExit(1)'",
        "compiler.PROGRAM = 'print(0)'",
        "sys.executable = '/no/such'",
        "compiler.READY_SECONDS = 0.5; compiler.PROGRAM = 'import sys; sys.stdin.read()'",
    ],
)
def test_without_another_process_it_is_compiled_here(sandbox: Sandbox, broken: str) -> None:
    program = f"import sys\nfrom metatac.kernel import compiler\n{broken}\n{PROGRAM}"
    found = sandbox.run(program)
    assert (found["hits"], found["misses"]) == (0, 1)
    assert "Traceback" not in sandbox.stderr and "done in" in sandbox.stderr
    assert sandbox.run() == found | {"hits": 1, "misses": 0}


def test_a_relative_cache_folder_stays_where_it_is(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the program goes to another folder."""
    elsewhere = sandbox.folder / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(sandbox.folder)
    sandbox.cache = Path("relative")
    wanderer = f"import os; os.chdir({str(elsewhere)!r})\ncompiled.compile_all"
    found = sandbox.run(PROGRAM.replace("compiled.compile_all", wanderer))
    assert (found["hits"], found["misses"]) == (1, 0)
    assert not list(elsewhere.iterdir())


def test_what_is_no_folder_on_the_path_is_passed_over(sandbox: Sandbox) -> None:
    sandbox.run(PROGRAM.replace("compiled.compile_all", "sys.path.append(None)\ncompiled.compile_all"))


def test_what_others_print_there_is_no_answer(sandbox: Sandbox) -> None:
    (sandbox.folder / "src" / "sitecustomize.py").write_text("import sys; print('\\nhello', file=sys.__stdout__)")
    program = f"import os\nos.environ['NUMBA_DEBUG_CACHE'] = '1'\n{PROGRAM}"
    quiet = program.replace("json.dump({", "print()\njson.dump({")
    done = sandbox.start(quiet)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert (found["hits"], found["misses"]) == (1, 0)


def test_a_fork_compiles_for_itself(sandbox: Sandbox) -> None:
    """Also where the parent is compiling at that moment, in the other process or in another thread."""
    sandbox.run(
        f"""
import multiprocessing, threading, time
from metatac.kernel import compiled, entries
from numba.core.compiler_lock import global_compiler_lock
busy = threading.Event()

def compile_something():
    with compiled._compiler.compiling_here, global_compiler_lock:
        busy.set()
        time.sleep(1)

threading.Thread(target=compile_something).start()
busy.wait()
with compiled._compiler._lock:
    child = multiprocessing.get_context("fork").Process(
        target=compiled.compile_all, args=({{"utility": entries.SIGNATURES["utility"]}},)
    )
    child.start()
    child.join(120)
assert child.exitcode == 0, child.exitcode
{PROGRAM}"""
    )


def test_the_other_process_goes_when_it_has_nothing_to_do(sandbox: Sandbox) -> None:
    program = f"""
from metatac.kernel import compiler
compiler.IDLE_SECONDS = 0.2
{PROGRAM}
import time
end = time.monotonic() + 60
while compiled._compiler._process is not None:
    assert time.monotonic() < end
    time.sleep(0.05)
compiled.compile_all({{"utility": entries.SIGNATURES["utility"]}})
assert sum(entries.utility_of.stats.cache_misses.values()) == 0  # a second one came
"""
    sandbox.run(program)
