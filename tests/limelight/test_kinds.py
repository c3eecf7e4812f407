"""The table of kinds beside all that reads it."""

import pytest

from assessments.models import AssessmentSet
from campaign.models import TaskKind
from campaign.task_defaults import DEFAULTS
from limelight.kinds import ELEMENTS, GRADES, HIGHLIGHTS, KINDS, SCORED, UnknownKind, kind_of, scored_by
from limelight.rules.likeness import kind_named
from limelight.rules.task_rules import Rules
from limelight.scoring.evaluators import EVALUATORS
from limelight.scoring.profiles import resolve


def test_the_choices_are_the_table():
    assert TaskKind.choices == [(kind.name, kind.label) for kind in KINDS]
    assert TaskKind.BEST_IN_CONTEXT == "best-in-context"


def test_every_kind_that_is_scored_has_measures_and_parameters_and_no_other_has():
    assert tuple(EVALUATORS) == SCORED
    assert [EVALUATORS[name].label for name in SCORED] == [kind_of(name).label for name in SCORED]
    assert all(resolve(name)["cutoffs"] for name in SCORED)


def test_every_kind_has_rules_and_defaults():
    assert [Rules(kind.name).words for kind in KINDS] == [kind.words for kind in KINDS]
    assert list(dict.fromkeys(entry.kind for entry in DEFAULTS)) == [kind.name for kind in KINDS]


def test_contents_of_assessments_are_those_that_kinds_are_judged_by():
    assert set(AssessmentSet.Content.values) == {HIGHLIGHTS, GRADES, ELEMENTS}
    assert scored_by(AssessmentSet.Content.HIGHLIGHTS) == set(SCORED)
    assert scored_by(AssessmentSet.Content.GRADES) == {"document"}
    assert scored_by(AssessmentSet.Content.ELEMENTS) == set()


@pytest.mark.parametrize(
    ("header", "kind"),
    [
        ("Focussed Relevant in Context", "relevant-in-context"),
        ("FocusedDocuments", "focused"),
        ("articles", "document"),
        ("Graded", None),
    ],
)
def test_a_header_that_names_two_kinds_means_the_one_that_says_more(header, kind):
    assert kind_named(header) == kind


def test_an_unknown_kind_is_refused_with_those_that_there_are():
    with pytest.raises(UnknownKind, match=r"Unknown task kind 'focussed'\. Known are focused, thorough, "):
        kind_of("focussed")
