"""The field of other teams and the band of curves."""

import numpy as np
import pytest

from limelight.analysis.statistics.reference_lines import band_of, field_of, team_values

TEAMS = ["a", "a", "a", "b", "b", "c", "d", "e"]
OFFICIAL = [False, False, False, True, False, False, True, False]
SCORES = np.array([[0.1, 0.9], [0.3, 0.2], [0.8, 0.4], [0.5, 0.5], [0.9, 0.9], [0.2, 0.6], [0.4, 0.7], [0.6, 0.3]])


def test_a_team_has_its_official_runs_values_or_the_median_of_its_runs():
    values = team_values(SCORES, TEAMS, OFFICIAL)

    assert {team: value.tolist() for team, value in values.items()} == {
        "a": [0.3, 0.4],
        "b": [0.5, 0.5],
        "c": [0.2, 0.6],
        "d": [0.4, 0.7],
        "e": [0.6, 0.3],
    }


def test_the_field_leaves_out_the_own_team():
    values = team_values(SCORES, TEAMS, OFFICIAL)

    field, everybody = field_of(values, own="b"), field_of(values)

    assert (field.words, everybody.words) == ("median of 4 other teams", "median of 5 teams")
    assert field.median.tolist() == pytest.approx([0.35, 0.5])
    assert field.low.tolist() == pytest.approx([0.275, 0.375])
    assert field.high.tolist() == pytest.approx([0.45, 0.625])


def test_below_four_teams_there_is_no_field():
    values = team_values(SCORES[3:], TEAMS[3:], OFFICIAL[3:])

    field = field_of(values, own="b")

    assert (field.team_count, field.median, field.reason, field.words) == (3, None, "too few teams", "too few teams")


def test_a_band_takes_eight_curves():
    curves = np.random.default_rng(1).uniform(0, 1, (9, 101))

    band = band_of(curves)

    assert band.low.tolist() == np.quantile(curves, 0.25, axis=0).tolist()
    assert band.median.tolist() == np.median(curves, axis=0).tolist()
    assert band.high.tolist() == np.quantile(curves, 0.75, axis=0).tolist()
    assert band.best.tolist() == curves.max(axis=0).tolist()
    assert band_of(curves[:7]) is None
    assert band_of(curves[:8]) is not None
