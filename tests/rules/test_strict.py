"""Loading is strict: what cannot be is refused, and the error names the file, the line, the key and what is allowed."""

import re
from pathlib import Path

import pytest

import metatac
from metatac.errors import RulesError
from metatac.rules import schema

BAD_FILES = {
    # one key at a time
    "sides = 3": ["line 1", "'sides' is no key", "did you mean 'side'?"],
    "side = 3\nfrobnicate = 1": ["line 2", "'frobnicate' is no key", "the keys are: inherits, title"],
    "side = 1": ["line 1: side: 1 is not allowed", "from 2 to 7"],
    "side = 8": ["line 1: side: 8 is not allowed", "from 2 to 7"],
    "side = 3.0": ["line 1: side: 3.0 is not allowed", "whole number"],
    "side = true": ["line 1: side: True is not allowed"],
    'side = "3"': ["line 1: side: '3' is not allowed"],
    "depth = 0": ["line 1: depth: 0 is not allowed", "from 1 to 3"],
    "depth = 4": ["line 1: depth: 4 is not allowed", "from 1 to 3"],
    "depth = 3\nside = 6": ["line 1: depth: side 6 and depth 3 make 46656 cells; 20000 is the most"],
    'win_board = "lines"': ["line 1: win_board: 'lines' is not allowed", "one of line, tallies, never"],
    "win_board = []": ["line 1: win_board: [] is not allowed"],
    "tallies = 10": ["line 1: tallies: 10 is not allowed", "0 to 9"],
    'close_board = "never"': ["line 1: close_board: 'never' is not allowed", "one of won, full"],
    "ban = 1": ["line 1: ban: 1 is not allowed; true or false is"],
    'bonus = "yes"': ["line 1: bonus: 'yes' is not allowed; true or false is"],
    "marks = 3": ["line 1: marks: 3 is not allowed", "1 to 2"],
    'send = "own"': ["line 1: send: 'own' is not allowed", "list of own, other, board, any"],
    'depth = 2\nsend = ["mine"]': ["line 2: send: ['mine'] is not allowed"],
    "depth = 2\nsend = [1]": ["line 2: send: [1] is not allowed"],
    'sent_to_decided = "lost"': ["line 1: sent_to_decided", "one of free, up, end"],
    "first = 4": ["line 1: first: 4 is not allowed", "free, center"],
    'first = ""': ["line 1: first: '' is not allowed"],
    'depth = 2\nfirst = "j"': ["line 2: first: 'j' names no board", "of the letters abcdefghi"],
    'depth = 2\nfirst = "aa"': ["line 2: first: 'aa' names no board"],
    'first = "a"': ["line 1: first: a game of depth 1 has no boards"],
    'first = "center"': ["line 1: first: a game of depth 1 has no boards"],
    'swap = "no"': ["line 1: swap: 'no' is not allowed"],
    'line = "win"': ["line 1: line: 'win' is not allowed", "one of wins, loses, nothing"],
    "boards_to_win = -1": ["line 1: boards_to_win: -1 is not allowed"],
    'count = "points"': ["line 1: count: 'points' is not allowed", "one of nothing, boards, lines"],
    "most_wins = 0": ["line 1: most_wins: 0 is not allowed"],
    'komi = "1"': ["line 1: komi: '1' is not allowed", "a number from"],
    "komi = nan": ["line 1: komi: nan is not allowed"],
    "komi = inf": ["line 1: komi: inf is not allowed"],
    "win_points = -1": ["line 1: win_points: -1 is not allowed"],
    "win_points = 1e9": ["line 1: win_points: 1000000000.0 is not allowed"],
    'points = "lines"': ["line 1: points: 'lines' is not allowed", "one of result, count"],
    "values = 3": ["line 1: values: 3 is not allowed", "a list of whole numbers"],
    "values = [1.5]": ["line 1: values: 1.5 is not allowed"],
    "values = [-1]": ["line 1: values: -1 is not allowed"],
    'utility = "win"': ["line 1: utility: 'win' is not allowed", "one of result, points"],
    "move_time = -1": ["line 1: move_time: -1 is not allowed"],
    "move_time = 1979-05-27": ["line 1: move_time", "is not allowed"],
    "forfeit_points = -2": ["line 1: forfeit_points: -2 is not allowed"],
    "title = 3": ["line 1: title: a text of at most 20000 characters"],
    "text = ['a']": ["line 1: text: a text of at most 20000 characters"],
    # patterns
    'patterns = "rows"': ["line 1: patterns: 'rows' is not allowed", "a list of names and cell lists"],
    'patterns = ["lines"]': ["line 1: patterns: 'lines' is not one of rows, columns, diagonals, diamonds"],
    "patterns = [[0, 9]]": ["line 1: patterns: 9 in [0, 9] is outside the board", "0 to 8"],
    "patterns = [[-1, 2]]": ["line 1: patterns: -1 in [-1, 2] is outside the board"],
    "patterns = [[0, 1.0]]": ["line 1: patterns: 1.0 in [0, 1.0] is outside the board"],
    "patterns = [[0, true]]": ["line 1: patterns: True in [0, True] is outside the board"],
    "patterns = [[4]]": ["line 1: patterns: [4] must be two or more different cells"],
    "patterns = [[4, 4]]": ["line 1: patterns: [4, 4] must be two or more different cells"],
    "patterns = [[]]": ["line 1: patterns: [] must be two or more different cells"],
    "patterns = [3]": ["line 1: patterns: 3 is not one of"],
    'side = 2\npatterns = ["diamonds"]': ["line 2: patterns: there are no diamonds on a 2 x 2 board"],
    'depth = 2\npatterns = { big = ["rows"] }': ["line 2: patterns: 'big' is no level", "all, game, small are"],
    'depth = 2\n[patterns]\nmiddle = ["rows"]': ["line 2: patterns: 'middle' is no level"],
    'depth = 2\npatterns = { game = ["rows"] }': ["line 2: patterns: the level 'small' (or all) is missing"],
    'patterns = { game = { rows = ["rows"] } }': ["line 1: patterns", "is not allowed", "a list"],
    'depth = 2\npatterns.all = "rows"': ["line 2: patterns: 'rows' is not allowed"],
    # boards
    'win_board = "never"': ["line 1: win_board: a game of depth 1 has no boards to win"],
    'win_board = "tallies"\ntallies = 1': ["line 1: win_board: a game of depth 1"],
    "patterns = []": ["win_board: no pattern is left that could win a small board"],
    'depth = 2\npatterns = { game = ["rows"], small = [] }': ["win_board: no pattern is left"],
    'depth = 2\nwin_board = "tallies"': ["tallies: win_board = tallies needs a number from 1 to 9"],
    "depth = 2\ntallies = 2": ["line 2: tallies: only with win_board = tallies"],
    'close_board = "full"': ["line 1: close_board: a game of depth 1 has no boards to close"],
    'depth = 2\nwin_board = "tallies"\ntallies = 2\nclose_board = "full"': ["line 4: close_board: a tallied board"],
    "ban = true": ["line 1: ban: squares name boards only at depth 2"],
    "depth = 3\nban = true": ["line 2: ban: squares name boards only at depth 2"],
    'depth = 2\nban = true\nwin_board = "tallies"\ntallies = 1': [
        "line 2: ban: banned squares and boards that are cleared"
    ],
    "depth = 2\nban = true\nmarks = 2": ["line 2: ban: banned squares and two marks"],
    # moves
    "marks = 2": ["line 1: marks: two marks a move need a nested game"],
    "bonus = true": ["line 1: bonus: no small board is ever won"],
    'inherits = "sudoku"\nbonus = true': ["line 2: bonus: no small board is ever won"],
    'send = ["own"]': ["line 1: send: depth 1 has 0 levels to address, not 1"],
    'depth = 2\nsend = ["own", "own"]': ["line 2: send: depth 2 has 1 levels to address, not 2"],
    'depth = 2\nsend = ["other"]': ["line 2: send: other is the second mark of a move, but marks = 1"],
    'depth = 2\nsend = ["board"]': ["line 2: send: board (the number of the board moved in) needs depth 3"],
    'depth = 3\nsend = ["any", "own"]': ["line 2: send: any must come last"],
    'depth = 2\nsent_to_decided = "up"': ["line 2: sent_to_decided: up needs depth 3"],
    'sent_to_decided = "end"': ["line 1: sent_to_decided: nobody is ever sent"],
    'depth = 2\nsend = ["any"]\nsent_to_decided = "end"': ["line 3: sent_to_decided: nobody is ever sent"],
    "depth = 2\nmarks = 2\nswap = true": ["line 3: swap: the swap rule takes over one mark"],
    'inherits = "sudoku"\nswap = true\nkomi = 1': ["line 2: swap: swap and komi both make up"],
    # the end
    'inherits = "sudoku"\nline = "wins"': ["line 2: line: boards are never won, so no line of them"],
    'depth = 2\npatterns = { game = [], small = ["rows"] }': ["line: no pattern is left that could end the game"],
    "boards_to_win = 2": ["line 1: boards_to_win: a game of depth 1 has no boards"],
    'inherits = "sudoku"\nboards_to_win = 2': ["line 2: boards_to_win: boards are never won"],
    "depth = 2\nboards_to_win = 10": ["line 2: boards_to_win: there are only 9 boards"],
    'count = "boards"\nmost_wins = true': ["line 1: count: there are no boards that could be won"],
    'inherits = "sudoku"\ncount = "boards"': ["line 2: count: there are no boards that could be won"],
    'inherits = "ultimate-ultimate"\ncount = "lines"\nmost_wins = true': ["line 2: count: tallied boards are cleared"],
    'inherits = "sudoku"\npatterns = []': ["count", "there are no patterns to count"],
    'line = "nothing"': ["count: nothing decides the game: give line, boards_to_win or count"],
    'count = "lines"': ["line 1: count: counted for nothing: most_wins or points = count is missing"],
    "most_wins = true": ["line 1: most_wins: most of what? count is nothing"],
    'points = "count"': ["line 1: points: count is nothing"],
    "komi = 1": ["line 1: komi: komi shifts most_wins, which is false"],
    "values = [1, 2]": ["line 1: values: board values need count = boards"],
    'inherits = "intelligent"\nvalues = [1, 2]': ["line 2: values: 2 values for 16 boards"],
    'inherits = "intelligent"\nvalues = [1]': ["line 2: values: 1 values for 16 boards"],
    'inherits = "ultimate"\nvalues = [1, 1]': ["line 2: values: board values need count = boards"],
    'inherits = "ultimate-majority"\nvalues = [0, 0, 0, 0, 0, 0, 0, 0, 0]': [
        "line 2: values: some board must be worth"
    ],
    'inherits = "intelligent"\nwin_points = 0': ["line 2: win_points: a win must be worth something"],
    'inherits = "sudoku"\nwin_points = 5': ["line 2: win_points: nothing is won before the count"],
    'inherits = "sudoku"\nclose_board = "full"': ["line 2: close_board: boards that are never won"],
    "forfeit_points = 0": ["line 1: forfeit_points: 0 is not allowed"],
    'depth = 3\nsend = ["own", "any"]\nsent_to_decided = "up"': [
        "line 3: sent_to_decided: up leads from a small board"
    ],
    'depth = 3\npatterns = { all = ["rows"], middle = [] }': ["patterns: no pattern is left that could win a middle"],
    'depth = 2\npatterns = { all = [[99, 1]], game = ["rows"], small = ["rows"] }': ["every level is named"],
    'depth = 2\npatterns = { all = [[99, 1]], game = ["rows"] }': ["patterns: 99 in [99, 1] is outside"],
    'utility = "points"': ["line 1: utility: the points are only the result; use result"],
    'inherits = "intelligent"\nwin_points = 2.5': ["win_points must be whole"],
    # what is inherited is named with the place that states it
    'inherits = "extreme"\nside = 3': ["values (stated in preset extreme, line", "16 values for 9 boards"],
    # inherits
    "inherits = 3": ["line 1: inherits: a game's name or a rules file is wanted"],
    'inherits = "ultimat"': ["line 1: inherits: 'ultimat' is no game", "did you mean 'ultimate'?"],
    'inherits = "nothing.toml"': ["line 1: inherits: 'nothing.toml' is no game"],
    'inherits = "bad.toml"': ["line 1: inherits: 'bad.toml' inherits itself"],
    'inherits = "./bad.toml"': ["line 1: inherits: './bad.toml' inherits itself"],
    # not even TOML
    "side": ["not a TOML file"],
    "side = 3\nside = 4\n": ["not a TOML file", "line 2"],
    "side = 99999999999999999999": ["line 1: side: 99999999999999999999 is not allowed"],
    "a = " + "[" * 5000: ["not a TOML file"],
    # where the key stands
    "# side = 9\n\n  side=9": ["line 3: side"],
    '"side" = 9': ["line 1: side"],
    'text = """\nside = 4\n"""\nside = 9': ["line 4: side"],
}


