"""Imported assessments as the engine and downloads need them."""

import json
from io import BytesIO

from assessments.formats.columns import JudgementColumns
from assessments.formats.grades import GradeColumns, write_grades
from assessments.formats.highlights import write_highlights
from assessments.models import AssessmentSet
from campaign.services.storage import open_stored


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


def as_text(assessment_set):
    """Return an assessment set in the text form of 2008 to 2010, or as TREC qrels if it grades documents."""
    target = BytesIO()
    columns = load_judgements(assessment_set.columns_file, assessment_set.content)
    if assessment_set.content == AssessmentSet.Content.GRADES:
        write_grades(columns, target)
    else:
        write_highlights(columns, target)
    return target.getvalue()
