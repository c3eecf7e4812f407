"""Assessment sets in other formats than the one they were imported in."""

from dataclasses import dataclass
from io import BytesIO

from assessments.models import AssessmentSet
from assessments.services.loading import load_judgements
from campaign.machinery.storage import open_stored
from campaign.services.documents.collections import document_texts
from limelight.formats.assessments.reading import Assessments, read_assessments
from limelight.formats.assessments.writing import HIGHLIGHTS, QRELS, XML, ZIP, write_assessments

Content, Axis = AssessmentSet.Content, AssessmentSet.Axis


@dataclass(frozen=True, slots=True)
class Export:
    """An assessment set written anew: the name of the file, and what is in it."""

    file_name: str
    content: bytes


def export_formats(assessment_set):
    """Return the forms in which an assessment set can be written anew; offsets become XML only where there is text."""
    if assessment_set.content == Content.ELEMENTS:
        return (XML,)
    if assessment_set.content == Content.GRADES:
        return (QRELS,)
    if assessment_set.axis == Axis.SIZES:
        return (QRELS,) if assessment_set.merged_into_id else (QRELS, XML)
    collection = _collection(assessment_set)
    if (collection is not None and collection.has_text) or assessment_set.was_xml:
        return (HIGHLIGHTS, QRELS, XML)
    return (HIGHLIGHTS, QRELS)


def exported_assessments(assessment_set, file_format):
    """Return an assessment set in one of its forms; XML of several topics is an archive, a file a topic.

    Raises FormatError where the collection's documents are no longer those that were assessed.
    """
    track, target = assessment_set.track, BytesIO()
    written_as = ZIP if file_format == XML and assessment_set.topic_count > 1 else file_format
    documents = document_texts(_collection(assessment_set)) if file_format == XML else None
    write_assessments(_assessments(assessment_set, file_format), written_as, target, documents)
    ending = "-highlights.txt" if file_format == HIGHLIGHTS else f".{written_as}"
    return Export(f"{track.campaign.slug}-{track.slug}-v{assessment_set.version}{ending}", target.getvalue())


def _collection(assessment_set):
    """Return the collection whose text was judged: the version at the import, or else what the track has now."""
    return assessment_set.collection or assessment_set.track.collection


def _assessments(assessment_set, file_format):
    """Return what a format is written from: XML keeps the points of its file, the rest is in the columns."""
    if file_format == XML and assessment_set.was_xml:
        with open_stored(assessment_set.stored_file) as stream:
            return read_assessments(stream)[0]
    columns = load_judgements(assessment_set.columns_file, assessment_set.content)
    if assessment_set.content == Content.GRADES:
        return Assessments(grades=columns)
    return Assessments(judgements=columns)
