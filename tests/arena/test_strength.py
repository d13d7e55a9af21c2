"""The benchmark of strength runs; what it measures is for a quiet machine."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "strength.py"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, SCRIPT, *arguments], capture_output=True, text=True)


def test_open_spiels_game_is_ours() -> None:
    pytest.importorskip("pyspiel")
    done = run("--check", "--games", "10")
    assert done.returncode == 0, done.stderr
    assert "is our ultimate in 10 random games" in done.stdout


def test_a_claim_is_played_kept_and_judged(tmp_path: Path) -> None:
    done = run("random", "--games", "2", "--time", "0.02", "--save", str(tmp_path / "games"))
    assert done.returncode in (0, 1), done.stderr
    row = done.stdout.splitlines()[1].split()
    assert row[:3] == ["random", "ultimate", "2"]
    assert row[-1] == ("met" if done.returncode == 0 else "MISSED")
    assert (tmp_path / "games").read_text().count("[Round ") == 2


def test_unknown_claims_are_named() -> None:
    done = run("chess")
    assert done.returncode == 2 and "'chess' is no claim; there are openspiel" in done.stderr
