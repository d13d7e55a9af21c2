"""The board of the courses against the rules themselves, and the bots that get it."""

import copy
import random
from typing import Any

import pytest

import metatac
from metatac.game import Game, Move
from metatac.players.bots.course import FIRST, Board, CourseBot, last_cell
from metatac.players.bots.no_move import NoMove
from metatac.players.grid import place


def cells_of(game: Game) -> list[tuple[int, int]]:
    return sorted(place(4, move) for move in game.legal_moves)


@pytest.mark.parametrize("rules", ["extreme", "intelligent"])
@pytest.mark.parametrize("seed", range(12))
def test_the_board_keeps_the_rules_for_a_whole_game(rules: str, seed: int) -> None:
    chance, game = random.Random(seed), Game(rules)
    board, shown = Board(game.rules), Board(game.rules)
    last = FIRST
    while game.outcome is None:
        assert last_cell(game) == last
        assert sorted(board.find_valid_move_cells(last)) == cells_of(game)
        assert board.find_terminal_state() == ("CONTINUE", "-")
        move, who = chance.choice(game.legal_moves), game.turn
        cell = place(4, move)
        owned = sum(owner != "." for owner in game.position.owners[0])
        assert board.check_valid_move(last, cell)
        answer = board.update(last, cell, who.lower())
        game.push(move)
        won = sum(owner != "." for owner in game.position.owners[0]) > owned
        assert answer == (("SUCCESSFUL", won) if rules == "extreme" else "SUCCESSFUL")
        shown._show(game.position)
        assert (shown.board_status, shown.block_status) == (board.board_status, board.block_status)
        last = cell
    winner = game.outcome.winner
    assert board.find_terminal_state() == (("NONE", "DRAW") if winner is None else (winner.lower(), "WON"))


def test_what_the_simulators_answer_to_a_move_that_cannot_be_made() -> None:
    board = Board(metatac.load_rules("extreme"))
    assert board.update(FIRST, (16, 0), "x") == ("UNSUCCESSFUL", False)
    assert board.update(FIRST, (0, 5), "x") == ("SUCCESSFUL", False)
    assert board.update((0, 5), (0, 0), "o") == ("UNSUCCESSFUL", False)
    assert board.find_valid_move_cells((0, 5)) == [(i, j) for i in range(4) for j in range(4, 8) if (i, j) != (0, 5)]
    assert not board.check_valid_move((0, 5), (0, 5.0))  # type: ignore[arg-type]
    assert not board.check_valid_move((0, 5), (0, 5, 1))  # type: ignore[arg-type]
    assert Board(metatac.load_rules("intelligent")).update(FIRST, (16, 0), "x") == "UNSUCCESSFUL"


def test_the_lists_are_there_under_the_names_of_the_edition_with_two_boards() -> None:
    board = Board(metatac.load_rules("extreme"))
    board.update(FIRST, (3, 7), "x")
    assert board.big_boards_status[0][3][7] == "x"
    assert board.small_boards_status[0] is board.block_status


def test_the_board_can_be_copied_and_printed(capsys: pytest.CaptureFixture[str]) -> None:
    board = Board(metatac.load_rules("extreme"))
    other = copy.deepcopy(board)
    other.update(FIRST, (0, 0), "x")
    assert board.board_status[0][0] == "-"
    other.print_board()
    assert "x - - -  - - - -" in capsys.readouterr().out


def test_a_game_begun_in_the_middle_has_a_last_move_that_sends_the_same() -> None:
    chance = random.Random(3)
    for _ in range(30):
        game = Game("extreme")
        for _ in range(chance.randrange(1, 60)):
            if game.outcome is None:
                game.push(chance.choice(game.legal_moves))
        if game.outcome is None:
            again = Game(game.position)
            board = Board(game.rules)
            board._show(again.position)
            assert sorted(board.find_valid_move_cells(last_cell(again))) == cells_of(game)


class Bot:
    def __init__(self, answer: Any, *, tampers: bool = False) -> None:
        self.answer, self.tampers = answer, tampers
        self.seen: list[Any] = []

    def move(self, board: Board, old_move: tuple[int, int], flag: str) -> Any:
        self.seen.append((id(board), old_move, flag))
        if self.tampers:
            board.update(old_move, (5, 5), flag)
        return self.answer


def test_a_bot_is_given_one_board_for_the_whole_game_and_the_last_move() -> None:
    bot = Bot((4, 5))
    seat, game = CourseBot(bot), Game("extreme")
    assert seat.choose(game) == Move((5, 1))
    game.push(Move((5, 1)))
    game.push(game.legal_moves[0])
    seat.choose(game)
    assert bot.seen[0][1:] == (FIRST, "x")
    assert bot.seen[1][1:] == (place(4, game.moves[-1]), "x")
    assert bot.seen[0][0] == bot.seen[1][0]


def test_in_a_bonus_move_the_last_move_is_the_bots_own() -> None:
    chance = random.Random(0)
    game = Game("extreme")
    while not game.position.bonus:
        game.push(chance.choice(game.legal_moves))
    bot = Bot((0, 0))
    CourseBot(bot).choose(game)
    assert bot.seen == [(bot.seen[0][0], place(4, game.moves[-1]), game.turn.lower())]


@pytest.mark.parametrize("answer", [None, 3, (1,), (1, 2, 3), ("1", "2"), (1.0, 2.0), (16, 0), (-1, 0), "12"])
def test_what_is_no_cell_is_garbage(answer: Any) -> None:
    with pytest.raises(NoMove, match="garbage: move returned"):
        CourseBot(Bot(answer)).choose(Game("extreme"))


def test_a_bot_that_changes_its_board_has_tampered() -> None:
    with pytest.raises(NoMove, match="tampering"):
        CourseBot(Bot((0, 0), tampers=True)).choose(Game("extreme"))
