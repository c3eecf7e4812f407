"""What organisers decide about documents that were read: accept them as a new version, discard them, read again."""

from django.db import transaction
from django.utils import timezone

from campaign.machinery.wake import wake
from campaign.models import Collection, CollectionImport
from campaign.services.documents.imports import READ_TASK, campaigns_of, record_accepted
from campaign.services.documents.versions import drop, mark_of, put_in_place
from campaign.services.refusals import Refused
from campaign.services.setup.tracks import may_fill
from campaign.services.telling import trail

State = CollectionImport.State


def accept_import(found, *, user, seen):
    """Put the version that an import makes in the place of the collection; accepted twice it is one version."""
    with transaction.atomic():
        row = _locked(found)
        if row.state == State.ACCEPTED:
            return row
        if row.state != State.READY:
            raise Refused("There is nothing to accept: this import has been discarded, or is not read yet.")
        if not may_fill(user, Collection.objects.in_use().get(line=row.collection.line)):
            raise Refused(f"{row.collection.name} is used by campaigns that you do not organise. Its documents stay.")
        if seen != seen_of(row):
            raise Refused("This file was read again since you looked at it. Look once more.")
        row.prepared, rechecked = put_in_place(row.prepared, row.outcome["mark"])
        row.outcome |= {"rechecked": rechecked}
        _end(row, State.ACCEPTED)
        record_accepted(row, user)
    return row


def seen_of(row):
    """Return what a page keeps of an import, to see later whether it is still what was shown."""
    return row.state_since.isoformat()


def is_stale(row):
    """Tell whether a collection has changed since a file that waits was held against it."""
    return row.state == State.READY and not (
        row.collection.is_in_use and row.outcome.get("mark") == mark_of(row.collection)
    )


def discard_import(found, *, user):
    """Drop an import that waits for a decision, with what it prepared; a second time changes nothing."""
    with transaction.atomic():
        row = _locked(found)
        if row.state == State.ACCEPTED:
            raise Refused("This import was accepted. To undo it, go back to the earlier version.")
        if row.state == State.DISCARDED:
            return
        drop(row.prepared)
        row.prepared = None
        _end(row, State.DISCARDED)
        subject = f"import of {row.file_name} into {row.collection.name}"
        for campaign in campaigns_of(row.collection) or [None]:
            trail.record(campaign, trail.DISCARDED, subject, actor=user, sha256=row.sha256)


def start_again(found):
    """Have a file read again that failed on our side, has problems, or was held against what has changed since."""
    with transaction.atomic():
        row = _locked(found)
        if row.state not in (State.FAILED, State.REJECTED) and not is_stale(row):
            return
        row.attempts, row.failure, row.failure_reference, row.woken_at = 0, "", "", timezone.now()
        row.problems, row.problem_count = [], 0
        _end(row, State.RECEIVED)
        wake(READ_TASK, row.pk)


def _locked(found):
    # Without joins: PostgreSQL reads the row anew when the lock comes free, but not what was joined to it.
    return CollectionImport.objects.select_for_update().get(pk=found.pk)


def _end(row, state):
    row.state, row.state_since, row.token, row.held_until, row.held_by = state, timezone.now(), None, None, ""
    row.save()
