"""metatac play: conversations at the table, and the command around it."""

import os
import select
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import metatac
from metatac.cli.app import app
from metatac.cli.play import _specs
from metatac.cli.screen import reflowed
from metatac.cli.table import WORDS, Table
from metatac.cli.waiting import MadeReady
from metatac.match import UNLIMITED, Clock, Match, new_match
from metatac.notation import read_records
from metatac.players import accepted_forms, load_player

pty = pytest.importorskip("pty", reason="pseudo-terminals are a thing of Unix")


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of the test's own, where the games that are played are kept."""
    folder = tmp_path / "data"
    monkeypatch.setenv("METATAC_DATA_DIR", str(folder))
    return folder


class Keyboard:
    """Types the lines one after the other, then ends; what is told is kept."""

    def __init__(self, *lines: str) -> None:
        self.lines: Iterator[str] = iter(lines)
        self.prompts: list[str] = []
        self.told: list[str] = []

    def ask(self, prompt: str) -> str:
        self.prompts.append(prompt)
        try:
            return next(self.lines)
        except StopIteration:
            raise EOFError from None

    def tell(self, text: str) -> None:
        self.told.append(text)

    @property
    def said(self) -> str:
        return "\n".join(self.told)


def sit(
    keyboard: Keyboard,
    people: str = "XO",
    game: str = "tic-tac-toe",
    time: str = "none",
    clock: Callable[[], float] = lambda: 0.0,
) -> tuple[Table, Match]:
    """A match at a table, the seats of `people` at the keyboard and the others random, as it ended."""
    match = new_match(game, time=time, names=("Ann", "Bob"))
    table = Table(match, ask=keyboard.ask, tell=keyboard.tell, clock=clock)
    x, o = (table.seat_human(seat) if seat in people else load_player("random", seed=1) for seat in ("X", "O"))
    return table, table.play((x, o))


def test_a_game_between_two_people() -> None:
    keyboard = Keyboard("a", "d", "b", "e", "c")
    _, match = sit(keyboard)
    assert match.result is not None and match.result.winner == "X"
    assert keyboard.prompts == ["X: ", "O: ", "X: ", "O: ", "X: "]
    assert "Ann (X) against Bob (O)" in keyboard.said
    assert keyboard.told[-1] == "X (Ann) wins: line. Points 1 to 0."


def test_a_wrong_answer_is_told_why_and_asked_again() -> None:
    keyboard = Keyboard("z", "a", "a", "b")
    _, match = sit(keyboard)
    assert keyboard.prompts == ["X: ", "X: ", "O: ", "O: ", "X: "]
    assert "'z' is no move of tic-tac-toe" in keyboard.said
    assert "'a' may not be played" in keyboard.said
    assert len(match.plies) == 2


def test_undo_between_people_takes_back_the_very_last_move() -> None:
    _, match = sit(Keyboard("a", "b", "undo"))
    assert list(map(str, match.moves)) == ["a"] and match.turn == "O"


def test_undo_against_a_program_takes_back_ones_own_move() -> None:
    _, match = sit(Keyboard("ee", "undo"), people="X", game="ultimate")
    assert match.moves == () and match.turn == "X"


@pytest.mark.parametrize("people", ["XO", "X"])
def test_undo_without_a_move_says_so_and_the_game_goes_on(people: str) -> None:
    keyboard = Keyboard("undo", "e")
    _, match = sit(keyboard, people)
    assert "no move yet" in keyboard.said
    assert str(match.moves[0]) == "e"


def test_rules_and_board_are_shown_on_request() -> None:
    keyboard = Keyboard("rules", "board", "quit")
    sit(keyboard)
    assert reflowed(metatac.load_rules("tic-tac-toe").text) in keyboard.said
    assert keyboard.said.count("begins anywhere") == 2


def test_rules_at_the_table_say_what_was_changed() -> None:
    keyboard = Keyboard("rules")
    sit(keyboard, game="ultimate{swap=true}")
    assert "differs from ultimate in: swap = true" in keyboard.said


@pytest.mark.parametrize("word", ["?", "help", "Help"])
def test_help_lists_every_form_of_a_move_and_every_word(word: str) -> None:
    keyboard = Keyboard(word)
    sit(keyboard, game="sudoku{swap=true}")
    help_text = next(text for text in keyboard.told[1:] if "typed as" in text)
    for part in (*accepted_forms(metatac.load_rules("sudoku", swap=True)), WORDS):
        assert part in help_text


def test_what_is_told_fits_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    keyboard = Keyboard("rules", "?", "wrong", "aa", "undo", "undo", "eeee", "quit")
    sit(keyboard, game="sudoku")
    assert max(map(len, keyboard.said.splitlines())) <= 40


