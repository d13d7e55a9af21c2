"""UGI as a conversation in this process: every command, in any order, with anything in it."""

import io
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import some_position

import metatac
from metatac.engine.best_first import CONTEMPT
from metatac.engine.results import SearchResult
from metatac.engine.thinker import Thinker
from metatac.game import Move
from metatac.players.searchers import LEVELS
from metatac.players.ugi import LONGEST_LINE, Ugi, serve

INFO = re.compile(
    r"info depth \d+ multipv \d+ score (cp|mate) -?\d+ nodes \d+ nps \d+ time \d+ pv( [a-zA-Z]+)+|info string .+"
)
KNOWN = re.compile(r"(id|option|ugiok|readyok|response|info|bestmove)\b.*")


class Talk:
    """A conversation, and what was said in it."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.ugi = Ugi(lambda lines: self.said.extend(lines.split("\n")))
        self("setoption name Hash value 2", "setoption name Threads value 1")

    def __call__(self, *lines: str) -> list[str]:
        """Say lines; returns the answers."""
        before = len(self.said)
        for line in lines:
            self.ugi.receive(line)
        return self.said[before:]

    def go(self, words: str) -> list[str]:
        """Have it search to the end; returns everything that was said, the move last."""
        before = len(self.said)
        self.ugi.receive(f"go {words}")
        return self.to_the_move(before)

    def to_the_move(self, before: int = 0) -> list[str]:
        """Everything that was said from some line on, as soon as the last is a move."""
        for _ in range(30_000):
            if self.said[before:] and self.said[-1].startswith("bestmove"):
                return self.said[before:]
            time.sleep(0.01)
        raise AssertionError(f"no move after: {self.said[before:]}")


def test_the_introduction() -> None:
    said = Talk()("ugi")
    assert said[0].startswith("id name metatac") and said[-1] == "ugiok"
    names = [line.split()[2] for line in said if line.startswith("option name")]
    assert names == ["Rules", "Hash", "Threads", "Level", "Lines", "Contempt", "Ponder"]


def test_who_plays_despises_draws_and_who_wants_to_know_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    talk, heard = Talk(), list[float]()
    think = Thinker.think

    def listen(self: Thinker, *words: Any, draw_x: float, **more: Any) -> SearchResult:
        heard.append(draw_x)
        return think(self, *words, draw_x=draw_x, **more)

    monkeypatch.setattr(Thinker, "think", listen)
    talk.go("nodes 50")
    talk("setoption name Contempt value 20", "position startpos moves ee")
    talk.go("nodes 50")
    talk("go infinite", "stop")
    assert heard == [-CONTEMPT, 0.2, 0.0]


@pytest.mark.parametrize("name", metatac.preset_names())
def test_every_game_is_played(name: str) -> None:
    talk = Talk()
    assert talk(f"setoption name Rules value {name}", "isready", "uginewgame", "isready") == ["readyok"] * 2
    position = some_position(name, 6, 1)
    talk(f"position fen {position.text}")
    *infos, best = talk.go("nodes 2000")
    assert infos and all(INFO.fullmatch(line) for line in infos)
    assert position.parse(best.removeprefix("bestmove "))
    talk(f"position fen {position.text} moves {best.split()[1]}")
    assert talk("query fen") == [f"response {position.play(best.split()[1]).text}"]


def test_queries() -> None:
    talk = Talk()
    talk("setoption name Rules value tic-tac-toe", "position startpos moves a d b e")
    assert talk("query p1turn", "query gameover", "query result") == [
        "response true",
        "response false",
        "response none",
    ]
    talk("position startpos moves a d b e c")
    assert talk("query gameover", "query result") == ["response true", "response p1win"]
    assert talk.go("depth 1")[-1] == "bestmove none"
    talk("position startpos moves a b d c f g h i e")
    assert talk("query result") == ["response p1win"]
    talk("position startpos moves a b c e d g f i h")
    assert talk("query result") == ["response draw"]


def test_rules_come_as_name_file_or_text(tmp_path: object) -> None:
    talk, file = Talk(), f"{tmp_path}/my game.toml"
    with open(file, "w") as out:
        out.write('inherits = "ultimate"\nside = 2\n')
    assert talk(f"setoption name Rules value {file}", "position startpos", "query fen")[0].endswith("- 4/4/4/4")
    assert talk("setoption name Rules value ultimate{side=2;line=loses}", "query p1turn") == ["response true"]
    assert talk("position fen sudoku X e 9/9/9/9/9/9/9/9/9") == []
    assert talk("setoption name Rules value chess")[0].startswith("info string 'chess' is no game")
    assert talk("query fen")[0].startswith("response sudoku ")


def test_lines_level_and_the_expected_reply() -> None:
    talk = Talk()
    talk("setoption name MultiPV value 3", "setoption name Ponder value true")
    said = talk.go("depth 3")
    assert [line.split()[4] for line in said[:3]] == ["1", "2", "3"]
    assert re.fullmatch(r"bestmove \w\w ponder \w\w", said[-1])
    talk("setoption name Level value 1")
    assert re.fullmatch(r"bestmove \w\w", *talk.go("nodes 10"))


def test_a_proven_win_is_a_mate() -> None:
    talk = Talk()
    talk("setoption name Rules value tic-tac-toe", "position startpos moves a b e")
    assert "score mate -4" in talk.go("depth 20")[-2]
    talk("position startpos moves a b e c")
    assert "score mate 1 " in talk.go("p1time 1000 p2time 1000 p1inc 0 p2inc 0")[-2]


@pytest.mark.parametrize("words", ["depth 3", "nodes 3000", "nodes 300000"])
def test_no_line_is_told_twice(words: str) -> None:
    talk = Talk()
    talk("setoption name Rules value tic-tac-toe")
    *infos, _ = talk.go(words)
    told = [re.sub(r" nps .* pv ", " ", line) for line in infos]
    assert told and len(set(told)) == len(told)


def test_a_level_is_ready_and_plays_without_the_memory_of_full_strength() -> None:
    talk = Talk()
    assert talk("setoption name Level value 2", "isready") == ["readyok"]
    assert talk.ugi.player()._searcher is not None
    assert re.fullmatch(r"bestmove \w\w", *talk.go(""))
    assert talk.ugi._thinker is None


@pytest.mark.parametrize("level", [0, 3])
@pytest.mark.parametrize("ponder", ["", " ponder"])
def test_an_endless_search_answers_when_it_is_stopped_and_not_before(level: int, ponder: str) -> None:
    """Also where all is known, or a level has its move."""
    talk = Talk()
    talk("setoption name Rules value tic-tac-toe", f"setoption name Level value {level}")
    talk("position startpos moves a b e")
    talk(f"go infinite{ponder}", *(["ponderhit"] if ponder else []))
    search = talk.ugi._search
    assert search is not None
    for _ in range(100):
        if level or any("mate" in line for line in talk.said):
            break
        time.sleep(0.05)
    search.join(0.2)
    assert search.is_alive() and not any(line.startswith("bestmove") for line in talk.said)
    assert talk("stop")[-1].startswith("bestmove")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_rules_are_read_from_nothing_that_may_wait(tmp_path: Path) -> None:
    pipe, talk = tmp_path / "rules.toml", Talk()
    os.mkfifo(pipe)
    for path in ("/dev/null", str(pipe)):
        assert talk(f"setoption name Rules value {path}") == [f"info string {path}: no regular file, and so no rules"]
    assert talk("query p1turn") == ["response true"]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="no bound on memory there")
def test_memory_that_is_not_there_leaves_what_was() -> None:
    bounded = "import resource; resource.setrlimit(resource.RLIMIT_AS, (2**33, 2**33)); "
    code = bounded + "import sys; from metatac.players.ugi import serve; serve(sys.stdin.buffer, sys.stdout)"
    lines = "setoption name Threads value 1\nsetoption name Hash value 2\nisready\nsetoption name Hash value 65536\n"
    typed = lines + "isready\nisready\ngo depth 2\n"
    said = subprocess.run([sys.executable, "-c", code], input=typed, capture_output=True, text=True).stdout.splitlines()
    assert said[0] == said[2] == said[3] == "readyok"
    assert said[1].startswith("info string") and said[1].endswith("Hash is 2 and Threads 1 as before")
    assert said[-1].startswith("bestmove")


def test_stop_and_what_may_be_said_during_a_search() -> None:
    talk = Talk()
    for ponder in ("", " ponder"):
        talk(f"go infinite{ponder}")
        said = talk("isready", "query p1turn", "position startpos", "go depth 1", "setoption name Hash value 9")
        told = [line for line in said if not line.startswith("info depth")]
        assert told[:2] == ["readyok", "response true"]
        assert all(line.startswith("info string") and "a search is under way" in line for line in told[2:])
        assert talk("stop")[-1].startswith("bestmove")
        assert talk("stop", "stop") == []


@pytest.mark.parametrize("words", ["depth 3", "nodes 900"])
def test_pondering_keeps_to_depth_and_nodes(words: str) -> None:
    talk = Talk()
    talk(f"go ponder {words}")
    talk("ponderhit")
    for _ in range(30_000):
        if any(line.startswith("bestmove") for line in talk.said):
            break
        time.sleep(0.01)
    told = [line.split() for line in talk.said if line.startswith("info depth")]
    assert told and talk.said[-1].startswith("bestmove")
    if words.startswith("depth"):
        assert max(int(line[2]) for line in told) == 3
    else:
        assert max(int(line[line.index("nodes") + 1]) for line in told) <= 1000


def test_with_a_komi_a_proven_result_is_told_as_one() -> None:
    talk = Talk()
    assert talk("setoption name Rules value sudoku{side=2;komi=7.5}") == []
    assert " score mate -" in talk.go("depth 30")[-2]


@pytest.mark.parametrize("words", ["movetime 20", "p1time 100 p2time 9000", "p1time 9000 p2time 1 movetime 20"])
def test_a_level_keeps_the_clock(words: str) -> None:
    """By what it searched, which on no machine takes so little time."""
    talk, seen = Talk(), list[SearchResult]()
    talk("setoption name Level value 12", "isready")
    talk.ugi.player().thinking = seen.append
    assert re.fullmatch(r"bestmove \w\w", *talk.go(words))
    assert max((result.nodes for result in seen), default=0) < LEVELS[12][0] / 4
    talk.go("nodes 100 depth 1")  # of which it takes no notice: it is as strong as it is
    assert max(result.nodes for result in seen) > LEVELS[12][0] / 4


def test_a_stop_that_comes_before_a_level_has_begun_is_heard() -> None:
    talk, seen = Talk(), list[SearchResult]()
    talk("setoption name Level value 12", "isready")
    player = talk.ugi.player()
    choose, player.thinking = player.choose, seen.append

    def slow_to_begin(*asked: Any) -> Move:
        time.sleep(0.1)
        return choose(*asked)

    player.choose = slow_to_begin  # type: ignore[method-assign]
    talk("go infinite", "stop")
    assert re.fullmatch(r"bestmove \w\w", talk.to_the_move()[-1])
    assert max((result.nodes for result in seen), default=0) < LEVELS[12][0] / 4


@pytest.mark.parametrize("level", [0, 12])
def test_pondering_ends_by_the_clock_once_the_move_was_right(level: int) -> None:
    talk = Talk()
    assert "nothing is pondered" in talk("ponderhit")[0]
    talk(f"setoption name Level value {level}")
    talk("setoption name Rules value tic-tac-toe", "isready", "go ponder movetime 30")
    time.sleep(0.1)
    assert not any(line.startswith("bestmove") for line in talk.said)  # proved by now, but not asked for
    talk("ponderhit")
    for _ in range(30_000):
        if talk.said[-1].startswith("bestmove"):
            return
        time.sleep(0.01)
    raise AssertionError(talk.said)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("dance", "'dance' is no command"),
        ("position", "startpos"),
        ("position fen", "four fields"),
        ("position startpos moves ee zz", "zz"),
        ("position startpos here", "startpos"),
        ("go depth", "depth is a whole number"),
        ("go depth ten", "'ten'"),
        ("go movetime 1e99", "'1e99'"),
        ("go movetime -5", "movetime cannot be negative"),
        ("go p1inc -1", "p1inc cannot be negative"),
        ("go depth -2", "depth cannot be negative"),
        ("go fast 3", "'fast' is none of"),
        ("go nodes 99999999999999999999999", "nodes is a whole number"),
        ("setoption Hash 3", "setoption name NAME value VALUE"),
        ("setoption name Hash value 0", "Hash is a whole number from 1"),
        ("setoption name Hash value ٣", "Hash is a whole number"),
        ("setoption name Colour value 3", "'Colour' is no option"),
        ("setoption name Ponder value 1", "true or false"),
        ("setoption name Rules value /", "/"),
        ("setoption name Rules value", "'' is no game and no rules file; the games are: tic-tac-toe"),
        ("query", "p1turn"),
        ("query everything", "'everything'"),
    ],
)
def test_what_is_wrong_is_told_and_nothing_changes(line: str, words: str) -> None:
    talk = Talk()
    (complaint,) = talk(line)
    assert complaint.startswith("info string") and words in complaint and "fault" not in complaint
    assert talk("query fen") == [f"response {metatac.start('ultimate').text}"]


VOCABULARY = """
    ugi isready uginewgame setoption position go ponderhit stop query name value startpos fen moves p1time p2time p1inc
    p2inc movetime depth nodes infinite ponder gameover p1turn result Rules Hash Level Lines Ponder MultiPV ultimate
    tic-tac-toe sudoku{side=2} ultimate{side=2} X O - 4/4/4/4 a e ee ea swap 0 1 2 -1 7 50 99999999999 true false
