"""A game as a page: complete in itself, the last position without scripts, every position with them."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from chromium import browser

import metatac
from metatac.game import Game
from metatac.notation import Ply, Record
from metatac.render import board_svg, position_html, record_html


def record_of(game: str, plies: int = 12, **tags: str) -> Record:
    history = Game(game)
    while len(history) < plies and history.legal_moves:
        history.push(history.legal_moves[len(history) * 7 % len(history.legal_moves)])
    return Record.from_game(history, tags=tags)


def data_of(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    return dict(json.loads(found[1]))


def pieces_at(data: dict[str, Any], at: int) -> str:
    """What the page's script would show after so many moves."""
    now = list(data["frames"][0])
    for changed in data["frames"][1 : at + 1]:
        for layer, piece in changed.items():
            now[int(layer)] = piece
    return "".join(data["pieces"][piece] for piece in now)


@pytest.mark.parametrize("game", metatac.preset_names())
def test_every_frame_is_the_picture_of_its_position(game: str) -> None:
    record = record_of(game)
    data = data_of(record_html(record))
    last = None
    assert len(data["frames"]) == len(record.plies) + 1
    for at, position in enumerate(record.positions()):
        last = record.moves[at - 1] if at else None
        drawn = board_svg(position, last=last).replace("\n", "")
        assert pieces_at(data, at) in drawn


def test_the_page_loads_nothing_and_shows_the_last_position_without_scripts() -> None:
    record = record_of("ultimate")
    page = record_html(record)
    assert "default-src 'none'" in page
    assert not re.search(r"(?:src|href)=|url\(|@import|https?://(?!www\.w3\.org/2000/svg)", page)
    static = page[: page.index('<script type="application/json"')]
    assert f'data-position="{list(record.positions())[-1].text}"' in static
    assert static.count("data-at=") == len(record.plies)
    assert re.search(r'id="controls" hidden', static)


def test_words_of_strangers_stay_words() -> None:
    evil = "</script><script>alert(1)</script>@@x@@\"'&"
    record = record_of("ultimate", X=evil, Event=evil)
    ply = Ply(record.plies[0].move, comment=evil)
    page = record_html(Record(record.start, (ply, *record.plies[1:]), tags=record.tags, comment=evil))
    assert page.count("<script") == 2 and page.count("</script>") == 2
    assert data_of(page)["notes"][1] == evil


def test_a_position_alone_and_where_to_open() -> None:
    position = metatac.start("sudoku").play("ee")
    page = position_html(position, dark=True)
    assert data_of(page)["at"] == 0 and 'content="dark"' in page and "prefers-color-scheme" not in page
    record = record_of("ultimate")
    for at, opens in ((0, 0), (5, 5), (None, 12), (99, 12)):
        assert data_of(record_html(record, at=at))["at"] == opens


def test_the_page_is_stepped_through_by_keys_and_buttons_and_is_accessible(tmp_path: Path) -> None:
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    record = record_of("ultimate", 9, X="Ann", O="Bob")
    file = tmp_path / "game.html"
    file.write_text(record_html(record), "utf-8")
    with browser() as opened:
        page = opened.new_page()
        errors: list[Any] = []
        requests: list[str] = []
        page.on("pageerror", lambda error: errors.append(error))
        page.on("request", lambda request: requests.append(request.url))
        page.goto(file.as_uri())
        marks = "document.querySelectorAll('#board .mark').length"
        full = page.evaluate(marks)
        page.keyboard.press("Home")
        assert page.evaluate(marks) == 0 and page.locator("#where").inner_text() == "start, 9 moves"
        page.keyboard.press("ArrowRight")
        assert page.locator("#moves [aria-current]").inner_text().split()[-1] == str(record.moves[0])
        assert "sends" in page.locator("#said").inner_text()
        page.get_by_role("button", name="Last position").click()
        assert page.evaluate(marks) == full
        page.locator("#moves button").nth(3).click()
        assert page.locator("#where").inner_text() == "move 4 of 9"
        page.locator("#speed").select_option("fast")
        page.get_by_role("button", name="Play", exact=True).click()
        sync_api.expect(page.locator("#where")).to_have_text("move 9 of 9", timeout=60_000)
        from axe_playwright_python.sync_playwright import Axe

        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            found = Axe().run(page)
            assert found.violations_count == 0, found.generate_report()
    assert errors == [] and requests == [file.as_uri()]
