"""The wheel, built from the source archive, works in a fresh environment far from the checkout."""

import os
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

import metatac

ROOT = Path(__file__).parents[1]
Run = Callable[..., str]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True, timeout=900)
    (built,) = out.glob("*.whl")
    assert len(list(out.glob("*.tar.gz"))) == 1
    return built


@pytest.fixture(scope="module")
def run(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Runs the installed `metatac` in an empty folder; its dependencies are those of this environment."""
    folder = tmp_path_factory.mktemp("fresh")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "venv"], check=True, timeout=600)
    places = sysconfig.get_paths(vars={"base": str(folder / "venv"), "platbase": str(folder / "venv")})
    # A path that a .pth names does not have its own .pth files read: the editable checkout stays out.
    Path(places["purelib"], "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    python = Path(places["scripts"], "python")
    install = [sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--no-index", wheel]
    subprocess.run(install, check=True, capture_output=True, timeout=600)
    empty = folder / "elsewhere"
    empty.mkdir()
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}

    def call(*command: str) -> str:
        done = subprocess.run(
            [Path(places["scripts"], command[0]), *command[1:]],
            cwd=empty,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return call


def test_the_wheel_carries_the_data_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert "metatac/py.typed" in names
    presets = {path.name for path in (ROOT / "src/metatac/rules/presets").glob("*.toml")}
    assert presets and presets <= {name.rpartition("/")[2] for name in names}
    assert {name.partition("/")[0] for name in names} == {
        "metatac",
        f"metatac-{metatac.__version__}.dist-info",
    }


def test_the_installed_package_is_not_the_checkout(run: Run) -> None:
    found = run("python", "-c", "import metatac; print(metatac.__file__)")
    assert str(ROOT) not in found


def test_version(run: Run) -> None:
    assert run("metatac", "--version") == f"metatac {metatac.__version__}\n"


def test_rules_list(run: Run) -> None:
    listed = run("metatac", "rules", "list")
    assert all(name in listed for name in metatac.preset_names())


def test_a_game_between_two_random_players(run: Run) -> None:
    game = ("metatac", "play", "ultimate", "--x", "random", "--o", "random", "--seed", "1")
    assert run(*game) == run(*game) != ""


def test_the_kernel_compiles_from_the_wheel(run: Run) -> None:
    assert run("metatac", "perft", "tic-tac-toe", "3") == "1 9\n2 72\n3 504\n"
