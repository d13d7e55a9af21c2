"""The command line: one small file for each subcommand, and only wiring in them."""

import atexit
import errno
import io
import os
import signal
import sys

from metatac.errors import MetatacError

UNWRITABLE = (errno.ENOSPC, errno.EDQUOT, errno.EIO)
"""How a full disk, and a terminal that is gone, say that nothing can be written; they name no file then."""


def main() -> None:
    """The `metatac` command: whatever goes wrong in use ends in one line and an exit code, not a traceback.

    2: bad input or usage, or something that could not be written; 130: interrupted; 141: the reader of our output went
    away, as `head` does.
    """
    os.environ["METATAC_PROCESS"] = "own"  # and so are those that it starts: see kernel/compiled.py
    _open_missing_streams()
    for stream in (sys.stdout, sys.stderr):
        # A terminal that knows no "×" gets "\xd7" instead of an end with a traceback.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    # What is typed may be in any encoding, or in none.
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="backslashreplace")
    # When all is said and saved, one more Ctrl-C while Python clears up would only make a traceback of it.
    atexit.register(signal.signal, signal.SIGINT, signal.SIG_IGN)
    sys.exit(_run())


def _open_missing_streams() -> None:
    """Whoever starts us with closed streams gives us nothing to read, or does not listen; that is no mistake."""
    missing = [name for name in ("stdin", "stdout", "stderr") if getattr(sys, name) is None]
    # The free numbers below 3 are taken first, so that no file of ours is taken for a stream.
    for name in missing:
        setattr(sys, name, open(os.devnull, "r" if name == "stdin" else "w"))  # noqa: SIM115 (it stays open)


def _run() -> int | str | None:
    try:
        code = _invoke()
        sys.stdout.flush()
        return code
    except MetatacError as error:
        return _complain(str(error))
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        return _reader_gone()
    except MemoryError as error:
        return _complain(f"there is not enough memory: {error}")
    except OSError as error:
        if error.filename is None and error.errno not in UNWRITABLE:
            raise
        if error.filename is None:
            _let_go_of_stdout()
        return _complain(f"{error.filename or 'standard output'}: {error.strerror}")


def _invoke() -> int | str | None:
    # Imported here, so that Ctrl-C during the import is caught as well.
    from metatac.cli.app import app

    try:
        app(prog_name="metatac")
    except SystemExit as leaving:
        return leaving.code
    return 0


def _complain(message: str) -> int:
    print(f"metatac: {message}", file=sys.stderr)
    return 2


def _reader_gone() -> int:
    _let_go_of_stdout()
    return 141


def _let_go_of_stdout() -> None:
    # Python flushes stdout once more while it exits; give it somewhere harmless to go.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
