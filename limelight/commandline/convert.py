"""convert: a run or an assessment set in another format."""

import io
import sys
from argparse import Namespace
from pathlib import Path
from typing import BinaryIO

import numpy as np

from limelight.commandline.choosing import tell
from limelight.commandline.exits import DONE
from limelight.face.collection import Collection, read_collection
from limelight.face.files import assessments_with_warnings, run_with_warnings
from limelight.face.refusals import Refusal, located, shortened
from limelight.formats.assessments.writing import FORMS, Unwritable, write_assessments
from limelight.formats.problems import WARNING, FormatError, Problem, errors
from limelight.formats.runs.writing import write_fol, write_inex_xml
from limelight.text.placing import placed

FORMATS = {"run": ("fol", "xml"), "assessments": FORMS}
"""What each slot can be written as."""


def run(chosen: Namespace) -> int:
    """Read a file, write it in another format, and only then touch the output."""
    if chosen.slot not in FORMATS:
        raise Refusal([f"--from takes {' or '.join(FORMATS)}, not “{chosen.slot}”."])
    if chosen.to not in FORMATS[chosen.slot]:
        *others, last = FORMATS[chosen.slot]
        known = f"{', '.join(others)} or {last}"
        raise Refusal([f"Files from {chosen.slot} are written as {known}, not “{chosen.to}”."])
    collection = read_collection(chosen.collection) if chosen.collection else None
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
        raise Refusal([f"{chosen.output}: can't be written ({error.strerror or error})."]) from None
    return DONE


def convert_run(chosen: Namespace, collection: Collection | None, target: BinaryIO) -> list[Problem]:
    """Write a run; element paths become offsets when the documents are given."""
    columns, notes = run_with_warnings(chosen.file)
    if collection is not None and columns.paths:
        columns, more = placed(columns, collection.places)
        if wrong := errors(more):
            raise Refusal([located(chosen.file, problem) for problem in wrong])
        notes = [*notes, *more]
    if chosen.to == "fol" and (absent := int(np.isnan(columns.rsv).sum())):
        have = "result has" if absent == 1 else "results have"
        message = f"{absent:,} {have} no rsv. Text needs one: numbers that keep the order of the file stand in."
        notes = [*notes, Problem(message, "rsv", severity=WARNING)]
    write = {"fol": write_fol, "xml": write_inex_xml}[chosen.to]
    try:
        write(columns, target, spans=collection is not None)
    except ValueError as error:
        raise Refusal([f"{chosen.file}: {error}"]) from None
    return notes


def convert_assessments(chosen: Namespace, collection: Collection | None, target: BinaryIO) -> list[Problem]:
    """Write assessments; offsets become points, and points offsets, when the documents are given."""
    with_text = collection if collection is not None and collection.has_text else None
    documents = None if with_text is None else with_text.document
    read, notes = assessments_with_warnings(chosen.file, with_text)
    try:
        return [*notes, *write_assessments(read, chosen.to, target, documents)]
    except FormatError as error:
        raise Refusal(shortened([located(chosen.file, problem) for problem in error.problems])) from None
    except Unwritable as error:
        advice = ""
        if error.needs_documents:
            lengths = f" {chosen.collection} has only their lengths." if collection is not None else ""
            advice = f" Give the documents with --collection.{lengths}"
        raise Refusal([f"{chosen.file}: {error}{advice}"]) from None
