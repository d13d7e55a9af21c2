"""The names that everything relies on, line by line; and what errors and views say."""

import copy
import json
import pickle
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import random_game, rule_sets

import metatac
from metatac.errors import IllegalMove, InvalidMove, MetatacError
from metatac.game import explain_send

# -- the names


def test_start_rules_and_options() -> None:
    position = metatac.start("sudoku", side=4, first="center")
    rules = metatac.load_rules("sudoku", side=4, first="center")
    assert isinstance(rules, metatac.RuleSet)
    assert position.rules == rules
    assert metatac.start(rules) == position
    assert (rules.side, rules.first_board) == (4, (5,))
    assert metatac.start("sudoku", side=2, first="center").send == (0,)
    assert metatac.start("sudoku", first="center").send == (4,)
    assert metatac.start("sudoku").send == ()


def test_turn_legal_moves_parse_and_play() -> None:
    position = metatac.start("ultimate")
    assert position.turn == "X"
    assert len(position.legal_moves) == 81
    assert isinstance(position.legal_moves, tuple)
    assert list(position.legal_moves) == sorted(position.legal_moves)
    move = position.parse("ae")
    assert isinstance(move, metatac.Move)
    assert (move, str(move)) == ((0, 4), "ae")
    after = position.play("ae")
    assert after == position.play(move) == position.play((0, 4))
    assert after.turn == "O"
    assert position == metatac.start("ultimate")
    assert {str(move)[0] for move in after.legal_moves} == {"e"}
    assert after.outcome is None


def test_move_text_has_a_letter_for_each_level() -> None:
    assert str(metatac.start("tic-tac-toe").legal_moves[-1]) == "i"
    assert str(metatac.start("ultimate").legal_moves[-1]) == "ii"
    assert str(metatac.start("ultimate", side=7).legal_moves[-1]) == "WW"
    assert str(metatac.start("ultimate-ultimate").legal_moves[0]) == "aaab"
    assert str(metatac.start("ultimate", side=6).parse("zJ")) == "zJ"
    assert repr(metatac.Move((0, 4))) == "Move('ae')"


def test_outcomes() -> None:
    game = metatac.Game("tic-tac-toe", ["a", "b", "d", "c", "g"])
    assert game.outcome == metatac.Outcome(winner="X", points=(1, 0), reason="line")
    assert str(game.outcome) == "X wins (line), 1 to 0"
    drawn = metatac.Game("tic-tac-toe", ["a", "b", "c", "e", "d", "f", "h", "g", "i"])
    assert drawn.outcome == (None, (0.5, 0.5), "draw")


def test_text_is_one_line_and_carries_the_rules() -> None:
    position = metatac.start("sudoku", side=4, first="center").play("fa")
    assert position.text == "sudoku{side=4;first=center} O a 16/16/16/16/16/X15/16/16/16/16/16/16/16/16/16/16"
    assert metatac.position(position.text) == position
    assert metatac.position(position.text).rules.spec == "sudoku{side=4;first=center}"


def test_players_load_by_name() -> None:
    position = metatac.start("ultimate")
    assert metatac.load_player("random").choose(position) in position.legal_moves


# -- positions are values


def test_positions_are_immutable() -> None:
    position = metatac.start("ultimate")
    for name in ("turn", "cells", "send", "bonus", "new"):
        with pytest.raises(AttributeError, match="cannot be changed"):
            setattr(position, name, None)
    with pytest.raises(AttributeError, match="cannot be changed"):
        del position.turn
    assert not hasattr(position, "__dict__")
    with pytest.raises(AttributeError):
        metatac.load_rules("ultimate").side = 4  # type: ignore[misc]


def test_positions_are_values() -> None:
    a, b = (metatac.start("ultimate").play("ae") for _ in range(2))
    assert a is not b and a == b and hash(a) == hash(b)
    assert len({a, b, metatac.start("ultimate")}) == 2
    assert a != metatac.start("ultimate-open").play("ae")
    assert a != "ultimate" and (a == 3) is False
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(a, protocol)) == a
    assert copy.copy(a) == a == copy.deepcopy(a)
    assert pickle.loads(pickle.dumps(metatac.Move((0, 1)))) == metatac.Move((0, 1))
    assert isinstance(pickle.loads(pickle.dumps(metatac.Move((0, 1)))), metatac.Move)


def test_what_a_position_remembers_is_not_in_its_equality() -> None:
    looked, fresh = metatac.start("ultimate"), metatac.start("ultimate")
    assert looked.legal_moves and looked.outcome is None
    assert looked == fresh and hash(looked) == hash(fresh)


# -- errors name their reason, the input and the position

WON = "ultimate O - XXX6:X/OO7/9/9/9/9/9/9/9"


