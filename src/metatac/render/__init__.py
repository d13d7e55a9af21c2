"""Positions drawn for people."""

from metatac.render.svg import Svg, board_svg
from metatac.render.text import board_text, status_text

__all__ = ["Svg", "board_svg", "board_text", "status_text"]
