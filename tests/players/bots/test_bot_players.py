"""Bots in real processes, in every protocol, under the referee."""

import os
import shutil
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

import metatac
from metatac.errors import BotError
from metatac.game import Move
from metatac.match import Clock, Match, Offence, Player, new_match, run
from metatac.players import load_player
from metatac.players.bots import process as process_module
from metatac.players.bots.isolation import Level, obstacle
from metatac.players.bots.player import BotPlayer
from metatac.players.bots.template import new_bot

EXAMPLES = Path(__file__).parents[3] / "examples"
PATIENT = "60/move"
"""Nobody is late here but who is meant to be."""

needs_node = pytest.mark.skipif(
    shutil.which("node") is None and "CI" not in os.environ, reason="node, which runs JavaScript, is not installed"
)


on_linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the warden finds processes through /proc")


@pytest.fixture
def seated() -> Iterator[list[BotPlayer]]:
    """The bots of a test, closed at its end."""
    bots: list[BotPlayer] = []
    yield bots
    for bot in bots:
        bot.close()


class Room:
    """A folder for bots, and matches between them."""

    def __init__(self, folder: Path, bots: list[BotPlayer]) -> None:
        self.folder, self.bots = folder, bots

    def write(self, source: str, name: str = "bot.py") -> Path:
        file = self.folder / name
        file.write_text(textwrap.dedent(source))
        return file

    def seat(self, path: Path | str, **options: str | bool) -> BotPlayer:
        player = load_player(f"bot:{path}", isolation="none", startup=60.0, **options)
        assert isinstance(player, BotPlayer)
        self.bots.append(player)
        return player

    def play(self, x: Player, o: Player, rules: str = "ultimate", time: str = PATIENT, *, strict: bool = True) -> Match:
        return run(new_match(rules, time=time, strict=strict), (x, o))


@pytest.fixture
def room(tmp_path: Path, seated: list[BotPlayer]) -> Room:
    return Room(tmp_path, seated)


def ended(match: Match) -> tuple[str | None, str]:
    assert match.result is not None
    return match.result.winner, match.result.reason


def by_rule(match: Match) -> bool:
    """Whether a game was played to the end that its rules know."""
    return match.position.outcome is not None


# -- on the opponent's time

BURNS = """
import threading
def burn():
    while True: pass
threading.Thread(target=burn, daemon=True).start()
def choose(position, clock): return position.legal_moves[0]
"""


