"""What is said in each protocol, and what is made of the answers, without any program."""

from typing import Any

import pytest

import metatac
from metatac.errors import BotError
from metatac.game import Game, Move
from metatac.match import Clock, Instead, Offence
from metatac.players.bots.protocols import CodinGame, Course, Dialogue, Python, Riddles, Talk, TheAiGames, Ugi


def perform(talk: Talk[Any], *answers: str) -> tuple[list[str], Any]:
    """What was said, line by line, and what came of it."""
    said: list[str] = []
    left = iter(answers)
    try:
        word = next(talk)
        while True:
            if word is None:
                word = talk.send(next(left))
            else:
                said += word.split("\n")
                word = next(talk)
    except StopIteration as end:
        assert next(left, None) is None, "answers that nobody waited for"
        return said, end.value


def ask(dialogue: Dialogue, game: Game, *answers: str, clock: Clock | None = None) -> tuple[list[str], Any]:
    return perform(dialogue.turn(game, clock or Clock()), *answers)


# -- CodinGame


def test_codingame_tells_the_opponents_cell_and_every_valid_one() -> None:
    dialogue = CodinGame()
    said, move = ask(dialogue, Game("ultimate-majority"), "4 4 hello there")
    assert said[:3] == ["-1 -1", "81", "0 0"]
    assert said[-1] == "8 8"
    assert len(said) == 83
    assert move == Move((4, 4))
    said, move = ask(dialogue, Game("ultimate-majority", ["ee", "ea"]), "0 2")
    assert said == ["3 3", "9", *(f"{row} {column}" for row in range(3) for column in range(3))]
    assert move == Move((0, 2))


def test_codingame_for_the_second_player_begins_with_the_first_move() -> None:
    said, _ = ask(CodinGame(), Game("ultimate", ["aa"]), "1 1")
    assert said[:2] == ["0 0", "8"]


def test_codingame_plays_one_board_too() -> None:
    said, move = ask(CodinGame(), Game("tic-tac-toe", ["e"]), "2 0")
    assert (said[0], said[1], move) == ("1 1", "8", Move((6,)))


def test_codingame_has_a_second_for_the_first_move_and_a_tenth_later() -> None:
    dialogue = CodinGame()
    assert dialogue.limit() == 1.0
    ask(dialogue, Game("ultimate"), "0 0")
    assert dialogue.limit() == 0.1


@pytest.mark.parametrize("answer", ["", "4", "e e", "4 9", "-1 -1", "４ ４", "1e0 1", "99999999999 1"])
def test_codingame_garbage(answer: str) -> None:
    with pytest.raises(Offence) as found:
        ask(CodinGame(), Game("ultimate"), answer)
    assert found.value.reason == "garbage"


@pytest.mark.parametrize("rules", ["extreme", "sudoku", "ultimate-ultimate", "intelligent"])
@pytest.mark.parametrize("kind", [CodinGame, Riddles, TheAiGames])
def test_other_boards_are_refused_with_the_reason(kind: type[Dialogue], rules: str) -> None:
    with pytest.raises(BotError, match=r"cannot tell a game of"):
        kind().check(Game(rules))


def test_codingame_cannot_begin_in_the_middle_nor_take_back() -> None:
    middle = metatac.start("ultimate").play("aa").play("ae")
    with pytest.raises(BotError, match="must begin at the start"):
        CodinGame().check(Game(middle))
    dialogue = CodinGame()
    ask(dialogue, Game("ultimate"), "0 0")
    ask(dialogue, Game("ultimate", ["aa", "ae"]), "4 4")
    with pytest.raises(BotError, match="without takebacks"):
        ask(dialogue, Game("ultimate"), "0 0")


# -- riddles.io and theaigames


def test_riddles_is_told_the_clock_and_the_whole_position() -> None:
    dialogue = Riddles()
    clock = Clock(limit=9.5, own=9.5, opponent=10, increment=0.25)
    said, move = ask(dialogue, Game("ultimate", ["ea"]), "place_move 1 2", clock=clock)
    field = ["."] * 81
    field[30] = "0"  # row 3, column 3
    assert said == [
        "settings timebank 9500",
        "settings time_per_move 250",
        "settings player_names player0,player1",
        "settings your_bot player1",
        "settings your_botid 1",
        "update game round 1",
        f"update game field {','.join(field)}",
        "update game macroboard -1,.,.,.,.,.,.,.,.",
        "action move 9500",
    ]
    assert move == Move((0, 7))  # x is the column
    said, _ = ask(dialogue, Game("ultimate", ["ea", "ah", "hh"]), "place_move 4 8", clock=clock)
    assert said[0] == "update game round 2"