@pytest.mark.parametrize("lines", [["a", "quit"], ["a"]])
def test_leaving_keeps_the_match_as_it_stands(lines: list[str]) -> None:
    keyboard = Keyboard(*lines)
    _, match = sit(keyboard)
    assert match.result is None and len(match.plies) == 1
    assert keyboard.told[-1].strip() == "The game is left after 1 move."


def test_resign_and_draw() -> None:
    _, resigned = sit(Keyboard("a", "resign"))
    assert resigned.result is not None and resigned.result.winner == "X"
    _, drawn = sit(Keyboard("a", "draw", "yes"))
    assert drawn.result is not None and drawn.result.reason == "agreement"
    keyboard = Keyboard("a", "draw", "no")
    sit(keyboard)
    assert "X does not agree to a draw." in keyboard.said


def test_save_adds_to_a_file_and_a_failure_keeps_the_game(tmp_path: Path) -> None:
    file = tmp_path / "new" / "games.txt"
    keyboard = Keyboard("a", f"save {file}", f"save {tmp_path}", "c")
    _, match = sit(keyboard)
    (saved,) = read_records(file)
    assert len(saved.plies) == 1 and saved.headers["X"] == "Ann" and saved.result == "*"
    assert "Is a directory. The game is not saved." in keyboard.said
    assert len(match.plies) == 2


def test_a_game_stands_in_a_file_only_once(tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    for _ in range(2):
        table, match = sit(Keyboard("a", f"save {file}", "b", f"save {file}", "undo 2", "c", f"save {file}", "e"))
        table.save(str(file))
    records = list(read_records(file))
    assert [record.moves for record in records] == [match.moves] * 2 and len(match.moves) == 2


def test_a_game_that_others_wrote_behind_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    one, _ = sit(Keyboard("a"))
    other, _ = sit(Keyboard("b", "c"))
    for table in (one, other, one, one):
        table.save(str(file))
    assert [len(record.plies) for record in read_records(file)] == [1, 2, 1]


@pytest.mark.parametrize(("people", "left"), [("XO", 1), ("X", 0)])
def test_undo_takes_back_as_many_as_one_says(people: str, left: int) -> None:
    keyboard = Keyboard("ee", *(["ea", "ab", "undo 2"] if people == "XO" else ["undo 1"]))
    _, match = sit(keyboard, people, "ultimate")
    assert len(match.plies) == left


@pytest.mark.parametrize("wish", ["undo x", "undo 0", "undo -1", "undo 1 2", "undo ٣"])
def test_undo_says_what_it_takes(wish: str) -> None:
    keyboard = Keyboard("a", wish)
    _, match = sit(keyboard)
    assert "undo takes back a move, undo 3 takes back three" in keyboard.said and len(match.plies) == 1


def test_undo_of_too_many_takes_back_what_there_is() -> None:
    keyboard = Keyboard("a", "b", "undo 99999999999999")
    _, match = sit(keyboard)
    assert match.plies == () and "no more can be taken back" in keyboard.said


def test_the_score_is_shown_where_points_count() -> None:
    keyboard = Keyboard()
    sit(keyboard, game="sudoku")
    assert "Points so far: X 0, O 0." in keyboard.said
    keyboard = Keyboard("ee")
    sit(keyboard, game="ultimate-majority")
    assert "Boards so far: X 0, O 0." in keyboard.said
    keyboard = Keyboard()
    sit(keyboard, game="ultimate")
    assert "so far" not in keyboard.said


def test_save_without_a_name_goes_to_the_data_folder(data: Path) -> None:
    table, match = sit(Keyboard("a"))
    file = table.save()
    assert file.parent == data / "games"
    (record,) = read_records(file)
    assert record.moves == match.moves


def test_time_is_shown_and_an_overrun_loses() -> None:
    now = iter(range(0, 1000, 7))
    keyboard = Keyboard(*"adbec")
    _, match = sit(keyboard, time="20/move", clock=lambda: float(next(now)))
    assert match.result is not None and match.result.reason == "overrun"
    assert keyboard.prompts[0].startswith("[") and keyboard.prompts[0].endswith(" s] X: ")


def test_a_name_of_a_game_that_is_no_file_name_is_saved_all_the_same(data: Path) -> None:
    for name in ("../../../up", "x" * 300):
        table, _ = sit(Keyboard("aa"), game=f"{name}=ultimate{{side=4}}")
        assert table.save().parent == data / "games"


def test_a_full_disk_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    resource = pytest.importorskip("resource")
    import signal

    table, _ = sit(Keyboard("a"))
    file = table.save(str(tmp_path / "games.txt"))
    before = file.read_bytes()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 9, limits[1]))
    try:
        with pytest.raises(OSError) as caught:
            table.save(str(file))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
    assert caught.value.filename == str(file) and file.read_bytes() == before