@pytest.mark.parametrize(
    ("position", "move", "kind", "parts"),
    [
        (WON, "ae", IllegalMove, ["'ae'", "board a is decided (won by X)", "O may play anywhere"]),
        ("ultimate O e 4X4/9/9/9/9/9/9/9/9", "aa", IllegalMove, ["'aa'", "O must play in board e"]),
        ("ultimate O a X8/9/9/9/9/9/9/9/9", "aa", IllegalMove, ["'aa'", "cell a is taken by X"]),
        ("ultimate X - 9/9/9/9/9/9/9/9/9", "aj", InvalidMove, ["'aj'", "ultimate", "2 letters of a-i"]),
        ("ultimate X - 9/9/9/9/9/9/9/9/9", "a", InvalidMove, ["'a'", "2 letters"]),
        ("ultimate X - 9/9/9/9/9/9/9/9/9", "swap", InvalidMove, ["'swap'"]),
        ("ultimate{swap=true} X - 9/9/9/9/9/9/9/9/9", "swap", IllegalMove, ["'swap'", "only the second player"]),
        ("tic-tac-toe O - XXXOO4", "i", IllegalMove, ["'i'", "the game is over, X wins (line), 1 to 0"]),
        ("sudoku{side=2} X b OXOX/X1O#/#OXX/XO#O", "bd", IllegalMove, ["'bd'", "cell d is banned"]),
        ("sudoku{side=2} X b OXOX/X1O#/#OXX/XO#O", "ba", IllegalMove, ["'ba'", "cell a is taken by X"]),
        ("ultimate-ultimate{side=2} X - " + "|".join(["4/4/4/4"] * 4), "aaaa", IllegalMove, ["both marks cannot go"]),
    ],
)
def test_errors(position: str, move: str, kind: type[Exception], parts: list[str]) -> None:
    here = metatac.position(position)
    for attempt in (here.parse, here.play):
        with pytest.raises(kind) as caught:
            attempt(move)
        assert isinstance(caught.value, ValueError) and isinstance(caught.value, MetatacError)
        message = str(caught.value)
        for part in parts:
            assert part in message
        if kind is IllegalMove:
            assert here.text in message


# -- games


def test_games_push_and_pop() -> None:
    game = metatac.Game("ultimate")
    assert (len(game), game.moves, game.last_move) == (0, (), None)
    assert game.push("ae") == game.position
    game.push((4, 0))
    twin = game.copy()
    assert [str(move) for move in game.moves] == ["ae", "ea"]
    assert game.positions == (game.start, game.start.play("ae"), game.position)
    assert str(game.last_move) == "ea"
    assert str(game.pop()) == "ea"
    assert game.position == game.start.play("ae")
    assert len(twin) == 2 and twin.position != game.position
    with pytest.raises(IllegalMove):
        game.push("aa")
    assert len(game) == 1, "a refused move changes nothing"
    game.pop()
    with pytest.raises(IllegalMove, match="no move to take back"):
        game.pop()
    assert game.turn == "X" and game.rules.name == "ultimate" and game.outcome is None
    assert len(game.legal_moves) == 81
    assert "2 moves: ae ea" in repr(twin)
    assert metatac.Game(twin.position).start == twin.position


@given(rule_sets(depths=(1, 2, 2, 3), most_side=3), st.integers(0, 2**32))
@settings(max_examples=50, deadline=None)
def test_no_position_of_a_game_repeats(rules: metatac.RuleSet, seed: int) -> None:
    game = random_game(rules, random.Random(seed), 200)
    assert len(set(game.positions)) == len(game) + 1
    while len(game):
        before = game.positions[-2]
        game.pop()
        assert game.position == before


# -- what front ends see


@given(rule_sets(), st.integers(0, 2**32))
@settings(max_examples=80, deadline=None)
def test_to_dict_is_complete_and_json_ready(rules: metatac.RuleSet, seed: int) -> None:
    chance = random.Random(seed)
    game = random_game(rules, chance, chance.randrange(50))
    position = game.position
    data = game.to_dict()
    assert json.loads(json.dumps(data)) == data
    assert data["legal"] == [str(move) for move in position.legal_moves]
    assert metatac.position(data["text"]) == position
    assert (data["turn"], data["bonus"]) == (position.turn, position.bonus)
    assert "".join(board["cells"] for board in data["boards"]) == position.cells
    assert [board["open"] for board in data["boards"]] == [position.is_open(n) for n in range(rules.board_count)]
    assert len({board["board"] for board in data["boards"]}) == rules.board_count
    if rules.depth > 1:
        assert "".join(board["owner"] or "." for board in data["boards"]) == position.owners[-1]
    if rules.depth == 3:
        assert "".join(group["owner"] or "." for group in data["groups"]) == position.owners[0]
        assert [group["open"] for group in data["groups"]] == [position.is_open_path((n,)) for n in range(rules.size)]
    if rules.tallies:
        assert tuple(tuple(board["tallies"]) for board in data["boards"]) == position.tallies
    if position.outcome is None:
        assert data["outcome"] is None
        assert data["send"]["reason"] in ("start", "first", "sent", "decided", "unsent")
    else:
        assert data["outcome"]["winner"] == position.outcome.winner
        assert tuple(data["outcome"]["points"]) == position.outcome.points
        assert data["send"]["reason"] == "over"
    assert data["send"]["free"] == (position.send == ())
    assert data["send"]["text"].endswith(".")
    assert data["last_move"] == (str(game.last_move) if len(game) else None)
    rebuilt = metatac.Game(metatac.position(data["start"]), data["moves"])
    assert rebuilt.position == position


