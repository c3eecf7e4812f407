"""convert: a run or an assessment set in another format."""

import io
import sys
from pathlib import Path

import numpy as np

from limelight.commandline.collection import open_collection
from limelight.commandline.reading import opened, tell
from limelight.commandline.refusals import BAD_INPUT, DONE, Refusal, located, shortened
from limelight.formats.assessments.reading import read_assessments
from limelight.formats.assessments.writing import FORMS, Unwritable, write_assessments
from limelight.formats.problems import WARNING, FormatError, Problem, errors
from limelight.formats.runs.reading import read_run
from limelight.formats.runs.writing import write_fol, write_inex_xml
from limelight.text.placing import placed

FORMATS = {"run": ("fol", "xml"), "assessments": FORMS}
"""What each slot can be written as."""


def convert(chosen):
    """Read a file, write it in another format, and only then touch the output."""
    if chosen.slot not in FORMATS:
        raise Refusal([f"--from takes {' or '.join(FORMATS)}, not “{chosen.slot}”."], BAD_INPUT)
    if chosen.to not in FORMATS[chosen.slot]:
        *others, last = FORMATS[chosen.slot]
        known = f"{', '.join(others)} or {last}"
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
        columns, more = placed(columns, collection.places)
        if wrong := errors(more):
            raise Refusal([located(chosen.file, problem) for problem in wrong], BAD_INPUT)
        notes = [*notes, *more]
    if chosen.to == "fol" and (absent := int(np.isnan(columns.rsv).sum())):
        have = "result has" if absent == 1 else "results have"
        message = f"{absent:,} {have} no rsv. Text needs one: numbers that keep the order of the file stand in."
        notes = [*notes, Problem(message, "rsv", severity=WARNING)]
    write = {"fol": write_fol, "xml": write_inex_xml}[chosen.to]
    try:
        write(columns, target, spans=collection is not None)
    except ValueError as error:
        raise Refusal([f"{chosen.file}: {error}"], BAD_INPUT) from None
    return notes


def convert_assessments(chosen, collection, target):
    """Write assessments; offsets become points, and points offsets, when the documents are given."""
    with_text = collection is not None and collection.has_text
    lookup, documents = (collection.places, collection.document) if with_text else (None, None)
    read, notes = opened(chosen.file, lambda stream: read_assessments(stream, lookup=lookup))
    try:
        return [*notes, *write_assessments(read, chosen.to, target, documents)]
    except FormatError as error:
        raise Refusal(shortened([located(chosen.file, problem) for problem in error.problems]), BAD_INPUT) from None
    except Unwritable as error:
        advice = ""
        if error.needs_documents:
            lengths = f" {chosen.collection} has only their lengths." if collection is not None else ""
            advice = f" Give the documents with --collection.{lengths}"
        raise Refusal([f"{chosen.file}: {error}{advice}"], BAD_INPUT) from None
