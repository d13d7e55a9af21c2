"""Hypothesis strategies that several tests share: rule sets over all keys, and random games of them."""

import random
from typing import Any

from hypothesis import strategies as st

import metatac

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
SIDES = {1: [2, 3, 3, 3, 4, 5, 6, 7], 2: [2, 2, 2, 3, 3, 3, 3, 4, 4, 5, 6, 7], 3: [2, 2, 2, 3, 3, 4]}
"""Of each depth; small ones more often."""


@st.composite
def pattern_lists(draw: st.DrawFn, side: int, *, least: int = 1) -> list[Any]:
    """A level's patterns: families, explicit sets, or both."""
    families = ["rows", "columns", "diagonals"] + (["diamonds"] if side > 2 else [])
    sets = st.lists(st.integers(0, side * side - 1), min_size=2, max_size=min(5, side * side), unique=True)
    named = draw(st.lists(st.sampled_from(families), max_size=4, unique=True))
    explicit = draw(st.lists(sets, max_size=3))
    chosen: list[Any] = named + explicit
    return chosen if len(chosen) >= least else ["rows", "columns", "diagonals"]


@st.composite
def rule_options(draw: st.DrawFn, depths: tuple[int, ...] = (1, 2, 2, 2, 3, 3), most_side: int = 7) -> dict[str, Any]:
    """Every key of a rule set that means something in a game, with values that go together."""
    depth = draw(st.sampled_from(depths))
    side = draw(st.sampled_from([side for side in SIDES[depth] if side <= most_side]))
    keys: dict[str, Any] = {"side": side, "depth": depth, "patterns": draw(patterns(side, depth))}
    keys |= draw(board_keys(depth))
    keys |= draw(move_keys(side, depth, keys))
    keys |= draw(end_keys(side, depth, keys))
    return keys


@st.composite
def patterns(draw: st.DrawFn, side: int, depth: int) -> Any:
    if depth == 1 or draw(st.booleans()):
        return draw(pattern_lists(side))
    levels = {2: ["game", "small"], 3: ["game", "middle", "small"]}[depth]
    table = {level: draw(pattern_lists(side, least=1)) for level in levels}
    if draw(st.booleans()):
        table["all"] = table.pop(draw(st.sampled_from(levels)))
    return table


@st.composite
def board_keys(draw: st.DrawFn, depth: int) -> dict[str, Any]:
    keys: dict[str, Any] = {"win_board": "line", "tallies": 0, "close_board": "won", "ban": False, "marks": 1}
    if depth == 1:
        return keys
    keys["win_board"] = draw(st.sampled_from(["line", "line", "tallies", "never"]))
    keys["marks"] = draw(st.sampled_from([1, 1, 2]))
    if keys["win_board"] == "tallies":
        keys["tallies"] = draw(st.integers(1, 3))
    else:
        keys["close_board"] = draw(st.sampled_from(["won", "full"])) if keys["win_board"] == "line" else "won"
        keys["ban"] = depth == 2 and keys["marks"] == 1 and draw(st.booleans())
    return keys


@st.composite
def move_keys(draw: st.DrawFn, side: int, depth: int, keys: dict[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = {"bonus": False, "sent_to_decided": "free", "first": "free"}
    made["swap"] = keys["marks"] == 1 and draw(st.booleans())
    if depth == 1:
        return made
    made["bonus"] = keys["win_board"] != "never" and draw(st.booleans())
    words = ["own"] + ["other"] * (keys["marks"] == 2) + ["board"] * (depth == 3)
    addressed = draw(st.integers(0, depth - 1))
    if draw(st.booleans()):
        made["send"] = [draw(st.sampled_from(words)) for _ in range(addressed)] + ["any"] * (depth - 1 - addressed)
    upward = depth == 3 and "any" not in made.get("send", [])
    if "send" not in made or addressed:
        made["sent_to_decided"] = draw(st.sampled_from(["free", "free", "end"] + ["up"] * 2 * upward))
    board = st.text(LETTERS[: side * side], min_size=1, max_size=depth - 1)
    made["first"] = draw(st.one_of(st.just("free"), st.just("center"), board))
    return made


@st.composite
def end_keys(draw: st.DrawFn, side: int, depth: int, keys: dict[str, Any]) -> dict[str, Any]:
    owned, size = keys["win_board"] != "never", side * side
    made: dict[str, Any] = {"line": "nothing", "boards_to_win": 0, "komi": 0, "values": [], "utility": "result"}
    if owned:
        made["line"] = draw(st.sampled_from(["wins", "wins", "loses", "nothing"]))
    if owned and depth > 1 and draw(st.booleans()):
        made["boards_to_win"] = draw(st.integers(1, size))
    counts = ["boards"] * (owned and depth > 1) + ["lines"] * (keys["win_board"] != "tallies")
    if made["line"] != "nothing" or made["boards_to_win"]:
        counts.append("nothing")
    made["count"] = draw(st.sampled_from(counts))
    counted = made["count"] != "nothing"
    made["most_wins"] = counted and draw(st.booleans())
    made["points"] = "count" if counted and (not made["most_wins"] or draw(st.booleans())) else "result"
    decisive = made["line"] != "nothing" or made["boards_to_win"] > 0
    made["win_points"] = 1
    if decisive or made["points"] == "result":
        made["win_points"] = draw(st.sampled_from([1, 2, 16, 2.5, 0.25]))
    if made["most_wins"] and not keys["swap"]:
        made["komi"] = draw(st.sampled_from([0, 0, 1, -1, 0.5, -2.5, 3, 0.1]))
    if made["count"] == "boards" and draw(st.booleans()):
        made["values"] = draw(st.lists(st.integers(0, 9), min_size=size, max_size=size).filter(any))
    if made["points"] == "count" and made["win_points"] == int(made["win_points"]):
        made["utility"] = draw(st.sampled_from(["result", "points"]))
    return made


@st.composite
def rule_sets(draw: st.DrawFn, depths: tuple[int, ...] = (1, 2, 2, 2, 3, 3), most_side: int = 7) -> metatac.RuleSet:
    """Rule sets over all keys, printed against any preset. None of those drawn is ever refused."""
    options = draw(rule_options(depths, most_side))
    base = draw(st.sampled_from(metatac.preset_names()))
    return metatac.load_rules(base, **options)


def random_game(rules: metatac.RuleSet, chance: random.Random, most: int) -> metatac.Game:
    """A game of random moves, to its end or so many moves on."""
    game = metatac.Game(metatac.start(rules))
    while game.outcome is None and len(game) < most:
        game.push(chance.choice(game.legal_moves))
    return game


def some_position(name: str, plies: int, seed: int) -> metatac.Position:
    """A position that so many random moves lead to, or the last one before the game would be over."""
    chance, position = random.Random(seed), metatac.start(name)
    for _ in range(plies):
        after = position.play(chance.choice(position.legal_moves))
        if after.outcome is not None:
            break
        position = after
    return position
