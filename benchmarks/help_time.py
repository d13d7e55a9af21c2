"""How long `metatac --help` takes beside a bare Typer program's: interleaved runs, medians, their ratio.

Where the system tells it, the time is what the processor worked: a busy machine makes both wait, and not alike.

python benchmarks/help_time.py [RUNS]
"""

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BARE = '''
import typer

app = typer.Typer()

@app.command()
def hello(name: str = "you") -> None:
    """Say hello."""
    print(f"hello, {name}")

if __name__ == "__main__":
    app()
'''


def seconds(command: list[str]) -> float:
    begin = worked()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return worked() - begin


def worked() -> float:
    """What the processor has worked for the programs that were run from here."""
    if sys.platform == "win32":
        return time.perf_counter()
    import resource

    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def measure(runs: int) -> tuple[float, float]:
    """The median seconds of (metatac --help, the bare program's --help)."""
    with tempfile.TemporaryDirectory() as folder:
        bare_program = Path(folder, "bare.py")
        bare_program.write_text(BARE)
        ours = [sys.executable, "-m", "metatac", "--help"]
        bare = [sys.executable, str(bare_program), "--help"]
        # Once each unmeasured, so that both have their byte code and their files in memory.
        seconds(ours), seconds(bare)
        pairs = [(seconds(ours), seconds(bare)) for _ in range(runs)]
    return statistics.median(a for a, _ in pairs), statistics.median(b for _, b in pairs)


if __name__ == "__main__":
    ours, bare = measure(int(sys.argv[1]) if len(sys.argv) > 1 else 15)
    print(f"metatac --help {ours * 1000:.0f} ms, bare Typer {bare * 1000:.0f} ms, ratio {ours / bare:.2f}")
