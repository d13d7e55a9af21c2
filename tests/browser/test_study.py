"""Analysis and lessons."""

import re
import secrets
import subprocess
import sys

from browsing import board, cell, new_game, open_game, play_out
from playwright.sync_api import Page, Route, expect

WON = "tic-tac-toe X - XO1OX4"


def test_a_finished_game_is_analysed(visit):
    page = visit("/about")
    open_game(page, new_game(page, game="tic-tac-toe", opponent="engine", level=1, side="X", time="none"))
    play_out(page, 9)
    expect(board(page)).to_have_attribute("data-phase", "over")
    moves = board(page).get_attribute("data-moves")
    page.get_by_role("link", name="Analyse").click()
    expect(board(page)).to_have_attribute("data-ply", "0")
    expect(page.locator(".course[data-state=done]")).to_be_visible()
    expect(page.locator(".graph .curve")).to_be_attached()
    expect(page.locator(".course")).to_contain_text("Accuracy")
    page.keyboard.press("ArrowRight")
    expect(board(page)).to_have_attribute("data-ply", "1")
    page.keyboard.press("End")
    expect(board(page)).to_have_attribute("data-ply", str(moves))
    page.reload()
    expect(board(page)).to_have_attribute("data-ply", str(moves))


def test_the_engine_proves_a_win_and_a_line_can_be_played(visit):
    page = visit(f"/analysis?p={WON}")
    expect(page.locator(".engine[data-state=done]")).to_be_visible()
    expect(page.locator(".lines .score").first).to_have_text("X wins ✓")
    page.get_by_role("button", name="Heat map").click()
    expect(page.locator(".c.hot.best").first).to_be_attached()
    page.locator(".pvmove").first.click()
    expect(board(page)).to_have_attribute("data-ply", "1")
    expect(page).to_have_url(re.compile("m="))


def test_variations_are_made_walked_and_survive_a_reload(visit):
    page = visit("/analysis?game=ultimate")
    cell(page, "board e, cell a,").click()
    expect(board(page)).to_have_attribute("data-ply", "1")
    cell(page, "board a, cell e,").click()
    expect(board(page)).to_have_attribute("data-ply", "2")
    page.keyboard.press("ArrowLeft")
    expect(board(page)).to_have_attribute("data-ply", "1")
    cell(page, "board a, cell i,").click()
    expect(page.locator(".variation")).to_have_text("2ai")
    expect(page.locator(".ply[aria-current]")).to_have_text("2ai")
    page.keyboard.press("ArrowUp")
    expect(page.locator(".ply[aria-current]")).to_have_text("2ae")
    page.reload()
    expect(page.locator(".variation")).to_have_text("2ai")
    expect(page.locator(".ply[aria-current]")).to_have_text("2ae")
    page.get_by_role("button", name="Delete from here").click()
    expect(page.locator(".tree .ply")).to_have_count(2)


def test_the_address_of_a_study_has_its_variations(visit):
    page = visit("/analysis?game=ultimate")
    for move in ("ea", "ae", "ei"):
        cell(page, f"board {move[0]}, cell {move[1]}, empty").click()
        expect(page.locator(".ply[aria-current]")).to_contain_text(move)
    page.keyboard.press("Home")
    cell(page, "board c, cell c, empty").click()
    expect(page.locator(".variation")).to_have_text("1cc")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".ply[aria-current]")).to_have_text("2ae")
    page.wait_for_url("**m=ea+ae*")
    other = visit(page.url)
    expect(other.locator(".variation")).to_have_text("1cc")
    expect(other.locator(".tree")).to_have_text("1ea1cc2ae3ei")
    expect(other.locator(".ply[aria-current]")).to_have_text("2ae")
    # What somebody made up does no harm.
    other.goto("/analysis?game=ultimate&t=ea zz77 (-5 x1e9 <b>")
    expect(other.locator(".tree .ply").first).to_have_text("1ea")


def test_a_damaged_link_shows_what_is_legal_of_it_and_says_what_is_not(visit):
    page = visit("/analysis?game=ultimate&m=ea ae cc ee&t=ea ae cc aa0 ei1 zz")
    expect(page.locator(".toast.bad")).to_contain_text("cc")
    expect(page.locator(".tree")).to_have_text("1ea2ae2aa3ei")
    expect(page.locator(".ply[aria-current]")).to_have_text("2ae")
    page.keyboard.press("End")
    expect(board(page)).to_have_attribute("data-ply", "3")