@pytest.mark.parametrize("text", BAD_FILES, ids=lambda text: text[:60])
def test_bad_files(text: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text)
    with pytest.raises(RulesError) as caught:
        metatac.load_rules(path)
    message = str(caught.value)
    assert "bad.toml" in message
    for part in BAD_FILES[text]:
        assert part in message
    assert len(message) < 2000


def test_every_senseless_combination_has_a_bad_file() -> None:
    """Each message of the tables of combinations is given for one of the files above."""
    errors = []
    for text in BAD_FILES:
        try:
            metatac.parse_rules(text)
        except RulesError as error:
            errors.append(str(error))
    ultimate = metatac.load_rules("ultimate")
    tables = (schema._board_problems, schema._move_problems, schema._end_problems)
    problems = [(key, message) for table in tables for key, _, message in table(ultimate)]
    assert len(problems) > 30
    for key, message in problems:
        words = re.split(r"\d+", message)  # the numbers are those of the game at hand
        pattern = rf"\b{key}\b.*: " + r"\d+".join(map(re.escape, words)) + "$"
        assert any(re.search(pattern, error) for error in errors), message


@pytest.mark.parametrize(
    ("options", "part"),
    [
        ({"side": 9}, "option: side: 9 is not allowed"),
        ({"Side": 3}, "'Side' is no key"),
        ({"komi": float("nan")}, "komi: nan is not allowed"),
        ({"komi": 10**400}, "komi: 1000"),
        ({"title": None}, "title"),
        ({"patterns": {1: ["rows"]}}, "1 is no level"),
        ({"patterns": [{}]}, "{} is not one of"),
        ({"send": ("own", "own")}, "levels to address"),
    ],
)
def test_bad_options(options: dict[str, object], part: str) -> None:
    with pytest.raises(RulesError) as caught:
        metatac.load_rules("ultimate", **options)
    assert part in str(caught.value)
    with pytest.raises(RulesError):
        metatac.load_rules(metatac.load_rules("ultimate"), **options)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ultimat",
        "ultimate{",
        "ultimate{}x",
        "ultimate{side}",
        "ultimate{side=9}",
        "a=b{}",
        "=ultimate",
        "x=y=ultimate",
        "ultimate{sid=3}",
        "ultimate{side=[}",
        "ultimate{patterns={}}",
        "../ultimate",
        "ultimate.toml",
        "\x00",
        "é{side=3}",
    ],
)
def test_bad_specs(text: str) -> None:
    with pytest.raises(RulesError):
        metatac.load_rules(text)
    with pytest.raises(RulesError):
        metatac.rules.load_spec(text)


