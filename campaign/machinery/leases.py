"""The queue of record: rows that a worker claims, keeps while it works, and writes back under its token.

A Celery message only wakes a worker, which takes the row that has waited longest. Whoever wins one conditional UPDATE
has the row; a worker that lost its lease cannot write, because the writing UPDATE names the token. Works the same on
SQLite and PostgreSQL. Who is no worker has three ways to touch a lease: `enqueue`, `requeue` and `take_away`.
"""

import secrets
import uuid
from datetime import timedelta

from django.db import models, transaction
from django.db.models import F, Q
from django.utils import timezone

from campaign.machinery.processes import is_dead, this_process
from campaign.machinery.wake import wake

MAX_ATTEMPTS = 3
LEASE = timedelta(seconds=15)
RETRY_AFTER = (timedelta(seconds=5), timedelta(seconds=30))
WAKE_AGAIN_AFTER = timedelta(seconds=10)
WAKE_AT_MOST = 10

FREE = {"token": None, "held_by": "", "held_until": None}
"""What is written on a row that nobody holds."""

NO_FAILURE = {"failure": "", "failure_reference": ""}
ANEW = {"attempts": 0} | NO_FAILURE
"""What is written on a row whose earlier attempts no longer count."""


class LeaseLost(Exception):
    """Another worker has taken the row over: what this one computed is dropped."""


