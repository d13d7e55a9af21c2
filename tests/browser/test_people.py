"""Two people, a spectator, lost connections."""

import secrets
from collections.abc import Callable

from browsing import PATIENCE, board, cell, give_up, moves_made, new_game, open_game, play_first, wait_moves, wait_turn
from playwright.sync_api import Page, WebSocketRoute, expect


class Line:
    """The websocket of a page: it can be cut and held down, die unnoticed, be mute, or not tell how the game stands."""

    def __init__(self, page: Page) -> None:
        self.up = True
        self.old = False
        self.open: list[WebSocketRoute] = []
        self.dead: set[WebSocketRoute] = set()
        self.deaf: set[WebSocketRoute] = set()
        self.mute = False
        page.route_web_socket("**/socket", self.connect)

    def connect(self, route: WebSocketRoute) -> None:
        if not self.up:
            route.close()
            return
        server = route.connect_to_server()

        def hear(text: str | bytes) -> None:
            if route not in self.dead | self.deaf and not (self.old and '"type":"game"' in str(text)):
                route.send(text)

        server.on_message(hear)
        route.on_message(lambda text: None if self.mute or route in self.dead else server.send(text))
        route.on_close(lambda code, reason: None if route in self.dead else server.close(code=code, reason=reason))
        self.open.append(route)

    def cut(self) -> None:
        self.up = False
        for route in self.open:
            route.close()
        self.open.clear()

    def die(self, *, arriving: bool = False) -> None:
        """What is said on it gets lost, both ways or on the way back, and nobody closes it; it is held down too."""
        self.up = False
        (self.deaf if arriving else self.dead).update(self.open)
        self.open.clear()


SECONDS = """() => {
    const [minutes, seconds] = document.querySelector(".clock.runs").textContent.split(":");
    return 60 * minutes + Number(seconds);
}"""


def two_players(visit: Callable[..., Page]) -> tuple[Page, Page, str]:
    """Two visitors who sit at a game, X first, and its id; the second came by the invitation."""
    first, second = visit("/about"), visit("/about")
    wish = {"game": "ultimate", "opponent": "friend", "side": "X", "time": "10m+5s"}
    made = first.request.post("/api/games", data=wish).json()
    open_game(first, made["id"])
    expect(board(first)).to_have_attribute("data-phase", "waiting")
    second.goto(made["invite"])
    second.get_by_role("button", name="Take the seat").click()
    second.wait_for_url(f"**/game/{made['id']}")
    expect(board(first)).to_have_attribute("data-live", "yes")
    return first, second, made["id"]


def test_two_browsers_with_a_reload_and_a_lost_connection(visit):
    first, second, _ = two_players(visit)
    assert play_first(first)
    wait_moves(second, 1)
    for page in (first, second):
        expect(page.locator("h1")).not_to_contain_text("?")
    second.reload()
    assert play_first(second)
    wait_moves(first, 2)
    # A line that is lost while the other moves: the move is there when it is back.
    line = Line(second)
    second.reload()
    expect(board(second)).to_have_attribute("data-moves", "2")
    expect(first.locator(".player .dot.online")).to_have_count(2)
    line.cut()
    expect(second.locator("#net")).to_have_text("reconnecting…")
    expect(first.locator(".player .dot.online")).to_have_count(1)
    assert play_first(first)
    assert moves_made(second) == 2
    line.up = True
    wait_moves(second, 3)
    expect(second.locator("#net")).to_be_empty()
    assert play_first(second)
    wait_moves(first, 4)
    for page in (first, second):
        expect(page.locator(".clock.runs")).to_have_count(1)


def at_the_board(visit: Callable[..., Page], *, clock: bool = True) -> tuple[Page, Line]:
    """A visitor at a game of both seats with one move, its line, and perhaps a clock that can be put forward."""
    page = visit("/about")
    line = Line(page)
    if clock:
        page.clock.install()
    open_game(page, new_game(page, game="ultimate", opponent="self", time="none"))
    assert play_first(page)
    assert wait_turn(page)
    return page, line


def test_a_line_that_dies_without_a_word_is_given_up_and_the_move_is_sent_again(visit):
    page, line = at_the_board(visit, clock=False)
    line.die()
    cell(page, "board a, cell e, empty").click()
    expect(board(page)).to_have_attribute("data-live", "no")
    expect(page.locator("#net")).to_have_text("reconnecting…")
    assert moves_made(page) == 1
    line.up = True
    wait_moves(page, 2)
    expect(page.locator("#net")).to_be_empty()
    expect(page.locator(".moves .ply").nth(1)).to_have_text("2ae")
    assert play_first(page)
    assert moves_made(page) == 3
    expect(page.locator(".toast")).to_have_count(0)


