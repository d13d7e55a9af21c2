"""How a player that searches lets others watch: an attribute ``thinking`` that they may set."""

from collections.abc import Callable

from metatac.engine.results import SearchResult

Thinking = Callable[[SearchResult], None]
"""Told what the player has found so far, in the thread that searches, while it is asked for a move."""
