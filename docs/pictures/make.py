"""Draw the pictures of this folder from the positions in positions.txt: `make pictures`."""

from pathlib import Path

import metatac
from metatac.game import parse_move

HERE = Path(__file__).parent


def pictures() -> dict[str, str]:
    """The file name and the text of every picture."""
    drawn = {}
    for line in (HERE / "positions.txt").read_text("utf-8").splitlines():
        if not line.startswith("#"):
            move, text = line.split(" ", 1)
            position = metatac.position(text)
            last = parse_move(position.rules, move)
            size = 720 if position.rules.depth == 3 else 480
            drawn[f"{position.rules.name}.svg"] = metatac.board_svg(position, last=last, size=size)
    return drawn


if __name__ == "__main__":
    for name, text in pictures().items():
        (HERE / name).write_text(text, "utf-8", newline="\n")
        print(HERE / name)
