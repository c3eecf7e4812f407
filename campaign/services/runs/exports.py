"""Runs in other formats, and example runs that a task would take."""

from io import BytesIO

from campaign.models import Run
from campaign.services.documents.collections import element_spans
from campaign.services.runs.check_results import load_columns
from limelight.formats.runs.reading import read_run
from limelight.formats.runs.writing import XML_RESULT_TYPES, write_fol, write_inex_xml
from limelight.text.placing import placed

FILE_FORMATS = ("fol", "xml")
EXAMPLE_TOPICS = 2
EXAMPLE_DOCUMENTS = 2


def export_formats(run):
    """Return the forms in which a run can be written anew: XML knows passages and elements only."""
    if run.state != Run.State.VALID:
        return ()
    return FILE_FORMATS if run.result_type in XML_RESULT_TYPES else ("fol",)


def exported_run(run, file_format):
    """Return a valid run as the bytes of a FOL or XML file; elements become spans in FOL where the text is known."""
    columns, places = load_columns(run), element_spans(run.task.track.collection)
    target = BytesIO()
    if file_format == "fol":
        columns, _ = placed(columns, places)
        write_fol(columns, target, spans=places is not None)
    else:
        write_inex_xml(columns, target)
    return target.getvalue()


def example_run(task, file_format):
    """Return a small run that this very task would take, made of its own topics and documents."""
    topics = list(task.track.topics.values_list("number", flat=True)[:EXAMPLE_TOPICS]) or ["101", "102"]
    collection = task.track.collection
    documents = list(collection.documents.values_list("identifier", "length")[:EXAMPLE_DOCUMENTS]) if collection else []
    documents = documents or [("document-1", 2000), ("document-2", 2000)]
    lines = []
    for topic in topics:
        for rank, (document, length) in enumerate(documents, start=1):
            lines.append(f"{topic} Q0 {document} {rank} {10 - rank}.5 example{_place(task.traits, length)}")
    content = ("\n".join(lines) + "\n").encode()
    if file_format == "fol":
        return content
    columns, _ = read_run(BytesIO(content))
    target = BytesIO()
    write_inex_xml(columns, target)
    return target.getvalue()


def example_formats(task):
    """Return the forms in which there is an example for a task: XML has no results that are whole documents."""
    return FILE_FORMATS if task.traits.has_places else ("fol",)


def _place(kind, length):
    if not kind.has_places:
        return ""
    offset = min(10, length // 4)
    return f" {offset} {0 if kind.returns_points else min(300, length - offset)}"
