"""What a record may say, what it may not, and how it says no."""

import json

import pytest

import metatac
from metatac.errors import InvalidRecord
from metatac.notation import Ply, Record

# X wins the top row of boards; each small board by its anti-diagonal or a row.
WON = ["ac", "ca", "ae", "ea", "ag", "gb", "bc", "cb", "be", "eb", "bg", "gc", "cd", "dc", "ce", "ec", "cf"]


def played(*moves, game="ultimate"):
    game = metatac.Game(game)
    for move in moves:
        game.push(move)
    return game


def text(moves, *tags):
    return "\n".join(['[Rules "ultimate"]', *tags, "", moves]) + "\n"


def test_a_record_takes_its_ending_from_the_board():
    record = Record.from_game(played(*WON), tags={"O": "Charles", "X": "Ada", "Mood": "good"})
    assert (record.result, record.points, record.termination) == ("1-0", (1, 0), "line")
    assert record.headers == {
        "Rules": "ultimate",
        "X": "Ada",
        "O": "Charles",
        "Result": "1-0",
        "Points": "1-0",
        "Termination": "line",
        "Mood": "good",
    }
    assert list(record.tags) == ["X", "O", "Mood"]
    assert record.rules == metatac.load_rules("ultimate")
    assert " ".join(map(str, record.moves)) == " ".join(WON)


def test_the_text_of_a_record():
    game = played("ee", "ea", "aa")
    start = game.start
    aside = (Ply(start.play("ee").parse("eb"), nags=(6,)), Ply(start.play("ee").play("eb").parse("ba")))
    record = Record(
        start,
        (
            Ply(game.moves[0], comment="the {very} centre", clock=15.25, spent=0.5, evaluation=0.25, nags=(1,)),
            Ply(game.moves[1], win_in=-5, variations=(aside,)),
            Ply(game.moves[2]),
        ),
        "0-1",
        (0, 16),
        "time",
        {"X": 'the "best"', "TimeControl": "16/move"},
    )
    assert record.to_text() == (
        '[Rules "ultimate"]\n'
        '[X "the \\"best\\""]\n'
        '[Result "0-1"]\n'
        '[Points "0-16"]\n'
        '[Termination "time"]\n'
        '[TimeControl "16/move"]\n'
        "\n"
        "1. ee $1 {[%clk 0:00:15.25] [%emt 0:00:00.5] [%eval 0.25] the {very\\} centre} 2. ea {[%eval #-5]}\n"
        "(2. eb $6 3. ba) 3. aa 0-1\n"
    )
    assert record.to_json() == (
        '{"rules":"ultimate","result":"0-1","points":[0,16],"termination":"time",'
        '"tags":{"X":"the \\"best\\"","TimeControl":"16/move"},"moves":['
        '{"move":"ee","comment":"the {very} centre","clock":15.25,"spent":0.5,"evaluation":0.25,"nags":[1]},'
        '{"move":"ea","win_in":-5,"variations":[[{"move":"eb","nags":[6]},"ba"]]},"aa"]}'
    )
    steps = [(step.number, step.depth, str(step.ply.move)) for step in record.walk()]
    assert steps == [(1, 0, "ee"), (2, 0, "ea"), (2, 1, "eb"), (3, 1, "ba"), (3, 0, "aa")]
    assert all(step.after == step.before.play(step.ply.move) for step in record.walk())


def test_what_people_write_is_read_too():
    record = Record.from_text(
        '\ufeff[Rules "ultimate"]\n[Result "*"]\n\n'
        "{ before }\n1.ee!? {good [%clk 0:01:00] move}{and\nmore} ( eb )\n ea ?? 3... aa*\n".lstrip("\ufeff")
    )
    assert record.comment == "before"
    first, second, _ = record.plies
    assert (first.comment, first.clock, first.nags) == ("good move\nand\nmore", 60, (5,))
    assert str(first.variations[0][0].move) == "eb" and second.nags == (4,)


def test_clocks_are_kept_to_the_millisecond():
    move = metatac.start("ultimate").parse("ee")
    assert Ply(move, clock=1.23456).clock == 1.235
    for seconds in (-1, float("nan"), float("inf"), 1e9, True, "1"):
        with pytest.raises(InvalidRecord):
            Ply(move, clock=seconds)


