"""Games against the engine, of every preset."""

import re

import pytest
from browsing import (
    board,
    cell,
    give_up,
    moves_made,
    new_game,
    open_game,
    play_first,
    play_out,
    wait_moves,
    wait_turn,
)
from playwright.sync_api import expect

from metatac.rules import preset_names

TO_THE_END = ("tic-tac-toe", "ultimate", "sudoku")
STRETCH = 4


@pytest.mark.parametrize("game", preset_names())
def test_a_game_of_each_against_the_engine(visit, game):
    page = visit("/about")
    open_game(page, new_game(page, game=game, opponent="engine", level=1, side="X", time="none"))
    if game in TO_THE_END:
        play_out(page, 100)
        expect(board(page)).to_have_attribute("data-phase", "over")
        expect(page.locator(".outcome")).to_contain_text(".")
        expect(page.get_by_role("link", name="Analyse")).to_be_visible()
    else:
        assert play_out(page, STRETCH) == STRETCH
        assert wait_turn(page)
        assert moves_made(page) >= 2 * STRETCH


def test_the_first_move_on_the_start_page_begins_a_game(visit):
    page = visit("/")
    cell(page, "board e, cell a, empty").click()
    page.wait_for_url("**/game/*")
    page.locator(".board[data-moves='2'][data-live=yes]").wait_for()
    expect(page.locator(".ply").first).to_have_text("1ea")
    expect(page.locator("main:focus")).to_have_css("outline-style", "none")


def test_a_double_click_on_the_start_page_begins_one_game(visit):
    page = visit("/")
    made = []
    page.on("request", lambda r: made.append(r.url) if r.method == "POST" and r.url.endswith("/api/games") else None)
    cell(page, "board e, cell a, empty").dblclick()
    page.wait_for_url("**/game/*")
    page.locator(".board[data-moves='2'][data-live=yes]").wait_for()
    assert len(made) == 1


def test_what_is_refused_is_told_and_a_fault_of_ours_stays_in_the_console(visit):
    page = visit("/about").context.new_page()
    faults = []
    page.on("pageerror", lambda error: faults.append(error.message))
    page.goto("/about")
    expect(page.locator("main[data-page]")).to_be_attached()
    page.evaluate("() => void import('/static/api.js').then((api) => api.get('/games/none'))")
    expect(page.locator(".toast.bad")).to_have_count(1)
    with page.expect_event("pageerror"):
        page.evaluate("() => void Promise.reject(new TypeError('a slip'))")
    assert faults == ["a slip"]


def test_take_back_resign_and_rematch(visit):
    page = visit("/about")
    open_game(page, new_game(page, game="ultimate", opponent="engine", level=1, side="X", time="none"))
    assert play_first(page) and wait_turn(page)
    page.get_by_role("button", name="Take back").click()
    expect(board(page)).to_have_attribute("data-moves", "0")
    assert play_first(page) and wait_turn(page)
    give_up(page)
    expect(page.locator(".outcome")).to_contain_text("X resigned")
    page.get_by_role("button", name="Rematch").click()
    expect(page.locator(".player").filter(has_text="(you)").get_by_label("O", exact=True)).to_be_visible()


def test_a_move_is_taken_back_while_the_engine_thinks(visit, server):
    page = visit("/about")
    open_game(page, new_game(page, game="ultimate", opponent="engine", level=1, side="X", time="none"))
    assert wait_turn(page)
    with server.thinking():
        cell(page, "board e, cell a, empty").click()
        wait_moves(page, 1)
        page.get_by_role("button", name="Take back").click()
        expect(board(page)).to_have_attribute("data-moves", "0")
        expect(board(page)).to_have_attribute("data-live", "yes")
        cell(page, "board e, cell i, empty").click()
        wait_moves(page, 1)
    # What it thought about the move that was taken back does not come.
    wait_moves(page, 2)
    expect(page.locator(".moves .ply").nth(0)).to_have_text("1ei")
    expect(page.locator(".moves .ply").nth(1)).to_have_text(re.compile("^2i"))


def test_both_limits_of_a_clock_run_down(visit):
    page = visit("/about")
    open_game(page, new_game(page, game="ultimate", opponent="self", time="1h,30m/move"))
    assert play_first(page)
    clock = page.locator(".clock.runs")
    expect(clock).to_have_text(re.compile(r"^(1:00:00|59:\d\d)(30:00|29:\d\d)$"))
    for part in ("firstChild", "lastChild"):
        shown = clock.evaluate(f"face => face.{part}.textContent")
        page.wait_for_function(f"was => document.querySelector('.clock.runs').{part}.textContent !== was", arg=shown)
    expect(page.locator(".clock:not(.runs) small")).to_have_count(0)


