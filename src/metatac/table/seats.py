"""Who sits where: the players' texts, and how the computers among them are made."""

import random
from dataclasses import dataclass, replace
from typing import Any

from metatac.match import Player, Seat
from metatac.match.result import SEATS
from metatac.players import PlayerSpec, load_player, player_entries
from metatac.players.registry import check_player
from metatac.rules import RuleSet

PERSON = "human"


@dataclass(frozen=True, slots=True)
class Seats:
    """The two players as texts, and the seed that makes every computer among them repeatable."""

    x: str = PERSON
    o: str = PERSON
    seed: int = 0

    def __post_init__(self) -> None:
        for seat in SEATS:
            PlayerSpec.parse(self.of(seat))

    def check(self, rules: RuleSet) -> None:
        """A MetatacError where there is no such player, or it could not play the game."""
        for seat in SEATS:
            check_player(self.of(seat), rules)

    def of(self, seat: Seat) -> str:
        """The text of the seat's player."""
        return self.x if seat == "X" else self.o

    def name(self, seat: Seat) -> str:
        """What to call the seat's player."""
        spec = PlayerSpec.parse(self.of(seat))
        called = spec.main or dict(spec.options).get("name")
        return called if spec.name == PERSON and called else str(spec)

    @property
    def names(self) -> tuple[str, str]:
        return self.name("X"), self.name("O")

    @property
    def people(self) -> frozenset[Seat]:
        """The seats at which persons sit."""
        return frozenset(seat for seat in SEATS if is_person(self.of(seat)))

    def swapped(self) -> "Seats":
        """The same two with X and O exchanged."""
        return replace(self, x=self.o, o=self.x)

    def tossed(self) -> "Seats":
        """The same two as the coin has it, which the seed decides."""
        return self.swapped() if random.Random(self.seed).random() < 0.5 else self


def is_person(text: str) -> bool:
    return PlayerSpec.parse(text).name == PERSON


def make_player(seats: Seats, seat: Seat, stream: str = "") -> Player:
    """The computer of a seat. One seed serves both seats and all games, each with a stream of its own."""
    spec = PlayerSpec.parse(seats.of(seat))
    options: dict[str, Any] = {}
    if takes_seed(spec):
        options["seed"] = random.Random(f"{seats.seed}/{seat}{stream}").getrandbits(32)
    return load_player(spec, **options)


def takes_seed(spec: PlayerSpec) -> bool:
    """Whether the player has a seed and its text does not state one."""
    entry = next((entry for entry in player_entries() if entry.name == spec.name), None)
    if entry is None or not any(option.name == "seed" for option in entry.options):
        return False
    main = entry.main.name if entry.main is not None and spec.main is not None else None
    return main != "seed" and "seed" not in dict(spec.options)
