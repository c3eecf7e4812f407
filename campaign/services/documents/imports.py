"""Collections that organisers upload: read by a worker, in slices, so that a kill costs no work twice."""

import time

from django.db import transaction
from django.urls import reverse

from campaign.machinery.leases import LeaseLost
from campaign.machinery.queues import Queue
from campaign.machinery.storage import open_stored, store
from campaign.models import Campaign, Collection, CollectionImport, Notification
from campaign.services.acting import By
from campaign.services.documents.changes import document_changes, length_changes
from campaign.services.documents.previews import preview_of
from campaign.services.documents.versions import (
    complete,
    drop,
    mark_of,
    prepare,
    stage,
    take_in,
)
from campaign.services.permissions.managing import may_fill_collection
from campaign.services.refusals import Refused, Stale
from campaign.services.telling import trail
from campaign.services.telling.notifications import import_was_read, notify, organisers_of
from limelight.formats.archives import is_archive
from limelight.formats.collections import collection_files, read_document_lengths
from limelight.formats.problems import FormatError, Problem, total
from limelight.rules.headings import SHOWN_PROBLEMS
from limelight.wording import counted

FOLDER = "collections"
SLICE = 240
"""Seconds after which a worker puts the row back and another message goes on, before its lease could end."""

TELL_EVERY = 0.5
State = CollectionImport.State


class SliceOver(Exception):
    """The worker has been at it long enough for one message."""


def receive_collection(collection, *, by, upload, file_name):
    """Store an uploaded archive or list and wake a worker; a file that is just being read is not taken twice."""
    if not may_fill_collection(by.user, collection):
        raise Refused(
            f"{collection.name} is used by campaigns that you do not organise. Make a new collection for yours."
        )
    if not upload.size:
        raise Refused("The file is empty.", "file")
    stored = store(upload, FOLDER)
    with transaction.atomic():
        same = CollectionImport.objects.filter(
            collection=collection, sha256=stored.sha256, state__in=[State.RECEIVED, State.READING, State.READY]
        )
        if found := same.first():
            return found
        return CollectionImport.objects.enqueue(
            collection=collection,
            created_by=by.user,
            file_name=file_name[:255],
            sha256=stored.sha256,
            size=stored.size,
            stored_file=stored.name,
        )


def read_collection(import_id=None):
    """Go on with an import, without a key the first in line; returns it, or None where there is none."""
    return READING.work(import_id)


def _read(row):
    try:
        with open_stored(row.stored_file) as stream:
            _prepare(row)
            if "lists" in row.outcome:
                _offer(row)
            elif is_archive(stream):
                _read_archive(row, stream)
            else:
                _read_lengths(row, stream)
    except (SliceOver, Stale):
        _go_on_later(row)
    except FormatError as error:
        _reject(row, error)


def import_failed(row):
    """Tell the organisers that an import failed on our side."""
    text = (
        f"Reading {row.file_name} into {row.collection.name} failed on our side (ref. {row.failure_reference}). "
        "Nothing was imported. You can have it read again on its page."
    )
    people = {person for campaign in campaigns_of(row.collection) for person in organisers_of(campaign)}
    notify(people, Notification.Kind.FAILED, f"import {row.pk}, ref. {row.failure_reference}", text, page_of(row))


READING = Queue(CollectionImport, _read, at_the_end=import_failed)


def page_of(row):
    """Return the address of an import's page: on the desk of the first campaign that uses the collection."""
    campaign = campaigns_of(row.collection).order_by("pk").first()
    return reverse("collection-import", args=[campaign.slug, row.pk]) if campaign else ""


def campaigns_of(collection):
    """Return the campaigns that use a collection, in whichever version."""
    return Campaign.objects.filter(tracks__collection__line=collection.line).distinct()


def imports_of(collection):
    """Return the imports into a collection, in whichever version, the latest first."""
    return CollectionImport.objects.filter(collection__line=collection.line).select_related("collection", "prepared")


def record_import(collection, subject, **details):
    """Write an import into the trail of every campaign that uses the collection, or of the site where none does."""
    for campaign in campaigns_of(collection) or [None]:
        trail.record(campaign, trail.IMPORTED, subject, **details)


def _read_archive(row, stream):
    if not row.total:
        # The whole archive is looked through first: a broken one leaves nothing behind.
        row.total = sum(1 for _ in _watched(row, collection_files(stream)))
        _note(row, total=row.total, done=0)
        stream.seek(0)

    def changes_of(known, read_before):
        return document_changes(known, collection_files(stream), read_before=read_before)

    _conclude(row, stage(row.prepared, changes_of, progress=_progress_of(row)), "archive")


