"""Collections that organisers upload: read by a worker, in slices, so that a kill costs no work twice."""

import logging
import time
import traceback

from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from campaign.formats.archives import is_archive
from campaign.formats.collections import collection_files, read_document_lengths
from campaign.formats.problems import FormatError, total
from campaign.leases import LeaseLost, kept
from campaign.models import Campaign, CollectionImport, Document, Notification
from campaign.services import trail
from campaign.services.collections import import_collection, write_document_lengths
from campaign.services.notifications import counted, import_was_read, notify, organisers_of
from campaign.services.rechecks import recheck_collection
from campaign.services.refusals import Refused
from campaign.services.storage import open_stored, store
from campaign.services.tracks import may_fill
from campaign.wake import wake

logger = logging.getLogger(__name__)

READ_TASK = "campaign.tasks.read_collection"
FOLDER = "collections"
SLICE = 240
"""Seconds after which a worker puts the row back and another message goes on, before its lease could end."""

TELL_EVERY = 0.5
SHOWN_PROBLEMS = 200
State = CollectionImport.State


class SliceOver(Exception):
    """The worker has been at it long enough for one message."""


def receive_collection(*, user, collection, upload, file_name):
    """Store an uploaded archive or list and wake a worker; a file that is just being read is not taken twice."""
    if not may_fill(user, collection):
        raise Refused(
            f"{collection.name} is used by campaigns that you do not organise. Make a new collection for yours."
        )
    if not upload.size:
        raise Refused("The file is empty.", "file")
    stored = store(upload, FOLDER)
    with transaction.atomic():
        same = CollectionImport.objects.unfinished().filter(collection=collection, sha256=stored.sha256).first()
        if same is not None:
            return same
        row = CollectionImport.objects.create(
            collection=collection,
            created_by=user,
            file_name=file_name[:255],
            sha256=stored.sha256,
            size=stored.size,
            stored_file=stored.name,
            woken_at=timezone.now(),
        )
        wake(READ_TASK, row.pk)
    return row


def read_collection(import_id):
    """Go on with an import; does nothing where it is done or another worker is at it."""
    rows = CollectionImport.objects
    row = rows.claim(import_id)
    if row is None:
        return
    try:
        with kept(rows, row), open_stored(row.stored_file) as stream:
            if is_archive(stream):
                _read_archive(row, stream)
            else:
                _read_lengths(row, stream)
    except LeaseLost:
        logger.warning("Import %s was taken over by another worker while it was read.", import_id)
    except SliceOver:
        _go_on_later(row)
    except FormatError as error:
        _reject(row, error)
    except Exception:
        logger.exception("Import %s failed on our side.", import_id)
        rows.give_back(row, traceback.format_exc(), at_the_end=import_failed)


def start_again(row):
    """Return an import that failed on our side to the queue."""
    with transaction.atomic():
        for key in CollectionImport.objects.filter(pk=row.pk).start_again():
            wake(READ_TASK, key)


def import_failed(row):
    """Tell the organisers that an import failed on our side."""
    text = (
        f"Reading {row.file_name} into {row.collection.name} failed on our side (ref. {row.failure_reference}). "
        "What was read stays. You can start it again on the page of its topics and collection."
    )
    people = {person for campaign in campaigns_of(row.collection) for person in organisers_of(campaign)}
    notify(people, Notification.Kind.FAILED, f"import {row.pk}, ref. {row.failure_reference}", text, page_of(row))


def page_of(row):
    """Return the address of an import's page: on the desk of the first campaign that uses the collection."""
    campaign = campaigns_of(row.collection).order_by("pk").first()
    return reverse("collection-import", args=[campaign.slug, row.pk]) if campaign else ""


def campaigns_of(collection):
    """Return the campaigns that use a collection."""
    return Campaign.objects.filter(tracks__collection=collection).distinct()


def record_import(collection, subject, **details):
    """Write an import into the trail of every campaign that uses the collection, or of the site where none does."""
    for campaign in campaigns_of(collection) or [None]:
        trail.record(campaign, trail.IMPORTED, subject, **details)