class LeasedQuerySet(models.QuerySet):
    """Claims, renewals and what the sweep looks for."""

    def wanted(self):
        """Return the rows that somebody still wants done: all, unless a kind of work says which.

        The one place for it: rows that nobody wants are not taken, counted, listed or ended. A claim is one UPDATE
        whose conditions the database asks again of a locked row, so what is said here must be no join.
        """
        return self.all()

    def unfinished(self):
        """Return the rows that still need a worker or have one."""
        return self.wanted().filter(state__in=[self.model.WAITING, self.model.WORKING])

    def failed(self):
        """Return the rows that have failed for good."""
        return self.filter(state=self.model.FAILED)

    def urgent(self):
        """Return the rows that somebody wants done in a minute or two."""
        return self.all()

    def in_queue_of(self, campaign):
        """Return the rows that the desk lists in a campaign's queue; none, unless a kind of work says which."""
        return self.none()

    def unheld(self):
        """Return the unfinished rows that nobody holds now."""
        return self.unfinished().filter(Q(held_until=None) | Q(held_until__lte=timezone.now()))

    def claimable(self):
        """Return the rows that a worker may take."""
        return self.unheld().filter(attempts__lt=MAX_ATTEMPTS)

    def in_line(self):
        """Return the rows that a worker may take, those first that have waited longest."""
        return self.claimable().order_by("state_since", "pk")

    def claim(self, pk=None):
        """Take a row for this process, without a key the first in line; None where there is none to take.

        A row that is finished, held or out of attempts is not taken, nor is one that another worker takes just now.
        """
        if pk is None:
            return self._claim_first()
        now, token = timezone.now(), uuid.uuid4()
        taken = (
            self.claimable()
            .filter(pk=pk)
            .update(
                state=self.model.WORKING,
                state_since=now,
                token=token,
                held_by=this_process(),
                held_until=now + LEASE,
                attempts=F("attempts") + 1,
            )
        )
        return self.get(pk=pk) if taken else None

    def _claim_first(self):
        while keys := list(self.in_line().values_list("pk", flat=True)[:WAKE_AT_MOST]):
            for key in keys:
                if row := self.claim(key):
                    return row
        return None

    def held(self, row):
        """Return the row as a queryset if this claim still holds it, else an empty one."""
        return self.filter(pk=row.pk, token=row.token, state=self.model.WORKING)

    def note(self, row, **changes):
        """Write how far the work has come, under the claim's token; raises LeaseLost where the row is no longer its."""
        held = self.held(row)
        if not (held.update(**changes) if changes else held.exists()):
            raise LeaseLost

    def finish(self, row, state, **changes):
        """Write the outcome under the claim's token; raises LeaseLost where the row is no longer its.

        Earlier failures are forgotten, unless the outcome is one.
        """
        changes = NO_FAILURE | FREE | changes | {"state": state, "state_since": timezone.now()}
        self.note(row, **changes)
        del changes["token"]  # if the transaction comes to nothing, the claim still has to give the row back
        for name, value in changes.items():
            setattr(row, name, value)

    def give_back(self, row, traceback, at_the_end=None):
        """Return the row to the queue after a fault of ours, or end it when its attempts are used up.

        What is to be done at the end is done in the same transaction, with the row.
        """
        if row.attempts >= MAX_ATTEMPTS:
            with transaction.atomic():
                self.finish(row, self.model.FAILED, failure=traceback, failure_reference=new_reference())
                if at_the_end:
                    at_the_end(row)
        else:
            pause_ends = timezone.now() + RETRY_AFTER[row.attempts - 1]
            self.finish(row, self.model.WAITING, failure=traceback, held_until=pause_ends)

    def enqueue(self, **fields):
        """Write a new row of work and wake a worker for it on commit."""
        row = self.create(**fields, woken_at=timezone.now())
        wake(self.model.worker_task, row.pk)
        return row

    def requeue(self, *, wakes=WAKE_AT_MOST, **changes):
        """Return rows to the queue, whoever holds them, with fresh attempts and other changes; returns their keys.

        Wakes a few workers on commit, who then go on by themselves.
        """
        now = timezone.now()
        changes |= FREE | ANEW | {"state": self.model.WAITING, "state_since": now, "woken_at": now}
        with transaction.atomic():
            keys = list(self.select_for_update().order_by("pk").values_list("pk", flat=True))
            self.filter(pk__in=keys).update(**changes)
        for key in keys[:wakes]:
            wake(self.model.worker_task, key)
        return keys

    def take_away(self, state, *, anew=False, **changes):
        """End rows in a state, whoever holds them, with other changes; returns how many.

        Attempts and failures stay as they are, unless the rows begin `anew`.
        """
        changes |= FREE | {"state": state, "state_since": timezone.now()} | (ANEW if anew else {})
        return self.update(**changes)

    def free_dead(self):
        """Free the leases of this machine's dead processes; returns how many."""
        held = self.filter(state=self.model.WORKING, held_until__gt=timezone.now()).exclude(held_by="")
        dead = [pk for pk, holder in held.values_list("pk", "held_by") if is_dead(holder)]
        return self.filter(pk__in=dead, state=self.model.WORKING).update(held_until=timezone.now(), woken_at=None)

    def end_exhausted(self, at_the_end=None):
        """End the rows whose worker died on every attempt; returns their keys.

        What is to be done at the end is done in the same transaction, with the row.
        """
        ended = []
        for row in self.unheld().filter(attempts__gte=MAX_ATTEMPTS):
            reason = (
                row.failure
                or f"The worker died {row.attempts} times while it had this row, the last time {row.held_by}."
            )
            changes = {"failure": reason, "failure_reference": new_reference()}
            with transaction.atomic():
                if not self.unheld().filter(pk=row.pk).take_away(self.model.FAILED, **changes):
                    continue
                row.refresh_from_db()
                if at_the_end:
                    at_the_end(row)
            ended.append(row.pk)
        return ended

    def to_wake(self):
        """Return the keys of the first rows in line whose wake-up seems lost, a few at a time; marks them as woken."""
        late = timezone.now() - WAKE_AGAIN_AFTER
        rows = self.in_line().filter(Q(woken_at=None) | Q(woken_at__lte=late))
        keys = list(rows.values_list("pk", flat=True)[:WAKE_AT_MOST])
        self.filter(pk__in=keys).update(woken_at=timezone.now())
        return keys

    def wake_workers(self):
        """Wake workers for the first rows in line whose wake-up seems lost: a few, who then go on by themselves."""
        for key in self.to_wake():
            wake(self.model.worker_task, key)


class Leased(models.Model):
    """A row of work; subclasses name their states in WAITING, WORKING and FAILED, and the task that takes a row."""

    worker_task = ""
    work_name = ""
    """What a queue calls the work, where it lists it."""

    state_since = models.DateTimeField(default=timezone.now, editable=False)
    attempts = models.PositiveSmallIntegerField(default=0, editable=False)
    token = models.UUIDField(null=True, editable=False)
    held_by = models.CharField(max_length=200, blank=True, editable=False)
    held_until = models.DateTimeField(null=True, editable=False)
    woken_at = models.DateTimeField(null=True, editable=False)
    failure = models.TextField(blank=True, editable=False)
    failure_reference = models.CharField(max_length=8, blank=True, editable=False)

    objects = LeasedQuerySet.as_manager()

    class Meta:
        abstract = True

    @property
    def will_be_retried(self):
        """Return whether this row failed on our side and waits for another attempt."""
        return self.state == self.WAITING and bool(self.failure)


def new_reference():
    """Return a short reference that a participant can read out to an organiser."""
    return secrets.token_hex(3).upper()
