"""metatac play line by line: conversations at the table, and the command around it."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import odd_players
import pytest
from typer.testing import CliRunner, Result

import metatac
from metatac.cli.app import app
from metatac.cli.line import LineClient
from metatac.cli.line_view import WORDS
from metatac.cli.play import named_seats
from metatac.cli.screen import reflowed
from metatac.match import Match
from metatac.notation import read_records
from metatac.players import accepted_forms, registry
from metatac.table import Seats, latest_save, plan_game


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
    words: bool = False,
) -> Match:
    """A match line by line, the seats of `people` at the keyboard and the others random, as it was left."""
    x, o = (f"human:{name}" if seat in people else "random" for seat, name in (("X", "Ann"), ("O", "Bob")))
    plan = plan_game(game, Seats(x, o, 1), time=time)
    client = LineClient(plan, ask=keyboard.ask, tell=keyboard.tell, clock=clock, words=words)
    client.play()
    return client.table.match


def test_a_game_between_two_people() -> None:
    keyboard = Keyboard("a", "d", "b", "e", "c")
    match = sit(keyboard)
    assert match.result is not None and match.result.winner == "X"
    assert keyboard.prompts == ["X (Ann): ", "O (Bob): "] * 2 + ["X (Ann): "]
    assert "Ann (X) against Bob (O)" in keyboard.said
    assert "X (Ann) wins: line. Points 1 to 0." in keyboard.told and "metatac replay" in keyboard.told[-1]


def test_a_wrong_answer_is_told_why_and_asked_again() -> None:
    keyboard = Keyboard("z", "a", "a", "b")
    match = sit(keyboard)
    assert [prompt[0] for prompt in keyboard.prompts] == list("XXOOX")
    assert "'z' is no move of tic-tac-toe" in keyboard.said
    assert "'a' may not be played" in keyboard.said
    assert len(match.plies) == 2


def test_undo_between_people_takes_back_the_very_last_move() -> None:
    match = sit(Keyboard("a", "b", "undo"))
    assert list(map(str, match.moves)) == ["a"] and match.turn == "O"


def test_undo_against_a_program_takes_back_ones_own_move() -> None:
    match = sit(Keyboard("ee", "undo"), people="X", game="ultimate")
    assert match.moves == () and match.turn == "X"


@pytest.mark.parametrize("people", ["XO", "X"])
def test_undo_without_a_move_says_so_and_the_game_goes_on(people: str) -> None:
    keyboard = Keyboard("undo", "e")
    match = sit(keyboard, people)
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
        assert " ".join(part.split()) in " ".join(help_text.split())


def test_what_is_told_fits_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    keyboard = Keyboard("rules", "?", "wrong", "aa", "undo", "undo", "eeee", "quit")
    sit(keyboard, game="sudoku")
    assert max(map(len, keyboard.said.splitlines())) <= 40


@pytest.mark.parametrize("lines", [["a", "quit"], ["a"]])
def test_leaving_keeps_the_match_as_it_stands(lines: list[str]) -> None:
    keyboard = Keyboard(*lines)
    match = sit(keyboard)
    assert match.result is None and len(match.plies) == 1
    assert keyboard.told[-2].strip() == "The game is left after 1 move."
    assert keyboard.told[-1] == "The game is saved; to go on with it: metatac play --resume"


def test_resign_and_draw() -> None:
    resigned = sit(Keyboard("a", "resign"))
    assert resigned.result is not None and resigned.result.winner == "X"
    drawn = sit(Keyboard("a", "draw", "yes"))
    assert drawn.result is not None and drawn.result.reason == "agreement"
    keyboard = Keyboard("a", "draw", "no")
    sit(keyboard)
    assert "X does not agree to a draw." in keyboard.said


def test_save_adds_to_a_file_and_a_failure_keeps_the_game(tmp_path: Path) -> None:
    file = tmp_path / "new" / "games.txt"
    keyboard = Keyboard("a", f"save {file}", f"save {tmp_path}", "c")
    match = sit(keyboard)
    (saved,) = read_records(file)
    assert len(saved.plies) == 1 and saved.headers["X"] == "Ann" and saved.result == "*"
    assert "Is a directory. The game is not saved." in keyboard.said
    assert len(match.plies) == 2


@pytest.mark.parametrize(("people", "left"), [("XO", 1), ("X", 0)])
def test_undo_takes_back_as_many_as_one_says(people: str, left: int) -> None:
    keyboard = Keyboard("ee", *(["ea", "ab", "undo 2"] if people == "XO" else ["undo 1"]))
    match = sit(keyboard, people, "ultimate")
    assert len(match.plies) == left


@pytest.mark.parametrize("wish", ["undo x", "undo 0", "undo -1", "undo 1 2", "undo ٣"])
def test_undo_says_what_it_takes(wish: str) -> None:
    keyboard = Keyboard("a", wish)
    match = sit(keyboard)
    assert "undo takes back a move, undo 3 takes back three" in keyboard.said and len(match.plies) == 1


def test_undo_of_too_many_takes_back_what_there_is() -> None:
    keyboard = Keyboard("a", "b", "undo 99999999999999")
    match = sit(keyboard)
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


def test_time_is_shown_and_an_overrun_loses() -> None:
    now = iter(range(0, 1000, 7))
    keyboard = Keyboard(*"adbec")
    match = sit(keyboard, time="20/move", clock=lambda: float(next(now)))
    assert match.result is not None and match.result.reason == "overrun"
    assert keyboard.prompts[0].startswith("[") and keyboard.prompts[0].endswith(" s] X (Ann): ")


def test_redo_makes_moves_again_and_says_where_there_are_none() -> None:
    keyboard = Keyboard("a", "b", "undo 2", "redo", "redo", "redo", "redo x")
    match = sit(keyboard)
    assert list(map(str, match.moves)) == ["a", "b"]
    assert keyboard.said.count("┌") == 6  # at first, after each of four moves, and after undo
    assert "no move that could be made again" in keyboard.said and "redo makes a move again" in keyboard.said


def test_moves_and_words_tell_what_the_board_shows() -> None:
    keyboard = Keyboard("ee", "ea", "moves", "words")
    sit(keyboard, game="ultimate")
    assert "Moves so far: 1. ee 2. ea" in keyboard.said and "Moves that may be made: aa ab" in keyboard.said
    assert "Board e: X at e, O at a." in keyboard.said


def test_the_board_may_be_told_in_words_only() -> None:
    keyboard = Keyboard("ee", "ea")
    sit(keyboard, game="ultimate", words=True)
    assert not any(line in keyboard.said for line in "┃│|")
    assert "The move ea sends X to board a." in keyboard.said


def test_a_hint_is_a_legal_move_and_eval_values_all() -> None:
    keyboard = Keyboard("a", "hint", "eval")
    sit(keyboard)
    hint = next(text for text in keyboard.told if text.startswith("Hint: "))
    assert hint.startswith("Hint: e ")  # whatever else loses
    table = next(text for text in keyboard.told if "best play" in text)
    assert table.count("proven") >= 8


def test_somebody_else_may_be_asked_for_a_hint_and_who_cannot_give_one_is_refused() -> None:
    keyboard = Keyboard("a", "hint minimax:8", "eval heurist:200", "hint tiger", "hint nobody")
    sit(keyboard)
    assert "Hint: e " in keyboard.said and "heurist:200" in keyboard.said
    assert "'tiger' does not analyse" in keyboard.said and "'nobody' is no player" in keyboard.said


def test_changing_sides_and_a_new_game() -> None:
    keyboard = Keyboard("e", "sides", "new")
    match = sit(keyboard, people="X")
    assert match.names == ("random", "Ann") and len(match.plies) == 1 and match.turn == "O"


def test_swap_is_a_word_of_the_rules() -> None:
    keyboard = Keyboard("e", "swap")
    match = sit(keyboard)
    assert "tic-tac-toe has no swap" in keyboard.said and len(match.plies) == 1


def test_enter_has_a_computer_that_thinks_move_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What else is typed meanwhile answers the next question; without a terminal nothing is read before it is asked."""
    for entry in odd_players.ENTRIES:
        monkeypatch.setitem(registry._ENTRIES, entry.name, entry)
    odd_players.LOG.clear()
    terminal, keys = os.pipe()
    keyboard = Keyboard("ee")

    def tell(text: str) -> None:
        keyboard.tell(text)
        if "is thinking; Enter has it move at once" in text:
            os.write(keys, b"moves\n\n")

    plan = plan_game("ultimate", Seats("human:Ann", "deep", 1))
    client = LineClient(plan, ask=keyboard.ask, tell=tell, terminal=terminal)
    try:
        client.play()
    finally:
        os.close(terminal)
        os.close(keys)
    assert list(map(str, client.table.match.moves)) == ["ee", "ei"] and "nobody interrupted it" not in odd_players.LOG
    assert "X (Ann): moves" in keyboard.told and "Moves so far: 1. ee 2. ei" in keyboard.said
    assert keyboard.prompts == ["X (Ann): "] * 2


