"""Other processes, as tests look at them: one that ends while it is looked at has ended."""

import contextlib

import psutil


def alive(process: psutil.Process) -> bool:
    """Whether it runs; one that only waits for its parent to hear of its end does not."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def children(pid: int | None = None, words: str = "", recursive: bool = False) -> list[psutil.Process]:
    """The living children of a process, or of this one, whose command line has the words."""
    found = []
    with contextlib.suppress(psutil.NoSuchProcess):
        for child in psutil.Process(pid).children(recursive=recursive):
            with contextlib.suppress(psutil.Error):
                if words in " ".join(child.cmdline()):
                    found.append(child)
    return found


def workers(pid: int | None = None) -> list[psutil.Process]:
    """The processes that were started to work for a process."""
    return children(pid, "spawn_main")