def test_a_move_that_cannot_be_asked_for_deletes_nothing(visit):
    page = visit("/analysis?game=ultimate&t=ea ae", refusals=True)
    expect(page.locator(".tree")).to_have_text("1ea2ae")
    page.route("**/api/positions/*", lambda route: route.fulfill(status=403, json={"error": "Not now."}))
    cell(page, "board e, cell a, empty").click()
    expect(page.locator(".toast.bad")).to_have_text("Not now.")
    page.locator(".tree .ply").nth(1).click()
    expect(page.locator(".toast.bad")).to_have_count(2)
    expect(page.locator(".tree")).to_have_text("1ea2ae")
    page.unroute("**/api/positions/*")
    page.keyboard.press("ArrowRight")
    expect(board(page)).to_have_attribute("data-ply", "1")


def test_what_is_said_of_half_a_game_is_so_far(visit):
    page = visit("/analysis?game=tic-tac-toe")
    cell(page, "cell e, empty").click()
    expect(board(page)).to_have_attribute("data-ply", "1")

    def half(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json=answer.json() | {"state": "running"})

    page.route("**/api/analysis/game/*", half)
    page.get_by_role("button", name="Look for mistakes").click()
    expect(page.locator(".course")).to_contain_text("So far: ")
    page.unroute("**/api/analysis/game/*")
    expect(page.locator(".course[data-state=done]")).to_be_visible()
    expect(page.locator(".course")).not_to_contain_text("So far")


def test_another_game_is_not_judged_by_the_report_of_the_one_before(visit):
    page = visit("/analysis?game=tic-tac-toe")
    cell(page, "cell e, empty").click()
    expect(board(page)).to_have_attribute("data-ply", "1")
    reports: list[Route] = []
    page.route("**/api/analysis/game/*", lambda route: reports.append(route))
    with page.expect_request("**/api/analysis/game/*"):
        page.get_by_role("button", name="Look for mistakes").click()
    page.get_by_label("Another game").select_option("Ultimate tic-tac-toe")
    expect(page.get_by_role("button", name="Look for mistakes")).to_be_disabled()
    with page.expect_response("**/api/analysis/game/*"):
        reports[0].continue_()
    page.evaluate("() => fetch('/api/me')")
    expect(page.locator(".course .graph")).to_have_count(0)


def test_a_position_is_set_up_and_impossible_ones_are_refused(visit):
    page = visit("/analysis?game=tic-tac-toe", refusals=True)
    page.get_by_role("button", name="Set up a position").click()
    cell(page, "cell a,").click()
    expect(page.locator(".error")).to_contain_text("X has 1 mark more")
    expect(page.get_by_role("button", name="Analyse this position")).to_be_disabled()
    page.get_by_role("group", name="To move").get_by_role("radio", name="O").check()
    expect(page.locator(".error")).to_be_empty()
    page.get_by_role("button", name="Analyse this position").click()
    expect(page.locator("#position-text")).to_have_value("tic-tac-toe O - X8")


def test_set_up_offers_only_what_the_rules_have(visit):
    offered = {}
    for game in ("tic-tac-toe", "sudoku", "extreme"):
        page = visit(f"/analysis?game={game}")
        page.get_by_role("button", name="Set up a position").click()
        expect(page.get_by_role("radio", name="Erase")).to_be_attached()
        names = ("Banned", "Board to X")
        offered[game] = [name for name in names if page.get_by_role("radio", name=name).count()]
        offered[game] += [name for name in ("Bonus move",) if page.get_by_role("group", name=name).count()]
        offered[game] += [name for name in ("Must play in",) if page.get_by_label(name).count()]
    assert offered == {
        "tic-tac-toe": [],
        "sudoku": ["Banned", "Must play in"],
        "extreme": ["Board to X", "Bonus move", "Must play in"],
    }


