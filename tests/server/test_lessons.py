"""Every lesson says what is true: the wanted moves are legal and do what the text promises."""

from typing import Any

import pytest

from metatac.game import Position
from metatac.rules import LETTERS, preset_names
from metatac.server.lessons import lesson_file, lesson_of, line_of, sections_of
from metatac.server.positions import counts

STEPS = [
    pytest.param(game, step, id=f"{game}-{step['title']}")
    for game in preset_names()
    for step in lesson_file(game)["step"]
]


def number_of(position: Position, board: str) -> int:
    return next(i for i, entry in enumerate(position.to_dict()["boards"]) if entry["board"] == board)


def winning(position: Position, who: str) -> int:
    """Moves that win at once for a player, as if it were his turn."""
    turned = position.replaced(turn=who)
    found = [turned.play(move).outcome for move in turned.legal_moves]
    return sum(outcome is not None and outcome.winner == who for outcome in found)


def check(after: Position, mover: str, claims: dict[str, Any]) -> None:
    facts: dict[str, Any] = {
        "winner": after.outcome and after.outcome.winner,
        "over": after.outcome is not None,
        "send": "".join(LETTERS[step] for step in after.send) or "*",
        "bonus": after.bonus,
        "turn": after.turn,
    }
    for name, claimed in claims.items():
        if name == "owns":
            assert after.owners[-1][number_of(after, claimed)] == claims["by"]
        elif name == "safe":
            assert winning(after, "O" if mover == "X" else "X") == 0
        elif name == "threats":
            assert winning(after, mover) == claimed
        elif name == "counts":
            assert counts(after)[claimed[0]] == int(claimed[1:])
        elif name == "banned":
            for square in claimed.split():
                assert after.board(LETTERS.index(square[0]))[LETTERS.index(square[1])] == "#"
        elif name == "tallies":
            assert after.tallies[number_of(after, claimed[:2])] == (int(claimed[2]), int(claimed[3]))
        elif name != "by":
            assert facts[name] == claimed, name


@pytest.mark.parametrize(("game", "step"), STEPS)
def test_what_is_wanted_does_what_the_text_says(game: str, step: dict[str, Any]) -> None:
    positions, _ = line_of(game, step)
    now = positions[-1]
    assert now.rules.name == game
    wanted = step.get("wanted", "").split()
    assert bool(wanted) == ("after" in step) == ("answer" in step) == ("hint" in step)
    for move in wanted:
        check(now.play(move), now.turn, step["after"])


@pytest.mark.parametrize(("game", "step"), STEPS)
def test_no_other_move_solves_a_step(game: str, step: dict[str, Any]) -> None:
    """Whoever finds another move that does the same would be told that it is wrong."""
    now = line_of(game, step)[0][-1]
    wanted = step.get("wanted", "").split()
    for move in now.legal_moves if wanted else ():
        if str(move) not in wanted:
            with pytest.raises(AssertionError):
                check(now.play(move), now.turn, step["after"])


@pytest.mark.parametrize("game", preset_names())
def test_every_game_has_a_page_with_a_picture_and_a_lesson_of_a_few_steps(game: str) -> None:
    assert any("<svg" in section.get("svg", "") for section in sections_of(game))
    assert len(lesson_of(game)) >= 2
    assert len(lesson_file(game)["summary"]) < 80
