"""The pages about matches and tournaments say what there is: examples run, options and keys exist."""

import re
from pathlib import Path

from metatac.arena.tournament import TIEBREAKS
from metatac.arena.tournament_file import KEYS, load_tournament
from metatac.cli.app import load_command

DOCS = Path(__file__).parents[2] / "docs"
MATCH, ARENA, TEACHERS = ((DOCS / f"{name}.md").read_text("utf-8") for name in ("match", "arena", "teachers"))


def options_in(page: str) -> set[str]:
    return set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", page))


def options_of(command: object) -> set[str]:
    return {name for option in command.params for name in option.opts}  # type: ignore[attr-defined]


def test_the_python_example_runs() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", MATCH, re.DOTALL)
    names: dict[str, object] = {}
    exec(code, names)
    assert names["standing"].tally.pairs == 10  # type: ignore[attr-defined]


def test_every_option_that_is_named_exists() -> None:
    assert options_in(MATCH) <= options_of(load_command("match"))
    commands = load_command("arena").commands.values()
    known = set().union(*(options_of(command) for command in commands), {"--only", "--record"})
    assert options_in(ARENA) | options_in(TEACHERS) <= known


def test_every_key_of_a_tournament_is_described_and_no_other() -> None:
    table = ARENA[ARENA.index("| key |") : ARENA.index("The most used")]
    named = {key for row in table.splitlines()[2:] for key in re.findall(r"`\[?(\w+)\]?`", row.split(" | ")[0])}
    assert named == set(KEYS)


def test_every_tie_break_is_described() -> None:
    assert all(f"`{name}`" in ARENA for name in TIEBREAKS)


def test_the_files_in_the_pages_are_tournaments(tmp_path: Path) -> None:
    (tmp_path / "submissions").mkdir()
    for name in ("anna", "bert"):
        bot = "def choose(position, clock):\n    return position.legal_moves[0]\n"
        (tmp_path / "submissions" / f"{name}.py").write_text(bot)
    for page in (ARENA, TEACHERS):
        (text,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
        file = tmp_path / "cup.toml"
        # What a machine offers differs, and four players have no seven rounds.
        file.write_text(text.replace('"full"', '"auto"').replace("rounds = 7", "rounds = 3"))
        assert len(load_tournament(file).plan.players) == 4