class Sleeper:
    """Is ready only when somebody has been asked for a move."""

    name = "sleeper"

    def __init__(self, asked: threading.Event) -> None:
        self.asked, self.ready = asked, False

    def game_started(self, position: metatac.Position, seat: str) -> None:
        self.ready = self.asked.wait(60)

    def choose(self, position: metatac.Position, clock: Clock = UNLIMITED) -> metatac.Move:
        assert self.ready
        return position.legal_moves[0]

    def agrees(self, offer: str, position: metatac.Position) -> bool:
        return offer == "draw"


def test_a_person_may_move_before_the_opponent_is_ready() -> None:
    asked, keyboard = threading.Event(), Keyboard("e", "draw")

    def ask(prompt: str) -> str:
        threading.Timer(1.0, asked.set).start()
        return keyboard.ask(prompt)

    table = Table(new_match("tic-tac-toe"), ask=ask, tell=keyboard.tell)
    match = table.play((table.seat_human("X"), MadeReady(Sleeper(asked), keyboard.tell)))
    assert "sleeper is getting ready …" in keyboard.told
    assert match.result is not None and match.result.reason == "agreement" and len(match.plies) == 2


# -- the command


def play(*arguments: str, typed: str = "") -> Result:
    return CliRunner().invoke(app, ["play", *arguments], input=typed)


@pytest.mark.parametrize("game", metatac.preset_names())
def test_without_a_terminal_a_game_is_shown(game: str) -> None:
    done = play(game, "--seed", "1")
    assert done.exit_code == 0
    assert done.output.startswith("No terminal to play at: two random players are shown.\n")
    assert "random (X) against random (O)" in done.output and "Points" in done.output


def test_the_seed_decides_and_the_seats_differ() -> None:
    first, again, other = (play("--seed", seed).output for seed in ("1", "1", "2"))
    assert first == again != other
    moves = [line.split()[-1] for line in first.splitlines() if " plays " in line]
    assert moves[::2] != moves[1::2]


@pytest.mark.parametrize(
    ("x", "o", "person", "seats"),
    [
        (None, None, "human", ["human", "engine:3"]),
        ("human:Ann", None, "random", ["human:Ann", "engine:3"]),
        (None, "human", "human", ["engine:3", "human"]),
        ("mcts:1s", None, "human", ["mcts:1s", "human"]),
        ("mcts:1s", None, "random", ["mcts:1s", "random"]),
        (None, None, "random", ["random", "random"]),
    ],
)
def test_who_is_not_named_is_chosen_sensibly(x: str | None, o: str | None, person: str, seats: list[str]) -> None:
    assert list(map(str, _specs(x, o, person))) == seats


def test_an_opponent_who_refuses_the_game_does_so_before_the_first_move() -> None:
    done = play("ultimate", "--x", "human", "--o", "tiger", typed="ee\n")
    assert isinstance(done.exception, metatac.errors.MatchError) and "plays" not in done.output


def test_a_stated_seed_stays() -> None:
    one, two = (play("--x", "random:5", "--o", "random:6", "--seed", seed).output for seed in ("1", "2"))
    assert one == two


def test_people_may_be_piped() -> None:
    done = play("tic-tac-toe", "--x", "human:Ann", "--o", "human:Bob", typed="a\nd\nb\ne\nc\n")
    assert done.exit_code == 0
    assert "X (Ann) wins" in done.output and "No terminal" not in done.output


def test_the_toss_gives_both_a_turn_at_x() -> None:
    seats = {
        play("tic-tac-toe", "--x", "random:1", "--o", "random:2", "--toss", "--seed", str(seed))
        .output.splitlines()[0]
        .partition(": ")[2]
        for seed in range(8)
    }
    assert seats == {"random:1 (X) against random:2 (O).", "random:2 (X) against random:1 (O)."}


