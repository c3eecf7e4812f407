"""Imported assessments as the engine and the exports need them."""

import json

from assessments.models import AssessmentSet
from campaign.machinery.storage import open_stored
from limelight.formats.assessments.columns import JudgementColumns
from limelight.formats.assessments.document_grades import GradeColumns


def load_judgements(columns_file, content=AssessmentSet.Content.HIGHLIGHTS):
    """Return the judgements of an assessment set as columns."""
    columns = GradeColumns if content == AssessmentSet.Content.GRADES else JudgementColumns
    with open_stored(columns_file) as stream:
        return columns.load(stream)


def element_places(assessment_set):
    """Return a lookup of where elements lie on the axis of sizes, or None where the assessments don't tell."""
    if not assessment_set.places_file:
        return None
    with open_stored(assessment_set.places_file) as stream:
        places = json.load(stream)
    return lambda document: {path: tuple(span) for path, span in places.get(document, {}).items()}
