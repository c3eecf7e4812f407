"""Assessments of every format on the site: what they score, and what they don't."""

import pytest

from assessments.models import AssessmentSet, GradedJudgement, Judgement
from assessments.services.exports import exported_assessments
from campaign.models import Collection
from campaign.services.refusals import Refused
from evaluation.models import Edition, Score
from evaluation.services.decisions import activate
from tests.assessment_files import DOCUMENT, GRADED, QRELS, XML
from tests.world import World


def test_qrels_score_document_tasks_only(db):
    world = World("document")
    world.new_task("focused", slug="focused-too", closes_at=world.task.closes_at)
    assessment_set = world.import_assessments(QRELS)
    activate(assessment_set)

    world.scored(b"1 Q0 b 1 9 r\n1 Q0 a 2 8 r\n2 Q0 c 1 9 r\n")

    assert assessment_set.content == AssessmentSet.Content.GRADES
    assert Judgement.objects.get(document="a").grade == 2
    assert [edition.task for edition in Edition.objects.all()] == [world.task]
    assert Score.objects.get(measure="MAP").mean == pytest.approx((1 / 2 + 1 + 0) / 3)
    assert exported_assessments(assessment_set, "qrels").content == QRELS


ELEMENT_RUN = b"1 Q0 a 1 9 r /article[1]/p[1]\n1 Q0 a 2 8 r /article[1]/p[2]\n"


def test_xml_assessments_with_the_collection_are_measured_in_characters(world):
    world.give_text(a=DOCUMENT)
    activate(world.import_assessments(XML))

    run = world.scored(ELEMENT_RUN)

    edition = Edition.objects.get()
    assert edition.axis == "characters"
    assert Score.objects.get(evaluation__run=run, measure="iMAP").mean == pytest.approx(1)


def test_xml_assessments_without_a_collection_are_measured_in_sizes(world):
    world.track.collection = None
    world.track.save()
    activate(world.import_assessments(XML))

    elements = world.scored(ELEMENT_RUN, "elements")

    assert Edition.objects.get().axis == "sizes"
    assert Score.objects.get(evaluation__run=elements, measure="iMAP").mean == pytest.approx(1)


def test_grades_of_elements_are_kept_but_score_nothing_yet(world):
    assessment_set = world.import_assessments(GRADED)

    assert assessment_set.content == AssessmentSet.Content.ELEMENTS
    assert list(GradedJudgement.objects.values_list("path", "exhaustivity", "specificity")) == [
        ("/article[1]", 2, 1),
        ("/article[1]/p[1]", None, None),
    ]
    with pytest.raises(Refused, match="no measures for them yet"):
        activate(assessment_set)
    assert not Edition.objects.exists()
    assert Collection.objects.exists()