def until(seen: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not seen():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def processes(bot: BotPlayer) -> list[psutil.Process]:
    return psutil.Process(bot._process._process.pid).children(recursive=True)  # type: ignore[union-attr]


@on_linux
def test_a_bot_stands_still_while_its_opponent_thinks(room: Room) -> None:
    bot = room.seat(room.write(BURNS))
    position = metatac.start("tic-tac-toe")
    while position.outcome is None:
        position = position.play(bot.choose(position, Clock(limit=60.0)))
        until(lambda: all(process.status() == psutil.STATUS_STOPPED for process in processes(bot)))


@on_linux
def test_a_bot_that_answers_and_cannot_be_stopped_loses_on_its_own_clock(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process_module, "PATIENCE", 1.0)  # else the end of a warden that hangs is waited for
    stops_its_warden = """
        import os, signal
        def choose(position, clock):
            os.kill(os.getppid(), signal.SIGSTOP)
            return position.legal_moves[0]
    """
    match = room.play(room.seat(room.write(stops_its_warden)), load_player("random"), "tic-tac-toe", "1/move")
    assert ended(match) == ("O", "overrun")
    assert not match.moves


BUSY = """
import time
begin = time.process_time()
while time.process_time() < begin + {seconds}: pass
"""


@on_linux
def test_a_bot_that_cannot_say_that_it_is_ready_gets_ready_before_its_first_move(room: Room) -> None:
    """It is ready when it waits for its input, and then it is stopped like any other."""
    bot = room.seat(room.write(BUSY.format(seconds=1) + CODINGAME))
    position = metatac.start("ultimate-majority")
    bot.game_started(position, "X")
    until(lambda: all(process.status() == psutil.STATUS_STOPPED for process in processes(bot)))
    assert max(sum(process.cpu_times()[:2]) for process in processes(bot)) > 0.9, "what it does at its start is done"
    assert bot.choose(position, Clock(limit=60.0)) in position.legal_moves


@on_linux
def test_a_bot_that_is_never_ready_has_its_start_up_time_and_no_more(room: Room) -> None:
    bot = load_player(f"bot:{room.write(BUSY.format(seconds=1000) + CODINGAME)}", isolation="none", startup=0.5)
    assert isinstance(bot, BotPlayer)
    room.bots.append(bot)
    bot.game_started(metatac.start("ultimate-majority"), "O")
    assert all(process.status() == psutil.STATUS_STOPPED for process in processes(bot))


def test_a_bot_that_spoils_its_own_folder_has_only_itself_to_blame(room: Room) -> None:
    if obstacle(Level.FULL) is not None:
        assert "CI" not in os.environ, obstacle(Level.FULL)
        pytest.skip(str(obstacle(Level.FULL)))
    room.write(CODINGAME)
    room.write('protocol = "codingame"\nbuild = "chmod 0 ."\nrun = "python3 bot.py"\n', "bot.toml")
    bot = load_player(f"bot:{room.folder}", isolation="full")
    assert isinstance(bot, BotPlayer)
    room.bots.append(bot)
    with pytest.raises(Offence, match="crash: the bot's process could not be started"):
        bot.game_started(metatac.start("ultimate-majority"), "X")


@on_linux
def test_a_bot_that_may_ponder_goes_on(room: Room) -> None:
    bot = room.seat(room.write(BURNS), ponder=True)
    bot.choose(metatac.start("tic-tac-toe"), Clock(limit=60.0))
    (process,) = processes(bot)
    before = process.cpu_times().user
    until(lambda: process.cpu_times().user > before + 0.1)


# -- Python files


@pytest.mark.parametrize("rules", ["ultimate", "extreme", "sudoku", "tic-tac-toe"])
def test_the_example_in_ten_lines_plays_every_game(room: Room, rules: str) -> None:
    bot = room.seat(EXAMPLES / "ten_lines.py")
    assert by_rule(room.play(bot, load_player("random:1"), rules))


def test_what_a_python_bot_is_given_and_may_answer(room: Room) -> None:
    bot = room.seat(
        room.write(
            """
            import sys
            answers = []
            class Mine:
                def __init__(self):
                    answers.append(0)
                def choose(self, position, clock):
                    print("bestmove zz")
                    print(input if False else sys.stdin.read(), clock.limit is not None, len(answers))
                    first = position.legal_moves[0]
                    answers[-1] += 1
                    return (first, str(first), tuple(first))[answers[-1] % 3]
            """
        )
    )
    match = room.play(bot, load_player("random:1"))
    assert by_rule(match)
    assert "True 1" in bot.stderr
    assert "bestmove zz" in bot.stderr


def test_a_python_bot_is_told_the_whole_clock(room: Room) -> None:
    bot = room.seat(
        room.write(
            """
            def choose(position, clock):
                print(clock.own is not None, clock.opponent is not None, clock.increment, clock.limit <= clock.own)
                return position.legal_moves[0]
            """
        )
    )
    room.play(load_player("random:1"), bot, "tic-tac-toe", "5m+2s")
    assert bot.stderr.startswith("True True 2.0 True\n")


@pytest.mark.parametrize(
    ("body", "reason", "words"),
    [
        ("raise ValueError('no idea')", "crash", "ValueError: no idea"),
        ("raise SystemExit(3)", "crash", "SystemExit: 3"),
        ("raise MemoryError", "memory", "MemoryError"),
        ("import os; os._exit(7)", "crash", "exit status 7"),
        ("return 42", "garbage", "choose returned 42"),
        ("return 'e2e4'", "garbage", "'e2e4' is no move of ultimate"),
        ("return None", "garbage", "choose returned None"),
        ("object.__setattr__(position, 'turn', 'X'); return 'aa'", "tampering", "changed the position"),
        ("return 'resign'", "resignation", ""),
        ("return (8, 8)", "illegal move", "'ii' may not be played: O must play in board a"),
    ],
)
def test_each_way_to_lose_has_its_reason(room: Room, body: str, reason: str, words: str) -> None:
    bot = room.seat(room.write(f"def choose(position, clock):\n    {body}\n"))
    match = run(new_match("ultimate", time=PATIENT, strict=True, opening=["ea"]), (load_player("random"), bot))
    assert ended(match) == ("X", reason)
    assert match.result is not None
    assert words in match.result.detail


def test_a_traceback_reaches_stderr_without_our_own_lines(room: Room) -> None:
    bot = room.seat(room.write("def helper():\n    return 1 / 0\ndef choose(position, clock):\n    return helper()\n"))
    room.play(bot, load_player("random"))
    assert "line 4, in choose" in bot.stderr
    assert "ZeroDivisionError" in bot.stderr
    assert "runner.py" not in bot.stderr


def test_a_file_that_cannot_be_imported_crashes_before_the_game(room: Room) -> None:
    bot = room.seat(room.write("import no_such_module\ndef choose(position, clock): ...\n"))
    match = room.play(load_player("random"), bot)
    assert ended(match) == ("X", "crash")
    assert match.result is not None and "no_such_module" in match.result.detail


def test_a_bot_that_does_not_answer_is_late(room: Room) -> None:
    bot = room.seat(room.write("import time\ndef choose(position, clock):\n    time.sleep(1000)\n"))
    assert ended(room.play(bot, load_player("random"), time="200ms/move")) == ("O", "overrun")


def test_one_process_a_game_unless_it_is_kept(room: Room) -> None:
    source = "import os\ndef choose(position, clock):\n    print(os.getpid())\n    return position.legal_moves[0]\n"
    file = room.write(source)
    for keep, count in ((False, 2), (True, 1)):
        bot = room.seat(file, keep=keep)
        seen = set()
        for _ in range(2):
            room.play(bot, load_player("random:1"), "tic-tac-toe")
            seen.add(bot.stderr.split()[-1])
        assert len(seen) == count


def test_among_people_an_offence_ends_the_game_with_its_reason(room: Room) -> None:
    crash = room.seat(room.write("def choose(position, clock):\n    raise ValueError('no idea')\n"))
    match = room.play(load_player("random:1"), crash, time="none", strict=False)
    assert ended(match) == ("X", "crash")
    illegal = room.seat(room.write("def choose(position, clock):\n    return (8, 8)\n", "illegal.py"))
    match = run(new_match("ultimate", opening=["ea"], time="none"), (load_player("random:1"), illegal))
    assert ended(match) == ("X", "illegal move")


def test_a_bot_may_be_called_like_a_module_that_is_in_use(room: Room) -> None:
    for name in ("metatac.py", "random.py", "traceback.py"):
        bot = room.seat(room.write("def choose(position, clock):\n    return position.play('a').legal_moves[0]", name))
        bot.choose(metatac.start("tic-tac-toe"), Clock(limit=60.0))
        bot.close()


def test_a_bot_that_was_closed_begins_anew_when_it_is_asked(room: Room) -> None:
    bot = room.seat(EXAMPLES / "ten_lines.py")
    start = metatac.start("tic-tac-toe")
    first = bot.choose(start)
    bot.close()
    assert bot.choose(start.play(first)) in start.play(first).legal_moves


def test_a_takeback_is_followed(room: Room) -> None:
    source = "def choose(position, clock):\n    print(position.cells.count('.'))\n    return position.legal_moves[0]\n"
    bot = room.seat(room.write(source))
    start = metatac.start("tic-tac-toe")
    bot.game_started(start, "O")
    after = start.play("e")
    bot.opponent_moved(after, Move((4,)))
    assert bot.choose(after) == Move((0,))
    again = start.play("i")
    assert bot.choose(again) == Move((0,))
    assert bot.stderr.split() == ["8", "8"]


# -- the courses


COURSE = """
import copy, random
class Random_Player:
    def move(self, board, old_move, flag):
        return random.choice(board.find_valid_move_cells(old_move))
class Team1:
    def __init__(self):
        self.seen = []
    def move(self, board, old_move, flag):
        assert flag in "xo" and len(old_move) == 2
        assert board.find_terminal_state() == ("CONTINUE", "-")
        for cell in board.find_valid_move_cells(old_move):
            trial = copy.deepcopy(board)
            answer = trial.update(old_move, cell, flag)
            assert answer in ("SUCCESSFUL", ("SUCCESSFUL", True), ("SUCCESSFUL", False)), answer
            if trial.find_terminal_state() == (flag, "WON"):
                return cell
        return random.choice(board.find_valid_move_cells(old_move))
"""


@pytest.mark.parametrize("rules", ["extreme", "intelligent"])
def test_a_bot_of_the_courses_plays_unchanged(room: Room, rules: str) -> None:
    bot = room.seat(room.write(COURSE, "team1.py"))
    assert bot.protocol == "course"
    assert by_rule(room.play(load_player("random:1"), bot, rules))


def test_a_bot_of_the_courses_that_changes_its_board_forfeits(room: Room) -> None:
    source = COURSE.replace("copy.deepcopy(board)", "board")
    match = room.play(room.seat(room.write(source)), load_player("random:1"), "extreme")
    assert ended(match) == ("O", "tampering")
    assert match.result is not None and match.result.points == (0, 68)


def test_a_bot_of_the_courses_in_python_2_is_refused(room: Room) -> None:
    file = room.write(COURSE + '\nprint "loaded"\n')
    with pytest.raises(BotError, match="this is Python 2"):
        room.seat(file)


def test_a_bot_of_the_courses_does_not_play_other_games(room: Room) -> None:
    bot = room.seat(room.write(COURSE))
    with pytest.raises(BotError, match="cannot tell a game of ultimate"):
        bot.accepts(metatac.start("ultimate"))


# -- other protocols


CODINGAME = """
import sys
print("debug", file=sys.stderr, flush=True)
while True:
    opponent_row, opponent_col = [int(i) for i in input().split()]
    cells = [input() for _ in range(int(input()))]
    print(cells[-1] + " mine!")
"""

PLACE_MOVE = """
import sys
mine, field, macro = None, None, None
for line in sys.stdin:
    words = line.split()
    if words[:2] == ["settings", "your_botid"]:
        mine = words[2]
    elif words[:3] == ["update", "game", "field"]:
        field = words[3].split(",")
    elif words[:3] == ["update", "game", "macroboard"]:
        macro = words[3].split(",")
    elif words[0] == "action":
        empty = EMPTY
        assert mine in field or field.count(empty) >= 80, mine
        cells = [(x, y) for y in range(9) for x in range(9)
                 if field[9 * y + x] == empty and macro[y // 3 * 3 + x // 3] == "-1"]
        print("place_move", *cells[0], flush=True)
"""


def test_a_bot_of_codingame_plays_unchanged(room: Room) -> None:
    bot = room.seat(room.write(CODINGAME))
    assert bot.protocol == "codingame"
    assert by_rule(room.play(bot, load_player("random:2"), "ultimate-majority"))
    assert by_rule(room.play(load_player("random:2"), bot, "ultimate-majority"))


@pytest.mark.parametrize("protocol", ["riddles", "theaigames"])
def test_a_bot_of_riddles_or_theaigames_plays_unchanged(room: Room, protocol: str) -> None:
    source = PLACE_MOVE.replace("EMPTY", {"riddles": '"."', "theaigames": '"0"'}[protocol])
    bot = room.seat(room.write(source))
    assert bot.protocol == protocol
    assert by_rule(room.play(bot, load_player("random:2")))
    match = run(new_match("ultimate", time=PATIENT, strict=True, opening=["ee", "ea"]), (load_player("random:5"), bot))
    assert by_rule(match)


def test_two_moves_in_one_answer_are_one_too_many(room: Room) -> None:
    twice = CODINGAME.replace('print(cells[-1] + " mine!")', 'print(cells[-1] + "\\n0 0", flush=True)')
    bot = room.seat(room.write(twice))
    assert ended(room.play(load_player("random:2"), bot, "ultimate-majority")) == ("X", "garbage")


@needs_node
def test_the_example_in_javascript_plays(room: Room) -> None:
    bot = room.seat(EXAMPLES / "codingame.js")
    assert bot.protocol == "codingame"
    assert by_rule(room.play(bot, load_player("random:2"), "ultimate-majority"))


@pytest.mark.parametrize("language", ["python", pytest.param("javascript", marks=needs_node)])
def test_a_new_bot_plays_at_once(room: Room, language: str) -> None:
    new_bot(room.folder / "mine", language)
    bot = room.seat(room.folder / "mine")
    assert by_rule(room.play(bot, load_player("random:2")))


UGI = """
import sys
for line in sys.stdin:
    words = line.split()
    if words[0] == "ugi":
        print("id name tiny\\nugiok", flush=True)
    elif words[0] == "isready":
        print("readyok", flush=True)
    elif words[0] == "position":
        taken = set(words[3:])
    elif words[0] == "go":
        free = [letter for letter in "abcdefghi" if letter not in taken]
        print("info depth 1 score cp 0\\nbest" "move " + free[0], flush=True)
"""


def test_an_engine_that_speaks_ugi_is_found_by_asking_it(room: Room) -> None:
    bot = room.seat(room.write(UGI))
    assert bot.bot.protocol is None
    assert bot.protocol == "ugi"
    assert by_rule(room.play(bot, load_player("random:2"), "tic-tac-toe"))


def test_a_program_that_speaks_nothing_known_is_asked_for_its_protocol(room: Room) -> None:
    with pytest.raises(BotError, match=r"no function or class choose.*say so: --protocol"):
        room.seat(room.write("import sys\nsys.exit(3)\n"))


def test_our_own_engine_is_a_bot_too_for_every_game_and_shut_in(room: Room) -> None:
    (room.folder / "bot.toml").write_text('name = "ours"\nrun = "metatac engine"\n[options]\nLevel = 1\nThreads = 1\n')
    player = load_player(f"bot:{room.folder}", isolation="auto", startup=300.0, memory="2GB")
    assert isinstance(player, BotPlayer)
    room.bots.append(player)
    for rules in ("tic-tac-toe", "misere-ultimate"):
        assert by_rule(room.play(player, load_player("random:2"), rules))
    assert "compil" not in player.stderr


def test_a_first_look_for_a_network_as_javas_is_told_no(room: Room) -> None:
    source = """
        import ctypes
        libc = ctypes.CDLL(None, use_errno=True)
        def choose(position, clock):
            print(libc.socket(2, 1, 0), libc.socket(10, 1, 0))
            return position.legal_moves[0]
        """
    bot = load_player(f"bot:{room.write(source)}", startup=60.0)
    assert isinstance(bot, BotPlayer)
    room.bots.append(bot)
    if bot.level is Level.NONE:
        pytest.skip("this machine offers no isolation")
    bot.choose(metatac.start("tic-tac-toe"), Clock(limit=60.0))
    bot.close()
    assert bot.stderr.split() == ["-1", "-1"]


def test_sites_limits_hold_where_there_is_no_clock(room: Room) -> None:
    sleepy = CODINGAME.replace("    print(cells", "    import time; time.sleep(1000)\n    print(cells")
    bot = room.seat(room.write(sleepy))
    start = metatac.start("ultimate-majority")
    bot.game_started(start, "X")
    began = time.monotonic()
    with pytest.raises(Offence, match="overrun"):
        bot.choose(start, Clock())
    assert time.monotonic() - began >= 1.0


def test_a_program_that_knows_one_game_only_is_started_anew_for_each(room: Room) -> None:
    bot = room.seat(room.write(CODINGAME), keep=True)
    for _ in range(2):
        assert by_rule(room.play(bot, load_player("random:2"), "tic-tac-toe"))


def test_a_bot_needs_no_compiler_and_no_numba(room: Room) -> None:
    source = "import sys\ndef choose(position, clock):\n    print('numba' in sys.modules)\n    return 'a'\n"
    bot = room.seat(room.write(source))
    room.play(bot, load_player("random:2"), "tic-tac-toe")
    assert bot.stderr.startswith("False")