@pytest.mark.parametrize(
    "note",
    [
        {"comment": 5},
        {"comment": "x" * 70_000},
        {"comment": "\ud800"},
        {"evaluation": float("nan")},
        {"win_in": 1.5},
        {"win_in": 3, "evaluation": 0.5},
        {"nags": (256,)},
        {"nags": (True,)},
    ],
)
def test_notes_that_no_move_can_carry(note):
    with pytest.raises(InvalidRecord):
        Ply(metatac.start("ultimate").parse("ee"), **note)


def test_a_ply_wants_a_move_and_not_its_text():
    with pytest.raises(InvalidRecord, match=r"Position\.parse"):
        Ply("ee")
    assert Ply((4, 4)) == Ply(metatac.start("ultimate").parse("ee"))


@pytest.mark.parametrize("tags", [{"Rules": "x"}, {"Result": "1-0"}, {"a b": "x"}, {"": "x"}, {"X": 5}])
def test_tags_that_cannot_be_set(tags):
    with pytest.raises(InvalidRecord, match="tag"):
        Record(metatac.start("ultimate"), tags=tags)


@pytest.mark.parametrize(
    ("ending", "trouble"),
    [
        (("0-1",), "result is '0-1', but the game ended 1-0"),
        (("*",), "but the game ended 1-0"),
        (("1-0", (16, 0)), "points are 16-0, but the game ended 1-0"),
        (("1-0", (1, 0), "draw"), "termination is 'draw'"),
        (("1-0", (1, 0), "resignation"), "termination is 'resignation'"),
    ],
)
def test_a_finished_board_is_not_contradicted(ending, trouble):
    with pytest.raises(InvalidRecord, match=trouble):
        Record.from_game(played(*WON), **dict(zip(("result", "points", "termination"), ending, strict=False)))


@pytest.mark.parametrize(
    ("ending", "trouble"),
    [
        (("1-0", (1, 0), "line"), "the game is not over"),
        (("1/2-1/2", (0.5, 0.5), "draw"), "the game is not over"),
        (("1-0",), "no termination says why"),
        (("2-0", None, "time"), "none of 1-0, 0-1"),
        (("*", (1, 0)), "no points"),
        (("1-0", (1, 2, 3), "time"), "no pair"),
        (("1-0", (float("nan"), 0), "time"), "no number"),
    ],
)
def test_an_unfinished_board_wants_a_reason_from_outside(ending, trouble):
    with pytest.raises(InvalidRecord, match=trouble):
        Record.from_game(played("ee"), **dict(zip(("result", "points", "termination"), ending, strict=False)))


def test_times_are_given_for_every_move():
    with pytest.raises(InvalidRecord, match="1 moves, but 2 times"):
        Record.from_game(played("ee"), clocks=[1, 2])


@pytest.mark.parametrize(
    ("moves", "trouble"),
    [
        ("1. ee 2. ea\n3. ab 4. ca *", r"^line 5: ply 4: 'ca'"),
        ("1. ee (1. aa\n2. bb) *", r"^line 5: ply 2 in a variation: 'bb'"),
        ("1. ee 2. zz *", "^line 4: ply 2: 'zz' is no move"),
        ("1. ee 3. ea *", r"^line 4: number 3\. where ply 2 comes"),
        ("1. ee 2. ea", "without a result"),
        ("1. ee ( 1. ea *", "inside a variation"),
        ("1. ee ) *", "never opened"),
        ("( 1. ee ) *", "before the first move"),
        ("1. ee () *", "without moves"),
        ("1. ee ({a} 1. ea) *", "before the first move of its line"),
        ("1. ee {a", "not closed"),
        ("1. ee {\\q} *", r"unknown escape '\\q'"),
        ("1. ee {[%clk 5]} *", "no time of the form"),
        ("1. ee {[%eval x]} *", "neither a number"),
        ("1. ee {[%eval 1] [%eval 2]} *", "twice"),
        ("{[%clk 0:00:01]} 1. ee *", "before the first move"),
        ("1. ee $999 *", "from 0 to 255"),
        ("1. ee % *", "nothing that belongs to a game"),
        ("1. ee * 2. ea", "after the result"),
        ("1. ee 1-0", "the tag Result says"),
    ],
)
def test_damaged_moves_are_named_with_their_line(moves, trouble):
    with pytest.raises(InvalidRecord, match=trouble):
        Record.from_text(text(moves, '[Result "*"]'))