def test_now_is_answered_where_nobody_thinks() -> None:
    keyboard = Keyboard("now", "a")
    assert len(sit(keyboard).plies) == 1 and "No computer is thinking." in keyboard.told


ODD_LINES = [
    "",
    " " * 5000,
    "a" * 100_000,
    "☃",
    "ａａ",
    "a\u0301",
    "\x00\x1b[31m",
    "undo undo",
    "save /nowhere/\x00/x",
    "1 2 3 4 5 6 7 8 9",
    "-1 -1",
    "999999999999999999999 1",
    "ee;ee",
    "\udcff",
    "swap",
    "hint?",
]


@pytest.mark.parametrize("game", metatac.preset_names())
def test_whatever_is_typed_is_answered_and_the_game_goes_on(game: str) -> None:
    keyboard = Keyboard(*ODD_LINES)
    match = sit(keyboard, game=game)
    assert match.plies == () and len(keyboard.prompts) == len(ODD_LINES) + 1
    assert max(map(len, keyboard.said.splitlines())) < 1000


# -- the command


def play(*arguments: str, typed: str | bytes = "") -> Result:
    return CliRunner().invoke(app, ["play", *arguments], input=typed)


RANDOM = ("--x", "random", "--o", "random")
PEOPLE = ("tic-tac-toe", "--x", "human", "--o", "human")


