"""The named players, loaded when they are asked for."""

from metatac.players.registry import Entry, Option, load_player, player_entries, register
from metatac.players.spec import PlayerSpec
from metatac.players.typed import accepted_forms, forms_text, typed_move

__all__ = [
    "Entry",
    "Option",
    "PlayerSpec",
    "accepted_forms",
    "forms_text",
    "load_player",
    "player_entries",
    "register",
    "typed_move",
]
