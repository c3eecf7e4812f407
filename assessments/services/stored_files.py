"""Every stored file that rows refer to: is it there and whole, what to do where it is not, and making it again."""

import json
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO

from django.core.files.storage import default_storage

from assessments.models import AssessmentImport, AssessmentSet
from assessments.services.reading import read_for_track, store_derived
from campaign.machinery.storage import CHANGED, MISSING, SHORT, Damaged, fault_of, open_stored, proves_itself, store
from campaign.models import CollectionImport, Document, Run
from campaign.services.documents.files import file_of, store_document
from campaign.services.runs.check_results import as_report, make_columns_again
from campaign.services.runs.checks import examine
from limelight.formats.collections import collection_files
from limelight.formats.problems import FormatError
from limelight.formats.stored import is_cut_short
from limelight.text.documents import read_document

SUBMIT_AGAIN = "Ask the team for the file: submitted again, the same bytes lie where they were"
MADE_FROM_RUN = "It is made again from the run's file when it is needed, or now by --repair"
CHECK_AGAIN = "--repair makes it again from the run's file"
UPLOAD_AGAIN = "Upload the same file once more: its bytes then lie where they were"
MADE_FROM_SOURCE = "--repair makes it again from the version's own file"
READ_AGAIN = "--repair makes it again from an uploaded archive; else import the collection's archive again"


@dataclass(frozen=True, slots=True)
class FileReference:
    """A stored file, what refers to it, what the row knows of its size, and what can be done about it."""

    name: str
    of: str
    remedy: str
    size: int | None = None
    make_again: Callable | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """A stored file that is not what was stored."""

    reference: FileReference
    fault: str
    is_mended: bool = False


def references():
    """Return every stored file that a row refers to."""
    yield from _of_runs()
    yield from _of_collections()
    yield from _of_assessments()


def verify(found, *, quick=False, repair=False):
    """Yield a finding for each reference whose file is wrong; each file is looked at once, and made again if asked."""
    known = {}
    for reference in found:
        if reference.name not in known:
            known[reference.name] = size_fault_of(reference) if quick else fault_of(reference.name)
        if fault := known[reference.name]:
            is_mended = repair and _mended(reference)
            if is_mended:
                known[reference.name] = ""
            yield Finding(reference, fault, is_mended)


def size_fault_of(reference):
    """Return what the size of a file tells to be wrong, or its beginning and end; empty where nothing is.

    Of files that people uploaded only runs have a size that we know.
    """
    try:
        size = default_storage.size(reference.name)
    except FileNotFoundError:
        return MISSING
    if size == 0 or reference.size not in (None, size):
        return SHORT
    with default_storage.open(reference.name, "rb") as stream:
        is_short = is_cut_short(stream) or (reference.name.endswith(".npz") and not zipfile.is_zipfile(stream))
    return SHORT if is_short else ""


def _mended(reference):
    """Make a file again from its source; returns whether that worked."""
    if reference.make_again is None:
        return False
    try:
        reference.make_again()
    except (Damaged, FormatError):
        return False
    return True


def _of_runs():
    for run in Run.objects.for_lists().order_by("pk").iterator():
        of = f"run {run.name} of {run.team.name} in {'/'.join(run.task.address)}"
        yield FileReference(run.stored_file, f"the file of {of}", SUBMIT_AGAIN, run.size)
        if proves_itself(run.columns_file):  # others are made again when they are needed, whatever is under them
            yield FileReference(run.columns_file, f"the columns of {of}", MADE_FROM_RUN, make_again=_columns_again(run))
        if run.report_file:
            yield FileReference(run.report_file, f"the report of {of}", CHECK_AGAIN, make_again=_report_again(run))


def _columns_again(run):
    return lambda: make_columns_again(run)


def _report_again(run):
    def make():
        report = json.dumps(as_report(examine(run)[1])).encode()
        Run.objects.filter(pk=run.pk).update(report_file=store(BytesIO(report), "reports").name)

    return make


def _of_collections():
    documents = Document.objects.exclude(text_file="").select_related("collection").order_by("pk")
    for document in documents.iterator():
        of = f"the text of document {document.identifier} of {document.collection.name}"
        yield FileReference(document.text_file, of, READ_AGAIN, make_again=_text_again(document))
    for row in CollectionImport.objects.select_related("collection").order_by("pk").iterator():
        of = f"{row.file_name}, uploaded for {row.collection.name}"
        yield FileReference(row.stored_file, of, UPLOAD_AGAIN, row.size)


def _text_again(document):
    def make():
        for row in CollectionImport.objects.filter(collection=document.collection).order_by("-pk"):
            if not fault_of(row.stored_file) and _text_from(row, document):
                return
        raise Damaged(document.text_file, "is in none of the archives")

    return make


def _text_from(row, document):
    """Store a document's text anew if an archive holds the very file that it was read from; returns whether it does."""
    with open_stored(row.stored_file) as stream:
        for identifier, member in collection_files(stream):
            content = member.read()
            if file_of(content) == document.text_file:
                store_document(read_document(BytesIO(content), identifier), document.text_file)
                return True
    return False


def _of_assessments():
    for version in AssessmentSet.objects.select_related("track__campaign", "track__collection").order_by("pk"):
        of = f"assessments v{version.version} of {version.track.campaign.slug}/{version.track.slug}"
        yield FileReference(version.stored_file, f"the file of {of}", UPLOAD_AGAIN)
        for name in filter(None, (version.columns_file, version.places_file)):
            mending = _derived_again(name, version.track, version.stored_file)
            yield FileReference(name, f"the columns of {of}", MADE_FROM_SOURCE, make_again=mending)
    for row in AssessmentImport.objects.select_related("track__campaign", "track__collection").order_by("pk"):
        of = f"{row.file_name}, uploaded for {row.track.campaign.slug}/{row.track.slug}"
        yield FileReference(row.stored_file, of, UPLOAD_AGAIN, row.size)
        for key in ("columns_file", "places_file", "report_file"):
            if name := row.outcome.get(key):
                mending = None if key == "report_file" else _derived_again(name, row.track, row.stored_file)
                yield FileReference(name, f"what was read of {of}", UPLOAD_AGAIN, make_again=mending)


def _derived_again(name, track, source):
    """Return what reads a version's file anew; what comes of it counts only if it is the same, byte for byte."""

    def make():
        with open_stored(source) as stream:
            made = store_derived(read_for_track(track, stream, makes_topics=True))
        if name not in made.values():
            raise Damaged(name, CHANGED)

    return make
