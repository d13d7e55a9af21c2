"""Hostile and broken bots: each loses with the right reason, nobody else is harmed, and nothing is left behind."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import zookeeper
from zookeeper import REASONS, Visit

from metatac.players.bots.isolation import Level, obstacle

ZOO = Path(__file__).with_name("zoo")
SECRET = "swordfish"

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="isolation is Linux's")


def need(level: Level) -> None:
    """Skip where the machine does not offer the level; our own must."""
    if (reason := obstacle(level)) is not None:
        assert "CI" not in os.environ, reason
        pytest.skip(f"isolation={level}: {reason}")


@pytest.fixture(scope="module")
def zoo() -> Iterator[Path]:
    """The bots, where everybody can read them, beside a neighbour with a secret."""
    with tempfile.TemporaryDirectory(prefix="metatac-zoo-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        shutil.copytree(ZOO, folder / "zoo")
        (folder / "neighbour").mkdir()
        (folder / "neighbour" / "plan.txt").write_text(SECRET)
        yield folder / "zoo"


@pytest.fixture(scope="module")
def at_full(zoo: Path) -> dict[str, Visit]:
    """Every bot's game at full isolation, with honest games between them and at the same time."""
    need(Level.FULL)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("REFEREE", SECRET)
        return zookeeper.tour(zoo, Level.FULL, ["honest", *REASONS])


def test_every_bot_of_the_zoo_is_expected() -> None:
    others = {"honest", "daemon_and_plays", "uses_a_thread"}
    assert {file.stem for file in ZOO.glob("*.py")} == REASONS.keys() | others


@pytest.mark.parametrize("name", REASONS)
def test_it_loses_with_the_right_reason(at_full: dict[str, Visit], name: str) -> None:
    seen = at_full[name]
    assert (seen.reason, seen.winner) == (REASONS[name], "O"), seen.detail
    assert seen.left == []


def test_honest_bots_that_play_meanwhile_finish_their_game(at_full: dict[str, Visit]) -> None:
    assert at_full["honest"].reason == "line" and at_full["honest"].left == []


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("exits_with_3", "it ended with exit status 3\nno opening book"),
        ("exits_at_once", "it ended with exit status 0"),
        ("aborts", "it ended with signal SIGABRT"),
        ("crashes_at_move_10", "ZeroDivisionError"),
        ("closes_its_output", "it closed its output and went on running"),
        ("half_line", "it wrote half a line, 'a', and ended"),
        ("half_line_and_wait", "it had written 'a'"),
        ("disk_hog", "File too large|No space left"),
        ("memory_hog", "MiB resident; 128 MiB are allowed"),
        ("fork_bomb", "processes at once; 16 are allowed"),
        ("thread_bomb", "threads at once; 128 are allowed"),
        ("stderr_flood", "oh dear!"),
        ("prints_two_moves", "output that nobody asked for: 'aa'"),
    ],
)
def test_the_detail_says_what_happened(at_full: dict[str, Visit], name: str, words: str) -> None:
    assert any(word in at_full[name].detail for word in words.split("|")), at_full[name].detail


def test_stderr_is_kept_and_bounded(at_full: dict[str, Visit]) -> None:
    assert at_full["exits_with_3"].stderr == "no opening book\n"
    assert len(at_full["stderr_flood"].stderr) <= 8192


def test_no_neighbour_can_be_read(at_full: dict[str, Visit]) -> None:
    seen = at_full["reader"]
    assert "FileNotFoundError ../neighbour/plan.txt" in seen.stderr
    assert SECRET not in seen.stderr


def test_daemons_of_a_bot_that_plays_on_end_with_the_game(zoo: Path) -> None:
    need(Level.FULL)
    seen = zookeeper.visit(zoo / "daemon_and_plays.py", Level.FULL)
    assert seen.reason == "line" and seen.left == []


# Without namespaces these lose as they do with them; the rest of the zoo needs no sandbox to lose.
LIMITED = (
    "network_caller",
    "kills_its_parent",
    "signals_everybody",
    "traces",
    "memory_hog",
    "reader",
    "closes_its_output",
)
SWARMS = ("fork_bomb", "memory_herd", "leaves_a_daemon")


def test_the_zoo_at_limited_isolation(zoo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need(Level.LIMITED)
    monkeypatch.setenv("REFEREE", SECRET)
    visits = zookeeper.tour(zoo, Level.LIMITED, ["honest", "disk_hog", *LIMITED])
    assert visits.pop("honest").reason == "line"
    assert visits.pop("disk_hog").reason in ("memory", "crash")  # whether it is seen or refused first
    assert {name: seen.reason for name, seen in visits.items()} == {name: REASONS[name] for name in LIMITED}
    assert not any(seen.left for seen in visits.values())
    assert SECRET not in visits["reader"].stderr


def test_without_isolation_nothing_is_left_behind_either(zoo: Path) -> None:
    names = ["memory_hog", "leaves_a_daemon", "daemon_and_plays", "kills_its_parent"]
    visits = zookeeper.tour(zoo, Level.NONE, names)
    assert [visits[name].reason for name in names] == ["memory", "crash", "line", "tampering"]
    assert not any(seen.left for seen in visits.values())


@pytest.mark.skipif(os.geteuid() != 0, reason="it takes root to become somebody else")
@pytest.mark.parametrize(
    ("level", "at_once", "names"),
    # Without namespaces the kernel counts all that the user runs: a swarm could keep another bot from its own.
    [(Level.FULL, 3, tuple(REASONS)), (Level.LIMITED, 1, LIMITED + SWARMS)],
    ids=["full", "limited"],
)
def test_the_zoo_as_another_user(zoo: Path, level: Level, at_once: int, names: tuple[str, ...]) -> None:
    """Once more, where neither the referee nor the bots are root."""
    need(level)
    python = next((path for path in (sys.executable, "/usr/bin/python3") if _runs_for_nobody(path)), None)
    if python is None:
        pytest.skip("no Python here that another user may run")
    with tempfile.TemporaryDirectory(prefix="metatac-zoo-") as place:
        # The sources may lie where only root can read.
        os.chmod(place, 0o755)
        shutil.copytree(zookeeper.HERE / "src" / "metatac", f"{place}/metatac", ignore=shutil.ignore_patterns("*.pyc"))
        shutil.copy(zookeeper.__file__, place)
        done = subprocess.run(
            [python, "-B", f"{place}/zookeeper.py", zoo, level.name, str(at_once), "honest", *names],
            env={"PYTHONPATH": place, "PATH": os.defpath, "REFEREE": SECRET},
            cwd="/",
            user=65534,
            group=65534,
            extra_groups=[],
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    visits = {seen["name"]: seen for seen in json.loads(done.stdout)}
    expected = {name: REASONS[name] for name in names}
    assert {name: seen["reason"] for name, seen in visits.items()} == {"honest": "line"} | expected
    assert not any(seen["left"] for seen in visits.values())
    assert SECRET not in visits["reader"]["stderr"]


def _runs_for_nobody(python: str) -> bool:
    check = "import sys; sys.exit(sys.version_info < (3, 11))"
    try:
        done = subprocess.run([python, "-c", check], user=65534, group=65534, cwd="/", check=False, timeout=60)
    except OSError:
        return False
    return done.returncode == 0
