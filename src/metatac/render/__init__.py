"""Positions and games drawn for people."""

from metatac.render.plot import PlotPoint, evaluation_svg
from metatac.render.svg import Svg, board_svg
from metatac.render.text import board_text, status_text

__all__ = ["PlotPoint", "Svg", "board_svg", "board_text", "evaluation_svg", "status_text"]
