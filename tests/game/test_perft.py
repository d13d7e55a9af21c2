"""The perft tables of ``tests/perft``: how many sequences of so many legal moves each position has.

A file is made of lines; ``#`` begins a comment. ``rules SPEC`` names the game of what follows. ``position start``, or
``position`` and a position's text, begins a position; ``moves`` (once or more often) lists the moves that lead there
from the start, for those who cannot read the text; ``perft DEPTH COUNT`` states a count.

``kernel`` works out every count, ``game`` the smaller ones, and the naive rules of the tests the smallest.
"""

from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path

import naive
import pytest

import metatac
from metatac import kernel

FOLDER = Path(__file__).parent.parent / "perft"
GAME_LEAVES, NAIVE_LEAVES = 20_000, 2_000
"""Up to so many leaves, these count too."""


@dataclass
class Entry:
    rules: str
    text: str
    moves: list[str] = field(default_factory=list)
    counts: dict[int, int] = field(default_factory=dict)

    def small(self, leaves: int) -> dict[int, int]:
        """The counts down to the first of more leaves."""
        return dict(takewhile(lambda item: item[1] <= leaves or item[0] == 1, self.counts.items()))

    def position(self) -> metatac.Position:
        return metatac.start(self.rules) if self.text == "start" else metatac.position(self.text)


def read(path: Path) -> list[Entry]:
    entries: list[Entry] = []
    rules = ""
    for line in path.read_text().splitlines():
        word, _, rest = line.partition(" ")
        if not line or line.startswith("#"):
            continue
        if word == "rules":
            rules = rest
        elif word == "position":
            entries.append(Entry(rules, rest))
        elif word == "moves":
            entries[-1].moves += rest.split()
        elif word == "perft":
            depth, count = rest.split()
            entries[-1].counts[int(depth)] = int(count)
        else:
            raise ValueError(f"{path.name}: {line!r}")
    return entries


ENTRIES = {
    f"{path.stem}-{number}": entry for path in sorted(FOLDER.glob("*.perft")) for number, entry in enumerate(read(path))
}


def game_perft(position: metatac.Position, depth: int) -> int:
    if depth == 0:
        return 1
    if depth == 1:
        return len(position.legal_moves)
    return sum(game_perft(position.play(move), depth - 1) for move in position.legal_moves)


def test_there_is_a_table_for_every_preset() -> None:
    assert {path.stem for path in FOLDER.glob("*.perft")} == set(metatac.preset_names())
    assert all(entry.counts for entry in ENTRIES.values())


def test_the_figures_that_everybody_knows() -> None:
    assert ENTRIES["tic-tac-toe-0"].counts[9] == 127_872
    assert list(ENTRIES["ultimate-0"].counts.values())[:5] == [81, 720, 6336, 55080, 473256]


@pytest.mark.parametrize("name", ENTRIES)
def test_the_moves_lead_to_the_position(name: str) -> None:
    entry = ENTRIES[name]
    game = metatac.Game(metatac.start(entry.rules), entry.moves)
    assert game.position == entry.position()
    if entry.text != "start":
        assert game.position.text == entry.text


@pytest.mark.parametrize("name", ENTRIES)
def test_the_kernel_counts(name: str) -> None:
    position, counts = ENTRIES[name].position(), ENTRIES[name].counts
    assert {depth: kernel.perft(position, depth) for depth in counts} == counts


@pytest.mark.parametrize("name", ENTRIES)
def test_divide_adds_up(name: str) -> None:
    position, counts = ENTRIES[name].position(), ENTRIES[name].counts
    depth = max(ENTRIES[name].small(GAME_LEAVES))
    divided = kernel.divide(position, depth)
    assert tuple(divided) == position.legal_moves
    assert sum(divided.values()) == counts[depth]


@pytest.mark.parametrize("name", ENTRIES)
def test_the_readable_game_counts(name: str) -> None:
    position, small = ENTRIES[name].position(), ENTRIES[name].small(GAME_LEAVES)
    assert {depth: game_perft(position, depth) for depth in small} == small


@pytest.mark.parametrize("name", ENTRIES)
def test_the_naive_rules_count(name: str) -> None:
    entry = ENTRIES[name]
    twin = naive.GAMES[entry.rules]
    simple = twin.begin()
    for move in entry.moves:
        letters = "abcdefghijklmnopqrstuvwxyz"
        simple = twin.play(simple, tuple(letters.index(letter) for letter in move))
    small = entry.small(NAIVE_LEAVES)
    assert {depth: naive.perft(entry.rules, simple, depth) for depth in small} == small


def test_perft_of_a_finished_game_and_of_no_moves() -> None:
    over = metatac.Game("tic-tac-toe", ["a", "b", "d", "c", "g"]).position
    assert over.outcome is not None
    assert kernel.perft(over, 0) == 1
    assert kernel.perft(over, 1) == kernel.perft(over, 3) == 0
    assert kernel.perft(metatac.start("ultimate"), 0) == 1
