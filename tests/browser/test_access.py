"""Keyboard alone, phones, and axe on every page in light and dark."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from browsing import board, cell, new_game, open_game, play_first, wait_moves, wait_turn
from playwright.sync_api import Page, expect

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
PAGES = (
    "/",
    "/new",
    "/new?game=custom",
    "/lobby",
    "/analysis?game=ultimate",
    "/rules",
    "/rules/sudoku",
    "/learn/ultimate",
    "/archive",
    "/tournaments",
    "/tournaments/1-1",
    "/about",
)


def test_a_game_with_the_keyboard_alone(visit):
    page = visit("/about")
    open_game(page, new_game(page, game="ultimate", opponent="engine", level=1, side="X", time="none"))
    assert wait_turn(page)
    focused = page.locator(".board .c:focus")
    for _ in range(40):
        page.keyboard.press("Tab")
        assert page.locator("svg.grid:focus").count() == 0, "the board is one stop"
        if focused.count():
            break
    expect(focused).to_have_attribute("aria-label", "board a, cell a, empty, may be played, sends O to board a")
    for key in ("Shift+ArrowRight", "Shift+ArrowDown", "ArrowRight"):
        page.keyboard.press(key)
    expect(focused).to_have_attribute("aria-label", "board e, cell b, empty, may be played, sends O to board b")
    page.keyboard.press("Enter")
    wait_moves(page, 2)
    expect(page.locator("#say")).to_contain_text("O played")
    assert wait_turn(page)
    page.keyboard.press("Home")
    expect(focused).to_have_attribute("aria-label", re.compile("may be played"))
    page.keyboard.press("Space")
    wait_moves(page, 3)


def test_the_two_marks_of_a_move_by_keyboard(visit):
    page = visit("/about")
    open_game(page, new_game(page, game="ultimate-ultimate", opponent="self", time="none"))
    assert wait_turn(page)
    page.locator(".board .c[tabindex='0']").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".board .c.own")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".board .c.own")).to_have_count(0)
    for key in ("Enter", "n", "Enter"):
        page.keyboard.press(key)
    wait_moves(page, 1)
    expect(page.locator(".board .why")).to_contain_text("sends O to board ba")


REST = "/".join(["9"] * 9)
EIGHT = "ultimate-ultimate X aa XOXXOOOX1" + "/9" * 8 + f"|{REST}" * 8


def test_the_first_of_two_marks_is_taken_back_as_the_page_says(visit):
    page = visit("/analysis?game=ultimate-ultimate")
    why, own = page.locator(".board .why"), page.locator(".board .c.own")
    cell(page, "board a a, cell i, empty").click()
    expect(why).to_contain_text("press yours again to take X's back")
    own.click()
    expect(own).to_have_count(0)
    # With eight marks the own cell may take the other mark too: pressing it is a move.
    page.goto(f"/analysis?p={EIGHT}")
    cell(page, "board a a, cell i, empty").click()
    expect(why).to_contain_text("press another board to take X's back")
    cell(page, "board b b, cell e, empty").dispatch_event("click")
    expect(own).to_have_count(0)
    cell(page, "board a a, cell i, empty").click()
    own.click()
    expect(board(page)).to_have_attribute("data-ply", "1")


def test_the_picture_of_a_game_invites_nobody_to_play(visit):
    page = visit("/new?game=ultimate")
    expect(cell(page, "board e, cell a, empty, open to X, sends O to board a")).to_be_visible()
    expect(page.get_by_role("button", name="may be played")).to_have_count(0)


@pytest.mark.parametrize("game", ["ultimate", "ultimate-ultimate"])
def test_a_game_on_a_phone(visit, game):
    page = visit("/about", **PHONE)
    open_game(page, new_game(page, game=game, opponent="engine", level=1, side="X", time="none"))
    assert wait_turn(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    box = page.locator(".board svg.grid").bounding_box()
    assert box and box["width"] > 320
    cell = page.locator(".board .c.may").first
    if game == "ultimate-ultimate":
        cell.tap()  # too small for a finger: the tap comes nearer
        expect(page.locator(".board svg.zoomed")).to_be_attached()
        cell.tap()
        expect(page.locator(".board .c.own")).to_have_count(1)
    page.locator(".board .c.may").first.tap()
    wait_moves(page, 2)


def test_zooming_in_goes_to_where_one_is_to_play(visit):
    page = visit("/analysis?game=ultimate-ultimate&m=aaab baeb")
    lit = page.locator(".board .sb.lit")
    expect(lit).to_have_count(1)
    for _ in range(3):
        page.get_by_role("button", name="Zoom in").click()
    whole, part = page.locator(".board svg.grid").bounding_box(), lit.bounding_box()
    assert part["width"] > whole["width"] / 4
    for side, length in (("x", "width"), ("y", "height")):
        assert whole[side] < part[side] + part[length] / 2 < whole[side] + whole[length]


def test_the_menu_of_a_phone(visit):
    page = visit("/about", **PHONE)
    page.get_by_role("button", name="Menu").tap()
    page.get_by_role("link", name="Lobby", exact=True).tap()
    page.wait_for_url("**/lobby")
    expect(page.get_by_role("heading", name="Lobby")).to_be_visible()
    expect(page.locator("#nav")).to_be_hidden()


def test_nothing_is_wider_than_a_phone(visit):
    page = visit("/about", **PHONE)
    waiting = new_game(page, game="ultimate", opponent="friend", side="X", time="none")
    wide = {}
    for path in (*PAGES, f"/game/{waiting}"):
        page.goto(path)
        expect(page.locator("main[data-page]:not([aria-busy])")).to_be_attached()
        wide[path] = page.evaluate("document.documentElement.scrollWidth")
    assert {path: width for path, width in wide.items() if width > 360} == {}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(visit, scheme):
    page = visit("/about", color_scheme=scheme)
    game = new_game(page, game="extreme", opponent="engine", level=1, side="X", time="5m+3s")
    open_game(page, game)
    assert play_first(page) and wait_turn(page)
    found = {f"/game/{game}": violations(page)}
    for path in PAGES:
        page.goto(path)
        expect(page.locator("main[data-page]:not([aria-busy])")).to_be_attached()
        found[path] = violations(page)
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    found["settings"] = violations(page)
    assert {path: said for path, said in found.items() if said} == {}


def violations(page: Page) -> list[str]:
    found = Axe().run(page).response["violations"]
    nodes = [(one["id"], node) for one in found for node in one["nodes"][:3]]
    return [f"{name}: {node['html'][:150]} {node['failureSummary'][:300]}" for name, node in nodes]


def test_the_theme_is_kept(visit):
    page = visit("/", color_scheme="light")
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("radio", name="Dark").check()
    page.get_by_role("button", name="Done").click()
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"
    expect(board(page)).to_be_visible()