@pytest.mark.parametrize(
    ("rules", "moves", "reason", "board", "words"),
    [
        ("ultimate", [], "start", None, "X begins anywhere"),
        ("sudoku{first=center}", [], "first", "e", "The first move must be in board e"),
        ("ultimate", ["ae"], "sent", "e", "The move ae sends O to board e"),
        ("ultimate", ["aa", "ab", "ba", "ae", "ea", "ah", "ha"], "decided", None, "names board a, which is won by O"),
        ("tic-tac-toe", ["a"], "unsent", None, "O plays anywhere"),
        ('ultimate{send=["any"]}', ["aa"], "unsent", None, "O plays anywhere"),
        ("tic-tac-toe", ["a", "b", "d", "c", "g"], "over", None, "The game is over: X wins (line), 1 to 0"),
        ("ultimate{swap=true}", ["ae", "swap"], "sent", "e", "The move ae sends X to board e"),
        ("ultimate{bonus=true}", ["ab", "ba", "ac", "ca", "aa"], "decided", None, "It is X's bonus move"),
        ("ultimate-ultimate", ["aaab"], "sent", "ba", "The move aaab sends O to board ba"),
    ],
)
def test_why_somebody_is_sent(rules: str, moves: list[str], reason: str, board: str | None, words: str) -> None:
    send = metatac.Game(metatac.start(rules), moves).to_dict()["send"]
    assert (send["reason"], send["board"]) == (reason, board)
    assert send["free"] == (board is None)
    assert words in send["text"]


@pytest.mark.parametrize(
    ("text", "move", "lines"),
    [
        ("tic-tac-toe X - XX1OO4", "c", ["abc"]),
        ("tic-tac-toe X - 1XXXOOXOO", "a", ["abc", "adg"]),
        ("tic-tac-toe X - XOXXOOOX1", "i", []),
        ("ultimate X - XXX6:X/OO7/OO7/OO7/XXX6:X/OO7/9/9/XX7", "ic", ["aei"]),
        ("misere-ultimate O - OOO6:O/OOO6:O/OO7/XX7/XX7/XX7/XX7/X8/9", "cc", ["abc"]),
        ("tic-tac-toe X - XX2O1O2", "d", None),
    ],
)
def test_the_lines_that_end_a_game(text: str, move: str, lines: list[str] | None) -> None:
    outcome = metatac.position(text).play(move).to_dict()["outcome"]
    assert outcome == (outcome and outcome | {"lines": lines})
    assert (outcome is None) == (lines is None)


@pytest.mark.parametrize("seed", range(20))
def test_counted_lines_are_shown_where_they_are(seed: int) -> None:
    game = random_game(metatac.load_rules("sudoku"), random.Random(seed), 100)
    boards = game.to_dict()["boards"]
    owners = [{board["cells"][ord(cell) - ord("a")] for cell in line} for board in boards for line in board["lines"]]
    assert game.outcome is not None
    assert (owners.count({"X"}), owners.count({"O"})) == game.outcome.points
    assert len(owners) == sum(game.outcome.points)


def test_an_editor_is_told_what_the_rules_have() -> None:
    found = {name: metatac.start(name).to_dict()["features"] for name in ("tic-tac-toe", "extreme", "sudoku")}
    assert found == {"tic-tac-toe": [], "extreme": ["bonus", "owners", "send"], "sudoku": ["ban", "send"]}


def test_why_without_the_last_move() -> None:
    free = metatac.position(WON)
    assert explain_send(free)["reason"] == "unknown"
    assert explain_send(metatac.start("ultimate").play("ae"))["reason"] == "sent"
    assert explain_send(metatac.start("ultimate").play("ae"), metatac.Move((0, 4)))["reason"] == "sent"


def test_why_a_sudoku_game_is_over() -> None:
    """Sent to a full grid, though there are blank squares elsewhere: the text says which grid."""
    games = (random_game(metatac.load_rules("sudoku"), random.Random(seed), 100) for seed in range(200))
    game = next(game for game in games if "." in game.position.cells)
    send = game.to_dict()["send"]
    assert game.outcome is not None
    assert (send["reason"], send["board"]) == ("over", str(game.last_move)[1])
    assert f"was sent to board {send['board']}, which is full" in send["text"]


def test_up_leads_to_the_board_around() -> None:
    """With sent_to_decided = up a decided small board leaves the choice among its neighbours."""
    rules = metatac.load_rules("ultimate", depth=3, side=2, sent_to_decided="up", patterns=[[0, 1]])
    seen = set()
    for seed in range(40):
        game = random_game(rules, random.Random(seed), 100)
        for index, move in enumerate(game.moves):
            position = game.positions[index + 1]
            if position.outcome is None and len(position.send) == 1:
                told = explain_send(position, move)
                assert told["reason"] == "decided"
                assert told["board"] == str(metatac.Move(position.send))
                assert {legal[0] for legal in position.legal_moves} == {position.send[0]}
                seen.add(position.send)
    assert seen
