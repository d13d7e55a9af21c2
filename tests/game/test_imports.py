"""Heavy imports stay at home: a game between two people needs neither NumPy nor Numba."""

import json
import subprocess
import sys

import pytest

HEAVY = {"numpy", "numba", "llvmlite", "torch", "fastapi", "textual", "sqlalchemy", "typer", "rich"}


def modules_after(program: str) -> set[str]:
    code = f"{program}\nimport json, sys\nprint(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_importing_the_package_imports_next_to_nothing() -> None:
    loaded = modules_after("import metatac; metatac.__version__; dir(metatac)")
    assert {name for name in loaded if name.startswith("metatac")} == {"metatac"}
    assert not loaded & HEAVY


GAME = """
import random
import metatac
from metatac.match import new_match, record_of, run
from metatac.players.human import HumanPlayer

chance, seen = random.Random(1), []

def ask(prompt):
    return str(chance.choice(seen[-1].legal_moves))

class Person(HumanPlayer):
    def choose(self, position, *rest):
        seen.append(position)
        assert metatac.position(position.text) == position
        position.to_dict()
        return super().choose(position, *rest)

match = new_match(metatac.load_rules({name!r}), names=("Ann", "Bob"))
match = run(match, (Person("Ann", ask=ask), Person("Bob", ask=ask)))
assert match.result is not None and len(seen) > 4
assert "Ann" in record_of(match).to_text()
"""


@pytest.mark.parametrize("name", ["tic-tac-toe", "ultimate", "extreme", "sudoku", "ultimate-ultimate"])
def test_a_whole_game_between_two_people(name: str) -> None:
    loaded = modules_after(GAME.format(name=name))
    assert {"metatac.match", "metatac.game", "metatac.rules"} <= loaded
    assert not loaded & HEAVY
    assert not {module for module in loaded if module.startswith(("metatac.kernel", "metatac.engine"))}


def test_the_names_of_the_package() -> None:
    code = """
import metatac
for name in metatac.__all__:
    assert callable(getattr(metatac, name)), name
try:
    metatac.nothing
except AttributeError as error:
    assert "nothing" in str(error)
else:
    raise SystemExit(1)
"""
    assert not modules_after(code) & HEAVY
