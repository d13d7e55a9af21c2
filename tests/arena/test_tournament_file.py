"""A tournament's file: what it may say, and how it is told what it may not."""

from pathlib import Path

import pytest

from metatac.arena.runner import run_tournament
from metatac.arena.standings import standings
from metatac.arena.tournament import Entrant, Tournament, differences
from metatac.arena.tournament_file import Arranged, load_tournament
from metatac.errors import ArenaError
from metatac.game import Game, start
from metatac.notation import Record
from metatac.store import open_database
from metatac.store.tournaments import load_games

HEAD = 'players = ["random", "greedy"]\n'


def load(folder: Path, text: str, **settings: object) -> Arranged:
    file = folder / "cup.toml"
    file.write_text(text)
    return load_tournament(file, settings)


def test_what_is_not_stated_has_a_sensible_value(tmp_path: Path) -> None:
    made = load(tmp_path, HEAD)
    assert (made.plan.name, made.plan.rules, made.plan.format) == ("cup", "ultimate", "round-robin")
    assert (made.plan.pairs, made.plan.plies, made.plan.time, made.cores) == (1, 4, "10/move", 1)
    assert made.database == str(tmp_path / "cup.db") and made.folder == tmp_path
    assert made.plan.rank == "score" and load(tmp_path, HEAD + 'game = "intelligent"').plan.rank == "points"