def test_theaigames_has_other_symbols_and_counts_moves() -> None:
    game = Game("ultimate", ["ee", "ea", "ae", "ei", "ie", "ef", "fe", "ed", "de"])  # O owns nothing, X sends to e
    said, _ = ask(TheAiGames(), game, "place_move 4 3", clock=Clock(limit=0.5))
    assert said[:5] == [
        "settings timebank 500",
        "settings time_per_move 500",
        "settings player_names player1,player2",
        "settings your_bot player2",
        "settings your_botid 2",
    ]
    assert said[5:7] == ["update game round 5", "update game move 10"]
    field = said[7].removeprefix("update game field ").split(",")
    assert (field.count("0"), field.count("1"), field.count("2")) == (72, 5, 4)
    assert said[8] == "update game macroboard 0,0,0,0,-1,0,0,0,0"
    assert said[9] == "action move 500"


def test_the_macroboard_has_owners_and_everything_open_in_a_free_move() -> None:
    game = Game("ultimate", ["aa", "ab", "ba", "ac", "ca", "ae", "ea"])
    game.push("ah")  # b, e and h: O owns board a
    assert game.position.owners[0][0] == "O"
    game.push("ha")  # sends to a, which is decided
    said, _ = ask(Riddles(), game, "place_move 8 8")
    assert said[7] == "update game macroboard 1,-1,-1,-1,-1,-1,-1,-1,-1"
    said, _ = ask(TheAiGames(), game, "place_move 8 8")
    assert said[8] == "update game macroboard 2,-1,-1,-1,-1,-1,-1,-1,-1"


@pytest.mark.parametrize("answer", ["", "4 4", "place_move 4", "place_move 9 0", "place_move a b", "place_move 1 2 3"])
def test_riddles_garbage(answer: str) -> None:
    with pytest.raises(Offence) as found:
        ask(Riddles(), Game("ultimate"), answer)
    assert found.value.reason == "garbage"


# -- UGI


def test_ugi_sets_the_rules_and_options_that_the_engine_has() -> None:
    dialogue = Ugi({"Hash": "16", "Contempt": "3"})
    answers = ["id name x", "option name Rules type string default y", "option name Hash type spin", "ugiok", "readyok"]
    said, _ = perform(dialogue.begin(Game("sudoku"), "X"), *answers)
    rules = metatac.load_rules("sudoku").spec
    assert said == [
        "ugi",
        f"setoption name Rules value {rules}",
        "setoption name Hash value 16",
        "uginewgame",
        "isready",
    ]


@pytest.mark.parametrize(
    ("clock", "go"),
    [
        (Clock(), "go movetime 1000"),
        (Clock(limit=0.1), "go movetime 100"),
        (Clock(limit=60, own=60, opponent=30.5, increment=1), "go p1time 30500 p2time 60000 p1inc 1000 p2inc 1000"),
        (Clock(limit=5, own=60, opponent=30), "go p1time 30000 p2time 60000 p1inc 0 p2inc 0 movetime 5000"),
    ],
)
def test_ugi_tells_the_game_and_the_time(clock: Clock, go: str) -> None:
    said, move = ask(Ugi(), Game("ultimate", ["aa"]), "info depth 1 pv ae", "", "bestmove ae ponder ee", clock=clock)
    assert said == ["position startpos moves aa", go]
    assert move == Move((0, 4))


def test_a_game_that_begins_in_the_middle_is_told_by_its_text() -> None:
    middle = metatac.start("ultimate").play("aa")
    said, _ = ask(Ugi(), Game(middle, ["ae"]), "bestmove ea")
    assert said[0] == f"position fen {middle.text} moves ae"


def test_ugi_may_resign_or_talk_nonsense() -> None:
    with pytest.raises(Instead):
        ask(Ugi(), Game("ultimate"), "bestmove resign")
    for answer in ("bestmove", "bestmove e2e4", "bestmove none"):
        with pytest.raises(Offence) as found:
            ask(Ugi(), Game("ultimate"), "info string crash: this is no runner of ours", answer)
        assert found.value.reason == "garbage"


@pytest.mark.parametrize("reason", ["crash", "garbage", "memory", "tampering"])
def test_our_runner_names_the_reason(reason: str) -> None:
    with pytest.raises(Offence) as found:
        ask(Python(), Game("ultimate"), f"info string {reason}: because", "bestmove none")
    assert (found.value.reason, found.value.detail) == (reason, "because")


def test_a_bot_of_ours_without_a_clock_is_not_hurried() -> None:
    assert ask(Python(), Game("ultimate"), "bestmove aa")[0] == ["position startpos", "go"]


def test_bots_of_the_courses_play_their_games_only() -> None:
    for rules in ("extreme", "intelligent"):
        Course().check(Game(rules))
    for rules in ("ultimate", "sudoku", "tic-tac-toe"):
        with pytest.raises(BotError):
            Course().check(Game(rules))
    with pytest.raises(BotError):
        Course().check(Game(metatac.load_rules("sudoku", side=4)))
