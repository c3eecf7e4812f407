"""What is relevant to each topic is counted when assessments come in, and was for those that are there already."""

from importlib import import_module
from pathlib import Path

import pytest
from django.apps import apps

from assessments import migrations
from assessments.models import AssessmentSet
from tests.assessment_files import GRADED

COUNTED = {"1": [1, 50], "2": [2, 120], "3": [1, 40]}
GRADES = b"1 0 a 2\n1 0 b 0\n2 0 a 1\n2 0 c 1\n3 0 d 0\n"


def filled_in():
    """Return what the migration counts of a version that came in before."""
    AssessmentSet.objects.update(topic_counts={})
    [found] = Path(migrations.__path__[0]).glob("*_what_is_relevant_to_each_topic.py")
    import_module(f"{migrations.__name__}.{found.stem}").fill(apps, None)
    return AssessmentSet.objects.get().topic_counts


def test_highlighted_text_is_counted_by_topic(world):
    version = world.import_assessments()

    assert version.topic_counts == COUNTED
    assert version.counted_for("2") == (2, 120)
    assert version.counted_for("99") == (0, 0)
    assert filled_in() == COUNTED


@pytest.mark.parametrize(
    ("content", "counted"),
    [(GRADES, {"1": [1, 0], "2": [2, 0], "3": [0, 0]}), (GRADED, {"1": [1, 0]})],
    ids=["documents", "elements"],
)
def test_grades_count_relevant_documents(world, content, counted):
    version = world.import_assessments(content)

    assert version.topic_counts == counted
    assert filled_in() == counted
