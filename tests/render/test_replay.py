"""The script that replays games draws what `board_svg` draws, for every game and every move."""

import json
import random
from typing import Any

from chromium import browser

import metatac
from metatac.game import Game
from metatac.notation import Record
from metatac.render import board_svg
from metatac.render.replay import replay_script, replay_steps
from metatac.rules import preset_names

LONGEST = 200
"""Moves of a game; ultimate-ultimate has a thousand."""

# What is seen of a board, whoever drew it: the kinds of every board and frame, and every mark.
LOOK = """(svg) => {
  const numbers = (text) => text.replace(/-?\\d*\\.?\\d+(e-?\\d+)?/g, (n) => String(Math.round(n * 100) / 100 + 0));
  const marks = (parent) => [...parent.children].filter((e) => e.tagName === "path" && !e.matches(".grid,.turn"))
    .map((e) => [...e.classList].filter((k) => k !== "placed").sort().join(" ") + " " + numbers(e.getAttribute("d"))
      + " " + (e.getAttribute("stroke-width") ? Math.round(e.getAttribute("stroke-width") * 100) / 100 : "")).sort();
  return JSON.stringify({
    boards: [...svg.querySelectorAll("g.board")].map((b) => [[...b.classList].sort().join(" "), marks(b)]),
    frames: [...svg.querySelectorAll("rect.frame")].map((f) => [...f.classList].sort().join(" ")),
    over: marks(svg),
  });
}"""


def random_game(name: str, chance: random.Random, **options: Any) -> Record:
    game = Game(metatac.start(name, **options))
    while game.position.outcome is None and len(game.moves) < LONGEST:
        game.push(chance.choice(game.position.legal_moves))
    return Record.from_game(game)


def test_every_game_is_replayed_as_it_is_drawn() -> None:
    chance = random.Random(4)
    games = [random_game(name, chance) for name in preset_names()]
    games += [random_game("ultimate", chance, swap=True), random_game("sudoku", chance, side=4)]
    with browser() as opened:
        page = opened.new_page()
        page.set_content(f"<div id='a'></div><div id='b'></div><script>{replay_script()};window.Replay=Replay</script>")
        for record in games:
            compare(page, record, chance)


def compare(page: Any, record: Record, chance: random.Random) -> None:
    rules, positions = record.rules, list(record.positions())
    steps = replay_steps(record)
    assert len(steps) == len(positions)
    setup = """([svg, side, depth]) => { document.getElementById("a").innerHTML = svg;
      window.replay = new Replay(document.querySelector("#a svg"), side, depth); }"""
    page.evaluate(setup, [str(board_svg(positions[0])), rules.side, rules.depth])
    plies = [0, 1, len(positions) - 1, *(chance.randrange(len(positions)) for _ in range(6))]
    for ply in plies:
        drawn = str(board_svg(positions[ply], last=record.moves[ply - 1] if ply else None))
        turn = page.evaluate("([steps, ply]) => replay.show(steps, ply)", [steps, ply])
        assert turn == ("." if positions[ply].outcome else positions[ply].turn)
        page.evaluate("(svg) => { document.getElementById('b').innerHTML = svg; }", drawn)
        replayed, expected = (
            json.loads(page.evaluate(f"(id) => ({LOOK})(document.querySelector(id))", f"#{name} svg")) for name in "ab"
        )
        assert replayed == expected, (rules.name, ply, steps[ply])
