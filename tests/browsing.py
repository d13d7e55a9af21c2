"""What the browser tests do at a board."""

import re

from playwright.sync_api import Locator, Page, expect

PATIENCE = 60_000
"""Milliseconds that anything may take on a busy machine."""


def board(page: Page) -> Locator:
    return page.locator(".board")


def cell(page: Page, name: str) -> Locator:
    """The cell whose name begins so."""
    return page.get_by_role("button", name=re.compile(f"^{re.escape(name)}"))


def new_game(page: Page, **wish: object) -> str:
    """A game made by the page's visitor; its id."""
    answer = page.request.post("/api/games", data=wish)
    assert answer.status == 201, answer.text()
    made: str = answer.json()["id"]
    return made


def open_game(page: Page, id: str) -> None:
    page.goto(f"/game/{id}")
    expect(board(page)).to_have_attribute("data-version", re.compile(r"\d+"))


def wait_turn(page: Page) -> bool:
    """Wait until this page may move; False if the game is over instead."""
    page.locator(".board[data-live=yes], .board[data-phase=over]").wait_for(state="attached")
    return board(page).get_attribute("data-phase") != "over"


def moves_made(page: Page) -> int:
    return int(board(page).get_attribute("data-moves") or -1)


def wait_moves(page: Page, count: int) -> None:
    """Wait until at least so many moves are on the board."""
    page.wait_for_function("n => Number(document.querySelector('.board')?.dataset.moves) >= n", arg=count)


def play_first(page: Page) -> bool:
    """Play the first cell that may be played, both marks where a move has two; False if the game was over."""
    if not wait_turn(page):
        return False
    before = moves_made(page)
    cells = page.locator(".board .c.may")
    cells.first.click()
    if page.locator(".board .c.own").count():
        cells.first.click()
    wait_moves(page, before + 1)
    return True


def play_out(page: Page, most: int) -> int:
    """Play until the game is over or so many own moves are made; how many."""
    made = 0
    while made < most and play_first(page):
        made += 1
    return made


def give_up(page: Page) -> None:
    page.get_by_role("button", name="Resign").click()
    expect(page.get_by_text("Give up this game?")).to_be_visible()
    page.get_by_role("button", name="Resign").click()
    expect(board(page)).to_have_attribute("data-phase", "over")