"""
WORDS = st.sampled_from(VOCABULARY.split())
COMMANDS = st.sampled_from(
    ["position startpos", "go depth 2", "go infinite", "go ponder nodes 50", "stop", "ponderhit"]
)
LINES = st.lists(WORDS, max_size=6).map(" ".join) | st.text(max_size=20) | COMMANDS


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(LINES.filter(lambda line: line.split()[:1] != ["quit"]), max_size=14))
def test_any_lines_in_any_order(lines: list[str]) -> None:
    talk = Talk()
    for line in lines:
        talk(line)
    talk.ugi.close()
    said = talk.said
    assert all(KNOWN.fullmatch(line) and "fault of the engine" not in line for line in said), said
    assert all(INFO.fullmatch(line) for line in said if line.startswith("info"))
    assert not [line for line in talk("stop", "isready") if line != "readyok"]


def test_bytes_of_every_kind_are_survived() -> None:
    garbage = bytes(range(256)) * 3 + b"\n\0\n\xff\xfe\n" + b"x" * (LONGEST_LINE + 5) + b"\nquery p1turn\ngo infinite\n"
    out = io.StringIO()
    serve(io.BytesIO(garbage), out)
    said = out.getvalue().splitlines()
    assert any("bytes is ignored" in line for line in said) and "response true" in said
    assert said[-1].startswith("bestmove")