@pytest.mark.parametrize("game", metatac.preset_names())
def test_computers_play_every_game_to_its_end(game: str) -> None:
    done = play(game, *RANDOM, "--seed", "1")
    assert done.exit_code == 0
    assert "random (X) against random (O)" in done.output and "Points" in done.output


def test_the_seed_decides_and_the_seats_differ() -> None:
    first, again, other = (play(*RANDOM, "--seed", seed).output for seed in ("1", "1", "2"))
    assert first == again != other
    moves = [line.split()[-1] for line in first.splitlines() if " plays " in line]
    assert moves[::2] != moves[1::2]


@pytest.mark.parametrize(
    ("x", "o", "seats"),
    [
        (None, None, ("human", "engine:3")),
        ("human:Ann", None, ("human:Ann", "engine:3")),
        (None, "human", ("engine:3", "human")),
        ("mcts:1s", None, ("mcts:1s", "human")),
        (None, "random", ("human", "random")),
    ],
)
def test_who_is_not_named_is_chosen_sensibly(x: str | None, o: str | None, seats: tuple[str, str]) -> None:
    assert named_seats(x, o, "engine:3") == seats


def test_without_options_it_asks_and_enter_takes_the_defaults() -> None:
    done = play(typed="\n\n\nquit\n")
    assert "Ultimate tic-tac-toe: human (X) against engine:3 (O)." in done.output and done.exit_code == 0
    done = play(typed="nosuch\n99\ntic-tac-toe\nnobody\nrandom:7\nsideways\no\nquit\n")
    assert "Tic-tac-toe: random:7 (X) against human (O)." in done.output
    assert "is not from 1 to" in done.output and "is no player" in done.output and "x, o or toss" in done.output
    friends = play(typed="1\nhuman\na\n")
    assert "human (X) against human (O)" in friends.output and "Which side" not in friends.output