def test_the_line_that_ends_a_game_is_drawn(visit):
    page = visit("/analysis?p=tic-tac-toe X - 1XXXOOXOO&m=a")
    expect(page.locator(".strokes .end.x")).to_have_count(2)
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".strokes path")).to_have_count(0)
    page.goto("/analysis?p=misere-ultimate O - OOO6:O/OOO6:O/OO7/XX7/XX7/XX7/XX7/X8/9&m=cc")
    expect(page.locator(".strokes .end.o")).to_have_count(1)
    # It goes through the boards that it is a line of.
    boards = [page.locator(".sb").filter(has_text=re.compile(f"^{name}$")).bounding_box() for name in "abc"]
    line = page.locator(".strokes .end").bounding_box()
    height = line["y"] + line["height"] / 2
    for box in boards:
        assert box["y"] < height < box["y"] + box["height"]
        assert line["x"] < box["x"] + box["width"] / 2 < line["x"] + line["width"]
    page.goto("/analysis?p=sudoku O a XXX6/OO7/9/9/9/9/9/9/9")
    expect(page.locator(".strokes .x")).to_have_count(1)
    # Painting would belie what is counted.
    page.get_by_role("button", name="Set up a position").click()
    expect(page.get_by_role("group", name="Board to set up")).to_be_visible()
    expect(page.locator(".strokes path")).to_have_count(0)


def test_marks_are_seen_through_the_line_that_ends_a_game(visit):
    page = visit("/analysis?p=ultimate X c 3XXX3:X/3XXX3:X/3XX4/OO7/OO7/OO7/OO7/9/9&m=cf")
    line = page.locator(".strokes .end").bounding_box()
    middle = line["y"] + line["height"] / 2
    strip = {"x": line["x"] + 30, "y": middle, "width": line["width"] - 60, "height": 1}
    shown = page.screenshot(clip=strip)
    page.evaluate("document.querySelectorAll('.marks').forEach((marks) => (marks.style.visibility = 'hidden'))")
    assert page.screenshot(clip=strip) != shown


def test_records_go_out_and_come_in(visit):
    page = visit("/analysis?game=ultimate", refusals=True)
    for name, move in (("board e, cell a,", "1ea"), ("board a, cell e,", "2ae")):
        cell(page, name).click()
        expect(page.locator(".ply[aria-current]")).to_have_text(move)
    saved = {}
    for label, ending in (("Record", "txt"), ("JSON", "json"), ("Picture", "svg"), ("Film", "svg"), ("Page", "html")):
        with page.expect_download() as waiting:
            page.get_by_role("button", name=label, exact=True).click()
        assert waiting.value.suggested_filename.endswith(ending)
        saved[ending] = waiting.value.path().read_text("utf-8")
    assert saved["svg"].startswith("<svg") and "<html" in saved["html"]
    page.get_by_text("Import", exact=True).first.click()
    box = page.get_by_label("Record or position to import")
    box.fill("no such thing")
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.locator(".tools .error")).to_contain_text("ultimattt, utttai, groups")
    box.fill('[Rules "ultimate"]\n\n1. ee 2. aa')
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.locator(".tools .error")).to_contain_text("aa")
    for ending in ("txt", "json"):
        box.fill(saved[ending])
        page.get_by_role("button", name="Import", exact=True).click()
        expect(page.locator(".tools .error")).to_have_count(0)
        expect(board(page)).to_have_attribute("data-ply", "0")
        page.wait_for_function("scrollY === 0")  # to what was asked for
        page.keyboard.press("Escape")
        page.locator(".tree").focus()
        page.keyboard.press("End")
        expect(board(page)).to_have_attribute("data-ply", "2")


def test_a_position_goes_out_in_the_notations_of_others(visit):
    page = visit("/analysis?game=ultimate")
    cell(page, "board e, cell a,").click()
    expect(board(page)).to_have_attribute("data-ply", "1")
    shown = page.locator("#position-text").input_value()
    page.get_by_role("button", name="In other notations").click()
    text = page.get_by_label("ultimattt").input_value()
    page.get_by_text("Import", exact=True).first.click()
    page.get_by_label("Record or position to import").fill(text)
    page.get_by_role("button", name="Import", exact=True).click()
    expect(board(page)).to_have_attribute("data-ply", "0")
    expect(page.locator("#position-text")).to_have_value(shown)


EVIL = "<img src=x onerror=alert(1)><script>alert(2)</script>"
HOSTILE = f"""[Rules "ultimate"]
[Event "{EVIL}"]
[X "{EVIL}"]
[O "{EVIL}"]
[Result "*"]

ea {{{EVIL}}} ae {{second}} *
"""


