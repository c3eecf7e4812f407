"""What organisers decide about documents that were read: accept them as a new version, discard them, read again."""

from django.db import transaction

from campaign.models import Collection, CollectionImport
from campaign.services.documents.imports import campaigns_of, record_accepted
from campaign.services.documents.versions import drop, mark_of, put_in_place
from campaign.services.permissions.managing import may_fill_collection
from campaign.services.refusals import Refused
from campaign.services.telling import trail

State = CollectionImport.State


def accept_import(found, *, by, seen):
    """Put the version that an import makes in the place of the collection; accepted twice it is one version."""
    with transaction.atomic():
        row = _locked(found)
        if row.state == State.ACCEPTED:
            return row
        if row.state != State.READY:
            raise Refused("There is nothing to accept: this import has been discarded, or is not read yet.")
        if not may_fill_collection(by.user, Collection.objects.in_use().get(line=row.collection.line)):
            raise Refused(f"{row.collection.name} is used by campaigns that you do not organise. Its documents stay.")
        if seen != seen_of(row):
            raise Refused("This file was read again since you looked at it. Look once more.")
        prepared, rechecked = put_in_place(row.prepared, row.outcome["mark"])
        outcome = row.outcome | {"rechecked": rechecked}
        _this(row).take_away(State.ACCEPTED, prepared=prepared, outcome=outcome)
        row = _this(row).get()
        record_accepted(row, by=by)
    return row


def seen_of(row):
    """Return what a page keeps of an import, to see later whether it is still what was shown."""
    return row.state_since.isoformat()


def is_stale(row):
    """Return whether a collection has changed since a file that waits was held against it."""
    return row.state == State.READY and not (
        row.collection.is_in_use and row.outcome.get("mark") == mark_of(row.collection)
    )


def discard_import(found, *, by):
    """Drop an import that waits for a decision, with what it prepared; a second time changes nothing."""
    with transaction.atomic():
        row = _locked(found)
        if row.state == State.ACCEPTED:
            raise Refused("This import was accepted. To undo it, go back to the earlier version.")
        if row.state == State.DISCARDED:
            return
        drop(row.prepared)
        _this(row).take_away(State.DISCARDED, prepared=None)
        subject = f"import of {row.file_name} into {row.collection.name}"
        for campaign in campaigns_of(row.collection) or [None]:
            trail.record(campaign, trail.DISCARDED, subject, by=by, sha256=row.sha256)


def start_again(found):
    """Have a file read again that failed on our side, has problems, or was held against what has changed since."""
    with transaction.atomic():
        row = _locked(found)
        if row.state not in (State.FAILED, State.REJECTED) and not is_stale(row):
            return
        _this(row).requeue(problems=[], problem_count=0)


def _locked(found):
    # Without joins: PostgreSQL reads the row anew when the lock comes free, but not what was joined to it.
    return _this(found).select_for_update().get()


def _this(row):
    return CollectionImport.objects.filter(pk=row.pk)
