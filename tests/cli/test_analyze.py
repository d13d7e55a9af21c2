"""metatac analyze, of positions and of whole games, and metatac players."""

import json
import os
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner, Result

import metatac
from metatac.cli.app import app
from metatac.notation import Record, write_records
from metatac.players import player_entries

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden" / "sudoku-calculator.jsonl"
CALCULATED = [golden for golden in map(json.loads, GOLDEN.read_text().splitlines()) if golden["depth"]]
PAGE = (ROOT / "docs" / "analysis.md").read_text("utf-8")


def analyze(*arguments: object, typed: str = "") -> Result:
    return CliRunner().invoke(app, ["analyze", *map(str, arguments)], input=typed)


def complaint(*arguments: object) -> str:
    """What is said about arguments that are refused."""
    done = analyze(*arguments)
    assert done.exit_code != 0
    return re.sub(r"[\s│]+", " ", f"{done.exception} {done.output}")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "games.txt"
    blundered = metatac.Game("tic-tac-toe", ["a", "b", "e", "c", "i"])
    with path.open("w") as out:
        write_records(out, [Record.from_game(blundered, tags={"X": "Ann", "O": "Bob"})])
    return path


# -- positions


@pytest.mark.parametrize("golden", CALCULATED, ids=lambda g: f"{g['side']}-{len(g['moves'])}-{g['depth']}")
def test_the_calculator_from_the_command_line(golden: dict[str, Any]) -> None:
    rules = metatac.load_rules("sudoku", side=golden["side"])
    moves = " ".join(str(metatac.Move(numbers)) for numbers in golden["moves"])
    asked = ("sudoku", "--set", f"side={golden['side']}", "--moves", moves, "--with", f"minimax:{golden['depth']}")
    found = json.loads(analyze(*asked, "--json").stdout)
    position = metatac.Game(rules.spec, moves.split()).position
    assert found["value_x"] == pytest.approx(golden["value"], abs=1e-9)
    assert len(found["moves"]) == len(position.legal_moves)
    if found["moves"]:
        assert found["moves"][0]["value_x"] == found["value_x"]
        assert {"move", "line", "proven", "value_x"} <= set(found["moves"][0])


def test_a_table_on_the_terminal() -> None:
    done = analyze("ultimate", "--moves", "ee, ea", "--nodes", 3000)
    assert done.exit_code == 0
    assert "in X's view: value " in done.stdout and "heat: 9 is the best move, 0 the worst" in done.stdout
    assert "\x1b" not in done.stdout
    assert sum(line.startswith("  a") for line in done.stdout.splitlines()) == 9
    assert re.search(r"engine: depth \d+, [\d,]+ positions in [\d.]+ s, [\d,]+ a second", done.stdout)


def test_many_moves_are_cut_unless_one_asks() -> None:
    done = analyze("ultimate-ultimate", "--nodes", 8000)
    assert "12 of 5832 moves shown; --lines 5832 shows all" in done.stdout
    assert len(done.stdout.splitlines()) < 70
    few = analyze("ultimate", "--nodes", 3000, "--lines", 20)
    assert "moves shown" not in few.stdout
    assert len(json.loads(analyze("ultimate", "--nodes", 3000, "--lines", 20, "--json").stdout)["moves"]) == 20


def test_a_won_position_is_proven() -> None:
    board = "XX1O1O3"
    for game in ([], ["tic-tac-toe"]):
        done = analyze(*game, "--position", f"tic-tac-toe X - {board}", "--depth", 2, "--json")
        found = json.loads(done.stdout)
        assert found["value_x"] == 1 and found["proven"] and found["moves"][0]["move"] == "c"


def test_a_finished_position_is_answered() -> None:
    over = analyze("tic-tac-toe", "--moves", "a d b e c")
    assert over.exit_code == 0 and "X wins (line)" in over.stdout and "value +1.000" in over.stdout
    found = json.loads(analyze("tic-tac-toe", "--moves", "a d b e c", "--json").stdout)
    assert found["outcome"] == {"winner": "X", "points": [1, 0], "reason": "line"} and found["moves"] == []


def test_tree_searches_count_visits() -> None:
    for who in ("mcts:300n", "uct:300n", "heurist:300"):
        done = analyze("ultimate", "--moves", "ee", "--with", who)
        assert "visits" in done.stdout and f"{who}: 300 visits in" in done.stdout and "depth" not in done.stdout