def _read_lengths(row, stream):
    lengths = read_document_lengths(stream)
    row.total = len(lengths)
    _note(row, total=row.total)
    _conclude(row, stage(row.prepared, lambda known, _: length_changes(known, lengths)), "list")


def _prepare(row):
    """Begin with the version that is in use now, or go on with what was read before."""
    in_use, before = Collection.objects.in_use().get(line=row.collection.line), row.prepared
    if before is not None and before.supersedes == in_use and row.outcome.get("mark") == mark_of(in_use):
        return
    with transaction.atomic():
        row.collection, row.prepared, row.outcome = in_use, prepare(in_use), {"mark": mark_of(in_use)}
        row.total = row.done = 0
        _note(row, collection=in_use, prepared=row.prepared, outcome=row.outcome, total=0, done=0)
        drop(before)


def _progress_of(row):
    """Return what notes how far the reading has come, and ends a slice that has taken long and come further."""
    told_at, began, done, start = 0.0, time.monotonic(), 0, row.prepared.documents.count()

    def progress(_change):
        nonlocal told_at, done
        done += 1
        now = time.monotonic()
        if now - told_at >= TELL_EVERY:
            told_at = now
            _note(row, done=done)
        if now - began >= SLICE and row.prepared.documents.count() > start:
            raise SliceOver

    return progress


def _conclude(row, reading, file_format):
    """Accept what only brings new documents; let the organisers look at everything else first."""
    if mark_of(Collection.objects.get(pk=row.collection_id)) != row.outcome["mark"]:
        raise Stale("The collection has changed while the file was read.")
    preview = row.outcome | preview_of(row.prepared, reading) | {"form": file_format}
    if not preview["new"] + preview["changed"] + preview["unchanged"]:
        raise FormatError([Problem(f"{change.identifier}: {change.problem}", "damaged") for change in reading.damaged])
    if not preview["changed"]:
        _accept_new(row, preview)
        return
    row.outcome = preview
    _note(row, outcome=preview)
    _offer(row)


def _offer(row):
    """Lay the documents that stay beside those that came in, and let the organisers decide."""
    complete(row.prepared)
    with transaction.atomic():
        _finish(row, State.READY, row.outcome)
        would = f"it would change {counted(row.outcome['changed'], 'document')} of {row.collection.name}"
        import_was_read(row, f"{row.file_name} has been read: {would}. Accept or discard it.", page_of(row))


def _accept_new(row, preview):
    with transaction.atomic():
        rechecked = take_in(row.prepared, preview["mark"])
        row.prepared = None
        _finish(row, State.ACCEPTED, preview | {"rechecked": rechecked}, prepared=None)
        record_accepted(row, by=By(row.created_by))
        new = f"{row.collection.name} has {counted(preview['new'], 'new document')}"
        lost = f" {counted(preview['damaged'], 'document')} could not be read." if preview["damaged"] else ""
        import_was_read(row, f"{row.file_name} has been read: {new}.{lost}", page_of(row))


def _finish(row, state, preview, **changes):
    in_collection = (row.prepared or row.collection).documents.count()
    total = row.total or preview["documents"]
    outcome = preview | {"in_collection": in_collection}
    CollectionImport.objects.finish(row, state, done=total, total=total, outcome=outcome, **changes)


def record_accepted(row, *, by):
    """Write into the trail what an import brought, and the version that it made."""
    counts = {name: row.outcome[name] for name in ("documents", "new", "changed", "damaged")}
    version = {"version": f"v{row.prepared.version}"} if row.prepared else {}
    record_import(
        row.collection,
        f"documents of {row.collection.name}",
        by=by,
        file=row.file_name,
        sha256=row.sha256,
        **counts,
        **version,
    )


def _watched(row, members):
    """Pass files on, looking now and then whether the row is still ours."""
    told_at = time.monotonic()
    for member in members:
        if time.monotonic() - told_at >= 2:
            told_at = time.monotonic()
            _note(row)
        yield member


def _note(row, **changes):
    CollectionImport.objects.note(row, **changes)


def _reject(row, error):
    with transaction.atomic():
        CollectionImport.objects.finish(
            row,
            State.REJECTED,
            problems=[str(problem) for problem in error.problems[:SHOWN_PROBLEMS]],
            problem_count=total(error.problems),
        )
        problems = counted(row.problem_count, "problem")
        refused = f"{row.file_name} has {problems}, so nothing of it came into {row.collection.name}."
        import_was_read(row, refused, page_of(row))


def _go_on_later(row):
    """Put the row back with fresh attempts, since it came further, and call the next worker."""
    if not CollectionImport.objects.held(row).requeue():
        raise LeaseLost