@pytest.mark.parametrize("word", ["new sudoku", "sides x"])
def test_no_game_is_left_for_a_word_that_was_not_understood(word: str) -> None:
    done = play("tic-tac-toe", "--x", "human:Ann", "--o", "human:Bob", typed=f"a\n{word}\nd\nb\ne\nc\n")
    assert f"{word.split()[0]} takes nothing more" in done.output.replace("\n", " ") and "X (Ann) wins" in done.output


@pytest.mark.parametrize("typed", ["", "1\n", "1\nrandom\n"])
def test_whoever_answers_no_question_plays_no_game(typed: str) -> None:
    done = play(typed=typed)
    assert done.exit_code == 0 and "against" not in done.output.splitlines()[-1]


def test_an_opponent_who_refuses_the_game_does_so_before_the_first_move() -> None:
    done = play("ultimate", "--o", "tiger", typed="ee\n")
    assert isinstance(done.exception, metatac.errors.MatchError) and "plays ee" not in done.output


def test_a_stated_seed_stays() -> None:
    one, two = (play("--x", "random:5", "--o", "random:6", "--seed", seed).output for seed in ("1", "2"))
    assert one == two


def test_people_may_be_piped_and_what_they_type_is_shown() -> None:
    done = play("tic-tac-toe", "--x", "human:Ann", "--o", "human:Bob", typed="a\nd\nb\ne\nc\n")
    assert done.exit_code == 0
    assert "X (Ann) wins" in done.output and "O (Bob): d\n" in done.output


def test_the_toss_gives_both_a_turn_at_x() -> None:
    seats = {
        play("tic-tac-toe", "--x", "random:1", "--o", "random:2", "--toss", "--seed", str(seed))
        .output.splitlines()[0]
        .partition(": ")[2]
        for seed in range(8)
    }
    assert seats == {"random:1 (X) against random:2 (O).", "random:2 (X) against random:1 (O)."}


