"""The report: one page that needs nothing else, whatever players are called, with every game on a board."""

import contextlib
import re
from pathlib import Path
from typing import Any

from chromium import browser

from metatac.arena.executors import here
from metatac.arena.page import report_page
from metatac.arena.runner import run_tournament
from metatac.arena.standings import standings
from metatac.arena.tournament import Entrant, Tournament
from metatac.store import open_database
from metatac.store.tournaments import add_tournament

NASTY = '<img src=x onerror="document.title=1">&amp;'


def page(folder: Path) -> str:
    """A small tournament with a player that forfeits, and names that try to be markup."""
    players = (Entrant(NASTY, "random"), Entrant("</script><b>b", "greedy"), Entrant("crashing", "crasher"))
    left_out = (("<i>bad</i>.py", "<u>no bot</u>"),)
    plan = Tournament(name="<em>Cup</em>", rules="ultimate", players=players, plies=2, left_out=left_out, pairs=2)
    database = open_database(folder / "cup.db")
    with contextlib.closing(database):
        run_tournament(plan, database, executor=here)
        return "".join(report_page(database, standings(database)))


def test_the_page_is_complete_in_itself(tmp_path: Path) -> None:
    text = page(tmp_path)
    assert not re.search(r"""(src|href)\s*=\s*["']?\w""", re.sub(r"&lt;.*?&gt;", "", text))
    assert "<em>" not in text and "<img" not in text and "<u>" not in text and "<i>" not in text


def test_the_page_in_a_browser(tmp_path: Path) -> None:
    file = tmp_path / "cup.html"
    file.write_text(page(tmp_path))
    with browser() as opened:
        view = opened.new_page()
        complaints: list[str] = []
        view.on("console", lambda message: complaints.append(message.text))
        view.on("pageerror", lambda error: complaints.append(str(error)))
        view.on("request", lambda request: complaints.append(request.url) if "cup.html" not in request.url else None)
        view.goto(file.as_uri())
        view.wait_for_selector("body[data-ready=yes]", timeout=60_000)
        _look_at_every_width(view)
        _walk(view)
        view.goto(f"{file.as_uri()}#game-3")
        view.reload()
        view.wait_for_selector("body[data-ready=yes]", timeout=60_000)
        assert "Game 3," in view.inner_text("#said")
        view.wait_for_function(SEEN, arg="#said", timeout=60_000)
        view.evaluate("scrollTo(0, 0); location.hash = '#game-5'")
        view.wait_for_function("document.querySelector('#said').textContent.startsWith('Game 5,')", timeout=60_000)
        view.wait_for_function(SEEN, arg="#said", timeout=60_000)
        assert view.title() == "<em>Cup</em>" and not complaints


SEEN = "at => (at = document.querySelector(at).getBoundingClientRect()).top >= 0 && at.bottom <= innerHeight"


def _look_at_every_width(view: Any) -> None:
    """Nothing is cut off: the standings are whole down to a tablet, and what is wider scrolls in its box."""
    for width in (1600, 1280, 1100, 1000, 800, 400):
        view.set_viewport_size({"width": width, "height": 800})
        assert view.evaluate("document.documentElement.scrollWidth") == width
        over = view.evaluate("(at => at.scrollWidth - at.clientWidth)(document.querySelector('.standings').parentNode)")
        assert over == 0 or width == 400
    view.set_viewport_size({"width": 1280, "height": 720})


def _open(view: Any, row: Any) -> None:
    number = row.locator("td").first.inner_text()
    row.click()
    view.wait_for_function(f"location.hash === '#game-{number}'", timeout=60_000)


def _walk(view: Any) -> None:
    assert view.locator("#rows tr").count() == 12
    assert view.locator("h1").inner_text() == "<em>Cup</em>"
    assert NASTY in view.inner_text("#rows")
    view.select_option("#how", "crash")
    assert view.locator("#rows tr").count() == 8
    _open(view, view.locator("#rows tr").nth(1))
    assert "RuntimeError: no idea" in view.inner_text("#said")
    view.select_option("#how", "")
    _open(view, view.locator("#rows tr").filter(has_not_text="crash").first)
    moves = view.locator("#moves span").count()
    assert f"{moves} of {moves} moves" in view.inner_text("#state")
    view.click("#start")
    assert view.locator("#board path.mark").count() == 0
    for ply in range(1, 4):
        view.keyboard.press("ArrowRight")
        assert f"{ply} of {moves}" in view.inner_text("#state")
    assert view.locator("#board path.last").count() == 1
    view.click("#back")
    view.locator("#moves span").nth(4).click()
    assert f"5 of {moves}" in view.inner_text("#state")


def test_a_tournament_without_games_has_a_page(tmp_path: Path) -> None:
    plan = Tournament(name="empty", rules="sudoku", players=(Entrant("a", "random"), Entrant("b", "random")))
    database = open_database(tmp_path / "cup.db")
    with contextlib.closing(database):
        add_tournament(database, plan.name, plan.to_dict())
        assert "0 of 2 games so far" in "".join(report_page(database, standings(database)))
