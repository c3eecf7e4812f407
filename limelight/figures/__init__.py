"""Figures: curves as SVG text, what is drawn behind them, and which colour and dash a run has."""

from limelight.figures.axes import AXES, Axis, Stretch
from limelight.figures.background import FEWEST_FOR_A_BAND, Background, background_of
from limelight.figures.curves import HEIGHT, Chart, CurveLine, curves_svg
from limelight.figures.line_styles import (
    DARK_PALETTE,
    DASHES,
    PALETTE,
    LineStyle,
    code_styles,
    swatch_svg,
    team_styles,
)

__all__ = [
    "AXES",
    "DARK_PALETTE",
    "DASHES",
    "FEWEST_FOR_A_BAND",
    "HEIGHT",
    "PALETTE",
    "Axis",
    "Background",
    "Chart",
    "CurveLine",
    "LineStyle",
    "Stretch",
    "background_of",
    "code_styles",
    "curves_svg",
    "swatch_svg",
    "team_styles",
]