@pytest.mark.parametrize(
    ("tags", "trouble"),
    [
        (['[Result "*"', '[X "Ada"]'], r"^line 2: .* is no tag"),
        (['[Result "*"]', '[Result "*"]'], "^line 3: tag Result a second time"),
        (['[Result "*"]', '[Points "many"]'], "not of the form"),
        (['[Result "*"]', '[Start "sudoku X - 9"]'], "not of ultimate"),
        (['[Result "*"]', '[Start "ultimate X -"]'], "start position"),
        (['[Result "*"]', '[X "\\q"]'], "^line 3: tag X: unknown escape"),
    ],
)
def test_damaged_tags_are_named_with_their_line(tags, trouble):
    with pytest.raises(InvalidRecord, match=trouble):
        Record.from_text(text("*", *tags))


@pytest.mark.parametrize(
    ("moves", "result"),
    [
        ("a b d c g", "1-0"),
        ("a b d c g 1-0", "1-0"),
        ("a b d", "*"),
        ("a b d *", "*"),
        ("*", "*"),
        ("a b (2. e 3. d) {so far}", "*"),
    ],
)
def test_a_result_that_nobody_wrote_follows_from_the_moves(moves, result):
    found = Record.from_text(f'[Rules "tic-tac-toe"]\n\n{moves}\n')
    assert found.result == result
    assert Record.from_text(found.to_text()) == found
    plain = [move for move in moves.split() if len(move) == 1 and move.isalpha()]
    if "(" not in moves:
        assert Record.from_json(json.dumps({"rules": "tic-tac-toe", "moves": plain})) == found


@pytest.mark.parametrize(
    ("moves", "trouble"),
    [
        ("", "without a result"),
        ("{a game}", "without a result"),
        ("1. a (1. b", "without a result"),
        ("1. a 2. b 1-0", "no termination says why"),
        ("1. a 2. b 3. d 4. c 5. g 0-1", "the game ended 1-0"),
    ],
)
def test_without_a_result_nothing_is_made_of_what_was_cut_off_or_is_wrong(moves, trouble):
    """Tags alone are what is left of a record whose end is lost."""
    with pytest.raises(InvalidRecord, match=trouble):
        Record.from_text(f'[Rules "tic-tac-toe"]\n\n{moves}\n')


@pytest.mark.parametrize("rules", ["/etc/passwd", "x=../rules.toml{side=4}", "rules.toml", "chess", "", "ultimate{"])
def test_a_record_never_opens_a_file(rules, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rules.toml").write_text('inherits = "ultimate"\n')
    for form in (f'[Rules "{rules}"]\n[Result "*"]\n\n*\n', f'{{"rules":"{rules}","result":"*","moves":[]}}'):
        with pytest.raises(InvalidRecord, match="is no built-in game"):
            Record.from_text(form) if form.startswith("[") else Record.from_json(form)


@pytest.mark.parametrize(
    ("data", "trouble"),
    [
        ("[]", "no JSON object"),
        ("{", "no JSON"),
        ('{"rules":"ultimate","result":"*"}', "no 'moves'"),
        ('{"rules":"ultimate","result":"*","moves":[],"more":1}', "unknown key 'more'"),
        ('{"rules":"ultimate","result":"*","result":"*","moves":[]}', "a second time"),
        ('{"rules":"ultimate","result":"*","moves":["ee","zz"]}', "ply 2: 'zz' is no move"),
        ('{"rules":"ultimate","result":"*","moves":["ee","aa"]}', "ply 2: 'aa'"),
        ('{"rules":"ultimate","result":"*","moves":[{"move":"ee","clock":"1"}]}', "clock of ply 1 is str"),
        ('{"rules":"ultimate","result":"*","moves":[{"move":"ee","clock":NaN}]}', "NaN is no number"),
        ('{"rules":"ultimate","result":"*","moves":[{"move":"ee","variations":[[]]}]}', "without moves"),
        ('{"rules":"ultimate","result":"*","moves":[{"move":"ee","variations":[1]}]}', "no list"),
        ('{"rules":"ultimate","result":"*","moves":[],"tags":{"X":1}}', "no text"),
        ('{"rules":"ultimate","result":"*","moves":[],"comment":"\\ud800"}', "surrogate"),
    ],
)
def test_damaged_json_is_refused(data, trouble):
    with pytest.raises(InvalidRecord, match=trouble) as error:
        Record.from_json(data)
    assert str(error.value).startswith("line 1: ")


def test_a_record_may_start_anywhere():
    begun = played("ee", "ea").position
    record = Record(begun, (Ply(begun.parse("ab")),))
    assert record.headers["Start"] == begun.text
    assert Record.from_text(record.to_text()) == Record.from_json(record.to_json()) == record
    assert next(iter(record.positions())) == begun