# -- files that inherit files


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        (folder / f"{name}.toml").write_text(text)


def test_a_chain_of_files(tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    write(tmp_path, top='inherits = "extreme"\nside = 3\nvalues = []\n', middle='inherits = "top.toml"\nbonus = false')
    write(tmp_path / "below", mine='inherits = "../middle.toml"\ntitle = "Mine"\nwin_points = 9\n')
    rules = metatac.load_rules(tmp_path / "below" / "mine.toml")
    assert (rules.name, rules.base, rules.title) == ("mine", "extreme", "Mine")
    assert (rules.side, rules.bonus, rules.win_points, rules.points) == (3, False, 9, "count")
    assert metatac.load_rules(rules.spec) == rules
    assert metatac.start(str(tmp_path / "below" / "mine.toml"), side=4).rules.side == 4


def test_a_chain_names_the_file_at_fault(tmp_path: Path) -> None:
    write(tmp_path, top='inherits = "ultimate"\nside = 9\n', mine='inherits = "top.toml"\ntitle = "Mine"\n')
    with pytest.raises(RulesError, match=r"mine.toml: side \(stated in .*top.toml, line 2\): 9 is not allowed"):
        metatac.load_rules(tmp_path / "mine.toml")
    write(tmp_path, top='inherits = "ultimate"\nsidd = 9\n')
    with pytest.raises(RulesError, match=r"top.toml, line 2: 'sidd' is no key"):
        metatac.load_rules(tmp_path / "mine.toml")


def test_a_circle_of_files(tmp_path: Path) -> None:
    write(tmp_path, a='inherits = "b.toml"', b='inherits = "c.toml"', c='inherits = "a.toml"')
    with pytest.raises(RulesError, match=r"c.toml, line 1: inherits: 'a.toml' inherits itself"):
        metatac.load_rules(tmp_path / "a.toml")


def test_a_chain_that_is_too_long(tmp_path: Path) -> None:
    write(tmp_path, **{f"f{i}": f'inherits = "f{i + 1}.toml"' for i in range(40)}, f40="side = 3")
    with pytest.raises(RulesError, match="more than 16 files"):
        metatac.load_rules(tmp_path / "f0.toml")
    assert metatac.load_rules(tmp_path / "f30.toml").side == 3


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(RulesError, match=r"none\.toml: no such file$"):
        metatac.load_rules(tmp_path / "none.toml")
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(RulesError, match=r"folder\.toml: is a directory"):
        metatac.load_rules(tmp_path / "folder.toml")
    with pytest.raises(RulesError, match="cannot be read") as caught:
        metatac.load_rules("a" * 5000 + ".toml")
    assert "Errno" not in str(caught.value)
    (tmp_path / "big.toml").write_text("# " + "x" * 70_000)
    with pytest.raises(RulesError, match="larger than 65536 bytes"):
        metatac.load_rules(tmp_path / "big.toml")
    (tmp_path / "bytes.toml").write_bytes(b"title = '\xff'")
    with pytest.raises(RulesError, match="not UTF-8"):
        metatac.load_rules(tmp_path / "bytes.toml")


def test_what_looks_like_a_path_is_spoken_of_as_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    for source, reason in {
        "./missing.txt": "missing.txt: no such file",
        str(tmp_path / "none" / "x"): "x: no such file",
        str(tmp_path): "is a directory",
        "folder": "folder: is a directory",
        "missing": "'missing' is no game",
    }.items():
        with pytest.raises(RulesError, match=reason):
            metatac.load_rules(source)


def test_text_from_anybody_opens_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A position's or a record's text may name presets only, never a file on this machine."""
    write(tmp_path, secret='inherits = "ultimate"')
    monkeypatch.chdir(tmp_path)
    assert metatac.load_rules("secret.toml").base == "ultimate"
    for text in ("secret.toml", str(tmp_path / "secret.toml"), "x=secret.toml{}", "secret.toml{side=3}"):
        with pytest.raises(RulesError, match="built-in game"):
            metatac.rules.load_spec(text)
        with pytest.raises(metatac.errors.InvalidPosition, match="built-in game"):
            metatac.position(f"{text} X - 9/9/9/9/9/9/9/9/9")
    with pytest.raises(RulesError, match="is none of"):
        metatac.parse_rules('inherits = "secret.toml"')


def test_dots_in_texts_are_no_keys() -> None:
    dots = "." * 200
    text = f'title = "{dots}" # {dots}\ntext = """\n{dots}"""'
    assert metatac.parse_rules(text).title == dots
    assert metatac.parse_rules(text).text == dots


def test_what_options_and_files_may_leave_out() -> None:
    """An empty file is tic-tac-toe; only differences are stated."""
    assert metatac.parse_rules("") == metatac.load_rules("tic-tac-toe")
    assert metatac.parse_rules('inherits = "ultimate"') == metatac.load_rules("ultimate")
    assert metatac.parse_rules("depth = 2", side=4) == metatac.load_rules("ultimate", side=4)
