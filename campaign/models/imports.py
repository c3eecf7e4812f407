"""Files that organisers upload: read in the background, shown before they count."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from campaign.machinery.leases import Leased, LeasedQuerySet
from campaign.models.collections import Collection
from limelight.wording import counted


class ImportQuerySet(LeasedQuerySet):
    """Imports as the pages ask for them."""

    def open(self):
        """Return the imports that are being read or wait for a decision."""
        return self.filter(state__in=["received", "reading", "ready", "rejected", "failed"])


class Import(Leased):
    """One uploaded file on its way in; subclasses say where to."""

    class State(models.TextChoices):
        RECEIVED = "received", "received"
        READING = "reading", "being read"
        READY = "ready", "waiting for your decision"
        REJECTED = "rejected", "has problems"
        ACCEPTED = "accepted", "accepted"
        DISCARDED = "discarded", "discarded"
        FAILED = "failed", "failed on our side"

    WAITING, WORKING, FAILED = State.RECEIVED, State.READING, State.FAILED

    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="%(class)ss"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    file_name = models.CharField("file name as uploaded", max_length=255)
    sha256 = models.CharField("SHA-256", max_length=64)
    size = models.PositiveBigIntegerField("bytes")
    stored_file = models.CharField(max_length=200)
    state = models.CharField(max_length=10, choices=State, default=State.RECEIVED)
    done = models.PositiveBigIntegerField(default=0, help_text="How far the reading has come, out of `total`.")
    total = models.PositiveBigIntegerField(default=0)
    outcome = models.JSONField(default=dict, blank=True, help_text="What was found, for the preview.")
    problems = models.JSONField(default=list, blank=True, help_text="The first problems, as shown.")
    problem_count = models.PositiveIntegerField(default=0)

    objects = ImportQuerySet.as_manager()

    class Meta:
        abstract = True
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["received", "reading", "ready", "rejected", "accepted", "discarded", "failed"]),
                name="%(class)s_state_is_known",
            ),
        ]

    def __str__(self):
        return self.file_name

    @property
    def percent(self):
        """Return how far the reading has come."""
        return min(100, round(100 * self.done / self.total)) if self.total else 0


class CollectionImport(Import):
    """An archive of documents, or a list of ids and lengths, on its way into a collection."""

    worker_task = "campaign.tasks.read_collection"

    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="imports")
    prepared = models.ForeignKey(
        Collection,
        on_delete=models.SET_NULL,
        null=True,
        editable=False,
        related_name="+",
        help_text="The version that it would make, or made.",
    )

    @property
    def state_told(self):
        """Return the state in words; an import that lost documents is not plainly accepted."""
        lost = self.outcome.get("damaged", 0)
        if self.state != self.State.ACCEPTED or not lost:
            return self.get_state_display()
        return f"accepted without {counted(lost, 'document')}"