def test_a_series_is_counted(tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    done = play("sudoku", "--set", "side=2", *RANDOM, "--series", "3", "--seed", "2", "--save", str(file))
    assert done.exit_code == 0 and "Game 3 of 3." in done.output and "Final score: random " in done.output
    results = [record.result for record in read_records(file)]
    assert len(results) == 3
    halves = sum({"1-0": 2, "0-1": 0, "1/2-1/2": 1}[result] for result in results[::2])
    halves += {"1-0": 0, "0-1": 2, "1/2-1/2": 1}[results[1]]
    score = f"{halves // 2 or ''}½" if halves % 2 else str(halves // 2)
    assert f"Final score: random {score}," in done.output


def test_modes_and_the_calculators_depth() -> None:
    tiger = play("sudoku", "--set", "side=2", "--mode", "tvc", "--depth", "2")
    assert "tiger (X) against minimax:2 (O)" in tiger.output and "Points" in tiger.output
    assert "random (X) against random (O)" in play("extreme", "--mode", "1", "--seed", "3").output
    assert "human (X) against minimax:5 (O)" in play("ultimate", "--depth", "5").output
    assert "minimax:5 (X) against human (O)" in play("ultimate", "--x", "minimax", "--depth", "5").output


@pytest.mark.parametrize(
    "arguments",
    [
        ["--x", "grandmaster"],
        ["--x", "random:x"],
        ["--time", "soon"],
        ["--clock", "soon"],
        ["nosuch"],
        ["extreme", "--mode", "9"],
        ["extreme", "--mode", "4"],
        ["extreme", "--mode", "1", "--x", "human"],
        ["--bot", "x.py"],
        ["--x", "random", "--o", "random", "--depth", "3"],
        ["--resume"],
        ["--resume", "--x", "human"],
        ["sudoku", "--resume"],
    ],
)
def test_wrong_arguments_are_our_errors(arguments: list[str]) -> None:
    assert isinstance(play(*arguments).exception, metatac.errors.MetatacError)


@pytest.mark.parametrize("option", ["--time", "--clock"])
@pytest.mark.parametrize("value", ["-3", "soon", "0"])
def test_a_wrong_time_is_said_with_its_option(option: str, value: str) -> None:
    assert str(play("tic-tac-toe", option, value).exception).startswith(f"{option}: ")


def test_the_record_is_saved_on_request(tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    play("sudoku", "--set", "side=2", *RANDOM, "--seed", "1", "--save", str(file))
    (record,) = read_records(file)
    assert record.rules == metatac.load_rules("sudoku", side=2) and record.result != "*"


def test_a_finished_game_is_kept_and_one_that_is_left_goes_on(data: Path) -> None:
    done = play(*PEOPLE, typed="a\nd\nb\ne\nc\n")
    (file,) = (data / "games").iterdir()
    farewell = f"to see it: metatac replay; to analyse it: metatac analyze --record {file}\n"
    assert done.output.endswith(farewell) and done.exit_code == 0
    left = play(*PEOPLE, typed="a\nb\n")
    assert left.output.endswith("metatac play --resume\n") and left.exit_code == 0
    again = play("--resume", typed="undo\nd\nb\ne\nc\n")
    assert again.exit_code == 0 and "X (human) wins" in again.output
    assert len(list((data / "games").iterdir())) == 2 and latest_save(print) is None


def test_a_game_of_a_kind_is_resumed_or_loaded(tmp_path: Path) -> None:
    play("sudoku", "--x", "human", "--o", "human", typed="ee\n")
    play(*PEOPLE, "--save", str(tmp_path / "own.txt"), typed="a\n")
    assert "Sudoku" in play("sudoku", "--resume").output.splitlines()[0]
    loaded = play("--load", str(tmp_path / "own.txt"), typed="moves\n")
    assert "Moves so far: 1. a\n" in loaded.output


def test_a_record_may_be_played_on_by_others_and_a_save_only_by_its_players(data: Path, tmp_path: Path) -> None:
    play(*PEOPLE, "--save", str(tmp_path / "own.txt"), typed="a\n")
    loaded = play("--load", str(tmp_path / "own.txt"), "--o", "random:1", typed="moves\n")
    assert "human (X) against random:1 (O)" in loaded.output and "1. a 2. " in loaded.output
    (save,) = [file for file in (data / "saves").glob("*.json") if "random:1" not in file.read_text()]
    for arguments in (("--load", str(save)), ("--resume",)):
        refused = play(*arguments, "--o", "random")
        assert "a saved game has its players" in str(refused.exception)


def test_a_game_that_goes_on_has_its_rules(data: Path, tmp_path: Path) -> None:
    file = str(tmp_path / "own.txt")
    play(*PEOPLE, "--save", file, typed="a\n")
    for arguments in (("--load", file), ("--resume",)):
        refused = play(*arguments, "--set", "side=4")
        assert refused.exit_code == 2 and "has its own rules" in refused.stderr
    assert "not of ultimate" in str(play("ultimate", "--load", file).exception)
    assert "1. a\n" in play("tic-tac-toe", "--load", file, typed="moves\n").output


@pytest.mark.parametrize("wish", [["--time", "16"], ["--clock", "5m"], ["--series", "3"]])
def test_a_game_that_goes_on_has_its_time_and_its_series(tmp_path: Path, wish: list[str]) -> None:
    play(*PEOPLE, "--save", str(tmp_path / "own.txt"), typed="a\n")
    for arguments in (["--resume"], ["--load", str(tmp_path / "own.txt")]):
        refused = play(*arguments, *wish)
        assert isinstance(refused.exception, metatac.errors.MatchError)
        assert "--time, --clock, --series" in str(refused.exception) and "plays" not in refused.output


def test_of_several_records_one_is_named_and_one_that_is_over_is_not_played_on(tmp_path: Path) -> None:
    file = str(tmp_path / "own.txt")
    for typed in ("a\n", "a\nd\nb\ne\nc\n"):
        play(*PEOPLE, "--save", file, typed=typed)
    assert f"{file}: there are 2 records in it; say which" in str(play("--load", file).exception)
    assert "Moves so far: 1. a\n" in play("--load", file, "--only", "1", typed="moves\n").output
    assert "there are 2 records, none is 3" in str(play("--load", file, "--only", "3").exception)
    assert f"{file}: the game is over" in str(play("--load", file, "--only", "2").exception)
    assert play("tic-tac-toe", "--only", "2").exit_code == 2


def test_people_of_a_record_that_is_loaded_keep_their_names(tmp_path: Path) -> None:
    people = ("tic-tac-toe", "--x", "human:Ann", "--o", "human:Bob")
    play(*people, "--save", str(tmp_path / "own.txt"), typed="a\n")
    assert "Ann (X) against Bob (O)" in play("--load", str(tmp_path / "own.txt")).output


def test_a_damaged_save_is_told_of(data: Path) -> None:
    play(*PEOPLE, typed="a\n")
    (file,) = (data / "saves").glob("*.json")
    file.write_text(file.read_text()[:99])
    done = play("--resume")
    assert str(file) in done.output and "damaged" in done.output
    assert isinstance(done.exception, metatac.errors.MatchError)


def test_nothing_is_kept_without_a_move_or_a_person(data: Path, tmp_path: Path) -> None:
    play(*PEOPLE, typed="a\nundo\nquit\n")
    play("tic-tac-toe", *RANDOM)
    assert not (data / "games").exists() and list((data / "saves").iterdir()) == []


def test_what_cannot_be_kept_is_said_in_one_line(data: Path) -> None:
    data.write_text("a file where the folder should be")
    done = play(*PEOPLE, typed="a\nquit\n")
    assert done.exit_code == 2 and isinstance(done.exception, SystemExit)
    assert done.output.splitlines()[-1].startswith(f"The game is not saved: {data}")


def test_a_place_to_save_is_tried_before_the_first_move(tmp_path: Path) -> None:
    done = play(*RANDOM, "--save", str(tmp_path))
    assert isinstance(done.exception, OSError) and done.exception.filename == str(tmp_path)
    assert "plays" not in done.output


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="/dev/full is a thing of Linux")
def test_where_the_named_file_fails_the_game_is_not_lost() -> None:
    done = play(*PEOPLE, "--save", "/dev/full", typed="a\nquit\n")
    assert "/dev/full: No space left on device. The game is not saved." in done.output and done.exit_code == 2
    assert latest_save(print) is not None


@pytest.mark.parametrize(
    ("options", "time"),
    [
        (["--time", "game"], "time 15/move"),
        (["--time", "16"], "time 16/move"),
        (["--time", "1m"], "time 60/move"),
        (["--time", "2.5"], "time 2.5/move"),
        (["--clock", "5m+3s"], "time 5m+3s"),
        (["--clock", "5m+3s", "--time", "30"], "time 5m+3s,30/move"),
        (["--time", "5m+3s"], "time 5m+3s"),
        ([], ""),
        (["--time", "none"], ""),
    ],
)
def test_time_controls(options: list[str], time: str) -> None:
    first = play("intelligent", *RANDOM, "--seed", "1", *options).output.splitlines()[0]
    assert (time in first) if time else ("time" not in first)


def test_two_people_need_no_heavy_library() -> None:
    program = (
        "import sys; from metatac.cli.app import app\n"
        "try: app(['play', 'tic-tac-toe', '--x', 'human', '--o', 'human'])\nexcept SystemExit: pass\n"
        "print([name for name in ('numpy', 'numba', 'textual', 'fastapi', 'sqlalchemy') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], input="a\nd\nb\ne\nc\n", capture_output=True, text=True, check=True
    )
    assert "wins" in done.stdout and done.stdout.splitlines()[-1] == "[]"
