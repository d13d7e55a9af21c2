"""The example of docs/match.md runs, and its options exist."""

import re
from pathlib import Path

from metatac.cli.app import load_command

PAGE = (Path(__file__).parents[2] / "docs" / "match.md").read_text("utf-8")


def test_the_python_example_runs() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    names: dict[str, object] = {}
    exec(code, names)
    assert names["standing"].tally.pairs == 10


def test_every_option_that_is_named_exists() -> None:
    known = {name for option in load_command("match").params for name in option.opts}
    assert set(re.findall(r"(?<![\w-])--[a-z]+", PAGE)) <= known
