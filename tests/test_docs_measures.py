"""docs/measures.md explains every measure, profile and parameter, and nothing that isn't there."""

import re

import pytest

from limelight.scoring.evaluators import EVALUATORS
from limelight.scoring.profiles import PARAMETERS, PROFILES
from tests.folders import ROOT

PAGE = ROOT / "docs" / "measures.md"
SECTIONS = dict(re.findall(r"^### (.+?)\n(.*?)(?=^#|\Z)", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL))
MEASURES = {measure.heading: measure for evaluator in EVALUATORS.values() for measure in evaluator.measures}
EXPLAINED = {*MEASURES, *PROFILES, *(parameter.name for parameter in PARAMETERS)}


@pytest.mark.parametrize("heading", sorted(EXPLAINED))
def test_everything_in_the_table_has_a_heading(heading):
    assert SECTIONS[heading].strip()


def test_no_heading_explains_something_that_is_not_there():
    assert set(SECTIONS) == EXPLAINED


@pytest.mark.parametrize("evaluator", EVALUATORS.values(), ids=EVALUATORS)
def test_each_equation_stands_under_its_heading(evaluator):
    for measure in evaluator.measures:
        assert f"`{measure.equation}`" in SECTIONS[measure.heading], measure.name


@pytest.mark.parametrize("evaluator", EVALUATORS.values(), ids=EVALUATORS)
def test_the_official_measure_of_each_kind_is_told(evaluator):
    assert f"| `{evaluator.kind}` | {evaluator.official} |" in PAGE.read_text(encoding="utf-8")
