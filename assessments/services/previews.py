"""Assessment files on their way in: taken, read by a worker, shown, and then accepted or discarded."""

import json
import time
from dataclasses import dataclass
from io import BytesIO
from pathlib import PurePath

from django.db import transaction
from django.urls import reverse

from assessments.models import AssessmentImport
from assessments.services.import_differences import difference_of_import
from assessments.services.imports import Origin, write_version
from assessments.services.inspection import inspected, warned_of_import
from assessments.services.loading import load_judgements
from assessments.services.reading import Content, ReadFile, read_for_track, store_derived
from campaign.machinery.queues import Queue
from campaign.machinery.storage import open_stored, store
from campaign.models import Notification, Track
from campaign.services.refusals import Refused
from campaign.services.runs.check_results import as_report, counts_by_rule, shown_of
from campaign.services.telling.notifications import import_was_read, notify, organisers_of
from campaign.services.telling.trail import DISCARDED, record
from limelight.formats.assessments.reading import Assessments
from limelight.formats.problems import FormatError, errors, total, warnings
from limelight.rules.headings import quotes
from limelight.wording import counted

SECONDS_A_NOTE = 0.5
FILES = ("columns_file", "places_file")
State = AssessmentImport.State


def take_file(track, *, by, upload, file_name, notes="", makes_topics=False):
    """Store an uploaded file and wake a worker to read it; the same file again is the import that is still open."""
    stored = store(upload, "assessments")
    if stored.size == 0:
        raise Refused("This file is empty.", "file")
    with transaction.atomic():
        Track.objects.select_for_update().get(pk=track.pk)
        same = track.assessment_imports.filter(
            sha256=stored.sha256,
            created_by=by.user,
            notes=notes,
            makes_topics=makes_topics,
            state__in=[State.RECEIVED, State.READING, State.READY],
        )
        if incoming := same.first():
            return incoming
        return AssessmentImport.objects.enqueue(
            track=track,
            created_by=by.user,
            notes=notes,
            makes_topics=makes_topics,
            file_name=PurePath(file_name.replace("\x00", "")).name[:255],
            sha256=stored.sha256,
            size=stored.size,
            total=stored.size,
            stored_file=stored.name,
        )


def read_import(pk=None):
    """Read a file that was received, without a key the first in line; returns it, or None where there is none."""
    return READING.work(pk)


def _read(incoming):
    with open_stored(incoming.stored_file) as stream:
        state, outcome, problems = _examined(incoming, stream)
        _write_down(incoming, state, outcome, problems, stream)


def import_failed(incoming):
    """Tell the organisers that reading a file failed on our side."""
    track = incoming.track
    text = (
        f"Reading {incoming.file_name} for {track.name} ({track.campaign.name}) failed on our side "
        f"(ref. {incoming.failure_reference}). Nothing of it was imported. You can have it read again."
    )
    about = f"assessments import {incoming.pk}, ref. {incoming.failure_reference}"
    notify(organisers_of(track.campaign), Notification.Kind.FAILED, about, text, page_of(incoming))


READING = Queue(AssessmentImport, _read, at_the_end=import_failed)


def page_of(incoming):
    """Return the address of an import's page on the desk."""
    return reverse("desk-import", args=[incoming.track.campaign.slug, incoming.pk])


def _examined(incoming, stream):
    """Return the state that a file has earned, what is in it, and all problems."""
    track = incoming.track
    try:
        read = read_for_track(track, stream, makes_topics=incoming.makes_topics, progress=_progress_of(incoming))
    except FormatError as error:
        rules = {problem.rule for problem in errors(error.problems)}
        return State.REJECTED, {"lacks_only_topics": rules == {"unknown-topic"}}, list(error.problems)
    preview, problems = inspected(track, read)
    incoming.outcome = preview | store_derived(read) | {"collection": track.collection_id}
    if newest := track.assessment_sets.order_by("-version").first():
        difference_of_import(incoming, newest)  # remembered, so that no page has to wait for it
    return State.READY, incoming.outcome, problems


