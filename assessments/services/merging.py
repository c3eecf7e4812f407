"""Merging a file that judges some topics into a version that judges more."""

import json

from assessments.models import AssessmentSet
from assessments.services.loading import load_judgements
from assessments.services.reading import Content, ReadFile
from campaign.machinery.storage import open_stored
from campaign.services.refusals import Refused
from limelight.analysis.merging import merged
from limelight.formats.assessments.reading import Assessments


def why_not_merged(version, content, axis):
    """Say why a file of some content and axis cannot be merged into a version; nothing where it can."""
    if version is None:
        return "There is no version yet that it could be merged into."
    if Content.ELEMENTS in (content, version.content):
        return "Grades of elements are kept as they were imported, so they are not merged with others."
    if content != version.content:
        kinds = AssessmentSet.Content(content).label, version.get_content_display()
        return f"The file holds {kinds[0]}, v{version.version} {kinds[1]}. The two cannot be merged into one version."
    if content == Content.HIGHLIGHTS and axis != version.axis:
        return (
            f"The file and v{version.version} count text differently: {AssessmentSet.Axis(axis).label} and "
            f"{version.get_axis_display()}. The two cannot be merged into one version."
        )
    return ""


def merge_read(version, read):
    """Return a file that was read as it would be merged into a version; raises Refused where that cannot be."""
    axis = getattr(read.columns, "axis", AssessmentSet.Axis.CHARACTERS)
    if reason := why_not_merged(version, read.content, axis):
        raise Refused(reason)
    columns = merged(load_judgements(version.columns_file, version.content), read.columns)
    if read.content == Content.GRADES:
        return ReadFile(Assessments(grades=columns), read.problems, read.missing_topics)
    places = _merged_places(version, read)
    return ReadFile(Assessments(judgements=columns, element_spans=places), read.problems, read.missing_topics)


def _merged_places(version, read):
    """Return where elements lie on the axis of sizes in both; a document laid out in two ways has no one place."""
    ours = read.assessments.element_spans
    if ours is None or not version.places_file:
        return ours
    with open_stored(version.places_file) as stream:
        theirs = json.load(stream)
    for document in ours.keys() & theirs.keys():
        if {path: tuple(span) for path, span in ours[document].items()} != {
            path: tuple(span) for path, span in theirs[document].items()
        }:
            raise Refused(
                f"The file and v{version.version} tell different sizes of the elements of document {document}, so they "
                "cannot be merged. Import the collection's text first, and then both files again."
            )
    return theirs | ours
