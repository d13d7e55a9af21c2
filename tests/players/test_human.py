"""A person who types."""

from collections.abc import Iterator

import pytest

import metatac
from metatac.match import Instead, OfferDraw, RequestTakeback, Resign, new_match, run
from metatac.players.human import HumanPlayer


class Desk:
    """A person with prepared lines."""

    def __init__(self, *lines: str) -> None:
        self.lines: Iterator[str] = iter(lines)
        self.prompts: list[str] = []
        self.told: list[str] = []

    def ask(self, prompt: str) -> str:
        self.prompts.append(prompt)
        try:
            return next(self.lines)
        except StopIteration:
            raise EOFError from None

    def player(self, name: str = "human") -> HumanPlayer:
        return HumanPlayer(name, ask=self.ask, tell=self.told.append)


def test_it_asks_until_the_answer_is_a_move() -> None:
    desk = Desk("zz", "?", "ae", "1 4", "ea")
    position = metatac.start("ultimate").play("ae")
    assert desk.player("Ada").choose(position) == position.parse("ea")
    assert desk.prompts == ["O (Ada): "] * 5
    assert "row col" in desk.told[1]
    assert "resign, draw, undo" in desk.told[1]
    assert "must play in board e" in desk.told[2]


def test_a_wrong_answer_is_told_the_reason_alone() -> None:
    desk = Desk("zz", "", "1 2 3", "ae", "ea")
    desk.player().choose(metatac.start("ultimate").play("ae"))
    way = "Type a move as letters, outermost first: eb; ? shows other ways."
    assert desk.told == [
        f"'zz' is no move of ultimate. {way}",
        way,
        f"'1 2 3': 3 numbers are no move of ultimate. {way}",
        "'ae' may not be played: O must play in board e",
    ]


def test_a_refusal_is_told_without_the_position() -> None:
    desk = Desk()
    with pytest.raises(metatac.errors.IllegalMove) as caught:
        metatac.start("ultimate").play("ae").play("ae")
    desk.player().refused(str(caught.value))
    desk.player().refused("no move yet")
    assert "position" not in desk.told[0] and desk.told[1] == "no move yet"


@pytest.mark.parametrize(("word", "event"), [("resign", Resign), ("Draw", OfferDraw), ("undo", RequestTakeback)])
def test_words_instead_of_moves(word: str, event: type[Resign]) -> None:
    with pytest.raises(Instead) as caught:
        Desk(word).player().choose(metatac.start("ultimate"))
    assert caught.value.event is event


def test_the_end_of_the_input_passes_through() -> None:
    with pytest.raises(EOFError):
        run(new_match("ultimate"), (Desk().player(), Desk().player()))


def test_a_whole_game_between_two_people() -> None:
    x, o = Desk("a", "undo", "2 2", "draw", "a", "i"), Desk("b", "y", "b", "no", "c")
    match = run(new_match("tic-tac-toe"), (x.player(), o.player()))
    assert match.result is not None
    assert (match.result.winner, match.result.reason) == ("X", "line")


def test_undo_with_nothing_to_undo_is_told() -> None:
    x, o = Desk("undo", "a", "e", "i"), Desk("b", "c")
    match = run(new_match("tic-tac-toe"), (x.player(), o.player()))
    assert "no move yet" in x.told[0]
    assert match.result is not None
