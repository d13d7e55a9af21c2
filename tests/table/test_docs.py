"""The Python of docs/play.md runs as it stands."""

import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "play.md"


def test_the_example_plays() -> None:
    (block,) = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    names: dict[str, object] = {}
    exec(compile(block, str(PAGE), "exec"), names)
    assert names["table"].redo_moves and not names["table"].match.moves  # type: ignore[attr-defined]