def test_a_lost_move_is_sent_again_whatever_else_was_heard_meanwhile(visit):
    first, second, _ = two_players(visit)
    line = Line(first)
    first.reload()
    assert wait_turn(first)
    line.mute = True
    cell(first, "board e, cell e, empty").click()
    second.get_by_role("button", name="Offer draw").click()
    expect(first.get_by_text("O offers a draw")).to_be_visible()
    expect(board(first)).to_have_attribute("data-live", "no")
    line.cut()
    line.mute, line.up = False, True
    wait_moves(second, 1)
    expect(second.locator(".moves .ply").first).to_have_text("1ee")


def test_a_move_that_arrived_before_the_line_died_is_not_made_twice(visit):
    page, line = at_the_board(visit)
    line.die(arriving=True)
    cell(page, "board a, cell e, empty").click()
    page.clock.run_for(16_000)
    expect(page.locator("#net")).to_have_text("reconnecting…")
    line.up = True
    wait_moves(page, 2)
    expect(board(page)).to_have_attribute("data-live", "yes")
    expect(page.locator(".moves .ply")).to_have_count(2)
    expect(page.locator(".toast")).to_have_count(0)


def test_a_lost_move_is_not_sent_into_a_game_that_has_gone_on(visit):
    page, line = at_the_board(visit)
    other = page.context.new_page()
    other.goto(page.url)
    assert wait_turn(other)
    line.die()
    cell(page, "board a, cell e, empty").click()
    expect(board(page)).to_have_attribute("data-live", "no")
    cell(other, "board a, cell i, empty").click()
    wait_moves(other, 2)
    page.clock.run_for(16_000)
    expect(page.locator("#net")).to_have_text("reconnecting…")
    line.up = True
    expect(page.locator(".toast.bad")).to_contain_text("before your move ae arrived")
    expect(page.locator(".moves .ply").nth(1)).to_have_text("2ai")
    expect(board(page)).to_have_attribute("data-live", "yes")
    assert moves_made(page) == moves_made(other) == 2


def test_a_line_that_dies_while_nobody_moves_is_given_up(visit):
    page, line = at_the_board(visit)
    line.die()
    page.clock.run_for(40_000)
    expect(page.locator("#net")).to_have_text("reconnecting…")
    line.up = True
    expect(page.locator("#net")).to_be_empty()
    assert play_first(page)
    assert moves_made(page) == 2


def test_a_draw_is_offered_and_accepted_and_a_rematch_begins(visit):
    first, second, id = two_players(visit)
    assert play_first(first)
    wait_moves(second, 1)
    first.get_by_role("button", name="Offer draw").click()
    second.get_by_role("button", name="Accept").click()
    for page in (first, second):
        expect(page.locator(".outcome")).to_contain_text("draw")
    first.get_by_role("button", name="Rematch").click()
    second.get_by_role("button", name="Accept the rematch").click()
    for page in (first, second):
        page.wait_for_url(lambda url: "/game/" in url and id not in url)
        expect(board(page)).to_have_attribute("data-phase", "running")
    expect(board(second)).to_have_attribute("data-live", "yes")


def test_a_take_back_needs_the_other_one(visit):
    first, second, _ = two_players(visit)
    assert play_first(first)
    wait_moves(second, 1)
    first.get_by_role("button", name="Take back").click()
    second.get_by_role("button", name="Accept").click()
    for page in (first, second):
        expect(board(page)).to_have_attribute("data-moves", "0")
    expect(board(first)).to_have_attribute("data-live", "yes")


def test_a_spectator_sees_every_move_and_makes_none(visit):
    first, second, id = two_players(visit)
    third = visit(f"/game/{id}")
    expect(third.get_by_text("you are watching")).to_be_visible()
    expect(first.locator(".info")).to_contain_text("1 watching")
    assert play_first(first)
    for page in (second, third):
        wait_moves(page, 1)
    expect(board(third)).to_have_attribute("data-live", "no")
    # Who may not play is told who may.
    expect(third.get_by_role("button", name="may be played")).to_have_count(0)
    expect(third.get_by_role("button", name="open to O")).not_to_have_count(0)
    third.locator(".board .c.may").first.dispatch_event("click")
    assert play_first(second)
    wait_moves(third, 2)
    assert moves_made(third) == 2
    assert third.get_by_role("button", name="Resign").count() == 0
    # Who leaves gives no time back.
    first.wait_for_function(f"start => ({SECONDS})() < start - 2", arg=first.evaluate(SECONDS))
    left = first.evaluate(SECONDS)
    third.close()
    expect(first.locator(".info")).not_to_contain_text("watching")
    assert first.evaluate(SECONDS) <= left


def test_who_stays_may_claim_the_game(visit):
    first, second, _ = two_players(visit)
    assert play_first(first)
    wait_moves(second, 1)
    second.close()
    expect(first.get_by_text("has left")).to_be_visible()
    claim = first.get_by_role("button", name="Claim the win")
    expect(claim).to_be_visible(timeout=3 * PATIENCE)  # after half a minute, with a clock
    claim.click()
    expect(first.locator(".outcome")).to_contain_text("O left: X wins")
    expect(board(first)).to_have_attribute("data-phase", "over")


