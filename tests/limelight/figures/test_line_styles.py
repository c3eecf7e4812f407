"""Colours and dashes: seen by everybody in light and dark, the same everywhere, and telling nothing they may not."""

import re
from itertools import combinations

import numpy as np
import pytest

from limelight.figures import DARK_PALETTE, DASHES, PALETTE, LineStyle, code_styles, swatch_svg, team_styles
from tests.folders import ROOT

PAPER, INK_BLUE = "#fffdf8", "#0f1729"
STYLESHEET = (ROOT / "static" / "css" / "limelight.css").read_text()
DEUTERANOPIA = [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
PROTANOPIA = [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
TO_XYZ = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]


def linear(colour):
    channels = np.array([int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)])
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def contrast(one, other):
    light, dark = sorted((float(np.array(TO_XYZ[1]) @ linear(colour)) for colour in (one, other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def lab(rgb):
    ratios = np.array(TO_XYZ) @ rgb / [0.9505, 1, 1.089]
    x, y, z = np.where(ratios > 0.008856, np.cbrt(ratios), 7.787 * ratios + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize(("palette", "paper"), [(PALETTE, PAPER), (DARK_PALETTE, INK_BLUE)])
def test_every_colour_has_a_contrast_of_3_to_1(palette, paper):
    assert len(palette) == 10
    assert min(contrast(colour, paper) for colour in palette) >= 3


@pytest.mark.parametrize("palette", [PALETTE, DARK_PALETTE])
@pytest.mark.parametrize("seen", [np.eye(3), np.array(DEUTERANOPIA), np.array(PROTANOPIA)])
def test_any_two_colours_stay_apart_for_colour_blind_readers(palette, seen):
    shown = [lab((seen @ linear(colour)).clip(0, 1)) for colour in palette]

    assert min(np.linalg.norm(one - other) for one, other in combinations(shown, 2)) > 15


def test_the_stylesheet_has_the_same_colours():
    for hue, (light, dark) in enumerate(zip(PALETTE, DARK_PALETTE, strict=True)):
        assert f"--run-{hue}: light-dark({light}, {dark});" in STYLESHEET
        assert f".hue-{hue} {{ --run: var(--run-{hue}); }}" in STYLESHEET
    assert re.search(r"--paper: light-dark\((\S+), (\S+)\)", STYLESHEET).groups() == (PAPER, INK_BLUE)


def test_ten_teams_have_ten_hues_and_the_eleventh_another_dash():
    teams = [f"team {number}" for number in range(12)]

    styles = team_styles(teams, {f"run of {team}": team for team in teams})

    lines = [styles[f"run of {team}"] for team in teams]
    assert [line.hue for line in lines] == [*range(10), 0, 1]
    assert len(set(lines)) == 12


def test_the_runs_of_a_team_share_its_hue_and_differ_in_dash():
    styles = team_styles(["Lund"], {f"k{number}": "Lund" for number in range(len(DASHES))})

    assert {style.hue for style in styles.values()} == {0}
    assert sorted(style.dash for style in styles.values()) == list(range(len(DASHES)))


def test_who_comes_later_changes_nobodys_line():
    teams, runs = ["Lund", "Kiel"], {"k7": "Lund", "x2": "Kiel"}

    later = team_styles([*teams, "Oslo"], {**runs, "m4": "Oslo", "b1": "Lund"})

    assert {code: later[code] for code in runs} == team_styles(teams, runs)


def test_lines_by_code_tell_nothing_of_the_order_in_which_runs_came():
    codes = [f"{number:04x}" for number in range(300)]

    styles = code_styles(codes)

    assert styles == code_styles(reversed(codes))
    assert len(set(styles.values())) == 60
    assert len({styles[code] for code in sorted(codes)[:60]}) == 60


def test_a_swatch_is_a_piece_of_the_line():
    drawn = swatch_svg(LineStyle(hue=1, dash=2))

    assert 'class="swatch hue-1"' in drawn
    assert f'stroke="{PALETTE[1]}" stroke-dasharray="{DASHES[2]}"' in drawn
    assert "style=" not in drawn