def test_script_in_a_record_is_text(visit):
    page = visit("/analysis?game=tic-tac-toe")
    page.request.put("/api/me", data={"name": EVIL[:24]})
    page.get_by_text("Import", exact=True).first.click()
    page.get_by_label("Record or position to import").fill(HOSTILE)
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.locator(".tree .comment").first).to_have_text(EVIL)
    expect(page.locator(".heading")).to_contain_text(EVIL)
    # Two records are told apart by their titles.
    page.get_by_label("Record or position to import").fill(HOSTILE + "\n" + HOSTILE)
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.locator(".tools [role=status] button")).to_have_count(2)
    open_game(page, new_game(page, game="tic-tac-toe", opponent="self", time="none"))
    expect(page.locator(".player .name").first).to_contain_text(EVIL[:24])
    # Anything that had become markup would have asked for x, or spoken: either fails the test.
    assert page.locator("img[src=x], main script").count() == 0


def test_a_lesson_is_solved(visit):
    page = visit("/learn/ultimate")
    steps = page.request.get("/api/rules/ultimate").json()["lesson"]
    for number, step in enumerate(steps, 1):
        expect(board(page)).to_have_attribute("data-step", str(number))
        if step["wanted"]:
            solve(page, step)
        if number < len(steps):
            page.get_by_role("button", name="Next").click()
    expect(page.get_by_role("link", name="Play it now")).to_be_visible()


def test_a_tournament_and_one_of_its_games(visit):
    page = visit("/tournaments")
    page.get_by_role("link", name="Three at random").click()
    standings = page.get_by_role("region", name="Standings")
    expect(standings.locator("tbody tr")).to_have_count(3)
    page.get_by_role("button", name="All games").click()
    games = page.get_by_role("region", name="All games")
    expect(games.locator("tbody tr")).to_have_count(6)
    games.get_by_role("link").first.click()
    page.locator(".tree .ply").last.click()
    expect(board(page)).to_have_attribute("data-ply", board(page).get_attribute("data-moves") or "")
    expect(page.locator(".why")).to_contain_text("over")


ARENA = """
import sys
from metatac.arena.runner import run_tournament
from metatac.arena.tournament import Entrant, Tournament
from metatac.store import open_database

def show(progress):
    if len(progress.results) == int(sys.argv[2]):
        raise KeyboardInterrupt

players = tuple(Entrant(f"R{n}", f"random:{n}") for n in range(4))
plan = Tournament(name=sys.argv[3], rules="tic-tac-toe", players=players)
database = open_database(sys.argv[1])
try:
    run_tournament(plan, database, show=show)
except KeyboardInterrupt:
    print("interrupted")
finally:
    database.close()
"""


def test_the_standings_of_a_running_tournament_change_while_one_looks_though_a_request_fails(visit, server):
    name = f"Live cup {secrets.token_hex(4)}"

    def play_until(games: int) -> None:
        command = [sys.executable, "-c", ARENA, server.arena, str(games), name]
        subprocess.run(command, check=True, capture_output=True)

    play_until(5)
    page = visit("/tournaments", refusals=True)
    page.get_by_role("link", name=name).click()
    head = page.locator("main[data-page^='/tournaments/'] .panel").first
    expect(head).to_contain_text("running · 5 of 12 games")
    latest = page.get_by_role("region", name="Latest games").locator("tbody tr")
    expect(latest).to_have_count(5)
    page.route("**/api/tournaments/*", lambda route: route.fulfill(status=403, json={"error": "Not now."}))
    expect(head.locator(".error")).to_contain_text("Not now.")
    page.unroute("**/api/tournaments/*")
    play_until(-1)
    expect(head).to_contain_text("finished · 12 of 12 games")
    expect(head.locator(".error")).to_be_empty()
    expect(latest).to_have_count(12)
    standings = page.get_by_role("region", name="Standings").locator("tbody tr")
    assert sum(int(played) for played in standings.locator("td:nth-child(4)").all_inner_texts()) == 24


def solve(page: Page, step: dict) -> None:
    wrong = next((move for move in step["position"]["legal"] if move not in step["wanted"]), None)
    if wrong:
        cell(page, f"board {wrong[0]}, cell {wrong[1]},").click()
        expect(page.locator(".answer.error")).to_be_visible()
    right = step["wanted"][0]
    page.locator(f".board .c.may[aria-label^='board {right[0]}'][aria-label*='cell {right[1]},']").click()
    expect(board(page)).to_have_attribute("data-solved", "yes")
    expect(page.locator(".answer.good")).to_have_text(step["answer"])
