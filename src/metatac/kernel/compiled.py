"""How the hot parts are compiled: by Numba, once a machine, into a cache that notices every edit.

Numba's own cache looks only at the file of the function it saves, not at the functions that one calls. So the cache
lies in a folder named after a hash of all sources that can be compiled into it: an edit anywhere among them starts a
new one.
"""

import gc
import hashlib
import os
import pickle
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba.core import config as numba_config
from numba.core.errors import NumbaError

from metatac.kernel.compiler import READY, Compiler, alone_at, answers
from metatac.paths import cache_dir

config: Any = numba_config
_njit: Any = numba.njit
F = TypeVar("F", bound=Callable[..., Any])
Report = Callable[[str, bool], None]
Entry = tuple[Any, tuple[Any, ...]]
"""An entry point, and the one signature that it is compiled for."""

COMPILED_ROOMS = ("kernel", "engine")


@lru_cache(maxsize=1)
def cache_folder() -> Path:
    """The folder of the compiled code of these very sources, on this Python and Numba."""
    package = Path(__file__).parent.parent
    digest = hashlib.sha256(f"{sys.version}|{numba.__version__}".encode())
    for room in COMPILED_ROOMS:
        for source in sorted((package / room).glob("**/*.py")):
            digest.update(source.relative_to(package).as_posix().encode() + b"\0" + source.read_bytes() + b"\0")
    return cache_dir() / "compiled" / digest.hexdigest()[:20]


@lru_cache(maxsize=1)
def can_cache() -> bool:
    """Whether the cache folder can be written to; says so once if not.

    Asked before Numba is: where it cannot write it would take a folder that does not notice edits.
    """
    try:
        cache_folder().mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=cache_folder()).close()
    except OSError as error:
        print(f"metatac: no cache, so everything is compiled each time: {error}", file=sys.stderr)
        return False
    return True


def compiled(function: F) -> F:
    """An entry point: compiled on first use for each signature, without the GIL, and cached."""
    before = config.CACHE_DIR
    config.CACHE_DIR = str(cache_folder())  # read by Numba at this moment only; nobody else's code is touched
    try:
        entry: F = _njit(nogil=True, cache=can_cache(), error_model="numpy")(function)
    finally:
        config.CACHE_DIR = before
    return entry


def inlined(function: F) -> F:
    """A small part of the entry points' code, always inlined."""
    part: F = _njit(nogil=True, forceinline=True, error_model="numpy")(function)
    return part


def part(function: F) -> F:
    """A part of the entry points' code that stays a call; compiled and cached with them."""
    # Unless it is said, a function called from an inlined one is inlined too, and a rare path would bloat every loop.
    piece: F = _njit(nogil=True, forceinline=False, error_model="numpy")(function)
    return piece


def _to_standard_error(line: str, passing: bool) -> None:
    if sys.stderr is not None:
        print(line, end="\r" if passing and sys.stderr.isatty() else "\n", file=sys.stderr, flush=True)


_report: Report = _to_standard_error
_here = threading.local()
"""``report``: who is told of what the present thread has compiled, if that is somebody else."""
_compiler = Compiler(lambda: cache_folder().parents[1])


def report_to(report: Report) -> None:
    """Have somebody else told what is being compiled: a line, and whether the next one may take its place."""
    global _report
    _report = report


@contextmanager
def reporting_to(report: Report) -> Iterator[None]:
    """Have somebody told of what this thread compiles meanwhile, whoever else is told of others."""
    before = getattr(_here, "report", None)
    _here.report = report
    try:
        yield
    finally:
        _here.report = before


def compile_all(entries: Mapping[str, Entry]) -> float:
    """Compile entry points for their signatures, or load them from the cache; returns the seconds it took.

    While anything really compiles, a line on standard error, or whoever ``report_to`` named, says what.
    """
    begin, report = time.perf_counter(), getattr(_here, "report", None) or _report
    names = {entry: name for name, (entry, _) in entries.items()}
    wanted = [(entry, signature) for entry, signature in entries.values() if signature not in entry.overloads]
    new = [(entry, signature) for entry, signature in wanted if not is_cached(entry)]
    lines = {entry: f"  {n}/{len(new)} {names[entry]:<24}" for n, (entry, _) in enumerate(new, start=1)}
    if new:
        report("metatac: compiling for this machine, once only", False)
        _have_compiled(new, lambda entry: report(lines[entry], True))
    for entry, signature in wanted:
        if entry in lines and not is_cached(entry):
            report(lines[entry], True)
        _compile(entry, signature)
    if wanted and os.environ.get("METATAC_PROCESS") == "own":  # nobody else's objects are frozen with ours
        # What Numba has made by now stays as long as the process. Were it looked through by every full collection of
        # garbage, a search would be late by 60 ms whenever one falls into it.
        gc.collect()
        gc.freeze()
    seconds = time.perf_counter() - begin
    if new:
        report(f"  done in {seconds:.1f} s{' ' * 24}", False)
    return seconds


def _have_compiled(missing: Sequence[Entry], tell: Callable[[Any], None]) -> None:
    """Have another process compile entry points into the cache. What goes wrong there is compiled here after all."""
    if can_cache() and sys.executable and not getattr(sys, "frozen", False):
        tasks = [(entry.py_func.__module__, entry.py_func.__name__, signature) for entry, signature in missing]
        with suppress(OSError, ValueError):
            _compiler.compile(tasks, lambda number: tell(missing[number][0]))


def compile_for_another() -> None:
    """What the other process does: compile what standard input names, and say which is next, and nothing when all is
    done. Where an entry point cannot be kept nobody is served by more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever it works for ends it
    answer = answers()
    answer(READY)
    while True:
        try:
            tasks = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        for number, (module, name, signature) in enumerate(tasks):
            answer(str(number))
            entry = getattr(import_module(module), name)
            with alone_at(entry.stats.cache_path):
                if not is_cached(entry):
                    _compile(entry, signature)
            if not is_cached(entry):
                return
        answer("")


def _compile(entry: Any, signature: tuple[Any, ...]) -> None:
    """Compile an entry point, or load it. A cache that is damaged or full is no reason to fail."""
    with _compiler.compiling_here:  # or one thread would restore what another has set
        before = config.LOOP_VECTORIZE
        config.LOOP_VECTORIZE = 0  # a third of the compile time, and these loops are too short to gain by it
        try:
            _compile_now(entry, signature)
        finally:
            config.LOOP_VECTORIZE = before


def _compile_now(entry: Any, signature: tuple[Any, ...]) -> None:
    try:
        entry.compile(signature)
    except NumbaError:
        raise
    except Exception as error:  # damaged files make unpickling raise anything at all
        if signature in entry.overloads:
            print(f"metatac: compiled, but not cached: {error}", file=sys.stderr)
            return
        for file in _cached_files(entry):
            file.unlink(missing_ok=True)
        entry.compile(signature)


def is_cached(entry: Any) -> bool:
    """Whether an entry point has been compiled on this machine before."""
    return any(file.suffix == ".nbi" for file in _cached_files(entry))


def _cached_files(entry: Any) -> list[Path]:
    folder = entry.stats.cache_path
    name = f"{Path(entry.py_func.__code__.co_filename).stem}.{entry.__name__}"
    return [] if folder is None else list(Path(folder).glob(f"{name}-*.nb[ci]"))