def test_the_heat_map_as_a_picture(tmp_path: Path) -> None:
    path = tmp_path / "new" / "heat.svg"
    assert analyze("ultimate", "--moves", "ee", "--nodes", 2000, "--plot", path).exit_code == 0
    root = ElementTree.fromstring(path.read_text("utf-8"))
    assert sum(node.get("class") == "heat" for node in root.iter()) == 8


# -- games


def test_a_game_as_text(file: Path) -> None:
    done = analyze("--record", file, "--with", "minimax:10")
    lines = done.stdout.splitlines()
    assert lines[0] == "tic-tac-toe: Ann – Bob, 1-0 (line)"
    (blunder,) = (line for line in lines if "blunder," in line)
    assert re.match(r" +2\. O b\?\? +\+1\.000 proven  blunder, 0\.500 lost; better \(\+0\.000\): e ", blunder)
    assert sum(bool(re.match(r" +\d+\. [XO] ", line)) for line in lines) == 5
    assert any(re.fullmatch(r"score  [▁▂▃▄▅▆▇█]{6}", line) for line in lines)
    (ann,) = (line for line in lines if line.startswith("X  Ann"))
    assert re.search(r"100\.0 % +0\.000 +0 +0 +0$", ann)


def test_a_game_as_text_fits_a_narrow_terminal(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("metatac.cli.record_view.output_width", lambda: 80)
    lines = analyze("--record", file, "--with", "minimax:10").stdout.splitlines()
    (blunder,) = (line for line in lines if "blunder," in line)
    assert re.search(r"better \(\+0\.000\): e [a-i …]+$", blunder) and max(map(len, lines)) <= 80


def test_a_game_as_json_and_as_a_plot(file: Path, tmp_path: Path) -> None:
    plot = tmp_path / "plot.svg"
    done = analyze("--record", "-", "--with", "minimax:10", "--json", "--plot", plot, typed=file.read_text())
    found = json.loads(done.stdout)
    assert [ply["move"] for ply in found["moves"]] == ["a", "b", "e", "c", "i"]
    assert found["complete"] and found["players"]["O"]["blunders"] == 1
    root = ElementTree.fromstring(plot.read_text("utf-8"))
    assert sum("bad" in (node.get("class") or "") for node in root.iter()) == 1


def test_the_engine_analyses_a_game_with_a_number_of_nodes(file: Path) -> None:
    first, second = (analyze("--record", file, "--nodes", 500, "--json").stdout for _ in range(2))
    assert first == second and json.loads(first)["by"] == "engine"


def test_of_several_games_one_is_chosen(file: Path) -> None:
    file.write_text(file.read_text() + "\n" + Record.from_game(metatac.Game("ultimate", ["ee"])).to_text())
    assert f"{file}: there are 2 records in it; --only N chooses one" in complaint("--record", file)
    assert f"{file}: there are 2 records, none is 3" in complaint("--record", file, "--only", 3)
    done = analyze("--record", file, "--only", 2, "--nodes", 500)
    assert done.stdout.startswith("ultimate: *")


# -- what is refused


def test_a_bad_record_names_the_file_and_the_place(file: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    assert "empty: there is no record in it" in complaint("--record", tmp_path / "empty")
    assert "No such file" in complaint("--record", tmp_path / "missing")
    file.write_text(file.read_text().replace("3. e", "3. a"))
    said = complaint("--record", file)
    assert str(file) in said and "line" in said and "ply 3" in said
    file.write_bytes(b"\xff\xfe\x00garbage")
    assert f"{file}: line 1" in complaint("--record", file)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "name a GAME, a --position or a --record"),
        (["chess"], "'chess' is no game"),
        (["ultimate", "--moves", "ee zz"], "--moves, move 2: 'zz' is no move of ultimate"),
        (["ultimate", "--moves", "ee aa"], "--moves, move 2: 'aa' may not be played: O must play in board e"),
        (["ultimate", "--position", "tic-tac-toe X - 9"], "the position is one of tic-tac-toe, not of ultimate"),
        (["--position", "nonsense"], "four fields are wanted"),
        (["ultimate", "--with", "random"], "'random' does not analyse"),
        (["ultimate", "--with", "deepblue"], "'deepblue' is no player"),
        (["ultimate", "--with", "minimax:2", "--nodes", "9"], "minimax:2 cannot be limited by nodes"),
        (["ultimate", "--time", "soon"], "'soon' is no duration"),
        (["ultimate", "--time", "0s"], "more than nothing is wanted"),
        (["ultimate", "--only", "2"], "--only goes with --record"),
        (["ultimate", "--record", "x"], "the record says which game it is"),
        (["--record", "x", "--moves", "ee"], "--moves goes with one position"),
        (["--record", "x", "--lines", "2"], "--lines goes with one position"),
        (["ultimate", "--with", "minimax:2", "--depth", "50"], "depth is a whole number from 1 to 12, not 50"),
        (["ultimate", "--nodes", "99999999999999999999999"], "Invalid value for '--nodes'"),
        (["ultimate", "--with", "engine:hash=1e9"], "hash is from"),
    ],
)
def test_bad_input_is_named(arguments: list[str], said: str) -> None:
    assert said in complaint(*arguments)


