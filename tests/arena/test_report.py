"""What is shown of a series, and its plain data."""

import json

import metatac
from metatac import arena
from metatac.arena import Plan, Setup, Sprt, as_data, as_line, as_text, play_series


def standing(b: str = "random", game: str = "tic-tac-toe", sprt: Sprt | None = None, pairs: int = 5) -> arena.Standing:
    rules = metatac.load_rules(game)
    both, _ = arena.contestants("random", b)
    return play_series(Plan(Setup(rules, both), pairs, seed=4, plies=2, sprt=sprt))


def test_the_page_says_everything_in_words() -> None:
    text = as_text(standing(sprt=Sprt(0, 5)))
    for word in ("random (A) against random (B)", "seed 4", "10: +", "with X", "1½:", "Elo", "LOS", "undecided"):
        assert word in text
    assert "forfeits" not in text and "ended" not in text


def test_forfeits_and_points_are_explained() -> None:
    text = as_text(standing("crasher"))
    assert "crasher: 10 × crash (RuntimeError: no idea)" in text
    assert "Elo       ∞  (95 %: " in text
    assert "100 % is 72 to 0 in every game" in as_text(standing(game="sudoku"))


def test_the_line_is_one_line() -> None:
    line = as_line(standing(sprt=Sprt(0, 5)))
    assert "\n" not in line and "5/5 pairs" in line and "LLR" in line and "Elo" in line
    rules = metatac.load_rules("ultimate")
    both, _ = arena.contestants("random", "random")
    none = arena.Standing(Plan(Setup(rules, both), 5, 1, 4), arena.Tally(rules))
    assert as_line(none) == "0/5 pairs  +0 =0 -0"
    assert "no pair was finished" in as_text(none) and "%" not in as_text(none)
    assert as_data(none)["elo"] is None


def test_the_data_are_plain() -> None:
    found = json.loads(json.dumps(as_data(standing("crasher", sprt=Sprt(0, 50))), allow_nan=False))
    assert found["elo"]["difference"] is None and found["elo"]["low"] > 100
    assert found["pentanomial"] == [0, 0, 0, 0, 5] and found["results"] == {"wins": 10, "draws": 0, "losses": 0}
    assert found["forfeits"] == [{"player": 1, "reason": "crash", "games": 10, "first": "RuntimeError: no idea"}]
    assert found["sprt"]["elo1"] == 50 and found["interrupted"] is None
    assert found["players"] == ["random", "crasher"] and found["game"] == "tic-tac-toe"