def test_a_seat_in_two_tabs_makes_one_move(visit):
    first, second, id = two_players(visit)
    other = first.context.new_page()
    line = Line(other)
    open_game(other, id)
    expect(board(other)).to_have_attribute("data-live", "yes")
    # The other tab does not hear of the move that the first one makes: what it sends is for a board that is gone.
    line.old = True
    assert play_first(first)
    assert moves_made(other) == 0
    cell(other, "board e, cell e, empty").dispatch_event("click")
    expect(board(other)).to_have_attribute("data-live", "yes")  # again: it was "no" until the refusal came
    line.old = False
    assert play_first(second)
    for page in (first, second, other):
        wait_moves(page, 2)
        assert moves_made(page) == 2
    expect(board(other)).to_have_attribute("data-live", "yes")


def test_a_double_click_is_one_move(visit):
    page = visit("/about")
    open_game(page, new_game(page, game="ultimate", opponent="self", time="none"))
    assert wait_turn(page)
    cell(page, "board e, cell e, empty").dblclick()
    wait_moves(page, 1)
    assert play_first(page)
    assert moves_made(page) == 2
    expect(page.locator(".moves .ply").first).to_have_text("1ee")


def test_a_press_is_not_lost_when_the_page_is_drawn_anew(visit):
    page = visit("/about")
    id = new_game(page, game="ultimate", opponent="self", time="none")
    open_game(page, id)
    page.get_by_role("button", name="Resign").hover()
    page.mouse.down()
    visit(f"/game/{id}")
    expect(page.locator(".info")).to_contain_text("1 watching")
    page.mouse.up()
    expect(page.get_by_text("Give up this game?")).to_be_visible()


def test_a_private_game_is_in_no_list_and_its_seat_needs_the_secret(visit):
    first, third = visit("/about"), visit("/lobby", refusals=True)
    name = f"Secretive {secrets.token_hex(4)}"
    first.request.put("/api/me", data={"name": name})
    wish = {"game": "tic-tac-toe", "opponent": "friend", "side": "X", "time": "none"}
    made = first.request.post("/api/games", data=wish).json()
    id, invite = made["id"], made["invite"]
    third.goto(invite[:-1] + ("A" if invite[-1] != "A" else "B"))
    third.get_by_role("button", name="Take the seat").click()
    expect(third.locator(".error")).to_contain_text("not valid")
    second = visit(invite)
    second.get_by_role("button", name="Take the seat").click()
    second.wait_for_url(f"**/game/{id}")
    # A public game of the same two shows that the lists are up to date.
    public = new_game(first, game="tic-tac-toe", opponent="open", side="X", time="none")
    for path in ("/lobby", "/"):
        third.goto(path)
        expect(third.locator("main")).to_contain_text(name)
        assert third.locator(f"[href*='{id}']").count() == 0
    second.goto("/lobby")
    second.locator("li", has_text=name).get_by_role("button", name="Play").click()
    second.wait_for_url(f"**/game/{public}")
    for game in (id, public):
        open_game(first, game)
        give_up(first)
    for page, count in ((first, 2), (third, 1)):
        page.goto(f"/archive?player={name}")
        expect(page.locator("main[data-page='/archive']:not([aria-busy])")).to_be_attached()
        expect(page.locator(".game-row")).to_have_count(count)
    assert third.locator(f"[href*='{id}']").count() == 0
    rows = third.locator(".game-row")
    for result, count in (("O won", 1), ("X won", 0), ("nobody won", 0), ("any", 1)):
        third.get_by_label("Result").select_option(result)
        expect(rows).to_have_count(count)


def test_a_challenge_is_taken_in_the_lobby(visit):
    first, second = visit("/about"), visit("/lobby")
    first.request.put("/api/me", data={"name": "Zoë of the lobby"})
    id = new_game(first, game="tic-tac-toe", opponent="open", side="X", time="none")
    open_game(first, id)
    challenge = second.locator("li", has_text="Zoë of the lobby")
    expect(challenge).to_contain_text("no clock")
    challenge.get_by_role("button", name="Play").click()
    second.wait_for_url(f"**/game/{id}")
    assert play_first(first)
    wait_moves(second, 1)


def test_who_has_taken_a_seat_goes_back_by_one_press(visit):
    first, second = visit("/about"), visit("/lobby")
    id = new_game(first, game="tic-tac-toe", opponent="open", side="toss", time="none")
    for page in (first, second):
        open_game(page, id)
    second.evaluate("document.querySelector('.gamepage').dataset.old = 'yes'")
    second.get_by_role("button", name="Take the seat").click()
    expect(second.locator(".gamepage:not([data-old])")).to_be_attached()
    for page in (first, second):  # the toss has decided who is whose
        expect(page.locator(".player:not(.above)")).to_contain_text("(you)")
    second.go_back()
    expect(second.locator("main[data-page='/lobby']")).to_be_attached()