# -- the page


def same_shape(shown: Any, found: Any) -> bool:
    if isinstance(shown, dict):
        return list(shown) == list(found) and all(same_shape(shown[key], found[key]) for key in shown)
    if isinstance(shown, list):
        return all(same_shape(one, other) for one, other in zip(shown, found, strict=False))
    return type(shown) is type(found)


def test_the_page_shows_what_is_printed(tmp_path: Path) -> None:
    position, game = map(json.loads, re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL))
    command = re.findall(r"`metatac analyze (tic-tac-toe .*?)`", PAGE)[0]
    found = json.loads(analyze(*re.sub(r'"(.*?)"', lambda m: m[1].replace(" ", ","), command).split()).stdout)
    assert same_shape(position, found)
    exact = ("position", "turn", "value_x", "score_x", "depth", "proven", "legal", "outcome", "by")
    assert all(position[key] == found[key] for key in exact)
    assert [(one["move"], one["value_x"]) for one in position["moves"]] == [
        (one["move"], one["value_x"]) for one in found["moves"]
    ]
    path = tmp_path / "game.txt"
    path.write_text(Record.from_game(metatac.Game("tic-tac-toe", list("abcdf"))).to_text())
    found = json.loads(analyze("--record", path, "--with", "minimax:10", "--json").stdout)
    found["moves"] = found["moves"][-1:]
    assert same_shape(game, found)
    assert game["moves"][0]["loss"] == found["moves"][0]["loss"]
    for side in "XO":
        assert game["players"][side] == pytest.approx(found["players"][side])


def test_the_python_of_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (block,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(compile(block, "analysis.md", "exec"), {})


# -- at a terminal


@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
def test_at_a_terminal_it_changes_in_place_and_ctrl_c_shows_what_it_has() -> None:
    import pty

    master, slave = pty.openpty()
    command = [sys.executable, "-m", "metatac", "analyze", "ultimate", "--moves", "ee", "--time", "5m"]
    with subprocess.Popen(
        command, stdin=slave, stdout=slave, stderr=slave, env=os.environ | {"TERM": "xterm"}, start_new_session=True
    ) as process:
        os.close(slave)
        seen, deadline = b"", time.monotonic() + 900
        while b"Ctrl-C ends it" not in seen and time.monotonic() < deadline:
            seen += os.read(master, 65536) if select.select([master], [], [], 1)[0] else b""
        process.send_signal(signal.SIGINT)
        while process.poll() is None or select.select([master], [], [], 0.2)[0]:
            try:
                seen += os.read(master, 65536) if select.select([master], [], [], 0.2)[0] else b""
            except OSError:  # how a pseudo-terminal says that nobody is left on the other side
                break
        os.close(master)
        assert process.wait(300) == 130
    text = seen.decode()
    assert "\x1b[" in text and "48;5;" in text
    assert re.search(r"engine: depth \d+", text[text.rindex("in X's view") :])


# -- players


def test_every_player_is_listed() -> None:
    run = CliRunner()
    done = run.invoke(app, ["players", "--json"])
    assert set(json.loads(done.stdout)) == {entry.name for entry in player_entries()}
    assert all(entry.name in run.invoke(app, ["players"]).stdout for entry in player_entries())
