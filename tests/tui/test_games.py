"""Every preset is played with the keyboard and with the mouse, to its end where that is short; the screens are kept."""

import random

import pytest
from screens import check_screen, client_for, drive, persons_turn
from textual.pilot import Pilot

from metatac.game import Move
from metatac.rules import preset_names
from metatac.tui.client import Client
from metatac.tui.ending import Ending
from metatac.tui.geometry import place_of

OPENING = 2
"""Moves of the person where the game is long."""


def own_moves(client: Client) -> list[tuple[int, ...]]:
    """The cells, one or two, of a move that the person makes now."""
    position = client.table.position
    chosen = random.Random(len(client.table.match.plies)).choice(position.legal_moves)
    inner = position.rules.depth - 1
    return [(*chosen[:inner], cell) for cell in chosen[inner:]]


async def play_by_keys(client: Client, pilot: Pilot[None], number: int) -> None:
    """The first two with the cursor, the others by their letters."""
    cells = own_moves(client)
    if number > 1:
        await pilot.press(*str(Move((*cells[0], *(cell[-1] for cell in cells[1:])))))
        return
    for cell in cells:
        row, column = place_of(client.position.rules.side, cell)
        for place, (fewer, more) in ((row, ("up", "down")), (column, ("left", "right"))):
            here = client.board.cursor[0 if more == "down" else 1]
            boards, steps = divmod(abs(place - here), client.position.rules.side)
            key = more if place > here else fewer
            await pilot.press(*[f"ctrl+{key}" if number else f"shift+{key}"] * boards, *[key] * steps)
        await pilot.press("enter" if number else "space")


async def play_by_mouse(client: Client, pilot: Pilot[None], number: int) -> None:
    for cell in own_moves(client):
        assert await pilot.click(client.board, offset=tuple(client.board.place_on_screen(cell)))


@pytest.mark.parametrize("game", preset_names())
@pytest.mark.parametrize("way", [play_by_keys, play_by_mouse])
def test_a_game(game: str, way: object) -> None:
    keys = way is play_by_keys
    to_the_end = game == "tic-tac-toe" or (game == "ultimate" and keys)
    play = play_by_keys if keys else play_by_mouse
    client = client_for(game, "human:Ann", "random") if keys else client_for(game, "random", "human:Bob")

    async def script(client: Client, pilot: Pilot[None]) -> None:
        number = 0
        await persons_turn(client, pilot)
        while client.table.waiting == "person" and (to_the_end or number < OPENING):
            before = len(client.table.match.plies)
            await play(client, pilot, number)
            await pilot.pause()
            assert len(client.table.match.plies) > before, client.message
            await persons_turn(client, pilot)
            number += 1
        if to_the_end:
            assert client.table.result is not None
            assert isinstance(client.screen, Ending)
        await check_screen(client, pilot, f"{game}-{'keys' if keys else 'mouse'}")

    drive(client, script, (80, 24) if keys else (120, 40))