def test_the_record_is_saved_on_request(tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    play("sudoku", "--set", "side=2", "--seed", "1", "--save", str(file))
    (record,) = read_records(file)
    assert record.rules == metatac.load_rules("sudoku", side=2) and record.result != "*"


PEOPLE = ("tic-tac-toe", "--x", "human", "--o", "human")


@pytest.mark.parametrize(("typed", "moves"), [("a\nd\nb\ne\nc\n", 5), ("a\nb\nquit\n", 2), ("a\n", 1)])
def test_what_people_played_is_kept(data: Path, typed: str, moves: int) -> None:
    done = play(*PEOPLE, typed=typed)
    (file,) = (data / "games").iterdir()
    assert done.output.endswith(f"metatac replay {file}\n") and done.exit_code == 0
    (record,) = read_records(file)
    assert len(record.plies) == moves


def test_nothing_is_kept_without_a_move_a_person_or_a_need(data: Path, tmp_path: Path) -> None:
    play(*PEOPLE, typed="a\nundo\nquit\n")
    play("tic-tac-toe", "--x", "random", "--o", "random")
    play(*PEOPLE, typed=f"a\nsave {tmp_path / 'own.txt'}\nquit\n")
    play(*PEOPLE, "--save", str(tmp_path / "own.txt"), typed="a\nquit\n")
    assert not data.exists()
    assert len(list(read_records(tmp_path / "own.txt"))) == 2


def test_what_cannot_be_kept_is_said_in_one_line(data: Path) -> None:
    data.write_text("a file where the folder should be")
    done = play(*PEOPLE, typed="a\nquit\n")
    assert done.exit_code == 2 and isinstance(done.exception, SystemExit)
    assert done.output.splitlines()[-1].endswith("The game is not saved.")


def test_a_place_to_save_is_tried_before_the_first_move(tmp_path: Path) -> None:
    done = play("--seed", "1", "--save", str(tmp_path))
    assert isinstance(done.exception, OSError) and done.exception.filename == str(tmp_path)
    assert "plays" not in done.output
    play(*PEOPLE, "--save", str(tmp_path / "new" / "file"))
    assert (tmp_path / "new" / "file").read_text() == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="/dev/full is a thing of Linux")
def test_where_the_named_file_fails_the_data_folder_keeps_the_game(data: Path) -> None:
    done = play(*PEOPLE, "--save", "/dev/full", typed="a\nquit\n")
    assert "/dev/full: No space left on device. The game is not saved." in done.output
    assert len(list((data / "games").iterdir())) == 1 and done.exit_code == 2


def test_the_games_own_time_limit_on_request() -> None:
    assert "time 15/move" in play("intelligent", "--seed", "1", "--time", "game").output
    assert "time" not in play("intelligent", "--seed", "1").output.splitlines()[1]


@pytest.mark.parametrize("arguments", [["--x", "grandmaster"], ["--x", "random:x"], ["--time", "soon"], ["nosuch"]])
def test_wrong_arguments_are_our_errors(arguments: list[str]) -> None:
    assert isinstance(play(*arguments).exception, metatac.errors.MetatacError)


def at_a_terminal(keys: bytes, *arguments: str) -> tuple[int, str]:
    """Exit code and screen of `metatac play` on a pseudo-terminal where the keys are typed."""
    ours, theirs = pty.openpty()
    child = subprocess.Popen(
        [sys.executable, "-m", "metatac", "play", *arguments],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        preexec_fn=_own_terminal,
    )
    os.close(theirs)
    screen = b""
    while True:
        readable, _, _ = select.select([ours], [], [], 0.5)
        if readable:
            try:
                got = os.read(ours, 4096)
            except OSError:  # Linux's way to say that the other side has closed
                break
            if not got:
                break
            screen += got
        elif b"X: " in screen:
            # Typed once it is silent, and again: a key that comes while the prompt is being set up is lost.
            os.write(ours, keys)
    os.close(ours)
    return child.wait(30), screen.decode()


def _own_terminal() -> None:
    """Make the pseudo-terminal the child's own, so that Ctrl-C reaches it."""
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


@pytest.mark.parametrize(("keys", "code"), [(b"\x03", 130), (b"\x04", 0), (b"quit\n", 0)])
def test_leaving_at_a_terminal_is_clean(keys: bytes, code: int) -> None:
    left, screen = at_a_terminal(keys)
    assert left == code
    assert "Traceback" not in screen
    assert "human (X) against engine:3 (O)" in screen


def test_ctrl_c_keeps_the_game(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ["a"]

    def interrupted(table: Table, prompt: str) -> str:
        if lines:
            return lines.pop()
        raise KeyboardInterrupt

    monkeypatch.setattr(Table, "_ask_person", interrupted)
    done = play(*PEOPLE)
    assert done.exit_code == 130 and "metatac replay" in done.output
    (file,) = (data / "games").iterdir()
    (record,) = read_records(file)
    assert len(record.plies) == 1


def test_two_people_need_no_heavy_library() -> None:
    program = (
        "import sys; from metatac.cli.app import app\n"
        "try: app(['play', 'tic-tac-toe', '--x', 'human', '--o', 'human'])\nexcept SystemExit: pass\n"
        "print([name for name in ('numpy', 'numba', 'textual', 'fastapi') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], input="a\nd\nb\ne\nc\n", capture_output=True, text=True, check=True
    )
    assert "wins" in done.stdout and done.stdout.splitlines()[-1] == "[]"
