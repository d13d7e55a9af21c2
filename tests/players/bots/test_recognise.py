"""What a file is, told by reading it."""

from pathlib import Path

import pytest

from metatac.errors import BotError
from metatac.players.bots.recognise import Entry, python_entry, spoken_protocol

COURSE = "    def move(self, board, old_move, flag):\n        return board.find_valid_move_cells(old_move)[0]\n"


def written(folder: Path, text: str, name: str = "bot.py") -> Path:
    file = folder / name
    file.write_text(text)
    return file


@pytest.mark.parametrize(
    ("source", "entry"),
    [
        ("def choose(position, clock): ...", Entry("choose")),
        ("from brain import choose", Entry("choose")),
        ("choose = lambda position, clock: None", Entry("choose")),
        ("class Mine:\n    def choose(self, position, clock): ...", Entry("Mine")),
        (f"class Team5:\n{COURSE}", Entry("Team5", course=True)),
        (f"class Random_Player:\n{COURSE}\nclass Team5:\n{COURSE}\nclass Board: pass", Entry("Team5", course=True)),
        (f"class Random_Player:\n{COURSE}\nclass Player52:\n{COURSE}", Entry("Player52", course=True)),
        (f"class Base:\n{COURSE}\nclass Team1(Base): pass", Entry("Team1", course=True)),
        ("import sys\nfor line in sys.stdin: print('bestmove aa')", None),
        ("class Piece:\n    def move(self): ...", None),
        ("def helper():\n    def choose(position, clock): ...", None),
    ],
)
def test_the_bot_in_a_python_file(tmp_path: Path, source: str, entry: Entry | None) -> None:
    assert python_entry(written(tmp_path, source)) == entry


def test_nothing_of_the_file_is_run(tmp_path: Path) -> None:
    assert python_entry(written(tmp_path, "raise SystemExit\ndef choose(position, clock): ...")) == Entry("choose")


def test_of_several_classes_one_must_be_named(tmp_path: Path) -> None:
    file = written(tmp_path, f"class A:\n{COURSE}\nclass B:\n{COURSE}")
    with pytest.raises(BotError, match=r"A, B could each be the bot; name one with entry="):
        python_entry(file)
    assert python_entry(file, "B") == Entry("B", course=True)
    with pytest.raises(BotError, match="no bot called 'C'"):
        python_entry(file, "C")


@pytest.mark.parametrize(
    "line",
    [
        'print "hello"',
        "print board.block_status",
        "print >>sys.stderr, 1",
        "exec code",
        "raise ValueError, 'no'",
        "x = 10L",
        "x = 0777",
        "if a <> b: pass",
        "try:\n    pass\nexcept ValueError, error:\n    pass",
        "for i in xrange(16): pass",
        "move = raw_input()",
    ],
)
def test_python_2_is_refused_with_that_reason(tmp_path: Path, line: str) -> None:
    file = written(tmp_path, f"class Team1:\n{COURSE}\n{line}\n")
    with pytest.raises(BotError, match=rf"{file}, line \d+: this is Python 2"):
        python_entry(file)


def test_a_name_of_python_2_that_the_file_defines_itself_is_none(tmp_path: Path) -> None:
    source = f"from functools import reduce\nxrange = range\nreduce(max, xrange(3))\nclass Team1:\n{COURSE}"
    assert python_entry(written(tmp_path, source)) is not None


@pytest.mark.parametrize("source", ["def choose(:", "class", "x = " + "(" * 5000, "\0"])
def test_what_is_no_python_says_where(tmp_path: Path, source: str) -> None:
    file = written(tmp_path, source)
    with pytest.raises(BotError, match=str(file)) as found:
        python_entry(file)
    assert "Python 2" not in str(found.value)


@pytest.mark.parametrize(
    ("source", "protocol"),
    [
        ('console.log("bestmove " + move)', "ugi"),
        ('printf("place_move %d %d\\n", x, y); if (field[i] == \'.\')', "riddles"),
        ('print("place_move", x, y); parts = line.split(",")', "theaigames"),
        ("opponent_row, opponent_col = [int(i) for i in input().split()]", "codingame"),
        ("int validActionCount = in.nextInt();", "codingame"),
        ("print('hello')", None),
    ],
)
def test_programs_give_their_protocol_away(tmp_path: Path, source: str, protocol: str | None) -> None:
    assert spoken_protocol(written(tmp_path, source, "bot")) == protocol
