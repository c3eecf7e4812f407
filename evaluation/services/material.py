"""What scoring needs, loaded: runs laid on text, assessments made ready, the lengths of documents."""

from functools import lru_cache

from assessments.services.loading import element_places, load_judgements
from campaign.services.documents.collections import document_lengths, spans_for
from campaign.services.runs.check_results import load_columns
from limelight.formats.assessments.columns import SIZES
from limelight.scoring.evaluators import compiled
from limelight.text.placing import placed


def placed_run(run, edition):
    """Return a run laid on the text that its edition measures: the collection's, or else the sizes in the assessments.

    Raises OnAnotherAxis where the run returns offsets and the assessments only tell sizes.
    """
    assessment_set, columns = edition.assessment_set, load_columns(run)
    on_sizes = assessment_set.axis == SIZES
    places = element_places(assessment_set) if on_sizes else spans_for(edition.collection, columns)
    return placed(columns, places, axis=assessment_set.axis, kind=edition.task.kind)[0]


def lengths_of(columns, collection):
    """Return the lengths of the documents that a run returns whole and leaves to others; None for other runs."""
    return document_lengths(collection, columns.documents) if is_of_documents(columns) else None


def is_of_documents(columns):
    """Return whether a run returns whole documents, whose lengths it leaves to others."""
    return columns.result_type == "document"


@lru_cache(maxsize=4)
def compiled_judgements(columns_file, content):
    """Return an assessment set ready for scoring; files are named by content, so a worker may keep the last few."""
    return compiled(load_judgements(columns_file, content))