def _read_archive(row, stream):
    if not row.total:
        # The whole archive is looked through first: a broken one leaves nothing behind.
        row.total = sum(1 for _ in _watched(row, collection_files(stream)))
        row.outcome = {"before": row.collection.documents.count()}
        _note(row, total=row.total, outcome=row.outcome, done=0)
        stream.seek(0)
    told_at, began, done = 0.0, time.monotonic(), 0
    start = row.collection.documents.count()

    def progress(_identifier):
        nonlocal told_at, done
        done += 1
        now = time.monotonic()
        if now - told_at >= TELL_EVERY:
            told_at = now
            _note(row, done=done)
        if now - began >= SLICE and row.collection.documents.count() > start:
            raise SliceOver

    outcome = import_collection(row.collection, collection_files(stream), progress=progress)
    unreadable = len({identifier for identifier, _ in outcome.problems})
    now_there = row.collection.documents.count()
    new = now_there - row.outcome["before"]
    _accept(
        row,
        {
            "form": "archive",
            "documents": row.total,
            "new": new,
            "known": row.total - unreadable - new,
            "unreadable": unreadable,
            "in_collection": now_there,
        },
        [f"{identifier}: {problem}" for identifier, problem in outcome.problems],
    )


def _read_lengths(row, stream):
    lengths = read_document_lengths(stream)
    _note(row, total=len(lengths))
    before = row.collection.documents.count()
    with transaction.atomic():
        write_document_lengths(row.collection, lengths)
        new = Document.objects.filter(collection=row.collection).count() - before
        outcome = {"form": "list", "documents": len(lengths), "new": new, "known": len(lengths) - new}
        _accept(row, outcome | {"unreadable": 0, "in_collection": before + new}, [])


def _watched(row, members):
    """Pass files on, looking now and then whether the row is still ours."""
    told_at = time.monotonic()
    for member in members:
        if time.monotonic() - told_at >= 2:
            told_at = time.monotonic()
            _note(row)
        yield member


def _note(row, **changes):
    held = CollectionImport.objects.held(row)
    if not (held.update(**changes) if changes else held.exists()):
        raise LeaseLost


def _accept(row, outcome, problems):
    with transaction.atomic():
        CollectionImport.objects.finish(
            row,
            State.ACCEPTED,
            done=row.total or outcome["documents"],
            total=row.total or outcome["documents"],
            outcome=outcome | {"rechecked": recheck_collection(row.collection)},
            problems=problems[:SHOWN_PROBLEMS],
            problem_count=len(problems),
            failure="",
        )
        record_import(
            row.collection,
            f"documents of {row.collection.name}",
            actor=row.created_by,
            file=row.file_name,
            sha256=row.sha256,
            documents=outcome["documents"],
            new=outcome["new"],
            unreadable=outcome["unreadable"],
        )
        read = f"{row.file_name} has been read: {row.collection.name} has {counted(outcome['new'], 'new document')}."
        import_was_read(row, read, page_of(row))


def _reject(row, error):
    try:
        with transaction.atomic():
            CollectionImport.objects.finish(
                row,
                State.REJECTED,
                problems=[str(problem) for problem in error.problems[:SHOWN_PROBLEMS]],
                problem_count=total(error.problems),
                failure="",
            )
            problems = counted(row.problem_count, "problem")
            refused = f"{row.file_name} has {problems}, so nothing of it came into {row.collection.name}."
            import_was_read(row, refused, page_of(row))
    except LeaseLost:
        logger.warning("Import %s was taken over by another worker while it was read.", row.pk)


def _go_on_later(row):
    """Put the row back with fresh attempts, since it came further, and call the next worker."""
    try:
        with transaction.atomic():
            CollectionImport.objects.finish(row, State.RECEIVED, attempts=0, woken_at=timezone.now())
            wake(READ_TASK, row.pk)
    except LeaseLost:
        logger.warning("Import %s was taken over by another worker while it was read.", row.pk)
