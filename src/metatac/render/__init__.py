"""Positions and games drawn for people."""

from metatac.render.html import position_html, record_html
from metatac.render.plot import PlotPoint, evaluation_svg
from metatac.render.svg import Svg, board_svg
from metatac.render.text import board_text, status_text
from metatac.render.words import position_words

__all__ = [
    "PlotPoint",
    "Svg",
    "board_svg",
    "board_text",
    "evaluation_svg",
    "position_html",
    "position_words",
    "record_html",
    "status_text",
]