def _progress_of(incoming):
    """Return what notes how far the reading has come, twice a second; it stops a worker that lost the row."""
    noted_at = time.monotonic()

    def progress(part):
        nonlocal noted_at
        if time.monotonic() - noted_at < SECONDS_A_NOTE:
            return
        noted_at = time.monotonic()
        AssessmentImport.objects.note(incoming, done=round(part * incoming.size), total=incoming.size)

    return progress


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What a report shows of a file of assessments: the first problems, and how many there are."""

    problems: list
    error_count: int | None
    warning_count: int | None
    problem_counts: dict | None


def report_of(incoming):
    """Return what the reading of a file left behind, for its page; nothing is counted before it has been read."""
    counts = {name: incoming.outcome.get(name) for name in ("error_count", "warning_count", "problem_counts")}
    return ImportReport(problems=incoming.problems, **counts)


def _write_down(incoming, state, outcome, problems, stream):
    shown = shown_of(errors(problems) + warnings(problems))
    stream.seek(0)
    quoted = quotes(stream, [problem.line for problem in shown if not problem.member])
    report = json.dumps(as_report(problems)).encode()
    outcome |= {
        "error_count": total(errors(problems)),
        "warning_count": total(warnings(problems)),
        "problem_counts": counts_by_rule(problems),
        "report_file": store(BytesIO(report), "reports").name,
    }
    with transaction.atomic():
        AssessmentImport.objects.finish(
            incoming,
            state,
            outcome=outcome,
            problems=[
                problem.as_dict() | {"quote": "" if problem.member else quoted.get(problem.line, "")}
                for problem in shown
            ],
            problem_count=total(problems),
            done=incoming.size,
            total=incoming.size,
        )
        import_was_read(incoming, _what_came_of(incoming), page_of(incoming))


def _what_came_of(incoming):
    file = f"{incoming.file_name} for {incoming.track.name} ({incoming.track.campaign.name})"
    if incoming.state == State.READY:
        return f"{file} has been read: look at what is in it, then accept or discard it."
    return f"{file} has problems, so nothing of it was imported: {counted(incoming.outcome['error_count'], 'error')}."


def full_report(incoming):
    """Return every problem of an import."""
    if "report_file" not in incoming.outcome:
        return []
    with open_stored(incoming.outcome["report_file"]) as stream:
        return json.load(stream)


def accept_import(incoming, *, by, merges=False, seen=None):
    """Make an import the track's next version, in one transaction; accepted before, it is the version it became.

    Where it `merges`, topics that the file does not judge stay as in the newest version, which is the one that was
    `seen` (by its number, 0 for none).
    """
    with transaction.atomic():
        row = _locked(incoming)
        if row.state == State.ACCEPTED and row.assessment_set:
            return row.assessment_set
        if row.state != State.READY:
            raise Refused(_why_not(row))
        if is_on_another_collection(row):
            raise Refused(f"{row.track.name} has other documents since this file was read. Have it read again.")
        files = {name: row.outcome[name] for name in FILES if name in row.outcome}
        origin = Origin(row.file_name, row.sha256, row.stored_file, by, row.notes, warnings=warned_of_import(row))
        version = write_version(
            row.track, _as_read(row), files, origin, makes_topics=row.makes_topics, merges=merges, seen=seen
        )
        _this(row).take_away(State.ACCEPTED, assessment_set=version)
    return version


def is_on_another_collection(row):
    """Return whether a track has another version of its collection than the one that a file was read on."""
    return "collection" in row.outcome and row.outcome["collection"] != row.track.collection_id


def _as_read(row):
    """Return what the worker read, as it was shown; graded elements are in the file alone."""
    if row.outcome["content"] == Content.ELEMENTS:
        with open_stored(row.stored_file) as stream:
            return read_for_track(row.track, stream, makes_topics=True)
    columns = load_judgements(row.outcome["columns_file"], row.outcome["content"])
    if row.outcome["content"] == Content.GRADES:
        return ReadFile(Assessments(grades=columns), [])
    places = None
    if name := row.outcome.get("places_file"):
        with open_stored(name) as stream:
            places = json.load(stream)
    return ReadFile(Assessments(judgements=columns, element_spans=places), [])


def _why_not(row):
    return {
        State.RECEIVED: "This file has not been read yet.",
        State.READING: "This file is still being read.",
        State.REJECTED: "This file has problems, so nothing of it was imported.",
        State.DISCARDED: "This import was discarded. Upload the file again.",
        State.FAILED: f"Reading this file failed on our side (ref. {row.failure_reference}). Have it read again first.",
        State.ACCEPTED: "This import was accepted before.",
    }[row.state]


def discard_import(incoming, *, by):
    """Drop an import, whether it has been read or not; a second time changes nothing."""
    with transaction.atomic():
        row = _locked(incoming)
        if row.state == State.ACCEPTED:
            raise Refused(f"This import became v{row.assessment_set.version}, and a version stays.")
        if row.state == State.DISCARDED:
            return
        _this(row).take_away(State.DISCARDED)
        record(
            row.track.campaign, DISCARDED, f"import of {row.file_name} for {row.track.name}", by=by, sha256=row.sha256
        )


def read_again(incoming, *, makes_topics=False):
    """Have a file that was rejected, or failed on our side, read once more, with the missing topics made if asked.

    So is one that waits for a decision, where the documents are no longer those that it was read on.
    """
    with transaction.atomic():
        row = _locked(incoming)
        if row.state not in (State.REJECTED, State.FAILED) and not (
            row.state == State.READY and is_on_another_collection(row)
        ):
            return
        _this(row).requeue(makes_topics=row.makes_topics or makes_topics, done=0)


def _locked(incoming):
    # Without joins: PostgreSQL reads the row anew when the lock comes free, but not what was joined to it.
    return _this(incoming).select_for_update().get()


def _this(row):
    return AssessmentImport.objects.filter(pk=row.pk)
