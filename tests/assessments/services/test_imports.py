"""Importing assessments on the site: the next version, or nothing."""

import pytest

from assessments.models import AssessmentSet, Judgement
from assessments.services.loading import load_judgements
from assessments.services.overview import judged_topics
from limelight.formats.problems import FormatError
from tests.world import ASSESSMENTS


def test_an_import_is_the_next_version_with_its_counts(world):
    first, second = world.import_assessments(), world.import_assessments()

    assert (first.version, second.version) == (1, 2)
    assert (first.topic_count, first.judgement_count, first.relevant_count) == (3, 5, 4)
    assert first.highlighted_characters == 210


def test_judgements_keep_spans_and_entry_points(world):
    world.import_assessments()

    judgement = Judgement.objects.get(topic__number="2", document="a")
    assert (judgement.highlighted, judgement.entry_point, judgement.spans) == (20, 100, [[100, 20]])
    not_relevant = Judgement.objects.get(document="b")
    assert (not_relevant.highlighted, not_relevant.entry_point, not_relevant.spans) == (0, None, [])
    assert Judgement.objects.relevant().count() == 4


def test_the_columns_are_kept_beside_the_file(world):
    columns = load_judgements(world.import_assessments().columns_file)

    assert columns.topics == ("1", "2", "3")
    assert columns.relevant_characters.tolist() == [50, 0, 20, 100, 40]


def test_a_file_that_breaks_on_its_last_line_imports_nothing(world):
    with pytest.raises(FormatError) as error:
        world.import_assessments(ASSESSMENTS + b"3 Q0 a ten 200 0 0:10\n")

    assert error.value.line == 6
    assert not AssessmentSet.objects.exists()
    assert not Judgement.objects.exists()


def test_unknown_topics_are_all_named_with_their_lines(world):
    with pytest.raises(FormatError) as error:
        world.import_assessments(ASSESSMENTS + b"8 Q0 a 0 200\n9 Q0 a 0 200\n9 Q0 b 0 200\n")

    assert [str(problem) for problem in error.value.problems] == [
        "Line 6: Topic 8 is not a topic of Ad hoc. Import the topics first, or correct the number.",
        "Line 7: Topic 9 is not a topic of Ad hoc. Import the topics first, or correct the number.",
    ]


def test_the_assessor_s_page_counts_the_newest_version(world):
    world.import_assessments()
    newest = world.import_assessments(b"1 Q0 a 50 200 0 0:50\n")

    judged = judged_topics(world.track)

    assert judged.assessment_set == newest
    assert [(topic.judged, topic.relevant, topic.highlighted) for topic in judged.topics] == [
        (1, 1, 50),
        (0, 0, 0),
        (0, 0, 0),
    ]
