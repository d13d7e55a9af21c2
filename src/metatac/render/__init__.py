"""Positions drawn for people."""

from metatac.render.text import board_text, status_text

__all__ = ["board_text", "status_text"]
