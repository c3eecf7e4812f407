"""convert: a run or an assessment set in another format."""

import io
import sys
from pathlib import Path

from assessments.formats.columns import SIZES
from assessments.formats.grades import grades_of_highlights, write_grades
from assessments.formats.highlights import write_highlights
from assessments.formats.reading import read_assessments
from campaign.documents import map_elements
from campaign.formats.problems import errors
from campaign.formats.runs import read_run
from campaign.formats.writing import write_fol, write_inex_xml
from evaluation.commandline.collection import open_collection
from evaluation.commandline.reading import opened, tell
from evaluation.commandline.refusals import BAD_INPUT, DONE, Refusal, located

FORMATS = {"run": ("fol", "xml"), "assessments": ("highlights", "qrels")}
"""What each slot can be written as."""


def convert(chosen):
    """Read a file, write it in another format, and only then touch the output."""
    if chosen.slot not in FORMATS:
        raise Refusal([f"--from takes {' or '.join(FORMATS)}, not “{chosen.slot}”."], BAD_INPUT)
    if chosen.to not in FORMATS[chosen.slot]:
        known = " or ".join(FORMATS[chosen.slot])
        raise Refusal([f"Files from {chosen.slot} are written as {known}, not “{chosen.to}”."], BAD_INPUT)
    collection = open_collection(chosen.collection) if chosen.collection else None
    written = io.BytesIO()
    convert_slot = {"run": convert_run, "assessments": convert_assessments}[chosen.slot]
    notes = convert_slot(chosen, collection, written)
    tell([located(chosen.file, note) for note in notes])
    if chosen.output == "-":
        sys.stdout.buffer.write(written.getvalue())
        return DONE
    try:
        Path(chosen.output).write_bytes(written.getvalue())
    except OSError as error:
        raise Refusal([f"{chosen.output}: can't be written ({error.strerror or error})."], BAD_INPUT) from None
    return DONE


def convert_run(chosen, collection, target):
    """Write a run; element paths become offsets when the documents are given."""
    columns, notes = opened(chosen.file, read_run)
    if collection is not None and columns.paths:
        columns, more = map_elements(columns, collection.places)
        if wrong := errors(more):
            raise Refusal([located(chosen.file, problem) for problem in wrong], BAD_INPUT)
        notes = [*notes, *more]
    write = {"fol": write_fol, "xml": write_inex_xml}[chosen.to]
    try:
        write(columns, target, spans=collection is not None)
    except ValueError as error:
        raise Refusal([f"{chosen.file}: {error}"], BAD_INPUT) from None
    return notes


def convert_assessments(chosen, collection, target):
    """Write assessments as highlighted text or as grades of documents."""
    lookup = None if collection is None else collection.places
    read, notes = opened(chosen.file, lambda stream: read_assessments(stream, lookup=lookup))
    if chosen.to == "qrels" and (read.grades is not None or read.judgements is not None):
        write_grades(read.grades if read.grades is not None else grades_of_highlights(read.judgements), target)
    elif chosen.to == "highlights" and read.judgements is not None and read.judgements.axis != SIZES:
        write_highlights(read.judgements, target)
    else:
        what = "sizes of elements" if read.judgements is not None else "grades"
        advice = " Give the documents with --collection." if read.judgements is not None else ""
        raise Refusal([f"{chosen.file}: holds {what}, which can't be written as {chosen.to}.{advice}"], BAD_INPUT)
    return notes
