"""metatac engine: the protocol through the pipes of a real process."""

import os
import random
import subprocess
import sys
import threading
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-m", "metatac", "engine"]


def test_a_session_through_pipes() -> None:
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as child:
        assert child.stdin is not None and child.stdout is not None
        watchdog = threading.Timer(900, child.kill)  # who waits for a line that never comes fails, and does not hang
        watchdog.daemon = True
        watchdog.start()

        def say(line: str, until: str) -> list[str]:
            child.stdin.write(line + "\n")  # type: ignore[union-attr]
            heard = [""]
            while not heard[-1].startswith(until):
                heard.append(child.stdout.readline())  # type: ignore[union-attr]
                assert heard[-1], heard
            return heard[1:]

        say("ugi", "ugiok")
        say("setoption name Threads value 2\nsetoption name Hash value 8\nisready", "readyok")
        moves: list[str] = []
        for _ in range(3):
            moves.append(
                say(f"position startpos{' moves' * bool(moves)} {' '.join(moves)}\ngo movetime 30", "best")[-1]
            )
            moves[-1] = moves[-1].split()[1]
        assert say("go infinite\nisready", "readyok")
        assert say("stop", "bestmove")[-1].startswith("bestmove")
        child.stdin.write("go infinite\nquit\n")
        assert child.stdout.read().splitlines()[-1].startswith("bestmove")
        assert child.wait(300) == 0
        watchdog.cancel()


def test_noise_and_then_the_end_while_it_searches() -> None:
    chance = random.Random(1)
    words = [
        "ugi",
        "isready",
        "position",
        "startpos",
        "fen",
        "moves",
        "go",
        "stop",
        "nodes",
        "9",
        "ee",
        "\0",
        "é",
        "query",
    ]
    noise = [
        " ".join(chance.choices(words, k=chance.randrange(1, 5))).encode()
        if chance.random() < 0.7
        else chance.randbytes(chance.randrange(40)).replace(b"quit", b"")
        for _ in range(300)
    ]
    typed = b"\n".join(
        [b"setoption name Hash value 2", *noise, b"stop", b"isready", b"position startpos", b"go infinite", b""]
    )
    done = subprocess.run(COMMAND, input=typed, capture_output=True, timeout=900, check=False)
    said = done.stdout.decode().splitlines()
    assert done.returncode == 0 and b"Traceback" not in done.stderr
    assert "readyok" in said and said[-1].startswith("bestmove") and not any("fault of" in line for line in said)


@pytest.mark.skipif(sys.platform == "win32", reason="no limits there")
@pytest.mark.parametrize("room", [40_960, None])
def test_compiled_code_is_copied_whole_or_not_at_all(room: int | None, tmp_path: Path) -> None:
    source, cache = tmp_path / "there" / "0123456789", tmp_path / "here"
    source.mkdir(parents=True)
    (source / "small").write_bytes(bytes(100))
    (source / "large").write_bytes(bytes(100_000))
    limit = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({room}, {room})); " if room else ""
    command = [sys.executable, "-c", f"{limit}from metatac.cli import main; main()", "engine"]
    environment = os.environ | {"METATAC_CACHE_FROM": str(source), "METATAC_CACHE_DIR": str(cache)}
    done = subprocess.run(command, input="ugi\n", capture_output=True, text=True, env=environment, timeout=300)
    assert done.returncode == 0 and done.stdout.endswith("ugiok\n") and not done.stderr
    copied = [] if room else [("0123456789/large", 100_000), ("0123456789/small", 100)]
    folder = cache / "compiled"
    found = [(str(file.relative_to(folder)), file.stat().st_size) for file in folder.rglob("*") if file.is_file()]
    assert sorted(found) == copied