def test_what_the_command_line_says_of_a_table_leaves_the_rest_of_it(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def choose(position, clock): return position.legal_moves[0]\n")
    text = 'players = ["random", "bot:mine.py"]\nrules = { first = "center" }\n'
    text += '[bot]\nprocesses = 5\nmemory = "1GB"\n'
    made = load(tmp_path, text, bot={"memory": "300MB"}, rules={"swap": True})
    assert dict(made.plan.bot) == {"processes": "5", "memory": "300MB"}
    assert "first" in made.plan.rules and "swap" in made.plan.rules


def test_the_level_of_an_engine_is_no_isolation(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def choose(position, clock): return position.legal_moves[0]\n")
    text = 'players = ["engine:4", "bot:mine.py"]\n[bot]\nisolation = "none"\n'
    assert load(tmp_path, text).isolation == ("none",)


@pytest.mark.parametrize(
    ("game", "time"), [("extreme", "16/move"), ("intelligent", "15/move"), ("ultimate", "10/move")]
)
def test_the_time_is_the_games_own(tmp_path: Path, game: str, time: str) -> None:
    assert load(tmp_path, f'{HEAD}game = "{game}"\n').plan.time == time


def test_everything_can_be_stated_and_comes_back_from_the_database_as_it_was(tmp_path: Path) -> None:
    text = """
name = "Autumn cup"
game = "ultimate"
rules = { first = "center" }
players = ["random", { name = "G", player = "greedy" }, "random", { player = "minimax:2" }]
format = "groups"
pairs = 3
groups = 2
advance = 1
third_place = false
extra = 0
seeding = "random"
rank = "points"
tiebreaks = ["wins", "head-to-head"]
count = "result"
seed = 77
book = "book.txt"
time = "1m+1s"
margin = "50ms"
startup = 3
adjudicate = 500
keep = "match"
cores = 2
retries = 0
database = "other.db"
"""
    (tmp_path / "book.txt").write_text("# openings\nee ea\n\nea aa  # the corner\n")
    made = load(tmp_path, text)
    assert [entrant.name for entrant in made.plan.players] == ["random", "G", "random (2)", "minimax:2"]
    assert made.plan.book == ("ee ea", "ea aa") and made.plan.plies == 0
    assert (made.plan.margin, made.plan.startup, made.plan.adjudicate) == (0.05, 3.0, 500)
    assert (made.cores, made.retries, made.database) == (2, 0, str(tmp_path / "other.db"))
    assert Tournament.from_dict(made.plan.to_dict()) == made.plan


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("game = \n", "not a TOML file"),
        (HEAD + "\n\nmargn = 3", "line 4: margn: there is no such key"),
        (HEAD + 'format = "league"', "line 2: format: one of round-robin"),
        (HEAD + "pairs = 0", "line 2: pairs: a whole number from 1"),
        (HEAD + "pairs = true", "line 2: pairs: a whole number"),
        (HEAD + 'time = "soon"', "line 2: time: time control 'soon'"),
        (HEAD + "time = 3", "line 2: time: a time control is a text"),
        (HEAD + 'margin = "-1s"', "line 2: margin:"),
        (HEAD + "startup = 0", "line 2: startup:"),
        (HEAD + 'tiebreaks = ["luck"]', "line 2: tiebreaks: one of head-to-head"),
        (HEAD + 'tiebreaks = ["wins", "wins"]', "line 2: tiebreaks: a list of different"),
        (HEAD + 'game = "chess"', "line 2: game: "),
        (HEAD + 'rules = { sidde = 3 }\ngame = "ultimate"', "line 3: game: .*sidde"),
        ('players = ["rndom", "random"]', "line 1: players: 'rndom' is no player; did you mean 'random'?"),
        ('players = ["human", "random"]', "line 1: players: people do not play"),
        ('players = ["random:x=3", "random"]', "line 1: players: .*no option 'x'"),
        ('players = [3, "random"]', "line 1: players: a player is a text"),
        ('players = "random"', "line 1: players: a list of players"),
        ('players = ["random"]', "two players at least"),
        ('players = [{ name = "a", player = "random" }, { name = "a", player = "greedy" }]', None),
        (HEAD + 'book = "none.txt"', "line 2: book: .*none.txt"),
        (HEAD + 'book = "bad.txt"', "line 2: book: .*bad.txt, line 2: .*zz"),
        (HEAD + 'book = "bad.txt"\nopenings = 3', "line 2: book: openings come from"),
        (HEAD + 'bots = "nowhere"', "line 2: bots: .*nowhere: there is no such folder"),
        (HEAD + "[bot]\nwings = 2", "line 2: bot: bots have no option 'wings'"),
        (HEAD + 'format = "swiss"\nrounds = 9', "1 to 1 rounds"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(tmp_path: Path, text: str, words: str | None) -> None:
    (tmp_path / "bad.txt").write_text("ee ea\nzz\n")
    if words is None:
        assert [entrant.name for entrant in load(tmp_path, text).plan.players] == ["a", "a (2)"]
        return
    with pytest.raises(ArenaError, match=words) as caught:
        load(tmp_path, text)
    assert str(tmp_path / "cup.toml") in str(caught.value)


def test_settings_beside_the_file_count_more(tmp_path: Path) -> None:
    assert load(tmp_path, HEAD + "pairs = 2", pairs=5, cores=2).plan.pairs == 5


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ArenaError, match=r"none\.toml: cannot be read: No such file"):
        load_tournament(tmp_path / "none.toml")


def test_a_changed_tournament_is_refused_with_what_differs(tmp_path: Path) -> None:
    base = 'game = "tic-tac-toe"\ntime = "none"\n'
    database = open_database(tmp_path / "cup.db")
    run_tournament(load(tmp_path, HEAD + base).plan, database)
    other = load(tmp_path, 'players = ["random", "random"]\npairs = 2\n' + base).plan
    with pytest.raises(ArenaError, match=r"without greedy: greedy with random \(2\): random; pairs was 1 and is 2"):
        run_tournament(other, database)
    run_tournament(load(tmp_path, HEAD + base + "cores = 2").plan, database)
    assert standings(database).played == 2
    database.close()


def test_the_order_of_players_is_a_difference() -> None:
    a, b = Entrant("a", "random"), Entrant("b", "greedy")
    one = Tournament(name="n", rules="ultimate", players=(a, b))
    assert differences(one, Tournament(name="n", rules="ultimate", players=(b, a))) == ["players in another order"]
    assert differences(one, one) == []


def test_why_somebody_was_left_out_makes_no_difference() -> None:
    players = (Entrant("a", "random"), Entrant("b", "greedy"))
    one, two = (
        Tournament(name="n", rules="ultimate", players=players, left_out=(("c", f"/tmp/{name}.o: undefined"),))
        for name in ("ccQ1", "ccX2")
    )
    assert differences(one, two) == []


def test_games_begin_with_the_books_openings_over_and_over(tmp_path: Path) -> None:
    (tmp_path / "book.txt").write_text("aa\nee\n")
    made = load(tmp_path, HEAD + 'pairs = 3\nbook = "book.txt"\ntime = "none"\n')
    database = open_database(tmp_path / "cup.db")
    run_tournament(made.plan, database)
    games = load_games(database, 1, heavy=True)
    database.close()
    assert [str(Record.from_text(game.record).moves[0]) for game in games] == ["aa", "aa", "ee", "ee", "aa", "aa"]


def test_a_book_may_be_a_file_of_records(tmp_path: Path) -> None:
    game = Game(start("ultimate"))
    for move in ("ee", "ea"):
        game.push(move)
    (tmp_path / "book.txt").write_text(Record.from_game(game).to_text())
    assert load(tmp_path, HEAD + 'book = "book.txt"').plan.book == ("ee ea",)