def test_nothing_is_lit_when_a_game_was_given_up(visit):
    page = visit("/about")
    open_game(page, new_game(page, game="ultimate", opponent="self", time="none"))
    assert play_first(page)
    expect(page.locator(".board .sb.lit")).to_have_count(1)
    give_up(page)
    expect(page.locator(".board .sb.lit")).to_have_count(0)
    expect(page.locator(".board .c.may")).to_have_count(0)
    expect(page.locator(".why").get_by_label("X", exact=True)).to_be_visible()


def test_a_link_keeps_the_focus_while_the_page_is_drawn_anew(visit):
    page = visit("/about")
    open_game(page, new_game(page, game="ultimate", opponent="self", time="none"))
    assert wait_turn(page)
    page.get_by_role("link", name="Rules").focus()
    page.get_by_role("link", name="Rules").evaluate("link => (globalThis.before = link)")
    page.locator(".board .c.may").first.dispatch_event("click")
    wait_moves(page, 1)
    expect(page.get_by_role("link", name="Rules")).to_be_focused()
    assert page.evaluate("!before.isConnected"), "it is a new one"


COUNT_AUDIO = """{
    const Real = AudioContext;
    globalThis.made = 0;
    globalThis.AudioContext = class extends Real {
        constructor() {
            super();
            globalThis.made++;
        }
    };
}"""


def test_sound_is_made_only_where_it_is_wanted(visit):
    page = visit("/about")
    page.add_init_script(COUNT_AUDIO)
    for wanted in (False, True, False):
        open_game(page, new_game(page, game="tic-tac-toe", opponent="self", time="none"))
        page.get_by_role("button", name="Settings").click()
        page.get_by_role("checkbox", name="Sound").set_checked(wanted)
        page.get_by_role("button", name="Done").click()
        open_game(page, new_game(page, game="tic-tac-toe", opponent="self", time="none"))
        assert page.evaluate("made") == 0
        assert play_first(page)
        assert page.evaluate("made") == int(wanted)


def test_stepping_back_through_the_moves(visit):
    page = visit("/about")
    open_game(page, new_game(page, game="ultimate", opponent="engine", level=1, side="X", time="none"))
    play_out(page, 2)
    assert wait_turn(page)
    shown = moves_made(page)
    page.keyboard.press("ArrowLeft")
    expect(board(page)).to_have_attribute("data-ply", str(shown - 1))
    expect(board(page)).to_have_attribute("data-live", "no")
    page.keyboard.press("ArrowUp")
    expect(board(page)).to_have_attribute("data-ply", "0")
    expect(page.locator(".board .m")).to_have_count(0)
    page.keyboard.press("ArrowDown")
    expect(board(page)).to_have_attribute("data-live", "yes")


def test_a_cell_shows_where_it_would_send(visit):
    page = visit("/about")
    open_game(page, new_game(page, game="ultimate", opponent="self", time="none"))
    assert wait_turn(page)
    cell(page, "board e, cell a, empty").hover()
    expect(page.locator(".board .sb.goal .name")).to_have_text("a")
    cell(page, "board e, cell c, empty").focus()
    expect(page.locator(".board .sb.goal .name")).to_have_text("c")
    cell(page, "board e, cell c, empty").press("Enter")
    wait_moves(page, 1)
    expect(page.locator(".board .sb.lit .name")).to_have_text("c")
    expect(page.locator(".board .why")).to_contain_text("sends O to board c")
    expect(page.locator(".board .arrows .head.sent")).to_be_attached()


def test_rules_pasted_as_toml_are_checked_while_one_types(visit):
    page = visit("/new?game=custom", refusals=True)
    text = page.get_by_label("Rules as TOML")
    text.fill('inherits = "ultimate"\nlines = "loses"\n')
    expect(page.locator(".error")).to_contain_text("lines")
    expect(page.locator(".error")).to_be_in_viewport()
    expect(page.get_by_role("button", name="Start the game")).to_be_disabled()
    text.fill('inherits = "ultimate"\ntitle = "<b>mine</b>"\nline = "loses"\n')
    expect(page.locator(".error")).to_be_empty()
    page.get_by_role("radio", name="One screen").check()
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_url("**/game/*")
    expect(page.locator(".info h2")).to_have_text("<b>mine</b>")
    expect(page.locator(".info code")).to_have_text("custom=ultimate{line=loses}")
    assert play_first(page) and play_first(page)


def test_a_second_press_confirms_where_that_is_chosen(visit):
    page = visit("/about")
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("radio", name="Always").check()
    page.get_by_role("button", name="Done").click()
    open_game(page, new_game(page, game="tic-tac-toe", opponent="engine", level=1, side="X", time="none"))
    assert wait_turn(page)
    cell(page, "cell e, empty").click()
    expect(page.locator(".board .pending")).to_be_attached()
    assert moves_made(page) == 0
    cell(page, "cell e, empty").click()
    expect(cell(page, "cell e, X")).to_be_attached()
